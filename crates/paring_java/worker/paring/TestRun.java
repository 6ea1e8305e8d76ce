package paring;

import java.io.FileDescriptor;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One run: some tests in a thread of their own, watched from outside. */
final class TestRun {
    /** What loading the framework and finding the tests may take besides the test's own limit: on a busy machine, much. */
    private static final long PREPARING_MS = 60_000;
    /** How often it is looked when the time is over: that moment moves. */
    private static final long GLANCE_MS = 50;
    /** What threads that the test left behind get to end. */
    private static final long PATIENCE_MS = 20;
    /** So many that merely wait are borne. */
    private static final int SLEEPER_LIMIT = 40;

    private final ClassLoader loader;
    private final Set<String> own;
    private final long limitMs;
    private final Items items;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile long deadline;
    private volatile Throwable fault;
    private Stack earlier;

    /**
     * @param own the test file's classes; empty takes each test's own
     * @param records whether lines that run are taken down for each test
     */
    TestRun(ClassLoader loader, Set<String> own, double seconds, boolean records, Consumer<String> begun) {
        this.loader = loader;
        this.own = own;
        this.limitMs = (long) (seconds * 1000);
        this.items = new Items(id -> {
            // Each test has its own time.
            allow(0);
            begun.accept(id);
        }, records);
    }

    /** Runs them; what the worker should answer. */
    Map<String, Object> run(List<String> after, List<String> tests, Set<String> skip, Trace trace) throws InterruptedException {
        Surroundings before = Surroundings.take();
        Drivers.forget();
        Set<Thread> known = threads();
        long nStarted = trace == null ? 0 : startedThreads();
        allow(PREPARING_MS);
        Thread thread = new Thread(new ThreadGroup("main"), () -> work(after, tests, skip, trace), "main");
        thread.setContextClassLoader(loader);
        thread.start();
        boolean isOver = await(thread);
        if (isOver) {
            // On a busy machine its last steps take a while, and it is not one of those that the test left behind.
            thread.join();
        }
        Probe.end();
        if (trace != null) {
            // One is that of the run itself.
            trace.sawThreads(startedThreads() - nStarted > 1);
        }
        Stack stack = isOver ? null : stack(thread);
        if (stack != null && earlier != null) {
            stack.keepCommon(earlier);
        }
        List<String> left = Surroundings.take().changedSince(before);
        before.putBack();
        Map<String, Object> answer = isOver ? answer(left) : Json.object("ended", "hung", "stack", stack.inside, "below", stack.below, "items", answers(left, true), "current", items.current());
        boolean isFull = fault instanceof OutOfMemoryError || items.all().stream().anyMatch(item -> item.thrown instanceof OutOfMemoryError);
        String worn = !isOver ? "hung" : isFull ? "memory" : hasStreams() ? leftover(known) : "streams";
        if (worn != null) {
            answer.put("worn", worn);
        }
        return answer;
    }

    /** From now on it has its limit, and so much besides. */
    private void allow(long besidesMs) {
        deadline = System.nanoTime() + (limitMs + besidesMs) * 1_000_000;
    }

    /** Who hangs was looked at a second earlier too. */
    private boolean await(Thread thread) throws InterruptedException {
        long glance = Math.min(1000, limitMs / 2) * 1_000_000;
        while (true) {
            long left = deadline - System.nanoTime();
            if (left > glance) {
                earlier = null;
            } else if (earlier == null) {
                earlier = stack(thread);
            }
            if (done.await(Math.min(GLANCE_MS, Math.max(1, left / 1_000_000)), TimeUnit.MILLISECONDS)) {
                return true;
            }
            if (deadline - System.nanoTime() <= 0) {
                return false;
            }
        }
    }

    private void work(List<String> after, List<String> tests, Set<String> skip, Trace trace) {
        try {
            Listener deaf = new Items(id -> { }, false);
            for (String id : after) {
                runOne(new TestId(id), Set.of(), deaf);
            }
            Probe.begin(trace);
            for (String id : tests) {
                items.ask(id);
                runOne(new TestId(id), skip, items);
            }
        } catch (Throwable e) {
            fault = e;
        } finally {
            Probe.end();
            done.countDown();
        }
    }

    private void runOne(TestId id, Set<String> skip, Listener listener) throws Exception {
        allow(PREPARING_MS);
        Class<?> test = Class.forName(id.className, false, loader);
        Runnable tests = Frameworks.choose(test, loader).prepare(test, id.method, id.cases, skip, listener);
        allow(0);
        tests.run();
    }

    /** Those that are only made do not count: JUnit registers some for the end of the process. */
    private static long startedThreads() {
        return ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
    }

    private Map<String, Object> answer(List<String> left) {
        Map<String, Object> answer = Json.object("ended", "done", "items", answers(left, false));
        Throwable fault = this.fault;
        if (fault instanceof Frameworks.Missing) {
            answer.put("error", Json.object("code", ((Frameworks.Missing) fault).code, "message", fault.getMessage()));
        } else if (fault instanceof ClassNotFoundException) {
            answer.put("message", "there is no class " + fault.getMessage());
            answer.put("missing", true);
        } else if (fault instanceof OutOfMemoryError || fault instanceof StackOverflowError) {
            if (own.isEmpty() && items.current() != null) {
                // JUnit gives up on all the others, too: what is known of them stays, and they may go on in another process.
                String how = fault instanceof OutOfMemoryError ? "out of memory" : "stack overflow";
                return Json.object("ended", how, "items", answers(left, true), "current", items.current());
            }
            answer.put("items", List.of(item(null, fault, left)));
        } else if (fault != null) {
            answer.put("message", "the test cannot be run: " + fault);
        }
        return answer;
    }

    private List<Object> answers(List<String> left, boolean isCut) {
        List<Object> answers = new ArrayList<>();
        for (Items.Item each : items.all()) {
            Map<String, Object> answer;
            if (each.thrown != null) {
                answer = item(each.id, each.thrown, left);
            } else if (each.skipped != null) {
                answer = Json.object("id", each.id, "skipped", each.skipped);
            } else if (each.isFinished || !isCut) {
                answer = Json.object("id", each.id, "passed", each.isFinished);
            } else {
                continue;
            }
            answer.put("of", each.of);
            if (each.covered != null) {
                answer.put("covered", each.covered);
                answer.put("nanos", each.took);
            }
            if (each.calls != null) {
                answer.put("calls", each.calls);
            }
            answers.add(answer);
        }
        return answers;
    }

    private Map<String, Object> item(String id, Throwable thrown, List<String> left) {
        return Json.object("id", id == null ? "" : id, "failure", Failure.of(thrown, own.isEmpty() ? classesOf(id) : own, loader, left));
    }

    /** The classes of a test's own file, as far as their names tell. */
    private Set<String> classesOf(String id) {
        String name = new TestId(id == null ? "" : id).className;
        int dollar = name.indexOf('$');
        String outer = dollar > 0 ? name.substring(0, dollar) : name;
        return new HashSet<>() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean contains(Object other) {
                return outer.equals(other) || String.valueOf(other).startsWith(outer + "$");
            }
        };
    }

    /** Where in the test file it hangs: in the test's thread, else in whichever is in the file. */
    private Stack stack(Thread thread) {
        Set<String> own = this.own.isEmpty() ? classesOf(items.current()) : this.own;
        Stack stack = new Stack(thread.getStackTrace(), own, false);
        if (!stack.entersFile()) {
            for (StackTraceElement[] trace : Thread.getAllStackTraces().values()) {
                Stack other = new Stack(trace, own, false);
                if (other.entersFile()) {
                    stack = other;
                }
            }
        }
        return stack;
    }

    /** Whether the standard streams are still open: what a test closes there cannot be opened again. */
    private static boolean hasStreams() {
        return FileDescriptor.in.valid() && FileDescriptor.out.valid() && FileDescriptor.err.valid();
    }

    /** Why this process should not serve on, because of threads that the run left behind; null where it can. */
    private static String leftover(Set<Thread> known) throws InterruptedException {
        Set<Thread> left = threads();
        left.removeAll(known);
        left.removeIf(TestRun::isOfTheSystem);
        if (left.isEmpty()) {
            return null;
        }
        // They are not interrupted: what a test's thread does then is no part of the test.
        long deadline = System.nanoTime() + PATIENCE_MS * 1_000_000;
        for (Thread thread : left) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
        left.removeIf(thread -> !thread.isAlive());
        // One that waits for somebody who is gone waits for ever.
        if (left.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING) && known.size() + left.size() < SLEEPER_LIMIT) {
            return null;
        }
        return left.isEmpty() ? null : "threads";
    }

    private static boolean isOfTheSystem(Thread thread) {
        String name = thread.getName();
        return name.startsWith("ForkJoinPool.commonPool") || name.equals("Common-Cleaner") || name.startsWith("process reaper") || name.equals("Attach Listener")
                || name.startsWith("Cleaner-") || name.equals("Keep-Alive-Timer") || name.startsWith("paring ") || name.startsWith("Java2D") || name.startsWith("AWT-");
    }

    private static Set<Thread> threads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] all = new Thread[root.activeCount() * 2 + 16];
        int n = root.enumerate(all, true);
        Set<Thread> threads = new HashSet<>();
        for (int i = 0; i < n; i++) {
            threads.add(all[i]);
        }
        return threads;
    }
}
