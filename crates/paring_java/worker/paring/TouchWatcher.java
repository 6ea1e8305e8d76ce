package paring;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import paring.boot.Touches;

/** What hooks of a traced run say, as uses and changes of resources, for {@link Trace}. */
final class TouchWatcher implements Touches.Watcher {
    private static final Hook[] HOOKS = Hook.values();
    private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    /** Threads of the JVM and of the worker. Any other, and the run has several. */
    private static final Set<String> OTHERS = Set.of("paring reader", "Reference Handler", "Finalizer", "Signal Dispatcher", "Common-Cleaner");

    private static boolean isLoaded;

    private final Trace trace;
    private final Statics statics;
    private final FileTouches files;
    private final Databases databases;
    /** Classes that are being initialised, the innermost first. */
    private final Deque<String> initialising = new ArrayDeque<>();
    private final Set<String> setLoggers = new HashSet<>();
    private final Object out = System.out;
    private final Object err = System.err;

    /** Null where the JVM was started without an agent. */
    static TouchWatcher start(Trace trace, ClassLoader loader, Set<String> own, Collection<Path> classpath) {
        Hooks hooks = Hooks.ofThisJvm();
        if (hooks == null) {
            return null;
        }
        if (!isLoaded) {
            loadAll();
            isLoaded = true;
        }
        hooks.hook(Hook.ALL);
        TouchWatcher watcher = new TouchWatcher(trace, new Statics(loader, own), classpath);
        Agent.instrumentation().addTransformer(watcher.statics);
        Touches.watch(watcher);
        return watcher;
    }

    /** A watcher that is told of reading a jar must not read that jar itself, for a class: the one who reads has moved to his place. */
    private static void loadAll() {
        URL own = TouchWatcher.class.getProtectionDomain().getCodeSource().getLocation();
        try (JarFile jar = new JarFile(new File(own.toURI()))) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                if (name.startsWith("paring/") && name.endsWith(".class") && name.lastIndexOf('/') == 6) {
                    Class.forName(name.substring(0, name.length() - ".class".length()).replace('/', '.'), false, TouchWatcher.class.getClassLoader());
                }
            }
        } catch (IOException | URISyntaxException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether all that was to tell did. */
    boolean stop() {
        Touches.unwatch(this);
        Agent.instrumentation().removeTransformer(statics);
        return statics.isWhole();
    }

    private TouchWatcher(Trace trace, Statics statics, Collection<Path> classpath) {
        this.trace = trace;
        this.statics = statics;
        this.files = new FileTouches(classpath, this::tell);
        this.databases = new Databases(this::tell);
    }

    @Override
    public void touched(int number, Object first, Object second, int flag) {
        if (!isWatched()) {
            return;
        }
        Hook hook = HOOKS[number];
        switch (hook) {
            case PROPERTY_READ:
                tell(Resource.env(String.valueOf(first)), Resource.How.USE);
                break;
            case ENVIRONMENT_READ:
                break;
            case PROPERTIES_READ:
                properties();
                break;
            case UNKNOWN:
                unseen();
                break;
            case LOADED_NATIVE:
                if (isUsers((Class<?>) first)) {
                    trace.doubt();
                }
                break;
            case LOCALE_READ:
                tell(Resource.LOCALE, Resource.How.USE);
                break;
            case ZONE_READ:
                tell(Resource.ZONE, Resource.How.USE);
                break;
            case PRINTED:
                printed(first);
                break;
            case LOGGED:
            case LOGGER_SET:
            case LOGGING_RESET:
                logged(hook, first);
                break;
            case SOCKET:
                socket(first, second);
                break;
            case CLOCK_READ:
                tell(Resource.CLOCK, Resource.How.USE);
                break;
            case RANDOM_READ:
                tell(Resource.RANDOM, Resource.How.USE);
                break;
            case FIELD_READ:
                read((Field) first);
                break;
            case DATABASE_MADE:
                databases.made(first, second);
                break;
            case DATABASE_TOUCHED:
                databases.touched(first, second);
                break;
            default:
                files.touched(hook, first, second, flag);
        }
    }

    @Override
    public void passed(int number) {
        if (!isWatched()) {
            return;
        }
        Statics.Place place = statics.place(number);
        switch (place.kind) {
            case READ:
                tell(resource(place), Resource.How.USE);
                break;
            case WRITTEN:
                // Whether it changed is seen once the statement is over.
                break;
            case BEGIN:
                initialising.push(place.owner);
                break;
            case END:
                initialising.remove(place.owner);
                break;
            case CLOCK:
                tell(Resource.CLOCK, Resource.How.USE);
                break;
            case ENTERED:
                trace.ranCode();
                break;
        }
    }

    /** What other threads do comes in any order. */
    private boolean isWatched() {
        if (trace.isOfRun()) {
            return true;
        }
        String name = Thread.currentThread().getName();
        if (!OTHERS.contains(name)) {
            trace.doubt();
        }
        return false;
    }

    private void tell(Resource resource, Resource.How how) {
        for (String type : initialising) {
            trace.initialised(type, resource);
        }
        trace.touch(resource, how);
    }

    private Resource resource(Statics.Place place) {
        boolean isStream = place.owner.equals("java.lang.System");
        return isStream && place.name.equals("out") ? Resource.STDOUT : isStream && place.name.equals("err") ? Resource.STDERR : statics.resource(place);
    }

    /** All of them are at hand, and who keeps them may look at them any time. The JDK looks at once, and at some only. */
    private void properties() {
        if (trace.isInStatement() && isUsers(hookedAndCaller().get(1))) {
            trace.doubt();
        }
        trace.changed("env").forEach(resource -> tell(resource, Resource.How.USE));
    }

    /** What the JDK does for itself is well known. */
    private void unseen() {
        List<Class<?>> types = hookedAndCaller();
        if (types.get(0) == ProcessBuilder.class) {
            trace.doubt();
            tell(Resource.UNKNOWN, Resource.How.DEFINE);
        } else if (isUsers(types.get(1))) {
            trace.doubt();
        }
    }

    /** The class with the hook, and who called it. */
    private static List<Class<?>> hookedAndCaller() {
        return CALLERS.walk(frames -> frames.<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                .filter(type -> !type.getName().startsWith("paring."))
                .distinct()
                .limit(2)
                .collect(Collectors.toList()));
    }

    private static boolean isUsers(Class<?> type) {
        return type.getClassLoader() != null && type.getClassLoader() != ClassLoader.getPlatformClassLoader();
    }

    private void read(Field field) {
        if (Modifier.isStatic(field.getModifiers())) {
            tell(Hidden.resource(field), Resource.How.USE);
        }
    }

    /** Nobody can read what goes to the stream that was there before the run. */
    private void printed(Object stream) {
        if (stream == System.out && stream != out) {
            tell(Resource.STDOUT, Resource.How.DEFINE);
        } else if (stream == System.err && stream != err) {
            tell(Resource.STDERR, Resource.How.DEFINE);
        }
    }

    /** A logger does what those above it were told to. */
    private void logged(Hook hook, Object logger) {
        if (hook == Hook.LOGGING_RESET) {
            setLoggers.forEach(name -> tell(Resource.logger(name), Resource.How.DEFINE));
            tell(Resource.logger(""), Resource.How.DEFINE);
            return;
        }
        Object named = value(logger, "name");
        String name = named == null ? "" : (String) named;
        if (hook == Hook.LOGGER_SET) {
            setLoggers.add(name);
            tell(Resource.logger(name), Resource.How.DEFINE);
            return;
        }
        for (String each = name; !each.isEmpty(); each = each.substring(0, Math.max(0, each.lastIndexOf('.')))) {
            tell(Resource.logger(each), Resource.How.USE);
        }
        tell(Resource.logger(""), Resource.How.USE);
    }

    /** Both ends of a connection are told by their ports. What was read is there no longer. */
    private void socket(Object socket, Object address) {
        Set<Integer> ports = new TreeSet<>();
        for (Object each : new Object[] {address, value(socket, "remoteAddress"), value(socket, "localAddress"), value(socket, "port"), value(socket, "localport")}) {
            if (each instanceof InetSocketAddress) {
                ports.add(((InetSocketAddress) each).getPort());
            } else if (each instanceof Integer) {
                ports.add((Integer) each);
            }
        }
        ports.remove(0);
        ports.forEach(port -> tell(Resource.socket("port " + port), Resource.How.DEFINE));
    }

    /** A field of an object of the JDK; null where there is none. */
    private static Object value(Object thing, String name) {
        for (Class<?> type = thing.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    Heap.Slot slot = Heap.Slot.of(field, true);
                    return slot == null ? null : slot.get(thing);
                }
            }
        }
        return null;
    }
}
