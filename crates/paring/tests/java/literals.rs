//! `--literals`: strings, numbers and arrays of what stays shrink to what the failure needs.

use crate::trial::{Ran, Trial};

const TARGET: &str = "shop.CartTest#test";

/// The code under test, as another class of the same file.
const LIBRARY: &str = "static class Shop {\n\
    static int parse(String text, long limit) {\n\
    for (String line : text.split(\"\\n\")) {\n\
    if (line.chars().filter(c -> c == ';').count() > 3) throw new IllegalStateException(\"too many fields\");\n\
    }\nreturn 4;\n}\n\
    static void total(java.util.List<String> names, int[] prices) {\n\
    if (names.contains(\"gold\") && Arrays.stream(prices).anyMatch(p -> p > 1000)) throw new IllegalStateException(\"rich\");\n\
    }\n}\n";

fn pare(body: &str, args: &[&str]) -> Ran {
    let trial = Trial::with_members(&format!("{LIBRARY}@Test void test() {{\n{body}}}"));
    trial.minimize(&[&[TARGET], args].concat())
}

/// The statements of the pared test are these lines.
#[track_caller]
fn check(ran: &Ran, lines: &[&str]) {
    let test = ran.only(0, "minimized")["test"].as_str().expect("a minimized result has a test");
    let (_, body) = test.split_once("{\n").expect("a body");
    assert_eq!(body.trim_end_matches('}').trim_end(), lines.join("\n"), "{ran}");
}

const LONG: &str = "String text = \"id;name;city\\n1;Ann;Paris\\n2;Bob;Rome;x;y\\n3;Eve;Oslo\";\nint note = 1;\n\
                    int n = Shop.parse(text, 5000L);\nassertEquals(4, n);\n";

#[test]
fn a_long_string_and_a_number_that_does_not_matter() {
    let ran = pare(LONG, &["--literals"]);
    check(&ran, &["String text = \";;;;\";", "int n = Shop.parse(text, 0L);"]);
    ran.says(&["2 literals made smaller", "doubt: the smaller literals were not checked"]);
}

#[test]
fn nothing_changes_unasked() {
    let ran = pare(LONG, &[]);
    check(&ran, &[LONG.lines().next().expect("a line"), "int n = Shop.parse(text, 5000L);"]);
}

#[test]
fn a_text_block_in_the_failing_statement() {
    let body = "int n = Shop.parse(\"\"\"\n    id;name\n    1;Ann\n    2;Bob;Rome;x;y\n    \"\"\", 12); int note = 1;\n";
    let ran = pare(body, &["--literals"]);
    check(&ran, &["int n = Shop.parse(\"\"\"\n    ;;;;\"\"\", 0);"]);
}

#[test]
fn of_twenty_elements_the_one_that_matters_stays() {
    let prices: Vec<String> = (1..=20).map(|n| if n == 13 { 250_000 } else { n }.to_string()).collect();
    let body = format!(
        "List<String> names = List.of(\"salt\", \"gold\", \"pear\");\nint[] prices = {{{}}};\nShop.total(names, prices);\n",
        prices.join(", ")
    );
    let ran = pare(&body, &["--literals"]);
    check(
        &ran,
        &["List<String> names = List.of(\"gold\");", "int[] prices = {1953};", "Shop.total(names, prices);"],
    );
}

#[test]
fn a_protected_statement_keeps_its_literals() {
    let body = LONG.replace("5000L);", "5000L); // paring: keep");
    let ran = pare(&body, &["--literals"]);
    check(&ran, &["String text = \";;;;\";", "int n = Shop.parse(text, 5000L); // paring: keep"]);
}

#[test]
fn with_a_good_version_what_a_failed_assertion_looks_at_shrinks_too() {
    let trial = Trial::compiled("junit5");
    for (folder, result) in [("lib", "Math.min(3, n)"), ("good", "n")] {
        let class = format!(
            "package shop;\npublic class Parser {{\npublic static int count(String text) {{\n\
             int n = text.length() - text.replace(\";\", \"\").length();\nreturn {result};\n}}\n}}\n"
        );
        trial.project.write(&format!("{folder}/shop/Parser.java"), &class);
    }
    trial.project.write(
        "tests/shop/ParserTest.java",
        "package shop;\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;\n\
         class ParserTest {\n@Test void test() {\nassertEquals(5, Parser.count(\"id;name;city;Ann;Paris;Rome\"));\n}\n}\n",
    );
    trial.compile();
    let target = "shop.ParserTest#test";
    let ran = trial.minimize(&[target, "--literals", "--good-classpath", &trial.class_path("good")]);
    check(&ran, &["assertEquals(5, Parser.count(\";;;;;\"));"]);
    assert_eq!(ran.results[0]["verified"]["passes_on_good"], true, "{ran}");
    // Without one, the same text is what the test is about.
    trial.minimize(&[target, "--literals"]).only(3, "unchanged");
}
