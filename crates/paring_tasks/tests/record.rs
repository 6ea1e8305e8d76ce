//! Which failing tests of a suite are pared, and what is recorded of the pared ones, in the toy language.

mod trial;

use paring_engine::{Budget, Ports, Runs};
use paring_model::{
    Candidate, Covered, CoveredTest, ErrorCode, Form, Heat, NoJournal, NoRunner, Observation, RanIn,
    SourceFile, Taken, Unkept,
};
use paring_spectrum::{Equal, Formula, Verdict};
use paring_tasks::localize::{
    By, Combine, Failing, Localized, Origin, Parer, Plan, PureTest, Request, SpectrumOf, Suite, Tests,
    choose, dependence, localize, n_parable,
};
use paring_tasks::minimize::minimize;
use paring_tasks::purify::Purified;
use paring_tasks::{Outcome, OutcomeError, Status};
use paring_testkit::{FakeClock, FakeRecorder, FakeRunner, LineFrontend, MemoryJournal, failed, passed};
use trial::{ran, request};

const TEST: &str = "test.lines";
const LIBRARY: &str = "library.lines";
const STORY: &str = "test:\n  a = 1\n  x = 2\n  b = a\n  x ! x\n  b ! a\n  assert x\n  assert b\n  y = x\n";

/// It fails at `assert b`, as long as `b` has its value.
fn observe(text: &str) -> Observation {
    let at = text.lines().position(|line| line.trim() == "assert b");
    match at {
        Some(idx) if text.contains("b = a") => {
            failed(u32::try_from(idx + 1).expect("a short text"), "assert b")
        }
        _ => passed(),
    }
}

/// Lines of the library: a call on `x` runs line 1, one on `b` line 2, and `a` lines 3 and 9, of which 9 runs once in a process.
fn of_library(text: &str) -> Vec<u32> {
    let calls = [("x ! x", 1), ("b ! a", 2), ("a = 1", 3), ("a = 1", 9)];
    calls.iter().filter(|(call, _)| text.contains(call)).map(|&(_, line)| line).collect()
}

/// Runs texts as the runner would.
fn recorder(observe: fn(&str, Heat) -> Observation) -> FakeRecorder {
    FakeRecorder::new(move |candidate, heat| {
        let text = candidate.text();
        suite(vec![test("test", observe(text, heat), Some((of_library(text), all_lines(text))))])
    })
}

/// Lends the service for runs with a recorder and nothing else.
fn with_runs<T>(recorder: &FakeRecorder, body: impl FnOnce(&Runs<'_>) -> T) -> T {
    let clock = FakeClock::default();
    let runs = Runs::new(Ports {
        runner: &NoRunner,
        recorder: Some(recorder),
        clock: &clock,
        journal: &NoJournal,
        tell: &|_| {},
        budget: Budget::default(),
    });
    body(&runs)
}

fn all_lines(text: &str) -> Vec<u32> {
    (1..).zip(text.lines()).map(|(line, _)| line).collect()
}

fn test(id: &str, observation: Observation, lines: Option<(Vec<u32>, Vec<u32>)>) -> CoveredTest {
    let ran = lines
        .map(|(library, own)| vec![RanIn { file_idx: 0, lines: library }, RanIn { file_idx: 1, lines: own }]);
    CoveredTest { id: id.to_owned(), file: TEST.into(), observation, ran, kept_at: None }
}

fn suite(tests: Vec<CoveredTest>) -> Covered {
    let file = |path: &str| SourceFile {
        path: path.into(),
        text: String::new(),
        holds_tests: path == TEST,
        statements: Vec::new(),
        functions: Vec::new(),
        constants: Vec::new(),
        taken: Taken::default(),
    };
    Covered { files: vec![file(LIBRARY), file(TEST)], tests, ..Covered::default() }
}

/// The suite in which the test of the story failed. An earlier test had run the line that runs once.
fn story() -> Covered {
    suite(vec![test("test", observe(STORY), Some((vec![1, 2, 3], all_lines(STORY))))])
}

/// What is recorded for the failing test of the story.
fn of_story<T>(body: impl FnOnce(Origin<'_>) -> T) -> T {
    let covered = story();
    with_runs(&recorder(|text, _| observe(text)), |runs| body(Origin { runs, covered: &covered, idx: 0 }))
}

fn pared() -> Outcome {
    let runner = FakeRunner::new(observe).tracing(ran);
    minimize(&request(&LineFrontend, &runner, STORY, &FakeClock::default(), &MemoryJournal::default()))
}

fn lines_of<'a>(ran: &'a [(camino::Utf8PathBuf, Vec<u32>)], path: &str) -> &'a [u32] {
    ran.iter().find(|(found, _)| found == path).map_or(&[], |(_, lines)| lines)
}

#[test]
fn a_pared_test_has_the_library_lines_that_it_runs_and_its_own_as_they_are_on_disk() {
    let made: PureTest =
        of_story(|origin| origin.record(&pared()).expect("it fails").expect("there is a result"));
    assert_eq!((made.origin, made.verdict), (0, Verdict::Failed));
    assert_eq!(lines_of(&made.ran, LIBRARY), [2, 3, 9], "the call on x is gone");
    // `a = 1`, `b = a`, `b ! a`, `assert b`.
    assert_eq!(lines_of(&made.ran, TEST), [2, 4, 6, 8]);
    assert_eq!(made.without_effect.iter().map(|text| text.trim()).collect::<Vec<_>>(), ["b ! a"]);
    assert_eq!(lines_of(&made.ran_without_effect, LIBRARY), [2], "what only the call without effect runs");
}

#[test]
fn what_an_earlier_test_had_run_for_all_is_set_apart() {
    let made = of_story(|origin| {
        let mut made = origin.record(&pared()).expect("it fails").expect("there is a result");
        origin.run_once(STORY).set_apart(&mut made);
        made
    });
    assert_eq!((lines_of(&made.ran, LIBRARY), lines_of(&made.once, LIBRARY)), (&[2, 3][..], &[9][..]));
}

#[test]
fn a_pared_test_that_does_not_fail_in_a_warm_recorder_is_recorded_in_a_cold_one() {
    let cold = |text: &str, heat| if heat == Heat::Cold { observe(text) } else { passed() };
    let (covered, recorder) = (story(), recorder(cold));
    let record = |runs: &Runs<'_>| Origin { runs, covered: &covered, idx: 0 }.record(&pared());
    assert!(with_runs(&recorder, record).expect("it fails").is_some());
    assert_eq!(recorder.heats()[..2], [Heat::Warm, Heat::Cold]);
    let why = with_runs(&self::recorder(|_, _| passed()), record).expect_err("it passes");
    assert!(why.ends_with("did not fail while its lines were recorded"), "{why}");
}

#[test]
fn a_test_of_an_assertion_that_holds_counts_where_it_passes_and_without_its_own_file() {
    let record = |text: &str| {
        let candidate = Candidate::single(TEST.into(), text.to_owned(), "test", Form::Compact);
        of_story(|origin| origin.record_holding(&candidate))
    };
    let made = record("test:\n  x = 2\n  x ! x\n  assert x\n").expect("it passes");
    assert_eq!(made.verdict, Verdict::Passed);
    assert_eq!(made.ran, [(LIBRARY.into(), vec![1])]);
    assert_eq!(record(STORY), None, "it fails");
}

#[test]
fn of_every_failure_the_test_that_runs_the_fewest_lines_is_pared_first() {
    let lines = |n: u32| Some(((1..=n).collect(), Vec::new()));
    let covered = suite(vec![
        test("long", failed(1, "one"), lines(9)),
        test("passes", passed(), lines(1)),
        test("short", failed(1, "one"), lines(2)),
        test("other", failed(1, "other"), lines(8)),
        test("died", Observation::Died { how: "exit 3".to_owned() }, None),
        test("unknown", failed(1, "third"), None),
    ]);
    assert_eq!(n_parable(&covered), 3);
    assert_eq!(choose(&covered, 0), []);
    assert_eq!(choose(&covered, 1), [2]);
    assert_eq!(choose(&covered, 2), [2, 3], "before a second test of the same failure");
    assert_eq!(choose(&covered, 9), [0, 2, 3], "in the order in which they ran");
}

#[test]
fn a_test_that_needs_another_is_told() {
    let outcome = pared();
    assert_eq!((outcome.status, dependence(&outcome)), (Status::Minimized, None));
    let after = Outcome { after: vec!["first".to_owned(), "second".to_owned()], ..outcome.clone() };
    assert!(dependence(&after).expect("a note").contains("fails only after first, second: "));
    let passing = Outcome { status: Status::Passing, ..outcome };
    assert!(dependence(&passing).expect("a note").contains("fails in the suite and passes alone"));
}

/// Pares with the toy language, or says why it cannot.
struct ToyParer {
    asked: Vec<(usize, usize)>,
    refusal: Option<OutcomeError>,
}

impl Parer for ToyParer {
    fn pare(&mut self, failing: Failing<'_>) -> Result<Purified, OutcomeError> {
        self.asked.push((failing.idx, failing.n_chosen));
        self.refusal.clone().map_or_else(|| Ok(pared().into()), Err)
    }

    fn text(&self, _: &camino::Utf8Path) -> Option<String> {
        Some(STORY.to_owned())
    }
}

/// Localizes in a suite of these tests.
fn localized(tests: Vec<CoveredTest>, parer: Option<&mut dyn Parer>) -> Result<Localized, ErrorCode> {
    let recorder = recorder(|text, _| observe(text)).with_suite(suite(tests));
    with_runs(&recorder, |runs| {
        let request = Request {
            suite: Suite { runs, paths: &[], kept: &Unkept, fresh: false, hear: &|_| {} },
            only: &[],
            n_pared: 1,
            plan: Plan {
                formula: Formula::Ochiai,
                combine: Combine::Replace,
                by: By::Statement,
                equal: Equal::Each,
                tests: Tests::LeftOut,
            },
            faulty: &[],
        };
        localize(&request, parer).map_err(|error| error.code)
    })
}

fn of_suite() -> Vec<CoveredTest> {
    let lines = || Some((vec![1, 2, 3], all_lines(STORY)));
    let passing = test("passes", passed(), Some((vec![1], Vec::new())));
    vec![passing, test("test", observe(STORY), lines()), test("other", observe(STORY), lines())]
}

#[test]
fn a_suite_is_run_its_chosen_tests_are_pared_and_count_as_what_they_were_pared_to() {
    let mut parer = ToyParer { asked: Vec::new(), refusal: None };
    let found = localized(of_suite(), Some(&mut parer)).expect("a test fails");
    assert_eq!(parer.asked, [(1, 1)], "one of two that fail alike");
    let spectra: Vec<_> = found.localization.failing.iter().map(|test| test.spectrum).collect();
    assert_eq!(spectra, [SpectrumOf::Pared, SpectrumOf::Original]);
    assert!(found.spent.n_recorded > 0 && !found.stopped);
    let notes = &found.localization.notes;
    assert!(notes.iter().any(|note| note.starts_with("1 of 2 failing tests were pared")), "{notes:?}");
}

#[test]
fn a_test_that_cannot_be_pared_gets_a_note_and_counts_as_it_is() {
    let refusal =
        OutcomeError { code: ErrorCode::NotFound, message: "no file".to_owned(), help: String::new() };
    let mut parer = ToyParer { asked: Vec::new(), refusal: Some(refusal) };
    let found = localized(of_suite(), Some(&mut parer)).expect("a test fails");
    assert!(found.localization.failing.iter().all(|test| test.spectrum == SpectrumOf::Original));
    assert!(found.localization.notes.contains(&"test was not pared: no file".to_owned()));
}

#[test]
fn a_suite_that_cannot_be_ranked_is_refused_before_anything_is_pared() {
    let mut parer = ToyParer { asked: Vec::new(), refusal: None };
    let green = vec![test("passes", passed(), Some((vec![1], Vec::new())))];
    assert_eq!(localized(green, Some(&mut parer)).err(), Some(ErrorCode::NoFailures));
    assert_eq!(localized(Vec::new(), Some(&mut parer)).err(), Some(ErrorCode::NotFound));
    let died = test("died", Observation::Died { how: "exit 3".to_owned() }, None);
    assert_eq!(localized(vec![died.clone()], Some(&mut parer)).err(), Some(ErrorCode::NoSpectrum));
    let passing = test("passes", passed(), Some((vec![1], Vec::new())));
    assert_eq!(localized(vec![passing, died], Some(&mut parer)).err(), Some(ErrorCode::NoSpectrum));
    assert_eq!(parer.asked, []);
}
