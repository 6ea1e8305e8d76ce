//! What a traced run tells of files, tables, attributes and the like: a test each, by its lines.

use super::{Lab, job};
use crate::runner::message::HowReport;
use paring_model::Heat;

/// What each line did, in order of time and each once: `4 kill a.csv`. Files by their names, without the folder.
fn touched(source: &str, files: &[(&str, &str)]) -> Vec<String> {
    let lab = Lab::new(files);
    lab.write("test_a.py", source);
    let runner = lab.runner("test_a.py::test_a");
    let ran = runner.run(&job(source, "test_a.py::test_a", Heat::Warm), true).expect("a run");
    assert!(ran.items.iter().all(|item| item.failure.is_none()), "{:?}", ran.items);
    let report = ran.facts.expect("facts");
    assert!(report.lines.iter().all(|line| !line.partial), "{:?}", report.lines);
    let mut told = Vec::new();
    for touch in &report.touches {
        let how = match touch.3 {
            HowReport::Use => "use",
            HowReport::Define => "define",
            HowReport::Kill => "kill",
            HowReport::Clear => "clear",
            HowReport::Undo => "undo",
        };
        let names: Vec<&str> = match &touch.4[..] {
            [kind, names @ ..] if !names.is_empty() && kind != "random" => {
                names.iter().map(|name| name.rsplit('/').next().unwrap_or(name)).collect()
            }
            kind => kind.iter().map(String::as_str).collect(),
        };
        let row = format!("{} {how} {}", touch.1, names.join(" ").trim_end());
        if !told.contains(&row) {
            told.push(row);
        }
    }
    told
}

fn check(source: &str, expected: &[&str]) {
    assert_eq!(touched(source, &[]), expected, "{source}");
}

const SHOP: &str = "\
LIMIT = 1
STORE = []
class Cart:
    size = 1
    def get(self):
        return self.size
def add(x):
    STORE.append(x)
def count():
    return len(STORE)
def limit():
    return LIMIT
";

#[test]
fn a_stream_and_a_writer_around_it_write_the_file_that_a_reader_opens_by_name() {
    let source = "import csv\ndef test_a(tmp_path):\n    f = open(tmp_path / 'a.csv', 'w')\n    w = csv.writer(f)\n    n = w.writerow([1])\n    f.close()\n    other = 1\n    t = open(tmp_path / 'a.csv').read()\n";
    check(source, &["3 kill a.csv", "5 define a.csv", "6 define a.csv", "8 use a.csv"]);
}

#[test]
fn a_descriptor_writes_the_file_it_was_opened_for() {
    let source = "import os\ndef test_a(tmp_path):\n    d = os.open(str(tmp_path / 'a'), os.O_WRONLY | os.O_CREAT)\n    os.write(d, b'x')\n    os.close(d)\n    t = open(tmp_path / 'a').read()\n";
    check(source, &["3 kill a", "4 use a", "4 define a", "6 use a"]);
}

#[test]
fn files_are_renamed_and_deleted_with_their_folders() {
    let source = "import os, shutil\ndef test_a(tmp_path):\n    os.mkdir(tmp_path / 'd')\n    open(tmp_path / 'd' / 'a', 'w').close()\n    os.rename(tmp_path / 'd', tmp_path / 'e')\n    open(tmp_path / 'e' / 'a').close()\n    os.remove(tmp_path / 'e' / 'a')\n    assert not os.path.lexists(tmp_path / 'e' / 'a')\n";
    let told = touched(source, &[]);
    for row in [
        "3 define d",
        "4 use d",
        "4 kill a",
        "5 use d",
        "5 kill d",
        "5 use a",
        "5 kill e",
        "6 use e",
        "6 use a",
        "7 kill a",
        "8 use a",
    ] {
        assert!(told.contains(&row.to_owned()), "{row} in {told:?}");
    }
}

#[test]
fn an_append_leaves_what_was_there() {
    let source = "def test_a(tmp_path):\n    open(tmp_path / 'a', 'w').close()\n    open(tmp_path / 'a', 'a').close()\n    open(tmp_path / 'a').close()\n    open(tmp_path / 'b').close() if 0 else 1\n";
    check(source, &["2 kill a", "3 define a", "4 use a"]);
}

#[test]
fn a_relative_name_uses_the_working_directory() {
    let source = "import os\ndef test_a(tmp_path, monkeypatch):\n    os.chdir(tmp_path)\n    open('a', 'w').close()\n    x = os.getcwd()\n";
    let told = touched(source, &[]);
    assert_eq!(told[1..], ["3 kill cwd", "4 use cwd", "4 kill a", "5 use cwd"]);
}

#[test]
fn variables_of_the_environment_are_apart() {
    let source = "import os\ndef test_a(monkeypatch):\n    os.environ['A_1'] = '1'\n    monkeypatch.setenv('B_1', '2')\n    a = os.environ['A_1']\n    b = os.getenv('B_1')\n    del os.environ['A_1']\n    c = dict(os.environ)\n";
    check(
        source,
        &["3 kill A_1", "4 kill B_1", "5 use A_1", "6 use B_1", "7 kill A_1", "8 use A_1", "8 use B_1"],
    );
}

#[test]
fn tables_are_apart_and_a_commit_is_seen_by_both_connections() {
    let source = "import sqlite3\ndef test_a(tmp_path):\n    d = sqlite3.connect(tmp_path / 'x.db')\n    d.execute('create table t(a)')\n    d.execute('create table u(a)')\n    e = sqlite3.connect(tmp_path / 'x.db')\n    d.execute('insert into t values (1)')\n    d.execute('insert into u values (1)')\n    d.commit()\n    n = e.execute('select a from t').fetchall()\n    assert n == [(1,)]\n";
    let told = touched(source, &[]);
    let of =
        |line: &str| told.iter().filter(|row| row.starts_with(line)).map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("7 "), ["7 use x.db", "7 define x.db t"]);
    assert_eq!(of("8 "), ["8 use x.db", "8 define x.db u"]);
    assert_eq!(of("9 "), ["9 use x.db", "9 define x.db t", "9 define x.db u"]);
    assert_eq!(of("10 "), ["10 use x.db", "10 use x.db t"]);
}

#[test]
fn attributes_of_modules_and_classes_are_used_by_code_that_names_them() {
    let source = "import shop\ndef test_a():\n    shop.LIMIT = 5\n    shop.add('k')\n    shop.Cart.size = 3\n    a = shop.limit()\n    b = shop.count()\n    c = shop.Cart().get()\n    d = len('abc')\n    e = getattr(shop, 'LIM' + str('IT'))\n    f = getattr(shop, 'STORE')\n";
    let told = touched(source, &[("shop.py", SHOP)]);
    let expected = [
        "3 kill shop LIMIT",
        "4 define shop STORE",
        "5 kill shop.Cart size",
        "6 use shop LIMIT",
        "7 use shop STORE",
        "8 use shop.Cart size",
        "10 use shop LIMIT",
        "10 use shop STORE",
        "10 use shop.Cart size",
        "11 use shop STORE",
    ];
    assert_eq!(told, expected);
}

#[test]
fn the_statement_right_after_the_first_change_is_looked_at() {
    let source = "import shop\ndef test_a():\n    shop.add('k')\n    b = shop.count()\n";
    let told = touched(source, &[("shop.py", SHOP)]);
    assert_eq!(told, ["3 define shop STORE", "4 use shop STORE"]);
}

#[test]
fn a_function_in_the_place_of_another_is_a_changed_attribute() {
    let source = "import shop\ndef test_a(monkeypatch):\n    monkeypatch.setattr(shop, 'limit', lambda: 7)\n    a = shop.count()\n    b = shop.limit()\n";
    let told = touched(source, &[("shop.py", SHOP)]);
    assert_eq!(told, ["3 kill shop limit", "5 use shop limit"]);
}

#[test]
fn settings_of_a_logger_are_used_by_who_logs() {
    let source = "import logging\ndef test_a(caplog):\n    logging.getLogger('shop').setLevel('INFO')\n    x = len('abc')\n    logging.getLogger('shop').info('hello')\n    assert caplog.messages == ['hello']\n";
    let told = touched(source, &[]);
    assert!(told.contains(&"3 kill shop".to_owned()), "{told:?}");
    assert!(told.contains(&"5 use shop".to_owned()), "{told:?}");
    assert!(!told.iter().any(|row| row.starts_with("4 ")), "{told:?}");
}

#[test]
fn who_reads_the_clock_uses_who_slept() {
    let source = "import time\ndef test_a():\n    time.sleep(0)\n    x = len('abc')\n    t = time.time()\n";
    check(source, &["3 define clock", "5 use clock"]);
}

#[test]
fn each_random_number_depends_on_the_one_before() {
    let source =
        "import random\ndef test_a():\n    random.seed(3)\n    x = len('abc')\n    t = random.random()\n";
    check(source, &["3 define random", "5 use random", "5 define random"]);
}

#[test]
fn both_ends_of_a_connection_touch_it() {
    let source = "import socket\ndef test_a():\n    s = socket.socket()\n    s.bind(('127.0.0.1', 0))\n    s.listen()\n    k = socket.socket()\n    k.connect(s.getsockname())\n    k.sendall(b'hi')\n    c, _ = s.accept()\n    x = len('abc')\n    assert c.recv(2) == b'hi'\n    k.close(), c.close(), s.close()\n";
    let told = touched(source, &[]);
    let of = |line: &str| told.iter().filter(|row| row.starts_with(line)).count();
    assert!(["8 ", "9 ", "11 "].iter().all(|line| of(line) >= 2), "{told:?}");
    assert_eq!(of("10 "), 0, "{told:?}");
}

#[test]
fn what_a_child_process_reads_is_not_known() {
    let source =
        "import subprocess, sys\ndef test_a():\n    subprocess.run([sys.executable, '-c', ''])\n    x = 1\n";
    let lab = Lab::new(&[("test_a.py", source)]);
    let runner = lab.runner("test_a.py::test_a");
    let report = runner.run(&job(source, "test_a.py::test_a", Heat::Warm), true).expect("a run").facts;
    let report = report.expect("facts");
    let partial: Vec<u32> = report.lines.iter().filter(|line| line.partial).map(|line| line.line).collect();
    assert_eq!(partial, [3]);
    assert!(report.touches.iter().any(|touch| touch.1 == 3 && touch.4 == ["unknown"]));
}
