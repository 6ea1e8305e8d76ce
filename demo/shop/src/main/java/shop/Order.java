package shop;

import java.util.LinkedHashMap;
import java.util.Map;

/** Rows of an order, with a rebate on the whole. */
public class Order {
    private final Map<String, Integer> cents = new LinkedHashMap<>();
    private int percent;

    public void add(String article, int price) {
        cents.merge(article, price, Integer::sum);
    }

    public void remove(String article) {
        cents.remove(article.toLowerCase());
    }

    public void rebate(int percent) {
        this.percent = percent;
    }

    public int size() {
        return cents.size();
    }

    public int total() {
        int sum = cents.values().stream().mapToInt(Integer::intValue).sum();
        return sum - sum * percent / 100;
    }
}
