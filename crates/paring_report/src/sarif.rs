//! Suspicious places as SARIF 2.1.0, which editors and code hosts open beside the code.

use crate::localized::{Shown, runs, score};
use crate::words::count;
use paring_tasks::localize::Suspect;
use serde_json::{Value, json};

const RULE: &str = "suspicious";

/// The log with one run, a result for each suspect that is shown.
pub fn sarif(shown: Shown<'_>, version: &str) -> Value {
    let results: Vec<Value> = shown.suspects().iter().map(|suspect| result(shown, suspect)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "paring",
                "version": version,
                "rules": [{
                    "id": RULE,
                    "name": "SuspiciousCode",
                    "shortDescription": { "text": "Failing tests run this, and passing ones hardly do" },
                    "fullDescription": { "text": format!(
                        "Spectrum-based fault localisation: code is scored by how many failing and passing tests run it. By rank, {}.",
                        shown.localization.plan.combine.tie_rule()
                    ) },
                    "defaultConfiguration": { "level": "warning" },
                }],
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(shown: Shown<'_>, suspect: &Suspect) -> Value {
    let found = shown.localization;
    let first = suspect.tests.first().map(|&test| found.failing[test].id.as_str());
    let tests = match (first, suspect.tests.len()) {
        (None, _) => String::new(),
        (Some(id), 1) => format!(" Failing test: {id}."),
        (Some(id), n) => format!(" Failing tests: {id} and {}.", count(n - 1, "other")),
    };
    let message = format!(
        "Rank {} of {}, {} score {}: {}.{tests}",
        suspect.rank,
        found.n_ranked,
        found.plan.formula.word(),
        score(suspect.score),
        runs(suspect)
    );
    let logical =
        suspect.function.as_ref().map(|name| json!([{ "fullyQualifiedName": name, "kind": "function" }]));
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(shown.path(suspect)) },
            "region": { "startLine": suspect.first_line, "endLine": suspect.last_line },
        },
    });
    if let Some(logical) = logical {
        location["logicalLocations"] = logical;
    }
    json!({
        "ruleId": RULE,
        "ruleIndex": 0,
        "level": "warning",
        "message": { "text": message },
        "locations": [location],
        // Its own scale: 100 is what to look at first.
        "rank": priority(suspect.rank, found.n_ranked),
        "properties": { "rank": suspect.rank, "score": suspect.score.is_finite().then_some(suspect.score) },
    })
}

/// From 100 for the first down to 0 for the last.
fn priority(rank: f64, n_ranked: usize) -> f64 {
    let n_others = f64::from(u32::try_from(n_ranked).unwrap_or(u32::MAX)) - 1.0;
    if n_others < 1.0 { 100.0 } else { (100.0 * (1.0 - (rank - 1.0) / n_others)).clamp(0.0, 100.0) }
}

/// A path as a reference of a URI: relative where the path is.
fn uri(path: &str) -> String {
    let absolute = if path.starts_with('/') { "file://" } else { "" };
    let encoded = path.bytes().map(|byte| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        b'\\' => "/".to_owned(),
        other => format!("%{other:02X}"),
    });
    format!("{absolute}{}", encoded.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::localized::sample;
    use paring_tasks::localize::Spent;

    #[test]
    fn a_suspect_is_a_result_with_a_place_and_a_priority() {
        let (found, files, paths) = sample();
        let log = sarif(
            Shown {
                localization: &found,
                files: &files,
                paths: &paths,
                top: 2,
                faults: &[],
                spent: Spent::default(),
            },
            "1.2.3",
        );
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["version"], "1.2.3");
        let result = &run["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20shop.py");
        assert_eq!(place["region"]["startLine"], 2);
        assert_eq!(result["rank"], 100.0);
        assert_eq!(
            result["message"]["text"],
            "Rank 1 of 4, dstar score infinite: run by 1 of 1 failing and 0 of 2 passing tests. Failing test: \
             tests/test_a.py::test_a."
        );
    }

    #[test]
    fn priorities_go_from_a_hundred_to_nothing() {
        let found: Vec<f64> = [1.0, 2.0, 5.0].map(|rank| priority(rank, 5)).to_vec();
        assert_eq!(found, [100.0, 75.0, 0.0]);
        assert!((priority(1.0, 1) - 100.0).abs() < 1e-12);
    }
}
