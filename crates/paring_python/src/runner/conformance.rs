//! The runner against a real pytest: `PARING_TEST_PYTHON`, or the first `python3` that has one.

mod calls;
mod candidates;
mod coverage;
#[cfg(unix)]
mod files;
mod mutants;
mod resources;
mod surroundings;
mod told;
mod watch;
mod writing;

use super::{Project, PytestRunner};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Candidate, Failure, Form, Heat, Job, Listening, Observation, RunnerError, TargetSpec};
use paring_testkit::observe_single;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

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
            listening: Listening::default(),
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
    let candidate = Candidate::single("test_a.py".into(), text.to_owned(), target, Form::Blanked);
    Job::new(candidate, heat, None)
}

fn see(runner: &PytestRunner, text: &str, target: &str, heat: Heat) -> Observation {
    observe_single(runner, &[job(text, target, heat)]).expect("an observation").remove(0)
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
