package demo;

import junit.framework.TestCase;

public class Junit3Test extends TestCase {
    private Cart cart;

    public Junit3Test(String name) {
        super(name);
    }

    protected void setUp() throws Exception {
        super.setUp();
        cart = new Cart();
    }

    protected void tearDown() {
        cart.close();
    }

    public void testSum() {
        try {
            cart.add("é", 3);
            fail();
        } catch (IllegalStateException e) { }
        assertEquals(3, cart.sum());
    }

    public void testOther() {
        assertEquals(0, cart.sum());
    }
}
