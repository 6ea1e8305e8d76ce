//! The suite every front end passes, on a file of each framework.

use super::*;

#[test]
fn junit_5_and_every_kind_of_statement() {
    let source = include_str!("samples/Junit5Test.java");
    paring_testkit::conformance::frontend(
        &JavaFrontend,
        "Junit5Test.java",
        source,
        "demo.Junit5Test#everything",
    );
}

#[test]
fn junit_3_with_line_ends_of_windows() {
    let source = include_str!("samples/Junit3Test.java").replace('\n', "\r\n");
    paring_testkit::conformance::frontend(
        &JavaFrontend,
        "Junit3Test.java",
        &source,
        "demo.Junit3Test#testSum",
    );
}

#[test]
fn junit_4_with_tabs() {
    let source = include_str!("samples/Junit4Test.java").replace("    ", "\t");
    paring_testkit::conformance::frontend(
        &JavaFrontend,
        "Junit4Test.java",
        &source,
        "demo.Junit4Test#sums[1]",
    );
}
