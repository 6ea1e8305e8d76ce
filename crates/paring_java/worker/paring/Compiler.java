package paring;

import com.sun.source.util.JavacTask;
import com.sun.tools.javac.api.JavacTaskPool;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles candidates of test files in memory. What javac learns of the class path is kept from one to the next; the last
 * results for a file are kept by their text.
 */
final class Compiler {
    private static final int KEPT = 64;
    /** How many errors are worth reading. */
    private static final int TOLD = 5;

    /** The arguments are not such that this javac compiles anything. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refused(IllegalArgumentException e) {
            super(e.getMessage(), e);
        }
    }

    /** What became of a text. */
    static final class Result {
        /** By binary name; empty where there are errors. */
        final Map<String, byte[]> classes = new TreeMap<>();
        final List<Diagnostic<? extends JavaFileObject>> errors = new ArrayList<>();

        boolean isBroken() {
            return !errors.isEmpty();
        }

        /** The first errors with their lines, for people. */
        String message() {
            StringBuilder out = new StringBuilder("the test file does not compile");
            for (Diagnostic<?> error : errors.subList(0, Math.min(errors.size(), TOLD))) {
                boolean hasLine = error.getLineNumber() != Diagnostic.NOPOS;
                out.append("\n").append(hasLine ? "line " + error.getLineNumber() + ": " : "").append(error.getMessage(Locale.ENGLISH));
            }
            int more = errors.size() - TOLD;
            return more <= 0 ? out.toString() : out.append("\nand ").append(more).append(more == 1 ? " more error" : " more errors").toString();
        }

        /** The first error with its file and line. */
        String first() {
            Diagnostic<? extends JavaFileObject> error = errors.get(0);
            String told = error.getMessage(Locale.ENGLISH).lines().findFirst().orElse("");
            JavaFileObject source = error.getSource();
            return source == null ? told : Path.of(source.getName()).getFileName() + ", line " + error.getLineNumber() + ": " + told;
        }

        Long line() {
            long line = errors.get(0).getLineNumber();
            return line == Diagnostic.NOPOS ? null : Long.valueOf(line);
        }
    }

    private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files;
    private final Output remembered;
    private final List<String> exact = new ArrayList<>();
    private final List<String> quick = new ArrayList<>();
    private final boolean isProcessing;
    /** Of the test file at hand in its source root: {@code com/acme/CartTest.java}. */
    private String path;
    private final Map<String, Result> kept = new LinkedHashMap<>(16, 0.75f, true);
    /** Gone once it was seen to be wrong. */
    private JavacTaskPool pool;
    private int nChecked;

    Compiler(List<Path> classpath, List<Path> sourceRoots, List<String> args) throws IOException {
        files = javac.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8);
        files.setLocationFromPaths(StandardLocation.CLASS_PATH, classpath);
        files.setLocationFromPaths(StandardLocation.SOURCE_PATH, sourceRoots);
        remembered = new Output(files);
        isProcessing = args.stream().anyMatch(arg -> arg.startsWith("-processor") || arg.startsWith("--processor") || arg.equals("-proc:full"));
        for (List<String> options : List.of(exact, quick)) {
            options.addAll(List.of("-g", "-nowarn", "-XDuseUnsharedTable=true", "-implicit:" + (sourceRoots.isEmpty() ? "none" : "class")));
            if (!isProcessing) {
                options.add("-proc:none");
            }
        }
        exact.addAll(args);
        quick.addAll(withoutRelease(args));
    }

    /** Compiles files as they are, to where the arguments say. */
    static Result build(List<String> sources, List<String> args) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        StringWriter said = new StringWriter();
        Result result = new Result();
        boolean done;
        try (StandardJavaFileManager files = javac.getStandardFileManager(diagnostics, Locale.ENGLISH, StandardCharsets.UTF_8)) {
            done = javac.getTask(said, files, diagnostics, args, null, files.getJavaFileObjectsFromStrings(sources)).call();
        } catch (IllegalArgumentException e) {
            throw new Refused(e);
        }
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (!done && diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                result.errors.add(diagnostic);
            }
        }
        if (!done && !result.isBroken()) {
            throw new IllegalStateException("javac failed without an error: " + said);
        }
        return result;
    }

    /** Compiles this file from now on. */
    void moveTo(String path) {
        if (path.equals(this.path)) {
            return;
        }
        this.path = path;
        kept.clear();
        nChecked = 0;
        // What it remembers of one file's classes is wrong for who only uses them.
        pool = isProcessing ? null : new JavacTaskPool(1);
    }

    /**
     * Reading another release's classes anew for each compilation is dear: while searching, its language level is enough.
     */
    private static List<String> withoutRelease(List<String> args) {
        List<String> out = new ArrayList<>();
        for (int i = 0; i < args.size(); i++) {
            String level = null;
            if (args.get(i).equals("--release") && i + 1 < args.size()) {
                level = args.get(++i);
            } else if (args.get(i).startsWith("--release=")) {
                level = args.get(i).substring("--release=".length());
            }
            out.addAll(level == null ? List.of(args.get(i)) : List.of("-source", level, "-target", level));
        }
        return out;
    }

    /** Compiles as quickly as it can. */
    Result compile(String text) {
        Result result = kept.get(text);
        if (result == null) {
            result = compileQuickly(text);
            kept.put(text, result);
            if (kept.size() > KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return result;
    }

    /** Whether it still keeps what it learns. */
    boolean remembers() {
        return pool != null;
    }

    /** Compiles as the user's javac would: nothing remembered, the arguments as they are. */
    Result compileExactly(String text) {
        return plain(text, exact);
    }

    private Result compileQuickly(String text) {
        if (pool == null) {
            return plain(text, quick);
        }
        Result result = new Result();
        try {
            result = pooled(text);
        } catch (RuntimeException | Error e) {
            pool = null;
            return plain(text, quick);
        }
        // A compiler that remembers might remember wrongly: its first refusals are looked at twice.
        if (result.isBroken() && nChecked < 3) {
            nChecked++;
            Result again = plain(text, quick);
            if (!again.isBroken()) {
                pool = null;
                return again;
            }
        }
        return result;
    }

    private Result pooled(String text) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        // A compiler that remembers also remembers where it wrote to.
        Output output = remembered;
        output.written.clear();
        pool.getTask(new StringWriter(), output, diagnostics, quick, null, List.of(new Source(path, text)), task -> {
            try {
                task.analyze();
                task.generate();
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return result(true, output, diagnostics);
    }

    private Result plain(String text, List<String> options) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        Output output = new Output(files);
        StringWriter said = new StringWriter();
        boolean done;
        try {
            done = javac.getTask(said, output, diagnostics, options, null, List.of(new Source(path, text))).call();
        } catch (IllegalArgumentException e) {
            throw new Refused(e);
        }
        if (!done && diagnostics.getDiagnostics().isEmpty()) {
            throw new IllegalStateException("javac failed without a word: " + said);
        }
        return result(done, output, diagnostics);
    }

    private static Result result(boolean done, Output output, DiagnosticCollector<JavaFileObject> diagnostics) {
        Result result = new Result();
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                result.errors.add(diagnostic);
            }
        }
        if (!result.isBroken()) {
            if (!done) {
                throw new IllegalStateException("javac failed without an error");
            }
            // A text from which all classes are gone is none the less a text.
            output.written.forEach((name, bytes) -> result.classes.put(name, bytes.toByteArray()));
        }
        return result;
    }

    /** Gives a parsed and attributed tree to who wants one. */
    JavacTask task(String text, DiagnosticCollector<JavaFileObject> diagnostics) {
        return (JavacTask) javac.getTask(new StringWriter(), new Output(files), diagnostics, quick, null, List.of(new Source(path, text)));
    }

    /** Writes class files below a folder. */
    static void write(Map<String, byte[]> classes, Path folder) throws IOException {
        for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
            Path file = folder.resolve(entry.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, entry.getValue());
        }
    }

    /** The classes of a folder, behind some others. */
    static Map<String, byte[]> read(Path folder, Map<String, byte[]> others) throws IOException {
        Map<String, byte[]> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
                String name = folder.relativize(file).toString();
                classes.put(name.substring(0, name.length() - ".class".length()).replace(File.separatorChar, '.'), Files.readAllBytes(file));
            }
        }
        classes.putAll(others);
        return classes;
    }

    static Collection<String> names(Result result) {
        return result.classes.keySet();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(URI.create("paring:///" + path.replace(" ", "%20")), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE && getName().endsWith("/" + simpleName + ".java");
        }
    }

    private static final class Output extends ForwardingJavaFileManager<StandardJavaFileManager> {
        final Map<String, ByteArrayOutputStream> written = new TreeMap<>();

        Output(StandardJavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(JavaFileManager.Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            written.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("paring:///" + name.replace('.', '/').replace(" ", "%20") + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        @Override
        public void close() {
            // The files below are kept open for the next compilation.
        }

        @Override
        public void flush() {
            // Nothing is written to a disk.
        }
    }
}
