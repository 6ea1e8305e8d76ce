//! Merged tests as text and as a JSON document.

use crate::patch::patch;
use paring_tasks::MutantReport;
use paring_tasks::merge::{Group, MergeOutcome, MergeStatus};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The name and version every object carries.
const SCHEMA: &str = "paring.merge/1";

/// One outcome as text.
pub fn merge_text(outcome: &MergeOutcome) -> String {
    let mut text = String::new();
    let target = &outcome.target;
    let cost = format!("{} runs, {:.1} s", outcome.runs.total(), outcome.elapsed.as_secs_f64());
    let (before, after) = outcome.n_tests();
    let _ = match outcome.status {
        MergeStatus::Merged => writeln!(text, "merged {target}: {before} tests become {after}, {cost}"),
        MergeStatus::Nothing => writeln!(text, "nothing to merge in {target}: {before} tests, {cost}"),
        status => writeln!(text, "{} {target}", status.word()),
    };
    for group in &outcome.groups {
        let _ = writeln!(text, "{}", group_text(group));
    }
    for line in alone_text(outcome) {
        let _ = writeln!(text, "{line}");
    }
    if let Some(error) = &outcome.error {
        let _ = writeln!(text, "error: {}\nnext: {}", error.message, error.help);
    }
    for (id, why) in &outcome.left_out {
        let _ = writeln!(text, "left out: {id}: {why}");
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if let Some(file) = &outcome.file {
        let _ = write!(text, "\n{}", patch(&file.short_path, &file.original, &file.text));
    }
    text
}

/// Names without what they have in common with the first.
fn names(ids: &[String]) -> String {
    let short = |id: &String| {
        id.rsplit(["::", "#"].as_slice()[usize::from(id.contains('#'))]).next().map(str::to_owned)
    };
    ids.iter().filter_map(short).collect::<Vec<_>>().join(", ")
}

/// How many tests were left alone, a line for each reason.
fn alone_text(outcome: &MergeOutcome) -> Vec<String> {
    let mut by_reason: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for (id, refusal) in &outcome.alone {
        by_reason.entry((refusal.code, &refusal.text)).or_default().push(id.clone());
    }
    let line = |((code, why), ids): ((&str, &str), Vec<String>)| {
        let shown = names(&ids[..ids.len().min(MAX_NAMED)]);
        let more = ids.len().saturating_sub(MAX_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("  left alone ({code}): {shown}{more}: {why}")
    };
    by_reason.into_iter().map(line).collect()
}

/// More tests than that are counted.
const MAX_NAMED: usize = 3;

fn group_text(group: &Group) -> String {
    let old = names(&group.tests);
    match &group.result {
        Ok(shown) => {
            let mut text = format!("  {}: {old} -> {}", group.how.word(), names(&group.new));
            let lines = shown.n_lines.map(|n| format!("{n} lines of the code under test"));
            let faults = shown
                .mutants
                .as_ref()
                .map(|it| format!("{} of {} faults that they catch", it.n_checked, it.n_caught));
            let faults = faults.filter(|_| shown.no_mutants.is_none());
            let kept: Vec<String> = lines.into_iter().chain(faults).collect();
            if !kept.is_empty() {
                let _ = write!(text, "\n    kept: {}", kept.join(", "));
            }
            if let Some(why) = &shown.no_mutants {
                let _ = write!(text, "\n    no mutants possible: {why}");
            }
            text
        }
        Err(refusal) => format!("  not merged ({}): {old}: {}", refusal.code, refusal.text),
    }
}

/// What became of all files, in a line.
pub fn merge_summary(outcomes: &[MergeOutcome]) -> String {
    let groups = || outcomes.iter().flat_map(|outcome| &outcome.groups);
    let n_merged = groups().filter(|group| group.result.is_ok()).count();
    let (before, after) =
        outcomes.iter().map(MergeOutcome::n_tests).fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    format!(
        "\n{} files: {before} tests become {after}; {n_merged} of {} groups merged\n",
        outcomes.len(),
        groups().count()
    )
}

/// All outcomes as a JSON list.
pub fn merge_document(outcomes: &[MergeOutcome]) -> String {
    format!("{:#}\n", Value::Array(outcomes.iter().map(object).collect()))
}

fn object(outcome: &MergeOutcome) -> Value {
    let map: Map<String, Value> = outcome.map.iter().map(|(old, new)| (old.clone(), json!(new))).collect();
    let (before, after) = outcome.n_tests();
    let alone: Vec<Value> = outcome
        .alone
        .iter()
        .map(|(id, refusal)| json!({ "test": id, "reason": refusal.code, "text": refusal.text }))
        .collect();
    let left_out: Vec<Value> =
        outcome.left_out.iter().map(|(id, why)| json!({ "test": id, "text": why })).collect();
    json!({
        "schema": SCHEMA,
        "target": outcome.target,
        "status": outcome.status.word(),
        "file": outcome.file.as_ref().map(|file| json!({ "path": file.short_path, "text": file.text })),
        "map": map,
        "groups": outcome.groups.iter().map(group).collect::<Vec<_>>(),
        "alone": alone,
        "left_out": left_out,
        "tests": json!({ "before": before, "after": after }),
        "runs": outcome.runs.total(),
        "seconds": (outcome.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        "notes": outcome.notes,
        "error": outcome.error.as_ref().map(|error| {
            json!({ "code": error.code.word(), "message": error.message, "help": error.help })
        }),
    })
}

fn group(group: &Group) -> Value {
    let (shown, refusal) = match &group.result {
        Ok(shown) => (Some(shown), None),
        Err(refusal) => (None, Some(refusal)),
    };
    json!({
        "how": group.how.word(),
        "tests": group.tests,
        "merged": group.result.is_ok(),
        "new": group.new,
        "reason": refusal.map(|it| json!({ "kind": it.code, "text": it.text })),
        "lines": shown.and_then(|shown| shown.n_lines),
        "mutants": shown.and_then(|shown| shown.mutants.as_ref()).map(mutants),
        "no_mutants": shown.and_then(|shown| shown.no_mutants.as_ref()),
    })
}

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
