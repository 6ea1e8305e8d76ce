import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Tells whether a test passes on a library some of whose files were changed, without a start of anything for each question.
 *
 * <pre>java -cp JUNIT-AND-DEPENDENCIES Probe.java SECONDS</pre>
 *
 * <p>Prints the port it listens on. A question is four lines: the folder of the changed files, one for their classes, the class path of
 * library and tests, the test's method; the answer a line, "passes" or why not. Library and tests are loaded anew for each question. A test that does not end
 * within the seconds ends the process.
 */
public final class Probe {
    private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

    public static void main(String[] args) throws IOException {
        long patience = Long.parseLong(args[0]) * 1000;
        PrintStream said = System.out;
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            said.println(server.getLocalPort());
            said.flush();
            while (true) {
                try (Socket asking = server.accept()) {
                    answer(asking, patience);
                }
            }
        }
    }

    private static void answer(Socket asking, long patience) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(asking.getInputStream(), StandardCharsets.UTF_8));
        Path sources = Path.of(reader.readLine());
        Path classes = Path.of(reader.readLine());
        String classPath = reader.readLine();
        String method = reader.readLine();
        String[] answer = {"does not end"};
        Thread thread = new Thread(() -> answer[0] = outcome(sources, classes, classPath, method), "probe");
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(patience);
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
        asking.getOutputStream().write((answer[0] + "\n").getBytes(StandardCharsets.UTF_8));
        asking.getOutputStream().flush();
        if (thread.isAlive()) {
            Runtime.getRuntime().halt(1);
        }
    }

    private static String outcome(Path sources, Path classes, String classPath, String method) {
        try {
            String trouble = compiled(sources, classes, classPath);
            return trouble != null ? trouble : ran(classes, classPath, method);
        } catch (Throwable thrown) {
            return "broke: " + thrown.toString().lines().findFirst().orElse("");
        }
    }

    /** What the compiler says against the files; null where they compile. */
    private static String compiled(Path sources, Path classes, String classPath) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(sources)) {
            files = found.filter(it -> it.toString().endsWith(".java")).toList();
        }
        if (files.isEmpty()) {
            return null;
        }
        String own = System.getProperty("java.class.path");
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager = JAVAC.getStandardFileManager(problems, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of("-g", "-nowarn", "-proc:none", "-implicit:none", "-d", classes.toString(), "-sourcepath", classes.toString(),
                    "-cp", classPath + java.io.File.pathSeparator + own);
            boolean isDone = JAVAC.getTask(null, manager, problems, options, null, manager.getJavaFileObjectsFromPaths(files)).call();
            return isDone ? null : "does not compile";
        }
    }

    private static String ran(Path classes, String classPath, String method) throws IOException {
        List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (String path : classPath.split(java.io.File.pathSeparator)) {
            urls.add(Path.of(path).toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), Probe.class.getClassLoader())) {
            thread.setContextClassLoader(loader);
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectMethod(method)).build();
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            LauncherFactory.create().execute(request, listener);
            TestExecutionSummary summary = listener.getSummary();
            long nGood = summary.getTestsSucceededCount();
            boolean isGood = nGood > 0 && nGood == summary.getTestsFoundCount() && summary.getTotalFailureCount() == 0;
            return isGood ? "passes" : "fails";
        }
    }
}
