//! The examples of the `FitSlicer` paper in its own language end as its text says, and compile.

use crate::trial::{Ran, Trial};

/// Pares the test with the paper's own strategy, and without and with the fixed library at hand, which may show more to go.
#[track_caller]
fn check(figure: &str, target: &str, expected: &str, with_good: &str) {
    let trial = Trial::compiled_with("junit4", figure);
    ends_as(&trial, &trial.minimize(&[target, "--strategy", "fit"]), expected);
    ends_as(&trial, &trial.minimize(&[target]), expected);
    let good = trial.class_path("good");
    let ran = trial.minimize(&[target, "--good-classpath", &good]);
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
    ends_as(&trial, &ran, with_good);
}

#[track_caller]
fn ends_as(trial: &Trial, ran: &Ran, expected: &str) {
    let result = ran.only(0, "minimized");
    assert_eq!(result["test"].as_str(), Some(expected.trim_end()), "{ran}");
    let (path, text) = (result["file"]["path"].as_str(), result["file"]["text"].as_str());
    let path = format!("tests/{}", path.expect("a path"));
    let before = trial.project.read(&path);
    trial.project.write(&path, text.expect("a text"));
    trial.compile();
    trial.project.write(&path, &before);
    trial.compile();
}

#[test]
fn figure_1_loses_the_upper_tail_and_the_checks_and_keeps_loop_try_and_handler() {
    let expected = include_str!("../../../../testdata/java/fitslicer_fig1/expected.java");
    check("fitslicer_fig1", "math.NormalDistributionTest#testExtremeValues", expected, expected);
}

#[test]
fn figure_3_keeps_declarations_and_the_branch_that_never_ran() {
    let expected = include_str!("../../../../testdata/java/fitslicer_fig3/expected.java");
    check("fitslicer_fig3", "text.ExtendedMessageFormatTest#testEqualsHashCode", expected, expected);
}

#[test]
fn figure_6_keeps_the_handler_that_never_ran() {
    let expected = include_str!("../../../../testdata/java/fitslicer_fig6/expected.java");
    // The second row comes and goes again: what is left fails with the same words.
    let with_good = include_str!("../../../../testdata/java/fitslicer_fig6/expected_good.java");
    check("fitslicer_fig6", "chart.KeyedObjects2DTest#testRemoveRowByKey", expected, with_good);
}
