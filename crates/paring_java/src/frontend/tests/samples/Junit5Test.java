package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Junit5Test {
    private final List<String> names = new ArrayList<>();
    private int a = 1, b;

    static {
        System.setProperty("x", "y");
    }

    @BeforeEach
    void fill() {
        names.add("one"); names.add("two");
    }

    /** What it does. */
    @Test
    void everything() throws Exception {
        int x = 0, y = 1, z;
        // about i
        outer:
        for (int i = 0; i < 3; i++) {
            if (i == 1) continue outer;
            else if (i == 2) { x++; } else break;
        }
        do { x--; } while (x > 0);
        for (String name : names) check(name);
        while (x < 2) x++;
        try (AutoCloseable c = () -> x(1)) {
            c.close();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw e;
        } finally {
            y = 2;
        }
        synchronized (this) { z = y; }
        switch (z) {
            case 1:
            case 2:
                x = 3;
                break;
            default:
        }
        switch (z) {
            case 1 -> x = 4;
            default -> { x = 5; }
        }
        int chosen = switch (x) { case 1 -> 2; default -> { int q = 3; yield q; } };
        Runnable r = () -> {
            names.add("three");
            names.clear();
        };
        r.run();
        Object o = new Object() {
            int n;
            @Override public String toString() {
                n++;
                return "n" + n;
            }
        };
        record Point(int px, int py) { }
        if (o instanceof String s && !s.isEmpty()) { check(s); }
        ;
        String block = """
            a
              b
            """;
        assertThrows(IllegalStateException.class, () -> {
            names.add("x");
            names.remove(5);
        });
        { int inner = 3; check("" + inner); }
        assertEquals(chosen, x + y + z, block);
    }

    private static void check(String name) {
        if (name == null) throw new AssertionError();
    }

    static void x(int n) { }
}
