//! What is around a run: the other version, the environment, the compiler, the tracer.

use super::super::{GoodVersion, Project, list_failures};
use super::{Lab, failure, job, observe_single, see, warm};
use paring_model::{ErrorCode, Heat, Observation, Phase, Runner, TargetSpec, Version};

#[test]
fn the_good_version_runs_the_same_text_on_other_code() {
    let text = "import lib\ndef test_a():\n    assert lib.x == 1\n";
    let lab = Lab::new(&[("test_a.py", text), ("lib.py", "x = 0\n"), ("../good/lib.py", "x = 1\n")]);
    // First without the test file in the good version, then with another text in it.
    for _ in 0..2 {
        let mut project = lab.project();
        let env = vec![("WHO".into(), "good".into())];
        project.good = Some(GoodVersion { cwd: lab.root().join("good"), env, tree: None });
        let runner = lab.start(project, &TargetSpec::new("test_a.py::test_a")).expect("a runner");
        let mut jobs = vec![job(text, "test_a.py::test_a", Heat::Warm); 2];
        jobs[1].version = Version::Good;
        let seen = observe_single(&runner, &jobs).expect("observations");
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
        let error =
            observe_single(&runner, &[job(text, "test_a.py::test_a", Heat::Fresh)]).expect_err("no run");
        (error.code, error.message)
    };
    let lab = Lab::new(&[("test_a.py", text), ("conftest.py", "import nowhere_to_be_found\n")]);
    let (kind, message) = code(&lab, lab.project());
    assert_eq!(kind, ErrorCode::BrokenEnvironment);
    assert!(message.contains("conftest.py") && message.contains("nowhere_to_be_found"), "{message}");

    let lab = Lab::new(&[("test_a.py", text), ("away/pytest.py", "raise ImportError('gone')\n")]);
    let (kind, message) =
        code(&lab, Project { pytest_args: vec!["--no-such-option".into()], ..lab.project() });
    assert_eq!(kind, ErrorCode::BrokenEnvironment);
    assert!(message.contains("--no-such-option"), "{message}");
    let away = vec![("PYTHONPATH".to_owned(), lab.root().join("project/away").into_string())];
    assert_eq!(code(&lab, Project { env: away, ..lab.project() }).0, ErrorCode::NoPytest);
    let python = lab.root().join("no/python");
    assert_eq!(code(&lab, Project { python, ..lab.project() }).0, ErrorCode::NoInterpreter);
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
