//! What is told of files that the interpreter does not see touched, and of logs.

use super::{Lab, job};
use crate::runner::message::{FactReport, HowReport};
use camino::Utf8PathBuf;
use paring_model::{Heat, How, Listening, LogTemplate, TargetSpec, Watch};

fn traced(source: &str, listening: Listening) -> FactReport {
    traced_with(source, &[], listening)
}

fn traced_with(source: &str, files: &[(&str, &str)], listening: Listening) -> FactReport {
    let lab = Lab::new(files);
    lab.write("test_a.py", source);
    let project = super::Project { listening, ..lab.project() };
    let runner = lab.start(project, &TargetSpec::new("test_a.py::test_a")).expect("a runner");
    let ran = runner.run(&job(source, "test_a.py::test_a", Heat::Warm), true).expect("a run");
    assert!(ran.items.iter().all(|item| item.failure.is_none()), "{:?}", ran.items);
    ran.facts.expect("facts")
}

/// What lines did to a resource whose name ends so: `4 kill`.
fn of(report: &FactReport, name: &str) -> Vec<String> {
    let touches =
        report.touches.iter().filter(|touch| touch.4.last().is_some_and(|last| last.ends_with(name)));
    let mut told: Vec<String> = Vec::new();
    for touch in touches {
        let how = match touch.3 {
            HowReport::Use => "use",
            HowReport::Define => "define",
            HowReport::Kill => "kill",
            HowReport::Clear => "clear",
            HowReport::Undo => "undo",
        };
        let row = format!("{} {how}", touch.1);
        if !told.contains(&row) {
            told.push(row);
        }
    }
    told
}

fn watching(watch: Watch) -> Listening {
    Listening { watch, ..Listening::default() }
}

/// A child process writes, another appends, Python reads.
const CHILDREN: &str = "\
import os, subprocess
def test_a(tmp_path):
    os.chdir(tmp_path)
    subprocess.run(['sh', '-c', 'echo 1 > a.csv'], check=True)
    other = 1
    subprocess.run(['sh', '-c', 'echo 2 >> a.csv'], check=True)
    text = open('a.csv').read()
    os.chdir('/')
";

#[test]
fn what_a_child_process_writes_is_seen_by_a_scan_of_sizes_and_times() {
    let report = traced(CHILDREN, watching(Watch::Scan));
    assert_eq!(of(&report, "/a.csv"), ["4 kill", "6 define", "7 use"]);
    assert_eq!(report.watch.expect("a watcher").by.as_deref(), Some("scan"));
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_child_process_writes_is_seen_by_inotify() {
    let report = traced(CHILDREN, watching(Watch::Inotify));
    assert_eq!(of(&report, "/a.csv"), ["4 kill", "4 define", "6 define", "7 use"]);
    assert_eq!(report.watch.expect("a watcher").by.as_deref(), Some("inotify"));
}

/// Only where strace is there and may attach; else it must say why it did not.
#[cfg(target_os = "linux")]
#[test]
fn what_a_child_process_writes_and_reads_is_seen_by_strace() {
    let source = CHILDREN
        .replace("    os.chdir('/')", "    subprocess.run(['cat', 'a.csv'], check=True)\n    os.chdir('/')");
    let report = traced(&source, watching(Watch::Strace));
    let watch = report.watch.clone().expect("a word on who watched");
    if watch.by.is_none() {
        assert!(watch.refused && watch.why[0].starts_with("strace: "), "{watch:?}");
        return;
    }
    let rows = of(&report, "/a.csv");
    for row in ["4 kill", "6 define", "7 use", "8 use"] {
        assert!(rows.contains(&row.to_owned()), "{row} in {rows:?}");
    }
    assert!(!report.lines.iter().any(|line| line.partial), "{:?}", report.lines);
}

#[test]
fn nobody_watches_where_that_is_turned_off_and_what_nobody_saw_written_is_told() {
    let report = traced(CHILDREN, watching(Watch::Off));
    assert_eq!(of(&report, "/a.csv"), ["7 use"]);
    let watch = report.watch.expect("a word on who watched");
    assert_eq!(watch.by, None);
    assert!(watch.unexplained.iter().any(|path| path.ends_with("a.csv")), "{watch:?}");
}

#[test]
fn a_test_without_native_code_and_children_needs_no_watcher() {
    let source = "def test_a(tmp_path):\n    (tmp_path / 'a').write_text('1')\n    assert (tmp_path / 'a').read_text()\n";
    let watch = traced(source, watching(Watch::Auto)).watch.expect("a word on who watched");
    assert_eq!((watch.by, watch.why.len(), watch.refused), (None, 0, false));
}

fn template(text: &str, how: How) -> LogTemplate {
    LogTemplate { text: text.to_owned(), how }
}

fn templates() -> Vec<LogTemplate> {
    vec![template("write table {table}", How::Define), template("read table {table}", How::Use)]
}

#[test]
fn records_of_a_logger_are_uses_and_changes_of_what_they_name() {
    let source = "\
import logging
log = logging.getLogger('remote')
def test_a(caplog):
    caplog.set_level('INFO')
    log.info('write table %s', 'orders')
    log.info('write table %s now', 'users')
    log.debug('read table users')
    log.info('read table orders')
    assert len(caplog.records) == 3
";
    let report = traced(source, Listening { templates: templates(), ..Listening::default() });
    assert_eq!(of(&report, "orders"), ["5 define", "8 use"]);
    assert_eq!(of(&report, "users"), ["6 define"]);
}

#[test]
fn lines_of_a_log_belong_to_the_statement_that_ran_when_they_were_appended() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Utf8PathBuf::from_path_buf(folder.path().join("system.log")).expect("UTF-8");
    std::fs::write(&log, "read table orders\n").expect("a file");
    let source = format!(
        "\
def say(text):
    with open({:?}, 'a') as file:
        file.write(text + '\\n')
def test_a():
    say('12:00 write table orders')
    say('12:00 nothing to see')
    say('12:01 read table orders')
",
        log.as_str()
    );
    let report =
        traced(&source, Listening { templates: templates(), logs: vec![log], ..Listening::default() });
    let rows = of(&report, "orders");
    assert!(rows.contains(&"5 define".to_owned()) && rows.contains(&"7 use".to_owned()), "{rows:?}");
    assert!(!rows.iter().any(|row| row.starts_with('6')), "{rows:?}");
}

#[test]
fn a_line_that_comes_late_belongs_to_the_statement_that_ran_at_its_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Utf8PathBuf::from_path_buf(folder.path().join("system.log")).expect("UTF-8");
    std::fs::write(&log, "").expect("a file");
    let conftest = format!(
        "\
import datetime, pytest
@pytest.fixture
def say():
    said = []
    yield lambda text: said.append(datetime.datetime.now().isoformat() + ' ' + text + '\\n')
    with open({:?}, 'a') as file:
        file.writelines(said)
",
        log.as_str()
    );
    let source =
        "def test_a(say):\n    say('write table orders')\n    other = 1\n    say('read table orders')\n";
    let listening = Listening { templates: templates(), logs: vec![log], ..Listening::default() };
    let report = traced_with(source, &[("conftest.py", &conftest)], listening);
    assert_eq!(of(&report, "orders"), ["2 define", "4 use"]);
}
