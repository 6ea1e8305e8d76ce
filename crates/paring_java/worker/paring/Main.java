package paring;

/** Where the worker begins. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        new Server(Channel.takeOver(args)).serve();
    }
}
