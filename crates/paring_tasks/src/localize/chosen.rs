//! `--for`: the failing tests that a ranking is about, where a suite fails for several reasons.

use super::is_failed;
use paring_model::{Covered, ErrorCode, RunnerError};

/// Leaves the other failing tests out: they are no evidence for this fault, and none against it.
pub fn keep_chosen(covered: &mut Covered, names: &[String]) -> Result<(), RunnerError> {
    if names.is_empty() {
        return Ok(());
    }
    for name in names {
        let mut called = covered.tests.iter().filter(|test| is_named(&test.id, name)).peekable();
        if called.peek().is_none() {
            return Err(RunnerError {
                code: ErrorCode::NotFound,
                message: format!("--for {name}: no test of that name ran"),
                help: "name a test as the list of failing tests has it, or a file or class of them"
                    .to_owned(),
            });
        }
        if !called.any(|test| is_failed(&test.observation)) {
            return Err(RunnerError {
                code: ErrorCode::NoFailures,
                message: format!("--for {name}: it does not fail, so it points to no fault"),
                help: "name a test that fails".to_owned(),
            });
        }
    }
    let n_before = covered.tests.len();
    covered
        .tests
        .retain(|test| !is_failed(&test.observation) || names.iter().any(|name| is_named(&test.id, name)));
    let n_left_out = n_before - covered.tests.len();
    if n_left_out > 0 {
        let tests = if n_left_out == 1 { "test counts" } else { "tests count" };
        covered.notes.push(format!("{n_left_out} other failing {tests} for nothing here (--for)"));
    }
    Ok(())
}

/// Whether a test is the one of that name, a case of it, or a test of the class or file of that name.
fn is_named(id: &str, name: &str) -> bool {
    id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '(', ':', '#', '$']))
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_name_stands_for_its_cases_and_for_what_is_in_it() {
        let id = "tests/test_cart.py::TestCart::test_sum[3]";
        let names = ["tests/test_cart.py", "tests/test_cart.py::TestCart::test_sum", id];
        assert!(names.iter().all(|name| is_named(id, name)));
        assert!(
            is_named("shop.CartTest#sums", "shop.CartTest")
                && is_named("shop.CartTest$Inner#sums", "shop.CartTest")
        );
    }

    #[test]
    fn a_name_is_no_mere_beginning() {
        assert!(
            !is_named("shop.CartTest#sums", "shop.CartTest#sum")
                && !is_named("tests/test_cart.py::test_sum", "tests/test_c")
        );
    }
}
