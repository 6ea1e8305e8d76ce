package shop;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;

/** Removing a row removes nothing. */
public class Cart {
    private static final Logger LOGGER = Logger.getLogger("shop");

    final List<Integer> prices = new ArrayList<>();

    public void add(int price) {
        prices.add(price);
    }

    public void remove(int row) {
        LOGGER.fine("removed " + row);
    }
}
