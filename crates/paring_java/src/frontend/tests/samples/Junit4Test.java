package demo;

import static org.junit.Assert.*;

import org.junit.*;

@RunWith(Parameterized.class)
public class Junit4Test {
    @Rule public Timeout timeout = new Timeout(1);
    private final int n;

    public Junit4Test(int n) {
        this.n = n;
    }

    @Parameters public static Object[] rows() {
        return new Object[] {1, 2};
    }

    @Test(expected = IllegalStateException.class)
    public void sums() {
        int[] xs = {n, 2};
        xs[0]++;
        assertTrue(xs[0] > 1);
    }
}
