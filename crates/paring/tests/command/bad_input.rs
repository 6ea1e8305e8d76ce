//! What makes no sense, or goes wrong: a clear message, and the user's file as it was.

use crate::trial::{Ran, Trial};

const SOURCE: &str = "one();\ntwo();\n";

fn minimize(file: &str, source: &str, args: &[&str]) -> Ran {
    Trial::with_file(file, source).without_python().minimize(&[args, &[file]].concat())
}

#[test]
fn a_command_that_passes() {
    let ran = minimize("a.js", SOURCE, &["--command", "true"]);
    ran.only(4, "passing");
    ran.says(&[
        "the command passes on the file as it is",
        "next: a failing command ends with another exit code than 0",
    ]);
}

#[test]
fn a_command_that_fails_in_another_way_than_the_one_asked_for() {
    let ran = minimize("a.js", SOURCE, &["--command", "echo no such thing; exit 2", "--match", "panic"]);
    ran.only(4, "passing");
    ran.says(&[
        "why: the command fails on the file as it is, but not in the way that --match names",
        "it ends with exit 2, and its output does not match `panic`: no such thing",
    ]);
}

#[test]
fn a_command_that_never_ends() {
    let ran = minimize("a.js", SOURCE, &["--command", "sleep 600", "--timeout", "300ms"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "hangs", "{ran}");
    ran.says(&["the command does not end within the time limit", "next: raise --timeout"]);
}

#[test]
fn a_candidate_that_never_ends_is_no_failure() {
    let command = "grep -q one a.js || sleep 600; exit 1";
    let ran = minimize("a.js", SOURCE, &["--command", command, "--timeout", "1"]);
    assert_eq!(ran.pared(), "one;\n", "{ran}");
}

#[test]
fn a_command_that_fails_whatever_the_file() {
    let ran = minimize("a.js", SOURCE, &["--command", "exit 1"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "ignores_file", "{ran}");
    ran.says(&["the command fails the same way on an empty file", "name the file by a relative path"]);
}

#[test]
fn a_command_that_is_not_there() {
    let ran = minimize("a.js", SOURCE, &["--command", "no-such-tool a.js"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "ignores_file", "{ran}");
}

#[test]
fn a_flaky_command() {
    let trial = Trial::with_file("a.js", SOURCE).without_python();
    let mark = trial.outside("runs");
    let command = format!("echo x >> {mark}; exit $(( $(wc -l < {mark}) % 2 ))");
    let ran = trial.minimize(&["--command", &command, "a.js"]);
    ran.only(5, "flaky");
    ran.says(&["the command does not end the same way every time", "passed (", "exit 1: "]);
}

#[test]
fn a_command_that_writes_into_the_tree() {
    let trial = Trial::with_file("a.js", SOURCE).without_python();
    let ran = trial.minimize_in_place(&["--command", "cp {} made.js; exit 1", "a.js"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "writes_into_tree", "{ran}");
    ran.says(&["the command writes into your folder: made.js", "next: leave {} out of the command"]);
    assert_eq!(trial.project.read("a.js"), SOURCE);
}

#[test]
fn a_command_that_writes_into_the_file_itself() {
    let trial = Trial::with_file("a.js", SOURCE).without_python();
    let ran = trial.minimize(&["--command", "echo 'gone' > a.js; test -e {} && exit 1", "a.js"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "writes_into_tree", "{ran}");
    ran.says(&["a.js (put back as it was)"]);
}

#[test]
fn an_unknown_language() {
    let ran = minimize("a.js", SOURCE, &["--command", "false", "--lang", "cobol"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("python, java, javascript"), "{ran}");
    let ran = minimize("a.cob", SOURCE, &["--command", "false"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("say it with --lang"), "{ran}");
}

#[test]
fn a_file_that_does_not_parse() {
    let ran = minimize(
        "a.c",
        "def f(x):\n    return {'a': x for x in y}\n",
        &["--command", "cat a.c; exit 1", "--lang", "java"],
    );
    assert_eq!(ran.only(1, "error")["error"]["code"], "syntax_error", "{ran}");
    ran.says(&["a.c does not parse as java (line 1:", "next: say which language it is with --lang"]);
}

#[test]
fn a_file_that_does_not_parse_all_the_way_is_pared_with_a_note() {
    let source =
        "int one(void) { return 1; }\n@@@\nint two(void) { return 2; }\nint three(void) { return 3; }\n";
    let ran = minimize("a.c", source, &["--command", "grep -q two a.c && exit 1; exit 0"]);
    assert!(!ran.pared().contains("three"), "{ran}");
    ran.says(&["a.c does not parse all the way (line 2:"]);
}

#[test]
fn a_file_that_is_not_there_or_no_text() {
    let trial = Trial::with_file("a.js", SOURCE).without_python();
    let ran = trial.minimize(&["--command", "false", "b.js"]);
    ran.only(6, "not_found");
    ran.says(&["there is no file b.js here"]);
    std::fs::write(trial.project.root().join("c.js"), b"caf\xe9();\n").expect("the folder is ours");
    let ran = trial.minimize(&["--command", "false", "c.js"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "encoding", "{ran}");
}

#[test]
fn an_empty_file_has_nothing_to_remove() {
    minimize("a.js", "", &["--command", "exit 1"]).only(3, "unchanged");
}
