package bank;

import junit.framework.TestCase;

/** JUnit 3 tests are pared, and a file in latin-1 with CRLF stays one: Gebühren. */
public class AccountTest extends TestCase {
    private Account account;

    protected void setUp() {
        account = new Account();
    }

    public void testFees() {
        String name = "Gebühr";
        account.deposit(100);
        int before = account.balance();
        account.charge(5);
        assertEquals("Gebühren", 95, account.balance());
    }
}
