//! Without a version that passes: what may have been to prevent a failure stays, is told from what is needed, and goes for who is bold.

use crate::trial::{Ran, Trial};
use serde_json::Value;

const LIBRARY: &str = include_str!("caution/library.py");
const TESTS: &str = include_str!("caution/test_it.py");

fn minimize(test: &str, args: &[&str]) -> Ran {
    let trial = Trial::with_file("test_it.py", TESTS);
    trial.project.write("library.py", LIBRARY);
    trial.minimize(&[&[format!("test_it.py::{test}").as_str()], args].concat())
}

/// Pares a test and looks for lines of it that stay by caution; what has to do with `noise` goes.
#[track_caller]
fn check(test: &str, by_caution: &[&str]) {
    let ran = minimize(test, &[]);
    assert!(!ran.pared().contains("noise"), "{ran}");
    assert_eq!(texts(&ran, "caution"), by_caution, "{ran}");
    let suspects = ran.results[0]["suspects"].as_array().expect("a list");
    let is_told = by_caution.len() > suspects.len();
    assert_eq!(ran.stdout.contains("kept by caution: the failure is the same without"), is_told, "{ran}");
    assert_eq!(ran.stdout.contains("--bold"), is_told, "a suspect is not to be removed: {ran}");
}

/// The kept statements of a certainty.
fn texts(ran: &Ran, certainty: &str) -> Vec<String> {
    let kept = ran.results[0]["kept"].as_array().expect("a list");
    let is_it = |kept: &&Value| kept["certainty"] == certainty;
    kept.iter().filter(is_it).map(|kept| kept["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_write_into_what_an_object_handed_out_stays_though_it_was_lost() {
    check("test_block", &["with client.session() as session:", "session['user'] = 1"]);
    check("test_callback", &["def fill(session):", "session['user'] = 1", "client.in_session(fill)"]);
    check("test_name", &["session = client.open()", "session['user'] = 1"]);
}

#[test]
fn a_call_that_was_to_prevent_an_exception_stays() {
    check("test_refusal", &["gate.set_open(True)"]);
    check("test_absence", &["tape.add('one')", "tape.close()"]);
    check("test_unread_input", &["known['name'] = 'Ann'"]);
}

#[test]
fn what_a_run_shows_to_be_needed_is_told_from_what_is_not() {
    let ran = minimize("test_both", &["--explain"]);
    assert_eq!(texts(&ran, "caution"), ["shelf.sort()"]);
    assert_eq!(texts(&ran, "needed"), ["shelf = Shelf()", "shelf.add(2)", "assert shelf.items == [1, 2]"]);
    ran.says(&["the failure is another without it (checked)", "kept by caution"]);
}

#[test]
fn nothing_went_and_the_message_says_what_holds_it_and_what_lets_it_go() {
    let ran = minimize("test_overwritten", &[]);
    ran.only(3, "unchanged");
    assert_eq!(texts(&ran, "caution").len(), 5, "{ran}");
    ran.says(&["4 statements are held by caution", "--good REV", "--bold", "suspect: line 77"]);
    assert!(!ran.stdout.contains("no smaller test was found"), "{ran}");
}

#[test]
fn who_is_bold_gets_less_with_a_doubt() {
    let ran = minimize("test_shelves", &[]);
    assert!(ran.pared().contains("other.add(3)"), "{ran}");
    let ran = minimize("test_shelves", &["--bold"]);
    let lines: Vec<&str> = ran.pared().lines().map(str::trim).collect();
    let kept = [
        "house = House()",
        "shelf = house.shelf('a')",
        "shelf.add(2)",
        "shelf.sort()",
        "assert shelf.items == [1, 2]",
    ];
    assert_eq!(lines[1..], kept, "{ran}");
    ran.says(&["doubt: line", "to be bold", "--good REV"]);
}

#[test]
fn a_case_that_fails_in_another_way_alone_is_pared_after_the_cases_before_it() {
    for args in [vec!["test_it.py::test_cases"], vec!["--failing", "test_it.py", "--", "-k", "test_cases"]] {
        let trial = Trial::with_file("test_it.py", TESTS);
        trial.project.write("library.py", LIBRARY);
        let ran = trial.minimize(&args);
        let result = ran.only(0, "minimized");
        assert_eq!(result["after"], serde_json::json!(["test_it.py::test_cases[1]"]), "{ran}");
        assert!(ran.pared().contains("'taken twice'"), "{ran}");
        ran.says(&["fails in the suite and fails in another way alone"]);
    }
}

#[test]
fn a_test_that_another_class_inherits_is_not_rewritten_where_that_would_break() {
    let trial = Trial::with_file("test_it.py", TESTS);
    trial.project.write("library.py", LIBRARY);
    let ran = trial.minimize(&["test_it.py::TestList::test_size", "--apply"]);
    ran.says(&["TestText::test_size runs the same code", "the file stays as it is"]);
    let ran = trial.minimize_in_place(&["test_it.py::TestAlone::test_size", "--apply"]);
    assert!(ran.only(0, "minimized")["notes"].as_array().expect("a list").is_empty(), "{ran}");
}

#[test]
fn a_signed_value_and_a_date_in_a_message_do_not_make_a_test_flaky() {
    let ran = minimize("test_cookie", &[]);
    assert!(!ran.pared().contains("noise"), "{ran}");
}

#[test]
fn the_page_about_caution_tells_what_happens() {
    let page = include_str!("../../../../docs/caution.md");
    let test: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("    ").or(line.is_empty().then_some(""))).collect();
    let test = test.join("\n");
    let (_, test) = test.split_once("# test_gate.py\n").expect("the page has an example");
    let (test, command) = test.split_once("paring minimize ").expect("the page has a command");
    let trial = Trial::with_file("test_gate.py", test);
    trial.project.write("gate.py", LIBRARY);
    let ran = trial.minimize(&[command.lines().next().expect("a line")]);
    assert!(!ran.pared().contains("names"), "{ran}");
    assert_eq!(texts(&ran, "caution"), ["gate.invite(\"ann\")", "gate.set_open(True)"], "{ran}");
    assert_eq!(texts(&ran, "needed"), ["gate = Gate()", "gate.go(-1)"], "{ran}");
    ran.says(&["caution: 1 statement (line 8) is kept by caution", "suspect: line 9 `gate.set_open(True)`"]);
}
