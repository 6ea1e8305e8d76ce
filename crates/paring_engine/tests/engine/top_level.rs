//! What only removed statements of the test needed.

use crate::trial::{Saw, Trial, check, has, last};
use paring_model::Observation;
use paring_testkit::passed;

#[test]
fn what_only_removed_statements_needed_goes_in_the_end() {
    let source = "use a\nx = a.make()\ntest:\n  b = 1\n  b.k()\n  b.put(x)\n  d = b.first()\n";
    let kept = "test:\n  b = 1\n  b.k()\n  d = b.first()\n";
    let done = check(&Trial::new(source, |text, _| last_after_k(text)), kept);
    assert!(done.tried.contains(&"test: | b = 1 | b.k() | d = b.first()".to_owned()), "{:?}", done.tried);
}

#[test]
fn a_statement_of_the_file_that_binds_nothing_is_kept_for_what_it_does() {
    let source = "use a\na.setup()\ntest:\n  b = 1\n  b.k()\n  b.put(a)\n  d = b.first()\n";
    let trial =
        Trial { saw: &[Saw::Hidden("a.setup()")], ..Trial::new(source, |text, _| last_after_k(text)) };
    check(&trial, "use a\na.setup()\ntest:\n  b = 1\n  b.k()\n  d = b.first()\n");
}

/// A crash that needs something of what was done to its object.
fn last_after_k(text: &str) -> Observation {
    if has(text, "b.k()") { last(text) } else { passed() }
}
