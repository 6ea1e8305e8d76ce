//! The runner against a real pytest: `PARING_TEST_PYTHON`, or the first `python3` that has one.

use super::{GoodVersion, Project, PytestRunner, list_failures};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{
    Candidate, Failure, FailureKind, Form, Heat, Job, Observation, Phase, Position, Runner, RunnerError,
    TargetSpec, Version,
};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static PYTHON: LazyLock<Utf8PathBuf> = LazyLock::new(|| {
    let python = std::env::var("PARING_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python).args(["-c", "import sys, pytest; print(sys.executable)"]).output();
    match found {
        Ok(output) if output.status.success() => {
            String::from_utf8(output.stdout).expect("a path").trim().into()
        }
        _ => panic!("{python} has no pytest: install it, or name an interpreter by PARING_TEST_PYTHON"),
    }
});

/// A folder with a project, and one for the cache.
struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    fn new(files: &[(&str, &str)]) -> Self {
        let lab = Self { folder: tempfile::tempdir().expect("a folder") };
        for (name, text) in files {
            lab.write(name, text);
        }
        lab
    }

    fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).expect("UTF-8")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root().join("project").join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    fn project(&self) -> Project {
        Project {
            cwd: self.root().join("project"),
            python: PYTHON.clone(),
            pytest_args: Vec::new(),
            env: Vec::new(),
            good: None,
            jobs: 1,
            memory_limit: None,
            cache_dir: self.root().join("cache"),
        }
    }

    fn runner(&self, target: &str) -> PytestRunner {
        self.start(self.project(), &TargetSpec::new(target)).expect("a runner")
    }

    fn start(&self, project: Project, target: &TargetSpec) -> Result<PytestRunner, RunnerError> {
        let file = project.cwd.join(target.id.split("::").next().expect("a file"));
        let _ = self;
        PytestRunner::start(project, &file, target, Duration::from_secs(20))
    }
}

fn job(text: &str, target: &str, heat: Heat) -> Job {
    let candidate = Candidate { text: text.to_owned(), target: target.to_owned(), form: Form::Blanked };
    Job { candidate, version: Version::Faulty, heat, timeout: None }
}

fn see(runner: &PytestRunner, text: &str, target: &str, heat: Heat) -> Observation {
    runner.observe(&[job(text, target, heat)]).expect("an observation").remove(0)
}

fn warm(runner: &PytestRunner, text: &str) -> Observation {
    see(runner, text, "test_a.py::test_a", Heat::Warm)
}

fn failure(observation: Observation) -> Failure {
    match observation {
        Observation::Failed(failure) => failure,
        other => panic!("expected a failure, saw {other:?}"),
    }
}

fn stack(lines: &[u32]) -> Vec<u32> {
    lines.to_vec()
}

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
    assert_eq!((failure.phase, failure.kind), (Phase::Call, FailureKind::Assertion));
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
    assert_eq!(warm(&runner, &body("import ctypes; ctypes.string_at(0)")), died("signal 11"));
    assert_eq!(warm(&runner, &body("os.kill(os.getpid(), signal.SIGKILL)")), died("signal 9"));
    assert_eq!(warm(&runner, &body("os.kill(os.getppid(), signal.SIGKILL)")), died("killed its runner"));
    assert_eq!(warm(&runner, passes), Observation::Passed);
    let exit = failure(warm(&runner, &body("sys.exit(4)")));
    assert_eq!(exit.exception().type_name, "SystemExit");
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
fn a_hang_is_cut_and_says_where() {
    let text =
        "import time\ndef wait():\n    while True:\n        time.sleep(0.01)\ndef test_a():\n    wait()\n";
    let lab = Lab::new(&[("test_a.py", text)]);
    let runner = lab.runner("test_a.py::test_a");
    for heat in [Heat::Warm, Heat::Cold] {
        let mut hanging = job(text, "test_a.py::test_a", heat);
        hanging.timeout = Some(Duration::from_millis(400));
        let began = Instant::now();
        let Observation::Hung { stack } = runner.observe(&[hanging]).expect("an observation").remove(0)
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
    use FailureKind::{Assertion, Exception, Omission};
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
    assert_eq!(failure.stack.iter().map(|place| place.line).collect::<Vec<_>>(), stack(&[6]));
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
    let target = TargetSpec { id: "test_a.py::test_a".into(), after: vec!["test_a.py::test_b".into()] };
    assert_eq!(warm(&lab.runner("test_a.py::test_a"), text), Observation::Passed);
    let runner = lab.start(lab.project(), &target).expect("a runner");
    for heat in [Heat::Warm, Heat::Cold] {
        let failure = failure(see(&runner, text, "test_a.py::test_a", heat));
        assert_eq!(failure.exception().message, "assert not [1]");
    }
}

#[test]
fn the_good_version_runs_the_same_text_on_other_code() {
    let text = "import lib\ndef test_a():\n    assert lib.x == 1\n";
    let lab = Lab::new(&[("test_a.py", text), ("lib.py", "x = 0\n"), ("../good/lib.py", "x = 1\n")]);
    // First without the test file in the good version, then with another text in it.
    for _ in 0..2 {
        let mut project = lab.project();
        let env = vec![("WHO".into(), "good".into())];
        project.good = Some(GoodVersion { cwd: lab.root().join("good"), env });
        let runner = lab.start(project, &TargetSpec::new("test_a.py::test_a")).expect("a runner");
        let mut jobs = vec![job(text, "test_a.py::test_a", Heat::Warm); 2];
        jobs[1].version = Version::Good;
        let seen = runner.observe(&jobs).expect("observations");
        assert!(matches!(&seen[..], [Observation::Failed(_), Observation::Passed]), "{seen:?}");
        assert!(runner.has_good());
        lab.write("../good/test_a.py", "an older text");
    }
}

const VARIED: &str = "\
import pytest
def deco(f):
    f.marked = True
    return f
class Base:
    def name(self):
        \"\"\"A docstring.\"\"\"
        return 'base'
class Sub(Base):
    def name(self):
        x = super().name()
        return x + '!'
    @property
    def __private(self):
        y = 1
        return y
    def private(self):
        z = self.__private
        return z
def outer():
    @deco
    def inner():
        return 1
    assert inner.marked
    return inner()
async def later():
    await None
    return 2
def numbers(n,
            m=2):

    for i in range(n):
        yield i * m
@pytest.fixture
def made():
    x = [1]
    yield x
def test_a(made):
    first = made[0]
    unused = 1
    assert Sub.name.__doc__ is None and Base.name.__doc__ == 'A docstring.'
    assert (Sub().name(), Sub().private(), outer(), list(numbers(3)), first) == 0
";

#[test]
fn functions_a_candidate_did_not_touch_behave_as_if_compiled_with_it() {
    let text = format!("{VARIED}{}", "# filler\n".repeat(250));
    let lab = Lab::new(&[("test_a.py", &text)]);
    let runner = lab.runner("test_a.py::test_a");
    let blanked = text.replace("    unused = 1\n", "              \n");
    for candidate in [&text, &blanked, &text.replace("    unused = 1\n", "")] {
        let fork = see(&runner, candidate, "test_a.py::test_a", Heat::Warm);
        assert_eq!(see(&runner, candidate, "test_a.py::test_a", Heat::Cold), fork);
        let message = failure(fork).exception().message.clone();
        assert!(message.starts_with("assert ('base!', 1, 1, [0, 2, 4], 1) == 0"), "{message}");
    }
}

#[test]
fn options_of_plugins_that_are_not_there_are_left_out_and_told() {
    let text = "def test_a():\n    assert 0\n";
    let ini = "[pytest]\naddopts = -q --no-such-plugin=1 --nope 4 -rs\n";
    let lab = Lab::new(&[("test_a.py", text), ("pytest.ini", ini)]);
    let runner = lab.runner("test_a.py::test_a");
    failure(warm(&runner, text));
    assert_eq!(runner.dropped(), ["--no-such-plugin=1", "--nope", "4"]);
    failure(see(&runner, text, "test_a.py::test_a", Heat::Cold));
}

const TRACED: &str = "\
def helper(xs):
    xs.append(1)
def test_a():
    xs = []
    ys = xs
    helper(xs)
    try:
        none = xs.sort()
        int('x')
    except OSError:
        pass
    except ValueError:
        xs = [
            2,
        ]
    for i in range(3):
        ys.append(i)
    assert not ys
";

#[test]
fn a_trace_tells_statements_changes_and_caught_exceptions() {
    let lab = Lab::new(&[("test_a.py", TRACED)]);
    let runner = lab.runner("test_a.py::test_a");
    let ran = runner.run(&job(TRACED, "test_a.py::test_a", Heat::Warm), true).expect("a run");
    let report = ran.facts.expect("facts");
    let of = |frame: usize| report.lines.iter().filter(move |line| line.frame == frame);
    let hits: Vec<(u32, u32)> = of(0).map(|line| (line.line, line.hits)).collect();
    let once = [4, 5, 6, 7, 8, 9, 10, 12, 13].map(|line| (line, 1));
    assert_eq!(hits, [&once[..], &[(16, 4), (17, 3), (18, 1)]].concat());
    assert_eq!(of(1).map(|line| line.line).collect::<Vec<_>>(), [2]);
    let changes: Vec<(u32, String)> = of(0)
        .filter(|line| !line.changed.is_empty())
        .map(|line| (line.line, line.changed.join(" ")))
        .collect();
    assert_eq!(changes, [(6, "l:xs l:ys".to_owned()), (17, "l:ys".to_owned())]);
    assert_eq!(report.transfers, [(0, 9, 12)]);
    assert!(report.reaches.contains(&(0, "l:xs".into(), "l:ys".into())));
    assert!(of(0).any(|line| line.line == 8 && line.void));
    assert!(report.immutable.contains(&(0, "l:i".into())));
}

#[test]
fn what_makes_forks_unsafe_is_noticed_and_told() {
    let text = "def test_a():\n    assert 0\n";
    let threads =
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n";
    let lab = Lab::new(&[("test_a.py", text), ("conftest.py", threads)]);
    let runner = lab.runner("test_a.py::test_a");
    failure(warm(&runner, text));
    assert!(runner.colder().is_some_and(|reason| reason.contains("thread")));

    let lab = Lab::new(&[("test_a.py", text), ("conftest.py", "import test_a\n")]);
    let runner = lab.runner("test_a.py::test_a");
    failure(warm(&runner, text));
    assert!(runner.colder().is_some_and(|reason| reason.contains("test_a")));
}

#[test]
fn a_file_that_two_runs_would_share_makes_them_take_turns() {
    let shares = "def test_a():\n    open('log.txt', 'a').write('x')\n    assert 0\n";
    let own = "def test_a(tmp_path):\n    (tmp_path / 'log.txt').write_text('x')\n    assert 0\n";
    let lab = Lab::new(&[("test_a.py", own)]);
    let mut project = lab.project();
    project.jobs = 2;
    let runner = lab.start(project, &TargetSpec::new("test_a.py::test_a")).expect("a runner");
    failure(warm(&runner, own));
    assert_eq!((runner.serial(), runner.n_parallel()), (None, 2));
    failure(warm(&runner, shares));
    assert!(runner.serial().is_some_and(|reason| reason.contains("log.txt")));
    assert_eq!(runner.n_parallel(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_eats_memory_is_limited() {
    let text = "def test_a():\n    bytearray(3 << 30)\n";
    let lab = Lab::new(&[("test_a.py", text)]);
    let mut project = lab.project();
    project.memory_limit = Some(1 << 30);
    let runner = lab.start(project, &TargetSpec::new("test_a.py::test_a")).expect("a runner");
    assert_eq!(failure(warm(&runner, text)).exception().type_name, "MemoryError");
}

#[test]
fn a_broken_environment_is_told_in_pytests_words() {
    let text = "def test_a():\n    assert 0\n";
    let code = |lab: &Lab, project: Project| {
        let runner = lab.start(project, &TargetSpec::new("test_a.py::test_a")).expect("a runner");
        let error = runner.observe(&[job(text, "test_a.py::test_a", Heat::Fresh)]).expect_err("no run");
        (error.code, error.message)
    };
    let lab = Lab::new(&[("test_a.py", text), ("conftest.py", "import nowhere_to_be_found\n")]);
    let (kind, message) = code(&lab, lab.project());
    assert_eq!(kind, "broken_environment");
    assert!(message.contains("conftest.py") && message.contains("nowhere_to_be_found"), "{message}");

    let lab = Lab::new(&[("test_a.py", text), ("away/pytest.py", "raise ImportError('gone')\n")]);
    let (kind, message) =
        code(&lab, Project { pytest_args: vec!["--no-such-option".into()], ..lab.project() });
    assert_eq!(kind, "broken_environment");
    assert!(message.contains("--no-such-option"), "{message}");
    let away = vec![("PYTHONPATH".to_owned(), lab.root().join("project/away").into_string())];
    assert_eq!(code(&lab, Project { env: away, ..lab.project() }).0, "no_pytest");
    let python = lab.root().join("no/python");
    assert_eq!(code(&lab, Project { python, ..lab.project() }).0, "no_interpreter");
}

#[test]
fn all_tests_of_a_path_are_listed_also_past_one_that_dies() {
    let lab = Lab::new(&[
        (
            "test_a.py",
            "import os, pytest\ndef test_1(): pass\ndef test_2(): os._exit(5)\n@pytest.mark.parametrize('n', [1, 2])\ndef test_3(n): assert n == 1\n",
        ),
        ("test_b.py", "import nowhere_to_be_found\n"),
    ]);
    let found = list_failures(&lab.project(), &[".".to_owned()]).expect("a list");
    let told: Vec<(&str, &str)> = found
        .iter()
        .map(|test| {
            let word = match &test.observation {
                Observation::Passed => "passed",
                Observation::Failed(failure) if failure.phase == Phase::Collection => "not collected",
                Observation::Failed(_) => "failed",
                Observation::Died { .. } => "died",
                other => panic!("{other:?}"),
            };
            (test.nodeid.as_str(), word)
        })
        .collect();
    let mut sorted = told.clone();
    sorted.sort_unstable();
    assert_eq!(
        sorted,
        [
            ("test_a.py::test_1", "passed"),
            ("test_a.py::test_2", "died"),
            ("test_a.py::test_3[1]", "passed"),
            ("test_a.py::test_3[2]", "failed"),
            ("test_b.py", "not collected"),
        ]
    );
    assert!(found.iter().all(|test| test.path.is_file()));
}
