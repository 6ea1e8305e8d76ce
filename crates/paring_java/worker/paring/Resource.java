package paring;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** State that statements share without a name of the test, as {@code paring_model::Resource} has it. */
final class Resource {
    /** What a statement does to it; as {@code paring_model::How}. */
    enum How { USE, DEFINE, KILL }

    static final Resource UNKNOWN = new Resource("unknown", "", "");
    static final Resource CLOCK = new Resource("clock", "", "");
    static final Resource RANDOM = new Resource("random", "", "");
    static final Resource STDOUT = new Resource("output", "stdout", "");
    static final Resource STDERR = new Resource("output", "stderr", "");
    static final Resource STDIN = attribute("java.lang.System", "in");
    static final Resource LOCALE = attribute("java.util.Locale", "default");
    static final Resource ZONE = attribute("java.util.TimeZone", "default");
    static final Resource HANDLER = attribute("java.lang.Thread", "defaultUncaughtExceptionHandler");

    final String kind;
    /** The path, the name, the owner or the database. */
    final String first;
    /** The name within that, where there is one. */
    final String second;

    private Resource(String kind, String first, String second) {
        this.kind = kind;
        this.first = first;
        this.second = second;
    }

    static Resource file(String path) {
        return new Resource("file", path, "");
    }

    /** A system property, or a variable of the environment: their names do not meet. */
    static Resource env(String name) {
        return new Resource("env", name, "");
    }

    static Resource attribute(String owner, String name) {
        return new Resource("attribute", owner, name);
    }

    static Resource table(String database, String name) {
        return new Resource("table", database, name);
    }

    static Resource logger(String name) {
        return new Resource("logger", name, "");
    }

    static Resource socket(String address) {
        return new Resource("socket", address, "");
    }

    /** Whether a use of it is worth telling only where somebody changed it: there are too many. */
    boolean isPlain() {
        return kind.equals("env") || kind.equals("attribute") || kind.equals("logger");
    }

    List<Object> report() {
        return new ArrayList<>(List.of(kind, first, second));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Resource && kind.equals(((Resource) other).kind) && first.equals(((Resource) other).first) && second.equals(((Resource) other).second);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, first, second);
    }
}
