//! What comes out, and where: text, JSON, files, patches, the test itself.

use crate::trial::{Trial, results};
use std::io::Write;
use std::process::{Command, Stdio};

const TARGET: &str = "test_total.py::test_total";

#[test]
fn json_on_standard_output_is_alone_there() {
    let ran = Trial::on("read_only").minimize(&[TARGET, "--json", "-"]);
    let results = results(&ran.stdout);
    assert_eq!(results[0]["status"], "minimized", "{ran}");
    let runs_by = results[0]["runs_by"].as_object().expect("an object");
    let sum: u64 = runs_by.values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(results[0]["runs"].as_u64(), Some(sum), "{ran}");
    assert_eq!(
        (&results[0]["statements"]["before"], &results[0]["statements"]["after"]),
        (&5.into(), &3.into())
    );
}

#[test]
fn json_is_written_for_every_target_and_every_end() {
    let trial = Trial::on("not_found");
    let ran = trial.minimize(&["test_present.py::test_there", "nowhere.py::test_x", "--quiet"]);
    assert_eq!(ran.results.len(), 2, "{ran}");
    assert_eq!(ran.stdout, "", "{ran}");
}

#[test]
fn a_piped_reader_gets_terse_text() {
    let ran = Trial::on("read_only").minimize(&[TARGET]);
    let first = ran.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with(&format!("minimized {TARGET} 5 -> 3 statements, ")), "{ran}");
    assert!(!ran.stdout.contains('\x1b') && ran.stderr.is_empty(), "{ran}");
}

#[test]
fn an_agent_gets_terse_text_even_where_colours_are_asked_for() {
    for variable in ["AI_AGENT", "CLAUDECODE"] {
        let ran =
            Trial::on("passing").env(variable, "1").minimize(&["test_sum.py::test_sum", "--color", "always"]);
        assert!(ran.stdout.starts_with("passing test_sum.py::test_sum 5 runs, "), "{ran}");
        assert!(!ran.stdout.contains('\x1b'), "{ran}");
    }
}

#[test]
fn a_person_gets_a_coloured_diff() {
    let ran = Trial::on("read_only").minimize(&[TARGET, "--color", "always"]);
    assert!(ran.stdout.contains("\x1b["), "{ran}");
    ran.says(&["names = [\"a\", \"b\"]", "5 → 3 statements"]);
}

#[test]
fn out_is_a_whole_file_that_fails_the_same_in_plain_pytest() {
    let trial = Trial::on("unittest_class");
    let out = trial.outside("out/test_pared.py");
    let ran = trial.minimize(&["test_account.py::AccountTest::test_withdraw", "--out", out.as_str()]);
    ran.only(0, "minimized");
    let text = std::fs::read_to_string(&out).expect("the file is written");
    assert!(!text.contains("test_sub_tests"), "just what the test needs\n{text}");
    let said = trial.pytest(&[out.as_str()]);
    assert!(said.contains("AssertionError: 10 != 7") && said.contains("1 failed"), "{said}");
}

#[test]
fn a_patch_is_taken_by_git_apply() {
    let trial = Trial::on("unittest_class");
    let before = trial.project.read("test_account.py");
    let ran = trial.minimize(&["test_account.py::AccountTest::test_withdraw", "--patch", "-"]);
    assert!(ran.stdout.starts_with("--- a/test_account.py"), "{ran}");
    assert!(ran.stderr.contains("minimized"), "the text goes to the other stream\n{ran}");
    let mut git = Command::new("git")
        .args(["apply", "-"])
        .current_dir(trial.project.root())
        .env("GIT_CEILING_DIRECTORIES", trial.project.root().parent().expect("it has a folder"))
        .stdin(Stdio::piped())
        .spawn()
        .expect("git starts");
    git.stdin.take().expect("it is piped").write_all(ran.stdout.as_bytes()).expect("git reads");
    assert!(git.wait().expect("it is ours").success(), "{ran}");
    let after = trial.project.read("test_account.py");
    let gone = [
        "self.other.deposit(5)",
        "self.assertEqual(len(self.names), 2)",
        "self.assertEqual(self.account.log, [10, -3])",
    ];
    let expected: String = before.split_inclusive('\n').filter(|line| !gone.contains(&line.trim())).collect();
    assert_eq!(after, expected);
}

#[test]
fn a_patch_in_a_repository_names_files_from_its_root() {
    let trial = Trial::on("read_only");
    let made = Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(trial.project.root().parent().expect("a folder"))
        .status();
    assert!(made.is_ok_and(|status| status.success()));
    let ran = trial.minimize(&[TARGET, "--patch", "-"]);
    assert!(ran.stdout.starts_with("--- a/project/test_total.py\n+++ b/project/test_total.py\n"), "{ran}");
}

#[test]
fn apply_rewrites_the_test_and_nothing_else() {
    let trial = Trial::on("unittest_class");
    let before = trial.project.files();
    let text = trial.project.read("test_account.py");
    trial.minimize_in_place(&["test_account.py::AccountTest::test_withdraw", "--apply"]).only(0, "minimized");
    let after = trial.project.read("test_account.py");
    assert_ne!(text, after);
    assert_eq!(before.keys().collect::<Vec<_>>(), trial.project.files().keys().collect::<Vec<_>>());
    let (shared, own) = text.split_once("class AccountTest").expect("the class is there");
    assert!(after.starts_with(shared), "shared set-up stays\n{after}");
    let (_, rest) = own.split_once("    def test_sub_tests").expect("the test is there");
    assert!(after.ends_with(rest), "other tests stay\n{after}");
    assert!(trial.pytest(&["-k", "test_withdraw"]).contains("AssertionError: 10 != 7"), "{after}");
}

#[test]
fn apply_leaves_the_other_cases_of_a_parametrised_test() {
    let trial = Trial::on("parametrized");
    let before = trial.project.read("test_cases.py");
    trial.minimize_in_place(&["test_cases.py::test_numbers[a-10-10]", "--apply"]).only(0, "minimized");
    let after = trial.project.read("test_cases.py");
    assert!(after != before && after.ends_with("    number = int(text, 10)\n"), "{after}");
    let said = trial.pytest(&["test_cases.py"]);
    assert!(said.contains("6 passed"), "{said}\n{after}");
}

#[test]
fn nothing_is_applied_where_nothing_was_found() {
    let trial = Trial::on("passing");
    let args = ["test_sum.py::test_sum", "--apply", "--out", "pared.py", "--patch", "pared.patch"];
    let ran = trial.minimize_in_place(&args);
    ran.only(4, "passing");
    assert!(!trial.project.root().join("pared.py").exists(), "{ran}");
    assert!(trial.project.read("test_sum.py").contains("assert total == 6"));
}

#[test]
fn a_junit_report_has_the_pared_test() {
    let trial = Trial::on("read_only");
    let report = trial.outside("junit.xml");
    trial.minimize(&[TARGET, "--junit-out", report.as_str()]).only(0, "minimized");
    let xml = std::fs::read_to_string(&report).expect("the report is written");
    assert!(xml.contains("<testcase classname=\"test_total\" name=\"test_total\""), "{xml}");
    assert!(xml.contains("message=\"assert 7 == 8\"") && xml.contains("    total = sum(prices)\n"), "{xml}");
}

#[test]
fn quiet_says_nothing_but_errors() {
    let ran = Trial::on("read_only").minimize(&[TARGET, "--quiet"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""), "{ran}");
    let ran = Trial::on("broken_conftest").minimize(&["test_any.py::test_any", "--quiet"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (7, ""), "{ran}");
    assert!(ran.stderr.contains("the conftest of this project is broken"), "{ran}");
}

#[test]
fn json_and_patch_cannot_both_go_to_standard_output() {
    let ran = Trial::on("read_only").minimize(&[TARGET, "--json", "-", "--patch", "-"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("give one of them a file"), "{ran}");
}

#[test]
fn what_a_kept_function_is_made_of_is_told_as_its_part() {
    let text =
        "def test_a():\n    def check(n, m):\n        assert n == m\n\n    check(1, 1)\n    check(1, 2)\n";
    let ran = Trial::with_file("test_a.py", text).minimize(&["test_a.py::test_a", "--explain"]);
    ran.says(&["line 3 stands in it", "part of what line 2 defines"]);
    assert!(!ran.stdout.contains("line 2 stands in it"), "{ran}");
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_the_search() {
    let trial = Trial::with_file("test_a.py", "def test_a():\n    a = 1\n    b = 2\n    assert a == 2\n");
    trial.project.write("file", "");
    for option in ["--out", "--junit-out", "--patch"] {
        let ran = trial.minimize(&["test_a.py::test_a", option, "file/out"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran}");
        assert!(ran.stderr.contains(&format!("error: {option} cannot write")), "{ran}");
    }
}

#[test]
fn a_result_that_cannot_be_written_is_printed_all_the_same() {
    // Nobody can tell beforehand that this device is full.
    let trial = Trial::with_file("test_a.py", "def test_a():\n    a = 1\n    b = 2\n    assert a == 2\n");
    let ran = trial.minimize(&["test_a.py::test_a", "--out", "/dev/full", "--patch", "/dev/full"]);
    assert_eq!(ran.code, 1, "{ran}");
    ran.says(&["minimized test_a.py::test_a 3 -> 2 statements", "    assert a == 2"]);
    assert!(ran.stderr.contains("error: failed to write /dev/full"), "{ran}");
}

#[test]
fn a_folder_takes_a_file_for_each_test() {
    let trial = Trial::with_file("test_a.py", "def test_a():\n    a = 1\n    b = 2\n    assert a == 2\n");
    trial.project.write("test_b.py", "def test_a():\n    a = 1\n    b = 2\n    assert a == 2\n");
    let ran = trial.minimize_in_place(&["test_a.py::test_a", "test_b.py::test_a", "--out", "pared/"]);
    assert_eq!(ran.code, 0, "{ran}");
    for name in ["pared/test_a.py", "pared/test_a_2.py"] {
        assert_eq!(trial.project.read(name), "def test_a():\n    a = 1\n    assert a == 2\n", "{name}");
    }
}

#[test]
fn when_the_time_for_all_is_up_the_others_are_named() {
    let trial = Trial::with_file(
        "test_a.py",
        "def test_a():\n    a = 1\n    assert a == 2\n\n\ndef test_b():\n    b = 1\n    assert b == 2\n",
    );
    let ran = trial.minimize(&["test_a.py::test_a", "test_a.py::test_b", "--total-time", "1ms"]);
    assert!(ran.stderr.contains("the time for all tests is up: "), "{ran}");
    assert!(ran.stderr.contains("not tried: ") && ran.stderr.contains("test_a.py::test_b"), "{ran}");
}
