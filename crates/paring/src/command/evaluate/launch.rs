//! A child process with a time limit, for the judge: what it said, and how it ended.

use anyhow::{Context, Result};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A process that is over.
pub struct Ended {
    /// `None` where the time limit ended it, or a signal.
    pub code: Option<i32>,
    /// Standard output and standard error, as they came.
    pub said: String,
}

/// Runs a command to its end, or to the limit.
pub fn run(command: &mut Command, limit: Duration) -> Result<Ended> {
    let output = tempfile::NamedTempFile::new().context("failed to make a temporary file")?;
    let both = output.reopen()?;
    command.stdin(Stdio::null()).stdout(both.try_clone()?).stderr(both);
    let mut child =
        command.spawn().with_context(|| format!("failed to start {}", command.get_program().display()))?;
    let deadline = Instant::now() + limit;
    let code = loop {
        if let Some(status) = child.try_wait()? {
            break status.code();
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            break None;
        }
        // Short against the seconds that are measured, long against the cost of looking.
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = std::fs::read(output.path()).unwrap_or_default();
    Ok(Ended { code, said: String::from_utf8_lossy(&said).into_owned() })
}
