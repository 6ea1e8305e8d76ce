package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void rowGoes() {
        String name = "cart";
        Cart cart = new Cart();
        cart.add(3);
        name += cart.prices.size();
        cart.remove(0);
        assertEquals(0, cart.prices.size());
    }
}
