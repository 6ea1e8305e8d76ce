//! What is kept of a run, and which tests the next one runs again.
//!
//! Every test here writes its name to a file beside the project when it runs, so that what ran is seen and not only told.

use crate::trial::{Ran, Trial};
use serde_json::json;

const PRICES: &str = "TAX = 2\n\n\ndef price(n):\n    return n + TAX\n";
const LABELS: &str = "def label(n):\n    return f'<{n}>'\n";
const CONFTEST: &str = "import os\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef seen(request):\n    \
                        with open(os.environ['HOME'] + '.ran', 'a') as file:\n        print(request.node.name, file=file)\n";
const TEST_PRICES: &str = "import labels\nimport prices\n\n\ndef test_price():\n    assert prices.price(1) == 3\n\n\n\
                           def test_both():\n    assert labels.label(prices.price(2)) == '<4>'\n\n\n\
                           def test_wrong():\n    assert prices.price(1) == 4\n";
const TEST_LABELS: &str =
    "import labels\nimport prices\n\n\ndef test_label():\n    assert labels.label(1) == '<1>'\n";

fn shop() -> Trial {
    Trial::with_files(&[
        ("prices.py", PRICES),
        ("labels.py", LABELS),
        ("conftest.py", CONFTEST),
        ("test_prices.py", TEST_PRICES),
        ("test_labels.py", TEST_LABELS),
    ])
}

/// Localizes without paring; the names of the tests that ran, in order.
fn ran(trial: &Trial, args: &[&str]) -> (Vec<String>, Ran) {
    let file = trial.outside("home.ran");
    drop(std::fs::remove_file(&file));
    let ran = trial.localize(&[&["--no-purify"], args].concat());
    let names = std::fs::read_to_string(file).unwrap_or_default();
    (names.lines().map(str::to_owned).collect(), ran)
}

#[track_caller]
fn check(trial: &Trial, args: &[&str], expected: &[&str]) -> Ran {
    let (names, ran) = ran(trial, args);
    assert_eq!(names, expected, "{ran}");
    ran
}

const ALL: [&str; 4] = ["test_label", "test_price", "test_both", "test_wrong"];

#[test]
fn a_second_run_runs_what_failed_and_ranks_the_same() {
    let trial = shop();
    let first = check(&trial, &[], &ALL);
    assert_eq!(first.found["runs"], json!({ "run": 4, "kept": 0, "kept_from": null }), "{first}");
    let second = check(&trial, &[], &["test_wrong"]);
    assert_eq!(
        (&second.found["runs"]["run"], &second.found["runs"]["kept"]),
        (&json!(1), &json!(3)),
        "{second}"
    );
    for field in ["tests", "suspects", "failing", "statements", "notes"] {
        assert_eq!(second.found[field], first.found[field], "{field}: {second}");
    }
    second.says(&["4 tests, 1 run again, 3 kept from 2"]);
    check(&trial, &["--fresh"], &ALL);
}

#[test]
fn a_change_within_a_function_runs_the_tests_that_ran_its_file() {
    let trial = shop();
    check(&trial, &[], &ALL);
    trial.project.write("labels.py", &LABELS.replace("return", "assert n\n    return"));
    check(&trial, &[], &["test_label", "test_both", "test_wrong"]);
    check(&trial, &[], &["test_wrong"]);
    trial.project.write("prices.py", &PRICES.replace("n + TAX", "TAX + n"));
    check(&trial, &[], &["test_price", "test_both", "test_wrong"]);
}

#[test]
fn a_change_in_what_is_loaded_runs_the_tests_that_import_it() {
    let trial = shop();
    trial.project.write("test_alone.py", "def test_alone():\n    assert True\n");
    check(&trial, &[], &["test_alone", "test_label", "test_price", "test_both", "test_wrong"]);
    // It is of no use to `test_label`, which nobody can know: the constant might be.
    trial.project.write("prices.py", &PRICES.replace("TAX = 2", "TAX = 1 + 1"));
    check(&trial, &[], &ALL);
}

#[test]
fn a_function_that_runs_while_its_module_is_loaded_is_part_of_that() {
    let trial = shop();
    trial.project.write(
        "prices.py",
        "def rate():\n    return 2\n\n\nTAX = rate()\n\n\ndef price(n):\n    return n + TAX\n",
    );
    check(&trial, &[], &ALL);
    let text = trial.project.read("prices.py");
    trial.project.write("prices.py", &text.replace("return 2", "return 1 + 1"));
    check(&trial, &[], &ALL);
}

#[test]
fn what_a_shared_fixture_runs_counts_for_all_that_may_use_it() {
    let trial = shop();
    trial.project.write(
        "test_labels.py",
        "import pytest\nimport labels\n\n\n@pytest.fixture(scope='module')\ndef one():\n    return labels.label(1)\n\n\n\
         def test_first(one):\n    assert one\n\n\ndef test_second(one):\n    assert one == '<1>'\n",
    );
    check(&trial, &[], &["test_first", "test_second", "test_price", "test_both", "test_wrong"]);
    trial.project.write("labels.py", &LABELS.replace("return", "assert n\n    return"));
    let (names, ran) = ran(&trial, &[]);
    assert!(names.contains(&"test_second".to_owned()), "{names:?} {ran}");
}

#[test]
fn new_tests_run_and_removed_ones_vanish() {
    let trial = shop();
    check(&trial, &[], &ALL);
    trial.project.write("test_new.py", "def test_new():\n    assert True\n");
    trial.project.write("test_labels.py", "import labels\n");
    let ran = check(&trial, &[], &["test_new", "test_wrong"]);
    assert_eq!(ran.found["tests"], json!({ "passed": 3, "failed": 1, "skipped": 0 }), "{ran}");
    std::fs::remove_file(trial.project.root().join("test_new.py")).expect("it is there");
    let ran = check(&trial, &[], &["test_wrong"]);
    assert_eq!(ran.found["tests"]["passed"], 2, "{ran}");
}

#[test]
fn a_conftest_file_and_the_configuration_are_in_force_for_all() {
    let trial = shop();
    check(&trial, &[], &ALL);
    trial.project.write("conftest.py", &format!("{CONFTEST}\n"));
    check(&trial, &[], &ALL);
    trial.project.write("pytest.ini", "[pytest]\n");
    check(&trial, &[], &ALL);
    check(&trial, &["--", "-p", "no:cacheprovider"], &ALL);
    check(&trial, &[], &["test_wrong"]);
}

#[test]
fn a_damaged_store_is_told_and_all_tests_run() {
    let trial = shop();
    check(&trial, &[], &ALL);
    let folder = trial.outside("cache").join("spectrum");
    let file = folder.read_dir_utf8().expect("a folder").next().expect("a file").expect("a file").into_path();
    let text = std::fs::read_to_string(&file).expect("a text");
    std::fs::write(&file, text.replace("prices.py", "precis.py")).expect("it can be written");
    check(&trial, &[], &ALL).notes("what was kept of earlier runs is damaged: all tests ran");
    check(&trial, &[], &["test_wrong"]);
}

#[test]
fn that_no_test_fails_is_said_of_a_whole_run_only() {
    let trial = shop();
    check(&trial, &[], &ALL);
    trial.project.write("test_prices.py", &TEST_PRICES.replace("== 4\n", "== 3\n"));
    let (names, ran) = ran(&trial, &[]);
    assert_eq!(names.iter().filter(|name| *name == "test_label").count(), 1, "{names:?}");
    ran.ends(4, &["no test fails here (4 ran)"]);
}

#[test]
fn a_test_that_fails_only_after_one_that_was_left_out_is_not_lost() {
    let state =
        "SEEN = []\n\n\ndef note(word):\n    SEEN.append(word)\n\n\ndef count():\n    return len(SEEN)\n";
    let trial = Trial::with_files(&[
        ("conftest.py", CONFTEST),
        ("state.py", state),
        ("test_a.py", "import state\n\n\ndef test_note():\n    state.note('a')\n    assert state.count()\n"),
        (
            "test_b.py",
            "import state\n\n\ndef test_count():\n    assert state.count() == 0\n\n\ndef test_other():\n    assert state.count() == 7\n",
        ),
    ]);
    check(&trial, &[], &["test_note", "test_count", "test_other"]);
    let (names, ran) = ran(&trial, &[]);
    assert_eq!(names, ["test_count", "test_other", "test_note", "test_count", "test_other"], "{ran}");
    assert_eq!(ran.found["tests"], json!({ "passed": 1, "failed": 2, "skipped": 0 }), "{ran}");
    ran.notes(
        "failed before, and not without the tests that had not changed: test_b.py::test_count; all ran again",
    );
}

#[test]
fn a_test_that_fails_for_the_first_time_in_a_part_of_the_suite_is_told() {
    let trial = shop();
    check(&trial, &[], &ALL);
    trial.project.write("labels.py", &LABELS.replace("<{n}>", "<{n}]"));
    let ran = check(&trial, &[], &["test_label", "test_both", "test_wrong"]);
    ran.notes("passed before, and failed in a run of changed tests alone: test_labels.py::test_label and 1 more; where");
}
