package bank;

/** An overdraft is not refused, and fees are never taken. */
public class Account {
    private int balance;

    public void deposit(int amount) {
        balance += amount;
    }

    public void withdraw(int amount) {
        balance -= amount;
    }

    public void charge(int fee) {
    }

    public int balance() {
        return balance;
    }
}
