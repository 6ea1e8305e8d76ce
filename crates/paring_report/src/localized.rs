//! What a suite points to, for a reader: the failing tests, then suspicious places with the code around them and their scores. Where
//! not all of the failing tests ran a place, their numbers stand below it.
//!
//! ```text
//! failing  1  tests/test_cart.py::test_total  AssertionError: assert 3 == 4, pared from 9 to 3 statements
//!          2  tests/test_cart.py::test_empty  AssertionError: assert 0 == 1
//!
//!  1    shop.py:12  Cart.total   score 0.816, run by 1 of 2 failing and 1 of 9 passing tests
//!         10    def total(self):
//!         11        total = 0
//!       > 12        for price in self.prices[1:]:
//!         13            total += price
//!       failing tests: 1
//! ```

use crate::moment::Moment;
use crate::paint::{self, paint};
use crate::terminal::Style;
use crate::words::{clip, count, first_line, printable};
use paring_model::SourceFile;
use paring_tasks::localize::{By, Combine, FailingTest, FaultRank, Localization, Spent, Suspect, Way};
use std::fmt::Write;

/// Lines of code before and after a suspect.
const AROUND: u32 = 2;
/// Failing tests that are told.
const MAX_TESTS: usize = 10;

/// A localization with what is needed to show it.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub localization: &'a Localization,
    /// Those of the run.
    pub files: &'a [SourceFile],
    /// Their paths as the user knows them.
    pub paths: &'a [String],
    /// How many suspects to show.
    pub top: usize,
    /// Ranks of a fault that is known.
    pub faults: &'a [FaultRank],
    pub spent: Spent,
}

impl<'a> Shown<'a> {
    pub fn suspects(&self) -> &'a [Suspect] {
        let suspects = &self.localization.suspects;
        &suspects[..self.top.min(suspects.len())]
    }

    pub fn path(&self, suspect: &Suspect) -> &'a str {
        &self.paths[suspect.file_idx]
    }

    /// A line of a suspect's file, counted from 1.
    pub fn text(&self, suspect: &Suspect, line: u32) -> Option<&'a str> {
        self.files[suspect.file_idx].text.lines().nth(line.checked_sub(1)? as usize)
    }
}

/// The text for a terminal or a program.
pub fn localized(shown: Shown<'_>, style: Style) -> String {
    let mut page = Page { shown, style, text: String::new() };
    page.failing();
    for (idx, suspect) in shown.suspects().iter().enumerate() {
        if idx > 0 && !style.terse {
            page.line("");
        }
        page.suspect(suspect);
    }
    if !style.terse {
        page.line("");
    }
    page.summary();
    page.text
}

struct Page<'a> {
    shown: Shown<'a>,
    style: Style,
    text: String,
}

impl Page<'_> {
    fn suspect(&mut self, suspect: &Suspect) {
        let localization = self.shown.localization;
        let path = printable(self.shown.path(suspect));
        let place = match localization.plan.by {
            By::Statement => format!("{path}:{}", suspect.first_line),
            By::Function => {
                format!("{path}:{} {}", suspect.first_line, suspect.function.as_deref().unwrap_or(""))
            }
            By::File => path,
        };
        let function = match (localization.plan.by, &suspect.function) {
            (By::Statement, Some(function)) => format!(" in {function}"),
            (By::Statement, None) | (By::Function | By::File, _) => String::new(),
        };
        let rank = short(suspect.rank);
        let place = self.paint(paint::TARGET, &place);
        let facts = format!("score {}, {}", score(suspect.score), runs(suspect));
        self.line(&format!("{rank:<5}{place}{function}  {facts}"));
        if !self.style.terse {
            self.code(suspect);
        } else if let Some(text) = self.shown.text(suspect, suspect.first_line) {
            self.line(&format!("     | {}", clip(printable(text).trim(), 150)));
        }
        self.tests(suspect);
    }

    fn code(&mut self, suspect: &Suspect) {
        let last = suspect.last_line.min(suspect.first_line + 2 * AROUND);
        let shown = self.shown;
        for line in suspect.first_line.saturating_sub(AROUND).max(1)..=last + AROUND {
            let Some(text) = shown.text(suspect, line) else { break };
            let text = clip(&printable(text), self.style.width.saturating_sub(14).max(20));
            let is_suspect = (suspect.first_line..=suspect.last_line).contains(&line);
            let (mark, text) = if is_suspect {
                (self.paint(paint::FAILING, ">"), self.paint(paint::FAILING, &text))
            } else {
                (" ".to_owned(), text)
            };
            let number = self.paint(paint::GUTTER, &format!("{line:>5}"));
            self.line(format!("     {mark}{number}  {text}").trim_end());
        }
    }

    /// The failing tests that a suspect was run by, each once for all suspects.
    fn failing(&mut self) {
        let failing = &self.shown.localization.failing;
        let told = self.told();
        for (idx, &test) in told.iter().take(MAX_TESTS).enumerate() {
            let test = &failing[test];
            let id = self.paint(paint::NOTE, &printable(&test.id));
            let row = format!("{}  {id}{}", idx + 1, pared(test));
            if self.style.terse || idx == 0 {
                self.fact(paint::FAILING, "failing", &row);
            } else {
                self.line(&format!("{:9}{row}", ""));
            }
        }
        if told.len() > MAX_TESTS {
            self.line(&format!("{:9}and {}", "", count(told.len() - MAX_TESTS, "more failing test")));
        }
        if !told.is_empty() && !self.style.terse {
            self.line("");
        }
    }

    /// Failing tests in the order in which they are numbered.
    fn told(&self) -> Vec<usize> {
        let mut told: Vec<usize> =
            self.shown.suspects().iter().flat_map(|it| it.tests.iter().copied()).collect();
        told.sort_unstable();
        told.dedup();
        told
    }

    /// Which of the failing tests ran it, where not all did.
    fn tests(&mut self, suspect: &Suspect) {
        let told = self.told();
        let numbers =
            told.iter().take(MAX_TESTS).enumerate().filter(|(_, test)| suspect.tests.contains(test));
        let numbers: Vec<String> = numbers.map(|(idx, _)| (idx + 1).to_string()).collect();
        if suspect.tests.len() < told.len() && !numbers.is_empty() {
            let numbers = numbers.join(", ");
            self.line(&format!("     failing tests: {numbers}"));
        }
    }

    /// Whether the order of what is shown needs more than scores.
    fn has_ties(&self) -> bool {
        let suspects = self.shown.suspects();
        let is_tied = |two: &[Suspect]| two[0].score.total_cmp(&two[1].score).is_eq();
        suspects.windows(2).any(is_tied) || suspects.iter().any(|suspect| suspect.n_ties > 1)
    }

    fn summary(&mut self) {
        let localization = self.shown.localization;
        let plan = localization.plan;
        let n_shown = self.shown.suspects().len();
        let (n_all, noun) = (localization.suspects.len(), plan.by.word());
        let mut ranked = format!(
            "{n_shown} of {} that failing tests ran, of {} in the files they ran; formula {}",
            count(n_all, noun),
            localization.n_ranked,
            plan.formula.word()
        );
        if localization.failing.iter().any(|test| !test.pared.is_empty()) {
            ranked.push_str(match plan.combine {
                Combine::Replace => ", pared tests in the place of the failing ones",
                Combine::Refine => ", refined by pared tests",
                Combine::Both => ", pared tests in the place of the failing ones, refined by them",
                Combine::Clear | Combine::Settle => {
                    ", refined by pared tests; assertions that hold count as passing tests, those that fail behind others as failing ones"
                }
            });
        }
        self.fact(paint::DONE, "ranked", &ranked);
        if self.has_ties() {
            self.fact(paint::NOTE, "ties", plan.combine.tie_rule());
        }
        let skipped = match localization.n_skipped {
            0 => String::new(),
            n => format!(", {n} skipped"),
        };
        let tests = format!("{} failed, {} passed{skipped}", localization.n_failed, localization.n_passed);
        self.fact(paint::NOTE, "tests", &tests);
        let Spent { suite, paring, recording, n_recorded } = self.shown.spent;
        let recorded = format!("{} of pared tests with the recorder", count(n_recorded, "run"));
        let parts = [("the suite", suite), ("paring", paring), (recorded.as_str(), recording)];
        let parts = parts.iter().filter(|(_, spent)| !spent.is_zero());
        let parts: Vec<String> =
            parts.map(|(what, spent)| format!("{what} {:.1} s", spent.as_secs_f64())).collect();
        if !parts.is_empty() {
            self.fact(paint::NOTE, "took", &parts.join(", "));
        }
        if let Some(from) = localization.kept_from {
            let (n_tests, n_kept) = (localization.n_tests, localization.n_kept);
            let kept = format!(
                "{}, {} run again, {n_kept} kept from {}",
                count(n_tests, "test"),
                n_tests - n_kept,
                Moment::of(from).words()
            );
            self.fact(paint::NOTE, "kept", &kept);
        }
        for note in &localization.notes {
            self.fact(paint::WARNING, "note", &printable(note));
        }
        self.faults();
    }

    /// The ranks of a known fault, a line for each way to use pared tests.
    fn faults(&mut self) {
        for way in Way::all() {
            let ranks = self.shown.faults.iter().filter(|fault| fault.way == way);
            let ranks: Vec<String> =
                ranks.map(|it| format!("{} {}", it.formula.word(), short(it.rank))).collect();
            if !ranks.is_empty() {
                let way = match way {
                    Way::AsTheyAre => "as they are",
                    Way::Untied => "as they are, ties told apart",
                    Way::Pared(combine) => combine.word(),
                };
                self.fact(paint::NOTE, "fault", &format!("tests {way}: {}", ranks.join(", ")));
            }
        }
    }

    fn fact(&mut self, style: anstyle::Style, label: &str, text: &str) {
        if self.style.terse {
            self.line(&format!("{label}: {text}"));
        } else {
            let label = self.paint(style, &format!("{label:<9}"));
            self.line(&format!("{label}{text}"));
        }
    }

    fn paint(&self, style: anstyle::Style, text: &str) -> String {
        paint(self.style.color, style, text)
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a string does not fail");
    }
}

/// A rank: whole, or with a half.
fn short(rank: f64) -> String {
    if rank.fract() == 0.0 { format!("{rank:.0}") } else { format!("{rank:.1}") }
}

/// A score in as many digits as a reader wants.
pub fn score(score: f64) -> String {
    if score.is_infinite() { "infinite".to_owned() } else { format!("{score:.3}") }
}

/// Which tests ran it.
pub fn runs(suspect: &Suspect) -> String {
    let counts = suspect.counts;
    let ties = match suspect.n_ties {
        1 => String::new(),
        n => format!(", as {} more", n - 1),
    };
    format!(
        "run by {} of {} failing and {} of {} passing tests{ties}",
        counts.ef,
        counts.n_failed(),
        counts.ep,
        counts.n_passed()
    )
}

fn pared(test: &FailingTest) -> String {
    let failure = clip(&first_line(&test.failure), 80);
    let pared = match test.pared.as_slice() {
        [one] if one.statements.after < one.statements.before => {
            format!(
                "  {failure}, pared from {} to {}",
                one.statements.before,
                count(one.statements.after, "statement")
            )
        }
        [_, _, ..] => format!("  {failure}, pared to {} tests", test.pared.len()),
        [] | [_] => format!("  {failure}"),
    };
    let mut without_effect = test.pared.iter().flat_map(|pared| &pared.without_effect);
    match without_effect.next() {
        Some(call) => format!("{pared}; `{}` changes nothing", clip(&first_line(call), 60)),
        None => pared,
    }
}

#[cfg(test)]
pub fn sample() -> (Localization, Vec<SourceFile>, Vec<String>) {
    use paring_spectrum::{Counts, Equal, Formula};
    use paring_tasks::Size;
    use paring_tasks::localize::{ParedTest, Plan, RankedLine, SpectrumOf, Tests};
    let suspect = |line: u32, score: f64, rank: f64| Suspect {
        file_idx: 0,
        first_line: line,
        last_line: line,
        function: Some("reduced".to_owned()),
        score,
        rank,
        n_ties: 1,
        counts: Counts { ef: 1, nf: 0, ep: 0, np: 2 },
        tests: vec![0],
    };
    let line = |line: u32, score: f64, rank: f64, ef: u32| RankedLine {
        file_idx: 0,
        first_line: line,
        last_line: line,
        score,
        rank,
        counts: Counts { ef, nf: 1 - ef, ep: 0, np: 2 },
    };
    let pared = ParedTest {
        text: "def test_a(): pass".to_owned(),
        statements: Size { before: 5, after: 1 },
        n_lines: 2,
        without_effect: vec!["cart.empty()".to_owned()],
    };
    let failing = FailingTest {
        id: "tests/test_a.py::test_a".to_owned(),
        failure: "AssertionError: no".to_owned(),
        spectrum: SpectrumOf::Pared,
        pared: vec![pared],
    };
    let plan = Plan {
        formula: Formula::Dstar,
        combine: Combine::Replace,
        by: By::Statement,
        equal: Equal::Each,
        tests: Tests::LeftOut,
    };
    let localization = Localization {
        plan,
        n_passed: 2,
        n_failed: 1,
        n_skipped: 0,
        n_kept: 1,
        n_tests: 3,
        kept_from: Some(1_795_000_000),
        n_lines: 4,
        n_ranked: 4,
        failing: vec![failing],
        suspects: vec![suspect(2, f64::INFINITY, 1.0), suspect(3, 0.5, 2.0)],
        lines: vec![line(2, f64::INFINITY, 1.0, 1), line(3, 0.5, 2.0, 1), line(4, 0.0, 3.5, 0)],
        notes: vec!["a note".to_owned()],
    };
    let file = SourceFile {
        path: "/p/my shop.py".into(),
        text: "def reduced(total, percent):\n    cut = total * percent // 100\n    return total + cut\n"
            .to_owned(),
        holds_tests: false,
        statements: Vec::new(),
        functions: Vec::new(),
        constants: Vec::new(),
        taken: paring_model::Taken::default(),
    };
    (localization, vec![file], vec!["my shop.py".to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { color: false, terse: false, explain: false, width: 100 };

    fn text(style: Style) -> String {
        let (found, files, paths) = sample();
        localized(
            Shown {
                localization: &found,
                files: &files,
                paths: &paths,
                top: 1,
                faults: &[],
                spent: Spent::default(),
            },
            style,
        )
    }

    #[test]
    fn a_suspect_is_shown_with_its_code_and_its_tests() {
        let expected = "\
failing  1  tests/test_a.py::test_a  AssertionError: no, pared from 5 to 1 statement; `cart.empty()` changes nothing

1    my shop.py:2 in reduced  score infinite, run by 1 of 1 failing and 0 of 2 passing tests
          1  def reduced(total, percent):
     >    2      cut = total * percent // 100
          3      return total + cut

ranked   1 of 2 statements that failing tests ran, of 4 in the files they ran; formula dstar, pared tests in the place of the failing ones
tests    1 failed, 2 passed
kept     3 tests, 2 run again, 1 kept from 2026-11-18 11:06 UTC
note     a note
";
        assert_eq!(text(PLAIN), expected);
    }

    #[test]
    fn tests_are_told_once_and_ties_where_there_are_some() {
        let (mut found, files, paths) = sample();
        found.failing.push(FailingTest { id: "t.py::test_b".to_owned(), ..found.failing[0].clone() });
        found.suspects[0].tests = vec![0, 1];
        found.suspects[1].score = f64::INFINITY;
        let shown = Shown {
            localization: &found,
            files: &files,
            paths: &paths,
            top: 2,
            faults: &[],
            spent: Spent::default(),
        };
        let text = localized(shown, PLAIN);
        assert_eq!(text.matches("test_a.py::test_a").count(), 1, "{text}");
        assert_eq!(text.matches("     failing tests: 1\n").count(), 1, "{text}");
        assert!(text.contains("\nties     statements with equal scores share one rank"), "{text}");
    }

    #[test]
    fn a_program_gets_a_line_of_code_and_no_decoration() {
        let terse = text(Style { terse: true, ..PLAIN });
        assert!(terse.contains("\n     | cut = total * percent // 100\n"), "{terse}");
        assert!(terse.starts_with("failing: 1  tests/test_a.py::test_a  AssertionError: no"), "{terse}");
    }
}
