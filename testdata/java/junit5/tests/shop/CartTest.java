package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JUnit 5 tests are pared: plain, nested, parametrised and inherited ones. */
class CartTest {
    private Cart cart;

    @BeforeEach
    void setUp() {
        cart = new Cart();
    }

    @Test
    void removes() {
        List<String> log = new ArrayList<>();
        log.add("start");
        cart.add(3);
        cart.add(4);
        log.add("added");
        cart.remove(0);
        assertEquals(4, cart.total());
    }

    @Test
    void counts() {
        cart.add(3);
        assertEquals(1, cart.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void removesAll(int n) {
        String name = "row " + n;
        for (int i = 0; i < n; i++) {
            cart.add(i + 1);
        }
        cart.remove(0);
        assertEquals(n - 1, cart.size());
    }

    @Nested
    class WhenFull {
        @BeforeEach
        void fill() {
            cart.add(1);
            cart.add(2);
        }

        @Test
        void removesTheFirst() {
            int unused = cart.size();
            cart.remove(0);
            assertEquals(2, cart.total());
        }
    }
}
