//! Ctrl-C at every stage, termination, and SIGKILL followed by `--resume`.

use crate::trial::{Ran, Trial};
use std::process::Child;
use std::time::{Duration, Instant};

/// Tells each run of the test in a file outside of the project, and makes it last.
const CONFTEST: &str = r#"import os
import time

import pytest


@pytest.fixture(autouse=True)
def tell():
    with open(os.environ["RUNS"], "a") as file:
        file.write("run\n")
    time.sleep(float(os.environ["LASTS"]))
"#;

/// Runs of the original before the search: five observations and a trace.
const N_BASELINE: usize = 6;

const TEST: &str = r"def test_total():
    names = []
    total = 0
    names.append('a')
    other = [1, 2, 3]
    other.append(4)
    for number in [1, 2, 3]:
        total += number
        other.append(number)
    names.append('b')
    other.sort()
    names.extend(other)
    assert names
    assert other
    assert total == 7
";

const TARGET: &str = "test_total.py::test_total";

fn slow(lasts: &str) -> Trial {
    slow_with(TEST, lasts)
}

/// With this text in the place of the test's file.
fn slow_with(text: &str, lasts: &str) -> Trial {
    let trial = Trial::with_file("test_total.py", text);
    trial.project.write("conftest.py", CONFTEST);
    let runs = trial.outside("runs");
    trial.env("RUNS", runs.as_str()).env("LASTS", lasts)
}

fn n_runs(trial: &Trial) -> usize {
    std::fs::read_to_string(trial.outside("runs")).unwrap_or_default().lines().count()
}

fn wait_for_runs(trial: &Trial, child: &mut Child, n: usize) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while n_runs(trial) < n {
        assert!(Instant::now() < deadline, "{n} runs take too long");
        assert!(child.try_wait().expect("it is ours").is_none(), "over before run {n} of {}", n_runs(trial));
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn send(child: &Child, signal: &str) {
    let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "kill {signal}");
}

/// So many of `1..=n`, always the same for one seed.
fn drawn(n_drawn: usize, n: usize, seed: u64) -> Vec<usize> {
    let mut state = seed;
    let mut all: Vec<usize> = (1..=n).collect();
    let mut found = Vec::new();
    while found.len() < n_drawn && !all.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let idx = usize::try_from(state >> 33).expect("31 bits") % all.len();
        found.push(all.swap_remove(idx));
    }
    found
}

/// Interrupts the job at five drawn runs: what is shown then fails the same way, and resuming ends with the result that an
/// undisturbed job has.
fn stops_anywhere(text: &str, args: &[&str], seed: u64) {
    let args = &[&[TARGET], args].concat()[..];
    let whole = slow_with(text, "0");
    let expected = whole.minimize(args);
    // The last run is that of the verification.
    for k in drawn(5, n_runs(&whole) - 2, seed) {
        let trial = slow_with(text, "0.1");
        let stopped = stop_after(&trial, args, k, "-INT");
        let shown = &stopped.results[0];
        assert!(shown["file"].is_null() || shown["verified"]["same_failure"] == true, "run {k}\n{stopped}");
        // Before that, there is nothing to lose; runs that met at the file of counts are made again and are not counted.
        let n_search = shown["runs_by"]["search"].as_u64().expect("a number");
        assert!(
            !shown["file"].is_null() || n_search <= 1,
            "run {k}: the best test so far is lost\n{stopped}"
        );
        let trial = trial.env("LASTS", "0");
        let resumed = trial.minimize(&[args, &["--resume"]].concat());
        assert_eq!(
            resumed.only(0, "minimized")["file"],
            expected.only(0, "minimized")["file"],
            "run {k}\n{resumed}"
        );
    }
}

#[test]
fn a_job_stopped_anywhere_is_resumed_with_the_same_result() {
    stops_anywhere(TEST, &[], 1);
}

#[test]
fn a_job_with_fixtures_stopped_anywhere_is_resumed_with_the_same_result() {
    let text = "import pytest\n\n\n@pytest.fixture\ndef cart():\n    cart = {}\n    cart['note'] = 1\n    cart['tea'] = 4\n    return cart\n\n\n\
                def test_total(cart):\n    names = list(cart)\n    names.sort()\n    if names:\n        cart['mug'] = 9\n    cart.pop('note')\n    \
                seen = []\n    for name in names:\n        seen.append(name)\n    assert seen\n    assert sum(cart.values()) == 4\n";
    stops_anywhere(text, &[], 2);
}

#[test]
fn a_job_that_shrinks_literals_stopped_anywhere_is_resumed_with_the_same_result() {
    let text = "def test_total():\n    words = 'one two three four'.split()\n    other = [1, 2, 3]\n    other.append(4)\n    \
                lengths = [len(word) for word in words]\n    assert other\n    lengths[17]\n";
    stops_anywhere(text, &["--literals"], 3);
}

/// Starts a run, and sends a signal when so many runs of the test have begun.
fn stop_after(trial: &Trial, args: &[&str], n: usize, signal: &str) -> Ran {
    let mut child = trial.start(args);
    wait_for_runs(trial, &mut child, n);
    let sent = Instant::now();
    send(&child, signal);
    let output = child.wait_with_output().expect("it is ours");
    assert!(sent.elapsed() < Duration::from_secs(20), "it takes {:?} to stop", sent.elapsed());
    trial.over(&output)
}

#[test]
fn ctrl_c_while_the_original_is_observed_ends_with_130_and_says_so() {
    let trial = slow("0.3");
    let ran = stop_after(&trial, &[TARGET], 1, "-INT");
    let result = ran.only(130, "interrupted");
    assert!(result["file"].is_null(), "{ran}");
    ran.says(&["stopped before there was a smaller test", "next: the same command with --resume goes on"]);
    assert_eq!(trial.project.read("test_total.py"), TEST);
}

#[test]
fn ctrl_c_does_not_wait_for_a_test_that_hangs() {
    let trial = slow("600");
    stop_after(&trial, &[TARGET], 1, "-INT").only(130, "interrupted");
}

#[test]
fn ctrl_c_in_the_search_gives_the_best_test_so_far_verified() {
    let trial = slow("0.2");
    // The slice is accepted in the first run of the search.
    let ran = stop_after(&trial, &[TARGET, "--strategy", "sdmin"], N_BASELINE + 3, "-INT");
    let result = ran.only(130, "interrupted");
    assert_eq!(result["verified"]["same_failure"], true, "{ran}");
    assert_eq!(result["verified"]["fresh_process"], true, "{ran}");
    let size = |when: &str| result["statements"][when].as_u64().expect("a number");
    assert!(size("after") < size("before"), "{ran}");
    ran.says(&["stopped early; this is the smallest test verified so far", "--resume", "def test_total():"]);
    let text = result["file"]["text"].as_str().expect("a text");
    trial.project.write("test_total.py", text);
    let trial = trial.env("LASTS", "0");
    assert!(trial.pytest(&[TARGET]).contains("assert 6 == 7"), "{ran}");
}

#[test]
fn termination_is_as_good_as_ctrl_c() {
    stop_after(&slow("0.3"), &[TARGET], 1, "-TERM").only(130, "interrupted");
}

#[test]
fn ctrl_c_while_the_result_is_verified_lets_that_finish() {
    // One run of the search, then the last word.
    let ran = stop_after(&slow("0.3"), &[TARGET, "--strategy", "ssmin"], N_BASELINE + 2, "-INT");
    assert_eq!(ran.results[0]["verified"]["same_failure"], true, "{ran}");
    assert!(!ran.results[0]["file"].is_null(), "{ran}");
}

#[test]
fn a_killed_search_is_resumed_with_the_same_result_and_fewer_runs() {
    let args = [TARGET, "--strategy", "ddmin"];
    let whole = slow("0.05");
    let expected = whole.minimize(&args);
    let (n_whole, n_killed) = (n_runs(&whole), 12);

    let trial = slow("0.05");
    let mut child = trial.start(&args);
    wait_for_runs(&trial, &mut child, N_BASELINE + n_killed);
    child.kill().expect("it is ours");
    trial.nothing_is_left(&trial.over(&child.wait_with_output().expect("it is ours")));
    let n_before = n_runs(&trial);
    let ran = trial.minimize(&[TARGET, "--strategy", "ddmin", "--resume"]);
    assert_eq!(ran.only(0, "minimized")["file"], expected.only(0, "minimized")["file"], "{ran}");
    let n_resumed = n_runs(&trial) - n_before;
    assert!(n_resumed + n_killed / 2 < n_whole, "{n_resumed} runs after {n_killed}, {n_whole} without");
}

#[test]
fn a_search_stopped_by_its_budget_is_resumed_and_counts_only_its_own_runs() {
    let args = [TARGET, "--strategy", "ddmin"];
    let expected = slow("0").minimize(&args);
    let trial = slow("0");
    let first = trial.minimize(&[&args[..], &["--budget", "8runs"]].concat());
    first.says(&["the budget was spent before the search was done; --resume goes on from here"]);
    let n_before = n_runs(&trial);
    let ran = trial.minimize(&[&args[..], &["--resume"]].concat());
    assert_eq!(ran.only(0, "minimized")["file"], expected.only(0, "minimized")["file"], "{ran}");
    let search = |ran: &Ran| ran.results[0]["runs_by"]["search"].as_u64().expect("a number");
    assert_eq!(search(&ran) + search(&first), search(&expected), "{first}\n{ran}");
    let n_told = ran.results[0]["runs"].as_u64().expect("a number");
    assert_eq!(u64::try_from(n_runs(&trial) - n_before).expect("it fits"), n_told, "{ran}");
}

#[test]
fn what_was_removed_of_the_tests_before_it_is_kept_where_the_budget_ends() {
    let text = "STATE = []\n\n\ndef test_first():\n    one = [1]\n    one.append(2)\n    STATE.append(one)\n    two = [3]\n    \
                two.append(4)\n    three = [5]\n    three.append(6)\n    assert two\n    assert three\n\n\ndef test_second():\n    \
                note = 1\n    assert STATE == []\n    assert note\n";
    let args = ["test_state.py::test_second", "--after", "test_state.py::test_first"];
    let whole = Trial::with_file("test_state.py", text).minimize(&args);
    let n_search = whole.only(0, "minimized")["runs_by"]["search"].as_u64().expect("a number");
    let budget = format!("{}runs", n_search - 3);
    let ran = Trial::with_file("test_state.py", text).minimize(&[&args[..], &["--budget", &budget]].concat());
    let text = ran.only(0, "minimized")["file"]["text"].as_str().expect("a text");
    assert!(text.contains("STATE.append(one)") && !text.contains("three.append(6)"), "{ran}");
}

#[test]
fn without_resume_a_killed_search_starts_again() {
    let args = [TARGET, "--strategy", "ssmin"];
    let trial = slow("0.2");
    let mut child = trial.start(&args);
    wait_for_runs(&trial, &mut child, N_BASELINE + 2);
    child.kill().expect("it is ours");
    trial.over(&child.wait_with_output().expect("it is ours"));
    let n_before = n_runs(&trial);
    trial.minimize(&args).only(0, "minimized");
    assert_eq!(n_runs(&trial) - n_before, N_BASELINE + 2);
}

#[test]
fn what_was_seen_of_code_that_has_changed_since_is_not_resumed() {
    let test = "import lib\n\n\ndef test_total():\n    a = 1\n    lib.note(a)\n    b = 2\n    assert lib.total() == 7\n";
    let lib = |total: &str| {
        format!("notes = []\n\n\ndef note(a):\n    notes.append(a)\n\n\ndef total():\n    return {total}\n")
    };
    let args = ["test_lib.py::test_total", "--strategy", "ddmin"];
    let edited = Trial::with_file("test_lib.py", test);
    edited.project.write("lib.py", &lib("6"));
    let expected = edited.minimize(&args);
    assert!(!expected.only(0, "minimized")["file"]["text"].as_str().expect("a text").contains("lib.note"));

    let trial = Trial::with_file("test_lib.py", test);
    trial.project.write("lib.py", &lib("6 if notes else 7"));
    trial.minimize(&[&args[..], &["--budget", "3runs"]].concat());
    trial.project.write("lib.py", &lib("6"));
    let ran = trial.minimize(&[&args[..], &["--resume"]].concat());
    assert_eq!(ran.only(0, "minimized")["file"], expected.only(0, "minimized")["file"], "{ran}");
    ran.says(&["the code has changed since the search that --resume was to take up: it began anew"]);
}

#[test]
fn after_a_stop_the_tests_that_nobody_got_to_are_named() {
    let trial = slow_with(&format!("{TEST}\n\ndef test_other():\n    assert 1 == 2\n"), "0.3");
    let ran = stop_after(&trial, &[TARGET, "test_total.py::test_other"], 2, "-TERM");
    assert_eq!(ran.code, 130, "{ran}");
    assert!(ran.stderr.contains("stopped: 1 not tried: test_total.py::test_other"), "{ran}");
}
