//! One outcome for a person at a terminal: the diff of the test, then what there is to know about it, a line each.
//!
//! ```text
//! tests/test_table.py::test_remove_row
//!
//!   12    def test_remove_row():
//!   13 -      log = Log()
//!   14        table = Table()
//!   15 ?      table.remove_row(0)
//!   16 >      assert table.rows == []
//!
//! minimized    5 → 3 statements, 9 runs, 0.4 s
//! failure      AssertionError: assert [1] == [], line 16
//! suspect      line 15 `table.remove_row(0)`: …
//! ```
//!
//! `-` marks what went, `+` what had to be written anew, `>` the failing line, `?` a suspect and `~` what is only kept by caution.
//! What programs and agents read is in `terse.rs`.

use crate::diff::{DiffLine, Sign, diff};
use crate::paint::{self, paint};
use crate::terse;
use crate::words::{self, clip, printable};
use paring_tasks::{Kept, Outcome, Pared, Status};
use std::fmt::Write;

/// How to write an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub color: bool,
    /// For programs and agents: stable, without diff and colours.
    pub terse: bool,
    /// Say of each kept line why it stays.
    pub explain: bool,
    /// Columns of the terminal.
    pub width: usize,
}

/// The text of one outcome, ending in a newline.
pub fn render(outcome: &Outcome, style: Style) -> String {
    if style.terse {
        return terse::render(outcome, style.explain);
    }
    let mut page = Page { text: String::new(), style };
    page.outcome(outcome);
    page.text
}

/// Labels stand in a column of this width.
const LABEL: usize = 13;

/// A line that is no outcome's, with its label where the others have theirs.
pub fn labelled(label: &str, content: &str, style: Style) -> String {
    if style.terse {
        return format!("{label}: {content}\n");
    }
    let mut page = Page { text: String::new(), style };
    page.fact(paint::NOTE, label, content);
    page.text
}

/// What is said of a kept line in the margin.
#[derive(Clone, Copy)]
enum Mark {
    Failing,
    Suspect,
    Caution,
    None,
}

struct Page {
    text: String,
    style: Style,
}

impl Page {
    fn outcome(&mut self, outcome: &Outcome) {
        let target = self.paint(paint::TARGET, &printable(&outcome.target));
        self.line(&target);
        if let Some(pared) = &outcome.pared {
            self.line("");
            self.diff(pared, words::failing_line(outcome));
            if self.style.explain {
                self.line("");
                self.explanation(pared);
            }
            self.line("");
        }
        self.facts(outcome);
    }

    fn diff(&mut self, pared: &Pared, failing_line: Option<u32>) {
        let lines = diff(pared);
        let last = lines.iter().filter_map(|line| line.number).max().unwrap_or(0);
        let width = last.to_string().len().max(4);
        for line in &lines {
            let suspect = pared.suspects.iter().any(|suspect| Some(suspect.line) == line.number);
            let failing = line.number.is_some() && line.number == failing_line;
            let caution = pared.by_caution().any(|kept| Some(kept.line) == line.number);
            let mark = match (failing, suspect, caution) {
                (true, _, _) => Mark::Failing,
                (false, true, _) => Mark::Suspect,
                (false, false, true) => Mark::Caution,
                (false, false, false) => Mark::None,
            };
            self.diff_line(line, width, mark);
        }
    }

    fn diff_line(&mut self, line: &DiffLine, width: usize, mark: Mark) {
        let text = printable(&line.text);
        let (mark, text) = match line.sign {
            Sign::Kept => match mark {
                Mark::Failing => (self.paint(paint::FAILING, ">"), self.paint(paint::FAILING, &text)),
                Mark::Suspect => (self.paint(paint::WARNING, "?"), text),
                Mark::Caution => (self.paint(paint::NOTE, "~"), text),
                Mark::None => (" ".to_owned(), text),
            },
            Sign::Removed | Sign::Folded => {
                (self.paint(paint::REMOVED, "-"), self.paint(paint::REMOVED, &text))
            }
            Sign::Added => (self.paint(paint::ADDED, "+"), self.paint(paint::ADDED, &text)),
        };
        let number = line.number.map(|number| number.to_string()).unwrap_or_default();
        let number = self.paint(paint::GUTTER, &format!("{number:>width$}"));
        self.line(format!("{number} {mark}  {text}").trim_end());
    }

    fn explanation(&mut self, pared: &Pared) {
        self.line("Why each line stays (✓: checked by a run without it)");
        for kept in &pared.kept {
            self.kept(kept);
        }
    }

    fn kept(&mut self, kept: &Kept) {
        let number = self.paint(paint::GUTTER, &format!("{:>4}", kept.line));
        let text = clip(&words::first_line(&kept.text), self.style.width.saturating_sub(6).max(20));
        self.line(&format!("{number}  {text}"));
        for reason in &kept.reasons {
            let checked = if reason.checked { "✓" } else { "·" };
            self.line(&format!("        {checked} {}", words::first_line(&reason.text)));
        }
    }

    fn facts(&mut self, outcome: &Outcome) {
        let status_style = match outcome.status {
            Status::Minimized => paint::DONE,
            Status::Unchanged | Status::Passing | Status::Flaky | Status::Interrupted => paint::WARNING,
            Status::NotGood | Status::NotFound | Status::Error => paint::FAILING,
        };
        let status = outcome.status.word().replace('_', " ");
        self.fact(status_style, &status, &words::headline(outcome, "→"));
        if let Some(failure) = words::failure(outcome, self.style.width.saturating_sub(LABEL)) {
            self.fact(paint::FAILING, "failure", &failure);
        }
        if let Some(assertion) = words::assertion(outcome) {
            self.fact(
                paint::NOTE,
                "assertion",
                &clip(&assertion, self.style.width.saturating_sub(LABEL).max(20)),
            );
        }
        if let Some(good) = words::good(outcome) {
            self.fact(paint::NOTE, "good", &good);
        }
        if let Some(advice) = words::advice(outcome) {
            let label = if outcome.status == Status::Error { "error" } else { "why" };
            self.fact(paint::WARNING, label, &printable(&advice.message));
            if !advice.help.is_empty() {
                self.fact(paint::NOTE, "next", &printable(&advice.help));
            }
        }
        for remark in terse::remarks(outcome) {
            let style = if remark.label == "note" { paint::NOTE } else { paint::WARNING };
            self.fact(style, remark.label, &remark.text);
        }
    }

    /// A label, and a text that goes on in the same column on its next lines.
    fn fact(&mut self, style: anstyle::Style, label: &str, text: &str) {
        let padding = " ".repeat(LABEL.saturating_sub(label.chars().count()).max(1));
        let label = self.paint(style, label);
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        self.line(format!("{label}{padding}{first}").trim_end());
        for line in lines {
            self.line(format!("{}{line}", " ".repeat(LABEL)).trim_end());
        }
    }

    fn paint(&self, style: anstyle::Style, text: &str) -> String {
        paint(self.style.color, style, text)
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a string does not fail");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    const PLAIN: Style = Style { color: false, terse: false, explain: false, width: 100 };

    fn visible(text: &str) -> String {
        text.replace('\x1b', "␛")
    }

    #[test]
    fn a_minimized_test_is_a_diff_with_a_summary() {
        insta::assert_snapshot!(render(&sample::minimized(), PLAIN));
    }

    #[test]
    fn colours_mark_what_went_and_where_it_fails() {
        insta::assert_snapshot!(visible(&render(&sample::minimized(), Style { color: true, ..PLAIN })));
    }

    #[test]
    fn explain_gives_each_kept_line_its_reasons() {
        insta::assert_snapshot!(render(&sample::minimized(), Style { explain: true, ..PLAIN }));
    }

    #[test]
    fn every_status_says_what_to_do_next() {
        let all: Vec<String> = sample::every_status().iter().map(|outcome| render(outcome, PLAIN)).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn an_interrupted_search_still_shows_its_best_test() {
        insta::assert_snapshot!(render(&sample::interrupted_with_result(), PLAIN));
    }

    #[test]
    fn a_purified_test_names_its_assertion_in_one_line() {
        let mut outcome = sample::purified();
        assert!(render(&outcome, PLAIN).contains("\nassertion    line 16 `assert table.rows == []`\n"));
        outcome.assertion.as_mut().unwrap().text = "x".repeat(300);
        let text = render(&outcome, Style { width: 60, ..PLAIN });
        assert!(
            text.lines().all(|line| !line.starts_with("assertion") || line.chars().count() <= 60),
            "{text}"
        );
    }

    #[test]
    fn without_color_there_is_no_escape() {
        for outcome in sample::every_status() {
            assert!(!render(&outcome, PLAIN).contains('\x1b'));
        }
    }

    #[test]
    fn a_long_message_is_cut_to_the_width() {
        let mut outcome = sample::minimized();
        outcome.failure.as_mut().unwrap().exceptions[0].message = "x".repeat(300);
        let text = render(&outcome, Style { width: 60, ..PLAIN });
        assert!(
            text.lines().all(|line| !line.starts_with("failure") || line.chars().count() <= 60),
            "{text}"
        );
    }
}
