//! Split tests as text and as a JSON document.

use crate::patch::patch;
use crate::terminal::Style;
use paring_model::Watched;
use paring_tasks::MutantReport;
use paring_tasks::split::{Cost, NewTest, Reference, SplitOutcome, SplitStatus, Whole};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// The name and version every object carries.
const SCHEMA: &str = "paring.split/1";

/// One outcome as text.
pub fn split_text(outcome: &SplitOutcome, style: Style) -> String {
    let mut text = String::new();
    let target = &outcome.target;
    let cost = format!("{} runs, {:.1} s", outcome.runs.total(), outcome.elapsed.as_secs_f64());
    let _ = match outcome.status {
        SplitStatus::Split => {
            writeln!(
                text,
                "split {target} into {} tests, {} checks, {cost}",
                outcome.tests.len(),
                outcome.n_checks
            )
        }
        SplitStatus::Whole => {
            let why = outcome.reason.as_ref().map(reason).unwrap_or_default();
            writeln!(text, "whole {target}: {why}, {cost}")
        }
        status => writeln!(text, "{} {target}", status.word()),
    };
    if outcome.status == SplitStatus::Split
        && let Some(kept) = kept(outcome)
    {
        let _ = writeln!(text, "kept: {kept}");
    }
    if let Some(watched) = &outcome.watched {
        text.push_str(&relied_on(watched));
    }
    if let Some(error) = &outcome.error {
        let _ = writeln!(text, "error: {}\nnext: {}", error.message, error.help);
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for Reference { file, line, text: said } in &outcome.references {
        let _ = writeln!(text, "names the old test: {file}:{line}: {said}");
    }
    if style.explain {
        outcome.tests.iter().for_each(|test| text.push_str(&explained(test)));
    }
    if let Some(file) = &outcome.file {
        let _ = write!(text, "\n{}", patch(&file.short_path, &file.original, &file.text));
    }
    text
}

/// What was known of files that the interpreter does not see touched, and of logs.
fn relied_on(watched: &Watched) -> String {
    let mut text = String::new();
    if let Some(by) = &watched.by {
        let _ = writeln!(text, "watched by: {by}");
    }
    if !watched.why.is_empty() && !watched.refused {
        let _ = writeln!(text, "note: not watched as well as could be: {}", watched.why.join("; "));
    }
    if watched.n_logged > 0 {
        let _ = writeln!(text, "from logs: {} uses and changes of resources", watched.n_logged);
    }
    if let Some(first) = watched.unexplained.first() {
        let more = watched.unexplained.len() - 1;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(text, "note: nobody saw who wrote {first}{more}: see --watch");
    }
    text
}

/// Why each statement stands in a new test.
fn explained(new: &NewTest) -> String {
    let mut text = format!("\n{}\n", new.id);
    for kept in &new.statements {
        let first = kept.text.lines().next().unwrap_or_default();
        let more = if kept.text.lines().nth(1).is_some() { " …" } else { "" };
        let _ = writeln!(text, "  line {:<4} {first}{more}", kept.line);
        for reason in &kept.reasons {
            let _ = writeln!(text, "            {}", reason.text);
        }
    }
    text
}

/// What was shown to be kept beside the checks.
fn kept(outcome: &SplitOutcome) -> Option<String> {
    let lines = outcome.n_lines.filter(|&n| n > 0).map(|n| format!("{n} lines of the code under test"));
    let checked = outcome.mutants.as_ref().filter(|report| report.n_caught > 0 || report.n_timed_out > 0);
    let faults = checked.map(|report| {
        let timed_out = match report.n_timed_out {
            0 => String::new(),
            n => format!(", {n} more ended by the time limit"),
        };
        format!("{} of {} faults that it catches{timed_out}", report.n_checked, report.n_caught)
    });
    let kept: Vec<String> = lines.into_iter().chain(faults).collect();
    (!kept.is_empty()).then(|| kept.join(", "))
}

/// The results of all targets, in a line or two.
pub fn split_summary(outcomes: &[SplitOutcome], n_with_one_check: usize) -> String {
    let n = |status: SplitStatus| outcomes.iter().filter(|outcome| outcome.status == status).count();
    let n_split = n(SplitStatus::Split);
    let n_new: usize = outcomes.iter().map(|outcome| outcome.tests.len()).sum();
    let n_other = outcomes.len() - n_split - n(SplitStatus::Whole);
    let mut text = format!("\n{n_split} tests split into {n_new}, {} left whole", n(SplitStatus::Whole));
    if n_other > 0 {
        let _ = write!(text, ", {n_other} could not be tried");
    }
    if n_with_one_check > 0 {
        let _ = write!(text, "; {n_with_one_check} more check one thing or none");
    }
    text.push('\n');
    text
}

/// Why a test stays whole, in words.
fn reason(whole: &Whole) -> String {
    match whole {
        Whole::Protected => "a comment says to keep it".to_owned(),
        Whole::NoCheck => "it has no assertion that paring can see".to_owned(),
        Whole::OneCheck => "it has a single assertion".to_owned(),
        Whole::OneScenario => "all that it checks needs the same statements".to_owned(),
        Whole::Fails { message, line } => {
            let at = line.map(|line| format!(" (line {line})")).unwrap_or_default();
            format!("a part of it does not pass alone{at}: {message}")
        }
        Whole::Together { test, order } => format!("{test} does not pass where the new tests run {order}"),
        Whole::Loses { what } => format!("splitting would lose something: {what}"),
        Whole::LosesFault { mutant } => {
            format!("it catches a fault that no part of it would catch: {mutant}")
        }
        Whole::Costs { ratio } => format!("the new tests would take {ratio:.1} times as long"),
        Whole::Unwritable { why } => format!("the parts cannot be written: {why}"),
    }
}

/// The word of a reason, for programs.
pub fn reason_word(whole: &Whole) -> &'static str {
    match whole {
        Whole::Protected => "protected",
        Whole::NoCheck => "no_assertion",
        Whole::OneCheck => "one_assertion",
        Whole::OneScenario => "one_scenario",
        Whole::Fails { .. } => "fails_alone",
        Whole::Together { .. } => "fails_together",
        Whole::Loses { .. } => "loses",
        Whole::LosesFault { .. } => "loses_fault",
        Whole::Costs { .. } => "costs",
        Whole::Unwritable { .. } => "unwritable",
    }
}

/// All outcomes as a JSON list.
pub fn split_document(outcomes: &[SplitOutcome]) -> String {
    format!("{:#}\n", Value::Array(outcomes.iter().map(object).collect()))
}

fn object(outcome: &SplitOutcome) -> Value {
    let ids: Vec<&str> = outcome.tests.iter().map(|test| test.id.as_str()).collect();
    let map = (!ids.is_empty()).then(|| json!({ outcome.target.as_str(): ids.clone() }));
    json!({
        "schema": SCHEMA,
        "target": outcome.target,
        "status": outcome.status.word(),
        "file": outcome.file.as_ref().map(|file| json!({ "path": file.short_path, "text": file.text })),
        "tests": ids,
        "map": map.unwrap_or_else(|| json!({})),
        "reason": outcome.reason.as_ref().map(|whole| {
            json!({ "kind": reason_word(whole), "text": reason(whole), "mutant": lost_mutant(whole) })
        }),
        "parts": outcome.tests.iter().map(part).collect::<Vec<_>>(),
        "checks": outcome.n_checks,
        "statements": outcome.n_statements,
        "lines": outcome.n_lines,
        "watch": outcome.watched.as_ref().map(|watched| {
            json!({ "by": watched.by, "why": watched.why, "unexplained": watched.unexplained, "logged": watched.n_logged })
        }),
        "cost": outcome.cost.map(cost),
        "references": outcome.references.iter().map(reference).collect::<Vec<_>>(),
        "mutants": outcome.mutants.as_ref().map(mutants),
        "strategy": outcome.strategy.word(),
        "runs": outcome.runs.total(),
        "seconds": (outcome.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        "notes": outcome.notes,
        "error": outcome.error.as_ref().map(|error| {
            json!({ "code": error.code.word(), "message": error.message, "help": error.help })
        }),
    })
}

fn reference(it: &Reference) -> Value {
    json!({ "file": it.file, "line": it.line, "text": it.text })
}

/// Bodies, fixtures and set-up, without the framework.
fn cost(cost: Cost) -> Value {
    let ratio = (cost.ratio() * 100.0).round() / 100.0;
    json!({ "original": seconds(cost.original), "split": seconds(cost.split), "ratio": ratio })
}

fn seconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 1_000_000.0).round() / 1_000_000.0
}

/// How far it was shown that no fault is lost.
fn mutants(report: &MutantReport) -> Value {
    json!({
        "possible": report.n_possible,
        "caught": report.n_caught,
        "checked": report.n_checked,
        "not_noticed": report.n_not_noticed,
        "timed_out": report.n_timed_out,
        "not_compiled": report.n_refused,
    })
}

fn lost_mutant(whole: &Whole) -> Value {
    match whole {
        Whole::LosesFault { mutant } => json!({
            "file": mutant.path,
            "line": mutant.line,
            "operator": mutant.operator.word(),
            "from": mutant.from,
            "to": mutant.to,
        }),
        _ => Value::Null,
    }
}

fn part(test: &NewTest) -> Value {
    let statements: Vec<Value> = test.statements.iter().map(crate::document::kept).collect();
    let seconds = test.took.map(seconds);
    json!({ "test": test.id, "statements": statements, "assertions": test.checks, "seconds": seconds })
}
