//! What every front end and every runner has to hold to, whatever its language. Each suite panics with what is wrong.

use crate::runner::observe_single;
use camino::Utf8Path;
use paring_model::{
    Candidate, EditSet, Form, Frontend, Heat, Job, Observation, Runner, StmtId, TargetSpec, Unit,
};
use std::time::Duration;

/// Parses and renders one text in every way that does not need to run it.
pub fn frontend(frontend: &dyn Frontend, path: &str, source: &str, target: &str) {
    let spec = TargetSpec::new(target);
    let (unit, problems) = frontend.parse(Utf8Path::new(path), source, &spec);
    assert!(problems.is_empty(), "{path} has problems: {problems:?}");
    assert!(unit.test.is_some(), "{target} is not found in {path}");
    tree_is_sound(&unit);
    source_comes_back(frontend, &unit);
    for id in unit.test_body() {
        one_removal_keeps_lines(frontend, &unit, id);
    }
    smaller_literals_keep_lines(frontend, unit);
    broken_texts_parse(frontend, path, source, &spec);
}

/// Parents come before children and cover them; siblings stand in source order and apart.
fn tree_is_sound(unit: &Unit) {
    for id in unit.ids() {
        let stmt = unit.stmt(id);
        assert!(stmt.range.covers(stmt.header), "{id:?}: the header is outside its statement");
        for &child in &stmt.children {
            assert!(child > id, "{child:?} comes before its parent {id:?}");
            assert_eq!(unit.stmt(child).parent, Some(id), "{child:?} does not know its parent");
            assert!(stmt.range.covers(unit.stmt(child).range), "{child:?} is outside {id:?}");
        }
        for pair in stmt.children.windows(2) {
            assert!(pair[0] < pair[1], "the ids of {:?} and {:?} are not in source order", pair[0], pair[1]);
            let (one, next) = (unit.stmt(pair[0]).range, unit.stmt(pair[1]).range);
            assert!(one.end <= next.start, "{:?} and {:?} overlap", pair[0], pair[1]);
        }
    }
}

fn source_comes_back(frontend: &dyn Frontend, unit: &Unit) {
    for form in [Form::Blanked, Form::Compact] {
        let candidate = frontend.edited(unit, &EditSet::all(unit), form);
        assert_eq!(candidate.text(), unit.source, "{form:?} without edits is not the source");
        assert_eq!(candidate.target(), unit.target, "{form:?} without edits has another target");
    }
}

fn one_removal_keeps_lines(frontend: &dyn Frontend, unit: &Unit, id: StmtId) {
    let mut edits = EditSet::all(unit);
    edits.remove(unit, id);
    let blanked = frontend.edited(unit, &edits, Form::Blanked).into_text();
    let n_lines = |text: &str| text.matches('\n').count();
    assert_eq!(n_lines(&blanked), n_lines(&unit.source), "blanking {id:?} changes the number of lines");
    for (line, (before, after)) in unit.source.lines().zip(blanked.lines()).enumerate() {
        let start = unit.line_starts[line];
        let range = unit.stmt(id).range;
        let end = start + u32::try_from(before.len()).expect("a test's text is short");
        let apart = end <= range.start || range.end <= start;
        assert!(!apart || before == after, "blanking {id:?} changes line {}: {after:?}", line + 1);
    }
    let compact = frontend.edited(unit, &edits, Form::Compact).into_text();
    assert!(frontend.count_tokens(&compact) <= frontend.count_tokens(&unit.source) + 1, "{id:?}: {compact}");
}

/// Literals that lose all they can, and every second part of it, move no line; without edits the source comes back.
fn smaller_literals_keep_lines(frontend: &dyn Frontend, unit: Unit) {
    let unit = frontend.with_literals(unit);
    source_comes_back(frontend, &unit);
    for step in [1, 2] {
        let mut edits = EditSet::all(&unit);
        edits
            .trims
            .extend(unit.literals.iter().flat_map(|literal| literal.trims.iter().copied().step_by(step)));
        let n_lines = |text: &str| text.matches('\n').count();
        let blanked = frontend.edited(&unit, &edits, Form::Blanked).into_text();
        assert_eq!(n_lines(&blanked), n_lines(&unit.source), "smaller literals move lines:\n{blanked}");
        let compact = frontend.edited(&unit, &edits, Form::Compact).into_text();
        assert!(compact.len() <= unit.source.len(), "smaller literals make a longer text:\n{compact}");
    }
}

/// A text that ends anywhere is parsed all the same.
fn broken_texts_parse(frontend: &dyn Frontend, path: &str, source: &str, target: &TargetSpec) {
    for (at, _) in source.char_indices() {
        let (unit, _) = frontend.parse(Utf8Path::new(path), &source[..at], target);
        assert_eq!(unit.source, &source[..at], "the unit of a broken text has another source");
    }
}

/// Candidates of which it is known what a run of them shows.
pub struct RunnerCases {
    pub passing: Candidate,
    pub failing: Candidate,
    /// Does not compile, or has no such test.
    pub broken: Candidate,
    pub hanging: Candidate,
    /// Ends its process.
    pub dying: Candidate,
}

/// Runs each of the cases at every heat, and all of them at once.
pub fn runner(runner: &dyn Runner, cases: &RunnerCases) {
    for heat in [Heat::Fresh, Heat::Warm, Heat::Apart, Heat::Cold] {
        let job = |candidate: &Candidate| Job::new(candidate.clone(), heat, Some(Duration::from_secs(20)));
        let hanging = Job { timeout: Some(Duration::from_secs(2)), ..job(&cases.hanging) };
        let jobs = [
            job(&cases.passing),
            job(&cases.failing),
            job(&cases.broken),
            hanging,
            job(&cases.dying),
            job(&cases.passing),
        ];
        let seen = observe_single(runner, &jobs).unwrap_or_else(|error| panic!("{heat:?}: {error}"));
        assert_eq!(seen.len(), jobs.len(), "{heat:?}: as many answers as jobs");
        assert_eq!(seen[0], Observation::Passed, "{heat:?}");
        let Observation::Failed(failure) = &seen[1] else { panic!("{heat:?}: not a failure: {:?}", seen[1]) };
        assert!(failure.site().is_some(), "{heat:?}: the failure has no place in the test file");
        assert!(matches!(seen[2], Observation::Broken { .. }), "{heat:?}: not broken: {:?}", seen[2]);
        assert!(matches!(seen[3], Observation::Hung { .. }), "{heat:?}: not hung: {:?}", seen[3]);
        assert!(matches!(seen[4], Observation::Died { .. }), "{heat:?}: not died: {:?}", seen[4]);
        assert_eq!(seen[5], Observation::Passed, "{heat:?}: a worker that died is replaced");
    }
    assert!(runner.n_parallel() >= 1, "a runner makes at least one run at a time");
}

/// Candidates with three targets each, of one file.
pub struct SeveralCases {
    /// The first leaves a mark in its process, the second passes where it finds the mark and fails elsewhere, the third
    /// fails.
    pub marking: Candidate,
    /// The second ends its process; the others pass.
    pub dying: Candidate,
}

/// Runs several targets in one process, in several orders: each has an observation of its own, in the order in which it was
/// asked for.
pub fn several(runner: &dyn Runner, cases: &SeveralCases) {
    for heat in [Heat::Fresh, Heat::Warm, Heat::Apart, Heat::Cold] {
        let job = |candidate: Candidate| Job::new(candidate, heat, None);
        let in_order = |order: [usize; 3]| {
            let targets = order.map(|idx| cases.marking.targets[idx].clone());
            job(Candidate { targets: targets.to_vec(), ..cases.marking.clone() })
        };
        let jobs = [in_order([0, 1, 2]), in_order([2, 1, 0]), in_order([2, 0, 1]), job(cases.dying.clone())];
        let seen = runner.observe(&jobs).unwrap_or_else(|error| panic!("{heat:?}: {error}"));
        let expected = [[true, true, false], [false, false, true], [false, true, true]];
        for (seen, expected) in seen.iter().zip(expected) {
            assert_eq!(seen.len(), expected.len(), "{heat:?}: an observation for each target: {seen:?}");
            for (seen, passes) in seen.iter().zip(expected) {
                let is_expected = match seen {
                    Observation::Passed => passes,
                    Observation::Failed(_) => !passes,
                    Observation::Skipped { .. }
                    | Observation::Broken { .. }
                    | Observation::Hung { .. }
                    | Observation::Died { .. } => false,
                };
                assert!(is_expected, "{heat:?}: passes: {passes}, seen: {seen:?}");
            }
        }
        let [before, dying, behind] = &seen[3][..] else { panic!("{heat:?}: not three: {:?}", seen[3]) };
        assert_eq!(*before, Observation::Passed, "{heat:?}: it ran before the one that ends the process");
        assert!(matches!(dying, Observation::Died { .. }), "{heat:?}: not died: {dying:?}");
        let did_not_run = matches!(behind, Observation::Died { .. } | Observation::Broken { .. });
        assert!(did_not_run, "{heat:?}: nothing is seen of what did not run: {behind:?}");
    }
}
