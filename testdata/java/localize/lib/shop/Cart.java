package shop;

import java.util.ArrayList;
import java.util.List;

/** Proves: of a suite with failing tests, `paring localize` names the faulty line first: in `reduced`, a discount is added. */
public class Cart {
    private static final int NONE = 0;
    private final List<Integer> prices = new ArrayList<>();

    public void add(int price) {
        if (price < NONE) {
            throw new IllegalArgumentException(
                    "a price below 0: " + price);
        }
        prices.add(price);
    }

    public int total(int percent) {
        int total = prices.stream()
                .mapToInt(price ->
                        price)
                .sum();
        if (percent > NONE) {
            total = reduced(total, percent);
        }
        return total;
    }

    private static int reduced(int total, int percent) {
        int cut = total * percent / 100;
        return total + cut;
    }

    public String label() {
        return prices.size() + " things";
    }
}
