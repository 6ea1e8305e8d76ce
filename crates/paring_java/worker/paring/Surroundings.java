package paring;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TimeZone;
import java.util.TreeMap;

/** Settings of the whole process that a test may change: taken before a run, compared and put back after it. */
final class Surroundings {
    private final Map<String, String> properties = new TreeMap<>();
    private final Locale locale = Locale.getDefault();
    private final Locale display = Locale.getDefault(Locale.Category.DISPLAY);
    private final Locale format = Locale.getDefault(Locale.Category.FORMAT);
    private final TimeZone zone = TimeZone.getDefault();
    private final InputStream in = System.in;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();

    private Surroundings() {
        Properties now = System.getProperties();
        synchronized (now) {
            for (Map.Entry<Object, Object> entry : now.entrySet()) {
                properties.put(String.valueOf(entry.getKey()), String.valueOf(entry.getValue()));
            }
        }
    }

    static Surroundings take() {
        return new Surroundings();
    }

    /** What is not as it was before, in words. */
    List<String> changedSince(Surroundings before) {
        List<String> changed = new ArrayList<>();
        for (Map.Entry<String, String> entry : before.properties.entrySet()) {
            if (!Objects.equals(properties.get(entry.getKey()), entry.getValue())) {
                changed.add("system property " + entry.getKey());
            }
        }
        for (String key : properties.keySet()) {
            if (!before.properties.containsKey(key)) {
                changed.add("system property " + key);
            }
        }
        note(changed, "default locale", locale.equals(before.locale) && display.equals(before.display) && format.equals(before.format));
        note(changed, "default time zone", zone.equals(before.zone));
        note(changed, "System.in", in == before.in);
        note(changed, "System.out", out == before.out);
        note(changed, "System.err", err == before.err);
        note(changed, "default exception handler", handler == before.handler);
        return changed;
    }

    /** All of it as one value, to compare. */
    List<Object> token() {
        return List.of(properties, locale, display, format, zone.getID(), System.identityHashCode(in), System.identityHashCode(out), System.identityHashCode(err),
                System.identityHashCode(handler));
    }

    private static void note(List<String> changed, String what, boolean isSame) {
        if (!isSame) {
            changed.add(what);
        }
    }

    void putBack() {
        Properties fresh = new Properties();
        fresh.putAll(properties);
        System.setProperties(fresh);
        Locale.setDefault(locale);
        Locale.setDefault(Locale.Category.DISPLAY, display);
        Locale.setDefault(Locale.Category.FORMAT, format);
        TimeZone.setDefault(zone);
        Channel.silence();
        Thread.setDefaultUncaughtExceptionHandler(handler);
    }
}
