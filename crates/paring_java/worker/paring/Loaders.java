package paring;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The class loaders of a warm worker, outermost last:
 *
 * <pre>
 * platform   the JDK
 * bridge     the worker's own interface, and those classes of the JDK that the application loader has
 * shared     test frameworks: loaded once, for they hold no state of a test
 * run        all else on the class path, and the candidate's classes: loaded anew for each run, so that no static leaks
 * </pre>
 */
final class Loaders implements AutoCloseable {
    private static final String[] FRAMEWORKS = {
        "org/junit/", "junit/", "org/hamcrest/", "org/opentest4j/", "org/apiguardian/", "org/jspecify/", "org/mockito/", "net/bytebuddy/", "org/objenesis/",
        "org/assertj/", "META-INF/",
    };
    private static final Set<String> PLATFORM = platformPackages();

    /** All of them on the class path, shared or not. */
    private final List<Path> frameworks = new ArrayList<>();
    private final Set<Path> fresh;
    private final boolean sharesFrameworks;
    private final URL[] own;
    private final ClassLoader shared;
    /** Kept open, so that another loader need not read their directories again. */
    private final List<JarFile> open = new ArrayList<>();

    /** @param fresh entries that are code under test, whatever they look like */
    Loaders(List<Path> classpath, Set<Path> fresh, String testPackage) throws IOException {
        this(classpath, fresh, testPackage, true);
    }

    /** Runs have not even the frameworks in common. */
    static Loaders sharingNothing(List<Path> classpath) throws IOException {
        return new Loaders(classpath, Set.of(), "", false);
    }

    private Loaders(List<Path> classpath, Set<Path> fresh, String testPackage, boolean mayShare) throws IOException {
        this.fresh = fresh;
        for (Path entry : classpath) {
            if (mayShare && isFramework(entry)) {
                frameworks.add(entry);
            }
        }
        sharesFrameworks = !isFrameworkTested(testPackage);
        List<Path> common = sharesFrameworks ? frameworks : List.of();
        List<URL> sharedUrls = urls(common);
        List<Path> rest = new ArrayList<>(classpath);
        rest.removeAll(common);
        List<URL> ownUrls = urls(rest);
        URL worker = Loaders.class.getProtectionDomain().getCodeSource().getLocation();
        boolean hasFramework = common.stream().anyMatch(jar -> holds(jar, "junit.framework") || holds(jar, "org.junit.platform.launcher"));
        (hasFramework ? sharedUrls : ownUrls).add(worker);
        own = ownUrls.toArray(new URL[0]);
        shared = new URLClassLoader("paring shared", sharedUrls.toArray(new URL[0]), new Bridge());
        for (Path entry : rest) {
            if (Files.isRegularFile(entry)) {
                open.add(new JarFile(entry.toFile()));
            }
        }
    }

    /** Whether they are right for tests of a package, too. */
    boolean areFor(String testPackage) {
        return sharesFrameworks == !isFrameworkTested(testPackage);
    }

    /** Who tests a framework needs it anew for each run, and all that refers to it. */
    private boolean isFrameworkTested(String testPackage) {
        return frameworks.stream().anyMatch(entry -> fresh.contains(entry) || holds(entry, testPackage));
    }

    /** A loader for one run. */
    Run forRun(Map<String, byte[]> candidate) {
        return new Run(own, shared, candidate);
    }

    /** A loader for one run, with the classes of a folder before all others. */
    Run forRun(Path folder) throws MalformedURLException {
        List<URL> urls = urls(List.of(folder));
        urls.addAll(List.of(own));
        return new Run(urls.toArray(new URL[0]), shared, Map.of());
    }

    @Override
    public void close() throws IOException {
        for (JarFile jar : open) {
            jar.close();
        }
    }

    private static List<URL> urls(List<Path> entries) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (Path entry : entries) {
            urls.add(entry.toUri().toURL());
        }
        return urls;
    }

    /** Whether all that is in a jar belongs to the frameworks. */
    private static boolean isFramework(Path entry) {
        if (!Files.isRegularFile(entry)) {
            return false;
        }
        try (JarFile jar = new JarFile(entry.toFile())) {
            boolean hasClass = false;
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                String name = entries.nextElement().getName();
                if (name.endsWith(".class") && !name.equals("module-info.class")) {
                    if (!startsWithAny(name)) {
                        return false;
                    }
                    hasClass = true;
                }
            }
            return hasClass;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean startsWithAny(String name) {
        for (String prefix : FRAMEWORKS) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a jar has classes of the package itself. */
    private static boolean holds(Path entry, String name) {
        if (name.isEmpty()) {
            return false;
        }
        String folder = name.replace('.', '/') + "/";
        try (JarFile jar = new JarFile(entry.toFile())) {
            return jar.stream().anyMatch(each -> each.getName().startsWith(folder) && each.getName().indexOf('/', folder.length()) < 0 && each.getName().endsWith(".class"));
        } catch (IOException e) {
            return false;
        }
    }

    private static Set<String> platformPackages() {
        Set<String> packages = new HashSet<>();
        for (Module module : ModuleLayer.boot().modules()) {
            packages.addAll(module.getPackages());
        }
        return packages;
    }

    /** Lets through what a run needs of the worker, and what the application loader has of the JDK. */
    private static final class Bridge extends ClassLoader {
        Bridge() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            boolean isWorker = name.startsWith("paring.") && !name.startsWith("paring.adapter.");
            int dot = name.lastIndexOf('.');
            if (isWorker || (dot > 0 && PLATFORM.contains(name.substring(0, dot)))) {
                return Bridge.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }

    /** The loader of one run: the candidate's classes before the class path, that before the frameworks. */
    @SuppressWarnings("deprecation")
    static final class Run extends URLClassLoader {
        private final Map<String, byte[]> candidate;
        /** Classes of the class path that this run has loaded, in order. */
        final List<Class<?>> loaded = Collections.synchronizedList(new ArrayList<>());

        Run(URL[] urls, ClassLoader parent, Map<String, byte[]> candidate) {
            super("app", urls, parent);
            this.candidate = candidate;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                if (found == null) {
                    found = isElsewhere(name) ? getParent().loadClass(name) : findOwnOrParents(name);
                }
                if (resolve) {
                    resolveClass(found);
                }
                return found;
            }
        }

        private static boolean isElsewhere(String name) {
            int dot = name.lastIndexOf('.');
            return (dot > 0 && PLATFORM.contains(name.substring(0, dot))) || (name.startsWith("paring.") && name.lastIndexOf('.') == 6 && isWorker(name));
        }

        private static boolean isWorker(String name) {
            return Bridge.class.getClassLoader().getResource(name.replace('.', '/') + ".class") != null;
        }

        private Class<?> findOwnOrParents(String name) throws ClassNotFoundException {
            byte[] code = candidate.get(name);
            if (code != null) {
                return defineClass(name, code, 0, code.length, domain(name));
            }
            try {
                Class<?> found = findClass(name);
                loaded.add(found);
                return found;
            } catch (ClassNotFoundException e) {
                return getParent().loadClass(name);
            }
        }

        /** A candidate's class comes from where the original's is. */
        private ProtectionDomain domain(String name) {
            String file = name.replace('.', '/') + ".class";
            URL found = super.findResource(file);
            if (found == null || !found.getProtocol().equals("file")) {
                return null;
            }
            try {
                String root = found.toString().substring(0, found.toString().length() - file.length());
                return new ProtectionDomain(new CodeSource(new URL(root), (Certificate[]) null), null, this, null);
            } catch (MalformedURLException | RuntimeException e) {
                return null;
            }
        }

        /** Runners that load the test once more, by a loader of their own, read the candidate's bytes, not those of the original. */
        @Override
        public URL findResource(String name) {
            URL found = super.findResource(name);
            byte[] code = name.endsWith(".class") ? candidate.get(name.substring(0, name.length() - ".class".length()).replace('/', '.')) : null;
            return code == null ? found : inMemory(found == null ? "memory:/" + name : found.toString(), code);
        }

        @Override
        public Enumeration<URL> findResources(String name) throws IOException {
            List<URL> found = Collections.list(super.findResources(name));
            URL first = findResource(name);
            if (first != null) {
                found.removeIf(each -> each.toString().equals(first.toString()));
                found.add(0, first);
            }
            return Collections.enumeration(found);
        }

        /** Bytes that say they come from where the original's do. */
        private static URL inMemory(String place, byte[] code) {
            try {
                return new URL(null, place, new URLStreamHandler() {
                    @Override
                    protected URLConnection openConnection(URL url) {
                        return new URLConnection(url) {
                            @Override
                            public void connect() {
                            }

                            @Override
                            public InputStream getInputStream() {
                                return new ByteArrayInputStream(code);
                            }

                            @Override
                            public long getContentLengthLong() {
                                return code.length;
                            }
                        };
                    }
                });
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** As in a JVM of its own: the run's files come before those of the frameworks. */
        @Override
        public URL getResource(String name) {
            URL found = findResource(name);
            return found != null ? found : super.getResource(name);
        }
    }
}
