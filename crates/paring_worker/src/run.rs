//! One command run to its end: in a process group of its own, with a time limit, and ended with all it started.

use crate::interrupt::Patience;
use crate::process::{Launch, WorkerError};
use crate::system;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether the command has ended: more often at first, when short ones do.
const FIRST_GLANCE: Duration = Duration::from_millis(1);
const LAST_GLANCE: Duration = Duration::from_millis(20);
/// How long what it said may take to arrive once it has ended.
const GRACE: Duration = Duration::from_millis(500);
/// What is kept of each end of what a command says: it may say much.
const HALF: usize = 512 * 1024;

/// How a command ended, and what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    pub end: End,
    /// What it wrote to its standard output, and then what to its standard error; the middle of a flood is left out.
    pub stdout: String,
    pub stderr: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Code(i32),
    /// Something other than an exit code, in words: `signal 11 (SIGSEGV)`.
    Killed(String),
    TimedOut,
}

/// Runs a command, for no longer than `limit`, nor, with that patience, than the user wants to.
pub fn run(launch: &Launch, limit: Duration, patience: Patience) -> Result<Ran, WorkerError> {
    let mut command = Command::new(&launch.program);
    command
        .args(&launch.args)
        .current_dir(&launch.cwd)
        .envs(launch.env.iter().map(|(key, value)| (key, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    system::isolate(&mut command);
    let mut child =
        command.spawn().map_err(|source| WorkerError::Start { program: launch.program.clone(), source })?;
    let stdout = Listener::start(child.stdout.take().expect("the output is piped"));
    let stderr = Listener::start(child.stderr.take().expect("the error output is piped"));
    let deadline = Instant::now() + limit;
    let mut glance = FIRST_GLANCE;
    let ended = loop {
        if system::has_ended(&mut child) {
            break true;
        }
        if patience.is_over() {
            break false;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break false;
        }
        thread::sleep(glance.min(left));
        glance = (glance * 2).min(LAST_GLANCE);
    };
    // What it left running in the background ends with it.
    system::kill_unreaped_group(&mut child);
    let status = child.wait();
    if !ended && patience.is_over() {
        return Err(WorkerError::Interrupted);
    }
    let end = match status {
        Ok(_) if !ended => End::TimedOut,
        Ok(status) => status.code().map_or_else(|| End::Killed(system::how(status)), End::Code),
        Err(_) => End::Killed("an unknown end".to_owned()),
    };
    let until = Instant::now() + GRACE;
    Ok(Ran { end, stdout: stdout.heard(until), stderr: stderr.heard(until) })
}

/// Reads a pipe to its end on a thread of its own, so that a command that says much never blocks.
struct Listener {
    said: Arc<Mutex<Said>>,
    thread: thread::JoinHandle<()>,
}

#[derive(Default)]
struct Said {
    head: Vec<u8>,
    tail: Vec<u8>,
    is_cut: bool,
}

impl Listener {
    fn start(mut pipe: impl Read + Send + 'static) -> Self {
        let said = Arc::new(Mutex::new(Said::default()));
        let shared = Arc::clone(&said);
        let thread = thread::spawn(move || {
            let mut buffer = [0; 1 << 14];
            while let Ok(n) = pipe.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                shared.lock().expect("no thread panics while it listens").hear(&buffer[..n]);
            }
        });
        Self { said, thread }
    }

    /// All that was said. A process that got away may hold the pipe open: it is not waited for.
    fn heard(self, until: Instant) -> String {
        while !self.thread.is_finished() && Instant::now() < until {
            thread::sleep(FIRST_GLANCE);
        }
        self.said.lock().expect("no thread panics while it listens").text()
    }
}

impl Said {
    fn hear(&mut self, bytes: &[u8]) {
        let n_head = bytes.len().min(HALF - self.head.len());
        self.head.extend(&bytes[..n_head]);
        self.tail.extend(&bytes[n_head..]);
        if self.tail.len() > 2 * HALF {
            self.tail.drain(..self.tail.len() - HALF);
            self.is_cut = true;
        }
    }

    fn text(&self) -> String {
        let cut: &[u8] = if self.is_cut { b"\n[...]\n" } else { b"" };
        String::from_utf8_lossy(&[&self.head, cut, &self.tail].concat()).into_owned()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ran {
        let launch = Launch {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: "/".into(),
            env: Vec::new(),
        };
        run(&launch, limit, Patience::WaitAllTheSame).expect("a shell")
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_command_tells_its_code_and_what_it_said() {
        let ran = shell("echo out; echo err >&2; exit 3", LONG);
        assert_eq!((ran.end, ran.stdout.as_str(), ran.stderr.as_str()), (End::Code(3), "out\n", "err\n"));
    }

    #[test]
    fn a_signal_is_told_in_words() {
        assert_eq!(shell("kill -SEGV $$", LONG).end, End::Killed("signal 11 (SIGSEGV)".to_owned()));
    }

    #[test]
    fn a_command_that_never_ends_is_ended_with_what_it_started() {
        let started = Instant::now();
        assert_eq!(shell("sleep 60 & sleep 60", Duration::from_millis(200)).end, End::TimedOut);
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    }

    #[test]
    fn what_is_left_in_the_background_is_not_waited_for() {
        let started = Instant::now();
        assert_eq!(shell("sleep 60 & echo done", LONG).stdout, "done\n");
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    }

    #[test]
    fn of_a_flood_both_ends_are_kept() {
        let ran = shell("echo first; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo last", LONG);
        assert!(ran.stdout.starts_with("first\n") && ran.stdout.ends_with("\nlast\n"));
        assert!(ran.stdout.len() < 4 * HALF && ran.stdout.contains("[...]"));
    }
}
