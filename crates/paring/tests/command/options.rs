//! Options that are as elsewhere: what is written, bounds, resuming, interrupting, strategies.

use crate::trial::{Trial, everything};
use std::time::{Duration, Instant};

const SOURCE: &str = "one();\nif (two()) {\n  three(four, five);\n  six();\n}\nseven();\n";
const PARED: &str = "three();\n";
/// Tells each run in a file outside of the folder.
const COMMAND: &str = "echo run >> \"$RUNS\"; sleep \"$LASTS\"; grep -q 'three(' a.js && exit 1; exit 0";

fn trial(lasts: &str) -> Trial {
    let trial = Trial::with_file("a.js", SOURCE).without_python();
    let runs = trial.outside("runs");
    trial.env("RUNS", runs.as_str()).env("LASTS", lasts)
}

fn n_runs(trial: &Trial) -> usize {
    std::fs::read_to_string(trial.outside("runs")).unwrap_or_default().lines().count()
}

#[test]
fn runs_are_told_as_they_were_made() {
    let trial = trial("0");
    let ran = trial.minimize(&["--command", COMMAND, "a.js"]);
    assert_eq!(ran.pared(), PARED, "{ran}");
    assert_eq!(ran.results[0]["runs"].as_u64(), Some(n_runs(&trial) as u64), "{ran}");
}

#[test]
fn out_apply_and_patch_write_the_result() {
    let trial = trial("0");
    let out = trial.outside("small.js");
    let patch = trial.outside("small.patch");
    let args = ["--command", COMMAND, "a.js", "--out", out.as_str(), "--patch", patch.as_str()];
    trial.minimize(&args).only(0, "minimized");
    assert_eq!(std::fs::read_to_string(out).expect("it was written"), PARED);
    let patch = std::fs::read_to_string(patch).expect("it was written");
    assert!(patch.contains("-one();\n") && patch.contains("+three();\n"), "{patch}");
    let ran = trial.minimize_in_place(&["--command", COMMAND, "a.js", "--apply"]);
    ran.only(0, "minimized");
    assert_eq!(trial.project.read("a.js"), PARED);
    assert_eq!(everything(trial.project.root()).len(), 1);
}

#[test]
fn the_result_is_the_same_with_any_number_of_workers() {
    for jobs in ["1", "2", "4"] {
        let ran = trial("0").minimize(&["--command", COMMAND, "a.js", "--jobs", jobs, "--seed", "3"]);
        assert_eq!(ran.pared(), PARED, "{ran}");
    }
}

#[test]
fn a_budget_ends_the_search_with_the_best_so_far() {
    let ran = trial("0").minimize(&["--command", COMMAND, "a.js", "--budget", "2runs", "--jobs", "1"]);
    assert_eq!(ran.results[0]["verified"]["same_failure"], true, "{ran}");
    ran.says(&["note: the budget was spent before the search was done"]);
}

#[test]
fn quiet_prints_nothing() {
    let ran = trial("0").minimize(&["--command", COMMAND, "a.js", "--quiet"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
}

#[test]
fn every_strategy_for_trees_keeps_the_failure() {
    for strategy in ["auto", "ddmin", "probdd"] {
        let ran = trial("0").minimize(&["--command", COMMAND, "a.js", "--strategy", strategy]);
        assert!(ran.pared().contains("three("), "{ran}");
        assert!(!ran.pared().contains("one"), "{ran}");
    }
}

#[test]
fn a_killed_search_is_resumed_with_the_same_result_and_fewer_runs() {
    let args = ["--command", COMMAND, "a.js", "--jobs", "1"];
    let whole = trial("0");
    whole.minimize(&args);
    let trial = trial("0.05");
    let mut child = trial.start(&args);
    wait_for_runs(&trial, &mut child, 10);
    child.kill().expect("it is ours");
    child.wait().expect("it is ours");
    // What a kill leaves is the system's to clear.
    std::fs::remove_dir_all(trial.outside("tmp")).expect("it is ours");
    std::fs::create_dir(trial.outside("tmp")).expect("it is ours");
    let n_before = n_runs(&trial);
    let ran = trial.minimize(&[&args[..], &["--resume"]].concat());
    assert_eq!(ran.pared(), PARED, "{ran}");
    assert!(n_runs(&trial) - n_before < n_runs(&whole), "{} {}", n_runs(&trial) - n_before, n_runs(&whole));
}

#[test]
fn ctrl_c_gives_the_best_text_so_far_verified() {
    let trial = trial("0.1");
    let mut child = trial.start(&["--command", COMMAND, "a.js", "--jobs", "1"]);
    wait_for_runs(&trial, &mut child, 10);
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let ran = trial.over(&child.wait_with_output().expect("it is ours"));
    let result = ran.only(130, "interrupted");
    assert_eq!(result["verified"]["same_failure"], true, "{ran}");
    assert!(
        result["file"]["text"]
            .as_str()
            .is_some_and(|text| text.contains("three(") && text.len() < SOURCE.len()),
        "{ran}"
    );
    assert_eq!(trial.project.read("a.js"), SOURCE);
}

fn wait_for_runs(trial: &Trial, child: &mut std::process::Child, n: usize) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while n_runs(trial) < n {
        assert!(Instant::now() < deadline, "{n} runs take too long");
        assert!(child.try_wait().expect("it is ours").is_none(), "over before run {n}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
