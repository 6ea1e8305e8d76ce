package paring;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;

/** Answers requests, one after the other. */
final class Server {
    private static final long PROTOCOL = 1;
    /** How often an instrumented text is fixed. */
    private static final int ROUNDS = 8;

    private final Channel channel;
    private Map<String, Object> start;
    private List<Path> classpath;
    private Compiler compiler;
    /** For mutants of the code under test; null until there are some. */
    private Compiler codeCompiler;
    private List<Object> lastAsked;
    private String lastNeeded;
    private Loaders loaders;
    /** Null where no lines are recorded. */
    private Agent agent;
    private Saving saving;
    /** The one that the loaders are known to be right for. */
    private String testPackage = "";

    Server(Channel channel) {
        this.channel = channel;
    }

    void serve() throws InterruptedException {
        start = channel.receive();
        try {
            if (!Long.valueOf(PROTOCOL).equals(start.get("protocol"))) {
                throw new IOException("paring speaks protocol " + start.get("protocol"));
            }
            open();
        } catch (IOException | RuntimeException | Error e) {
            channel.send(Json.object("op", "error", "code", "worker", "message", trace(e)));
            return;
        }
        channel.send(Json.object("op", "hello", "protocol", PROTOCOL, "java", System.getProperty("java.version")));
        while (true) {
            Map<String, Object> request = channel.receive();
            Map<String, Object> answer;
            try {
                answer = answer(request);
            } catch (Compiler.Refused e) {
                answer = Json.object("ended", "done", "error", Json.object("code", "javac_args", "message", "javac refuses its arguments: " + e.getMessage()));
            } catch (Exception | Error e) {
                answer = Json.object("ended", "done", "error", Json.object("code", "worker", "message", trace(e)));
            }
            answer.put("op", "ran");
            answer.put("id", request.get("id"));
            channel.send(answer);
        }
    }

    /** In a cold process the class path is the process's own, and nothing is compiled. */
    private boolean isCold() {
        return "cold".equals(start.get("mode"));
    }

    /** In a process apart, too, nothing is compiled; each run has loaders of its own. */
    private boolean isApart() {
        return "apart".equals(start.get("mode"));
    }

    private void open() throws IOException {
        save();
        setClassPath(strings(start, "classpath"));
        classpath = paths(start, "classpath");
        List<Path> tests = paths(start, "calls");
        if (!tests.isEmpty()) {
            CallAgent.start(tests);
        }
        List<Path> sources = paths(start, "coverage");
        agent = sources.isEmpty() ? null : Agent.start(sources);
        if (isCold()) {
            return;
        }
        if (isApart()) {
            loaders = Loaders.sharingNothing(classpath);
            return;
        }
        loaders = new Loaders(classpath, new HashSet<>(paths(start, "fresh")), "");
        // Traced texts call the worker's own probes.
        List<Path> forJavac = new ArrayList<>(classpath);
        forJavac.add(ownJar());
        compiler = new Compiler(forJavac, paths(start, "source_roots"), strings(start, "javac_args"));
    }

    /** From here on files of the project are saved before they are touched. */
    private void save() throws IOException {
        HookedClasses.install(Agent.instrumentation());
        saving = Saving.start(paths(start, "roots"), paths(start, "except"), Path.of((String) start.get("claims")), Path.of((String) start.get("loading")));
    }

    private static void setClassPath(List<String> entries) {
        System.setProperty("java.class.path", String.join(File.pathSeparator, entries));
    }

    /** Gets ready for the test file of a request, where the last one was of another. */
    private void moveTo(Map<String, Object> request) throws IOException {
        if (compiler == null || request.get("file") == null) {
            return;
        }
        compiler.moveTo((String) request.get("file"));
        String testPackage = (String) request.get("package");
        if (!testPackage.equals(this.testPackage) && !loaders.areFor(testPackage)) {
            loaders.close();
            loaders = new Loaders(classpath, new HashSet<>(paths(start, "fresh")), testPackage);
        }
        this.testPackage = testPackage;
    }

    private static Path ownJar() throws IOException {
        try {
            return Path.of(Server.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private Map<String, Object> answer(Map<String, Object> request) throws Exception {
        String text = (String) request.get("text");
        if ("compile_code".equals(request.get("op"))) {
            return compileCode((String) request.get("file"), text, Path.of((String) request.get("to")));
        }
        if ("build".equals(request.get("op"))) {
            Compiler.Result built = Compiler.build(strings(request, "sources"), strings(request, "args"));
            return built.isBroken() ? Json.object("ended", "done", "broken", Json.object("message", built.first())) : Json.object("ended", "done");
        }
        moveTo(request);
        switch ((String) request.get("op")) {
            case "compile":
                return compile(request, text, Path.of((String) request.get("to")));
            case "run":
                if (text == null) {
                    return run(request, Map.of(), new HashSet<>(strings(request, "own")), null);
                }
                text = needed(request, text);
                return Boolean.TRUE.equals(request.get("facts")) ? trace(request, text) : compileAndRun(request, text);
            default:
                throw new IOException("no such request: " + request.get("op"));
        }
    }

    private String needed(Map<String, Object> request, String text) throws IOException {
        List<String> asked = Stream.of("after", "tests").flatMap(key -> strings(request, key).stream()).collect(Collectors.toList());
        // An original is run several times.
        if (!List.of(text, asked).equals(lastAsked)) {
            lastNeeded = IdleTests.blanked(text, compiler, asked.stream().map(TestId::new).collect(Collectors.toList()));
            lastAsked = List.of(text, asked);
        }
        return lastNeeded;
    }

    private Map<String, Object> compile(Map<String, Object> request, String text, Path folder) throws IOException {
        Compiler.Result result = compiler.compileExactly(text);
        if (result.isBroken()) {
            return broken(result);
        }
        String missing = missing(request, result.classes.keySet());
        if (missing != null) {
            return isMissing(missing);
        }
        Compiler.write(result.classes, folder);
        return Json.object("ended", "done", "own", Compiler.names(result));
    }

    /** Compiles a file of the code under test against its own classes. */
    private Map<String, Object> compileCode(String file, String text, Path folder) throws IOException {
        if (codeCompiler == null) {
            codeCompiler = new Compiler(classpath, List.of(), strings(start, "javac_args"));
        }
        codeCompiler.moveTo(file);
        Compiler.Result result = codeCompiler.compile(text);
        if (result.isBroken()) {
            return broken(result);
        }
        Compiler.write(result.classes, folder);
        return Json.object("ended", "done");
    }

    private Map<String, Object> compileAndRun(Map<String, Object> request, String text) throws Exception {
        long begun = System.nanoTime();
        Compiler.Result result = compiler.compile(text);
        long compiled = System.nanoTime();
        if (result.isBroken()) {
            return broken(result);
        }
        String missing = missing(request, result.classes.keySet());
        if (missing != null) {
            return isMissing(missing);
        }
        Map<String, Object> answer = run(request, result.classes, result.classes.keySet(), null);
        answer.put("remembers", compiler.remembers());
        answer.put("compile_ms", (compiled - begun) / 1e6);
        answer.put("run_ms", (System.nanoTime() - compiled) / 1e6);
        return answer;
    }

    /** The class of a test that the file is to have, and has not. The class path may have it as it was when the project was compiled. */
    private static String missing(Map<String, Object> request, Set<String> own) {
        String file = (String) request.get("file");
        if (file == null || !file.endsWith(".java")) {
            return null;
        }
        String main = file.substring(0, file.length() - ".java".length()).replace('/', '.');
        Stream<String> asked = strings(request, "tests").stream().map(id -> new TestId(id).className);
        return asked.filter(name -> (name + "$").startsWith(main + "$") && !own.contains(name)).findFirst().orElse(null);
    }

    private static Map<String, Object> isMissing(String name) {
        return Json.object("ended", "done", "items", List.of(), "message", "there is no class " + name, "missing", true);
    }

    /** Runs the text with probes in it: as many as javac takes. */
    private Map<String, Object> trace(Map<String, Object> request, String text) throws Exception {
        for (boolean withValues : new boolean[] {true, false}) {
            Map<Integer, Set<String>> without = new TreeMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                Instrumented instrumented = Instrument.of(compiler.task(text, new DiagnosticCollector<>()), text, withValues, without);
                Compiler.Result result = compiler.compile(instrumented.text);
                if (!result.isBroken()) {
                    return run(request, result.classes, result.classes.keySet(), instrumented);
                }
                Map<Integer, Set<String>> refused = Instrument.refused(instrumented, result);
                if (refused == null) {
                    break;
                }
                refused.forEach((point, names) -> without.computeIfAbsent(point, key -> new HashSet<>()).addAll(names));
            }
        }
        return compileAndRun(request, text);
    }

    private static Map<String, Object> broken(Compiler.Result result) {
        return Json.object("ended", "done", "broken", Json.object("message", result.message(), "line", result.line()));
    }

    /** @param instrumented null where nothing is traced */
    private Map<String, Object> run(Map<String, Object> request, Map<String, byte[]> candidate, Set<String> own, Instrumented instrumented)
            throws InterruptedException, IOException {
        ClassLoader loader = loader(request, candidate);
        Trace trace = null;
        TouchWatcher watcher = null;
        if (instrumented != null) {
            Mocks mocks = new Mocks(loader);
            trace = new Trace(instrumented, new Hidden((Loaders.Run) loader, own, () -> loaders.forRun(candidate), mocks), mocks, own);
            watcher = TouchWatcher.start(trace, loader, own, classpath);
        }
        boolean isMany = Boolean.TRUE.equals(request.get("many"));
        TestRun run = new TestRun(loader, own, ((Number) request.get("timeout")).doubleValue(), agent != null, id -> {
            if (isMany) {
                channel.send(Json.object("op", "begin", "test", id));
            }
        });
        saving.begin(Path.of((String) request.get("saves")));
        Set<String> done = strings(request, "done").stream().map(TestId::new).map(id -> id.className + "#" + id.method).collect(Collectors.toSet());
        Map<String, Object> answer = run.run(strings(request, "after"), strings(request, "tests"), done, trace);
        if (trace != null) {
            answer.put("facts", trace.report(watcher != null && watcher.stop()));
            Heap.forget();
        }
        if (agent != null) {
            answer.put("files", agent.files());
        }
        if (answer.get("worn") == null) {
            if (loader instanceof Loaders.Run) {
                ((Loaders.Run) loader).close();
            }
            // Otherwise something of the run goes on until the process ends.
            answer.put("may_hide", saving.end());
        }
        return answer;
    }

    private ClassLoader loader(Map<String, Object> request, Map<String, byte[]> candidate) throws IOException {
        if (isCold()) {
            return ClassLoader.getSystemClassLoader();
        }
        String folder = (String) request.get("from");
        if (folder == null) {
            String code = (String) request.get("code");
            return loaders.forRun(code == null ? candidate : Compiler.read(Path.of(code), candidate));
        }
        List<String> entries = new ArrayList<>(List.of(folder));
        entries.addAll(strings(start, "classpath"));
        setClassPath(entries);
        return loaders.forRun(Path.of(folder));
    }

    @SuppressWarnings("unchecked")
    private static List<String> strings(Map<String, Object> message, String key) {
        Object value = message.get(key);
        return value == null ? new ArrayList<>() : (List<String>) value;
    }

    private static List<Path> paths(Map<String, Object> message, String key) {
        return strings(message, key).stream().map(Path::of).collect(Collectors.toList());
    }

    private static String trace(Throwable e) {
        StringWriter out = new StringWriter();
        e.printStackTrace(new PrintWriter(out));
        return out.toString();
    }
}
