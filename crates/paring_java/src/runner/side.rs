//! One version of the project: its worker JVMs, and how a run is made on them.

use super::jdk::Jdk;
use super::jvm::Jvm;
use super::message::{Mode, Ran, Request};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Heat, RunnerError};
use paring_worker::{Keeper, Patience, Pool};
use std::sync::{Arc, Weak};

/// What JVMs of one version are started with.
#[derive(Clone, Debug)]
pub struct Settings {
    pub jdk: Jdk,
    /// The worker's own jar.
    pub jar: Utf8PathBuf,
    pub cwd: Utf8PathBuf,
    pub env: Vec<(String, String)>,
    pub jvm_args: Vec<String>,
    pub memory_limit: Option<u64>,
    pub classpath: Vec<String>,
    pub fresh: Vec<String>,
    pub javac_args: Vec<String>,
    pub source_roots: Vec<String>,
    /// Roots of the sources whose lines cold runs record; none where no lines are.
    pub coverage: Vec<String>,
    /// Roots of the sources of tests whose calls are followed; none where no calls are.
    pub calls: Vec<String>,
    /// Whether a quick start is worth more than quick code: not so where a whole suite runs.
    pub is_short: bool,
    pub keeper: Weak<Keeper>,
    /// Where a crashing JVM may write.
    pub scratch: Utf8PathBuf,
}

pub struct Side {
    pub settings: Arc<Settings>,
    warm: Pool<Jvm, RunnerError>,
    /// Processes that only run results.
    apart: Pool<Jvm, RunnerError>,
}

impl Side {
    pub fn new(settings: Settings, jobs: usize) -> Self {
        let settings = Arc::new(settings);
        let pool = |n: usize, mode: Mode| {
            let own = Arc::clone(&settings);
            // The interruption takes the worker it meets with it, and the best result so far still has to be verified in others.
            Pool::new(n, move || Jvm::start(&own, mode, &[], Patience::WaitAllTheSame))
        };
        // The next target, too, is first seen in two of them.
        Self { warm: pool(jobs.max(2), Mode::Warm), apart: pool(jobs, Mode::Apart), settings }
    }

    pub fn start_ahead(&self, n: usize) {
        self.warm.start_ahead(n);
    }

    /// Makes one run, or one compilation, in a warm worker.
    pub fn run_warm(
        &self,
        request: &Request<'_>,
        heat: Heat,
        patience: Patience,
    ) -> Result<Ran, RunnerError> {
        let jvm = match heat {
            Heat::Fresh => self.warm.take_another()?,
            Heat::Warm | Heat::Apart | Heat::Cold => self.warm.take()?,
        };
        ask_and_return(&self.warm, jvm, request, patience)
    }

    /// A run of classes that were compiled before, in a process in which nothing is searched.
    pub fn run_apart(
        &self,
        classes: &Utf8Path,
        request: &Request<'_>,
        patience: Patience,
    ) -> Result<Ran, RunnerError> {
        let request = Request { from: Some(classes.as_str()), ..request.clone() };
        ask_and_return(&self.apart, self.apart.take()?, &request, patience)
    }

    /// A run in a process that does nothing else, of classes that were compiled before.
    pub fn run_cold(
        &self,
        classes: Option<&Utf8Path>,
        request: &Request<'_>,
        patience: Patience,
    ) -> Result<Ran, RunnerError> {
        run_cold(&self.settings, classes, request, patience)
    }
}

/// A run in a process that does nothing else.
pub fn run_cold(
    settings: &Settings,
    classes: Option<&Utf8Path>,
    request: &Request<'_>,
    patience: Patience,
) -> Result<Ran, RunnerError> {
    run_cold_heard(settings, classes, request, patience, &mut |_| ())
}

/// The same; `hear` is told of each test before it runs, where there are many.
pub fn run_cold_heard(
    settings: &Settings,
    classes: Option<&Utf8Path>,
    request: &Request<'_>,
    patience: Patience,
    hear: &mut dyn FnMut(&str),
) -> Result<Ran, RunnerError> {
    let classes: Vec<String> = classes.iter().map(ToString::to_string).collect();
    Jvm::start(settings, Mode::Cold, &classes, patience)?.ask(request, patience, hear)
}

/// Compiles a request's text into a folder, in a warm worker, as the user's javac would.
pub fn compile(side: &Side, request: &Request<'_>, id: u64, folder: &Utf8Path) -> Result<Ran, RunnerError> {
    let compile = Request { op: "compile", id, to: Some(folder.as_str()), ..request.clone() };
    // The last word on a result: without it an interrupted search has nothing to show.
    side.run_warm(&compile, Heat::Warm, Patience::WaitAllTheSame)
}

/// A JVM serves on unless it ended or something was left behind in it.
fn ask_and_return(
    pool: &Pool<Jvm, RunnerError>,
    mut jvm: Jvm,
    request: &Request<'_>,
    patience: Patience,
) -> Result<Ran, RunnerError> {
    match jvm.ask(request, patience, &mut |_| ()) {
        Ok(ran) if ran.serves_on() => {
            pool.give_back(jvm);
            Ok(ran)
        }
        other => {
            drop(jvm);
            pool.lost();
            other
        }
    }
}
