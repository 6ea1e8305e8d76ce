package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CartTest {
    private Cart cart;

    @BeforeEach
    void open() {
        cart = new Cart();
    }

    @Test
    void sums() {
        cart.add(3);
        cart.add(4);
        assertEquals(7, cart.total(0));
    }

    @Test
    void refuses() {
        assertThrows(IllegalArgumentException.class, () -> cart.add(-1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 50})
    void reduces(int percent) {
        cart.add(100);
        assertEquals("1 things", cart.label());
        assertEquals(100 - percent, cart.total(percent));
    }

    @Test
    void labels() {
        cart.add(1);
        assertEquals("1 things", cart.label());
    }

    @Test
    @Disabled("later")
    void later() {
        assertEquals(1, cart.total(1));
    }
}
