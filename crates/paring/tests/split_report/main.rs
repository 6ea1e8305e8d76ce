//! `paring split --report`, `--watch`, `--log` and `--no-verify` from end to end: the binary, the user's own pytest.

#![cfg(unix)]

use camino::Utf8PathBuf;
use paring_testkit::{Project, python};
use serde_json::Value;
use std::process::{Command, Stdio};

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
    found: Value,
    outside: tempfile::TempDir,
}

fn split(files: &[(&str, &str)], path: Option<&str>, args: &[&str]) -> Ran {
    let project = Project::empty();
    for (name, text) in files {
        project.write(name, text);
    }
    let outside = tempfile::tempdir().expect("a temporary folder can be made");
    let at = |name: &str| Utf8PathBuf::from_path_buf(outside.path().join(name)).expect("UTF-8");
    let before = project.files();
    let json = at("found.json");
    let path = path.map_or_else(|| std::env::var_os("PATH").unwrap_or_default(), Into::into);
    let output = Command::new(env!("CARGO_BIN_EXE_paring"))
        .args(["split", "--python", python().as_str(), "--json", json.as_str()])
        .args(args.iter().map(|arg| arg.replace("OUT", at("").as_str())))
        .current_dir(project.root())
        .env_clear()
        .env("PATH", path)
        .env("HOME", at("home"))
        .env("PARING_CACHE_DIR", at("cache"))
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts");
    assert_eq!(before, project.files(), "the project changed");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it speaks UTF-8");
    let found =
        std::fs::read_to_string(&json).map_or(Value::Null, |text| serde_json::from_str(&text).expect("JSON"));
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    Ran { code: output.status.code().unwrap_or(-1), stdout, stderr, found, outside }
}

/// The lines of the statements of each new test.
fn lines(ran: &Ran) -> Vec<Vec<u64>> {
    let parts = ran.found[0]["parts"].as_array().unwrap_or_else(|| panic!("{}{}", ran.stdout, ran.stderr));
    let of = |part: &Value| {
        let statements = part["statements"].as_array().expect("statements");
        statements.iter().filter_map(|it| it["line"].as_u64()).collect()
    };
    parts.iter().map(of).collect()
}

const SHOP: &str = "\
def test_shop():
    tea = [1]
    tea.append(2)
    jam = {}
    jam['a'] = 1
    assert len(tea) == 2
    assert jam['a'] == 1

def test_one():
    assert 1 + 1 == 2

def test_fails():
    a, b = 1, 2
    assert a == 1
    assert b == 1
";

#[test]
fn a_report_says_which_tests_check_too_much_and_rewrites_nothing() {
    let ran = split(&[("test_a.py", SHOP)], None, &["test_a.py", "--report=OUT/page.html"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("1 of 3 tests check more than one thing; they would be 2 tests."),
        "{}",
        ran.stdout
    );
    let (found, test) = (&ran.found, &ran.found["checked"][0]);
    assert_eq!(
        (found["schema"].as_str(), found["not_passing"].as_u64()),
        (Some("paring.split-report/1"), Some(1))
    );
    assert_eq!(test["test"], "test_a.py::test_shop");
    let statements = |idx: usize| test["scenarios"][idx]["statements"].as_u64();
    assert_eq!(
        (statements(0), statements(1), test["scenarios"][1]["checks"][0].as_u64()),
        (Some(3), Some(3), Some(7))
    );
    assert!(test["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{test}");
    let page = std::fs::read_to_string(ran.outside.path().join("page.html")).expect("a page");
    assert!(page.contains("test_a.py::test_shop"), "{page}");
}

#[test]
fn an_exact_report_traces_each_test() {
    let ran = split(&[("test_a.py", SHOP)], None, &["test_a.py", "--report", "--exact"]);
    assert_eq!((ran.code, &ran.found["exact"]), (0, &Value::Bool(true)), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.found["checked"][0]["scenarios"].as_array().map(Vec::len), Some(2));
}

/// A file that a child process writes and that is read by name.
const CHILDREN: &str = "\
import os, subprocess
WRITER = ['/bin/sh', '-c', 'echo 1 > one.csv']
def test_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    subprocess.run(WRITER, check=True)
    total = sum([1, 2])
    assert open('one.csv').read() == '1\\n'
    assert total == 3
";

#[test]
fn what_child_processes_write_is_known_where_somebody_watches() {
    let watched = split(
        &[("test_a.py", CHILDREN)],
        None,
        &["test_a.py::test_files", "--no-verify", "--drop-unasserted", "--watch", "scan"],
    );
    assert_eq!(lines(&watched), [vec![4, 5, 7], vec![6, 8]]);
    assert_eq!(watched.found[0]["watch"]["by"], "scan");
    assert!(watched.stdout.contains("watched by: scan"), "{}", watched.stdout);
    assert!(watched.stdout.contains("nothing was run to check the new tests"), "{}", watched.stdout);
    let blind = split(
        &[("test_a.py", CHILDREN)],
        None,
        &["test_a.py::test_files", "--no-verify", "--drop-unasserted", "--watch", "off"],
    );
    assert_ne!(lines(&blind), lines(&watched));
    assert!(blind.stdout.contains("nobody saw who wrote"), "{}", blind.stdout);
}

#[test]
fn strace_that_is_not_there_is_said() {
    let args = ["test_a.py::test_files", "--watch", "strace"];
    let ran = split(&[("test_a.py", CHILDREN)], Some("/nowhere"), &args);
    assert_eq!(ran.code, 7, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.found[0]["error"]["code"], "no_trace");
    assert!(
        ran.stdout.contains("--watch strace cannot watch here: strace: is not installed"),
        "{}",
        ran.stdout
    );
}

const REMOTE: &str = "\
import logging

def put(table):
    logging.warning('write table %s', table)
def look(table):
    logging.warning('read table %s', table)
    return table
def test_remote():
    put('orders')
    put('users')
    assert look('orders') == 'orders'
    assert look('users') == 'users'
";

#[test]
fn what_logs_tell_joins_statements() {
    let templates = "[[log]]\ntemplate = 'write table {table}'\n[[log]]\ntemplate = 'read table {table}'\n";
    let files = [("test_a.py", REMOTE), ("paring.toml", templates)];
    let ran = split(&files, None, &["test_a.py::test_remote", "--no-verify", "--drop-unasserted"]);
    assert_eq!(lines(&ran), [[9, 11], [10, 12]]);
    assert!(ran.stdout.contains("from logs: 4 uses and changes"), "{}", ran.stdout);
    let without = split(&files[..1], None, &["test_a.py::test_remote", "--log", "a.log"]);
    assert!(without.code != 0 && without.stderr.contains("[[tool.paring.log]]"), "{}", without.stderr);
}
