//! One JVM: started with the worker in it and a temporary folder of its own, spoken to, and ended with all that it left there.

use super::error;
use super::message::{Answer, Greeting, Mode, Ran, Request, Saves, Start};
use super::side::Settings;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;
use paring_worker::protocol::VERSION;
use paring_worker::{Doing, Keeper, Launch, Patience, Temporary, Worker, WorkerError};
use std::fs;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// The longest a JVM may take to be ready.
const START_LIMIT: Duration = Duration::from_mins(5);
/// What a worker may take beyond the run's own limit to compile, to load the framework, to look at a hanging thread and to answer.
const GRACE: Duration = Duration::from_mins(3);

/// Moves the protocol to descriptors that neither the test nor its child processes know. A crash leaves no core behind.
#[cfg(unix)]
const APART: &str = r#"ulimit -c 0; exec 3>&1 4<&0 1>/dev/null 0</dev/null; exec "$0" "$@""#;

/// A running JVM. Its process ends before its folder goes.
#[derive(Debug)]
pub struct Jvm {
    worker: Worker,
    temporary: Temporary,
    keeper: Weak<Keeper>,
    mode: Mode,
}

impl Jvm {
    /// Starts one; with it `classes` come before the class path.
    pub fn start(
        settings: &Settings,
        mode: Mode,
        classes: &[String],
        patience: Patience,
    ) -> Result<Self, RunnerError> {
        let java = &settings.jdk.java;
        let classpath: Vec<String> = classes.iter().chain(&settings.classpath).cloned().collect();
        let keeper = kept(&settings.keeper)?;
        let temporary = keeper.temporary().map_err(|io| error::temp(&io))?;
        let (roots, except) = (keeper.roots(), keeper.except());
        let (claims, loading) = (keeper.claims(), keeper.loading());
        drop(keeper);
        let launch = launch(settings, mode, &classpath, &temporary);
        let mut worker = Worker::spawn(&launch).map_err(|error| error::at_start(java, &error))?;
        let start = Start {
            op: "start",
            protocol: VERSION,
            mode,
            classpath: &classpath,
            saves: Saves {
                roots: &roots,
                except: &except,
                claims: claims.as_str(),
                loading: loading.as_str(),
            },
            fresh: &settings.fresh,
            javac_args: &settings.javac_args,
            source_roots: &settings.source_roots,
            coverage: &settings.coverage,
            calls: &settings.calls,
        };
        worker.send(&start).map_err(|error| error::at_start(java, &error))?;
        match worker.receive(START_LIMIT, patience).map_err(|error| error::at_start(java, &error))? {
            Greeting::Hello { protocol: VERSION } => {
                Ok(Self { worker, temporary, keeper: settings.keeper.clone(), mode })
            }
            Greeting::Hello { protocol } => {
                Err(error::worker(format!("the worker speaks protocol {protocol}")))
            }
            Greeting::Error(fault) => Err(error::from_worker(fault)),
        }
    }

    /// The answer to a request; `hear` is told of each test before it runs, where there are many.
    pub fn ask(
        &mut self,
        request: &Request<'_>,
        patience: Patience,
        hear: &mut dyn FnMut(&str),
    ) -> Result<Ran, RunnerError> {
        if request.op != "run" {
            return ask(&mut self.worker, request, patience, hear);
        }
        let keeper = kept(&self.keeper)?;
        let test = request.tests.first().map_or("", String::as_str);
        let doing = Doing::new(test, (request.text, request.tests, request.after, request.code));
        let saving = if request.is_alone { keeper.begin_alone(doing) } else { keeper.begin(doing) };
        let request = Request { saves: saving.folder().as_str(), ..request.clone() };
        let mut answer = ask(&mut self.worker, &request, patience, hear);
        if self.mode == Mode::Cold || !answer.as_ref().is_ok_and(Ran::serves_on) {
            // Nothing of the run may write any more.
            self.worker.kill();
        }
        let may_hide = answer.as_ref().ok().and_then(|ran| ran.may_hide).unwrap_or(true);
        let undone = saving.end(may_hide);
        self.empty();
        if let Ok(ran) = &mut answer {
            ran.undone = undone;
        }
        answer
    }

    /// Removes temporary files: what one run leaves there is not for the next one to find. What cannot be removed now goes with
    /// the folder.
    fn empty(&self) {
        for entry in self.temporary.folder().read_dir_utf8().into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let _ = if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
        }
    }
}

/// A worker that ends or does not answer is an answer too.
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

/// None is left once the project's runners are gone.
fn kept(keeper: &Weak<Keeper>) -> Result<Arc<Keeper>, RunnerError> {
    keeper.upgrade().ok_or_else(error::interrupted)
}

fn launch(settings: &Settings, mode: Mode, classpath: &[String], temporary: &Temporary) -> Launch {
    let mut args = jvm_args(settings, temporary.folder());
    let classpath = classpath.iter().map(String::as_str);
    let path: Vec<&str> = match mode {
        // Runs have loaders of their own; a test that asks for the system's finds the files of the class path there, too.
        Mode::Warm => [settings.jar.as_str()].into_iter().chain(classpath).collect(),
        // Behind everything of the user's.
        Mode::Apart | Mode::Cold => classpath.chain([settings.jar.as_str()]).collect(),
    };
    // Files are saved by hooks in the JDK.
    args.push(format!("-javaagent:{}", settings.jar));
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
    // The user's own settings have the last word.
    let env = temporary.env().into_iter().chain(settings.env.iter().cloned());
    Launch { program, args, cwd: settings.cwd.clone(), env: env.collect() }
}

/// Options for a quick start first, so that the user's own have the last word.
fn jvm_args(settings: &Settings, temp: &Utf8Path) -> Vec<String> {
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
    args.push(format!("-Djava.io.tmpdir={temp}"));
    args.push(format!("-XX:ErrorFile={}/crash-%p.log", settings.scratch));
    if let Some(bytes) = settings.memory_limit {
        args.push(format!("-Xmx{}k", (bytes / 1024).max(16 * 1024)));
    }
    args.extend(settings.jvm_args.iter().cloned());
    args
}
