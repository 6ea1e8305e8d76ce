package acme;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Amounts by what they are for. */
public class Ledger {
    private final Map<String, Integer> amounts = new LinkedHashMap<>();
    private Comparator<String> order;

    public void add(String what, int amount) {
        amounts.merge(what, amount, Integer::sum);
    }

    public void cancel(String what) {
        if (what == null) {
            throw new NullPointerException();
        }
        amounts.remove(what);
    }

    public void orderBy(Comparator<String> order) {
        this.order = order;
    }

    public String first() {
        String first = null;
        for (String what : amounts.keySet()) {
            if (first == null || order.compare(what, first) < 0) {
                first = what;
            }
        }
        return first;
    }

    public int size() {
        return amounts.size();
    }

    public int total() {
        return amounts.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ledger && ((Ledger) other).amounts.equals(amounts);
    }

    @Override
    public int hashCode() {
        return amounts.hashCode();
    }
}
