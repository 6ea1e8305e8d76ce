//! What each strategy makes of the same test, side by side: a table for people, a document for programs.

use crate::document::document;
use crate::words::{clip, printable};
use paring_tasks::Outcome;
use serde_json::{Value, json};
use std::fmt::Write;

/// The name and version every object carries.
pub const SCHEMA: &str = "paring.comparison/1";

const HEAD: [&str; 7] = ["strategy", "statements", "removed", "search runs", "all runs", "seconds", "good"];

/// One test under several strategies, in the order they were run.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The id as the user gave it.
    pub target: String,
    pub outcomes: Vec<Outcome>,
}

/// A list with one object per test; what a strategy came to is a `paring.result/1`.
pub fn comparison_document(comparisons: &[Comparison]) -> Value {
    let object =
        |it: &Comparison| json!({ "schema": SCHEMA, "target": it.target, "results": document(&it.outcomes) });
    Value::Array(comparisons.iter().map(object).collect())
}

/// The table of one test.
pub fn comparison_table(comparison: &Comparison) -> String {
    let size = comparison.outcomes.iter().find_map(|outcome| outcome.pared.as_ref());
    let size = size.map(|pared| format!(", {} statements", pared.statements.before)).unwrap_or_default();
    let mut text = format!("{}{size}\n", printable(&comparison.target));
    let rows: Vec<Vec<String>> = comparison.outcomes.iter().map(row).collect();
    align(&mut text, &rows);
    text
}

/// The means over all tests for which every strategy has a result; `None` where one test is all there is.
pub fn mean_table(comparisons: &[Comparison]) -> Option<String> {
    let complete: Vec<&Comparison> =
        comparisons.iter().filter(|it| it.outcomes.iter().all(|outcome| outcome.pared.is_some())).collect();
    let first = complete.first().filter(|_| complete.len() > 1)?;
    let mut text = format!("Means over {} tests\n", complete.len());
    let rows: Vec<Vec<String>> = (0..first.outcomes.len())
        .map(|idx| mean_row(&complete.iter().map(|it| &it.outcomes[idx]).collect::<Vec<_>>()))
        .collect();
    align(&mut text, &rows);
    Some(text)
}

fn row(outcome: &Outcome) -> Vec<String> {
    let strategy = outcome.strategy.clone();
    let Some(pared) = &outcome.pared else {
        let why = outcome.error.as_ref().map(|error| format!(": {}", clip(&error.message, 60)));
        return vec![
            strategy,
            format!("{}{}", outcome.status.word().replace('_', " "), why.unwrap_or_default()),
        ];
    };
    let size = pared.statements;
    let removed = if size.before == 0 { 0.0 } else { 1.0 - as_f64(size.after) / as_f64(size.before) };
    let good = match pared.verified.passes_on_good {
        Some(true) => "passes",
        Some(false) => "fails",
        None => "-",
    };
    vec![
        strategy,
        size.after.to_string(),
        format!("{:.0} %", 100.0 * removed),
        outcome.runs.search.to_string(),
        outcome.runs.total().to_string(),
        format!("{:.1}", outcome.elapsed.as_secs_f64()),
        good.to_owned(),
    ]
}

fn mean_row(outcomes: &[&Outcome]) -> Vec<String> {
    let mean = |value: &dyn Fn(&Outcome) -> f64| {
        outcomes.iter().map(|outcome| value(outcome)).sum::<f64>() / as_f64(outcomes.len())
    };
    let pared = |outcome: &Outcome| outcome.pared.clone().expect("only complete comparisons are counted");
    let after = mean(&|outcome| as_f64(pared(outcome).statements.after));
    let before = mean(&|outcome| as_f64(pared(outcome).statements.before));
    let on_good: Vec<bool> =
        outcomes.iter().filter_map(|outcome| pared(outcome).verified.passes_on_good).collect();
    let n_passing = on_good.iter().filter(|&&passes| passes).count();
    vec![
        outcomes[0].strategy.clone(),
        format!("{after:.1}"),
        format!("{:.0} %", if before == 0.0 { 0.0 } else { 100.0 * (1.0 - after / before) }),
        format!("{:.1}", mean(&|outcome| as_f64(outcome.runs.search))),
        format!("{:.1}", mean(&|outcome| as_f64(outcome.runs.total()))),
        format!("{:.1}", mean(&|outcome| outcome.elapsed.as_secs_f64())),
        if on_good.is_empty() { "-".to_owned() } else { format!("{n_passing}/{}", on_good.len()) },
    ]
}

/// Words to the left, figures to the right. A row that ends early has its last cell in full.
fn align(text: &mut String, rows: &[Vec<String>]) {
    let head: Vec<String> = HEAD.map(ToOwned::to_owned).to_vec();
    let full = || [&head].into_iter().chain(rows).filter(|row| row.len() == HEAD.len());
    let widths: Vec<usize> =
        (0..HEAD.len()).map(|idx| full().map(|row| row[idx].chars().count()).max().unwrap_or(0)).collect();
    let first = rows.iter().map(|row| row[0].len()).max().unwrap_or(0).max(widths[0]);
    for row in [&head].into_iter().chain(rows) {
        let mut line = format!("  {:<first$}", row[0]);
        for (idx, cell) in row.iter().enumerate().skip(1) {
            if row.len() < HEAD.len() {
                write!(line, "  {cell}").expect("writing to a string does not fail");
            } else {
                write!(line, "  {cell:>width$}", width = widths[idx])
                    .expect("writing to a string does not fail");
            }
        }
        writeln!(text, "{}", line.trim_end()).expect("writing to a string does not fail");
    }
}

#[expect(clippy::cast_precision_loss, reason = "a count of statements or runs")]
fn as_f64(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use paring_tasks::Status;

    fn comparison(target: &str) -> Comparison {
        let named = |strategy: &str, outcome: Outcome| Outcome { strategy: strategy.to_owned(), ..outcome };
        let mut unsafe_one = named("ddmin", sample::minimized());
        let pared = unsafe_one.pared.as_mut().unwrap();
        pared.statements.after = 1;
        pared.verified.passes_on_good = Some(false);
        unsafe_one.runs.search = 41;
        Comparison {
            target: target.to_owned(),
            outcomes: vec![named("auto", sample::minimized()), unsafe_one],
        }
    }

    #[test]
    fn a_table_has_a_row_for_each_strategy() {
        let mut with_error = comparison("tests/test_table.py::test_remove_row");
        with_error
            .outcomes
            .push(Outcome { strategy: "ssmin".to_owned(), ..sample::with_status(Status::Flaky) });
        insta::assert_snapshot!(comparison_table(&with_error));
    }

    #[test]
    fn several_tests_have_means() {
        assert_eq!(mean_table(&[comparison("a")]), None);
        insta::assert_snapshot!(mean_table(&[comparison("a"), comparison("b")]).unwrap());
    }

    #[test]
    fn the_document_holds_a_result_for_each_strategy() {
        let document = comparison_document(&[comparison("a")]);
        assert_eq!(document[0]["schema"], SCHEMA);
        assert_eq!(document[0]["results"][1]["strategy"], "ddmin");
    }
}
