//! The phrases that several reports share, so that they never say two different things about one outcome.

use paring_model::{Phase, VersionName};
use paring_tasks::{Outcome, Pared, RunsBy, Size, Status};
use std::time::Duration;

/// What a reader is told about an outcome that is no pared test, and what to do next.
pub struct Advice {
    pub message: String,
    /// Empty where nothing is left to do.
    pub help: String,
}

/// Line of the original at which it fails.
pub fn failing_line(outcome: &Outcome) -> Option<u32> {
    let site = outcome.failure.as_ref().and_then(paring_model::Failure::site);
    site.map(|position| position.line).or_else(|| outcome.pared.as_ref()?.failing_line)
}

/// The failure in one line of at most so many characters, the message cut before anything else:
/// `AssertionError: assert 3 == 2, line 20`.
pub fn failure(outcome: &Outcome, width: usize) -> Option<String> {
    let failure = outcome.failure.as_ref()?;
    let exception = failure.exception();
    let type_name = printable(&exception.type_name);
    let line = failing_line(outcome).map(|line| format!(", line {line}")).unwrap_or_default();
    let phase = match failure.phase {
        Phase::Call => "",
        Phase::Collection => ", in collection",
        Phase::SetUp => ", in set-up",
        Phase::TearDown => ", in teardown",
    };
    let taken = type_name.chars().count() + 2 + line.len() + phase.len();
    let message = clip(&first_line(&exception.message), width.saturating_sub(taken).max(20));
    let separator = if message.is_empty() { "" } else { ": " };
    Some(format!("{type_name}{separator}{message}{line}{phase}"))
}

/// The assertion a purified test is about: "line 12 `assert table.rows == []`".
pub fn assertion(outcome: &Outcome) -> Option<String> {
    let assertion = outcome.assertion.as_ref()?;
    Some(format!("line {} `{}`", assertion.line, first_line(&assertion.text)))
}

/// What came of it, in one line without the target: `12 -> 4 statements, 23 runs, 1.2 s`.
pub fn headline(outcome: &Outcome, arrow: &str) -> String {
    let mut parts = Vec::new();
    if let Some(pared) = &outcome.pared {
        parts.push(sizes(pared.statements, arrow, "statement"));
        if pared.fixtures.before > pared.fixtures.after {
            parts.push(format!("fixtures {} {arrow} {}", pared.fixtures.before, pared.fixtures.after));
        }
    }
    parts.push(runs(outcome.runs));
    parts.push(seconds(outcome.elapsed));
    parts.join(", ")
}

fn sizes(size: Size, arrow: &str, noun: &str) -> String {
    if size.before == size.after {
        return count(size.after, noun);
    }
    format!("{} {arrow} {}", size.before, count(size.after, noun))
}

fn runs(runs: RunsBy) -> String {
    count(runs.total(), "run")
}

pub fn seconds(elapsed: Duration) -> String {
    format!("{:.1} s", elapsed.as_secs_f64())
}

pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Whether the pared test passes on the good version, where there is one.
pub fn good(outcome: &Outcome) -> Option<String> {
    let passes = outcome.pared.as_ref()?.verified.passes_on_good?;
    let found = outcome.good.as_ref().and_then(|good| good.version.as_ref());
    // What the user named need not be named again.
    let place = match found.filter(|version| !version.way.is_empty()) {
        Some(version) => format!("at {}", self::version(version)),
        None => "on the good version".to_owned(),
    };
    Some(if passes {
        format!("the pared test passes {place}")
    } else {
        format!("the pared test fails {place} too")
    })
}

/// `1.4.0-12-gabc1234, 12 commits ago`.
pub fn version(version: &VersionName) -> String {
    match version.n_ago {
        Some(0) => format!("{}, without the changes of the work tree", version.name),
        Some(n) => format!("{}, {} ago", version.name, count(n as usize, "commit")),
        None => version.name.clone(),
    }
}

/// What is only kept by caution, in one sentence: "2 statements (lines 12 and 15) are …". An unchanged test is told in other words.
pub fn caution(outcome: &Outcome) -> Option<String> {
    let pared = outcome.pared.as_ref().filter(|_| outcome.status != Status::Unchanged)?;
    let lines: Vec<u32> = pared.by_caution().map(|kept| kept.line).collect();
    let (is, it) = if lines.len() == 1 { ("is", "it") } else { ("are", "them") };
    let bold = format!("; --bold removes {it} without one, and the result may then be wrong");
    let bold = if pared.is_bold { "" } else { &bold };
    (!lines.is_empty()).then(|| {
        format!(
            "{} ({}) {is} kept by caution: the failure is the same without {it}, but correct code may need {it}. To find out, \
             name a version on which the test passes (--good REV){bold}",
            count(lines.len(), "statement"),
            listed(&lines)
        )
    })
}

/// "line 3", "lines 3 and 5", "lines 3 to 5 and 9".
fn listed(lines: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if line <= *last + 1 => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let words: Vec<String> = ranges
        .iter()
        .map(|&(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first} to {last}"),
        })
        .collect();
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{noun} {} and {last}", rest.join(", ")),
        _ => format!("{noun} {}", words.join(", ")),
    }
}

/// Why nothing went.
fn unchanged(outcome: &Outcome) -> (String, &'static str) {
    let kept = || outcome.pared.iter().flat_map(|pared| &pared.kept);
    let n_held = outcome.pared.iter().flat_map(Pared::by_caution).count();
    let n_suspects = outcome.pared.iter().flat_map(|pared| &pared.suspects).count();
    let is_tried = kept().any(|kept| kept.reasons.iter().any(|reason| reason.checked));
    match n_held {
        0 if n_suspects > 0 => (
            format!(
                "all that could go is {}, and what does nothing may be the fault itself",
                count(n_suspects, "suspect")
            ),
            "look there first",
        ),
        0 if is_tried || kept().next().is_none() => {
            ("no smaller test was found that fails the same way".to_owned(), "")
        }
        0 => ("the failing statement needs every other one".to_owned(), ""),
        n => {
            let (is, it) = if n == 1 { ("is", "it") } else { ("are", "them") };
            let message = format!(
                "{} {is} held by caution: the failure is the same without {it}, but correct code may need {it}",
                count(n, "statement")
            );
            (
                message,
                "name a version on which the test passes (--good REV): what it does not need there goes; --bold removes all of it \
                 without one, and the result may then be wrong",
            )
        }
    }
}

/// What to say beside, or instead of, a pared test. The outcome's own error has the first word.
pub fn advice(outcome: &Outcome) -> Option<Advice> {
    let (message, help) = match outcome.status {
        Status::Minimized => return outcome.error.as_ref().map(own_words),
        Status::Unchanged => {
            let (message, help) = unchanged(outcome);
            let fallback = Advice { message, help: help.to_owned() };
            return Some(outcome.error.as_ref().map_or(fallback, own_words));
        }
        Status::Passing => (
            "the test passes, so there is no failure to keep",
            "run it where it fails (same interpreter or class path, same environment); if it only fails after other tests, \
             name them with --after",
        ),
        Status::Flaky => (
            "the test does not fail the same way every time",
            "take out what differs from run to run (time, order, randomness), or go on with --allow-flaky; --same says \
             what must be the same, --baseline how often to look",
        ),
        Status::NotGood => {
            ("the good version is not good", "name a version on which the test passes, or none: --good none")
        }
        Status::NotFound => {
            ("there is no such test", "check the name; a parametrised test needs quotes around its brackets")
        }
        Status::Interrupted if outcome.pared.is_some() => (
            "stopped early; this is the smallest test verified so far",
            "the same command with --resume goes on from here",
        ),
        Status::Interrupted => {
            ("stopped before there was a smaller test", "the same command with --resume goes on from here")
        }
        Status::Error => ("paring failed", "please report this, with the command and the test"),
    };
    let fallback = Advice { message: message.to_owned(), help: help.to_owned() };
    Some(outcome.error.as_ref().map_or(fallback, own_words))
}

fn own_words(error: &paring_tasks::OutcomeError) -> Advice {
    Advice { message: error.message.clone(), help: error.help.clone() }
}

/// The first line of a text that says something, fit for a terminal.
pub fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    clip(&printable(line), 500)
}

/// Cuts a line to so many characters, the last of them saying that it was cut.
pub fn clip(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Without control characters: what a test prints into its message must not move the reader's cursor.
pub fn printable(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\t' | '\n' => Some(c),
            '\r' => None,
            c if c.is_control() => Some('\u{fffd}'),
            c => Some(c),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_message_with_escapes_cannot_move_the_cursor() {
        assert_eq!(first_line("\n  \x1b[31mred\x07\r\nsecond"), "\u{fffd}[31mred\u{fffd}");
    }

    #[test]
    fn a_suspect_is_not_told_as_caution() {
        let mut outcome = sample::minimized();
        assert_eq!(caution(&outcome), None, "line 15 is the suspect");
        outcome.pared.as_mut().unwrap().suspects.clear();
        assert!(caution(&outcome).is_some_and(|told| told.contains("(line 15) is kept by caution")));
    }

    #[test]
    fn nobody_is_told_to_remove_only_the_suspect() {
        let outcome = Outcome { status: Status::Unchanged, ..sample::minimized() };
        let advice = advice(&outcome).unwrap();
        assert_eq!(
            (advice.message.as_str(), advice.help.as_str()),
            (
                "all that could go is 1 suspect, and what does nothing may be the fault itself",
                "look there first"
            )
        );
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(count(1, "run"), "1 run");
        assert_eq!(count(0, "run"), "0 runs");
    }

    #[test]
    fn clipping_counts_characters() {
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("äöüß", 3), "äö…");
    }
}
