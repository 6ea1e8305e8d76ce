//! What is seen of a candidate, whatever it does.

use super::{Lab, failure, job, observe_single, see, warm};
use paring_model::FailureKind::{Assertion, Exception, Omission};
use paring_model::{Heat, Observation, Phase, Position};
use paring_testkit::conformance::{SeveralCases, several};
use std::time::{Duration, Instant};

const CLASSY: &str = "\
import pytest
from helper import double

@pytest.fixture
def base():
    yield 2

class TestDouble:
    @pytest.mark.parametrize('n', [1, 2])
    def test_it(self, base, n, tmp_path):
        assert tmp_path.is_dir()
        assert double(base) == n
";

#[test]
fn a_test_is_seen_alike_in_a_fork_a_fresh_and_a_cold_process() {
    let lab = Lab::new(&[
        ("sub/test_a.py", CLASSY),
        ("sub/helper.py", "def double(x):\n    return x + x\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-x -q --lf'\n"),
    ]);
    let target = "sub/test_a.py::TestDouble::test_it[2]";
    let runner = lab.runner(target);
    let fresh = see(&runner, CLASSY, target, Heat::Fresh);
    assert_eq!(see(&runner, CLASSY, target, Heat::Warm), fresh);
    assert_eq!(see(&runner, CLASSY, target, Heat::Cold), fresh);
    let failure = failure(fresh);
    assert_eq!((failure.phase, failure.kind), (Phase::Call, Assertion));
    assert_eq!(failure.exception().message, "assert 4 == 2\n +  where 4 = double(2)");
    assert_eq!(failure.site().map(|site| site.line), Some(12));
    assert_eq!(runner.colder(), None);
    let left: Vec<String> = std::fs::read_dir(lab.root().join("project"))
        .expect("the project")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(['.', '_']))
        .collect();
    assert!(left.is_empty(), "written to the user's tree: {left:?}");
}

#[test]
fn whatever_a_test_does_is_an_observation_and_the_next_run_is_not_disturbed() {
    let lab = Lab::new(&[("test_a.py", "def test_a():\n    assert 0\n")]);
    let runner = lab.runner("test_a.py::test_a");
    let died = |how: &str| Observation::Died { how: how.to_owned() };
    let passes = "def test_a():\n    pass\n";
    let body = |line: &str| format!("import os, signal, sys, time\ndef test_a():\n    {line}\n");

    assert_eq!(warm(&runner, &body("os._exit(3)")), died("exit 3"));
    assert_eq!(warm(&runner, &body("import ctypes; ctypes.string_at(0)")), died("signal 11 (SIGSEGV)"));
    assert_eq!(warm(&runner, &body("os.kill(os.getpid(), signal.SIGKILL)")), died("signal 9 (SIGKILL)"));
    assert_eq!(warm(&runner, &body("os.kill(os.getppid(), signal.SIGKILL)")), died("killed its runner"));
    assert_eq!(warm(&runner, passes), Observation::Passed);
    let exit = failure(warm(&runner, &body("sys.exit(4)")));
    assert_eq!(exit.exception().type_name, "SystemExit");
    let interrupt = failure(warm(&runner, &body("raise KeyboardInterrupt")));
    assert_eq!(
        (interrupt.exception().type_name.as_str(), interrupt.phase),
        ("KeyboardInterrupt", Phase::Call)
    );
    let gone = body("import shutil, tempfile; d = tempfile.mkdtemp(); os.chdir(d); shutil.rmtree(d)");
    assert_eq!(warm(&runner, &gone), Observation::Passed);
    assert_eq!(
        warm(&runner, &body("os.write(1, b'x' * 3_000_000); sys.__stdout__.write('{}\\n' * 99999)")),
        Observation::Passed
    );
    assert_eq!(warm(&runner, &body("os.fork()")), Observation::Passed);
    assert_eq!(warm(&runner, passes), Observation::Passed);
}

#[test]
fn several_tests_run_in_one_process_in_the_order_asked_for() {
    let text = |second: &str| {
        let second = second.replace('\n', "\n    ");
        format!(
            "import os\nimport pytest\nMARKS = []\ndef test_late():\n    {second}\n\
             @pytest.mark.parametrize('n', [1, 2])\ndef test_mark(n):\n    MARKS.append(n)\n\
             class TestOther:\n    def test_fails(self):\n        assert False\n\
             \x20   def test_passes(self):\n        pass\n"
        )
    };
    let lab = Lab::new(&[("test_a.py", &text("assert MARKS == [1, 2]"))]);
    let candidate = |second: &str, third: &str| {
        let ids = ["test_mark", "test_late", third].map(|name| format!("test_a.py::{name}"));
        job(&text(second), "", Heat::Warm).candidate.with_targets(ids)
    };
    let cases = SeveralCases {
        marking: candidate("assert MARKS == [1, 2]", "TestOther::test_fails"),
        dying: candidate("os._exit(3)", "TestOther::test_passes"),
    };
    several(&lab.runner("test_a.py::test_late"), &cases);
}

#[test]
fn a_hang_is_cut_and_says_where() {
    let text =
        "import time\ndef wait():\n    while True:\n        time.sleep(0.01)\ndef test_a():\n    wait()\n";
    let lab = Lab::new(&[("test_a.py", text)]);
    let runner = lab.runner("test_a.py::test_a");
    for heat in [Heat::Warm, Heat::Cold] {
        let mut hanging = job(text, "test_a.py::test_a", heat);
        hanging.timeout = Some(Duration::from_millis(400));
        let began = Instant::now();
        let Observation::Hung { stack, .. } =
            observe_single(&runner, &[hanging]).expect("an observation").remove(0)
        else {
            panic!("expected a hang");
        };
        assert!(began.elapsed() < Duration::from_secs(15));
        assert_eq!(stack.first(), Some(&Position { line: 6, column: None }));
        assert!(matches!(stack.last(), Some(Position { line: 3 | 4, .. })), "{stack:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_and_processes_left_behind_are_not_awaited_and_do_not_survive() {
    let text = "\
import os, subprocess, sys, threading, time
def test_a():
    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)'], start_new_session=True)
    threading.Thread(target=time.sleep, args=(99,)).start()
    assert not child.pid
";
    let lab = Lab::new(&[("test_a.py", text)]);
    let runner = lab.runner("test_a.py::test_a");
    let began = Instant::now();
    let message = failure(warm(&runner, text)).exception().message.clone();
    assert!(began.elapsed() < Duration::from_secs(15));
    let pid = message.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty()).expect("a number");
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

#[test]
fn a_candidate_that_does_not_compile_or_lost_its_test_is_broken() {
    let lab = Lab::new(&[("test_a.py", "def test_a():\n    assert 0\n")]);
    let runner = lab.runner("test_a.py::test_a");
    match warm(&runner, "def test_a():\n    assert (\n") {
        Observation::Broken { line, .. } => assert!(line.is_some()),
        other => panic!("{other:?}"),
    }
    assert!(matches!(warm(&runner, "def test_b(): pass\n"), Observation::Broken { line: None, .. }));
    let import = failure(warm(&runner, "import nowhere_to_be_found\ndef test_a(): pass\n"));
    assert_eq!(import.phase, Phase::Collection);
    assert_eq!(import.exception().type_name, "ModuleNotFoundError");
    assert_eq!(import.site().map(|site| site.line), Some(1));
    let raised = failure(warm(&runner, "x = 1\nx.y\ndef test_a(): pass\n"));
    assert_eq!((raised.phase, raised.exception().type_name.as_str()), (Phase::Collection, "AttributeError"));
    let skip = warm(&runner, "import pytest\npytest.skip('not here', allow_module_level=True)\n");
    assert!(matches!(skip, Observation::Skipped { .. }), "{skip:?}");
}

#[test]
fn failures_are_told_by_kind_phase_cause_and_place() {
    let lab = Lab::new(&[
        ("test_a.py", "def test_a():\n    assert 0\n"),
        ("lib.py", "def f(x):\n    return 1 / x\n"),
    ]);
    let runner = lab.runner("test_a.py::test_a");
    let kind = |text: &str| {
        let failure = failure(warm(&runner, &format!("import pytest, unittest\n{text}")));
        (failure.kind, failure.phase)
    };
    assert_eq!(kind("def test_a():\n  with pytest.raises(OSError):\n    pass\n"), (Omission, Phase::Call));
    assert_eq!(kind("def test_a():\n  pytest.fail('no')\n"), (Omission, Phase::Call));
    assert_eq!(kind("@pytest.mark.xfail(strict=True)\ndef test_a():\n  pass\n"), (Omission, Phase::Call));
    assert_eq!(kind("@pytest.fixture\ndef x(): 1 / 0\ndef test_a(x):\n  pass\n"), (Exception, Phase::SetUp));
    assert_eq!(
        kind("@pytest.fixture\ndef x():\n  yield\n  assert 0\ndef test_a(x):\n  pass\n"),
        (Assertion, Phase::TearDown)
    );

    let unit = |body: &str| {
        let text = format!("import unittest\nclass T(unittest.TestCase):\n  def test_a(self):\n    {body}\n");
        failure(see(&runner, &text, "test_a.py::T::test_a", Heat::Warm)).kind
    };
    assert_eq!(unit("self.assertEqual(1, 2)"), Assertion);
    assert_eq!(unit("self.fail('no')"), Omission);
    assert_eq!(unit("self.assertRaises(OSError, int)"), Omission);

    let text = "\
from lib import f
def test_a():
    try:
        f(0)
    except ZeroDivisionError as error:
        raise KeyError('é') from error
";
    let failure = failure(warm(&runner, text));
    let types: Vec<&str> = failure.exceptions.iter().map(|error| error.type_name.as_str()).collect();
    assert_eq!(types, ["KeyError", "ZeroDivisionError"]);
    assert_eq!(failure.stack.iter().map(|place| place.line).collect::<Vec<_>>(), [6]);
    assert_eq!(failure.below, []);
}

#[test]
fn xfail_and_skip_are_no_failures() {
    let lab = Lab::new(&[("test_a.py", "def test_a():\n    assert 0\n")]);
    let runner = lab.runner("test_a.py::test_a");
    let xfail =
        warm(&runner, "import pytest\n@pytest.mark.xfail(reason='known')\ndef test_a():\n    assert 0\n");
    assert_eq!(xfail, Observation::Skipped { reason: "xfail: known".into() });
    let skip = warm(&runner, "import pytest\ndef test_a():\n    pytest.skip('later')\n");
    assert!(matches!(&skip, Observation::Skipped { reason } if reason.contains("later")), "{skip:?}");
}

#[test]
fn the_test_sees_the_candidate_as_its_own_source() {
    let text = "import inspect\ndef test_a():\n    assert inspect.getsource(test_a) == 'here'\n";
    let lab = Lab::new(&[("test_a.py", "# a longer file\n\n\ndef test_a():\n    pass\n")]);
    let runner = lab.runner("test_a.py::test_a");
    assert!(failure(warm(&runner, text)).exception().message.contains("def test_a():"));
    let latin = "# -*- coding: latin-1 -*-\r\ndef test_a():\r\n\tassert 'é' == 'e'\r\n";
    assert!(failure(warm(&runner, latin)).exception().message.contains("'é' == 'e'"));
}

#[test]
fn tests_before_the_target_run_in_the_same_process() {
    let text = "seen = []\ndef test_b():\n    seen.append(1)\ndef test_a():\n    assert not seen\n";
    let lab = Lab::new(&[("test_a.py", text)]);
    let runner = lab.runner("test_a.py::test_a");
    assert_eq!(warm(&runner, text), Observation::Passed);
    for heat in [Heat::Warm, Heat::Cold] {
        let mut job = job(text, "test_a.py::test_a", heat);
        job.candidate.after = vec!["test_a.py::test_b".into()];
        let failure = failure(observe_single(&runner, &[job]).expect("a run").remove(0));
        assert_eq!(failure.exception().message, "assert not [1]");
    }
}

#[test]
fn functions_of_a_long_file_that_moved_are_told_where_they_are() {
    let other = |idx| format!("def other_{idx}():\n    value = {idx}\n    assert value\n\n\n");
    let others: String = (0..60).map(other).collect();
    let helper = "def helper(n):\n    values = [each for each in [n]]\n    assert values == [2]\n";
    let file = |first: &str, more: &str| {
        format!("{first}import os\n\n\n{others}def test_a():\n    n = 1\n{more}    helper(n)\n\n\n{helper}")
    };
    let lab = Lab::new(&[("test_a.py", &file("", ""))]);
    let runner = lab.runner("test_a.py::test_a");
    for (first, more) in [("", ""), ("import contextlib\n", "    m = 2\n"), ("", "    m = 2\n    m = 3\n")] {
        let text = file(first, more);
        let seen = failure(warm(&runner, &text));
        assert!(seen.exception().message.starts_with("assert [1] == [2]"), "{seen:?}");
        let lines: Vec<&str> =
            seen.stack.iter().filter_map(|at| text.lines().nth(at.line as usize - 1)).collect();
        assert_eq!(lines, ["    helper(n)", "    assert values == [2]"]);
    }
}
