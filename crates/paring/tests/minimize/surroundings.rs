//! Interpreters, plugins, configuration and folders as projects and machines have them.

use crate::trial::Trial;
use camino::Utf8PathBuf;
use paring_testkit::{project::workspace, python};
use std::process::Command;

const TOTAL: &str = "def test_total():\n    prices = [3, 4]\n    total = sum(prices)\n    assert total == 8";

/// The interpreter with the oldest pytest that paring works with, where `make test` has made it.
fn oldest_python() -> Option<Utf8PathBuf> {
    let named = std::env::var("PARING_TEST_PYTHON_OLDEST").map(Utf8PathBuf::from);
    let oldest = named.unwrap_or_else(|_| workspace().join(".tools/venv-oldest/bin/python"));
    oldest.is_file().then_some(oldest)
}

fn interpreters() -> impl Iterator<Item = Utf8PathBuf> {
    std::iter::once(python()).chain(oldest_python())
}

#[test]
fn an_interpreter_without_pytest_is_told_to_get_it() {
    let trial = Trial::on("read_only");
    let bare = trial.outside("bare");
    let made = Command::new(python()).args(["-m", "venv", "--without-pip", bare.as_str()]).status();
    assert!(made.is_ok_and(|status| status.success()), "an environment can be made");
    let ran = trial.python(bare).minimize(&["test_total.py::test_total"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_pytest");
    ran.says(&["has no pytest", "next: install pytest 7 or newer into that environment", "--python"]);
}

#[test]
fn an_interpreter_that_is_not_there_is_told_by_name() {
    let ran = Trial::on("read_only").python("nowhere/bin/python").minimize(&["test_total.py::test_total"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_interpreter");
    ran.says(&[
        "there is no interpreter nowhere/bin/python",
        "next: name the project's interpreter with --python",
    ]);
}

#[test]
fn an_interpreter_that_is_none_is_told_with_its_words() {
    let ran = Trial::on("read_only").python("/bin/false").minimize(&["test_total.py::test_total"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_interpreter");
    ran.says(&["/bin/false ended before it was ready"]);
}

#[test]
fn the_environment_of_the_project_is_found_without_being_named() {
    let environment = python().parent().and_then(|bin| bin.parent()).map(camino::Utf8Path::to_owned);
    let Some(environment) = environment.filter(|folder| folder.join("pyvenv.cfg").is_file()) else { return };
    let trial = Trial::on("read_only").without_python();
    std::os::unix::fs::symlink(environment, trial.project.root().join(".venv")).expect("the folder is ours");
    // Of what the path offers, none has pytest.
    let ran = trial.env("PATH", "/usr/bin:/bin").minimize(&["test_total.py::test_total"]);
    assert_eq!(ran.pared(), TOTAL, "{ran}");
}

#[test]
fn a_conftest_that_fails_is_told_with_its_error() {
    let ran = Trial::on("broken_conftest").minimize(&["test_any.py::test_any"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "broken_environment");
    ran.says(&[
        "conftest.py",
        "line 2, in <module>",
        "RuntimeError: the conftest of this project is broken",
        "next: run `python -m pytest` on the test by hand",
    ]);
    assert!(!ran.stdout.contains("importlib"), "only the user's frames are told\n{ran}");
}

#[test]
fn parallel_runs_in_the_configuration_do_not_matter_with_the_plugin_or_without() {
    for python in interpreters() {
        let ran = Trial::on("xdist_in_config").python(python).minimize(&["test_total.py::test_total"]);
        assert_eq!(ran.pared(), TOTAL, "{ran}");
    }
}

#[test]
fn coverage_in_the_configuration_does_not_matter_with_the_plugin_or_without() {
    for python in interpreters() {
        let ran = Trial::on("coverage_in_config").python(python).minimize(&["test_total.py::test_total"]);
        assert_eq!(ran.pared(), TOTAL, "{ran}");
    }
}

#[test]
fn the_oldest_pytest_is_good_enough() {
    let Some(oldest) = oldest_python() else { return };
    let trial = Trial::on("fixture_failures").python(oldest);
    let ran = trial.minimize(&["test_phases.py::test_set_up"]);
    ran.only(0, "minimized");
    ran.says(&["failure: KeyError: 'depth', line 8, in set-up"]);
}

#[test]
fn a_project_in_which_nothing_can_be_written_is_pared() {
    use std::os::unix::fs::PermissionsExt;
    let trial = Trial::on("read_only");
    let may = |mode: u32| {
        std::fs::set_permissions(trial.project.root(), std::fs::Permissions::from_mode(mode))
            .expect("it is ours");
    };
    may(0o555);
    // That nothing was written, by root either, is checked after every run.
    let ran = trial.minimize(&["test_total.py::test_total"]);
    may(0o755);
    assert_eq!(ran.pared(), TOTAL, "{ran}");
}

#[test]
fn a_cache_that_cannot_be_written_is_told_with_what_to_set() {
    let trial = Trial::on("read_only");
    std::fs::write(trial.outside("file"), "").expect("the folder is ours");
    let cache = trial.outside("file/cache");
    let ran = trial.env("PARING_CACHE_DIR", cache.as_str()).minimize(&["test_total.py::test_total"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "cache");
    ran.says(&["cannot write to the cache", cache.as_str(), "PARING_CACHE_DIR"]);
}

#[test]
fn what_follows_two_dashes_reaches_pytest() {
    let trial = Trial::on("read_only");
    trial.project.write("conftest.py", "def pytest_addoption(parser):\n    parser.addoption('--paint')\n\n\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef paint(request):\n    assert request.config.getoption('--paint') == 'red', 'no paint'\n");
    let ran = trial.minimize(&["test_total.py::test_total", "--", "--paint", "red"]);
    assert_eq!(ran.only(0, "minimized")["failure"]["message"], "assert 7 == 8", "{ran}");
}

#[test]
fn what_is_no_python_is_called_so() {
    for program in ["/bin/ls", "/bin/cat"] {
        let trial = Trial::with_file("test_a.py", "def test_a():\n    assert 1 == 2\n").python(program);
        let ran = trial.minimize(&["test_a.py::test_a"]);
        assert_eq!(ran.only(7, "error")["error"]["code"], "no_interpreter", "{ran}");
        ran.says(&[&format!("error: {program} "), "no Python"]);
    }
}

#[test]
fn a_plugin_that_stops_pytest_is_named_in_the_first_line() {
    let trial = Trial::with_file("test_a.py", "def test_a():\n    assert 1 == 2\n");
    trial
        .project
        .write("conftest.py", "def pytest_configure(config):\n    settings = {}\n    settings['x']\n");
    let ran = trial.minimize(&["test_a.py::test_a"]);
    let error = &ran.only(7, "error")["error"];
    assert_eq!(error["code"], "broken_environment", "{ran}");
    let first = error["message"].as_str().and_then(|message| message.lines().next()).unwrap_or_default();
    assert!(first.starts_with("pytest cannot start: KeyError: 'x', at "), "{ran}");
    assert!(first.contains("conftest.py:3 in pytest_configure (with "), "{ran}");
}
