import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles the worker's sources and puts them into jars; run once per JDK by its source launcher. */
public final class Install {
    private static final String BOOT = "paring/boot";
    private static final String BOOT_JAR = "boot.jar";

    private Install() {}

    /** @param args the folder of the sources, a folder for class files, the jar; beside it goes the one for the JVM's own loader */
    public static void main(String[] args) throws IOException {
        Path sources = Path.of(args[0]);
        Path classes = Files.createDirectories(Path.of(args[1]));
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        List<String> arguments = new ArrayList<>(List.of(
                "--add-exports", "jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED", "-encoding", "UTF-8", "-nowarn", "-g", "-proc:none",
                // The stubs stand for frameworks that every project brings its own of: nothing is written for them.
                "-implicit:none", "-sourcepath", sources.resolve("stubs").toString(), "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(sources.resolve("paring"))) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
        }
        StringWriter said = new StringWriter();
        if (!javac.getTask(said, null, null, options(arguments), null,
                javac.getStandardFileManager(null, null, null).getJavaFileObjectsFromStrings(sourcesOf(arguments))).call()) {
            System.err.println(said);
            System.exit(1);
        }
        hook(classes);
        Path jar = Path.of(args[2]);
        Path boot = classes.resolve(BOOT);
        try (Stream<Path> files = Files.walk(boot)) {
            pack(classes, files, new Manifest(), jar.resolveSibling(BOOT_JAR));
        }
        try (Stream<Path> files = Files.walk(classes)) {
            pack(classes, files.filter(file -> !file.startsWith(boot)), agent(), jar);
        }
    }

    /** Writes classes of this JDK that call the worker. */
    private static void hook(Path classes) throws IOException {
        try (URLClassLoader worker = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            worker.loadClass("paring.HookedClasses").getMethod("main", String[].class).invoke(null, (Object) new String[] {classes.toString()});
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
    }

    private static Manifest agent() {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", "paring.Agent");
        attributes.putValue("Can-Retransform-Classes", "true");
        attributes.putValue("Can-Redefine-Classes", "true");
        // What instrumented classes of the JDK call has to be found by its own loader.
        attributes.putValue("Boot-Class-Path", BOOT_JAR);
        return manifest;
    }

    private static List<String> options(List<String> arguments) {
        return arguments.stream().filter(each -> !each.endsWith(".java")).collect(Collectors.toList());
    }

    private static List<String> sourcesOf(List<String> arguments) {
        return arguments.stream().filter(each -> each.endsWith(".java")).collect(Collectors.toList());
    }

    private static void pack(Path classes, Stream<Path> files, Manifest manifest, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream zip = new JarOutputStream(out, manifest)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().collect(Collectors.toList())) {
                zip.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                zip.write(Files.readAllBytes(file));
                zip.closeEntry();
            }
        }
    }
}
