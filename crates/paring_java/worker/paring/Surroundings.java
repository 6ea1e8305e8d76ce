package paring;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;

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

    /** The same as resources. */
    Set<Resource> resourcesChangedSince(Surroundings before) {
        Set<Resource> changed = new LinkedHashSet<>();
        Set<String> names = new TreeSet<>(properties.keySet());
        names.addAll(before.properties.keySet());
        for (String name : names) {
            note(changed, Resource.env(name), Objects.equals(properties.get(name), before.properties.get(name)));
        }
        note(changed, Resource.LOCALE, locale.equals(before.locale) && display.equals(before.display) && format.equals(before.format));
        note(changed, Resource.ZONE, zone.equals(before.zone));
        note(changed, Resource.STDIN, in == before.in);
        note(changed, Resource.STDOUT, out == before.out);
        note(changed, Resource.STDERR, err == before.err);
        note(changed, Resource.HANDLER, handler == before.handler);
        return changed;
    }

    private static <T> void note(Collection<T> changed, T what, boolean isSame) {
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
