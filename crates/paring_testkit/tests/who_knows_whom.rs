//! The direction of the dependencies between the crates, as ARCHITECTURE.md has it, held by `cargo metadata`.

use paring_testkit::project::workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Each crate with the crates of this workspace it may depend on.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("paring_model", &[]),
    ("paring_graph", &["paring_model"]),
    ("paring_spectrum", &[]),
    ("paring_worker", &["paring_model"]),
    ("paring_engine", &["paring_model", "paring_graph"]),
    ("paring_tasks", &["paring_model", "paring_graph", "paring_engine", "paring_spectrum"]),
    ("paring_python", &["paring_model", "paring_worker"]),
    ("paring_java", &["paring_model", "paring_worker"]),
    ("paring_tree", &["paring_model", "paring_worker"]),
    ("paring_report", &["paring_model", "paring_engine", "paring_spectrum", "paring_tasks"]),
    ("paring_testkit", &["paring_model"]),
    (
        "paring",
        &[
            "paring_model",
            "paring_graph",
            "paring_spectrum",
            "paring_worker",
            "paring_engine",
            "paring_tasks",
            "paring_python",
            "paring_java",
            "paring_tree",
            "paring_report",
        ],
    ),
];

/// Crates that do no IO, and so have no use for these.
const PURE: &[&str] = &["paring_model", "paring_graph", "paring_spectrum", "paring_engine", "paring_tasks"];
const IO_CRATES: &[&str] = &["libc", "tempfile", "ctrlc", "anyhow"];

fn list(value: &serde_json::Value) -> &[serde_json::Value] {
    value.as_array().expect("metadata has lists of packages and dependencies")
}

/// The dependencies of each crate of the workspace, without those of tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(workspace())
        .output()
        .expect("cargo runs this very test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let word = |value: &serde_json::Value| value.as_str().expect("names are strings").to_owned();
    let packages = list(&metadata["packages"]).iter();
    packages
        .map(|package| {
            let all = list(&package["dependencies"]).iter();
            let normal = all.filter(|dependency| dependency["kind"] != "dev");
            (word(&package["name"]), normal.map(|dependency| word(&dependency["name"])).collect())
        })
        .collect()
}

#[test]
fn every_crate_knows_only_what_it_may() {
    let may_know: BTreeMap<&str, &[&str]> = MAY_KNOW.iter().copied().collect();
    for (name, known) in dependencies() {
        let Some(allowed) = may_know.get(name.as_str()) else { panic!("{name} has no line in MAY_KNOW") };
        for other in known.iter().filter(|other| may_know.contains_key(other.as_str())) {
            assert!(allowed.contains(&other.as_str()), "{name} must not know {other}");
        }
    }
}

#[test]
fn crates_that_do_no_io_have_no_crates_for_it() {
    let dependencies = dependencies();
    for name in PURE {
        for io_crate in IO_CRATES {
            assert!(
                !dependencies[*name].contains(*io_crate),
                "{name} does no IO and must not know {io_crate}"
            );
        }
    }
}
