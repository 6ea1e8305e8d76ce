package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderTest {
    private Order order;
    private Order empty;

    @BeforeEach
    void open() {
        order = new Order();
        empty = new Order();
    }

    @Test
    void removedArticlesAreNotPaid() {
        List<String> log = new ArrayList<>();
        assertEquals(0, empty.total());
        for (String article : new String[] {"Pen", "Ink"}) {
            order.add(article, 250);
            log.add("added " + article);
        }
        assertEquals(2, order.size());
        order.rebate(10);
        String receipt = String.join("\n", log);
        assertTrue(receipt.contains("Ink"));
        order.remove("Ink");
        log.add("removed Ink");
        empty.rebate(50);
        assertEquals(225, order.total());
    }
}
