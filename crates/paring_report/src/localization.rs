//! The versioned JSON document of `paring localize`. Its schema is `docs/schema/localization-1.json`.
//!
//! Every field is always there, as in `document.rs`. JSON has no infinite numbers: an infinite score is `null`, and `infinite`
//! says so.

use crate::localized::Shown;
use crate::moment::Moment;
use paring_tasks::localize::{FailingTest, FaultRank, SpectrumOf, Suspect};
use serde_json::{Value, json};

/// The name and version of the document.
pub const SCHEMA: &str = "paring.localization/1";

pub fn localization(shown: Shown<'_>) -> Value {
    let found = shown.localization;
    let suspects: Vec<Value> = shown.suspects().iter().map(|suspect| object(shown, suspect)).collect();
    json!({
        "schema": SCHEMA,
        "formula": found.plan.formula.word(),
        "combine": found.plan.combine.word(),
        "by": found.plan.by.word(),
        "tie_rule": found.plan.combine.tie_rule(),
        "seconds": {
            "suite": shown.spent.suite.as_secs_f64(),
            "paring": shown.spent.paring.as_secs_f64(),
            "recording": shown.spent.recording.as_secs_f64(),
        },
        "tests": { "passed": found.n_passed, "failed": found.n_failed, "skipped": found.n_skipped },
        "runs": {
            "run": found.n_tests - found.n_kept,
            "kept": found.n_kept,
            "kept_from": found.kept_from.map(|at| Moment::of(at).rfc3339()),
        },
        "statements": found.n_lines,
        "ranked": found.n_ranked,
        "n_suspects": found.suspects.len(),
        "failing": found.failing.iter().map(failing).collect::<Vec<Value>>(),
        "suspects": suspects,
        "fault": shown.faults.iter().map(fault).collect::<Vec<Value>>(),
        "notes": found.notes,
    })
}

fn fault(fault: &FaultRank) -> Value {
    json!({
        "formula": fault.formula.word(),
        "combine": fault.way.word(),
        "rank": fault.rank,
        "exam": fault.exam,
    })
}

fn failing(test: &FailingTest) -> Value {
    let pared = test.pared.iter().map(|pared| {
        json!({
            "test": pared.text,
            "statements": { "before": pared.statements.before, "after": pared.statements.after },
            "covers": pared.n_lines,
            "without_effect": pared.without_effect,
        })
    });
    json!({
        "id": test.id,
        "failure": test.failure,
        "spectrum": match test.spectrum {
            SpectrumOf::Pared => "pared",
            SpectrumOf::Original => "original",
            SpectrumOf::Nobody => "unknown",
        },
        "pared": pared.collect::<Vec<Value>>(),
    })
}

fn object(shown: Shown<'_>, suspect: &Suspect) -> Value {
    let counts = suspect.counts;
    json!({
        "rank": suspect.rank,
        "ties": suspect.n_ties,
        "score": suspect.score.is_finite().then_some(suspect.score),
        "infinite": suspect.score.is_infinite(),
        "file": shown.path(suspect),
        "line": suspect.first_line,
        "end_line": suspect.last_line,
        "function": suspect.function,
        "text": shown.text(suspect, suspect.first_line).unwrap_or_default().trim(),
        "counts": { "ef": counts.ef, "nf": counts.nf, "ep": counts.ep, "np": counts.np },
        "tests": suspect.tests.iter().map(|&test| shown.localization.failing[test].id.clone()).collect::<Vec<String>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::localized::sample;
    use paring_tasks::localize::Spent;

    fn validator() -> jsonschema::Validator {
        let schema = include_str!("../../../docs/schema/localization-1.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        jsonschema::meta::validate(&schema).expect("the schema is a schema");
        jsonschema::draft202012::new(&schema).unwrap()
    }

    #[test]
    fn a_localization_gives_a_document_of_the_schema() {
        let (found, files, paths) = sample();
        let document = localization(Shown {
            localization: &found,
            files: &files,
            paths: &paths,
            top: 10,
            faults: &[],
            spent: Spent::default(),
        });
        let errors: Vec<String> = validator().iter_errors(&document).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(document["suspects"][0]["score"], Value::Null, "JSON has no infinite numbers");
        assert_eq!(document["suspects"][0]["infinite"], true);
        assert_eq!(document["runs"], json!({ "run": 2, "kept": 1, "kept_from": "2026-11-18T11:06:40Z" }));
        assert_eq!(document["suspects"][1]["text"], "return total + cut");
    }

    #[test]
    fn every_field_is_asked_for() {
        let (found, files, paths) = sample();
        let good = localization(Shown {
            localization: &found,
            files: &files,
            paths: &paths,
            top: 10,
            faults: &[],
            spent: Spent::default(),
        });
        for key in good.as_object().unwrap().keys() {
            let mut broken = good.clone();
            broken.as_object_mut().unwrap().remove(key);
            assert!(!validator().is_valid(&broken), "{key} may be missing");
        }
    }

    #[test]
    fn only_the_first_are_shown_and_all_are_counted() {
        let (found, files, paths) = sample();
        let document = localization(Shown {
            localization: &found,
            files: &files,
            paths: &paths,
            top: 1,
            faults: &[],
            spent: Spent::default(),
        });
        assert_eq!(
            (document["suspects"].as_array().map(Vec::len), &document["n_suspects"]),
            (Some(1), &json!(2))
        );
    }
}
