package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What a test class inherits is written, and pared, here. */
abstract class Contract {
    abstract Cart cart();

    @Test
    void isEmptyInTheEnd() {
        Cart cart = cart();
        String name = "contract";
        cart.add(5);
        cart.remove(0);
        assertEquals(0, cart.size());
    }
}
