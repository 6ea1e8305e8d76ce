package paring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Which statement, at which of its executions, did what to which resource, in order of time.
 *
 * <p>A statement that was told to use or to change something is not told to again in the same execution.
 */
final class TouchLog {
    private static final int LIMIT = 100_000;

    private static final class Touch {
        final int point;
        final int nth;
        /** Another statement may have begun: the one around asks for more, or closes what it opened. */
        final boolean isBetween;
        final Resource resource;
        final Resource.How how;

        Touch(int point, int nth, boolean isBetween, Resource resource, Resource.How how) {
            this.point = point;
            this.nth = nth;
            this.isBetween = isBetween;
            this.resource = resource;
            this.how = how;
        }
    }

    private final List<Touch> touches = new ArrayList<>();
    private final Set<List<Object>> known = new HashSet<>();
    private final Set<Resource> changed = new LinkedHashSet<>();
    /** What class initialisers used, by class: it is in all that reads the statics of that class. */
    private final Map<String, Set<Resource>> initialisers = new HashMap<>();
    private boolean isFull;

    void add(int point, int nth, boolean isBetween, Resource resource, Resource.How how) {
        if (how != Resource.How.USE) {
            changed.add(resource);
        }
        if (known.add(List.of(point, nth, isBetween, resource, how))) {
            if (touches.size() < LIMIT) {
                touches.add(new Touch(point, nth, isBetween, resource, how));
            } else {
                isFull = true;
            }
        }
    }

    /** The initialiser of a class used something. */
    void initialised(String type, Resource used) {
        initialisers.computeIfAbsent(type, key -> new LinkedHashSet<>()).add(used);
    }

    /** Those that were changed so far. */
    Collection<Resource> changed() {
        return changed;
    }

    /** Whether nothing is left out. */
    boolean isWhole() {
        return !isFull;
    }

    /**
     * Resources, and touches as lists of a point, its execution, whether it was between statements, the number of a resource, how.
     *
     * @param number under which a point is told
     * @param isLookedAt whether all executions of a point were looked at
     */
    Map<String, Object> report(IntUnaryOperator number, IntPredicate isLookedAt) {
        Set<Resource> partly = new HashSet<>();
        for (Touch touch : touches) {
            if (touch.how != Resource.How.USE && touch.resource.isPlain() && !isLookedAt.test(touch.point)) {
                partly.add(touch.resource);
            }
        }
        Map<Resource, Integer> numbers = new LinkedHashMap<>();
        Set<List<Object>> told = new LinkedHashSet<>();
        for (Touch touch : touches) {
            for (Resource resource : all(touch)) {
                if (!resource.isPlain() || changed.contains(resource)) {
                    int resourceNumber = numbers.computeIfAbsent(resource, key -> numbers.size());
                    // Where changes were missed, what was there before a kill may have come back.
                    Resource.How how = touch.how == Resource.How.KILL && partly.contains(resource) ? Resource.How.DEFINE : touch.how;
                    told.add(List.of(number.applyAsInt(touch.point), touch.nth, touch.isBetween, resourceNumber, how.name().toLowerCase(Locale.ROOT)));
                }
            }
        }
        List<Object> resources = new ArrayList<>();
        numbers.keySet().forEach(resource -> resources.add(resource.report()));
        return Json.object("resources", resources, "touches", new ArrayList<>(told));
    }

    /** A static is used with all that its class was made from. */
    private Set<Resource> all(Touch touch) {
        Set<Resource> all = new LinkedHashSet<>();
        List<Resource> open = new ArrayList<>(List.of(touch.resource));
        while (!open.isEmpty()) {
            Resource resource = open.remove(open.size() - 1);
            if (all.add(resource) && touch.how == Resource.How.USE && resource.kind.equals("attribute")) {
                open.addAll(initialisers.getOrDefault(resource.first, Set.of()));
            }
        }
        return all;
    }
}
