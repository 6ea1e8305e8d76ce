//! What is the same failure, and where the command runs.

use crate::trial::Trial;

const SOURCE: &str = "one();\ntwo();\nthree();\n";

fn trial() -> Trial {
    Trial::with_file("src/a.js", SOURCE).without_python()
}

#[test]
fn another_exit_code_is_another_failure() {
    let command = "grep -q two src/a.js || exit 4; grep -q one src/a.js || exit 5; exit 3";
    let ran = trial().minimize(&["--command", command, "src/a.js"]);
    assert_eq!(ran.pared(), "one;\ntwo;\n", "{ran}");
}

#[test]
fn a_signal_is_a_failure_like_any_other() {
    let ran = trial().minimize(&["--command", "grep -q two src/a.js && kill -SEGV $$", "src/a.js"]);
    assert_eq!(ran.only(0, "minimized")["failure"]["type"], "signal 11 (SIGSEGV)", "{ran}");
    assert_eq!(ran.pared(), "two;\n", "{ran}");
}

#[test]
fn with_match_the_output_must_match_too() {
    let command = "cat src/a.js >&2; exit 1";
    let ran = trial().minimize(&["--command", command, "--match", r"^t\w+o\(", "src/a.js"]);
    assert_eq!(ran.pared(), "two();\n", "{ran}");
    ran.says(&["failure: exit 1: two();"]);
}

#[test]
fn a_match_makes_a_failure_of_an_exit_code_of_0() {
    let ran = trial().minimize(&["--command", "cat src/a.js", "--match", "three", "src/a.js"]);
    assert_eq!(ran.pared(), "three;\n", "{ran}");
}

#[test]
fn the_command_runs_in_a_private_copy_with_all_other_files() {
    let trial = trial();
    trial.project.write("lib/words.txt", "two\n");
    let command = "pwd > where.txt; mkdir -p out; cp src/a.js out/; grep -q -f lib/words.txt src/a.js && exit 1; exit 0";
    let ran = trial.minimize(&["--command", command, "src/a.js"]);
    assert_eq!(ran.pared(), "two;\n", "{ran}");
    ran.says(&["the command writes into its folder (out, where.txt): that was a private copy"]);
}

#[test]
fn what_paring_keeps_in_the_folder_the_command_did_not_write() {
    let trial = trial();
    let cache = trial.project.root().join("kept/cache");
    let trial = trial.env("PARING_CACHE_DIR", cache.as_str());
    let ran = trial.minimize_in_place(&["--command", "grep -q two {} && exit 1; exit 0", "src/a.js"]);
    assert_eq!(ran.pared(), "two;\n", "{ran}");
    assert!(cache.is_dir());
}

#[test]
fn what_one_run_leaves_behind_does_not_reach_the_next() {
    // Without a clean folder the second run would find the mark of the first.
    let command = "[ -e mark ] && exit 0; touch mark; echo changed >> lib.txt; [ $(wc -l < lib.txt) = 2 ] || exit 0; \
                   grep -q two src/a.js && exit 1; exit 0";
    let trial = trial();
    trial.project.write("lib.txt", "first\n");
    let ran = trial.minimize(&["--command", command, "src/a.js"]);
    assert_eq!(ran.pared(), "two;\n", "{ran}");
}

#[test]
fn the_hole_is_the_path_of_the_candidate_and_the_command_runs_where_the_user_stands() {
    let trial = trial();
    let here = trial.project.root().as_str().to_owned();
    let command = format!("[ \"$(pwd)\" = {here} ] || exit 0; grep -q two {{}} && exit 1; exit 0");
    let ran = trial.minimize(&["--command", &command, "src/a.js"]);
    assert_eq!(ran.pared(), "two;\n", "{ran}");
    let other = Trial::with_file("it's a.js", SOURCE).without_python();
    let ran = other.minimize(&["--command", "grep -q two {} && exit 1; exit 0", "it's a.js"]);
    assert_eq!(ran.pared(), "two;\n", "{ran}");
}

#[test]
fn a_protected_line_stays() {
    let trial = Trial::with_file("a.js", "one(); // paring: keep\ntwo();\nthree();\n").without_python();
    let ran = trial.minimize(&["--command", "grep -q three a.js && exit 1; exit 0", "a.js"]);
    assert_eq!(ran.pared(), "one(); // paring: keep\nthree;\n", "{ran}");
}
