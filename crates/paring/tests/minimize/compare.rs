//! `paring compare`: the same test under several strategies.

use crate::trial::Trial;
use serde_json::Value;

const TARGET: &str = "test_account.py::AccountTest::test_withdraw";

#[test]
fn every_strategy_has_a_row() {
    let ran = Trial::on("unittest_class").compare(&[TARGET, "--json", "/dev/null"]);
    assert_eq!(ran.code, 0, "{ran}");
    for strategy in ["auto", "fit", "ssmin", "ddmin", "sdmin", "probdd", "wdd"] {
        let row = ran.stdout.lines().find(|line| line.trim_start().starts_with(strategy));
        assert_eq!(row.map(|row| row.split_whitespace().count()), Some(8), "{strategy}\n{ran}");
    }
}

#[test]
fn programs_get_a_result_for_each_strategy() {
    let ran = Trial::on("unittest_class").compare(&[TARGET, "--strategies", "auto,ddmin", "--json", "-"]);
    let document: Value = serde_json::from_str(&ran.stdout).expect("nothing but JSON");
    assert_eq!(document[0]["schema"], "paring.comparison/1", "{ran}");
    let results = document[0]["results"].as_array().expect("a list");
    let strategies: Vec<&str> = results.iter().filter_map(|it| it["strategy"].as_str()).collect();
    assert_eq!(strategies, ["auto", "ddmin"]);
    let search = |idx: usize| results[idx]["runs_by"]["search"].as_u64().expect("a number");
    assert!(search(0) < search(1), "{ran}");
}

#[test]
fn a_test_that_passes_has_nothing_to_compare() {
    let trial = Trial::with_file("test_ok.py", "def test_ok():\n    assert True\n");
    let ran = trial.compare(&["test_ok.py::test_ok", "--strategies", "auto", "--json", "/dev/null"]);
    assert_eq!(ran.code, 4, "{ran}");
    ran.says(&["auto", "passing"]);
}

#[test]
fn what_writes_files_is_refused() {
    let ran = Trial::on("unittest_class").compare(&[TARGET, "--apply", "--json", "/dev/null"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("--apply is for `paring minimize`"), "{ran}");
}
