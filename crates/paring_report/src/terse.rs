//! One outcome for programs and agents: the result and the failure, nothing else, in a form that stays.
//!
//! ```text
//! minimized tests/test_table.py::test_remove_row 5 -> 3 statements, 9 runs, 0.4 s
//! failure: AssertionError: assert [1] == [], line 16
//!
//! def test_remove_row():
//!     …
//!
//! suspect: line 15 `table.remove_row(0)`: …
//! ```
//!
//! The first line always starts with the status word of the JSON document and the target. Every other line outside the
//! test starts with a label.

use crate::words::{self, first_line, printable};
use paring_tasks::{Doubt, Outcome, Status};
use std::fmt::Write;

/// Doubts that a text tells; a document has them all.
const N_DOUBTS: usize = 3;

/// Something to know about a result.
pub struct Remark {
    pub label: &'static str,
    pub text: String,
}

pub fn render(outcome: &Outcome, explain: bool) -> String {
    let mut text = format!(
        "{} {} {}\n",
        outcome.status.word(),
        printable(&outcome.target),
        words::headline(outcome, "->")
    );
    let mut line = |label: &str, content: &str| {
        writeln!(text, "{label}: {content}").expect("writing to a string does not fail");
    };
    if let Some(failure) = words::failure(outcome, 500) {
        line("failure", &one_line(&failure));
    }
    if let Some(assertion) = words::assertion(outcome) {
        line("assertion", &assertion);
    }
    if let Some(good) = words::good(outcome) {
        line("good", &good);
    }
    if let Some(advice) = words::advice(outcome) {
        let label = if outcome.status == Status::Error { "error" } else { "why" };
        // A traceback is no sentence: its lines go on indented.
        line(label, &printable(advice.message.trim_end()).replace('\n', "\n  "));
        if !advice.help.is_empty() {
            line("next", &one_line(&advice.help));
        }
    }
    if let Some(pared) = &outcome.pared {
        let pared_test = printable(&pared.test);
        write!(text, "\n{}\n\n", pared_test.trim_end()).expect("writing to a string does not fail");
        if explain {
            text.push_str(&explanation(pared));
        }
    }
    for remark in remarks(outcome) {
        writeln!(text, "{}: {}", remark.label, one_line(&remark.text))
            .expect("writing to a string does not fail");
    }
    format!("{}\n", text.trim_end())
}

fn explanation(pared: &paring_tasks::Pared) -> String {
    let mut text = String::new();
    for kept in &pared.kept {
        let reasons: Vec<String> = (kept.reasons.iter())
            .map(|reason| {
                format!("{}{}", first_line(&reason.text), if reason.checked { " (checked)" } else { "" })
            })
            .collect();
        let reasons = reasons.join("; ");
        writeln!(text, "kept: line {} `{}`: {reasons}", kept.line, first_line(&kept.text))
            .expect("writing to a string does not fail");
    }
    text
}

/// Suspects, what is kept by caution, doubts and notes, in this order.
pub fn remarks(outcome: &Outcome) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for suspect in outcome.pared.iter().flat_map(|pared| &pared.suspects) {
        let text = format!("line {} `{}`: {}", suspect.line, first_line(&suspect.text), suspect.reason);
        remarks.push(Remark { label: "suspect", text: printable(&text) });
    }
    if let Some(text) = words::caution(outcome) {
        remarks.push(Remark { label: "caution", text: printable(&text) });
    }
    let doubts: Vec<&Doubt> = outcome.pared.iter().flat_map(|pared| &pared.doubts).collect();
    for doubt in doubts.iter().take(N_DOUBTS) {
        let line = doubt.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        remarks.push(Remark { label: "doubt", text: printable(&format!("{line}{}", doubt.reason)) });
    }
    if doubts.len() > N_DOUBTS {
        let text = format!("{} more, in --json", doubts.len() - N_DOUBTS);
        remarks.push(Remark { label: "doubt", text });
    }
    for note in &outcome.notes {
        remarks.push(Remark { label: "note", text: printable(note) });
    }
    remarks
}

/// A label's text is one line, so that a program can go by the start of each.
fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    printable(&lines.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_minimized_test_is_its_text_between_labelled_lines() {
        insta::assert_snapshot!(render(&sample::minimized(), false));
    }

    #[test]
    fn explain_adds_a_line_for_each_kept_statement() {
        insta::assert_snapshot!(render(&sample::minimized(), true));
    }

    #[test]
    fn every_status_has_one_line_to_go_by() {
        let all: Vec<String> = sample::every_status().iter().map(|outcome| render(outcome, false)).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn a_purified_test_names_its_assertion() {
        let text = render(&sample::purified(), false);
        assert!(text.contains("\nassertion: line 16 `assert table.rows == []`\n"), "{text}");
    }

    #[test]
    fn a_message_of_several_lines_goes_on_indented() {
        let mut outcome = sample::with_status(Status::Error);
        outcome.error.as_mut().unwrap().message = "first\n  second\n".to_owned();
        assert!(render(&outcome, false).contains("\nerror: first\n    second\nnext: "));
    }
}
