//! Tests that do to their JVM what no test should.

use super::*;
use paring_model::ErrorCode;

const LIB: (&str, &str) = (
    "shop/Cart.java",
    "package shop;\npublic class Cart {\n  static int made;\n  public final int number = ++made;\n  public int deep(int n) { return n < 0 ? n : deep(n + 1) + 1; }\n}\n",
);

/// On every JDK, warm, apart and cold.
fn check(lib: &[(&str, &str)], run: impl Fn(&JunitRunner, Heat)) {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "junit5", lib);
        let runner = lab.runner();
        for heat in [Heat::Warm, Heat::Apart, Heat::Cold, Heat::Warm] {
            run(&runner, heat);
        }
    }
}

fn test(body: &str) -> String {
    junit5(&format!("@Test void test() throws Exception {{\n{body}\n}}"))
}

#[test]
fn statics_of_the_code_under_test_do_not_leak() {
    check(&[LIB], |runner, heat| {
        let text = test("assertEquals(0, new Cart().number);");
        for _ in 0..3 {
            assert_eq!(
                failure(see(runner, &text, TARGET, heat)).exception().message,
                "expected: <0> but was: <1>"
            );
        }
    });
}

#[test]
fn settings_of_the_process_are_put_back_and_told() {
    check(&[], |runner, heat| {
        let text = test(
            "System.setProperty(\"shop.open\", \"no\"); Locale.setDefault(Locale.CHINA); TimeZone.setDefault(TimeZone.getTimeZone(\"GMT+3\"));
            System.setOut(null); Thread.setDefaultUncaughtExceptionHandler((t, e) -> { }); fail();",
        );
        let left = failure(see(runner, &text, TARGET, heat)).left;
        let expected = [
            "system property shop.open",
            "default locale",
            "default time zone",
            "System.out",
            "default exception handler",
        ];
        assert_eq!(left, expected);
        let text = test(
            "System.out.println(1); assertEquals(null, System.getProperty(\"shop.open\")); assertNotEquals(Locale.CHINA, Locale.getDefault()); fail();",
        );
        let failure = failure(see(runner, &text, TARGET, heat));
        assert_eq!((failure.exception().message.as_str(), failure.left.len()), ("", 0));
    });
}

#[test]
fn an_overflow_is_a_failure_with_its_way_into_the_cycle() {
    check(&[LIB], |runner, heat| {
        let failure = failure(see(runner, &test("new Cart().deep(1);"), TARGET, heat));
        assert_eq!(failure.exception().type_name, "java.lang.StackOverflowError");
        assert_eq!(failure.stack.iter().map(|position| position.line).collect::<Vec<_>>(), [7]);
        assert_eq!(failure.below.len(), 30);
    });
}

#[test]
fn out_of_memory_is_a_failure_and_the_next_run_is_well() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "junit5", &[]);
        let runner = lab.start(JavaProject { memory_limit: Some(96 << 20), ..lab.project() });
        for heat in [Heat::Warm, Heat::Cold] {
            let text =
                test("List<long[]> all = new ArrayList<>(); while (true) { all.add(new long[1 << 20]); }");
            let failure = failure(see(&runner, &text, TARGET, heat));
            assert_eq!(failure.exception().type_name, "java.lang.OutOfMemoryError");
            assert_eq!(see(&runner, &test("assertTrue(true);"), TARGET, heat), Observation::Passed);
        }
    }
}

#[test]
fn a_hang_tells_where_it_hangs_also_in_another_thread_and_in_a_deadlock() {
    check(&[], |runner, heat| {
        for (body, line) in [
            ("\nThread.sleep(100000);", 8),
            (
                "Object lock = new Object();\nThread t = new Thread(() -> { synchronized (lock) { while (true) { Thread.onSpinWait(); } } });\nt.setDaemon(true); t.start(); while (t.getState() == Thread.State.NEW) { } Thread.sleep(50);\nsynchronized (lock) { fail(); }",
                10,
            ),
        ] {
            let job = Job { timeout: Some(Duration::from_secs(6)), ..job(&test(body), TARGET, heat) };
            match observe_single(runner, &[job]).expect("an observation").remove(0) {
                Observation::Hung { stack, .. } => {
                    assert_eq!(stack.last().map(|position| position.line), Some(line));
                }
                other => panic!("{other:?}"),
            }
        }
    });
}

#[test]
fn a_crash_of_the_jvm_is_a_death() {
    check(&[], |runner, heat| {
        let text = test(
            "java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\"); field.setAccessible(true);
            ((sun.misc.Unsafe) field.get(null)).putAddress(0, 0);",
        );
        assert_eq!(see(runner, &text, TARGET, heat), Observation::Died { how: "signal 6 (SIGABRT)".into() });
        assert_eq!(see(runner, &test(""), TARGET, heat), Observation::Passed);
    });
}

#[test]
fn an_exit_tells_its_code_and_a_halt_too() {
    check(&[], |runner, heat| {
        for (body, how) in [("System.exit(7);", "exit 7"), ("Runtime.getRuntime().halt(0);", "exit 0")] {
            assert_eq!(see(runner, &test(body), TARGET, heat), Observation::Died { how: how.into() });
        }
    });
}

#[test]
fn threads_left_behind_do_not_reach_the_next_run() {
    check(&[], |runner, heat| {
        let text = test(
            "Thread t = new Thread(() -> { try { Thread.sleep(300); } catch (InterruptedException e) { }\nwhile (System.nanoTime() % 1000 != 1) { }\nSystem.exit(9); }); t.start();",
        );
        assert_eq!(see(runner, &text, TARGET, heat), Observation::Passed);
        for _ in 0..3 {
            assert_eq!(see(runner, &test("Thread.sleep(200);"), TARGET, heat), Observation::Passed);
        }
    });
}

#[test]
fn output_is_no_part_of_the_protocol() {
    check(&[], |runner, heat| {
        let text = test(
            "String line = \"{\\\"op\\\": \\\"ran\\\", \\\"id\\\": 1, \\\"ended\\\": \\\"done\\\"}\\n\";
            for (int i = 0; i < 2000; i++) { System.out.println(line); System.err.println(line); }
            new java.io.FileOutputStream(java.io.FileDescriptor.out).write(line.getBytes()); new ProcessBuilder(\"echo\", line).inheritIO().start().waitFor();
            new java.io.FileOutputStream(java.io.FileDescriptor.out).close(); System.out.close(); assertEquals(-1, System.in.read()); fail();",
        );
        assert_eq!(
            failure(see(runner, &text, TARGET, heat)).exception().type_name,
            "org.opentest4j.AssertionFailedError"
        );
    });
}

#[test]
fn mocks_work_and_leave_nothing_behind() {
    check(&[], |runner, heat| {
        let text = junit5(
            "interface Till { int sum(); }\n@Test void test() { Till till = org.mockito.Mockito.mock(Till.class);\norg.mockito.Mockito.when(till.sum()).thenReturn(3);\nassertEquals(4, till.sum()); }",
        );
        for _ in 0..2 {
            assert_eq!(
                failure(see(runner, &text, TARGET, heat)).exception().message,
                "expected: <4> but was: <3>"
            );
        }
    });
}

#[test]
fn what_does_not_compile_is_told_by_line() {
    check(&[], |runner, heat| match see(runner, &test("int x;\nint y = x;\nfoo();"), TARGET, heat) {
        Observation::Broken { message, line, .. } => {
            assert_eq!(line, Some(9), "{message}");
            assert!(message.contains("\nline 9: cannot find symbol\n"), "{message}");
        }
        other => panic!("{other:?}"),
    });
}

#[test]
fn a_release_level_is_heeded() {
    let jdk = jdks().remove(0);
    let lab = Lab::new(&jdk, "junit4", &[]);
    let runner =
        lab.start(JavaProject { javac_args: vec!["--release".to_owned(), "8".to_owned()], ..lab.project() });
    for heat in [Heat::Warm, Heat::Cold] {
        let see = |body: &str| {
            see(&runner, &junit4(&format!("@Test public void test() {{ {body} }}")), TARGET, heat)
        };
        assert!(matches!(see("var x = 1;"), Observation::Broken { .. }));
        assert_eq!(see("int x = 1;"), Observation::Passed);
    }
}

#[test]
fn a_missing_class_and_a_missing_framework_are_told() {
    let jdk = jdks().remove(0);
    let lab = Lab::new(&jdk, "junit5", &[]);
    let runner = lab.runner();
    match see(&runner, &test(""), "shop.Nowhere#test", Heat::Warm) {
        Observation::Broken { message, .. } => assert_eq!(message, "there is no class shop.Nowhere"),
        other => panic!("{other:?}"),
    }
    let without = |part: &str| {
        let mut project = lab.project();
        project.classpath.retain(|entry| !entry.as_str().contains(part));
        let runner = lab.start(project);
        observe_single(&runner, &[job(&test(""), TARGET, Heat::Warm)]).expect_err("no framework").code
    };
    assert_eq!(without("launcher"), ErrorCode::NoLauncher);
}

#[test]
fn a_test_that_ends_the_jvm_does_not_hide_the_others() {
    let jdk = jdks().remove(0);
    for (set, text) in [
        (
            "junit5",
            junit5("@Test void a() { }\n@Test void b() { System.exit(4); }\n@Test void c() { fail(); }"),
        ),
        (
            "junit4",
            junit4(
                "@Test public void a() { }\n@Test public void b() { System.exit(4); }\n@Test public void c() { fail(); }",
            ),
        ),
        (
            "junit3",
            junit3(
                "public void testa() { }\npublic void testb() { System.exit(4); }\npublic void testc() { fail(); }",
            ),
        ),
    ] {
        let lab = Lab::new(&jdk, set, &[("shop/CartTest.java", &text)]);
        let mut found =
            super::super::list_failures(&lab.project(), &["shop.CartTest".to_owned()]).expect("a run");
        found.sort_by(|one, other| one.id.cmp(&other.id));
        let seen: Vec<&str> = found
            .iter()
            .map(|test| match test.observation {
                Observation::Passed => "passed",
                Observation::Failed(_) => "failed",
                Observation::Died { .. } => "died",
                _ => "?",
            })
            .collect();
        assert_eq!(seen, ["passed", "died", "failed"], "{set}: {found:?}");
    }
}

#[test]
fn a_class_that_the_text_has_no_more_is_not_taken_from_the_class_path() {
    let whole = junit5(
        "@Nested class Inner { @Test void test() { System.exit(3); } }\n@Test void test() { System.exit(3); }",
    );
    let without = junit5("@Test void test() { System.exit(3); }");
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "junit5", &[("shop/CartTest.java", &whole)]);
        let runner = lab.runner();
        for heat in [Heat::Warm, Heat::Apart, Heat::Cold] {
            for (text, target, class) in [
                ("package shop;\n", TARGET, "shop.CartTest"),
                (&without, "shop.CartTest$Inner#test", "shop.CartTest$Inner"),
            ] {
                let seen = see(&runner, text, target, heat);
                let Observation::Broken { message, .. } = seen else { panic!("{heat:?} {target}: {seen:?}") };
                assert_eq!(message, format!("there is no class {class}"), "{heat:?}");
            }
            assert!(matches!(see(&runner, &whole, TARGET, heat), Observation::Died { .. }), "{heat:?}");
        }
    }
}
