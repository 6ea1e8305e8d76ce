package text;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.util.Locale;
import org.junit.Test;

/**
 * Proves: in FitSlicer's Fig. 3 what a slice has no use for stays where the compiler asks for it: the declarations, and the
 * branch that never ran, without which the variable may have no value.
 *
 * After an example of Apache Commons Lang in the paper, with a check in front that may go.
 */
public class ExtendedMessageFormatTest {
    @Test
    public void testEqualsHashCode() {
        boolean equal;
        String pattern = "Pattern: {0,testfmt}";
        ExtendedMessageFormat first = null;
        ExtendedMessageFormat second = null;
        first = new ExtendedMessageFormat(pattern, Locale.US);
        assertEquals(pattern, first.toPattern());
        String otherPattern = "X" + pattern; // different pattern
        second = new ExtendedMessageFormat(otherPattern, Locale.US);
        if (first.hashCode() == second.hashCode()) {
            equal = true;
        } else {
            equal = false;
        }
        assertFalse("pattern, hashCode()", equal);
    }
}
