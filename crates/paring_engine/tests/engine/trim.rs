//! Which parts of statements are left out.

use crate::trial::{Trial, asserts, check, has, last};
use paring_model::{Observation, Version};
use paring_testkit::passed;

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
fn rounds_that_need_each_other_stay_up_to_the_one_that_fails() {
    fn run(text: &str) -> Observation {
        if text.contains("'y'") { asserts(text, "assert b") } else { passed() }
    }
    let source = "test:\n  b = 1\n  for v in {'x','y','z','u','v'}:\n    b = b.put(v)\n    assert b\n";
    check(
        &Trial::new(source, |text, _| run(text)),
        "test:\n  b = 1\n  for v in {'x','y',}:\n    b = b.put(v)\n    assert b\n",
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
fn parameters_go_where_something_read_them_or_a_good_version_lets_them() {
    let source = "fixture f:\n  return 1\nfixture g:\n  return 2\ntest f g:\n  b = 1\n  b.k()\n  b.put(g)\n  d = b.first()\n";
    let after_k = |text: &str, _| if has(text, "b.k()") { last(text) } else { passed() };
    let done = Trial::new(source, after_k).search();
    assert!(done.text.contains("test f:"), "{}", done.text);
    let free = |text: &str, version| match version {
        Version::Faulty => last(text),
        Version::Good => passed(),
    };
    let done = Trial { has_good: true, ..Trial::new(source, free) }.search();
    assert!(done.text.contains("test:"), "{}", done.text);
}
