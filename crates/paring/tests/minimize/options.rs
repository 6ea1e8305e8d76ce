//! Options that bound or steer the search, on the command line and in configuration files.

use crate::trial::Trial;

const TARGET: &str = "test_account.py::AccountTest::test_withdraw";

#[test]
fn a_budget_of_runs_ends_the_search_with_the_best_so_far() {
    let trial = Trial::on("unittest_class");
    let ran = trial.minimize(&[TARGET, "--strategy", "ddmin", "--budget", "3runs"]);
    let result = &ran.results[0];
    // With several workers the last runs of a batch are made at once.
    assert!(result["runs_by"]["search"].as_u64().expect("a number") <= 6, "{ran}");
    assert!(matches!(result["status"].as_str(), Some("minimized" | "unchanged")), "{ran}");
    assert_eq!(result["verified"]["same_failure"], true, "{ran}");
    ran.says(&["note: the budget was spent before the search was done"]);
}

#[test]
fn every_strategy_keeps_the_failure_and_says_its_name() {
    let trial = Trial::on("unittest_class");
    for strategy in ["auto", "fit", "ssmin", "ddmin", "sdmin", "probdd", "wdd"] {
        let ran = trial.minimize(&[TARGET, "--strategy", strategy]);
        let result = ran.only(0, "minimized");
        assert_eq!(result["strategy"], strategy);
        assert_eq!(result["verified"]["same_failure"], true, "{ran}");
        assert!(ran.pared().contains("self.check_balance(7)"), "{ran}");
        assert!(!ran.pared().contains("self.other"), "{ran}");
    }
}

#[test]
fn defaults_come_from_pyproject_and_flags_win_over_them() {
    let trial = Trial::on("unittest_class");
    trial.project.write("pyproject.toml", "[tool.paring]\nstrategy = \"ssmin\"\nexplain = true\n");
    let ran = trial.minimize(&[TARGET]);
    assert_eq!(ran.only(0, "minimized")["strategy"], "ssmin");
    ran.says(&["kept: line 30 `self.account.deposit(10)`: "]);
    let ran = trial.minimize(&[TARGET, "--strategy", "fit", "--explain=false"]);
    assert_eq!(ran.only(0, "minimized")["strategy"], "fit");
    assert!(!ran.stdout.contains("kept: "), "{ran}");
}

#[test]
fn a_mistake_in_the_configuration_is_told_with_its_file() {
    let trial = Trial::on("unittest_class");
    trial.project.write("pyproject.toml", "[tool.paring]\nstrategie = \"fit\"\n");
    let ran = trial.minimize(&[TARGET]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("pyproject.toml") && ran.stderr.contains("strategie"), "{ran}");
}

#[test]
fn a_word_that_is_no_strategy_is_answered_with_those_that_are() {
    let ran = Trial::on("unittest_class").minimize(&[TARGET, "--strategy", "fast"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("auto, fit, ssmin, ddmin, sdmin, probdd, wdd"), "{ran}");
}

#[test]
fn explain_gives_every_kept_line_its_reason() {
    let ran = Trial::on("read_only").minimize(&["test_total.py::test_total", "--explain"]);
    ran.says(&[
        "kept: line 5 `prices = [3, 4]`: defines `prices`, used on line 7",
        "kept: line 9 `assert total == 8`: the test fails here",
    ]);
}
