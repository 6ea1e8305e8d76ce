//! What a suite points to, as one page for a browser: files as a heat map, lines by their suspicion, the tests behind a line.
//!
//! The page is `page/page.html` with its style sheet, its script and the data put in: one file that needs nothing else. The
//! script writes all of the project's text as text, never as HTML.

use crate::localized::Shown;
use crate::moment::Moment;
use paring_model::CoveredTest;
use paring_tasks::localize::{RankedLine, Suspect, is_failed};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Passing tests that are named for one line; how many ran it is always said.
const MAX_PASSING: usize = 100;

/// Lines of a suspect that are shown in the list.
const MAX_LINES: usize = 6;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// What a page is about.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    pub project: &'a str,
    /// Of paring.
    pub version: &'a str,
    /// When the page was made, in seconds since 1970.
    pub made: u64,
}

/// The page; `tests` are all of the run.
pub fn page(shown: Shown<'_>, tests: &[CoveredTest], about: About<'_>) -> String {
    let data = data(shown, tests, about).to_string();
    // Within a script element `<` could begin a tag, and the two separators end a line for old readers.
    let data = data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    PAGE.replace("/* STYLE */", STYLE).replace("/* SCRIPT */", SCRIPT).replace("/* DATA */", &data)
}

fn data(shown: Shown<'_>, tests: &[CoveredTest], about: About<'_>) -> Value {
    let found = shown.localization;
    let heats = heats(&found.lines);
    let suspects = shown.suspects().iter().map(|suspect| place(shown, suspect, &heats));
    let suspects: Vec<Value> = suspects.collect();
    let ran_by = RanBy::of(tests);
    let mut files: Vec<Vec<Value>> = vec![Vec::new(); shown.files.len()];
    for (line, heat) in found.lines.iter().zip(&heats) {
        files[line.file_idx].push(row(line, *heat, &ran_by));
    }
    let files = shown.files.iter().zip(shown.paths).zip(files).filter(|(_, lines)| !lines.is_empty());
    let files: Vec<Value> = files
        .map(|((file, path), lines)| json!({ "path": path, "text": file.text, "lines": lines }))
        .collect();
    json!({
        "project": about.project,
        "version": about.version,
        "made": Moment::of(about.made).words(),
        "formula": found.plan.formula.word(),
        "by": found.plan.by.word(),
        "tie_rule": found.plan.combine.tie_rule(),
        "counts": { "passed": found.n_passed, "failed": found.n_failed, "skipped": found.n_skipped },
        "n_ranked": found.n_ranked,
        "n_suspects": found.suspects.len(),
        "suspects": suspects,
        "tests": tests.iter().map(|test| test_object(shown, test)).collect::<Vec<Value>>(),
        "files": files,
        "notes": found.notes,
    })
}

/// How warm each line is, from 0 to 1. An infinite score is twice the largest finite one, and what no failing test ran is cold.
fn heats(lines: &[RankedLine]) -> Vec<f64> {
    let suspicious = || lines.iter().filter(|line| line.counts.ef > 0).map(|line| line.score);
    let finite = suspicious().filter(|score| score.is_finite()).fold(0.0, f64::max);
    let infinite = if finite > 0.0 { 2.0 * finite } else { 1.0 };
    let plain = |score: f64| if score.is_finite() { score.max(0.0) } else { infinite };
    let hottest = suspicious().map(plain).fold(0.0, f64::max);
    let heat = |line: &RankedLine| {
        if line.counts.ef == 0 || hottest <= 0.0 { 0.0 } else { plain(line.score) / hottest }
    };
    lines.iter().map(heat).collect()
}

/// A line as a list, since a page has many: first and last line, heat, score (`null` where infinite), rank, failing and passing tests
/// that ran it as they were counted, and the tests by their indices.
fn row(line: &RankedLine, heat: f64, ran_by: &RanBy) -> Value {
    json!([
        line.first_line,
        line.last_line,
        heat,
        line.score.is_finite().then_some(line.score),
        line.rank,
        line.counts.ef,
        line.counts.ep,
        ran_by.named(line),
        ran_by.n_passed(line),
    ])
}

fn place(shown: Shown<'_>, suspect: &Suspect, heats: &[f64]) -> Value {
    let lines = shown.localization.lines.iter().zip(heats);
    let same = |line: &RankedLine| (line.file_idx, line.first_line) == (suspect.file_idx, suspect.first_line);
    let heat = lines.clone().find(|(line, _)| same(line)).map(|(_, heat)| *heat);
    json!({
        "path": shown.path(suspect),
        "line": suspect.first_line,
        "function": suspect.function,
        "rank": suspect.rank,
        "score": suspect.score.is_finite().then_some(suspect.score),
        "heat": heat.unwrap_or_default(),
        "text": statement(shown, suspect),
    })
}

/// The lines of a suspect, without what all of them are indented by. Of a function or a long statement the first ones.
fn statement(shown: Shown<'_>, suspect: &Suspect) -> String {
    let lines = (suspect.first_line..=suspect.last_line).take(MAX_LINES);
    let lines: Vec<&str> = lines.map_while(|line| shown.text(suspect, line)).collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let common = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
    let lines = lines.iter().map(|line| line.get(common..).unwrap_or_default().trim_end());
    lines.collect::<Vec<_>>().join("\n")
}

fn test_object(shown: Shown<'_>, test: &CoveredTest) -> Value {
    let failing = shown.localization.failing.iter().find(|failing| failing.id == test.id);
    let Some(failing) = failing.filter(|_| is_failed(&test.observation)) else {
        return json!({ "id": test.id });
    };
    let pared = failing.pared.iter().map(|pared| {
        json!({ "text": pared.text, "before": pared.statements.before, "after": pared.statements.after })
    });
    json!({ "id": test.id, "failure": failing.failure, "pared": pared.collect::<Vec<Value>>() })
}

/// The tests that ran a line, by file and first line.
struct RanBy(HashMap<(usize, u32), Tests>);

#[derive(Default)]
struct Tests {
    failing: Vec<usize>,
    passing: Vec<usize>,
    n_passed: usize,
}

impl RanBy {
    fn of(tests: &[CoveredTest]) -> Self {
        let mut found: HashMap<(usize, u32), Tests> = HashMap::new();
        for (idx, test) in tests.iter().enumerate() {
            for ran in test.ran.iter().flatten() {
                for &line in &ran.lines {
                    let tests = found.entry((ran.file_idx, line)).or_default();
                    if is_failed(&test.observation) {
                        tests.failing.push(idx);
                        continue;
                    }
                    tests.n_passed += 1;
                    if tests.passing.len() < MAX_PASSING {
                        tests.passing.push(idx);
                    }
                }
            }
        }
        Self(found)
    }

    fn named(&self, line: &RankedLine) -> Vec<usize> {
        let tests = self.tests(line);
        tests.map_or_else(Vec::new, |tests| [tests.failing.as_slice(), &tests.passing].concat())
    }

    fn n_passed(&self, line: &RankedLine) -> usize {
        self.tests(line).map_or(0, |tests| tests.n_passed)
    }

    fn tests(&self, line: &RankedLine) -> Option<&Tests> {
        self.0.get(&(line.file_idx, line.first_line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::localized::sample;
    use paring_model::{Observation, RanIn};
    use paring_tasks::localize::Spent;

    const ABOUT: About<'_> = About { project: "my shop", version: "1.2.3", made: 1_795_000_000 };

    fn passing(id: &str, lines: &[u32]) -> CoveredTest {
        let ran = vec![RanIn { file_idx: 0, lines: lines.to_vec() }];
        CoveredTest {
            id: id.to_owned(),
            file: "/p/t.py".into(),
            observation: Observation::Passed,
            ran: Some(ran),
            kept_at: None,
        }
    }

    fn check(page: &str) -> Value {
        let (_, data) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("the data");
        let (data, _) = data.split_once("</script>").expect("its end");
        serde_json::from_str(data).expect("JSON")
    }

    #[test]
    fn the_data_of_the_page_is_the_ranking() {
        let (found, files, paths) = sample();
        let shown = Shown {
            localization: &found,
            files: &files,
            paths: &paths,
            top: 1,
            faults: &[],
            spent: Spent::default(),
        };
        let data = check(&page(shown, &[passing("t::a", &[3, 4]), passing("t::b", &[4])], ABOUT));
        let lines = &data["files"][0]["lines"];
        assert_eq!(lines[0], json!([2, 2, 1.0, null, 1.0, 1, 0, [], 0]));
        assert_eq!(lines[1], json!([3, 3, 0.5, 0.5, 2.0, 1, 0, [0], 1]));
        assert_eq!(lines[2], json!([4, 4, 0.0, 0.0, 3.5, 0, 0, [0, 1], 2]));
        assert_eq!(data["suspects"].as_array().map(Vec::len), Some(1));
        let first = &data["suspects"][0];
        assert_eq!((&first["heat"], &first["text"]), (&json!(1.0), &json!("cut = total * percent // 100")));
        assert_eq!((&data["project"], &data["made"]), (&json!("my shop"), &json!("2026-11-18 11:06 UTC")));
    }

    #[test]
    fn nothing_in_the_data_ends_its_element() {
        let (mut found, mut files, paths) = sample();
        files[0].text = "x = '</script><script>alert(1)</script>'  # \u{2028}".to_owned();
        found.notes = vec!["<!-- <script>".to_owned()];
        let shown = Shown {
            localization: &found,
            files: &files,
            paths: &paths,
            top: 1,
            faults: &[],
            spent: Spent::default(),
        };
        let page = page(shown, &[], ABOUT);
        assert_eq!(page.matches("</script>").count(), 2, "the data's and the script's own");
        assert_eq!(check(&page)["files"][0]["text"], files[0].text);
        assert_eq!(check(&page)["notes"][0], found.notes[0]);
    }

    #[test]
    fn a_line_names_only_some_of_many_passing_tests_and_counts_all() {
        let (found, files, paths) = sample();
        let shown = Shown {
            localization: &found,
            files: &files,
            paths: &paths,
            top: 1,
            faults: &[],
            spent: Spent::default(),
        };
        let tests: Vec<CoveredTest> = (0..250).map(|n| passing(&format!("t::n{n}"), &[4])).collect();
        let data = check(&page(shown, &tests, ABOUT));
        let line = &data["files"][0]["lines"][2];
        assert_eq!((line[7].as_array().map(Vec::len), &line[8]), (Some(MAX_PASSING), &json!(250)));
    }

    #[test]
    fn the_page_asks_for_nothing_from_elsewhere() {
        let (found, files, paths) = sample();
        let page = page(
            Shown {
                localization: &found,
                files: &files,
                paths: &paths,
                top: 1,
                faults: &[],
                spent: Spent::default(),
            },
            &[],
            ABOUT,
        );
        for from in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!page.contains(from), "{from}");
        }
    }
}
