//! One failing test of a collection: a line of `CASES.jsonl`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A failing test, how to run it, and where there is one, a version of the program on which it passes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Case {
    pub id: String,
    /// As its framework names it, relative to `cwd`.
    pub target: String,
    /// The project's folder.
    pub cwd: String,
    /// The interpreter of a Python project.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub python: String,
    /// What only a case of a Java project has.
    #[serde(flatten)]
    pub java: Option<JavaCase>,
    /// Added to the environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The same project with the fault fixed; `cwd` where only the environment differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good_cwd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good_env: Option<BTreeMap<String, String>>,
    /// What it belongs to, for means that do not let one large project speak for all.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "artifact")]
    pub package: Option<String>,
    /// What the collection says about the failure: `did-not-raise` or anything finer than `category`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `assertion` or `exception`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Statements of the test's body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<u64>,
}

/// A test on a class path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JavaCase {
    /// Test classes, code under test, the console launcher of the `JUnit` platform, and all they need.
    pub classpath: String,
    /// The folder in which the packages of the test sources start.
    pub test_sources: String,
    /// The same class path with the fault fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good_classpath: Option<String>,
    #[serde(default)]
    pub jvm_args: Vec<String>,
    /// The release of Java the tests are written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// Types of the parameters of a parametrised method, as a method selector takes them.
    #[serde(default)]
    pub parameters: String,
    /// The class that the method is written in, where it is inherited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declaring_class: Option<String>,
}

/// The version of the program a run is made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Faulty,
    Good,
}

impl Case {
    /// Whether there is a version to pass on.
    pub fn has_good(&self) -> bool {
        let has_class_path = self.java.as_ref().is_some_and(|java| java.good_classpath.is_some());
        self.good_cwd.is_some() || self.good_env.is_some() || has_class_path
    }

    pub fn cwd(&self, side: Side) -> &str {
        match side {
            Side::Faulty => &self.cwd,
            Side::Good => self.good_cwd.as_deref().unwrap_or(&self.cwd),
        }
    }

    pub fn env(&self, side: Side) -> &BTreeMap<String, String> {
        match side {
            Side::Faulty => &self.env,
            Side::Good => self.good_env.as_ref().unwrap_or(&self.env),
        }
    }

    /// What the case belongs to. An id such as `click-8.1.0-8.2.0::tests/…` tells it where no field does.
    pub fn package(&self) -> &str {
        if let Some(package) = &self.package {
            return package;
        }
        let name = self.id.split("::").next().unwrap_or(&self.id);
        let version = name
            .match_indices('-')
            .find(|(at, _)| name[at + 1..].starts_with(|first: char| first.is_ascii_digit()));
        version.map_or(name, |(at, _)| &name[..at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_package(id: &str, expected: &str) {
        let case = Case { id: id.to_owned(), ..Case::default() };
        assert_eq!(case.package(), expected);
    }

    #[test]
    fn the_package_is_the_id_up_to_its_versions() {
        check_package("arrow-1.3.0-1.4.0::tests/test_arrow.py::test_now", "arrow");
        check_package("more-itertools-10.1.0-11.0::tests/test_x.py::test_y", "more-itertools");
        check_package("mine", "mine");
        check_package("h2-4.1.0-4.2.0::test.py::t[3-1]", "h2");
    }

    #[test]
    fn without_a_folder_of_its_own_the_good_version_is_another_environment() {
        let good_env = BTreeMap::from([("PYTHONPATH".to_owned(), "fixed".to_owned())]);
        let case = Case { cwd: "here".to_owned(), good_env: Some(good_env.clone()), ..Case::default() };
        assert!(case.has_good());
        assert_eq!(case.cwd(Side::Good), "here");
        assert_eq!(case.env(Side::Good), &good_env);
        assert!(case.env(Side::Faulty).is_empty());
    }
}
