//! How much the tests of a suite repeat each other, as text and as a JSON document.

use paring_model::{Called, Calls};
use paring_tasks::redundancy::{Cluster, Count, Deletable, Redundancy};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The name and version the document carries.
const SCHEMA: &str = "paring.merge-report/1";
/// So many of each list are named in the text; all of them in JSON.
const NAMED: usize = 10;

/// For people.
pub fn redundancy_text(found: &Redundancy) -> String {
    let mut text = String::new();
    let n_tests = found.tests.len();
    let _ = writeln!(text, "{n_tests} tests that pass, {} left out", found.left_out.len());
    let _ = writeln!(text, "\n{:24}{:>12}{:>12}", "", "the paper's", "paring's");
    let mut row = |name: &str, of: &dyn Fn(&Count) -> String| {
        let _ = writeln!(text, "{name:24}{:>12}{:>12}", of(&found.paper), of(&found.ours));
    };
    row("partly redundant tests", &|count| count.common.len().to_string());
    row("  of all", &|count| percent(count.common.len(), n_tests));
    row("statements with calls", &|count| count.n_statements.to_string());
    row("redundant statements", &|count| count.n_redundant.to_string());
    row("  of those", &|count| percent(count.n_redundant, count.n_statements));
    row("per test, quartiles", &quartiles);
    let _ = writeln!(text, "\nexact duplicates: {}", found.duplicates.len());
    for group in found.duplicates.iter().take(NAMED) {
        let _ = writeln!(text, "  {}", names(found, group).join(" = "));
    }
    let _ = writeln!(text, "safe to delete: {}", found.deletable.len());
    for it in found.deletable.iter().take(NAMED) {
        let _ = writeln!(text, "{}", deletable_text(found, it));
    }
    let _ = writeln!(text, "largest clusters of tests that share statements, of {}:", found.clusters.len());
    for cluster in found.clusters.iter().take(NAMED) {
        let _ = writeln!(
            text,
            "  {} statements: {}",
            cluster.statements.len(),
            some(&names(found, &cluster.tests))
        );
    }
    let _ = writeln!(
        text,
        "\nseconds to be saved: {:.3} by deleting those, about {:.3} by running redundant statements once; of {:.3}",
        found.saved_by_deleting,
        found.saved_by_merging,
        seconds(found)
    );
    let phases = found.phases.iter().map(|(name, took)| format!("{name} {:.2} s", took.as_secs_f64()));
    let _ = writeln!(text, "analysis: {}", phases.collect::<Vec<_>>().join(", "));
    for (id, why) in found.left_out.iter().take(NAMED) {
        let _ = writeln!(text, "left out: {id}: {why}");
    }
    if found.left_out.len() > NAMED {
        let _ = writeln!(text, "left out: {} more", found.left_out.len() - NAMED);
    }
    for note in &found.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn deletable_text(found: &Redundancy, it: &Deletable) -> String {
    let (test, by) = (&found.tests[it.test].id, &found.tests[it.by].id);
    let lines = it.proof.iter().map(|(own, callee, other)| format!("{own} {callee} = {other}"));
    format!("  {test}: {by} does all of it\n    {}", some(&lines.collect::<Vec<_>>()))
}

fn some(words: &[String]) -> String {
    let more = words.len().saturating_sub(NAMED / 2);
    let first = words.iter().take(NAMED / 2).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

fn quartiles(count: &Count) -> String {
    count.quartiles().map_or_else(|| "-".to_owned(), |all| all.map(|n| n.to_string()).join(" "))
}

fn percent(n: usize, of: usize) -> String {
    (100 * n + of / 2).checked_div(of).map_or_else(|| "-".to_owned(), |share| format!("{share} %"))
}

fn names(found: &Redundancy, tests: &[usize]) -> Vec<String> {
    tests.iter().map(|&test| found.tests[test].id.clone()).collect()
}

/// How long all tests took while they were followed.
fn seconds(found: &Redundancy) -> f64 {
    found.tests.iter().filter_map(|test| test.calls.as_ref()).map(|calls| calls.seconds).sum()
}

/// For programs.
pub fn redundancy_document(found: &Redundancy) -> String {
    let deletable = found.deletable.iter().map(|it| {
        let proof =
            it.proof.iter().map(|(line, callee, by)| json!({ "line": line, "does": callee, "by_line": by }));
        json!({
            "test": found.tests[it.test].id,
            "by": found.tests[it.by].id,
            "proof": proof.collect::<Vec<_>>(),
        })
    });
    let phases: BTreeMap<&str, f64> =
        found.phases.iter().map(|(name, took)| (*name, rounded(took.as_secs_f64()))).collect();
    let left_out: Vec<Value> =
        found.left_out.iter().map(|(id, why)| json!({ "test": id, "text": why })).collect();
    let document = json!({
        "schema": SCHEMA,
        "tests": found.tests.iter().enumerate().map(|(idx, test)| object(found, idx, test)).collect::<Vec<_>>(),
        "left_out": left_out,
        "paper": count(&found.paper),
        "paring": count(&found.ours),
        "duplicates": found.duplicates.iter().map(|group| names(found, group)).collect::<Vec<_>>(),
        "deletable": deletable.collect::<Vec<_>>(),
        "clusters": found.clusters.iter().map(|it| cluster(found, it)).collect::<Vec<_>>(),
        "seconds": {
            "tests": rounded(seconds(found)),
            "saved_by_deleting": rounded(found.saved_by_deleting),
            "saved_by_merging": rounded(found.saved_by_merging),
        },
        "analysis": phases,
        "notes": found.notes,
    });
    format!("{document:#}\n")
}

fn object(found: &Redundancy, idx: usize, test: &Called) -> Value {
    let common = |count: &Count| count.common.get(&idx).copied().unwrap_or_default();
    json!({
        "test": test.id,
        "statements": test.calls.as_ref().map_or(0, |calls: &Calls| calls.statements.len()),
        "redundant": { "paper": common(&found.paper), "paring": common(&found.ours) },
    })
}

fn count(count: &Count) -> Value {
    let mut distribution: BTreeMap<String, usize> = BTreeMap::new();
    for n in count.common.values() {
        *distribution.entry(format!("{n}")).or_default() += 1;
    }
    json!({
        "partly_redundant_tests": count.common.len(),
        "statements": count.n_statements,
        "redundant_statements": count.n_redundant,
        "quartiles": count.quartiles(),
        "distribution": distribution,
    })
}

fn cluster(found: &Redundancy, cluster: &Cluster) -> Value {
    json!({ "tests": names(found, &cluster.tests), "statements": cluster.statements })
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 10_000.0).round() / 10_000.0
}
