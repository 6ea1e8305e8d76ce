//! A run that is stopped, and taken up again.

use crate::trial::Trial;
use std::process::Command;
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

const TEST: &str = "\
def test_two():
    one = [1]
    one.append(2)
    assert one == [1, 2]
    other = {}
    other['a'] = 1
    assert other == {'a': 1}
";

fn trial(lasts: &str) -> Trial {
    let trial = Trial::python(&[("test_two.py", TEST), ("conftest.py", CONFTEST)]);
    let runs = trial.outside("runs");
    trial.env("RUNS", runs.as_str()).env("LASTS", lasts)
}

fn n_runs(trial: &Trial) -> usize {
    std::fs::read_to_string(trial.outside("runs")).unwrap_or_default().lines().count()
}

#[test]
fn control_c_ends_it_with_its_own_code() {
    let trial = trial("1");
    let mut child = trial.start(&["test_two.py::test_two", "--mutants", "0"]);
    let deadline = Instant::now() + Duration::from_mins(2);
    while n_runs(&trial) < 2 {
        assert!(Instant::now() < deadline, "nothing runs");
        assert!(child.try_wait().expect("it is ours").is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill starts").success());
    let ran = trial.over(&child.wait_with_output().expect("it is ours"));
    ran.ends(130, &[]);
    assert_eq!(ran.found[0]["status"], "interrupted", "{ran}");
    assert_eq!(trial.project.read("test_two.py"), TEST);
    let again = trial.split(&["test_two.py::test_two", "--mutants", "0", "--resume"]);
    assert_eq!(again.found[0]["tests"].as_array().map(Vec::len), Some(2), "{again}");
}

#[test]
fn a_spent_budget_is_taken_up_again() {
    let trial = trial("0");
    let target = "test_two.py::test_two";
    let stopped = trial.split(&[target, "--mutants", "0", "--budget", "1runs"]);
    stopped.ends(1, &["the budget was spent"]);
    let ran = trial.split(&[target, "--mutants", "0", "--resume"]);
    assert_eq!(ran.found[0]["tests"].as_array().map(Vec::len), Some(2), "{ran}");
}
