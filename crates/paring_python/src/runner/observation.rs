//! What a worker's answer means as an [`Observation`].

use super::message::{CollectionFailure, Item, Ran};
use paring_model::{BrokenKind, Failure, Frame, Observation, Position};

/// The observations of a run of some targets, in their order. `file` is the test file, as the worker was told it.
pub fn observe(mut ran: Ran, n_targets: usize, file: &str) -> Vec<Observation> {
    if let Some(stray) = ran.strays.first() {
        let message = format!("the present code ran, not that of the version: {stray} was in use");
        return vec![Observation::Broken { message, line: None, kind: BrokenKind::NotRunnable }; n_targets];
    }
    let end = match ran.ended.as_str() {
        "done" => None,
        "hung" => Some(hung(&ran.stack, file)),
        how => Some(Observation::Died { how: how.to_owned() }),
    };
    let mut items: Vec<Vec<Item>> = (0..n_targets).map(|_| Vec::new()).collect();
    for item in std::mem::take(&mut ran.items) {
        if let Some(items) = items.get_mut(item.of) {
            items.push(item);
        }
    }
    items.into_iter().enumerate().map(|(of, items)| of_target(&ran, end.as_ref(), of, items)).collect()
}

fn of_target(ran: &Ran, end: Option<&Observation>, of: usize, items: Vec<Item>) -> Observation {
    let ends_in = ran.current.as_ref().and_then(|current| current.of);
    match (end, ends_in) {
        (None, _) if items.is_empty() => without_items(ran),
        (Some(_), Some(last)) if last != of && items.is_empty() => Observation::Broken {
            message: "the process ended before the test began".to_owned(),
            line: None,
            kind: BrokenKind::NotRunnable,
        },
        // It ended in this test, or in what all of them need.
        (Some(end), last) if last.is_none_or(|last| last == of) => end.clone(),
        (None | Some(_), _) => of_items(items),
    }
}

/// The observation of one target: of its cases, the first that fails.
fn of_items(items: Vec<Item>) -> Observation {
    let mut skipped = None;
    let mut n_passed = 0;
    for item in items {
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
    if let Some(failure) = item.failure {
        return Observation::Failed(failure.into());
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

/// Nothing was run: the collection says why.
fn without_items(ran: &Ran) -> Observation {
    if let Some(collection) = &ran.collection {
        return of_collection(collection.clone());
    }
    if let Some(reason) = &ran.skipped {
        return Observation::Skipped { reason: reason.clone() };
    }
    let message = ran.message.clone().unwrap_or_else(|| "no such test is collected".to_owned());
    let kind = if ran.missing { BrokenKind::NoTest } else { BrokenKind::NotRunnable };
    Observation::Broken { message, line: None, kind }
}

/// A text that does not compile is broken; one that compiles and raises has failed.
pub fn of_collection(collection: CollectionFailure) -> Observation {
    let failure: Failure = collection.failure.into();
    match collection.broken {
        Some(line) => {
            let message = failure.exceptions.first().map_or_else(String::new, |error| error.message.clone());
            Observation::Broken { message, line: (line > 0).then_some(line), kind: BrokenKind::NotRunnable }
        }
        None => Observation::Failed(failure),
    }
}

fn hung(stack: &[(String, u32, String)], file: &str) -> Observation {
    let is_own = |(path, ..): &(String, u32, String)| path == file;
    let position = |(_, line, _): &(String, u32, String)| Position { line: *line, column: None };
    let behind = stack.iter().rposition(is_own).map_or(stack.len(), |last| last + 1);
    Observation::Hung {
        stack: stack.iter().filter(|frame| is_own(frame)).map(position).collect(),
        below: stack[behind..].iter().map(|(path, _, function)| frame(path, function)).collect(),
    }
}

fn frame(path: &str, function: &str) -> Frame {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    Frame { file: file.to_owned(), function: function.to_owned(), line: 0, runtime: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &str, expected: &Observation) {
        let ran: Ran = serde_json::from_str(answer).expect("an answer");
        assert_eq!(observe(ran, 1, "/p/test_a.py"), std::slice::from_ref(expected));
    }

    #[test]
    fn a_run_without_items_says_why() {
        check(
            r#"{"ended": "done", "items": [], "message": "nowhere: x", "missing": true}"#,
            &Observation::Broken { message: "nowhere: x".into(), line: None, kind: BrokenKind::NoTest },
        );
        check(
            r#"{"ended": "done", "items": [], "message": "not found: a plugin's own words"}"#,
            &Observation::Broken {
                message: "not found: a plugin's own words".into(),
                line: None,
                kind: BrokenKind::NotRunnable,
            },
        );
        check(
            r#"{"ended": "done", "skipped": "no numpy"}"#,
            &Observation::Skipped { reason: "no numpy".into() },
        );
        let collection = |broken: &str| {
            format!(
                r#"{{"ended": "done", "collection": {{"phase": "collection", "kind": "exception", "nodeid": "test_a.py", "path": "/p/test_a.py",
                "exceptions": [{{"type": "SyntaxError", "message": "bad"}}], "stack": [], "below": [], "broken": {broken}}}}}"#
            )
        };
        check(
            &collection("7"),
            &Observation::Broken { message: "bad".into(), line: Some(7), kind: BrokenKind::NotRunnable },
        );
        let ran: Ran = serde_json::from_str(&collection("null")).expect("an answer");
        assert!(matches!(observe(ran, 1, "/p/test_a.py")[..], [Observation::Failed(_)]));
    }

    #[test]
    fn one_passing_case_among_skipped_ones_is_a_pass() {
        let skipped = r#"{"nodeid": "a", "path": "/p", "skipped": "later"}"#;
        let passed = r#"{"nodeid": "b", "path": "/p", "passed": true}"#;
        check(
            &format!(r#"{{"ended": "done", "items": [{skipped}]}}"#),
            &Observation::Skipped { reason: "later".into() },
        );
        check(&format!(r#"{{"ended": "done", "items": [{skipped}, {passed}]}}"#), &Observation::Passed);
    }

    #[test]
    fn a_hang_tells_its_lines_in_the_test_file() {
        check(
            r#"{"ended": "hung", "stack": [["/p/test_a.py", 3, "a"], ["/lib/queue.py", 9, "get"], ["/p/test_a.py", 5, "b"], ["/lib/c.py", 7, "d"]]}"#,
            &Observation::Hung {
                stack: vec![Position { line: 3, column: None }, Position { line: 5, column: None }],
                below: vec![frame("/lib/c.py", "d")],
            },
        );
        check(r#"{"ended": "signal 11"}"#, &Observation::Died { how: "signal 11".into() });
    }
    #[test]
    fn each_target_is_told_its_own_end() {
        let passed = |of: usize| format!(r#"{{"nodeid": "a", "path": "/p", "passed": true, "of": {of}}}"#);
        let answer = format!(
            r#"{{"ended": "signal 11", "items": [{}, {}], "current": {{"nodeid": "b", "path": "/p", "of": 1}}}}"#,
            passed(0),
            passed(1)
        );
        let seen = observe(serde_json::from_str(&answer).expect("an answer"), 3, "/p/test_a.py");
        let died = Observation::Died { how: "signal 11".into() };
        let message = "the process ended before the test began".to_owned();
        assert_eq!(
            seen,
            [
                Observation::Passed,
                died.clone(),
                Observation::Broken { message, line: None, kind: BrokenKind::NotRunnable }
            ]
        );
        let answer = r#"{"ended": "signal 11", "current": {"nodeid": "earlier", "path": "/p"}}"#;
        let seen = observe(serde_json::from_str(answer).expect("an answer"), 2, "/p/test_a.py");
        assert_eq!(seen, [died.clone(), died]);
    }
}
