//! A search that is stopped loses nothing of what it knows: after any number of runs.

use crate::trial::{Done, Saw, Trial, asserts, crashes, has};
use paring_engine::{Budget, SearchResult};
use paring_model::{Observation, StmtSet, Version};
use paring_testkit::passed;

/// Searches with every budget up to the runs of the whole search, and asks what each came to.
fn each_budget(trial: &Trial, check: impl Fn(&Done, &SearchResult)) {
    let n_runs = trial.search().tried.len();
    for runs in 1..=n_runs {
        let done = Trial { budget: Budget { runs: Some(runs), time: None }, ..trial.clone() }.search();
        assert!(done.tried.len() <= runs);
        check(&done, &done.result);
    }
}

fn texts(trial: &Trial, ids: &StmtSet) -> Vec<String> {
    let unit = trial.unit();
    ids.iter().map(|id| unit.stmt(id).header.of(&unit.source).to_owned()).collect()
}

fn needs_q(text: &str) -> Observation {
    if has(text, "b.q()") { crashes(text, "d = b.first()") } else { passed() }
}

const CALLS: &str = "test:\n  b = 1\n  b.p()\n  b.q()\n  b.r()\n  b.s()\n  d = b.first()\n";

#[test]
fn the_slice_the_level_and_the_rules_are_there_after_any_run_that_held() {
    let trial = Trial::new(CALLS, |text, _| needs_q(text));
    let whole = trial.search().result;
    each_budget(&trial, |_, result| {
        assert_eq!(result.level, whole.level);
        assert_eq!(result.slice, whole.slice);
        assert!(!result.rules.watched.is_empty());
    });
}

#[test]
fn what_was_removed_until_then_is_named() {
    let trial = Trial::new(CALLS, |text, _| needs_q(text));
    let unit = trial.unit();
    each_budget(&trial, |_, result| {
        let gone = unit.ids().filter(|id| !result.edits.kept.contains(*id));
        assert_eq!(result.dropped, gone.collect::<Vec<_>>());
    });
}

#[test]
fn only_what_was_tried_without_is_found_needed() {
    let trial = Trial::new(CALLS, |text, _| needs_q(text));
    each_budget(&trial, |done, result| {
        // The first drafts without it lack others too, and `b = 1` is never tried: the failing line reads it.
        let expected: &[&str] = if done.tried.len() < 5 { &[] } else { &["b.q()"] };
        assert_eq!(texts(&trial, &result.tried_without), expected, "{:?}", done.tried);
    });
}

#[test]
fn what_an_experiment_teaches_the_rules_is_handed_over() {
    fn run(text: &str) -> Observation {
        if has(text, "w.write(t)") { asserts(text, "assert b") } else { passed() }
    }
    let source = "test:\n  t = 1\n  w = 3\n  w.write(t)\n  x = 4\n  b = k.read()\n  assert b\n";
    let trial = Trial::new(source, |text, _| run(text));
    let result = trial.search().result;
    let frozen = texts(&trial, &result.rules.frozen);
    assert!(frozen.contains(&"t = 1".to_owned()), "{frozen:?}");
    assert_eq!(texts(&trial, &result.tried_without), ["t = 1", "w = 3", "w.write(t)"]);
}

#[test]
fn the_tests_before_it_are_as_small_as_they_were_made() {
    fn run(text: &str) -> Observation {
        if has(text, "r.leave()") { asserts(text, "assert b") } else { passed() }
    }
    let source = "use r\nearlier one:\n  x = 1\n  r.leave()\n  y = 2\n  z = 3\ntest:\n  b = 1\n  assert b\n";
    let trial = Trial { after: &["one"], ..Trial::new(source, |text, _| run(text)) };
    each_budget(&trial, |done, _| {
        let smallest = done.tried.iter().filter(|draft| draft.contains("r.leave()")).map(String::len).min();
        let lines = done.text.lines().map(str::trim).collect::<Vec<_>>().join(" | ");
        assert_eq!(Some(lines.len()), smallest, "{:?}", done.tried);
    });
}

#[test]
fn elements_that_were_trimmed_stay_trimmed() {
    fn run(text: &str) -> Observation {
        if text.contains("'v'") { asserts(text, "assert v") } else { passed() }
    }
    let source = "test:\n  for v in {'s','t','u','v','w','x','y','z'}:\n    assert v\n";
    let trial = Trial::new(source, |text, _| run(text));
    each_budget(&trial, |done, _| {
        let fewest =
            done.tried.iter().filter(|draft| draft.contains("'v'")).map(|draft| draft.matches("','").count());
        assert_eq!(done.text.matches("','").count(), fewest.min().unwrap_or_default(), "{:?}", done.tried);
    });
}

#[test]
fn suspects_are_named_as_far_as_they_were_found() {
    let source = "test:\n  b = 1\n  b.p()\n  b.q()\n  assert b\n";
    let trial = Trial::new(source, |text, _| asserts(text, "assert b"));
    let n_runs = trial.search().tried.len();
    let result = Trial {
        budget: Budget {
            // The last run looks for what only caution keeps.
            runs: Some(n_runs - 2),
            time: None,
        },
        ..trial
    }
    .search()
    .result;
    assert_eq!(result.suspects.len(), 1);
}

#[test]
fn with_a_good_version_too() {
    fn run(text: &str, version: Version) -> Observation {
        match version {
            Version::Faulty => needs_q(text),
            Version::Good => passed(),
        }
    }
    let trial = Trial { has_good: true, saw: &[Saw::Change("b.q()", "b")], ..Trial::new(CALLS, run) };
    each_budget(&trial, |_, result| assert!(result.rules.has_good && result.slice.is_some()));
}
