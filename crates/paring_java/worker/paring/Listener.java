package paring;

/** What a framework tells while it runs tests. Ids are {@code pkg.Outer$Inner#method[case]}. */
public interface Listener {
    void started(String id);

    void failed(String id, Throwable thrown);

    void skipped(String id, String reason);

    void finished(String id);
}
