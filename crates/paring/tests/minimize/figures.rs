//! The examples of the `FitSlicer` paper end as its text says, without and with the fixed library at hand.

use crate::trial::{Ran, Trial};

fn pare(figure: &str, test: &str, args: &[&str]) -> Ran {
    let target = format!("tests/{test}.py::{test}");
    let args: Vec<&str> = std::iter::once(target.as_str()).chain(args.iter().copied()).collect();
    Trial::on(figure).env("PYTHONPATH", "buggy").minimize(&args)
}

/// Runs without and with the good version; `check` gets each.
fn both(figure: &str, test: &str, check: impl Fn(&Ran)) {
    check(&pare(figure, test, &[]));
    let ran = pare(figure, test, &["--good-env", "PYTHONPATH=good"]);
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
    ran.says(&["good: the pared test passes on the good version"]);
    check(&ran);
}

/// The test as the paper has it, from the scenario's `expected.py`.
fn expected(text: &str) -> &str {
    text.find("def test_").map_or(text, |start| text[start..].trim_end())
}

#[test]
fn figure_1_loses_the_upper_tail_and_the_checks_and_keeps_loop_try_and_handler() {
    let paper = expected(include_str!("../../../../testdata/python/fitslicer_fig1/expected.py"));
    both("fitslicer_fig1", "test_extreme_values", |ran| assert_eq!(ran.pared(), paper, "{ran}"));
}

#[test]
fn figure_3_keeps_what_decides_the_value_on_every_path() {
    let paper = expected(include_str!("../../../../testdata/python/fitslicer_fig3/expected.py"));
    for strategy in ["auto", "fit"] {
        let ran = pare("fitslicer_fig3", "test_equals_hash_code", &["--strategy", strategy]);
        assert_eq!(ran.pared(), paper, "{strategy}\n{ran}");
    }
    // With the fixed library at hand a run tells that the branch which never ran is not needed.
    both("fitslicer_fig3", "test_equals_hash_code", |ran| {
        for kept in [
            "pattern = \"Pattern: {0,testfmt}\"",
            "first = ExtendedMessageFormat(pattern, \"en_US\")",
            "other_pattern = \"X\" + pattern  # different pattern",
            "second = ExtendedMessageFormat(other_pattern, \"en_US\")",
            "if first.hash_code() == second.hash_code():",
            "equal = True",
            "assert not equal, \"pattern, hash_code()\"",
        ] {
            assert!(ran.pared().contains(kept), "{kept} is gone\n{ran}");
        }
        for gone in ["equal = None", "first = None", "second = None"] {
            assert!(!ran.pared().contains(gone), "{gone} stayed\n{ran}");
        }
    });
}

#[test]
fn figure_6_keeps_the_handler_that_never_ran() {
    both("fitslicer_fig6", "test_remove_row_by_key", |ran| {
        let end = "    try:\n        data.remove_row(\"XXX\")\n    except UnknownKeyError:\n        pass";
        assert!(ran.pared().ends_with(end), "{ran}");
        assert!(ran.pared().contains("data = KeyedObjects2D()"), "{ran}");
        assert!(!ran.pared().contains("get_row_count") && !ran.pared().contains("passed"), "{ran}");
    });
    let ran = pare("fitslicer_fig6", "test_remove_row_by_key", &["--strategy", "fit"]);
    let paper = expected(include_str!("../../../../testdata/python/fitslicer_fig6/expected.py"));
    assert_eq!(ran.pared(), paper, "the paper's own strategy\n{ran}");
}
