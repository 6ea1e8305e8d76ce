package shop;

import java.util.ArrayList;
import java.util.List;

/** The cart as it should be. */
public class Cart {
    private final List<Integer> prices = new ArrayList<>();

    public void add(int price) {
        prices.add(price);
    }

    public void remove(int row) {
        prices.remove(row);
    }

    public int total() {
        int total = 0;
        for (int price : prices) {
            total += price;
        }
        return total;
    }

    public int size() {
        return prices.size();
    }
}
