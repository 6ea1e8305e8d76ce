//! `paring localize` on `JUnit` tests.

use crate::trial::Trial;
use serde_json::{Value, json};

/// `return total + cut`, in `reduced`.
const FAULT: &str = "lib/shop/Cart.java:32";

fn places(found: &Value) -> Vec<String> {
    let suspects = found["suspects"].as_array().into_iter().flatten();
    suspects.map(|it| format!("{}:{}", it["file"].as_str().unwrap_or_default(), it["line"])).collect()
}

/// The suite with a statement more in the test `labels`.
fn labels_begins_with(statement: &str) -> Trial {
    let trial = Trial::compiled_with("junit5", "localize");
    let text = trial.project.read("tests/shop/CartTest.java");
    let head = "    @Test\n    void labels() {\n";
    let text = text.replace(head, &format!("{head}        {statement}\n"));
    trial.project.write("tests/shop/CartTest.java", &text);
    trial.compile();
    trial
}

#[test]
fn lines_that_only_failing_tests_run_come_first() {
    let trial = Trial::compiled_with("junit5", "localize");
    let (found, ran) =
        trial.localize(&["tests", "--sources", "lib", "--no-purify", "--combine", "clear", "--top", "100"]);
    assert_eq!(found["tests"], json!({ "passed": 4, "failed": 2, "skipped": 1 }), "{ran}");
    let places = places(&found);
    assert_eq!(places[..3], ["lib/shop/Cart.java:25", "lib/shop/Cart.java:31", FAULT], "{ran}");
    let fault = &found["suspects"][2];
    assert_eq!(
        (&fault["rank"], &fault["ties"], &fault["function"]),
        (&json!(2.0), &json!(3), &json!("Cart.reduced")),
        "{ran}"
    );
    assert_eq!(fault["counts"], json!({ "ef": 2, "nf": 0, "ep": 0, "np": 4 }), "{ran}");
    assert_eq!(fault["tests"], json!(["shop.CartTest#reduces[2]", "shop.CartTest#reduces[3]"]), "{ran}");
    // A field that every cart makes, a statement over several lines with a lambda in it, a constant that javac copies; nothing of the tests.
    for place in ["lib/shop/Cart.java:9", "lib/shop/Cart.java:20", "lib/shop/Cart.java:8"] {
        assert!(places.contains(&place.to_owned()), "{place}\n{ran}");
    }
    assert!(places.iter().all(|place| place.starts_with("lib/")), "{ran}");
}

#[test]
fn what_runs_once_counts_for_all_who_live_on_it() {
    let trial = Trial::compiled_with("junit5", "localize");
    trial.project.write(
        "lib/shop/Rates.java",
        "package shop;\n\nclass Rates {\n    static final int[] ALL = filled();\n\n    static int[] filled() {\n        \
         return Steps.of(3);\n    }\n\n    static int of(int n) {\n        return ALL[n];\n    }\n\n    static int more() {\n        \
         return 5;\n    }\n}\n",
    );
    trial.project.write(
        "lib/shop/Steps.java",
        "package shop;\n\nclass Steps {\n    static final int[] STEP = {2};\n\n    static int[] of(int n) {\n        \
         int[] all = new int[n];\n        for (int i = 0; i < n; i++) {\n            all[i] = i * STEP[0];\n        }\n        \
         return all;\n    }\n}\n",
    );
    let test =
        |name: &str, text: &str| format!("    @Test\n    void {name}() {{\n        {text}\n    }}\n\n");
    let tests = test("a", "assertEquals(0, Rates.of(0));")
        + &test("b", "assertEquals(1, Rates.of(1));")
        + &test("c", "assertEquals(1, 1);")
        + "    @Nested\n    class Inner {\n"
        + &test("d", "assertEquals(5, cart.total(0));")
        + "    }\n";
    trial.project.write(
        "tests/shop/RatesTest.java",
        &format!(
            "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.*;\n\n\
             @TestMethodOrder(MethodOrderer.MethodName.class)\nclass RatesTest {{\n    static Cart cart;\n\n    @BeforeAll\n    \
             static void fill() {{\n        cart = new Cart();\n        cart.add(Rates.more());\n    }}\n\n{tests}}}\n"
        ),
    );
    trial.compile();
    let asked = ["shop.RatesTest", "--sources", "lib", "--no-purify", "--top", "100"];
    let (found, ran) = trial.localize(&asked);
    let counts = |place: &str| {
        let suspects = found["suspects"].as_array().into_iter().flatten();
        let found = suspects
            .filter(|it| format!("{}:{}", it["file"].as_str().unwrap_or_default(), it["line"]) == place);
        found.map(|it| it["counts"].clone()).next().unwrap_or_default()
    };
    // All use the class, before their first one: what fills its table, and what that class needs.
    for place in
        ["lib/shop/Rates.java:7", "lib/shop/Steps.java:4", "lib/shop/Steps.java:9", "lib/shop/Rates.java:15"]
    {
        assert_eq!(counts(place), json!({ "ef": 1, "nf": 0, "ep": 3, "np": 0 }), "{place}\n{ran}");
    }
    // The table itself is for those who read it.
    for place in ["lib/shop/Rates.java:11", "lib/shop/Rates.java:4"] {
        assert_eq!(counts(place), json!({ "ef": 1, "nf": 0, "ep": 1, "np": 2 }), "{place}\n{ran}");
    }
    // Tests of another class do not live on it.
    let (found, ran) = trial.localize(&[&asked[..], &["shop.CartTest"]].concat());
    assert!(found["tests"]["failed"].as_u64() > Some(1), "{ran}");
    let suspects = found["suspects"].as_array().into_iter().flatten();
    let tests: Vec<&Value> =
        suspects.filter(|it| it["file"] == "lib/shop/Rates.java").map(|it| &it["tests"]).collect();
    assert!(!tests.is_empty() && tests.iter().all(|tests| **tests == json!(["shop.RatesTest#b"])), "{ran}");
}

#[test]
fn pared_tests_take_the_place_of_the_failing_ones() {
    let trial = Trial::compiled_with("junit5", "localize");
    let (found, ran) = trial.localize(&["tests", "--sources", "lib", "--top", "100", "--combine", "replace"]);
    assert!(places(&found).contains(&FAULT.to_owned()), "{ran}");
    let pared = &found["failing"][0]["pared"][0];
    assert!(!pared["test"].as_str().expect("a text").contains("label()"), "{ran}");
    // The pared tests ask for no label: the line is no longer suspicious.
    assert!(!places(&found).contains(&"lib/shop/Cart.java:36".to_owned()), "{ran}");
}

#[test]
fn assertions_that_hold_clear_the_lines_they_run() {
    let trial = Trial::compiled_with("junit5", "localize");
    trial.project.write(
        "lib/shop/Grade.java",
        "package shop;\n\nclass Grade {\n    static int of(int n) {\n        if (n > 5) {\n            n = n + 2;\n        }\n        return n;\n    }\n}\n",
    );
    trial.project.write(
        "tests/shop/GradeTest.java",
        "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n\n\
         class GradeTest {\n    @Test\n    void grades() {\n        assertEquals(1, Grade.of(1));\n        assertEquals(7, Grade.of(6));\n    }\n}\n",
    );
    trial.compile();
    let (found, ran) = trial.localize(&["shop.GradeTest", "--sources", "lib", "--combine", "clear"]);
    assert_eq!(
        (&places(&found)[0][..], &found["suspects"][0]["ties"]),
        ("lib/shop/Grade.java:6", &json!(1)),
        "{ran}"
    );
}

#[test]
fn a_test_that_fails_once_in_a_process_is_recorded_in_one_of_its_own() {
    let trial = Trial::compiled_with("junit5", "localize");
    let text = trial.project.read("tests/shop/CartTest.java");
    let once = "    @Test\n    void once() {\n        boolean isFirst = System.setProperty(\"once\", \"seen\") == null;\n        \
                Cart cart = new Cart();\n        assertEquals(isFirst, cart.total(0) > 0);\n        \
                assertEquals(isFirst, cart.label() == null);\n    }\n\n";
    trial
        .project
        .write("tests/shop/CartTest.java", &text.replacen("    @Test\n", &format!("{once}    @Test\n"), 1));
    trial.compile();
    let (found, ran) = trial.localize(&["tests", "--sources", "lib", "--for=shop.CartTest#once"]);
    let failing = found["failing"].as_array().expect("a list");
    let found = failing.iter().find(|it| it["id"] == "shop.CartTest#once").expect("it fails");
    assert_eq!(found["pared"].as_array().map(Vec::len), Some(2), "{ran}");
    assert!(!ran.stderr.contains("did not fail while"), "{ran}");
}

#[test]
fn the_line_that_throws_ran() {
    let trial = Trial::compiled_with("junit5", "localize");
    trial.project.write(
        "lib/shop/Cart.java",
        &trial.project.read("lib/shop/Cart.java").replace("price < NONE", "price <= 3"),
    );
    trial.compile();
    let (found, ran) =
        trial.localize(&["shop.CartTest#sums", "shop.CartTest#refuses", "--sources", "lib", "--no-purify"]);
    let places = places(&found);
    assert!(places.contains(&"lib/shop/Cart.java:13".to_owned()), "{ran}");
    assert!(!places.contains(&"lib/shop/Cart.java:16".to_owned()), "{ran}");
}

#[test]
fn only_lines_that_ran_count_wherever_their_code_begins() {
    let trial = Trial::compiled_with("junit5", "localize");
    trial.project.write(
        "lib/shop/Grade.java",
        "package shop;\n\nclass Grade {\n    static int of(int n) {\n        int grade = 0;\n        if (n == 1) {\n            \
         int more = n + 9;\n            grade = more;\n        } else if (n == 2) {\n            grade = 20;\n        \
         }\n        try {\n            grade += 100 / n;\n        } catch (ArithmeticException e) {\n            grade = -1;\n        \
         }\n        return grade;\n    }\n}\n",
    );
    let test = |n: i32, expected: i32| {
        format!(
            "    @Test\n    void of{n}() {{\n        assertEquals({expected}, Grade.of({n}));\n    }}\n\n"
        )
    };
    // Of 1 runs the jump behind its branch, in the line of the `else if`; the two others run the condition, and fail.
    let tests = test(0, 0) + &test(1, 110) + &test(2, 71);
    trial.project.write(
        "tests/shop/GradeTest.java",
        &format!(
            "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n\n\
             class GradeTest {{\n{tests}}}\n"
        ),
    );
    trial.compile();
    let (found, ran) = trial.localize(&["shop.GradeTest", "--sources", "lib", "--no-purify", "--top", "100"]);
    let counts = |line: u32| {
        let suspects = found["suspects"].as_array().into_iter().flatten();
        let counts = suspects.filter(|it| it["line"] == line).map(|it| it["counts"].clone()).next();
        counts.unwrap_or_default()
    };
    assert_eq!(counts(9), json!({ "ef": 2, "nf": 0, "ep": 0, "np": 1 }), "{ran}");
    assert_eq!(counts(14), json!({ "ef": 1, "nf": 1, "ep": 0, "np": 1 }), "{ran}");
}

#[test]
fn a_test_that_kills_the_run_is_named_and_the_others_are_ranked() {
    let trial = labels_begins_with("Runtime.getRuntime().halt(3);");
    let (found, ran) = trial.localize(&["tests", "--sources", "lib", "--no-purify"]);
    assert_eq!(found["tests"]["failed"], 3, "{ran}");
    assert!(places(&found).contains(&FAULT.to_owned()), "{ran}");
    ran.says(&["shop.CartTest#labels does not count: it ended its process (exit 3)"]);
}

#[test]
fn a_test_that_takes_all_memory_is_named_and_the_others_are_ranked() {
    let trial = labels_begins_with("long[] all = new long[Integer.MAX_VALUE / 4];");
    let (found, ran) = trial.localize(&["tests", "--sources", "lib", "--no-purify", "--jvm-arg=-Xmx64m"]);
    assert_eq!(found["tests"], json!({ "passed": 3, "failed": 3, "skipped": 1 }), "{ran}");
    assert!(places(&found).contains(&FAULT.to_owned()), "{ran}");
    ran.says(&["shop.CartTest#labels does not count: it ended its process (out of memory)"]);
}

#[test]
fn a_suite_in_which_nothing_fails_points_nowhere() {
    let trial = Trial::compiled_with("junit5", "localize");
    let (_, ran) = trial.localize(&["shop.CartTest#sums", "--sources", "lib"]);
    assert_eq!(ran.code, 4, "{ran}");
    assert!(ran.stderr.contains("no test fails in shop.CartTest#sums (1 ran)"), "{ran}");
}

#[test]
fn tests_of_every_junit_are_told_apart() {
    for junit in ["junit3", "junit4"] {
        let trial = Trial::compiled(junit);
        let (found, ran) = trial.localize(&["tests", "--sources", "lib", "--no-purify", "--top", "1000"]);
        assert_eq!(ran.code, 0, "{junit}: {ran}");
        assert!(found["tests"]["failed"].as_u64() > Some(0), "{junit}: {ran}");
        assert!(places(&found).iter().any(|place| place.starts_with("lib/")), "{junit}: {ran}");
        // Each failing test ran lines of its own.
        let ran_something =
            found["failing"].as_array().expect("a list").iter().all(|test| test["spectrum"] == "original");
        assert!(ran_something, "{junit}: {ran}");
    }
}

#[test]
fn only_classes_of_which_something_changed_or_failed_run_again() {
    let trial = Trial::compiled_with("junit5", "localize");
    trial.project.write(
        "lib/shop/Tag.java",
        "package shop;\n\nclass Tag {\n    static int of(int n) {\n        return n + 1;\n    }\n}\n",
    );
    let test = |class: &str, call: &str| {
        let text = format!(
            "package shop;\n\nimport org.junit.jupiter.api.Assertions;\nimport org.junit.jupiter.api.Test;\n\nclass {class} {{\n    \
             @Test\n    void holds() {{\n        Assertions.assertTrue({call});\n    }}\n}}\n"
        );
        trial.project.write(&format!("tests/shop/{class}.java"), &text);
    };
    test("TagTest", "Tag.of(1) == 2");
    test("PlainTest", "1 < 2");
    trial.compile();
    let args = ["tests", "--sources", "lib", "--no-purify"];
    let (first, ran) = trial.localize(&args);
    assert_eq!(first["runs"], json!({ "run": 9, "kept": 0, "kept_from": null }), "{ran}");
    let (second, ran) = trial.localize(&args);
    assert_eq!((&second["runs"]["run"], &second["runs"]["kept"]), (&json!(7), &json!(2)), "{ran}");
    assert_eq!((&second["suspects"], &second["tests"]), (&first["suspects"], &first["tests"]), "{ran}");
    ran.says(&["9 tests, 7 run again, 2 kept from 2"]);
    trial
        .project
        .write("lib/shop/Tag.java", &trial.project.read("lib/shop/Tag.java").replace("n + 1", "1 + n"));
    trial.compile();
    let (third, ran) = trial.localize(&args);
    assert_eq!(third["runs"]["kept"], 1, "{ran}");
    let (fresh, ran) = trial.localize(&[&args[..], &["--fresh"]].concat());
    assert_eq!(fresh["runs"]["kept"], 0, "{ran}");
}
