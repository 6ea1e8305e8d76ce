//! What a worker's answer means as an [`Observation`].

use super::message::{Item, Ran};
use paring_model::{BrokenKind, Failure, Observation};

/// The observation of a run of one target.
pub fn observe(ran: Ran) -> Observation {
    match ran.ended.as_str() {
        "done" => of_items(ran),
        "hung" => Observation::Hung { stack: ran.stack, below: ran.below },
        how => Observation::Died { how: how.to_owned() },
    }
}

fn of_items(ran: Ran) -> Observation {
    if let Some(broken) = ran.broken {
        return Observation::Broken {
            message: broken.message,
            line: broken.line,
            kind: BrokenKind::NotRunnable,
        };
    }
    if ran.items.is_empty() {
        let is_missing = ran.missing || ran.message.is_none();
        let kind = if is_missing { BrokenKind::NoTest } else { BrokenKind::NotRunnable };
        let message = ran.message.unwrap_or_else(|| "JUnit finds no such test".to_owned());
        return Observation::Broken { message, line: None, kind };
    }
    let mut skipped = None;
    let mut n_passed = 0;
    for item in ran.items {
        match of_item(item) {
            Observation::Skipped { reason } => skipped = skipped.or(Some(reason)),
            Observation::Passed => n_passed += 1,
            other => return other,
        }
    }
    match skipped {
        Some(reason) if n_passed == 0 => Observation::Skipped { reason },
        Some(_) | None => Observation::Passed,
    }
}

/// The observation of one test.
pub fn of_item(item: Item) -> Observation {
    if let Some(report) = item.failure {
        let failure: Failure = report.into();
        return match refusal(&item.id, &failure) {
            Some(message) => Observation::Broken { message, line: None, kind: BrokenKind::NotRunnable },
            None => Observation::Failed(failure),
        };
    }
    match item.skipped {
        Some(reason) if !item.passed => Observation::Skipped { reason },
        None if !item.passed => Observation::Broken {
            message: "the test did not run to its end".to_owned(),
            line: None,
            kind: BrokenKind::NotRunnable,
        },
        Some(_) | None => Observation::Passed,
    }
}

/// `JUnit` tells what it cannot run at all as a failure too: there the class is at fault, and no code has run.
fn refusal(id: &str, failure: &Failure) -> Option<String> {
    let exception = failure.exception();
    let is_unrunnable = id.ends_with("#initializationError") || id.contains("initializationError(");
    let is_own = exception.type_name.starts_with("org.junit.")
        || (exception.type_name == "java.lang.Exception" && failure.below.is_empty())
        || exception.message.starts_with("No tests found matching");
    let is_discovery = exception.type_name.starts_with("org.junit.platform.")
        || exception.type_name == "junit.framework.AssertionFailedError"
            && exception.message.starts_with("No tests found");
    ((is_unrunnable && failure.stack.is_empty() && is_own) || (is_discovery && failure.stack.is_empty()))
        .then(|| exception.message.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::Position;

    fn check(answer: &str, expected: &Observation) {
        let ran: Ran = serde_json::from_str(answer).expect("an answer");
        assert_eq!(&observe(ran), expected);
    }

    #[test]
    fn a_run_without_items_says_why() {
        check(
            r#"{"ended": "done", "items": [], "message": "there is no class a.B", "missing": true}"#,
            &Observation::Broken {
                message: "there is no class a.B".into(),
                line: None,
                kind: BrokenKind::NoTest,
            },
        );
        check(
            r#"{"ended": "done", "items": []}"#,
            &Observation::Broken {
                message: "JUnit finds no such test".into(),
                line: None,
                kind: BrokenKind::NoTest,
            },
        );
        check(
            r#"{"ended": "done", "message": "the test cannot be run: x"}"#,
            &Observation::Broken {
                message: "the test cannot be run: x".into(),
                line: None,
                kind: BrokenKind::NotRunnable,
            },
        );
        check(
            r#"{"ended": "done", "broken": {"message": "line 3: ';' expected", "line": 3}}"#,
            &Observation::Broken {
                message: "line 3: ';' expected".into(),
                line: Some(3),
                kind: BrokenKind::NotRunnable,
            },
        );
    }

    #[test]
    fn one_passing_case_among_skipped_ones_is_a_pass() {
        let skipped = r#"{"id": "A#a[1]", "skipped": "later"}"#;
        let passed = r#"{"id": "A#a[2]", "passed": true}"#;
        check(
            &format!(r#"{{"ended": "done", "items": [{skipped}]}}"#),
            &Observation::Skipped { reason: "later".into() },
        );
        check(&format!(r#"{{"ended": "done", "items": [{skipped}, {passed}]}}"#), &Observation::Passed);
    }

    #[test]
    fn a_class_that_junit_cannot_run_is_broken() {
        let failure = r#"{"phase": "call", "kind": "exception", "stack": [], "below": [],
            "exceptions": [{"type": "java.lang.Exception", "message": "No runnable methods"}]}"#;
        check(
            &format!(
                r#"{{"ended": "done", "items": [{{"id": "A#initializationError", "failure": {failure}}}]}}"#
            ),
            &Observation::Broken {
                message: "No runnable methods".into(),
                line: None,
                kind: BrokenKind::NotRunnable,
            },
        );
    }

    #[test]
    fn a_hang_tells_its_lines_and_a_death_its_way() {
        check(
            r#"{"ended": "hung", "stack": [{"line": 3, "column": null}]}"#,
            &Observation::Hung { stack: vec![Position { line: 3, column: None }], below: Vec::new() },
        );
        check(r#"{"ended": "exit 3"}"#, &Observation::Died { how: "exit 3".into() });
    }
}
