//! The suite every front end passes, on a file of each framework.

use super::*;

#[test]
fn junit_5_passes_the_suite() {
    let source = include_str!("samples/Junit5Test.java");
    paring_testkit::conformance::frontend(&JavaFrontend, "Junit5Test.java", source, "demo.Junit5Test#everything");
}
