//! How much the tests of a suite repeat each other, as one page for a browser: clusters of tests side by side, with what they share marked.
//!
//! One file that needs nothing else, and no script. All of the project's text is written as text.

use crate::moment::Moment;
use crate::page::About;
use crate::redundancy::redundancy_text;
use paring_model::Called;
use paring_tasks::redundancy::{Cluster, Deletable, Redundancy};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// So many clusters are shown, with so many tests of each beside each other; the others are named.
const MAX_CLUSTERS: usize = 60;
const MAX_SIDES: usize = 4;
/// Lines of a test.
const MAX_LINES: u32 = 80;

const STYLE: &str = include_str!("page/redundancy.css");

/// Texts of test files by their paths.
pub type Sources = BTreeMap<String, String>;

pub fn redundancy_page(found: &Redundancy, sources: &Sources, about: About<'_>) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Tests that repeat each other</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>Tests of {} that repeat each other</h1>\n<p>paring {}, {}</p>\n</header>\n<main>\n",
        escaped(about.project),
        escaped(about.version),
        Moment::of(about.made).words(),
    );
    let _ = write!(
        page,
        "<section>\n<h2>In figures</h2>\n<pre>{}</pre>\n</section>\n",
        escaped(&redundancy_text(found))
    );
    page.push_str(&bars(found));
    let _ = writeln!(page, "<section>\n<h2>Safe to delete: {}</h2>", found.deletable.len());
    for deletable in &found.deletable {
        page.push_str(&proof(found, sources, deletable));
    }
    let _ = writeln!(
        page,
        "</section>\n<section>\n<h2>Tests that share statements: {} clusters</h2>",
        found.clusters.len()
    );
    for cluster in found.clusters.iter().take(MAX_CLUSTERS) {
        page.push_str(&side_by_side(found, sources, cluster));
    }
    if found.clusters.len() > MAX_CLUSTERS {
        let _ = writeln!(
            page,
            "<p>{} smaller ones are in the JSON document.</p>",
            found.clusters.len() - MAX_CLUSTERS
        );
    }
    page.push_str("</section>\n</main>\n</body>\n</html>\n");
    page
}

/// How many tests have how many redundant statements.
fn bars(found: &Redundancy) -> String {
    let mut page =
        "<section>\n<h2>Redundant statements per test</h2>\n<table>\n<tr><th>statements</th><th>the paper's \
                    equality</th><th>paring's</th></tr>\n"
            .to_owned();
    let of = |common: &BTreeMap<usize, usize>, n: usize| common.values().filter(|&&each| each == n).count();
    let all: BTreeSet<usize> =
        found.paper.common.values().chain(found.ours.common.values()).copied().collect();
    for n in all {
        let bar = |n_tests: usize| {
            format!("<td><meter max=\"{}\" value=\"{n_tests}\"></meter> {n_tests}</td>", found.tests.len())
        };
        let _ = writeln!(
            page,
            "<tr><th>{n}</th>{}{}</tr>",
            bar(of(&found.paper.common, n)),
            bar(of(&found.ours.common, n))
        );
    }
    page.push_str("</table>\n</section>\n");
    page
}

fn proof(found: &Redundancy, sources: &Sources, deletable: &Deletable) -> String {
    let own: BTreeSet<u32> = deletable.proof.iter().map(|(line, _, _)| *line).collect();
    let other: BTreeSet<u32> = deletable.proof.iter().map(|(_, _, line)| *line).collect();
    let (test, by) = (&found.tests[deletable.test], &found.tests[deletable.by]);
    format!(
        "<details>\n<summary><code>{}</code>: <code>{}</code> does all of it, and asserts no less</summary>\n<div \
         class=\"sides\">\n{}{}</div>\n</details>\n",
        escaped(&test.id),
        escaped(&by.id),
        side(test, sources, &own),
        side(by, sources, &other)
    )
}

fn side_by_side(found: &Redundancy, sources: &Sources, cluster: &Cluster) -> String {
    let mut page = format!(
        "<details>\n<summary>{} statements in {} tests: <code>{}</code> …</summary>\n<div class=\"sides\">\n",
        cluster.statements.len(),
        cluster.tests.len(),
        escaped(&found.tests[cluster.tests[0]].id)
    );
    for (at, &test) in cluster.tests.iter().enumerate().take(MAX_SIDES) {
        let lines = cluster.statements.iter().map(|lines| lines[at]).collect();
        page.push_str(&side(&found.tests[test], sources, &lines));
    }
    page.push_str("</div>\n");
    let rest = cluster
        .tests
        .iter()
        .skip(MAX_SIDES)
        .map(|&test| format!("<code>{}</code>", escaped(&found.tests[test].id)));
    let rest: Vec<String> = rest.collect();
    if !rest.is_empty() {
        let _ = writeln!(page, "<p>and {}</p>", rest.join(", "));
    }
    page.push_str("</details>\n");
    page
}

/// A test with some of its lines marked.
fn side(test: &Called, sources: &Sources, marked: &BTreeSet<u32>) -> String {
    let mut page = format!("<figure>\n<figcaption>{}</figcaption>\n<pre>", escaped(&test.id));
    let calls = test.calls.as_ref();
    let last =
        calls.and_then(|calls| calls.statements.iter().max()).or(marked.iter().max()).copied().unwrap_or(0);
    let first = calls.map(|calls| calls.first_line).filter(|&line| line > 0);
    let first = first.or(marked.iter().min().copied()).unwrap_or(1).max(1);
    let lines = sources.get(test.file.as_str()).map(|text| text.lines()).into_iter().flatten();
    for (number, line) in
        (1..).zip(lines).filter(|(number, _)| (first..=last).contains(number)).take(MAX_LINES as usize)
    {
        let line = escaped(line);
        let line = if marked.contains(&number) { format!("<mark>{line}</mark>") } else { line };
        let _ = writeln!(page, "{line}");
    }
    page.push_str("</pre>\n</figure>\n");
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::{CallFact, Calls, Fact, Observation};
    use paring_tasks::redundancy::redundancy;

    fn test(id: &str, line: u32) -> Called {
        let print = || Some("x".to_owned());
        let fact = CallFact {
            line,
            nth: 1,
            what: Fact::Call,
            callee: "m.f".to_owned(),
            value: print(),
            inputs: print(),
            after: print(),
        };
        let calls = Calls {
            seconds: 0.5,
            first_line: line - 1,
            statements: vec![line],
            facts: vec![fact],
            native: false,
        };
        let (file, observation) = ("t.py".into(), Observation::Passed);
        Called { id: id.to_owned(), file, observation, calls: Some(calls) }
    }

    #[test]
    fn tests_stand_side_by_side_with_what_they_share_marked() {
        let found = redundancy(vec![test("t.py::a<1>", 2), test("t.py::b", 4)], &|_| false);
        let sources = Sources::from([(
            "t.py".to_owned(),
            "def a():\n    f(1 < 2)\ndef b():\n    f(1 < 2)\n".to_owned(),
        )]);
        let page = redundancy_page(&found, &sources, About { project: "shop", version: "1", made: 0 });
        assert!(
            page.contains(
                "<figcaption>t.py::a&lt;1&gt;</figcaption>\n<pre>def a():\n<mark>    f(1 &lt; 2)</mark>"
            ),
            "{page}"
        );
        assert!(page.contains("Safe to delete: 1") && page.contains("1 statements in 2 tests"), "{page}");
        let text = redundancy_text(&found);
        assert!(text.contains("redundant statements               1           1"), "{text}");
        assert!(text.contains("t.py::b: t.py::a<1> does all of it\n    4 m.f = 2"), "{text}");
    }
}
