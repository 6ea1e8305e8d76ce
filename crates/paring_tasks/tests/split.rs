//! Splitting on a toy language and a made-up program: which checks stand together, and what each new test has.

#[path = "trial/ran.rs"]
mod ran;

use camino::Utf8PathBuf;
use paring_engine::{Budget, Ports};
use paring_model::{Candidate, Facts, Frontend, How, Resource, TargetSpec, Unit, Watch};
use paring_tasks::minimize::Hints;
use paring_tasks::split::{Grouping, Request, SplitOutcome, SplitStatus, Splitter, Whole, split};
use paring_testkit::{FakeClock, FakeRunner, LineFrontend, MemoryJournal, failed, passed};
use ran::ran;

/// A test, and what the program makes of it.
#[derive(Default)]
struct Story {
    source: &'static str,
    /// Lines of which the second fails unless the first runs before it.
    needs: &'static [(&'static str, &'static str)],
    /// What the lines were seen to touch: text of the line, name of the resource, how.
    touches: &'static [(&'static str, Kind, How)],
}

#[derive(Clone, Copy)]
enum Kind {
    File,
    Attribute,
}

const HINTS: Hints =
    Hints { list_tests: "", must_load: "", fails_to_load: "", no_source: "", member: "", instead: None };

fn split_with(story: &Story, change: impl FnOnce(&mut Request<'_>)) -> (SplitOutcome, usize) {
    let runner = program(story);
    let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
    let ports = Ports {
        runner: &runner,
        recorder: None,
        clock: &clock,
        journal: &journal,
        tell: &|_| {},
        budget: Budget::default(),
    };
    let (target, path) = (TargetSpec::new("test.lines::test_shop"), Utf8PathBuf::from("test.lines"));
    let mut request = Request {
        ports,
        frontend: &LineFrontend,
        target: &target,
        path: &path,
        short_path: "test.lines",
        source: story.source,
        hints: &HINTS,
        grouping: Grouping::Scenarios,
        strategy: Splitter::Auto,
        drop_unasserted: false,
        set_up: paring_tasks::split::SetUpStyle::Inline,
        max_cost: 2.0,
        n_mutants: 0,
        watch: Watch::Off,
        verifies: true,
        timeout: None,
        seed: 0,
    };
    change(&mut request);
    (split(&request), runner.n_runs())
}

/// A program in which lines fail whose needs did not run before them.
fn program(story: &Story) -> FakeRunner {
    let (needs, touches) = (story.needs, story.touches);
    FakeRunner::of_candidates(move |candidate: &Candidate| {
        let target = TargetSpec::new(candidate.target());
        let (unit, _) = LineFrontend.parse("test.lines".into(), candidate.text(), &target);
        let lines: Vec<(u32, &str)> = unit
            .test_body()
            .into_iter()
            .map(|id| (unit.line_of(unit.stmt(id).range.start), unit.stmt(id).range.of(&unit.source)))
            .collect();
        let fails = |idx: usize| {
            let (_, line) = lines[idx];
            let is_there = |wanted: &str| lines[..idx].iter().any(|(_, before)| *before == wanted);
            needs.iter().any(|(needed, by)| *by == line && !is_there(needed))
        };
        let first = (0..lines.len()).find(|&idx| fails(idx));
        first.map_or_else(passed, |idx| failed(lines[idx].0, "it needs more"))
    })
    .tracing(move |unit| facts(unit, touches))
}

fn facts(unit: &Unit, touches: &[(&str, Kind, How)]) -> Facts {
    let mut facts = ran(unit);
    for id in unit.test_body() {
        for (line, kind, how) in touches {
            if *line == unit.stmt(id).range.of(&unit.source) {
                let resource = match kind {
                    Kind::File => Resource::File("/f".into()),
                    Kind::Attribute => Resource::Attribute { owner: "m".to_owned(), name: "a".to_owned() },
                };
                facts.resources.touch(id, 1, resource, *how);
            }
        }
        facts.resources.complete(id);
    }
    facts
}

/// The bodies of the new tests; none where the test stays whole.
fn bodies(story: &Story) -> Vec<String> {
    bodies_of(&split_with(story, |_| {}).0)
}

fn bodies_of(outcome: &SplitOutcome) -> Vec<String> {
    let Some(file) = &outcome.file else { return Vec::new() };
    let body = |id: &str| {
        let (unit, _) = LineFrontend.parse("test.lines".into(), &file.text, &TargetSpec::new(id));
        let ids = unit.test_body().into_iter();
        ids.map(|id| unit.stmt(id).header.of(&unit.source).to_owned()).collect::<Vec<_>>().join("; ")
    };
    outcome.tests.iter().map(|test| body(&test.id)).collect()
}

#[test]
fn checks_of_different_things_are_different_tests() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  b = 2\n  assert a\n  b ! b\n  assert b\n",
        ..Story::default()
    };
    assert_eq!(bodies(&story), ["a = 1; assert a", "b = 2; b ! b; assert b"]);
}

#[test]
fn checks_that_need_the_same_stay_together() {
    let story =
        Story { source: "test_shop:\n  a = 1\n  b = a\n  assert a\n  assert b\n", ..Story::default() };
    let (outcome, _) = split_with(&story, |_| {});
    assert_eq!((outcome.status, outcome.reason), (SplitStatus::Whole, Some(Whole::OneScenario)));
    let (outcome, _) = split_with(&story, |request| request.grouping = Grouping::EachCheck);
    assert_eq!(bodies_of(&outcome), ["a = 1; assert a", "a = 1; b = a; assert b"]);
}

#[test]
fn a_check_of_the_set_up_stays_with_the_first_that_follows() {
    let source = "test_shop:\n  a = 1\n  assert a\n  b = a\n  assert b\n  c = a\n  assert c\n";
    let story = Story { source, ..Story::default() };
    assert_eq!(bodies(&story), ["a = 1; assert a; b = a; assert b", "a = 1; c = a; assert c"]);
    let source = "test_shop:\n  a = 1\n  b = a\n  assert b\n  c = a\n  assert c\n  assert a\n";
    let story = Story { source, ..Story::default() };
    assert_eq!(bodies(&story), ["a = 1; b = a; assert b", "a = 1; c = a; assert c; assert a"]);
}

#[test]
fn a_file_joins_what_writes_it_with_what_reads_it() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  save(a)\n  b = 2\n  assert b\n  c = load()\n  assert c\n",
        needs: &[("save(a)", "c = load()")],
        touches: &[("save(a)", Kind::File, How::Kill), ("c = load()", Kind::File, How::Use)],
    };
    assert_eq!(bodies(&story), ["b = 2; assert b", "a = 1; save(a); c = load(); assert c"]);
}

#[test]
fn hidden_state_is_followed_where_a_run_shows_that_it_matters() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  put(a)\n  b = get()\n  assert b\n  c = get()\n  assert c\n",
        needs: &[("put(a)", "c = get()")],
        touches: &[
            ("put(a)", Kind::Attribute, How::Define),
            ("b = get()", Kind::Attribute, How::Use),
            ("c = get()", Kind::Attribute, How::Use),
        ],
    };
    let bodies = bodies(&story);
    assert_eq!(bodies, ["b = get(); assert b", "a = 1; put(a); c = get(); assert c"]);
}

#[test]
fn a_call_that_nothing_is_checked_of_stays_with_its_object() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  assert a\n  a ! a\n  b = 2\n  b ! b\n  assert b\n",
        ..Story::default()
    };
    assert_eq!(bodies(&story), ["a = 1; assert a; a ! a", "b = 2; b ! b; assert b"]);
    let (outcome, _) = split_with(&story, |request| request.drop_unasserted = true);
    assert_eq!(bodies_of(&outcome), ["a = 1; assert a", "b = 2; b ! b; assert b"]);
}

#[test]
fn a_call_that_knows_nobody_is_a_test_of_its_own() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  assert a\n  b = 2\n  assert b\n  check(3)\n",
        ..Story::default()
    };
    assert_eq!(bodies(&story), ["a = 1; assert a", "b = 2; assert b", "check(3)"]);
}

#[test]
fn what_ends_an_object_stands_in_each_test_that_has_it() {
    let story = Story {
        source: "test_shop:\n  s = 1\n  a = s\n  assert a\n  b = s\n  assert b\n  s.stop()\n",
        ..Story::default()
    };
    assert_eq!(bodies(&story), ["s = 1; a = s; assert a; s.stop()", "s = 1; b = s; assert b; s.stop()"]);
}

#[test]
fn a_change_that_speaks_of_something_else_is_left_out_where_another_test_has_it() {
    let story = Story {
        source: "test_shop:\n  s = 1\n  s.put('tea')\n  a = s.get('tea')\n  assert a\n  b = s.get('jam')\n  assert b\n",
        needs: &[("s.put('tea')", "a = s.get('tea')")],
        ..Story::default()
    };
    let least = ["s = 1; s.put('tea'); a = s.get('tea'); assert a", "s = 1; b = s.get('jam'); assert b"];
    assert_eq!(bodies(&story), least);
    let story = Story {
        needs: &[("s.put('tea')", "a = s.get('tea')"), ("s.put('tea')", "b = s.get('jam')")],
        ..story
    };
    let (outcome, _) = split_with(&story, |_| {});
    assert_eq!(bodies_of(&outcome)[1], "s = 1; s.put('tea'); b = s.get('jam'); assert b");
}

#[test]
fn a_check_that_another_needs_stands_with_it() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  check(a)\n  b = 2\n  assert b\n  assert a\nhelper check x:\n  x ! x\n  assert x\n",
        ..Story::default()
    };
    let bodies = bodies(&story);
    assert_eq!(bodies.len(), 2, "{bodies:?}");
    assert!(bodies[0].contains("check(a); assert a"), "{bodies:?}");
}

#[test]
fn two_of_a_kind_side_by_side_stay_together() {
    let source = "test_shop:\n  a = Box(1)\n  b = Box(1)\n  a ! a\n  b ! b\n  assert a\n  assert b\n";
    assert!(bodies(&Story { source, ..Story::default() }).is_empty());
    let source = "test_shop:\n  a = Box(1)\n  a ! a\n  assert a\n  b = Box(1)\n  b ! b\n  assert b\n";
    assert_eq!(bodies(&Story { source, ..Story::default() }).len(), 2);
}

#[test]
fn the_paper_completes_slices_by_whoever_writes_what_they_use() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  save(a)\n  b = 2\n  assert b\n  c = load()\n  assert c\n  lost(3)\n",
        needs: &[("save(a)", "c = load()")],
        touches: &[("save(a)", Kind::File, How::Kill), ("c = load()", Kind::File, How::Use)],
    };
    let (outcome, n_runs) = split_with(&story, |request| request.strategy = Splitter::Ds3);
    assert_eq!(bodies_of(&outcome), ["b = 2; assert b", "a = 1; save(a); c = load(); assert c"]);
    assert_eq!((outcome.runs.search, outcome.runs.final_, n_runs), (0, 0, 2));
    let (outcome, _) = split_with(&story, |request| request.strategy = Splitter::Prefix);
    assert_eq!(
        bodies_of(&outcome),
        ["a = 1; save(a); b = 2; assert b", "a = 1; save(a); b = 2; c = load(); assert c"]
    );
}

#[test]
fn what_runs_in_the_end_runs_in_each_test() {
    let source =
        "test_shop:\n  try:\n    a = 1\n    assert a\n    b = 2\n    assert b\n  finally:\n    tidy(1)\n";
    let story = Story { source, ..Story::default() };
    let bodies = bodies(&story);
    assert_eq!(bodies, ["try:; a = 1; assert a; tidy(1)", "try:; b = 2; assert b; tidy(1)"]);
}

#[test]
fn a_test_that_always_needs_all_stays_whole() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  assert a\n  b = 2\n  assert b\n",
        needs: &[("assert a", "assert b")],
        ..Story::default()
    };
    let (outcome, _) = split_with(&story, |_| {});
    assert_eq!(outcome.reason, Some(Whole::OneScenario));
    let (outcome, _) = split_with(&story, |request| request.grouping = Grouping::EachCheck);
    assert!(matches!(outcome.reason, Some(Whole::Fails { line: Some(_), .. })), "{:?}", outcome.reason);
}

#[test]
fn a_test_with_one_check_or_none_is_told_without_a_run() {
    for (source, whole) in [
        ("test_shop:\n  a = 1\n  assert a\n", Whole::OneCheck),
        ("test_shop:\n  a = 1\n", Whole::NoCheck),
        ("test_shop:\n  a = 1 # keep\n  assert a\n  b = 2\n  assert b\n", Whole::Protected),
    ] {
        let (outcome, n_runs) = split_with(&Story { source, ..Story::default() }, |_| {});
        assert_eq!((outcome.reason, n_runs), (Some(whole), 0), "{source}");
    }
}

#[test]
fn a_failing_test_is_left_to_purify() {
    let story = Story {
        source: "test_shop:\n  a = 1\n  assert a\n  b = 2\n  assert b\n",
        needs: &[("nothing", "assert b")],
        ..Story::default()
    };
    let (outcome, _) = split_with(&story, |_| {});
    assert_eq!(outcome.status, SplitStatus::Failing);
    assert!(outcome.error.unwrap().help.contains("paring purify"));
}

#[test]
fn each_scenario_costs_a_run() {
    let source = "test_shop:\n  a = 1\n  b = 2\n  c = 3\n  assert a\n  assert b\n  assert c\n";
    let (outcome, _) = split_with(&Story { source, ..Story::default() }, |_| {});
    assert_eq!((outcome.tests.len(), outcome.runs.baseline, outcome.runs.search), (3, 3, 3));
}

#[test]
fn where_nothing_is_verified_only_the_trace_is_run_and_the_result_says_so() {
    let story =
        Story { source: "test_shop:\n  a = 1\n  b = 2\n  assert a\n  assert b\n", ..Story::default() };
    let (outcome, n_runs) = split_with(&story, |request| request.verifies = false);
    assert_eq!(bodies_of(&outcome), ["a = 1; assert a", "b = 2; assert b"]);
    assert_eq!(n_runs, 0);
    assert!(outcome.notes.iter().any(|note| note.contains("nothing was run")), "{:?}", outcome.notes);
}
