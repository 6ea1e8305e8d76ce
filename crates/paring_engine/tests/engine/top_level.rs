//! What only removed statements of the test needed.

use crate::trial::{Saw, Trial, check, last};

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
