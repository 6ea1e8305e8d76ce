//! What is seen of the original decides whether there is anything to pare.

use crate::trial::Trial;

#[test]
fn a_passing_test_is_told_as_that_and_how_to_make_it_fail() {
    let ran = Trial::on("passing").minimize(&["test_sum.py::test_sum"]);
    let result = ran.only(4, "passing");
    assert!(result["file"].is_null() && result["failure"].is_null(), "{ran}");
    ran.says(&["passing test_sum.py::test_sum", "why: the test passes", "--after"]);
}

#[test]
fn a_test_that_fails_only_in_the_suite_passes_alone() {
    let ran = Trial::on("suite_only").minimize(&["test_order.py::test_victim"]);
    ran.only(4, "passing");
    ran.says(&["if it only fails after other tests, name them with --after"]);
}

#[test]
fn the_tests_before_the_target_that_it_needs_are_found() {
    let after =
        ["test_order.py::test_innocent", "test_order.py::test_pollutes", "test_order.py::test_also_innocent"];
    let ran =
        Trial::on("suite_only").minimize(&[&["test_order.py::test_victim", "--after"][..], &after].concat());
    assert_eq!(
        ran.pared(),
        "def test_victim():\n    users = [state[\"user\"]]\n    assert users == [None]",
        "{ran}"
    );
    ran.says(&["needs test_order.py::test_pollutes before it; 2 others are not needed"]);
    let text = ran.only(0, "minimized")["file"]["text"].as_str().unwrap().to_owned();
    let before =
        "    note = \"sets the user and never clears it\"\n    state[\"user\"] = note\n\n\ndef test_victim";
    assert!(text.contains(before), "the test before it is pared too: {text}");
}

#[test]
fn a_failure_of_the_suite_that_passes_alone_is_pared_after_the_test_it_needs() {
    let ran = Trial::on("suite_only").minimize(&["--failing", "."]);
    assert!(ran.pared().ends_with("assert users == [None]"), "{ran}");
    ran.says(&["fails in the suite and passes alone", "needs test_order.py::test_pollutes before it"]);
}

#[test]
fn a_skipped_test_says_why_it_is_skipped() {
    let text = "import pytest\n\n@pytest.mark.skip(reason='not on this moon')\ndef test_a():\n    assert 0\n";
    let ran = Trial::with_file("test_a.py", text).minimize(&["test_a.py::test_a"]);
    ran.only(4, "passing");
    ran.says(&["the test is skipped: not on this moon"]);
}

#[test]
fn a_test_that_fails_in_different_ways_is_flaky_before_any_search() {
    // Three tosses are alike in this many runs once in 10^10.
    let ran = Trial::on("flaky").minimize(&["test_coin.py::test_coin", "--baseline", "30"]);
    let result = ran.only(5, "flaky");
    // Where the first two failed, a traced run was made beside the rest.
    let n_baseline = result["runs_by"]["baseline"].as_u64();
    assert!(matches!(n_baseline, Some(30 | 31)) && result["runs_by"]["search"] == 0, "{ran}");
    ran.says(&["does not fail the same way every time", "--allow-flaky", "seen in 30 runs"]);
}

#[test]
fn the_order_of_a_set_in_a_message_makes_no_test_flaky() {
    let text = "\
import unittest

NAMES = {'alpha', 'beta', 'gamma', 'delta', None, 'eps'}


def test_bare():
    note = 'of no use'
    assert NAMES == {'alpha', 'beta', 'zeta', 'eta'}


def test_written():
    note = 'of no use'
    raise ValueError('bad: %s' % NAMES)


class TestNames(unittest.TestCase):
    def test_method(self):
        note = 'of no use'
        self.assertEqual(NAMES, {'alpha', 'beta', 'zeta', 'eta'})
";
    let trial = Trial::with_file("test_names.py", text);
    for id in ["test_bare", "test_written", "TestNames::test_method"] {
        let ran = trial.minimize(&[&format!("test_names.py::{id}")]);
        assert_eq!(ran.only(0, "minimized")["statements"]["after"], 1, "{ran}");
    }
}

#[test]
fn a_test_that_starts_threads_is_looked_at_more_often() {
    let trial = Trial::with_file("test_race.py", "");
    // From the tenth run on it fails otherwise, as a race does that is seldom lost.
    let text = |body: &str| {
        format!(
            "import pathlib\nimport threading\n\n\ndef test_race():\n    runs = pathlib.Path({:?})\n    \
             n = len(runs.read_text()) if runs.exists() else 0\n    runs.write_text('x' * (n + 1))\n    {body}\n    \
             raise ValueError('early' if n < 9 else 'late')\n",
            trial.outside("runs")
        )
    };
    let status = |body: &str| {
        trial.project.write("test_race.py", &text(body));
        let _ = std::fs::remove_file(trial.outside("runs"));
        trial.minimize(&["test_race.py::test_race", "--jobs", "1", "--budget", "1runs"]).results[0]["status"]
            .clone()
    };
    assert_ne!(status("note = 1"), "flaky");
    assert_eq!(status("threading.Thread(target=print).start()"), "flaky");
}

#[test]
fn a_message_that_differs_from_run_to_run_is_flaky_and_can_be_left_out_of_the_comparison() {
    let trial = Trial::on("flaky_message");
    let ran = trial.minimize(&["test_stamp.py::test_stamp"]);
    ran.only(5, "flaky");
    ran.says(&["with another message every time", "--same type,frames,statement goes on"]);
    let ran = trial.minimize(&["test_stamp.py::test_stamp", "--same", "type,frames,statement"]);
    ran.only(3, "unchanged");
}

#[test]
fn a_flaky_test_is_pared_where_the_user_says_so_with_a_doubt() {
    let trial = Trial::on("flaky_message");
    let ran = trial.minimize(&["test_stamp.py::test_stamp", "--allow-flaky", "--same", "type"]);
    assert!(
        ["minimized", "unchanged"].contains(&ran.results[0]["status"].as_str().expect("a word")),
        "{ran}"
    );
}

#[test]
fn a_test_that_only_a_fresh_process_fails_is_neither_flaky_nor_passing() {
    let ran = Trial::on("fails_once_per_process").minimize(&["test_first_call.py::test_first_call"]);
    assert_eq!(
        ran.pared(),
        "def test_first_call():\n    first = counter.next_number()\n    assert first == 1",
        "{ran}"
    );
}

#[test]
fn a_failing_set_up_is_pared_and_told_as_that() {
    let ran = Trial::on("fixture_failures").minimize(&["test_phases.py::test_set_up"]);
    ran.only(0, "minimized");
    ran.says(&["failure: KeyError: 'depth', line 8, in set-up", "def test_set_up(broken):\n    pass"]);
}

#[test]
fn a_file_that_cannot_be_imported_is_told_as_a_failure_of_collection() {
    let ran = Trial::on("broken_import").minimize(&["test_import.py::test_import"]);
    assert_eq!(ran.results[0]["failure"]["type"], "ModuleNotFoundError", "{ran}");
    ran.says(&["No module named 'no_such_module_anywhere', line 2, in collection"]);
    assert_eq!(ran.pared(), "import no_such_module_anywhere", "{ran}");
}

#[test]
fn a_syntax_error_is_told_with_its_line() {
    let ran = Trial::on("syntax_error").minimize(&["test_syntax.py::test_syntax"]);
    let result = ran.only(1, "error");
    assert_eq!(result["error"]["code"], "syntax_error");
    ran.says(&["'(' was never closed", "line 5", "next: correct the syntax error first"]);
}
