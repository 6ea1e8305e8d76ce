//! Tests that do something to their JVM: what happens is an observation, never the end of paring, and no other run notices.

use crate::trial::{Ran, Trial};

const TARGET: &str = "shop.CartTest#test";

/// A test with this body, the first line of which is line 10, after one line about nothing.
fn trial(body: &str) -> Trial {
    Trial::with_members(&format!(
        "@Test void test() throws Exception {{ String note = \"a\"; note += \"b\";\n{body}\n}}"
    ))
}

fn check(body: &str, args: &[&str], statements: &[&str]) -> Ran {
    let ran = trial(body).minimize(&[&[TARGET], args].concat());
    ran.keeps(statements);
    ran
}

const UNSAFE: &str = "java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");\n\
                      field.setAccessible(true);\nsun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);\n";

#[test]
fn an_exit_is_pared_to_how_it_ends() {
    let body = "int code = 7;\nSystem.exit(code);";
    check(body, &["--baseline", "2"], &["int code = 7;", "System.exit(code);"])
        .says(&["failure: died: exit 7"]);
}

#[test]
fn a_candidate_that_exits_with_code_0_has_not_passed_and_not_failed() {
    let body = "boolean safe = false;\nsafe = true;\nif (!safe) { System.exit(0); }\nassertEquals(\"yes\", \"\" + safe);";
    for strategy in ["auto", "ddmin"] {
        let ran = trial(body).minimize(&[TARGET, "--strategy", strategy]);
        let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
        assert!(test.contains("safe = true;") && !test.contains("note"), "{ran}");
        assert_eq!(ran.results[0]["failure"]["message"], "expected: <yes> but was: <true>", "{ran}");
    }
}

#[test]
fn a_crash_of_the_jvm_is_pared_to_the_call_that_makes_it() {
    let body = format!("{UNSAFE}unsafe.putAddress(0, 0);");
    let statements: Vec<&str> = body.lines().collect();
    let ran = check(&body, &["--baseline", "2"], &statements);
    assert_eq!(ran.results[0]["failure"]["type"], "died", "{ran}");
    ran.says(&["failure: died: signal 6 (SIGABRT)"]);
}

#[test]
fn a_candidate_that_crashes_does_not_end_the_search() {
    let body = format!(
        "{UNSAFE}long at = 0;\nat = unsafe.allocateMemory(8);\nunsafe.putLong(at, 1);\nassertEquals(2, unsafe.getLong(at));"
    );
    // Experiments alone try the texts that crash.
    let ran = trial(&body).minimize(&[TARGET, "--strategy", "ddmin"]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("at = unsafe.allocateMemory(8);") && !test.contains("note"), "{ran}");
}

#[test]
fn a_stack_overflow_is_pared_like_other_failures() {
    let members = "int deep(int n) { return n < 0 ? n : deep(n + 1) + 1; }\n\
                   @Test void test() { String note = \"a\"; note += \"b\";\nint from = 1;\ndeep(from);\n}";
    let ran = Trial::with_members(members).minimize(&[TARGET]);
    ran.keeps(&["int from = 1;", "deep(from);"]);
    ran.says(&["failure: java.lang.StackOverflowError, line 9"]);
}

#[test]
fn a_test_that_fills_the_memory_is_stopped_by_the_limit() {
    let body = "List<long[]> all = new ArrayList<>();\nfor (int i = 0; i < 1000; i++) {\nall.add(new long[1 << 20]);\n}";
    let ran = trial(body).minimize(&[TARGET, "--memory", "96M", "--baseline", "2"]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains(body) && !test.contains("note"), "{ran}");
    assert_eq!(ran.results[0]["failure"]["type"], "java.lang.OutOfMemoryError", "{ran}");
}

#[test]
fn a_test_that_always_hangs_is_pared_also_in_a_deadlock() {
    let deadlock = "Object one = new Object(), other = new Object();\n\
        java.util.concurrent.CountDownLatch both = new java.util.concurrent.CountDownLatch(2);\n\
        Thread thread = new Thread(() -> { synchronized (other) { both.countDown(); wait(both); synchronized (one) { } } });\n\
        thread.start();\nsynchronized (one) { both.countDown(); wait(both);\nsynchronized (other) { fail(); } }";
    let members = format!(
        "static void wait(java.util.concurrent.CountDownLatch latch) {{ try {{ latch.await(); }} catch (Exception e) {{ fail(); }} }}\n\
         @Test void sleeps() throws Exception {{\nint note = 1;\nThread.sleep(1000000);\n}}\n\
         @Test void test() throws Exception {{\n{deadlock}\n}}"
    );
    let args = ["shop.CartTest#sleeps", TARGET, "--timeout", "5", "--baseline", "2"];
    let ran = Trial::with_members(&members).minimize(&args);
    // Without a part of the latch the threads may still meet: whether one goes is chance, and with it the exit code.
    assert!(matches!(ran.code, 0 | 3), "{ran}");
    let test = |idx: usize| ran.results[idx]["test"].as_str().unwrap_or_default();
    assert!(test(0).contains("Thread.sleep(1000000);") && !test(0).contains("note"), "{ran}");
    assert!(test(1).contains("thread.start();") && test(1).contains("synchronized (other)"), "{ran}");
    ran.says(&[
        "failure: hang: the test does not end, line 12",
        "doubt: the test hangs, and correct code may hang here too",
    ]);
}

#[test]
fn a_candidate_that_never_ends_does_not_stop_the_search() {
    let body = "java.util.concurrent.CountDownLatch latch = new java.util.concurrent.CountDownLatch(1);\n\
                int left = 3;\nwhile (left > 0) {\nleft--;\n}\nlatch.countDown();\nlatch.await();\nassertEquals(1, left);";
    let ran = trial(body).minimize(&[TARGET]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("left--;") && !test.contains("note"), "{ran}");
    // Experiments alone try the texts that spin and those that wait for nobody.
    let ran = trial(body).minimize(&[TARGET, "--strategy", "ddmin"]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("left--;") && !test.contains("note"), "{ran}");
}

#[test]
fn threads_and_processes_that_a_test_leaves_behind_end_with_the_run() {
    // That no process is left is checked after every run; this one leaves some.
    let body = "Thread thread = new Thread(() -> { while (true) { Thread.onSpinWait(); } });\n\
                thread.start();\nProcess process = new ProcessBuilder(\"sleep\", \"1000\").start();\n\
                assertEquals(\"no no\", (thread.isAlive() ? \"yes \" : \"no \") + (process.isAlive() ? \"yes\" : \"no\"));";
    let ran = trial(body).minimize(&[TARGET, "--baseline", "2"]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains(body) && !test.contains("note"), "{ran}");
    assert_eq!(ran.results[0]["failure"]["message"], "expected: <no no> but was: <yes yes>", "{ran}");
}

#[test]
fn settings_that_a_run_changes_do_not_reach_the_next() {
    // Whatever leaked would be in the message of a later run.
    let body = "String before = System.getProperty(\"shop.open\") + Locale.getDefault() + TimeZone.getDefault().getID() + (System.out == null);\n\
                System.setProperty(\"shop.open\", \"no\");\nLocale.setDefault(Locale.CHINA);\n\
                TimeZone.setDefault(TimeZone.getTimeZone(\"GMT+3\"));\nSystem.setOut(null);\nassertEquals(\"\", before);";
    // Experiments alone take them away one by one: what may change the failing statement's world is kept otherwise.
    let statements = [body.lines().next().expect("a line"), "assertEquals(\"\", before);"];
    let ran = check(body, &["--strategy", "ddmin"], &statements);
    let message = ran.results[0]["failure"]["message"].as_str().expect("a message");
    assert!(message.contains("null") && message.contains("false") && !message.contains("GMT+3"), "{ran}");
}

#[test]
fn settings_that_the_failure_needs_stay() {
    let body = "Locale.setDefault(Locale.GERMANY);\nTimeZone.setDefault(TimeZone.getTimeZone(\"GMT+3\"));\n\
                System.setProperty(\"shop.open\", \"no\");\nassertEquals(\"1.5\", String.format(\"%.1f\", 1.5));";
    let ran = trial(body).minimize(&[TARGET]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("Locale.setDefault(Locale.GERMANY);") && !test.contains("note"), "{ran}");
    assert_eq!(ran.results[0]["failure"]["message"], "expected: <1.5> but was: <1,5>", "{ran}");
}

#[test]
fn a_class_stands_for_its_test_that_ends_the_jvm() {
    let trial = Trial::compiled("junit4");
    let text = trial.project.read("tests/bank/AccountTest.java");
    let text = text
        .replace("assertEquals(95, account.balance());", "System.exit(account.balance());")
        .replace("(expected = IllegalStateException.class)", "");
    trial.project.write("tests/bank/AccountTest.java", &text);
    trial.compile();
    let ran = trial.minimize(&["AccountTest", "--baseline", "2"]);
    assert_eq!(ran.only(0, "minimized")["target"], "bank.AccountTest#feesAreTaken", "{ran}");
    ran.says(&["failure: died: exit 100", "stands for 2 cases; pared the first that fails"]);
}
