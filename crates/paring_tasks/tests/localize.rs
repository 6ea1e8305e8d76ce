//! Ranking a suite's spectra, with and without pared tests.

use camino::Utf8PathBuf;
use paring_model::{
    CodeLine, Covered, CoveredTest, Exception, Failure, FailureKind, FunctionSpan, Observation, Phase, RanIn,
    SourceFile, Taken,
};
use paring_spectrum::{Equal, Formula, Verdict};
use paring_tasks::Size;
use paring_tasks::localize::{By, Combine, Localization, Plan, PureTest, SpectrumOf, Tests, rank};

const PLAN: Plan = Plan {
    formula: Formula::Ochiai,
    combine: Combine::Replace,
    by: By::Statement,
    equal: Equal::Each,
    tests: Tests::LeftOut,
};

/// A file with ten statements, the first five in `f`, the others in `g`.
fn file(path: &str, holds_tests: bool) -> SourceFile {
    let function = |name: &str, first_line| FunctionSpan {
        name: name.to_owned(),
        first_line,
        last_line: first_line + 4,
    };
    let statement =
        |line| CodeLine { line, last_line: line, function: Some(usize::from(line > 5)), n_tokens: line };
    SourceFile {
        path: path.into(),
        text: String::new(),
        holds_tests,
        statements: (1..=10).map(statement).collect(),
        functions: vec![function("f", 1), function("g", 6)],
        constants: Vec::new(),
        taken: Taken::default(),
    }
}

fn failed() -> Observation {
    Observation::Failed(Failure {
        phase: Phase::Call,
        kind: FailureKind::Assertion,
        exceptions: vec![Exception {
            type_name: "AssertionError".to_owned(),
            message: "\nno\nmore".to_owned(),
        }],
        stack: Vec::new(),
        below: Vec::new(),
        notes: Vec::new(),
        left: Vec::new(),
    })
}

fn test(id: &str, observation: Observation, lines: Option<&[u32]>) -> CoveredTest {
    let ran = |lines: &[u32]| {
        vec![RanIn { file_idx: 0, lines: lines.to_vec() }, RanIn { file_idx: 1, lines: vec![1] }]
    };
    CoveredTest {
        id: id.to_owned(),
        file: "/p/test_a.py".into(),
        observation,
        ran: lines.map(ran),
        kept_at: None,
    }
}

/// Two failing tests share line 3; a passing one ran lines 1 and 2.
fn suite() -> Covered {
    Covered {
        files: vec![file("/p/a.py", false), file("/p/test_a.py", true)],
        tests: vec![
            test("one", failed(), Some(&[1, 2, 3, 6])),
            test("two", failed(), Some(&[1, 3, 7])),
            test("three", Observation::Passed, Some(&[1, 2])),
            test("four", Observation::Skipped { reason: "later".to_owned() }, Some(&[])),
        ],
        notes: vec!["a note".to_owned()],
        ..Covered::default()
    }
}

fn pure(origin: usize, lines: &[u32]) -> PureTest {
    PureTest {
        origin,
        verdict: Verdict::Failed,
        text: "def one(): pass".to_owned(),
        statements: Size { before: 5, after: 1 },
        ran: vec![
            (Utf8PathBuf::from("/p/a.py"), lines.to_vec()),
            (Utf8PathBuf::from("/elsewhere.py"), vec![1]),
        ],
        once: Vec::new(),
        without_effect: Vec::new(),
        ran_without_effect: Vec::new(),
    }
}

/// Lines with their ranks, best first.
fn ranks(localization: &Localization) -> Vec<(u32, f64)> {
    localization.suspects.iter().map(|suspect| (suspect.first_line, suspect.rank)).collect()
}

#[test]
fn lines_of_failing_tests_are_ranked_and_those_of_tests_left_out() {
    let found = rank(&suite(), &[], PLAN);
    // Ochiai: line 3 has 1, line 1 2/√6, lines 6 and 7 1/√2, line 2 1/2.
    assert_eq!(ranks(&found), [(3, 1.0), (1, 2.0), (6, 3.5), (7, 3.5), (2, 5.0)]);
    assert_eq!((found.n_passed, found.n_failed, found.n_skipped), (1, 2, 1));
    assert_eq!((found.n_lines, found.n_ranked), (10, 10));
    assert_eq!(found.suspects[2].tests, [0]);
    assert_eq!(found.suspects[0].function.as_deref(), Some("f"));
    assert_eq!(found.failing[0].failure, "AssertionError: no");
    assert_eq!(found.notes, ["a note"]);
}

#[test]
fn ties_go_by_calls_without_effect_then_by_functions_then_by_text() {
    let settle = Plan { combine: Combine::Settle, ..PLAN };
    // Lines 6 and 7 are alike but for their text, of which a later line has more here.
    let found = rank(&suite(), &[], settle);
    assert_eq!(ranks(&found), [(3, 1.0), (1, 2.0), (7, 3.0), (6, 4.0), (2, 5.0)]);
    // What one failing test alone ran is the same in both functions; `f` has line 3, which is worse.
    let mut covered = suite();
    covered.tests[1] = test("two", failed(), Some(&[1, 3, 4, 7]));
    let found = rank(&covered, &[], settle);
    assert_eq!(ranks(&found), [(3, 1.0), (1, 2.0), (4, 3.0), (7, 4.0), (6, 5.0), (2, 6.0)]);
    // A call of a pared test that changes nothing ran line 6.
    let without_effect =
        PureTest { ran_without_effect: vec![("/p/a.py".into(), vec![6])], ..pure(0, &[1, 2, 3, 4, 6, 7]) };
    let found = rank(&covered, &[without_effect], settle);
    assert_eq!(ranks(&found)[2..], [(6, 3.0), (4, 4.0), (7, 5.0), (2, 6.0)]);
}

#[test]
fn the_code_of_tests_is_ranked_where_that_is_asked_for() {
    let found = rank(&suite(), &[], Plan { tests: Tests::Ranked, ..PLAN });
    assert_eq!(found.n_lines, 20);
    assert!(found.suspects.iter().any(|suspect| suspect.file_idx == 1));
}

#[test]
fn a_pared_test_takes_the_place_of_its_original_and_of_no_other() {
    let found = rank(&suite(), &[pure(0, &[3])], PLAN);
    assert_eq!(found.failing[0].spectrum, SpectrumOf::Pared);
    assert_eq!(found.failing[1].spectrum, SpectrumOf::Original);
    assert!(found.suspects.iter().all(|suspect| suspect.first_line != 6 && suspect.first_line != 2));
    assert_eq!(found.suspects[0].counts.ef, 2);
}

#[test]
fn pared_tests_of_equal_spectra_count_once() {
    let found = rank(&suite(), &[pure(0, &[3]), pure(0, &[3]), pure(0, &[3, 6])], PLAN);
    let first = &found.suspects[0];
    assert_eq!((first.first_line, first.counts.ef, first.counts.n_failed()), (3, 3, 3));
    assert_eq!(found.failing[0].pared.len(), 3);
}

#[test]
fn refinement_halves_what_no_pared_test_ran() {
    let refine = Plan { combine: Combine::Refine, ..PLAN };
    let (plain, refined) =
        (rank(&suite(), &[], PLAN), rank(&suite(), &[pure(0, &[3]), pure(1, &[3])], refine));
    let score = |found: &Localization, line| {
        found.suspects.iter().find(|suspect| suspect.first_line == line).map(|suspect| suspect.score)
    };
    assert_eq!(score(&refined, 3), Some(1.0));
    assert_eq!(score(&refined, 6), score(&plain, 6).map(|score| score / 2.0));
    assert_eq!(refined.failing[0].spectrum, SpectrumOf::Original);
}

#[test]
fn what_an_assertion_that_holds_ran_is_less_suspicious() {
    let holding = PureTest { verdict: Verdict::Passed, ..pure(0, &[6]) };
    let pieces = [pure(0, &[3, 6]), pure(1, &[3]), holding.clone(), holding];
    let found = |combine| rank(&suite(), &pieces, Plan { combine, ..PLAN });
    let counts = |found: &Localization, line: u32| found.lines[line as usize - 1].counts;
    let (refine, clear) = (found(Combine::Refine), found(Combine::Clear));
    assert_eq!((counts(&refine, 6).ep, counts(&clear, 6).ep), (0, 1), "equal spectra count once");
    assert_eq!((counts(&clear, 3).ep, counts(&clear, 3).ef), (0, counts(&refine, 3).ef));
    // It is no pared test, and no test of the suite.
    assert_eq!((clear.failing[0].pared.len(), clear.n_passed), (1, 1));
}

#[test]
fn what_ran_once_for_all_counts_for_all() {
    let once = |lines: &[u32]| vec![(Utf8PathBuf::from("/p/a.py"), lines.to_vec())];
    // Line 2 a passing test ran, line 5 nobody, line 6 only a failing one.
    let pieces = [PureTest { once: once(&[2, 5, 6]), ..pure(1, &[3]) }];
    for combine in Combine::ALL {
        let found = rank(&suite(), &pieces, Plan { combine, ..PLAN });
        let counts =
            |line: u32| (found.lines[line as usize - 1].counts.ef, found.lines[line as usize - 1].counts.ep);
        assert_eq!([counts(2), counts(5), counts(6)], [(2, 1), (1, 1), (2, 0)], "{combine:?}");
    }
}

#[test]
fn functions_and_files_have_the_score_of_their_best_line() {
    let functions = rank(&suite(), &[], Plan { by: By::Function, ..PLAN });
    let names: Vec<Option<&str>> =
        functions.suspects.iter().map(|suspect| suspect.function.as_deref()).collect();
    assert_eq!((names, functions.n_ranked), (vec![Some("f"), Some("g")], 2));
    assert_eq!((functions.suspects[0].first_line, functions.suspects[1].rank), (3, 2.0));
    let files = rank(&suite(), &[], Plan { by: By::File, ..PLAN });
    assert_eq!((files.suspects.len(), files.n_ranked), (1, 1));
}

#[test]
fn what_is_not_known_of_a_test_is_told_and_does_not_count() {
    let mut covered = suite();
    covered.tests[1] = test("two", Observation::Died { how: "exit 3".to_owned() }, None);
    let found = rank(&covered, &[], PLAN);
    assert_eq!((found.n_failed, found.suspects[0].counts.n_failed()), (2, 1));
    assert_eq!(found.failing[1].spectrum, SpectrumOf::Nobody);
    assert!(
        found.notes.iter().any(|note| note.starts_with("two does not count: it ended its process (exit 3)"))
    );
}

#[test]
fn a_suite_in_which_all_fails_says_so() {
    let mut covered = suite();
    covered.tests.truncate(2);
    let found = rank(&covered, &[], PLAN);
    assert!(found.notes.iter().any(|note| note.starts_with("every test fails")));
    assert_eq!(ranks(&found)[..2], [(1, 1.5), (3, 1.5)]);
}
