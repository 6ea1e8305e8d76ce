package acme;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ErrorTest0 {

    public static boolean debug = false;

    public void assertBooleanArrayEquals(boolean[] expectedArray, boolean[] actualArray) {
        if (expectedArray.length != actualArray.length) {
            throw new AssertionError("Array lengths differ: " + expectedArray.length + " != " + actualArray.length);
        }
    }

    @Test
    public void test1() throws Throwable {
        if (debug)
            System.out.format("%n%s%n", "ErrorTest0.test1");
        acme.Ledger ledger0 = new acme.Ledger();
        ledger0.add("hi!", (int) ' ');
        java.util.Comparator<java.lang.String> strComparator3 = java.util.Comparator.reverseOrder();
        ledger0.cancel("hi!");
        int int5 = ledger0.total();
        acme.Ledger ledger6 = new acme.Ledger();
        java.lang.Class<?> wildcardClass7 = ledger6.getClass();
        ledger6.orderBy(strComparator3);
        // This assertion (symmetry of equals) fails 
        org.junit.Assert.assertTrue("Contract failed: equals-symmetric on ledger0 and ledger6.", ledger0.equals(ledger6) == ledger6.equals(ledger0));
        // Checks the contract:  equals-hashcode on ledger0 and ledger6
        org.junit.Assert.assertTrue("Contract failed: equals-hashcode on ledger0 and ledger6", ledger0.equals(ledger6) ? ledger0.hashCode() == ledger6.hashCode() : true);
    }

    @Test
    public void test2() throws Throwable {
        if (debug)
            System.out.format("%n%s%n", "ErrorTest0.test2");
        acme.Ledger ledger0 = new acme.Ledger();
        ledger0.add("", 1);
        int int3 = ledger0.size();
        org.junit.Assert.assertTrue("'" + int3 + "' != '" + 1 + "'", int3 == 1);
        ledger0.add("hi!", (-1));
        // The following exception was thrown during execution in test generation
        try {
            ledger0.cancel((java.lang.String) null);
            org.junit.Assert.fail("Expected exception of type java.lang.NullPointerException; message: null");
        } catch (java.lang.NullPointerException e) {
            // Expected exception.
        }
    }
}
