//! Hands a case and its result to the judge of its language, and makes one record of what paring and the judge say.

use super::java;
use super::minimize::Minimized;
use anyhow::{Context, Result};
use camino::Utf8PathBuf;
use paring_tasks::evaluate::{Case, Judged, Kind, Pair};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

const JUDGE: &str = include_str!("judge.py");
const PLUGIN: &str = include_str!("judge_plugin.py");

/// The judge's program, written out for as long as this lives.
pub struct Judge {
    folder: tempfile::TempDir,
    timeout: Duration,
    lookers: java::Lookers,
}

impl Judge {
    pub fn new(timeout: Duration) -> Result<Self> {
        let folder = tempfile::tempdir().context("failed to make a temporary folder")?;
        for (name, text) in [("judge.py", JUDGE), ("judge_plugin.py", PLUGIN)] {
            std::fs::write(folder.path().join(name), text).context("failed to write the judge out")?;
        }
        let path =
            Utf8PathBuf::try_from(folder.path().to_owned()).context("the temporary folder is not UTF-8")?;
        Ok(Self { folder, timeout, lookers: java::Lookers::new(path, timeout) })
    }

    pub fn judge(&self, case: &Case, minimized: Minimized) -> Judged {
        let document = minimized.document.unwrap_or(Value::Null);
        let request = json!({
            "case": case,
            "result": document.get("file").filter(|file| file.is_object()),
            "timeout": self.timeout.as_secs_f64(),
        });
        let mut judged = said(case, &document);
        judged.seconds = minimized.seconds;
        if document.is_null() {
            "crash".clone_into(&mut judged.status);
            judged.error = minimized.trouble;
        }
        let answer = match &case.java {
            Some(java) => java::judge(case, java, &document, &self.lookers),
            None => self.ask(case, &request),
        };
        match answer {
            Ok(answer) => found(case, &mut judged, &answer),
            Err(error) => add(&mut judged.error, &format!("the judge failed: {error:#}")),
        }
        judged
    }

    fn ask(&self, case: &Case, request: &Value) -> Result<Value> {
        let mut child = Command::new(&case.python)
            .arg("-I")
            .arg(self.folder.path().join("judge.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("failed to start {}", case.python))?;
        let mut stdin = child.stdin.take().expect("the child's input is piped");
        // Cannot block for good: the judge reads all of its input before it does anything else.
        stdin.write_all(request.to_string().as_bytes()).context("failed to ask")?;
        drop(stdin);
        let output = child.wait_with_output().context("failed to wait for the answer")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout)
            .with_context(|| errors.lines().next_back().unwrap_or("no answer").to_owned())
    }
}

/// What paring says about its result.
fn said(case: &Case, document: &Value) -> Judged {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let doubts = document["doubts"].as_array().into_iter().flatten();
    let runs_by = document["runs_by"].as_object().into_iter().flatten();
    Judged {
        id: case.id.clone(),
        package: case.package().to_owned(),
        status: word(&document["status"]),
        trace: pair(&document["trace"]),
        level: word(&document["level"]),
        runs: document["runs"].as_u64(),
        runs_by: runs_by.filter_map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect(),
        doubts: doubts.map(|doubt| word(doubt.get("reason").unwrap_or(doubt))).collect(),
        error: word(&document["error"]["message"]),
        ..Judged::default()
    }
}

/// What the judge says about it.
fn found(case: &Case, judged: &mut Judged, answer: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let base = &answer["base"];
    judged.kind = Some(Kind::of(case, &text(&base["type"]), &text(&base["message"])));
    judged.cold_seconds = answer["cold_seconds"].as_f64();
    judged.same = answer["same"].as_bool();
    judged.valid = answer["valid"].as_bool();
    judged.size = answer["statements"]["before"].as_u64().or(case.statements);
    judged.statements = pair(&answer["statements"]);
    judged.until_failing = pair(&answer["until_failing"]);
    judged.tokens = pair(&answer["tokens"]);
    judged.instructions = pair(&answer["instructions"]);
    if judged.same.is_none() && base["outcome"] != "failed" {
        add(&mut judged.error, &format!("the judge sees the original: {}", text(&base["outcome"])));
    }
    if judged.same == Some(false) {
        add(&mut judged.error, &text(&answer["difference"]));
        if let Some(unstable) = answer["unstable"].as_str() {
            add(&mut judged.error, &format!("the original differs from itself too ({unstable})"));
        }
    } else if judged.valid == Some(false) {
        let there = &answer["good"];
        let words = format!(
            "on good: {} {} {}",
            text(&there["outcome"]),
            text(&there["type"]),
            text(&there["message"])
        );
        add(&mut judged.error, words.trim_end());
        if answer["good_original"]["outcome"] != "passed" {
            add(&mut judged.error, "the original does not pass there either");
        }
    }
}

fn pair(value: &Value) -> Option<Pair> {
    Some(Pair { before: value["before"].as_u64()?, after: value["after"].as_u64()? })
}

fn add(error: &mut String, words: &str) {
    if !error.is_empty() && !words.is_empty() {
        error.push_str("; ");
    }
    error.push_str(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_joins_what_paring_says_and_what_the_judge_finds() {
        let case = Case { id: "p-1-2::t".to_owned(), ..Case::default() };
        let document = json!({
            "status": "minimized", "level": "O", "runs": 7, "runs_by": {"search": 3}, "trace": {"before": 9, "after": 2},
            "doubts": [{"line": 3, "reason": "a call"}], "error": null,
        });
        let mut judged = said(&case, &document);
        let answer = json!({
            "base": {"outcome": "failed", "type": "KeyError", "message": "'a'"}, "cold_seconds": 0.5, "same": true,
            "valid": false, "good": {"outcome": "failed", "type": "KeyError", "message": "'a'"},
            "good_original": {"outcome": "passed"}, "statements": {"before": 4, "after": 1},
        });
        found(&case, &mut judged, &answer);
        assert_eq!((judged.package.as_str(), judged.kind), ("p", Some(Kind::Exception)));
        assert_eq!(
            (judged.runs_by["search"], judged.doubts.as_slice()),
            (3, ["a call".to_owned()].as_slice())
        );
        assert_eq!(judged.statements, Some(Pair { before: 4, after: 1 }));
        assert_eq!(judged.error, "on good: failed KeyError 'a'");
    }

    #[test]
    fn an_original_that_the_judge_sees_pass_is_said() {
        let mut judged = Judged { error: "flaky".to_owned(), ..Judged::default() };
        found(&Case::default(), &mut judged, &json!({"base": {"outcome": "passed"}}));
        assert_eq!(judged.error, "flaky; the judge sees the original: passed");
    }
}
