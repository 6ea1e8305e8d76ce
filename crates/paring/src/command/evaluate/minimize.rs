//! Runs `paring minimize` on one case, as its user would, and takes up what it left.

use super::EvaluateArgs;
use anyhow::{Context, Result};
use camino::Utf8Path;
use paring_tasks::evaluate::{Case, Side};
use serde_json::Value;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What one start of the program came to.
pub struct Minimized {
    pub seconds: f64,
    /// The result object of the target; `None` where there is none to read.
    pub document: Option<Value>,
    /// Why there is none.
    pub trouble: String,
}

pub fn minimize(program: &Utf8Path, case: &Case, args: &EvaluateArgs) -> Result<Minimized> {
    let folder = tempfile::tempdir().context("failed to make a temporary folder")?;
    let out = folder.path().join("result.json");
    let log_path = folder.path().join("log");
    let log = std::fs::File::create(&log_path).context("failed to make a log file")?;
    let mut command = Command::new(program);
    command.args(["minimize", &case.target, "--json"]).arg(&out);
    if let Some(java) = &case.java {
        command.args(super::java::arguments(java, args.good));
    } else {
        command.args(["--python", &case.python]);
    }
    // A case says itself which version is good.
    let is_named = args.good && case.has_good() || args.minimize.iter().any(|arg| arg.starts_with("--good"));
    if !is_named {
        command.args(["--good", "none"]);
    }
    if args.good && case.has_good() && case.java.is_none() {
        command.args(["--good", case.cwd(Side::Good)]);
        for (key, value) in case.env(Side::Good) {
            command.arg("--good-env").arg(format!("{key}={value}"));
        }
    }
    command.args(&args.minimize).current_dir(&case.cwd).envs(&case.env);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    let started = Instant::now();
    let status = match command.spawn() {
        Ok(child) => {
            wait(child, Duration::from_secs(args.case_timeout)).context("failed to wait for paring")?
        }
        Err(error) => return Ok(Minimized { seconds: 0.0, document: None, trouble: error.to_string() }),
    };
    let seconds = started.elapsed().as_secs_f64();
    let document = std::fs::read_to_string(&out).ok().and_then(|text| first_result(&text));
    let trouble = match (&document, status) {
        (Some(_), _) => String::new(),
        (None, None) => format!("no end within {} s", args.case_timeout),
        (None, Some(status)) => format!("no result, {status}: {}", told(&log_path)),
    };
    Ok(Minimized { seconds, document, trouble })
}

/// What a log says about the end: the first words of a panic, else the last words.
fn told(path: &std::path::Path) -> String {
    let log = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let words = log.trim();
    if let Some(at) = words.find("panicked at") {
        return words[at..].lines().take(2).collect::<Vec<_>>().join(" ");
    }
    let from = words.char_indices().rev().nth(299).map_or(0, |(at, _)| at);
    words[from..].to_owned()
}

/// The document is a list with an object per target; one target was given.
fn first_result(text: &str) -> Option<Value> {
    match serde_json::from_str(text).ok()? {
        Value::Array(results) => results.into_iter().next(),
        object @ Value::Object(_) => Some(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// `None` after the time limit. The program is first asked to stop, so that it can end its workers.
fn wait(mut child: Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    if let Some(status) = wait_until(&mut child, Instant::now() + limit)? {
        return Ok(Some(status));
    }
    if cfg!(unix) {
        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        wait_until(&mut child, Instant::now() + Duration::from_secs(10))?;
    }
    if child.try_wait()?.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok(None)
}

fn wait_until(child: &mut Child, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= deadline {
            return Ok(status);
        }
        // Short against the seconds that are measured, long against the cost of looking.
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_the_first_of_the_list() {
        assert_eq!(first_result(r#"[{"status": "minimized"}]"#).unwrap()["status"], "minimized");
        assert_eq!(first_result("[]"), None);
        assert_eq!(first_result("[{"), None);
    }
}
