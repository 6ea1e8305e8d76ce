package paring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything reachable from some objects at one moment, up to a limit. An object changed if it is in two looks with different
 * tokens; identity makes that true through every alias.
 */
final class Look {
    final Map<Object, Long> tokens = new IdentityHashMap<>();
    final Map<Object, List<Object>> edges = new IdentityHashMap<>();
    final Set<Object> opaque = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Whether there was more than the limit. */
    final boolean isCut;

    Look(Collection<?> roots, int limit, Mocks mocks) {
        ArrayDeque<Object> queue = new ArrayDeque<>();
        for (Object root : roots) {
            if (!Heap.isAtom(root)) {
                queue.add(root);
            }
        }
        while (!queue.isEmpty() && tokens.size() < limit) {
            Object thing = queue.poll();
            if (tokens.containsKey(thing)) {
                continue;
            }
            List<Object> children = new ArrayList<>();
            long token = Heap.token(thing, children) * 31 + mocks.token(thing);
            tokens.put(thing, token);
            edges.put(thing, children);
            if (Heap.shape(thing.getClass()).isOpaque) {
                opaque.add(thing);
            }
            queue.addAll(children);
        }
        isCut = !queue.isEmpty();
    }

    /** These and all that lead to them. */
    Set<Object> leadingTo(Set<Object> targets) {
        Map<Object, List<Object>> holders = new IdentityHashMap<>();
        edges.forEach((holder, children) -> children.forEach(child -> holders.computeIfAbsent(child, key -> new ArrayList<>()).add(holder)));
        Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Object> queue = new ArrayDeque<>(targets);
        while (!queue.isEmpty()) {
            Object thing = queue.poll();
            if (found.add(thing)) {
                queue.addAll(holders.getOrDefault(thing, List.of()));
            }
        }
        return found;
    }

    /** What one object leads to, itself included. Whether that is all: null in it says no. */
    Set<Object> reach(Object root) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Object> queue = new ArrayDeque<>();
        queue.add(root);
        while (!queue.isEmpty()) {
            Object thing = queue.poll();
            if (!tokens.containsKey(thing)) {
                seen.add(null);
            } else if (seen.add(thing)) {
                queue.addAll(edges.get(thing));
            }
        }
        return seen;
    }

    Set<Object> changedSince(Look before) {
        Set<Object> changed = Collections.newSetFromMap(new IdentityHashMap<>());
        before.tokens.forEach((thing, token) -> {
            Long now = tokens.get(thing);
            if (now != null && !now.equals(token)) {
                changed.add(thing);
            }
        });
        return changed;
    }
}
