//! What the search heeds: comments of the user, the order of cases, tests that run before, tests that are not stable.

use crate::trial::{CART_TEST, Trial, cart_test};

const TARGET: &str = "shop.CartTest#test";

#[test]
fn a_case_that_falls_through_stays_with_the_one_it_falls_into() {
    let ran = Trial::with_members(
        "@Test void test() {\nint n = 1;\nString note = \"\";\nint sum = 0;\nswitch (n) {\ncase 1:\nsum += 1;\nnote += \"a\";\n\
         case 2:\nsum += 2;\nnote += \"b\";\nbreak;\ndefault:\nsum = 100;\n}\nassertEquals(4, sum);\n}",
    )
    .minimize(&[TARGET]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("sum += 1;") && test.contains("sum += 2;") && !test.contains("note"), "{ran}");
    assert_eq!(ran.results[0]["failure"]["message"], "expected: <4> but was: <3>", "{ran}");
}

#[test]
fn what_the_test_forgives_stays_forgiven_and_what_was_to_throw_stays() {
    let forgiving = "@Test void test() {\njava.util.List<Integer> list = new java.util.ArrayList<>();\nString note = \"\";\nlist.add(1);\n\
                     try {\nlist.remove(0);\n} catch (IndexOutOfBoundsException e) {\n}\nlist.add(2);\nassertEquals(2, list.size());\n}";
    let ran = Trial::with_members(forgiving).minimize(&[TARGET]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("catch (IndexOutOfBoundsException e)") && !test.contains("note"), "{ran}");
    let expecting = "@Test void test() {\nint note = 1;\nassertThrows(NumberFormatException.class, () -> {\nInteger.parseInt(\"1\");\nfail(\"no error\");\n});\n}";
    let ran = Trial::with_members(expecting).minimize(&[TARGET]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("Integer.parseInt(\"1\");") && test.contains("fail("), "{ran}");
}

#[test]
fn what_a_comment_protects_stays() {
    let ran = Trial::with_members(
        "@Test void test() {\nString one = \"1\"; // paring: keep\nString two = \"2\";\nint n = 3;\nassertEquals(4, n);\n}",
    )
    .minimize(&[TARGET, "--explain"]);
    ran.keeps(&["String one = \"1\";", "int n = 3;", "assertEquals(4, n);"]);
    ran.says(&["a comment says to keep it", "// paring: keep"]);
}

#[test]
fn a_test_that_needs_another_before_it_is_pared_with_that() {
    let members = "static int n;\n@Test void first() {\nint note = 1;\nn = 1;\n}\n\
                   @Test void test() {\nint note = 2;\nassertEquals(0, n);\n}";
    let trial = Trial::with_members(members);
    trial.minimize(&[TARGET]).only(4, "passing");
    let ran = trial.minimize(&[TARGET, "--after", "shop.CartTest#first"]);
    let result = ran.only(0, "minimized");
    let text = result["file"]["text"].as_str().expect("a text");
    assert!(text.contains("n = 1;") && !text.contains("note"), "{ran}");
    ran.says(&["shop.CartTest#first"]);
}

#[test]
fn a_test_that_fails_now_and_then_is_flaky_and_it_is_told_how() {
    let trial = Trial::with_members("");
    let runs = trial.outside("runs");
    // Every second run fails.
    let members = format!(
        "@Test void test() throws Exception {{\nint note = 1;\njava.io.File file = new java.io.File(\"{runs}\");\n\
         try (java.io.FileWriter writer = new java.io.FileWriter(file, true)) {{ writer.write(\"x\"); }}\n\
         assertEquals(0, file.length() % 2);\n}}"
    );
    trial.project.write(CART_TEST, &cart_test(&members));
    let ran = trial.minimize(&[TARGET, "--jobs", "1"]);
    ran.only(5, "flaky");
    ran.says(&[
        "seen in 5 runs of the same test",
        "passed (2 of 5)",
        "expected: <0> but was: <1> (3 of 5)",
        "next: ",
    ]);
}

#[test]
fn what_a_proxy_tells_the_asserted_object_stays() {
    let members = "    static Runnable proxy(List<String> called) {\n        return (Runnable) java.lang.reflect.Proxy.newProxyInstance(CartTest.class.getClassLoader(), new Class<?>[] {Runnable.class}, (proxy, method, args) -> {\n            called.add(method.getName());\n            return null;\n        });\n    }\n    static void prefill(Runnable pool, int n) {\n        for (int i = 1; i < n; i++) {\n            pool.run();\n        }\n    }\n    @Test void prefills() {\n        List<String> called = new ArrayList<>();\n        Runnable pool = proxy(called);\n        List<String> noise = new ArrayList<>();\n        noise.add(\"x\");\n        prefill(pool, 1);\n        List<String> expected = new ArrayList<>();\n        expected.add(\"run\");\n        assertEquals(expected, called);\n    }";
    let ran = Trial::with_members(members).minimize(&["shop.CartTest#prefills"]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("prefill(pool, 1);") && !test.contains("noise"), "{ran}");
}

#[test]
fn what_the_code_should_have_read_stays_though_it_did_not() {
    let members = "@Test void test() {\nList<String> noise = new ArrayList<>();\nnoise.add(\"x\");\n\
                   System.setProperty(\"shop.mode\", \"fast\");\nassertEquals(\"fast\", Shop.mode());\n}";
    let trial = Trial::with_members(members);
    let shop = "package shop;\npublic class Shop {\n  public static String mode() { return System.getProperty(\"shop.modes\", \"plain\"); }\n}\n";
    trial.project.write("lib/shop/Shop.java", shop);
    trial.compile_lib();
    let ran = trial.minimize(&[TARGET]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("System.setProperty") && !test.contains("noise"), "{ran}");
}

#[test]
fn what_good_code_would_have_run_stays_with_what_it_waits_for() {
    let members = "@Test void test() {\nList<String> noise = new ArrayList<>();\nnoise.add(\"x\");\nboolean caught = false;\n\
                   List<String> rows = new ArrayList<>();\ntry {\nrows.remove(\"x\");\n} catch (IllegalStateException e) {\n\
                   caught = true;\n}\nassertEquals(true, caught);\n}";
    let ran = Trial::with_members(members).minimize(&[TARGET]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test").to_owned();
    assert!(test.contains("rows.remove(\"x\");") && test.contains("caught = true;"), "{ran}");
    assert!(!test.contains("noise"), "{ran}");
}

#[test]
fn a_draft_that_fails_in_set_up_gets_the_set_up_back_and_no_more() {
    // What `delete` takes away no object shows, so the slice has no `mkdirs`, and it fails before the test begins.
    let members = "@org.junit.jupiter.api.io.TempDir java.io.File root;\njava.io.File file;\n\
                   @BeforeEach void setUp() throws Exception {\nList<String> noise = new ArrayList<>();\n\
                   boolean cleaned = root.delete();\nroot.mkdirs();\n\
                   file = java.nio.file.Files.createFile(root.toPath().resolve(cleaned ? \"cart\" : \"\")).toFile();\n}\n\
                   @Test void test() {\nint note = 1;\nassertEquals(2, file.getName().length());\n}";
    let ran = Trial::with_members(members).minimize(&[TARGET]);
    let result = ran.only(0, "minimized");
    assert_eq!(result["level"], "O", "{ran}");
    let text = result["file"]["text"].as_str().expect("a text");
    assert!(text.contains("root.mkdirs();") && !text.contains("noise") && !text.contains("note"), "{ran}");
}

#[test]
fn a_check_of_the_set_up_that_held_goes_without_an_experiment() {
    let members = "java.io.File file;\nList<String> rows;\n\
                   @BeforeEach void setUp() throws Exception {\nfile = new java.io.File(\".\");\n\
                   if (!file.exists()) {\nthrow new java.io.IOException(\"no folder\");\n}\nrows = new ArrayList<>();\n}\n\
                   @Test void test() {\nint note = 1;\nassertEquals(2, rows.size());\n}";
    let ran = Trial::with_members(members).minimize(&[TARGET]);
    let result = ran.only(0, "minimized");
    let text = result["file"]["text"].as_str().expect("a text");
    assert!(text.contains("rows = new ArrayList<>();") && !text.contains("no folder"), "{ran}");
    assert_eq!(result["runs_by"]["search"], 1, "{ran}");
}

#[test]
fn what_a_constructor_begins_with_is_not_experimented_with() {
    let text = "public class OldTest extends junit.framework.TestCase {\n    public OldTest(String name) {\n        super(name);\n    \
                }\n    public void test() {\n        int note = 1;\n        assertEquals(4, \"abc\".length());\n    }\n}\n";
    let ran = Trial::with_test("junit3", "tests/OldTest.java", text).minimize(&["OldTest#test"]);
    let result = ran.only(0, "minimized");
    assert!(result["file"]["text"].as_str().is_some_and(|text| text.contains("super(name);")), "{ran}");
    assert_eq!(result["runs_by"]["search"], 1, "{ran}");
}

#[test]
fn a_test_that_starts_threads_is_looked_at_more_often() {
    let body = |start: &str| {
        format!("@Test void test() throws Exception {{\n{start}int n = 3;\nassertEquals(4, n);\n}}")
    };
    let baseline = |start: &str| {
        let ran = Trial::with_members(&body(start)).minimize(&[TARGET]);
        ran.only(0, "minimized")["runs_by"]["baseline"].as_u64().expect("a number")
    };
    let thread = "Thread thread = new Thread(() -> {});\nthread.start();\nthread.join();\n";
    assert_eq!(baseline(thread), baseline("int note = 1;\n") + 10);
}

#[test]
fn to_ssmin_a_class_named_with_its_package_is_no_target() {
    let ran = Trial::with_members(
        "@Test void test() {\nint one = java.lang.Math.abs(-1);\njava.util.Objects.hash(one);\n\
         String two = java.lang.String.valueOf(2);\nassertEquals(\"3\", two);\n}",
    )
    .minimize(&[TARGET, "--strategy", "ssmin"]);
    ran.keeps(&["String two = java.lang.String.valueOf(2);", "assertEquals(\"3\", two);"]);
}

#[test]
fn what_only_removed_statements_needed_goes_also_where_types_are_imported_by_name() {
    let text = "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport java.io.File;\n\
                import java.io.PrintWriter;\nimport org.junit.jupiter.api.BeforeEach;\nimport org.junit.jupiter.api.Test;\n\
                import org.junit.jupiter.api.io.TempDir;\n\nclass CartTest {\n@TempDir\npublic File folder;\n\nprivate File file;\n\n\
                @BeforeEach void setUp() throws Exception {\nfile = new File(folder, \"x\");\n\
                try (PrintWriter out = new PrintWriter(file)) {\nout.print(\"abc\");\n}\n}\n\n\
                @Test void test() {\nif (new File(\"/\").exists()) {\nassertEquals(\"\", \"C:\" + new File(\"y\").exists());\n}\n}\n}\n";
    let ran = Trial::with_test("junit5", CART_TEST, text).minimize(&["shop.CartTest#test"]);
    let text = ran.results[0]["file"]["text"].as_str().expect("a file");
    assert!(
        text.contains("import java.io.File;") && text.contains("import org.junit.jupiter.api.Test;"),
        "{ran}"
    );
    assert!(["setUp", "TempDir", "PrintWriter"].iter().all(|gone| !text.contains(gone)), "{ran}");
}
