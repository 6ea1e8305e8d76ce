//! Which tests of a suite check too much, as text, as a JSON document and as a page.

use paring_tasks::split::Estimate;
use serde_json::{Value, json};
use std::fmt::Write;

/// The name and version of the document.
const SCHEMA: &str = "paring.split-report/1";
/// Tests that the text names; the document and the page have all.
const MOST_NAMED: usize = 50;
/// Resources that are named for one test.
const MOST_RESOURCES: usize = 4;

/// Estimates of a suite.
#[derive(Clone, Copy, Debug)]
pub struct Eager<'a> {
    /// Of tests with more than one check.
    pub estimates: &'a [Estimate],
    pub n_tests: usize,
    /// Of which nothing can be said: they do not pass.
    pub n_not_passing: usize,
    /// Whether each was traced; else one run of the suite told of resources.
    pub is_exact: bool,
    /// Of the whole suite.
    pub seconds: f64,
}

impl Eager<'_> {
    /// Tests of several scenarios, those with most first.
    fn several(&self) -> Vec<&Estimate> {
        let mut found: Vec<&Estimate> = self.estimates.iter().filter(|it| it.is_several()).collect();
        found.sort_by_key(|it| (std::cmp::Reverse(it.scenarios.len()), it.target.clone()));
        found
    }

    /// What is known, in a sentence or two.
    fn summary(&self) -> String {
        let several = self.several();
        let n_new: usize = several.iter().map(|it| it.scenarios.len()).sum();
        let before: f64 = several.iter().map(|it| it.seconds).sum();
        let after: f64 = several.iter().flat_map(|it| &it.scenarios).map(|it| it.seconds).sum();
        let mut text = format!(
            "{} of {} tests check more than one thing; they would be {n_new} tests.",
            several.len(),
            self.n_tests
        );
        if before > 0.0 {
            let _ = write!(
                text,
                " Together these run {before:.2} s now and would run {after:.2} s ({:.2} times).",
                after / before
            );
            let longest: Vec<f64> =
                several.iter().filter(|it| it.seconds > 0.0).map(|it| it.longest() / it.seconds).collect();
            let n = u32::try_from(longest.len().max(1)).map_or(f64::INFINITY, f64::from);
            let mean = longest.iter().sum::<f64>() / n;
            let _ = write!(text, " The longest part of a test takes {:.0} % of it on average.", mean * 100.0);
        }
        if self.n_not_passing > 0 {
            let _ = write!(text, " {} more do not pass.", self.n_not_passing);
        }
        text
    }

    fn how(&self) -> &'static str {
        if self.is_exact {
            "Each test was traced; no new test was run."
        } else {
            "From one run of the suite; no new test was run. --exact traces each test."
        }
    }
}

/// The report as text.
pub fn eager_text(eager: Eager<'_>) -> String {
    let mut text = format!("{}\n{}\n", eager.summary(), eager.how());
    let several = eager.several();
    if !several.is_empty() {
        text.push_str("\nscenarios  checks  statements      seconds  test\n");
    }
    for it in several.iter().take(MOST_NAMED) {
        let after: usize = it.scenarios.iter().map(|it| it.n_statements).sum();
        let statements = format!("{} → {after}", it.n_statements);
        let seconds: f64 = it.scenarios.iter().map(|it| it.seconds).sum();
        let seconds =
            if it.seconds > 0.0 { format!("{:.2} → {seconds:.2}", it.seconds) } else { "–".to_owned() };
        let _ = writeln!(
            text,
            "{:>9}  {:>6}  {statements:>10}  {seconds:>11}  {}",
            it.scenarios.len(),
            it.n_checks,
            it.target
        );
        if !it.resources.is_empty() {
            let _ = writeln!(text, "{:>44}shares {}", "", shared(it));
        }
    }
    if several.len() > MOST_NAMED {
        let _ = writeln!(text, "… and {} more", several.len() - MOST_NAMED);
    }
    text
}

fn shared(estimate: &Estimate) -> String {
    let named = estimate.resources.iter().take(MOST_RESOURCES).cloned().collect::<Vec<_>>().join(", ");
    match estimate.resources.len().saturating_sub(MOST_RESOURCES) {
        0 => named,
        n => format!("{named} and {n} more"),
    }
}

/// The report for programs.
pub fn eager_document(eager: Eager<'_>) -> String {
    let document = json!({
        "schema": SCHEMA,
        "tests": eager.n_tests,
        "not_passing": eager.n_not_passing,
        "exact": eager.is_exact,
        "seconds": rounded(eager.seconds),
        "checked": eager.estimates.iter().map(object).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn object(it: &Estimate) -> Value {
    let scenario = |part: &paring_tasks::split::EstimatedTest| json!({ "checks": part.checks, "statements": part.n_statements, "seconds": rounded(part.seconds) });
    json!({
        "test": it.target,
        "checks": it.n_checks,
        "statements": it.n_statements,
        "seconds": rounded(it.seconds),
        "scenarios": it.scenarios.iter().map(scenario).collect::<Vec<_>>(),
        "cost": it.cost().map(rounded),
        "resources": it.resources,
        "reason": it.reason.as_ref().map(crate::split::reason_word),
    })
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 10_000.0).round() / 10_000.0
}

/// The report for a browser: one file that needs nothing else.
pub fn eager_page(eager: Eager<'_>) -> String {
    let mut rows = String::new();
    for it in eager.several() {
        let parts = it.scenarios.iter().enumerate().map(|(idx, part)| {
            let lines = part.checks.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            let share = if it.seconds > 0.0 { (part.seconds / it.seconds).min(1.0) * 100.0 } else { 0.0 };
            format!(
                "<li>{}: {} statements, checks on line {lines}<span class=\"bar\" style=\"width:{share:.0}px\"></span> {:.3} s</li>",
                idx + 1,
                part.n_statements,
                part.seconds
            )
        });
        let cost = it.cost().map_or_else(|| "–".to_owned(), |cost| format!("{cost:.2}"));
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.3}</td><td>{cost}</td><td><details><summary>{}</summary><ol class=\"parts\">{}</ol><p>{}</p></details></td></tr>",
            it.scenarios.len(),
            it.n_checks,
            it.n_statements,
            it.seconds,
            escaped(&it.target),
            parts.collect::<String>(),
            escaped(&shared(it)),
        );
    }
    PAGE.replace("<!-- SUMMARY -->", &escaped(&eager.summary()))
        .replace("<!-- HOW -->", eager.how())
        .replace("<!-- ROWS -->", &rows)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const PAGE: &str = include_str!("page/eager.html");

#[cfg(test)]
mod tests {
    use super::*;
    use paring_tasks::split::{EstimatedTest, Whole};

    fn estimate(target: &str, parts: &[f64]) -> Estimate {
        let part = |&seconds: &f64| EstimatedTest { n_statements: 3, checks: vec![4], seconds };
        Estimate {
            target: target.to_owned(),
            n_checks: 2,
            n_statements: 5,
            seconds: 1.0,
            scenarios: parts.iter().map(part).collect(),
            reason: parts.is_empty().then_some(Whole::OneScenario),
            resources: vec!["file /tmp/a.csv".to_owned()],
        }
    }

    fn eager(estimates: &[Estimate]) -> Eager<'_> {
        Eager { estimates, n_tests: 10, n_not_passing: 1, is_exact: false, seconds: 3.0 }
    }

    #[test]
    fn tests_of_several_scenarios_are_told_and_what_they_would_cost() {
        let estimates = [estimate("a", &[0.9, 0.6]), estimate("b", &[]), estimate("c", &[0.5, 0.2, 0.3])];
        let text = eager_text(eager(&estimates));
        assert!(
            text.starts_with("2 of 10 tests check more than one thing; they would be 5 tests. "),
            "{text}"
        );
        assert!(text.contains("run 2.00 s now and would run 2.50 s (1.25 times)"), "{text}");
        assert!(text.contains("takes 70 % of it on average. 1 more do not pass."), "{text}");
        let places = [text.find(" c\n"), text.find(" a\n")];
        assert!(places[0].is_some() && places[0] < places[1] && !text.contains(" b\n"), "{text}");
    }

    #[test]
    fn the_document_has_all_tests_with_more_than_one_check() {
        let estimates = [estimate("a", &[0.9, 0.6]), estimate("b", &[])];
        let document: Value = serde_json::from_str(&eager_document(eager(&estimates))).unwrap();
        assert_eq!(document["schema"], "paring.split-report/1");
        assert_eq!(document["checked"][0]["scenarios"][1]["seconds"], 0.6);
        assert_eq!(
            (&document["checked"][0]["cost"], &document["checked"][1]["reason"]),
            (&json!(1.5), &json!("one_scenario"))
        );
    }

    #[test]
    fn the_page_writes_names_as_text() {
        let page = eager_page(eager(&[estimate("t.py::test_a[<b>]", &[0.9, 0.6])]));
        assert!(page.contains("test_a[&lt;b&gt;]") && !page.contains("<b>"), "{page}");
        assert!(!page.contains("<!-- "), "{page}");
    }
}
