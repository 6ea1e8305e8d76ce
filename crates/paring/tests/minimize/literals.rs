//! `--literals`: strings, numbers, lists and bytes of what stays shrink to what the failure needs.

use crate::trial::Trial;

/// A library with a fault for each kind of literal, and what it should be.
const LIBRARY: &str = r#"LIMIT = 3


def parse(text, limit=100):
    for line in text.split("\n"):
        if line.count(";") > LIMIT:
            raise ValueError("too many fields")
    return text.split("\n")


def total(items, names):
    for name in names:
        if len(name) > LIMIT * 3 and items.get(name, 0) > LIMIT * 100:
            raise KeyError("no such price")


def find(data):
    if b"\x00" in data and LIMIT == 3:
        raise IndexError("out of range")
"#;

fn trial(test: &str) -> Trial {
    let trial = Trial::with_file("library.py", LIBRARY);
    trial.project.write("test_it.py", &format!("from library import find, parse, total\n\n\n{test}"));
    trial.project.write("good/library.py", &LIBRARY.replace("LIMIT = 3", "LIMIT = 5"));
    trial
}

/// With `--literals`, without a good version and with one.
#[track_caller]
fn check(test: &str, expected: &str) {
    let trial = trial(test);
    let ran = trial.minimize(&["test_it.py::test", "--literals"]);
    assert_eq!(ran.pared(), expected, "{ran}");
    ran.says(&["made smaller", "doubt: the smaller literals were not checked"]);
    let ran = trial.minimize(&["test_it.py::test", "--literals", "--good", "good"]);
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
    assert_eq!(ran.pared(), expected, "{ran}");
    assert!(!ran.stdout.contains("doubt"), "{ran}");
}

const LONG: &str = "def test():\n    text = \"id;name;city\\n1;Ann;Paris\\n2;Bob;Rome;x;y\\n3;Eve;Oslo\"\n    \
                    note = \"unused\"\n    rows = parse(text, limit=5000)\n    assert len(rows) == 4\n";

#[test]
fn a_long_string_and_a_number_that_does_not_matter() {
    check(LONG, "def test():\n    text = \";;;;\"\n    rows = parse(text, limit=0)");
}

#[test]
fn nothing_changes_unasked() {
    let trial = trial(LONG);
    let expected = "def test():\n    text = \"id;name;city\\n1;Ann;Paris\\n2;Bob;Rome;x;y\\n3;Eve;Oslo\"\n    \
                    rows = parse(text, limit=5000)";
    for args in [vec!["test_it.py::test"], vec!["test_it.py::test", "--literals=false"]] {
        let ran = trial.minimize(&args);
        assert_eq!(ran.pared(), expected, "{ran}");
        assert!(!ran.stdout.contains("literal"), "{ran}");
    }
}

#[test]
fn a_string_of_several_lines_in_the_failing_statement() {
    check(
        "def test():\n    rows = parse(\"\"\"id;name\n1;Ann\n2;Bob;Rome;x;y;z\n3;Eve\n\"\"\".strip()); other = 3\n",
        "def test():\n    rows = parse(\"\"\";;;;\"\"\".strip())",
    );
}

#[test]
fn bytes_and_escapes() {
    let expected = "def test():\n    data = b\"\\x00\"\n    find(data)";
    let trial = trial("def test():\n    data = b\"abc\\xff\\x00def\" rb\"\\d\"\n    find(data)\n");
    let ran = trial.minimize(&["test_it.py::test", "--literals"]);
    assert_eq!(ran.pared(), expected.replace("\\x00\"", "\\x00\" rb\"\""), "{ran}");
}

#[test]
fn of_twenty_elements_the_one_that_matters_stays() {
    let names: Vec<String> = (0..20).map(|n| format!("\"name-{n}-{}\"", "x".repeat(n))).collect();
    let items: Vec<String> = names.iter().map(|name| format!("        {name}: 340,\n")).collect();
    let names = names[..8].join(", ");
    let test = format!(
        "def test():\n    items = {{\n{}    }}\n    names = [{names}]\n    total(items, names)\n",
        items.concat()
    );
    let trial = trial(&test);
    let ran = trial.minimize(&["test_it.py::test", "--literals", "--jobs", "1"]);
    let pared = ran.pared().to_owned();
    // Ten characters are too many, and 301 is the first price that is.
    let lines: Vec<&str> = pared.lines().map(str::trim).collect();
    assert_eq!(lines.len(), 6, "{pared}");
    assert!(lines[2].ends_with(": 340,") && lines[4].matches('"').count() == 2, "{pared}");
    let again = trial.minimize(&["test_it.py::test", "--literals", "--jobs", "4"]);
    assert_eq!(again.pared(), pared, "the number of workers does not matter");
}

#[test]
fn what_the_message_shows_stays() {
    let test =
        "def test():\n    names = [\"a long name\", \"another\"]\n    assert \", \".join(names) == \"\"\n";
    let ran = trial(test).minimize(&["test_it.py::test", "--literals"]);
    ran.only(3, "unchanged");
    assert!(!ran.stdout.contains("literal"), "{ran}");
}

#[test]
fn a_protected_statement_keeps_its_literals() {
    let test = LONG.replace("limit=5000)", "limit=5000)  # paring: keep");
    let ran = trial(&test).minimize(&["test_it.py::test", "--literals"]);
    assert!(ran.pared().ends_with("text = \";;;;\"\n    rows = parse(text, limit=5000)"), "{ran}");
}

#[test]
fn a_file_may_ask_for_it_and_apply_writes_it() {
    let trial = trial(LONG);
    trial.project.write("paring.toml", "literals = true\n");
    let ran = trial.minimize_in_place(&["test_it.py::test", "--apply"]);
    assert_eq!(ran.pared(), "def test():\n    text = \";;;;\"\n    rows = parse(text, limit=0)", "{ran}");
    let written = trial.project.read("test_it.py");
    assert!(written.ends_with("    text = \";;;;\"\n    rows = parse(text, limit=0)\n"), "{written}");
    assert!(trial.pytest(&["test_it.py"]).contains("ValueError: too many fields"));
}

#[test]
fn a_budget_holds_and_resuming_goes_on() {
    let trial = trial(LONG);
    let args = ["test_it.py::test", "--literals", "--jobs", "1"];
    let ran = trial.minimize(&[&args[..], &["--budget", "9runs"]].concat());
    let result = ran.only(0, "minimized");
    assert!(result["runs_by"]["search"].as_u64().expect("a number") <= 9, "{ran}");
    ran.says(&["note: the budget was spent before the search was done"]);
    let ran = trial.minimize(&[&args[..], &["--resume"]].concat());
    assert_eq!(ran.pared(), "def test():\n    text = \";;;;\"\n    rows = parse(text, limit=0)", "{ran}");
}

#[test]
fn literals_of_a_fixture_are_told_apart() {
    let test = "import pytest\n\n\n@pytest.fixture\ndef text():\n    return \"id;name;city;1;Ann\"\n\n\n\
                def test(text):\n    parse(text, limit=70)\n";
    let ran = trial(test).minimize(&["test_it.py::test", "--literals"]);
    assert_eq!(ran.pared(), "def test(text):\n    parse(text, limit=0)", "{ran}");
    let file = ran.results[0]["file"]["text"].as_str().expect("a text");
    assert!(file.contains("    return \";;;;\"\n"), "{ran}");
    ran.says(&["2 literals made smaller, 1 of them in what runs before the test (--out writes that too)"]);
}
