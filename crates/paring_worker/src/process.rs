//! One worker process: started in a process group of its own, spoken to over its standard streams, never waited for
//! longer than the caller says, and killed with its group when dropped.

use crate::interrupt::Patience;
use crate::{protocol, system};
use camino::Utf8PathBuf;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a worker that lost its input may take to put things away.
const GRACE: Duration = Duration::from_millis(150);
/// How often a wait looks up whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(50);
/// What is kept of a worker's own words.
const STDERR_LIMIT: u64 = 16 * 1024;

/// A command to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    pub program: Utf8PathBuf,
    pub args: Vec<String>,
    pub cwd: Utf8PathBuf,
    /// Added to the inherited environment.
    pub env: Vec<(String, String)>,
}

#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error("start {program}: {source}")]
    Start { program: Utf8PathBuf, source: std::io::Error },
    /// The process ended; `said` is what it wrote to its standard error, `how` its exit code or signal, where known.
    #[error("hear from the worker: it ended")]
    Ended { said: String, how: Option<String> },
    #[error("hear from the worker in time")]
    TimedOut,
    #[error("hear from the worker before the user asked to stop")]
    Interrupted,
    #[error("understand the worker: {0}")]
    Garbled(String),
}

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    said: Receiver<String>,
    /// Whether it owes an answer: then it is killed without grace.
    busy: bool,
    /// Whether its process is gone.
    closed: bool,
}

impl Worker {
    pub fn spawn(launch: &Launch) -> Result<Self, WorkerError> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.args)
            .current_dir(&launch.cwd)
            .envs(launch.env.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        system::isolate(&mut command);
        let mut child = command
            .spawn()
            .map_err(|source| WorkerError::Start { program: launch.program.clone(), source })?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("the output is piped");
        let stderr = child.stderr.take().expect("the error output is piped");
        Ok(Self {
            child,
            stdin,
            lines: read_lines(stdout),
            said: keep_words(stderr),
            busy: false,
            closed: false,
        })
    }

    pub fn send(&mut self, message: &impl Serialize) -> Result<(), WorkerError> {
        let stdin = self.stdin.as_mut().expect("the input stays open while the worker lives");
        self.busy = true;
        let sent = stdin.write_all(&protocol::encode(message)).and_then(|()| stdin.flush());
        sent.map_err(|_| self.ended())
    }

    /// The next message, awaited for no longer than `limit`, nor, with that patience, than the user wants to.
    pub fn receive<T: DeserializeOwned>(
        &mut self,
        limit: Duration,
        patience: Patience,
    ) -> Result<T, WorkerError> {
        let deadline = Instant::now() + limit;
        loop {
            if patience.is_over() {
                return Err(WorkerError::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => {
                    self.busy = false;
                    return protocol::decode(&line).map_err(|error| WorkerError::Garbled(error.to_string()));
                }
                Err(RecvTimeoutError::Timeout) if left > GLANCE => {}
                Err(RecvTimeoutError::Timeout) => return Err(WorkerError::TimedOut),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// Ends the process and its group at once: what it does must have an end.
    pub fn kill(&mut self) {
        if !std::mem::replace(&mut self.closed, true) {
            system::kill_unreaped_group(&mut self.child);
            // It was just killed: there is nothing to wait for.
            let _ = self.child.wait();
        }
    }

    fn ended(&mut self) -> WorkerError {
        let how = self.close();
        // Its words end with the pipe, which the kill closes, unless a stray process holds that open.
        WorkerError::Ended { said: self.said.recv_timeout(GRACE).unwrap_or_default(), how }
    }

    /// Waits a moment for the process to end by itself, and ends what is left of its group. How it ended, where it did so by
    /// itself. It is reaped last: from then on the number of its group may belong to somebody else.
    fn close(&mut self) -> Option<String> {
        if std::mem::replace(&mut self.closed, true) {
            return None;
        }
        let deadline = Instant::now() + GRACE;
        while !system::has_ended(&mut self.child) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let by_itself = system::has_ended(&mut self.child);
        system::kill_unreaped_group(&mut self.child);
        // It is gone, or was just killed: there is nothing to wait for.
        self.child.wait().ok().filter(|_| by_itself).map(system::how)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A busy worker sees that paring is gone and ends its run; an idle one closes its session.
        self.stdin = None;
        self.close();
    }
}

/// Lines of a pipe, read ahead by a thread, so that waiting for one can end early.
fn read_lines(pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::with_capacity(1 << 16, pipe);
        loop {
            let mut line = Vec::new();
            match reader.read_until(b'\n', &mut line) {
                Ok(n) if n > 0 && line.ends_with(b"\n") => {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
                Ok(_) | Err(_) => return,
            }
        }
    });
    receiver
}

/// The beginning of what a process says, once it has said it; the rest is read and thrown away, so that it never blocks.
fn keep_words(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut pipe = pipe;
        let mut words = Vec::new();
        // What was read before an error is all there is to tell.
        let _ = pipe.by_ref().take(STDERR_LIMIT).read_to_end(&mut words);
        let _ = sender.send(String::from_utf8_lossy(&words).into_owned());
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    });
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn shell(script: &str) -> Worker {
        let launch = Launch {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: "/".into(),
            env: vec![("WORD".into(), "there".into())],
        };
        Worker::spawn(&launch).expect("a shell")
    }

    #[test]
    fn a_worker_answers_in_lines_and_has_the_environment() {
        let mut worker = shell(r#"read line; echo "$line"; echo "{\"hello\": \"$WORD\"}""#);
        worker.send(&json!({"id": 1})).expect("it reads");
        assert_eq!(
            worker.receive::<Value>(Duration::from_secs(5), Patience::Heed).expect("an echo"),
            json!({"id": 1})
        );
        assert_eq!(
            worker.receive::<Value>(Duration::from_secs(5), Patience::Heed).expect("a line"),
            json!({"hello": "there"})
        );
    }

    #[test]
    fn a_worker_that_dies_says_what_it_said() {
        let mut worker = shell("echo no such module >&2; exit 3");
        match worker.receive::<Value>(Duration::from_secs(5), Patience::Heed) {
            Err(WorkerError::Ended { said, how }) => {
                assert_eq!(said.trim(), "no such module");
                assert_eq!(how.as_deref(), Some("exit 3"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_worker_that_is_killed_says_by_what() {
        let mut worker = shell("kill -ABRT $$");
        match worker.receive::<Value>(Duration::from_secs(5), Patience::Heed) {
            Err(WorkerError::Ended { how, .. }) => assert_eq!(how.as_deref(), Some("signal 6 (SIGABRT)")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_a_worker_left_behind_dies_with_it_though_it_ended_by_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        for script in ["read line", "true"] {
            let mark = folder.path().join("pid");
            let mut worker =
                shell(&format!("sleep 60 >/dev/null 2>&1 & echo $! > {}; {script}", mark.display()));
            // The first waits until it is dropped; the second ends under the eyes of who listens.
            let heard = worker.receive::<Value>(Duration::from_millis(300), Patience::Heed);
            assert!(heard.is_err(), "{script}");
            drop(worker);
            assert_dies(&mark);
        }
    }

    #[test]
    fn a_silent_worker_is_not_awaited_and_dies_with_its_children_when_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let mark = folder.path().join("pid");
        let mut worker = shell(&format!("sleep 60 & echo $! > {}; sleep 60", mark.display()));
        assert!(matches!(
            worker.receive::<Value>(Duration::from_millis(300), Patience::Heed),
            Err(WorkerError::TimedOut)
        ));
        drop(worker);
        assert_dies(&mark);
    }

    /// The process whose id is written there goes within a moment.
    fn assert_dies(mark: &std::path::Path) {
        let pid = std::fs::read_to_string(mark).expect("the child's id");
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
            if state.is_empty() || state.contains(") Z ") {
                return;
            }
            assert!(Instant::now() < deadline, "{state}");
            thread::yield_now();
        }
    }
}
