package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
    @Test
    void rowGoes() {
        List<String> log = new ArrayList<>();
        int price = Integer.getInteger("shop.price");
        int row = Integer.parseInt(System.getenv("SHOP_ROW"));
        log.add(System.getProperty("shop.line").concat("!"));
        Cart cart = new Cart();
        cart.add(price);
        cart.remove(row);
        assertEquals(0, cart.total());
    }
}
