package chart;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/**
 * Proves: in FitSlicer's Fig. 6 the handler stays although it never ran: without it the fixed code's exception escapes.
 *
 * After an example of JFreeChart in the paper.
 */
public class KeyedObjects2DTest {
    @Test
    public void testRemoveRowByKey() {
        KeyedObjects2D data = new KeyedObjects2D();
        data.setObject("Obj1", "R1", "C1");
        data.setObject("Obj2", "R2", "C2");
        data.removeRow("R2");
        assertEquals(1, data.getRowCount());
        assertEquals("Obj1", data.getObject(0, 0));
        boolean pass = false;
        try {
            data.removeRow("XXX");
        } catch (UnknownKeyException e) {
            pass = true;
        }
        assertTrue(pass);
    }
}
