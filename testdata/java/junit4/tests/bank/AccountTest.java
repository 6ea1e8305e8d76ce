package bank;

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

/** JUnit 4 tests are pared: with set-up, and with an exception that does not come. */
public class AccountTest {
    private Account account;
    private Account other;

    @Before
    public void open() {
        account = new Account();
        other = new Account();
    }

    @Test
    public void feesAreTaken() {
        other.deposit(1);
        account.deposit(100);
        int before = account.balance();
        account.charge(5);
        other.withdraw(1);
        assertEquals(95, account.balance());
    }

    @Test(expected = IllegalStateException.class)
    public void overdraftIsRefused() {
        other.deposit(1);
        account.deposit(10);
        account.withdraw(20);
    }
}
