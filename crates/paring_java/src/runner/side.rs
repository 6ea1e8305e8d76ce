//! One version of the project: its worker JVMs, and how a run is made on them.

use super::error;
use super::jdk::Jdk;
use super::message::{Answer, Greeting, Mode, Ran, Request, Start};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Heat, RunnerError};
use paring_worker::protocol::VERSION;
use paring_worker::{Launch, Patience, Pool, Worker, WorkerError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest a JVM may take to be ready.
const START_LIMIT: Duration = Duration::from_mins(5);
/// What a worker may take beyond the run's own limit to compile, to look at a hanging thread and to answer.
const GRACE: Duration = Duration::from_mins(1);

/// Moves the protocol to descriptors that neither the test nor its child processes know. A crash leaves no core behind.
#[cfg(unix)]
const APART: &str = r#"ulimit -c 0; exec 3>&1 4<&0 1>/dev/null 0</dev/null; exec "$0" "$@""#;

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
    /// Whether a quick start is worth more than quick code: not so where a whole suite runs.
    pub is_short: bool,
    /// Where a crashing JVM may write.
    pub scratch: Utf8PathBuf,
}

pub struct Side {
    pub settings: Arc<Settings>,
    warm: Pool<Worker, RunnerError>,
    /// Processes that only run results.
    apart: Pool<Worker, RunnerError>,
}

impl Side {
    pub fn new(settings: Settings, jobs: usize) -> Self {
        let settings = Arc::new(settings);
        let pool = |n: usize, mode: Mode| {
            let own = Arc::clone(&settings);
            // The interruption takes the worker it meets with it, and the best result so far still has to be verified in others.
            Pool::new(n, move || greet(&own, mode, &[], Patience::WaitAllTheSame))
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
        let worker = match heat {
            Heat::Fresh => self.warm.take_another()?,
            Heat::Warm | Heat::Apart | Heat::Cold => self.warm.take()?,
        };
        ask_and_return(&self.warm, worker, request, patience)
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
    let mut worker = greet(settings, Mode::Cold, &classes, patience)?;
    ask(&mut worker, request, patience, hear)
}

/// Compiles a request's text into a folder, in a warm worker, as the user's javac would.
pub fn compile(side: &Side, request: &Request<'_>, id: u64, folder: &Utf8Path) -> Result<Ran, RunnerError> {
    let compile = Request { op: "compile", id, to: Some(folder.as_str()), ..request.clone() };
    // The last word on a result: without it an interrupted search has nothing to show.
    side.run_warm(&compile, Heat::Warm, Patience::WaitAllTheSame)
}

/// A worker serves on unless it ended or something was left behind in it.
fn ask_and_return(
    pool: &Pool<Worker, RunnerError>,
    mut worker: Worker,
    request: &Request<'_>,
    patience: Patience,
) -> Result<Ran, RunnerError> {
    match ask(&mut worker, request, patience, &mut |_| ()) {
        Ok(ran) if ran.worn.is_none() && ran.ended == "done" => {
            pool.give_back(worker);
            Ok(ran)
        }
        other => {
            // Its end may take a moment: nobody waits for it.
            std::thread::spawn(move || drop(worker));
            pool.lost();
            other
        }
    }
}

fn greet(
    settings: &Settings,
    mode: Mode,
    classes: &[String],
    patience: Patience,
) -> Result<Worker, RunnerError> {
    let java = &settings.jdk.java;
    let classpath: Vec<String> = classes.iter().chain(&settings.classpath).cloned().collect();
    let launch = launch(settings, mode, &classpath);
    let mut worker = Worker::spawn(&launch).map_err(|error| error::at_start(java, &error))?;
    let start = Start {
        op: "start",
        protocol: VERSION,
        mode,
        classpath: &classpath,
        fresh: &settings.fresh,
        javac_args: &settings.javac_args,
        source_roots: &settings.source_roots,
        coverage: &settings.coverage,
    };
    worker.send(&start).map_err(|error| error::at_start(java, &error))?;
    match worker.receive(START_LIMIT, patience).map_err(|error| error::at_start(java, &error))? {
        Greeting::Hello { protocol: VERSION } => Ok(worker),
        Greeting::Hello { protocol } => Err(error::worker(format!("the worker speaks protocol {protocol}"))),
        Greeting::Error(fault) => Err(error::from_worker(fault)),
    }
}

fn launch(settings: &Settings, mode: Mode, classpath: &[String]) -> Launch {
    let mut args = jvm_args(settings);
    let classpath = classpath.iter().map(String::as_str);
    let path: Vec<&str> = match mode {
        // Runs have loaders of their own; a test that asks for the system's finds the files of the class path there, too.
        Mode::Warm => [settings.jar.as_str()].into_iter().chain(classpath).collect(),
        // Behind everything of the user's.
        Mode::Apart | Mode::Cold => classpath.chain([settings.jar.as_str()]).collect(),
    };
    // Warm workers trace runs, and that needs hooks in the JDK.
    if mode == Mode::Warm || !settings.coverage.is_empty() {
        args.push(format!("-javaagent:{}", settings.jar));
    }
    let separator = if cfg!(windows) { ";" } else { ":" };
    args.extend(["-cp".to_owned(), path.join(separator), "paring.Main".to_owned()]);
    #[cfg(unix)]
    let (program, args) = {
        let mut all = vec!["-c".to_owned(), APART.to_owned(), settings.jdk.java.to_string()];
        all.extend(args);
        all.extend(["/dev/fd/4".to_owned(), "/dev/fd/3".to_owned()]);
        (Utf8PathBuf::from("/bin/sh"), all)
    };
    #[cfg(not(unix))]
    let program = settings.jdk.java.clone();
    Launch { program, args, cwd: settings.cwd.clone(), env: settings.env.clone() }
}

/// Options for a quick start first, so that the user's own have the last word.
fn jvm_args(settings: &Settings) -> Vec<String> {
    let short: &[&str] =
        if settings.is_short { &["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] } else { &[] };
    let always = [
        "-Xshare:auto",
        "-XX:-UsePerfData",
        // An overflow's way into its cycle is at the far end of the stack.
        "-XX:MaxJavaStackTraceDepth=100000",
        "--add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        // Mocking libraries attach to their own process, which is dear from outside.
        "-Djdk.attach.allowAttachSelf=true",
        "-ea",
    ];
    let mut args: Vec<String> = short.iter().chain(&always).map(ToString::to_string).collect();
    if settings.jdk.feature >= 21 {
        args.push("-XX:+EnableDynamicAgentLoading".to_owned());
    }
    if settings.jdk.feature >= 23 {
        args.push("--sun-misc-unsafe-memory-access=allow".to_owned());
    }
    args.push(format!("-XX:ErrorFile={}/crash-%p.log", settings.scratch));
    if let Some(bytes) = settings.memory_limit {
        args.push(format!("-Xmx{}k", (bytes / 1024).max(16 * 1024)));
    }
    args.extend(settings.jvm_args.iter().cloned());
    args
}

/// The answer to a request. A worker that ends or does not answer is an answer too.
fn ask(
    worker: &mut Worker,
    request: &Request<'_>,
    patience: Patience,
    hear: &mut dyn FnMut(&str),
) -> Result<Ran, RunnerError> {
    if let Err(error) = worker.send(request) {
        return ended(error, None);
    }
    let mut current = None;
    let mut deadline = Instant::now() + limit(request);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match worker.receive(left, patience) {
            Ok(Answer::Begin { test }) => {
                hear(&test);
                current = Some(test);
                deadline = Instant::now() + limit(request);
            }
            Ok(Answer::Ran(ran)) if ran.id == request.id => {
                return match ran.error {
                    Some(fault) => Err(error::from_worker(fault)),
                    None => Ok(*ran),
                };
            }
            Ok(Answer::Ran(_)) => {
                return Err(error::worker("the worker answered another request".to_owned()));
            }
            Err(error) => return ended(error, current),
        }
    }
}

fn ended(error: WorkerError, current: Option<String>) -> Result<Ran, RunnerError> {
    let ended = match error {
        WorkerError::Ended { how, .. } => how.unwrap_or_else(|| "an unknown end".to_owned()),
        WorkerError::TimedOut => "hung".to_owned(),
        WorkerError::Interrupted => return Err(error::interrupted()),
        WorkerError::Garbled(what) => {
            return Err(error::worker(format!("the worker's answer makes no sense: {what}")));
        }
        WorkerError::Start { .. } => unreachable!("a running worker has been started"),
    };
    Ok(Ran { ended, current, ..Ran::default() })
}

/// Each test of a sequence has the run's limit.
fn limit(request: &Request<'_>) -> Duration {
    let n_steps = u32::try_from(request.after.len()).unwrap_or(u32::MAX).saturating_add(1);
    Duration::from_secs_f64(request.timeout).saturating_mul(n_steps) + GRACE
}
