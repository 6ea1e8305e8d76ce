//! One version of the project: its workers, and how a run is made on them.

use super::error;
use super::message::{Answer, Current, Greeting, Hello, Item, Loaded, Mode, Moved, Ran, Run, Saves, Start};
use super::project::Tree;
use camino::Utf8PathBuf;
use paring_model::{Heat, RunnerError};
use paring_worker::protocol::VERSION;
use paring_worker::{Doing, Keeper, Launch, Patience, Pool, Saving, Temporary, Worker, WorkerError};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

/// The longest a session may take to open.
const START_LIMIT: Duration = Duration::from_mins(5);
/// What a worker may take beyond the run's own limit to kill it and answer.
const GRACE: Duration = Duration::from_secs(10);

/// What workers of one version are started with.
#[derive(Clone, Debug)]
pub struct Settings {
    pub launch: Launch,
    /// None where many files are run as they are.
    pub file: Option<Utf8PathBuf>,
    pub nodeid: String,
    pub args: Vec<String>,
    pub bytecode: Utf8PathBuf,
    pub scratch: Utf8PathBuf,
    /// Whose code runs in the place of the project's.
    pub tree: Option<Tree>,
    /// Gone when the runner is: a worker may still be starting then.
    pub keeper: Weak<Keeper>,
}

/// A worker and what it said of itself.
pub struct Greeted {
    worker: Worker,
    hello: Hello,
    keeper: Weak<Keeper>,
    /// Removed after the worker has ended.
    _temporary: Temporary,
}

pub struct Side {
    pub settings: Arc<Settings>,
    pool: Pool<Greeted, RunnerError>,
    /// Processes for one run each, which have loaded pytest and nothing of the project.
    apart: Pool<Greeted, RunnerError>,
    /// Whether one of them waits, or is about to.
    has_one_apart: AtomicBool,
    dropped: OnceLock<Vec<String>>,
}

impl Side {
    pub fn new(settings: Settings, jobs: usize) -> Self {
        let settings = Arc::new(settings);
        let (warm, cold) = (Arc::clone(&settings), Arc::clone(&settings));
        Self {
            settings,
            pool: Pool::new(jobs, move || greet(&warm, Mode::Warm, Patience::Heed)),
            // Without the last word an interrupted search has nothing to show.
            apart: Pool::new(1, move || greet(&cold, Mode::Cold, Patience::WaitAllTheSame)),
            has_one_apart: AtomicBool::new(false),
            dropped: OnceLock::new(),
        }
    }

    pub fn start_ahead(&self, n: usize) {
        self.pool.start_ahead(n);
    }

    /// Options of the project that are not in force, once a worker has told.
    pub fn dropped(&self) -> &[String] {
        self.dropped.get().map_or(&[], Vec::as_slice)
    }

    /// Makes one run. `Err(reason)` inside: this project must not be forked.
    pub fn run_warm(&self, run: &Run<'_>, heat: Heat) -> Result<Result<Ran, String>, RunnerError> {
        again_alone(|alone| self.run_warm_once(run, heat, alone))
    }

    fn run_warm_once(
        &self,
        run: &Run<'_>,
        heat: Heat,
        alone: bool,
    ) -> Result<Result<Made, String>, RunnerError> {
        let mut greeted = match heat {
            Heat::Fresh => self.pool.take_fresh()?,
            Heat::Warm | Heat::Apart | Heat::Cold => self.pool.take()?,
        };
        // A search has begun: the process for its result loads meanwhile.
        if heat == Heat::Warm && !self.has_one_apart.swap(true, Ordering::Relaxed) {
            self.apart.start_ahead(1);
        }
        self.dropped.get_or_init(|| greeted.hello.dropped.clone());
        if let Some(reason) = unfit(&greeted.hello) {
            self.pool.give_back(greeted);
            return Ok(Err(reason));
        }
        let made = greeted.run(run, alone, Patience::Heed);
        match &made {
            Ok(made) if made.serves_on => self.pool.give_back(greeted),
            Ok(_) | Err(_) => self.pool.lost(),
        }
        made.map(Ok)
    }

    /// A run of which every test is told as it comes.
    pub fn run_recorded(
        &self,
        run: &Run<'_>,
        is_cold: bool,
        hear: &mut dyn FnMut(Told),
    ) -> Result<Ran, RunnerError> {
        if is_cold {
            return start_cold(&self.settings)?.run_streamed(run, hear);
        }
        let mut greeted = self.pool.take()?;
        if !greeted.can_be_forked() {
            self.pool.give_back(greeted);
            return start_cold(&self.settings)?.run_streamed(run, hear);
        }
        let ran = greeted.run_streamed(run, hear);
        match &ran {
            Ok(ran) if ran.ended == "done" => self.pool.give_back(greeted),
            Ok(_) | Err(_) => self.pool.lost(),
        }
        ran
    }

    /// A run of a search, in a process of its own.
    pub fn run_cold(&self, run: &Run<'_>) -> Result<Ran, RunnerError> {
        run_cold(&self.settings, run, Patience::Heed)
    }

    /// The last word on a result, in a process of its own; not to be interrupted.
    pub fn run_apart(&self, run: &Run<'_>) -> Result<Ran, RunnerError> {
        let Ok(ran) = again_alone::<Infallible>(|alone| {
            let mut greeted = self.apart.take_fresh()?;
            self.apart.lost();
            self.has_one_apart.store(false, Ordering::Relaxed);
            greeted.run(run, alone, Patience::WaitAllTheSame).map(Ok)
        })?;
        Ok(ran)
    }
}

/// A run in a process that does nothing else.
pub fn run_cold(settings: &Settings, run: &Run<'_>, patience: Patience) -> Result<Ran, RunnerError> {
    let Ok(ran) = again_alone::<Infallible>(|alone| {
        greet(settings, Mode::Cold, patience)?.run(run, alone, patience).map(Ok)
    })?;
    Ok(ran)
}

/// A run that is void is made again with none beside it. `Err` inside: it was not made.
fn again_alone<E>(
    mut run: impl FnMut(bool) -> Result<Result<Made, E>, RunnerError>,
) -> Result<Result<Ran, E>, RunnerError> {
    let first = run(false)?;
    let is_void = matches!(&first, Ok(made) if made.is_void);
    let made = if is_void { run(true)? } else { first };
    Ok(made.map(|made| made.ran))
}

/// What a run showed.
struct Made {
    ran: Ran,
    /// Whether the worker can make another one.
    serves_on: bool,
    /// It is to be made again alone.
    is_void: bool,
}

/// What is told of a streamed run while it goes on.
pub enum Told {
    Collected { n_tests: usize, nodeids: Vec<String> },
    Begins(Current),
    File { number: u32, path: String },
    Loaded(Loaded),
    Over(Box<Item>),
}

/// A process for one run.
pub fn start_cold(settings: &Settings) -> Result<Greeted, RunnerError> {
    greet(settings, Mode::Cold, Patience::Heed)
}

/// A process that is forked for each run.
pub fn start_warm(settings: &Settings) -> Result<Greeted, RunnerError> {
    greet(settings, Mode::Warm, Patience::Heed)
}

fn unfit(hello: &Hello) -> Option<String> {
    if hello.can_fork { hello.colder.clone() } else { Some("this platform cannot fork".to_owned()) }
}

fn greet(settings: &Settings, mode: Mode, patience: Patience) -> Result<Greeted, RunnerError> {
    let python = &settings.launch.program;
    let keeper = kept(&settings.keeper)?;
    let temporary =
        keeper.temporary().map_err(|io| error::worker(format!("cannot make a temporary folder: {io}")))?;
    let mut launch = settings.launch.clone();
    // What the user has set stands behind it, and so counts.
    launch.env.splice(0..0, temporary.env());
    let (roots, except) = (keeper.roots(), keeper.except());
    let (claims, loading) = (keeper.claims(), keeper.loading());
    drop(keeper);
    let mut worker = Worker::spawn(&launch).map_err(|error| error::at_start(python, &error))?;
    let start = Start {
        op: "start",
        protocol: VERSION,
        mode,
        file: settings.file.as_ref().map(|file| file.as_str()),
        nodeid: &settings.nodeid,
        args: &settings.args,
        bytecode: settings.bytecode.as_str(),
        scratch: settings.scratch.as_str(),
        temporary: temporary.folder().as_str(),
        saves: Saves { roots: &roots, except: &except, claims: claims.as_str(), loading: loading.as_str() },
        moved: settings
            .tree
            .as_ref()
            .map(|tree| Moved { from: tree.present.as_str(), to: tree.other.as_str() }),
    };
    worker.send(&start).map_err(|error| error::at_start(python, &error))?;
    match worker.receive(START_LIMIT, patience).map_err(|error| error::at_start(python, &error))? {
        Greeting::Hello(hello) if hello.protocol == VERSION => {
            Ok(Greeted { worker, hello, keeper: settings.keeper.clone(), _temporary: temporary })
        }
        Greeting::Hello(hello) => {
            Err(error::worker(format!("the worker speaks protocol {}", hello.protocol)))
        }
        Greeting::Error(fault) => Err(error::from_worker(fault)),
    }
}

impl Greeted {
    /// What the run did to the project's files is undone.
    fn run(&mut self, run: &Run<'_>, alone: bool, patience: Patience) -> Result<Made, RunnerError> {
        let keeper = kept(&self.keeper)?;
        let limit = if run.many { Duration::from_hours(24) } else { limit(run) };
        let saving = if alone { keeper.begin_alone(doing(run)) } else { keeper.begin(doing(run)) };
        let run = Run { saves: saving.folder().as_str(), ..run.clone() };
        let sent = self.worker.send(&run);
        let answer = sent.and_then(|()| self.worker.receive(limit, patience));
        self.over(answer, run.id, saving)
    }

    /// Puts the files back, and tells what happened.
    fn over(
        &mut self,
        answer: Result<Answer, WorkerError>,
        id: u64,
        saving: Saving,
    ) -> Result<Made, RunnerError> {
        if answer.is_err() {
            // Nothing of it may write any more.
            self.worker.kill();
        }
        let may_hide = match &answer {
            Ok(Answer::Ran(ran)) => ran.hides.unwrap_or(true),
            Ok(_) | Err(_) => true,
        };
        let ended = saving.end(may_hide);
        let (mut ran, serves_on) = Self::ran(answer, id)?;
        if ran.shares.is_empty() {
            ran.shares.extend(ended.changed.first().map(|path| format!("writes {path}")));
        }
        Ok(Made { ran, serves_on, is_void: ended.is_void })
    }

    pub fn can_be_forked(&self) -> bool {
        unfit(&self.hello).is_none()
    }

    /// Changes with the interpreter, with what is installed and with the environment.
    pub fn surroundings(&self) -> &str {
        &self.hello.surroundings
    }

    /// Makes a run, of which every test is told as it comes. No message may take longer than a test, or than opening the
    /// session.
    pub fn run_streamed(&mut self, run: &Run<'_>, hear: &mut dyn FnMut(Told)) -> Result<Ran, RunnerError> {
        // What was told cannot be taken back: such a run is not one to be made again.
        let saving = kept(&self.keeper)?.begin_alone(doing(run));
        let run = &Run { saves: saving.folder().as_str(), ..run.clone() };
        let mut answer = self.worker.send(run).and_then(|()| self.worker.receive(limit(run), Patience::Heed));
        loop {
            match answer {
                Ok(Answer::Collected { n_tests, nodeids }) => hear(Told::Collected { n_tests, nodeids }),
                Ok(Answer::Begin(current)) => hear(Told::Begins(current)),
                Ok(Answer::File { number, path }) => hear(Told::File { number, path }),
                Ok(Answer::Loaded(loaded)) => hear(Told::Loaded(loaded)),
                Ok(Answer::Item(item)) => hear(Told::Over(item)),
                Ok(Answer::Ran(_) | Answer::Error(_)) | Err(_) => {
                    return Ok(self.over(answer, run.id, saving)?.ran);
                }
            }
            answer = self.worker.receive(limit(run), Patience::Heed);
        }
    }

    fn ran(answer: Result<Answer, WorkerError>, id: u64) -> Result<(Ran, bool), RunnerError> {
        match answer {
            Ok(Answer::Ran(ran)) if ran.id == id => match ran.error {
                Some(fault) => Err(error::from_worker(fault)),
                None => Ok((*ran, true)),
            },
            Ok(Answer::Ran(_)) => Err(error::worker("the worker answered another request".to_owned())),
            Ok(Answer::Error(fault)) => Err(error::from_worker(fault)),
            Ok(
                Answer::Collected { .. }
                | Answer::Begin(_)
                | Answer::File { .. }
                | Answer::Loaded(_)
                | Answer::Item(_),
            ) => Err(error::worker("the worker tells of tests one by one, and nobody asked".to_owned())),
            // The test reached out of its own process.
            Err(WorkerError::Ended { .. }) => Ok((ended("killed its runner"), false)),
            Err(WorkerError::TimedOut) => Ok((ended("hung"), false)),
            Err(WorkerError::Interrupted) => Err(error::interrupted()),
            Err(WorkerError::Garbled(what)) => {
                Err(error::worker(format!("the worker's answer makes no sense: {what}")))
            }
            Err(WorkerError::Start { .. }) => unreachable!("a running worker has been started"),
        }
    }
}

fn doing(run: &Run<'_>) -> Doing {
    let code = run.code.as_ref().map(|code| code.text);
    Doing::new(run.nodeids.first().map_or("", String::as_str), (run.text, run.nodeids, run.after, code))
}

fn kept(keeper: &Weak<Keeper>) -> Result<Arc<Keeper>, RunnerError> {
    keeper.upgrade().ok_or_else(error::interrupted)
}

fn ended(how: &str) -> Ran {
    Ran { ended: how.to_owned(), ..Ran::default() }
}

/// Opening the session, collecting, and each test of a sequence have the run's limit each.
fn limit(run: &Run<'_>) -> Duration {
    let n_tests = run.after.len() + run.nodeids.len();
    let n_steps = u32::try_from(n_tests).unwrap_or(u32::MAX).saturating_add(2);
    START_LIMIT + Duration::from_secs_f64(run.timeout).saturating_mul(n_steps) + GRACE
}
