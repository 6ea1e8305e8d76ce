//! Outcomes of every status for the tests of this crate.

use paring_model::{ErrorCode, Exception, Failure, FailureKind, Phase, Position};
use paring_tasks::{
    Assertion, Certainty, Doubt, Kept, Outcome, OutcomeError, Pared, Reason, ReasonKind, Removed, RunsBy,
    Size, Status, Suspect, Verified,
};
use std::time::Duration;

const ORIGINAL: &str = "\
from table import Table, Log


def test_other():
    assert True


def test_remove_row():
    log = Log()
    table = Table(['a', 'b'])
    log.write('made')
    table.add_row([1, 2])
    if log.enabled:
        log.flush()
    table.remove_row(0)
    assert table.rows == []
";

const TEST: &str = "\
def test_remove_row():
    table = Table(['a', 'b'])
    table.add_row([1, 2])
    table.remove_row(0)
    assert table.rows == []
";

fn original_test() -> &'static str {
    &ORIGINAL[ORIGINAL.find("def test_remove_row").unwrap()..]
}

fn failure() -> Failure {
    Failure {
        phase: Phase::Call,
        kind: FailureKind::Assertion,
        exceptions: vec![Exception {
            type_name: "AssertionError".to_owned(),
            message: "assert [[1, 2]] == []\n  Left contains one more item: [1, 2]".to_owned(),
        }],
        stack: vec![Position { line: 16, column: Some(4) }],
        below: Vec::new(),
        notes: Vec::new(),
        left: Vec::new(),
    }
}

fn kept(line: u32, text: &str, reasons: &[(ReasonKind, Option<u32>, &str, bool)]) -> Kept {
    let reasons = reasons.iter().map(|&(kind, line, text, checked)| Reason {
        kind,
        line,
        text: text.to_owned(),
        checked,
    });
    let reasons: Vec<Reason> = reasons.collect();
    let is_checked = reasons.iter().any(|reason| reason.checked);
    let certainty = Some(if is_checked { Certainty::Needed } else { Certainty::Caution });
    Kept { line, text: text.to_owned(), reasons, certainty }
}

fn removed(line: u32, text: &str) -> Removed {
    Removed { line, text: text.to_owned() }
}

fn pared() -> Pared {
    let in_place = ORIGINAL.replace(original_test(), TEST);
    Pared {
        path: "/project/tests/test_table.py".to_owned(),
        short_path: "tests/test_table.py".to_owned(),
        original: ORIGINAL.to_owned(),
        text: in_place.replace(", Log", ""),
        alone: in_place.replace(", Log", ""),
        target: "tests/test_table.py::test_remove_row".to_owned(),
        test: TEST.to_owned(),
        original_test: original_test().to_owned(),
        first_line: Some(8),
        in_place: Some(in_place),
        in_place_target: Some("tests/test_table.py::test_remove_row".to_owned()),
        shape: String::new(),
        statements: Size { before: 8, after: 4 },
        fixtures: Size { before: 3, after: 1 },
        tokens: Size { before: 62, after: 38 },
        trace: Size { before: 7, after: 4 },
        verified: Verified { same_failure: true, fresh_process: true, passes_on_good: Some(true) },
        kept: vec![
            kept(
                10,
                "table = Table(['a', 'b'])",
                &[
                    (ReasonKind::Data, Some(16), "defines `table`, read on line 16", true),
                    (ReasonKind::Data, Some(12), "defines `table`, changed on line 12", true),
                ],
            ),
            kept(
                12,
                "table.add_row([1, 2])",
                &[(ReasonKind::Observed, Some(16), "changes `table`, read on line 16", true)],
            ),
            kept(
                15,
                "table.remove_row(0)",
                &[(ReasonKind::Data, Some(16), "may change `table`, read on line 16", false)],
            ),
            kept(
                16,
                "assert table.rows == []",
                &[(ReasonKind::Failing, None, "is where the test fails", true)],
            ),
        ],
        removed: vec![
            removed(9, "log = Log()"),
            removed(11, "log.write('made')"),
            removed(13, "if log.enabled:"),
            removed(14, "log.flush()"),
        ],
        suspects: vec![Suspect {
            without: String::new(),
            line: 15,
            text: "table.remove_row(0)".to_owned(),
            reason: "without it the failure is the same; this call may be the bug".to_owned(),
        }],
        doubts: vec![Doubt {
            line: Some(13),
            reason: "`log.enabled` may have had an effect on `table`".to_owned(),
        }],
        is_bold: false,
        failing_line: Some(16),
        phase: Phase::Call,
    }
}

pub fn minimized() -> Outcome {
    Outcome {
        target: "tests/test_table.py::test_remove_row".to_owned(),
        status: Status::Minimized,
        failure: Some(failure()),
        pared: Some(pared()),
        after: Vec::new(),
        strategy: "auto".to_owned(),
        level: "O".to_owned(),
        runs: RunsBy { baseline: 5, search: 15, good: 2, final_: 1, recorded: 0, mutants: 0 },
        elapsed: Duration::from_millis(1234),
        notes: vec!["one worker: the test writes to a file that runs would share".to_owned()],
        unfinished: false,
        error: None,
        good: None,
        group: None,
        assertion: None,
    }
}

pub fn purified() -> Outcome {
    let text = "assert table.rows == []".to_owned();
    Outcome { assertion: Some(Assertion { line: 16, text }), ..minimized() }
}

/// An outcome as a job that ends in this status leaves it.
pub fn with_status(status: Status) -> Outcome {
    let bare = Outcome {
        status,
        failure: None,
        pared: None,
        level: String::new(),
        runs: RunsBy { baseline: 5, ..RunsBy::default() },
        elapsed: Duration::from_millis(600),
        notes: Vec::new(),
        ..minimized()
    };
    match status {
        Status::Minimized => minimized(),
        Status::Unchanged => unchanged(),
        Status::Passing | Status::Interrupted => bare,
        Status::Flaky | Status::NotGood => Outcome { failure: Some(failure()), ..bare },
        Status::NotFound => Outcome { runs: RunsBy::default(), ..bare },
        Status::Error => Outcome {
            runs: RunsBy::default(),
            error: Some(OutcomeError {
                code: ErrorCode::NoPytest,
                message: "pytest is not installed for python3.11".to_owned(),
                help: "install it there, or name another interpreter with --python".to_owned(),
            }),
            ..bare
        },
    }
}

fn unchanged() -> Outcome {
    let mut pared = pared();
    pared.text = ORIGINAL.to_owned();
    pared.in_place = Some(ORIGINAL.to_owned());
    pared.test = original_test().to_owned();
    pared.statements = Size { before: 8, after: 8 };
    pared.fixtures = Size::default();
    pared.verified.passes_on_good = None;
    pared.removed = Vec::new();
    pared.suspects = Vec::new();
    pared.doubts = Vec::new();
    Outcome { status: Status::Unchanged, pared: Some(pared), notes: Vec::new(), ..minimized() }
}

pub fn interrupted_with_result() -> Outcome {
    Outcome { status: Status::Interrupted, ..minimized() }
}

pub fn every_status() -> Vec<Outcome> {
    [
        Status::Minimized,
        Status::Unchanged,
        Status::Passing,
        Status::Flaky,
        Status::NotGood,
        Status::NotFound,
        Status::Interrupted,
        Status::Error,
    ]
    .map(with_status)
    .to_vec()
}
