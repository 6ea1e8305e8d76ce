//! Experiments on what a slice left: in which order statements are tried, what goes together, what is trimmed and tidied.

use crate::trial::{Done, Saw, Trial, asserts, crashes, has};
use paring_model::{Observation, Version};
use paring_testkit::passed;

#[track_caller]
fn check(trial: &Trial, expected: &str) -> Done {
    let done = trial.search();
    assert_eq!(done.text, expected, "{:?}", done.tried);
    done
}

/// Fails at the last line of every test here that ends with a crash.
fn last(text: &str) -> Observation {
    crashes(text, "d = b.first()")
}

/// The drafts as the lines that each lacks of the one before it that held.
fn gone(done: &Done) -> Vec<String> {
    let original: Vec<&str> = done.tried[0].split(" | ").collect();
    let lacks = |draft: &String| {
        let there: Vec<&str> = draft.split(" | ").collect();
        original.iter().filter(|line| !there.contains(line)).copied().collect::<Vec<_>>().join(" | ")
    };
    done.tried[1..].iter().map(lacks).collect()
}

#[test]
fn the_last_statements_are_tried_first_and_the_step_grows_with_success() {
    let source =
        "test:\n  b = 1\n  b.p()\n  b.q()\n  b.r()\n  b.s()\n  b.t()\n  b.u()\n  b.v()\n  d = b.first()\n";
    let done = check(&Trial::new(source, |text, _| last(text)), "test:\n  b = 1\n  d = b.first()\n");
    assert_eq!(
        gone(&done),
        ["b.v()", "b.t() | b.u() | b.v()", "b.p() | b.q() | b.r() | b.s() | b.t() | b.u() | b.v()"]
    );
}

#[test]
fn a_step_that_fails_is_one_statement_again() {
    fn run(text: &str) -> Observation {
        if has(text, "b.q()") { last(text) } else { passed() }
    }
    let source = "test:\n  b = 1\n  b.p()\n  b.q()\n  b.r()\n  b.s()\n  d = b.first()\n";
    let done = check(&Trial::new(source, |text, _| run(text)), "test:\n  b = 1\n  b.q()\n  d = b.first()\n");
    assert_eq!(
        gone(&done),
        // The draft without `b.q()` alone is known.
        [
            "b.s()",
            "b.q() | b.r() | b.s()",
            "b.r() | b.s()",
            "b.p() | b.q() | b.r() | b.s()",
            "b.p() | b.r() | b.s()"
        ]
    );
}

#[test]
fn what_reads_a_name_goes_with_what_gave_it_its_value() {
    fn run(text: &str) -> Observation {
        // Not a word of a name that nothing gives a value.
        let is_bound = has(text, "n = 2") || !has(text, "m = n");
        let is_read = has(text, "m = n") || !has(text, "b.put(m)");
        assert!(is_bound && is_read, "{text}");
        last(text)
    }
    let source = "test:\n  b = 1\n  n = 2\n  m = n\n  b.put(m)\n  d = b.first()\n";
    check(&Trial::new(source, |text, _| run(text)), "test:\n  b = 1\n  d = b.first()\n");
}

#[test]
fn a_name_that_two_statements_bind_is_not_missed_with_one_of_them() {
    fn run(text: &str) -> Observation {
        if has(text, "b.put(n)") { last(text) } else { passed() }
    }
    let source = "test:\n  b = 1\n  n = 2\n  if b:\n    n = 3\n  b.put(n)\n  d = b.first()\n";
    check(&Trial::new(source, |text, _| run(text)), "test:\n  b = 1\n  n = 2\n  b.put(n)\n  d = b.first()\n");
}

#[test]
fn a_change_of_an_object_binds_nothing_and_its_reader_stays() {
    fn run(text: &str) -> Observation {
        if has(text, "b.put(n)") { last(text) } else { passed() }
    }
    let source = "test:\n  b = 1\n  n = 2\n  n.add(3)\n  b.put(n)\n  d = b.first()\n";
    check(&Trial::new(source, |text, _| run(text)), "test:\n  b = 1\n  n = 2\n  b.put(n)\n  d = b.first()\n");
}

#[test]
fn all_that_never_ran_goes_in_one_run() {
    let source = "test:\n  b = 1\n  if b:\n    b.p()\n  else:\n    b.q()\n  try:\n    b.r()\n  catch e:\n    b.s()\n    b.t()\n  d = b.first()\n";
    let trial = Trial {
        saw: &[Saw::Skip("else:"), Saw::Skip("catch e:")],
        ..Trial::new(source, |text, _| if has(text, "b.r()") { last(text) } else { passed() })
    };
    let done = trial.search();
    assert_eq!(gone(&done)[0], "else: | b.q() | catch e: | b.s() | b.t()");
}

#[test]
fn a_block_is_tried_whole_before_its_parts() {
    let source = "test:\n  b = 1\n  if b:\n    b.p()\n    b.q()\n  d = b.first()\n";
    let done = check(&Trial::new(source, |text, _| last(text)), "test:\n  b = 1\n  d = b.first()\n");
    assert_eq!(gone(&done), ["if b: | b.p() | b.q()"]);
}

#[test]
fn elements_that_the_failing_loop_does_not_need_are_trimmed() {
    fn run(text: &str) -> Observation {
        if text.contains('{') && text.contains('y') { asserts(text, "assert v") } else { passed() }
    }
    let source = "test:\n  for v in {'x','y','z'}:\n    assert v\n";
    check(&Trial::new(source, |text, _| run(text)), "test:\n  for v in {'y',}:\n    assert v\n");
    // An empty loop would be another test.
    check(
        &Trial::new(source, |text, _| asserts(text, "assert v")),
        "test:\n  for v in {'x',}:\n    assert v\n",
    );
}

#[test]
fn elements_of_another_list_are_trimmed_only_with_a_good_version() {
    let source = "test:\n  b = {'x','y'}\n  assert b\n";
    check(&Trial::new(source, |text, _| asserts(text, "assert b")), source);
    let on = |text: &str, version| match version {
        Version::Faulty => asserts(text, "assert b"),
        Version::Good => passed(),
    };
    check(&Trial { has_good: true, ..Trial::new(source, on) }, "test:\n  b = {'x',}\n  assert b\n");
}

#[test]
fn what_only_trimmed_text_read_goes_too() {
    fn run(text: &str, version: Version) -> Observation {
        match version {
            Version::Faulty => asserts(text, "assert v"),
            Version::Good => passed(),
        }
    }
    let source = "test:\n  jam = 1\n  tea = 2\n  for v in {jam,tea}:\n    assert v\n";
    check(
        &Trial { has_good: true, ..Trial::new(source, run) },
        "test:\n  jam = 1\n  for v in {jam,}:\n    assert v\n",
    );
}

#[test]
fn parameters_go_where_something_read_them_or_a_good_version_lets_them() {
    let source =
        "fixture f:\n  return 1\nfixture g:\n  return 2\ntest f g:\n  b = 1\n  b.put(g)\n  d = b.first()\n";
    let done = Trial::new(source, |text, _| last(text)).search();
    assert!(done.text.contains("test f:"), "{}", done.text);
    let free = |text: &str, version| match version {
        Version::Faulty => last(text),
        Version::Good => passed(),
    };
    let done = Trial { has_good: true, ..Trial::new(source, free) }.search();
    assert!(done.text.contains("test:"), "{}", done.text);
}

#[test]
fn what_only_removed_statements_needed_goes_in_the_end() {
    let source = "use a\nx = a.make()\ntest:\n  b = 1\n  b.put(x)\n  d = b.first()\n";
    let done = check(&Trial::new(source, |text, _| last(text)), "test:\n  b = 1\n  d = b.first()\n");
    assert_eq!(done.tried.last().map(String::as_str), Some("test: | b = 1 | d = b.first()"));
}

#[test]
fn a_statement_of_the_file_that_binds_nothing_is_kept_for_what_it_does() {
    let source = "use a\na.setup()\ntest:\n  b = 1\n  b.put(a)\n  d = b.first()\n";
    let trial = Trial { saw: &[Saw::Hidden("a.setup()")], ..Trial::new(source, |text, _| last(text)) };
    check(&trial, "use a\na.setup()\ntest:\n  b = 1\n  d = b.first()\n");
}

#[test]
fn calls_without_effect_are_suspects_where_the_failure_stays_without_them() {
    let source = "test:\n  b = 1\n  b.put(2)\n  b.pop()\n  assert b\n";
    let trial = Trial {
        saw: &[Saw::Change("b.put(2)", "b")],
        ..Trial::new(source, |text, _| asserts(text, "assert b"))
    };
    let done = check(&trial, source);
    let suspects = done.found.suspects;
    let unit = trial.unit();
    let texts: Vec<&str> = suspects.iter().map(|idle| unit.stmt(idle.stmt).header.of(&unit.source)).collect();
    assert_eq!(texts, ["b.pop()"]);
    assert!(!suspects[0].without.kept.contains(suspects[0].stmt));
}

#[test]
fn the_number_of_workers_changes_no_result() {
    fn run(text: &str) -> Observation {
        if has(text, "b.q()") { last(text) } else { passed() }
    }
    let source = "test:\n  b = 1\n  b.p()\n  b.q()\n  b.r()\n  if b:\n    b.s()\n  d = b.first()\n";
    let one = Trial::new(source, |text, _| run(text));
    let four = Trial { n_parallel: 4, ..one.clone() };
    assert_eq!(one.search().text, four.search().text);
}
