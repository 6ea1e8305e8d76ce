//! What everyone who records lines has to hold to: each test has its own lines, in a suite and alone, and another text of a test
//! has others.

use paring_model::{Candidate, Coverage, Covered, CoveredTest, Heard, Heat, Observation, SourceFile, Unkept};
use std::cell::RefCell;

/// A project with a file of code, one of its branches taken by a test that passes, the other by one that fails; a third test
/// runs none of it.
pub struct CoverageCases<'a> {
    /// The names of the two files.
    pub code: &'a str,
    pub tests: &'a str,
    pub passing: CoveredCase<'a>,
    pub failing: CoveredCase<'a>,
    pub calls_nothing: CoveredCase<'a>,
    /// The file of tests as it is; its target is the failing one.
    pub candidate: Candidate,
    /// The same, with a failing test that calls nothing.
    pub without_call: Candidate,
}

/// A test, and the first lines of the statements of the code that it runs.
pub struct CoveredCase<'a> {
    pub id: &'a str,
    pub lines: &'a [u32],
}

/// Records the suite, a test of it, and candidates.
pub fn coverage(coverage: &dyn Coverage, cases: &CoverageCases<'_>) {
    whole_suite(coverage, cases);
    only_what_is_asked_for(coverage, cases);
    candidates(coverage, cases);
}

fn whole_suite(coverage: &dyn Coverage, cases: &CoverageCases<'_>) {
    let heard = RefCell::new(Vec::new());
    let tell = |event: Heard<'_>| heard.borrow_mut().push(format!("{event:?}"));
    let covered = coverage.suite(&[], &Unkept, &tell).expect("a run");
    let began = covered.tests.iter().map(|test| format!("{:?}", Heard::Began { id: &test.id }));
    let mut heard = heard.into_inner();
    heard.retain(|event| event.starts_with("Began"));
    assert_eq!(heard, began.collect::<Vec<_>>(), "tests are told as they begin");
    assert_eq!(covered.tests.len(), 3, "each test once: {:?}", covered.tests);
    for case in [&cases.passing, &cases.failing, &cases.calls_nothing] {
        assert_eq!(lines(&covered, case.id, cases.code), case.lines, "{}", case.id);
        let observation = &test(&covered, case.id).observation;
        let fails = matches!(observation, Observation::Failed(_));
        assert_eq!(fails, case.id == cases.failing.id, "{}: {observation:?}", case.id);
        assert!(fails || *observation == Observation::Passed, "{}: {observation:?}", case.id);
        assert_eq!(test(&covered, case.id).kept_at, None, "nothing is known from before");
    }
    assert!(file(&covered, cases.tests).holds_tests, "{} holds tests", cases.tests);
    assert!(!file(&covered, cases.code).holds_tests, "{} holds none", cases.code);
    covered.files.iter().for_each(outline_is_sound);
    let of_code = &file(&covered, cases.code).statements;
    let is_there = |line: &u32| of_code.iter().any(|statement| statement.line == *line);
    assert!(cases.passing.lines.iter().chain(cases.failing.lines).all(is_there), "what ran can run");
}

/// Statements are sorted, each within its function.
fn outline_is_sound(file: &SourceFile) {
    for pair in file.statements.windows(2) {
        assert!(pair[0].line < pair[1].line, "{}: {pair:?}", file.path);
    }
    for statement in &file.statements {
        assert!(statement.line <= statement.last_line, "{}: {statement:?}", file.path);
        let Some(function) = statement.function else { continue };
        let function = &file.functions[function];
        let is_within = (function.first_line..=function.last_line).contains(&statement.line);
        assert!(is_within, "{}: {statement:?} is not in {function:?}", file.path);
    }
}

fn only_what_is_asked_for(coverage: &dyn Coverage, cases: &CoverageCases<'_>) {
    let covered = coverage.suite(&[cases.passing.id.to_owned()], &Unkept, &|_| ()).expect("a run");
    let ids: Vec<&str> = covered.tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, [cases.passing.id]);
    assert_eq!(lines(&covered, cases.passing.id, cases.code), cases.passing.lines);
}

/// Warm or cold, and whatever ran before in the same process.
fn candidates(coverage: &dyn Coverage, cases: &CoverageCases<'_>) {
    let failing = cases.failing.id;
    for heat in [Heat::Warm, Heat::Warm, Heat::Cold] {
        let record = |candidate: &Candidate| coverage.candidate(candidate, heat).expect("a run");
        let covered = record(&cases.candidate);
        assert_eq!(lines(&covered, failing, cases.code), cases.failing.lines, "{heat:?}");
        assert!(matches!(test(&covered, failing).observation, Observation::Failed(_)), "{heat:?}");
        let without = record(&cases.without_call);
        assert_eq!(lines(&without, failing, cases.code), [0_u32; 0], "{heat:?}: it calls nothing");
        let other = record(&cases.candidate.clone().with_target(cases.passing.id));
        assert_eq!(lines(&other, cases.passing.id, cases.code), cases.passing.lines, "{heat:?}");
        assert!(other.tests.iter().all(|test| test.id != failing), "{heat:?}: only the target runs");
    }
}

/// The lines of a file that a test ran, which are in order.
fn lines(covered: &Covered, id: &str, file: &str) -> Vec<u32> {
    let ran = test(covered, id).ran.as_ref().unwrap_or_else(|| panic!("nobody knows the lines of {id}"));
    let of_file = ran.iter().filter(|ran| covered.files[ran.file_idx].path.file_name() == Some(file));
    let lines: Vec<u32> = of_file.flat_map(|ran| ran.lines.clone()).collect();
    assert!(lines.is_sorted(), "{id}: {lines:?}");
    lines
}

fn test<'a>(covered: &'a Covered, id: &str) -> &'a CoveredTest {
    let found = covered.tests.iter().find(|test| test.id == id);
    found.unwrap_or_else(|| panic!("no {id} among {:?}", covered.tests))
}

fn file<'a>(covered: &'a Covered, name: &str) -> &'a SourceFile {
    let found = covered.files.iter().find(|file| file.path.file_name() == Some(name));
    found.unwrap_or_else(|| panic!("no {name} was run"))
}
