//! What pytest tests need, for `paring doctor`: an interpreter, pytest, plugins that let it start, and tests.

use super::Python;
use crate::finding::Finding;
use camino::Utf8Path;
use paring_model::RunnerError;
use paring_python::runner::find_python;
use paring_worker::{End, Launch, Patience, Ran, run};
use serde::Deserialize;
use std::time::Duration;

/// Says of itself what paring wants to know; runs on any Python 3.
const PROBE: &str = include_str!("probe.py");
const PROBE_LIMIT: Duration = Duration::from_secs(30);
/// Collecting loads the whole project.
const COLLECT_LIMIT: Duration = Duration::from_mins(2);
/// Versions that have been tried, and what is older than all of them.
const OLDEST_PYTHON: (u32, u32) = (3, 9);
const OLDEST_PYTEST: u32 = 7;

#[derive(Deserialize)]
struct Probe {
    python: (u32, u32, u32),
    pytest: Option<String>,
    plugins: Vec<String>,
    can_fork: bool,
    has_monitoring: bool,
    paring: Option<String>,
}

pub fn examine(python: &Python) -> Vec<Finding> {
    match find(python) {
        Ok((program, probe)) => tell(python, &program, &probe),
        Err(error) => vec![Finding::of_error("python", error)],
    }
}

fn find(python: &Python) -> Result<(camino::Utf8PathBuf, Probe), RunnerError> {
    let env = |name: &str| std::env::var(name).ok();
    let named = python.interpreter.as_ref().map(|path| path.as_str());
    let program = find_python(named, &python.cwd, &env)?;
    let ran = ask(&program, &python.cwd, &["-c", PROBE], PROBE_LIMIT);
    let answer = ran.as_ref().and_then(|ran| serde_json::from_str(ran.stdout.lines().last()?).ok());
    match answer {
        Some(probe) => Ok((program, probe)),
        None => Err(RunnerError {
            code: paring_model::ErrorCode::NoInterpreter,
            message: format!("{program} is no Python"),
            help: "name the project's interpreter with --python, or activate its environment".to_owned(),
        }),
    }
}

fn ask(program: &Utf8Path, cwd: &Utf8Path, args: &[&str], limit: Duration) -> Option<Ran> {
    let launch = Launch {
        program: program.to_owned(),
        args: args.iter().map(ToString::to_string).collect(),
        cwd: cwd.to_owned(),
        env: vec![("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned())],
    };
    run(&launch, limit, Patience::Heed).ok()
}

fn tell(python: &Python, program: &Utf8Path, probe: &Probe) -> Vec<Finding> {
    let (major, minor, micro) = probe.python;
    let told = format!("{major}.{minor}.{micro} ({program})");
    let mut findings = vec![if (major, minor) < OLDEST_PYTHON {
        Finding::broken("python", told, "use Python 3.9 or newer for the tests: --python FILE")
    } else {
        Finding::works("python", told)
    }];
    let pytest = pytest(program, probe);
    let has_pytest = pytest.next.is_empty();
    findings.push(pytest);
    if has_pytest {
        let plugins = match probe.plugins.as_slice() {
            [] => "none".to_owned(),
            plugins => plugins.join(", "),
        };
        findings.push(Finding::works("plugins", plugins));
        findings.push(collected(python, program));
        findings.push(pare_option(program, probe));
    }
    if !probe.can_fork {
        let told = "this system cannot fork: each run starts Python anew, which is slower";
        findings.push(Finding::note("runs", told, ""));
    }
    if !probe.has_monitoring {
        let told = "`paring localize` records lines with sys.settrace, which slows the suite down";
        findings.push(Finding::note(
            "recorder",
            told,
            "use Python 3.12 or newer, where the project allows it",
        ));
    }
    findings
}

fn pytest(program: &Utf8Path, probe: &Probe) -> Finding {
    let install = format!("{program} -m pip install 'pytest>=7'");
    let Some(version) = &probe.pytest else {
        return Finding::broken("pytest", "not installed in that environment", install);
    };
    let major: u32 = version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
    if major < OLDEST_PYTEST {
        return Finding::broken("pytest", format!("{version} is older than 7"), install);
    }
    Finding::works("pytest", version.clone())
}

/// Has pytest collect the tests: that takes its plugins, its configuration, conftest files and all test files.
fn collected(python: &Python, program: &Utf8Path) -> Finding {
    let mut args = vec!["-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"];
    args.extend(python.pytest_args.iter().map(String::as_str));
    let by_hand = format!("{program} -m pytest --collect-only -q");
    let Some(ran) = ask(program, &python.cwd, &args, COLLECT_LIMIT) else {
        return Finding::broken("tests", "pytest could not be started", by_hand);
    };
    let summary = || ran.stdout.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match ran.end {
        End::Code(0) => Finding::works("tests", summary().trim_matches(['=', ' '])),
        End::Code(5) => Finding::note(
            "tests",
            "pytest finds no test here",
            "go to the folder in which you run pytest, or name a test to pare",
        ),
        End::TimedOut => Finding::note(
            "tests",
            "collecting the tests takes more than two minutes",
            "name a single test to pare",
        ),
        // Some files do not load; tests of others can be pared.
        End::Code(2) if ran.stdout.contains(" collected") || ran.stdout.contains("tests") => {
            Finding::note("tests", reason(&ran), by_hand)
        }
        End::Code(_) | End::Killed(_) => Finding::broken("tests", reason(&ran), by_hand),
    }
}

/// The lines of pytest's output that say what is wrong.
fn reason(ran: &Ran) -> String {
    let said: Vec<&str> = ran.stdout.lines().chain(ran.stderr.lines()).collect();
    let errors = said
        .iter()
        .filter(|line| line.starts_with("E  ") || line.starts_with("ERROR") || line.contains("Error: "));
    let mut told: Vec<&str> = errors.map(|line| line.trim_start_matches("E ").trim()).take(4).collect();
    if told.is_empty() {
        told.extend(said.iter().rev().find(|line| !line.trim().is_empty()).copied());
    }
    told.join("\n")
}

/// Whether `pytest --pare` works there.
fn pare_option(program: &Utf8Path, probe: &Probe) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    let install = format!("{program} -m pip install paring=={own}");
    match &probe.paring {
        None => Finding::note("pytest --pare", "not installed in that environment", install),
        Some(version) if version != own => {
            Finding::note("pytest --pare", format!("of version {version}, and this is {own}"), install)
        }
        Some(_) => Finding::works("pytest --pare", "installed"),
    }
}
