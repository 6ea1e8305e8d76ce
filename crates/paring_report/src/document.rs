//! The versioned JSON document: one object per target. Its schema is `docs/schema/result-1.json`.
//!
//! Every field is always there: `null` or `[]` where there is nothing to say, so that a program never has to ask whether
//! a key exists. A new field is not a new version; a field that goes or changes its meaning is.

use crate::words::failing_line;
use paring_model::Failure;
use paring_tasks::{
    Certainty, Good, Kept, Membership, Outcome, OutcomeError, Pared, Reason, RunsBy, Size, Verified,
};
use serde_json::{Value, json};
use std::time::Duration;

/// The name and version every object carries.
pub const SCHEMA: &str = "paring.result/1";

/// A list with one object per outcome, in their order.
pub fn document(outcomes: &[Outcome]) -> Value {
    Value::Array(outcomes.iter().map(object).collect())
}

/// The document as it is written to a file: indented, with a newline at the end.
pub fn text(outcomes: &[Outcome]) -> String {
    format!("{:#}\n", document(outcomes))
}

fn object(outcome: &Outcome) -> Value {
    let pared = outcome.pared.as_ref();
    json!({
        "schema": SCHEMA,
        "target": outcome.target,
        "status": outcome.status.word(),
        "failure": outcome.failure.as_ref().map(|failure| failure_object(failure, failing_line(outcome))),
        "statements": pared.map(|pared| size(pared.statements)),
        "fixtures": pared.map(|pared| size(pared.fixtures)),
        "tokens": pared.map(|pared| size(pared.tokens)),
        "trace": pared.map(|pared| size(pared.trace)),
        "level": none_if_empty(&outcome.level),
        "strategy": none_if_empty(&outcome.strategy),
        "runs": outcome.runs.total(),
        "runs_by": runs_by(outcome.runs),
        "seconds": seconds(outcome.elapsed),
        "verified": pared.map(|pared| verified(pared.verified)),
        "good": outcome.good.as_ref().map(good),
        "file": pared.map(|pared| json!({ "path": pared.short_path, "text": pared.text, "target": pared.target })),
        "test": pared.map(|pared| &pared.test),
        "after": outcome.after,
        "kept": list(pared, |pared| pared.kept.iter().map(kept_for_sure).collect()),
        "removed": list(pared, |pared| {
            pared.removed.iter().map(|removed| json!({ "line": removed.line, "text": removed.text })).collect()
        }),
        "suspects": list(pared, |pared| {
            let suspects = pared.suspects.iter();
            suspects.map(|it| json!({ "line": it.line, "text": it.text, "reason": it.reason })).collect()
        }),
        "doubts": list(pared, |pared| {
            pared.doubts.iter().map(|doubt| json!({ "line": doubt.line, "reason": doubt.reason })).collect()
        }),
        "group": outcome.group.as_ref().map(group),
        "assertion": outcome.assertion.as_ref().map(|it| json!({ "line": it.line, "text": it.text })),
        "notes": outcome.notes,
        "error": outcome.error.as_ref().map(error),
    })
}

fn failure_object(failure: &Failure, line: Option<u32>) -> Value {
    let exception = failure.exception();
    json!({ "type": exception.type_name, "message": exception.message, "line": line })
}

fn size(size: Size) -> Value {
    json!({ "before": size.before, "after": size.after })
}

fn runs_by(runs: RunsBy) -> Value {
    json!({ "baseline": runs.baseline, "search": runs.search, "good": runs.good, "final": runs.final_ })
}

/// Rounded to milliseconds: more digits would only be noise.
fn seconds(elapsed: Duration) -> Value {
    json!((elapsed.as_secs_f64() * 1000.0).round() / 1000.0)
}

fn verified(verified: Verified) -> Value {
    json!({
        "same_failure": verified.same_failure,
        "fresh_process": verified.fresh_process,
        "passes_on_good": verified.passes_on_good,
    })
}

fn good(good: &Good) -> Value {
    let version = good.version.as_ref();
    let tried = good.tried.iter();
    json!({
        "version": version.map(|version| &version.name),
        "commit": version.and_then(|version| version.commit.as_ref()),
        "commits_ago": version.and_then(|version| version.n_ago),
        "tried": tried.map(|(version, why)| json!({ "version": version.name, "commit": version.commit, "why": why })).collect::<Vec<_>>(),
        "seconds": seconds(good.took),
    })
}

fn kept_for_sure(it: &Kept) -> Value {
    let mut object = kept(it);
    object["certainty"] = json!(it.certainty.map(Certainty::word));
    object
}

pub fn kept(kept: &Kept) -> Value {
    let reasons: Vec<Value> = kept.reasons.iter().map(reason).collect();
    json!({ "line": kept.line, "text": kept.text, "reasons": reasons })
}

fn reason(reason: &Reason) -> Value {
    json!({
        "kind": reason.kind.word(),
        "line": reason.line,
        "text": reason.text,
        "checked": reason.checked,
    })
}

fn group(group: &Membership) -> Value {
    json!({
        "number": group.number,
        "representative": group.representative,
        "size": group.n_members,
    })
}

fn error(error: &OutcomeError) -> Value {
    json!({ "code": error.code.word(), "message": error.message, "help": error.help })
}

fn list(pared: Option<&Pared>, items: impl Fn(&Pared) -> Vec<Value>) -> Vec<Value> {
    pared.map(items).unwrap_or_default()
}

fn none_if_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use paring_model::VersionName;
    use paring_tasks::Status;

    fn validator() -> jsonschema::Validator {
        let schema = include_str!("../../../docs/schema/result-1.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        jsonschema::meta::validate(&schema).expect("the schema is a schema");
        jsonschema::draft202012::new(&schema).unwrap()
    }

    #[test]
    fn every_status_gives_a_document_of_the_schema() {
        let outcomes: Vec<Outcome> = sample::every_status()
            .into_iter()
            .chain([sample::interrupted_with_result(), sample::purified()])
            .collect();
        let document = document(&outcomes);
        let errors: Vec<String> =
            validator().iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(document.as_array().unwrap().len(), outcomes.len());
    }

    #[test]
    fn the_schema_refuses_what_is_not_a_result() {
        let validator = validator();
        let good = document(&[sample::minimized()]);
        for (key, value) in [
            ("status", json!("shrunk")),
            ("schema", json!("paring.result/2")),
            ("runs", json!("23")),
            ("file", json!(null)),
            ("extra", json!(1)),
            ("failure", json!({ "type": "E", "message": "m" })),
        ] {
            let mut broken = good.clone();
            broken[0][key] = value;
            assert!(!validator.is_valid(&broken), "{key}");
        }
        for key in good[0].as_object().unwrap().keys() {
            let mut broken = good.clone();
            broken[0].as_object_mut().unwrap().remove(key);
            assert!(!validator.is_valid(&broken), "{key} may be missing");
        }
    }

    #[test]
    fn a_minimized_test_tells_all_there_is() {
        insta::assert_snapshot!(text(&[sample::minimized()]));
    }

    #[test]
    fn a_passing_test_has_every_field_too() {
        insta::assert_snapshot!(text(&[sample::with_status(Status::Passing)]));
    }

    #[test]
    fn a_purified_test_names_its_assertion() {
        let document = document(&[sample::purified()]);
        assert_eq!(document[0]["assertion"], json!({ "line": 16, "text": "assert table.rows == []" }));
    }

    #[test]
    fn a_version_that_was_found_is_named() {
        let version = VersionName {
            name: "1.4.0-12-gabc1234".to_owned(),
            commit: Some("abc1234".to_owned()),
            n_ago: Some(12),
            way: "8 commits back".to_owned(),
        };
        let tried = vec![(version.clone(), "fails there too".to_owned())];
        let good = Some(Good { version: Some(version), tried, took: Duration::from_millis(700) });
        let outcome = Outcome { good, ..sample::minimized() };
        assert_eq!(
            crate::words::good(&outcome).unwrap(),
            "the pared test passes at 1.4.0-12-gabc1234, 12 commits ago"
        );
        let document = document(&[outcome]);
        assert!(validator().is_valid(&document));
        assert_eq!(document[0]["good"]["commits_ago"], json!(12));
        assert_eq!(document[0]["good"]["tried"][0]["why"], json!("fails there too"));
    }

    #[test]
    fn seconds_are_rounded_to_milliseconds() {
        let mut outcome = sample::minimized();
        outcome.elapsed = Duration::from_micros(1_234_567);
        assert_eq!(document(&[outcome])[0]["seconds"], json!(1.235));
    }
}
