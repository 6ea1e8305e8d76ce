//! Tests of `JUnit` 3, 4 and 5.

use crate::trial::Trial;

const CART: (&str, &str) = (
    "lib/shop/Cart.java",
    "\
package shop;

import java.util.*;

public class Cart {
    private final Map<String, Integer> items = new TreeMap<>();

    public void add(String name, int n) {
        if (n <= 0) {
            throw new IllegalArgumentException(\"too few\");
        }
        items.merge(name, n, Integer::sum);
    }

    public int total() {
        int sum = 0;
        for (int n : items.values()) {
            sum += n;
        }
        return sum;
    }

    public static int doubled(int n) {
        return 2 * n;
    }
}
",
);

#[track_caller]
fn becomes(junit: &'static str, before: &str, after: &str) {
    let trial = Trial::java(junit, &[CART, ("tests/shop/CartTest.java", before)]);
    trial.split(&["shop.CartTest#testCart", "--mutants", "0"]).is(after);
}

#[test]
fn a_method_of_junit_3_becomes_two_that_are_found() {
    becomes(
        "junit3",
        "\
package shop;

import junit.framework.TestCase;

public class CartTest extends TestCase {
    public void testCart() {
        Cart cart = new Cart();
        cart.add(\"tea\", 4);
        assertEquals(4, cart.total());
        int twice = Cart.doubled(3);
        assertEquals(6, twice);
    }
}
",
        "\
package shop;

import junit.framework.TestCase;

public class CartTest extends TestCase {
    public void testCartTotal() {
        Cart cart = new Cart();
        cart.add(\"tea\", 4);
        assertEquals(4, cart.total());
    }

    public void testCartTwice() {
        int twice = Cart.doubled(3);
        assertEquals(6, twice);
    }
}
",
    );
}

#[test]
fn what_junit_4_expects_stays_with_the_call_that_throws() {
    let before = "\
package shop;

import static org.junit.Assert.*;

import org.junit.*;

public class CartTest {
    private Cart cart;

    @Before
    public void open() {
        cart = new Cart();
    }

    @Test
    public void testCart() {
        cart.add(\"tea\", 4);
        assertEquals(4, cart.total());
        Cart other = new Cart();
        try {
            other.add(\"jam\", 0);
            fail();
        } catch (IllegalArgumentException expected) {
            assertEquals(\"too few\", expected.getMessage());
        }
    }
}
";
    let trial = Trial::java("junit4", &[CART, ("tests/shop/CartTest.java", before)]);
    let ran = trial.split(&["shop.CartTest#testCart", "--mutants", "0"]);
    assert_eq!(ran.found[0]["tests"].as_array().map(Vec::len), Some(2), "{ran}");
    assert_eq!(ran.text().matches("fail();").count(), 1, "{ran}");
    assert_eq!(ran.text().matches("@Before").count(), 1, "{ran}");
}

#[test]
fn a_loop_of_junit_5_becomes_a_parametrised_test() {
    let before = "\
package shop;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;

class CartTest {
    @Test
    void testCart() {
        for (int n : new int[] {1, 2}) {
            assertEquals(n + n, Cart.doubled(n));
        }
        Cart cart = new Cart();
        cart.add(\"tea\", 4);
        assertEquals(4, cart.total());
    }
}
";
    let trial = Trial::java("junit5", &[CART, ("tests/shop/CartTest.java", before)]);
    let ran = trial.split(&["shop.CartTest#testCart", "--mutants", "0"]);
    assert_eq!(ran.found[0]["tests"].as_array().map(Vec::len), Some(2), "{ran}");
    assert!(ran.text().contains("@ParameterizedTest"), "{ran}");
    assert!(!ran.text().contains("for (int n"), "{ran}");
}
