//! What of a work tree is a test, and what is code under test: tests are always the present ones, code is of the version.

use camino::{Utf8Path, Utf8PathBuf};

/// Names of folders that hold tests and what they need.
const TEST_FOLDERS: [&str; 8] =
    ["tests", "test", "testing", "unittests", "unit_tests", "testsuite", "specs", "t"];
/// Where pytest looks for its configuration: that is part of the tests.
const CONFIGURATION: [&str; 7] =
    ["pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];
/// No code reads these, or next to none.
const PROSE: [&str; 2] = ["md", "rst"];
const ASIDE: [&str; 5] = ["docs", "doc", ".github", ".gitignore", ".gitattributes"];

/// How the files of a work tree are told apart, for one test file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parts {
    /// The folder of the tests, where it has the name of one, and the test file. Relative to the top.
    Python { tests: Option<Utf8PathBuf>, file: Utf8PathBuf },
    /// Folders with code under test of a Maven project, relative to the top. All else is as it is at present.
    Maven { code: Vec<Utf8PathBuf> },
}

impl Parts {
    /// For a test file of Python's, where the user stands in `prefix`.
    pub fn python(file: &Utf8Path, prefix: &Utf8Path) -> Self {
        // The project itself may lie in a folder called tests.
        let (above, inside) = match file.strip_prefix(prefix) {
            Ok(inside) => (prefix, inside),
            Err(_) => (Utf8Path::new(""), file),
        };
        let folders: Vec<&Utf8Path> = inside.ancestors().skip(1).collect();
        let named = |folder: &&&Utf8Path| folder.file_name().is_some_and(|name| TEST_FOLDERS.contains(&name));
        let tests = folders.iter().rev().find(named).map(|folder| above.join(folder));
        Self::Python { tests, file: file.to_owned() }
    }

    /// Whether a file is part of the tests: then the present one counts, whatever the version.
    pub fn is_test(&self, path: &Utf8Path) -> bool {
        let name = path.file_name().unwrap_or_default();
        match self {
            Self::Maven { code } => !code.iter().any(|folder| path.starts_with(folder)),
            Self::Python { tests, file } => {
                path == file
                    || tests.as_ref().is_some_and(|folder| path.starts_with(folder))
                    || is_test_name(name)
                    || path.components().any(|part| part.as_str() == "tests")
            }
        }
    }

    /// Whether it says how tests are run.
    pub fn is_configuration(&self, path: &Utf8Path) -> bool {
        match self {
            Self::Maven { .. } => false,
            Self::Python { .. } => path.file_name().is_some_and(|name| CONFIGURATION.contains(&name)),
        }
    }

    /// Whether the files that are no code are laid out with a version. In a Maven project the present ones are used where they are.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Python { .. })
    }

    /// Whether a change of a file may change what the code under test does.
    pub fn is_code(&self, path: &Utf8Path) -> bool {
        if !self.is_whole() {
            return !self.is_test(path);
        }
        let is_aside = path.components().next().is_some_and(|first| ASIDE.contains(&first.as_str()));
        let is_prose = path.extension().is_some_and(|extension| PROSE.contains(&extension));
        !is_aside && !is_prose && !self.is_test(path) && !self.is_configuration(path)
    }
}

fn is_test_name(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".py") else { return false };
    stem == "conftest" || stem.starts_with("test_") || stem.ends_with("_test")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, prefix: &str, tests: &[&str], code: &[&str]) {
        let parts = Parts::python(file.into(), prefix.into());
        for &path in tests {
            assert!(parts.is_test(path.into()) && !parts.is_code(path.into()), "{path}");
        }
        for &path in code {
            assert!(parts.is_code(path.into()), "{path}");
        }
    }

    #[test]
    fn what_is_in_the_folder_of_the_tests_is_a_test() {
        let tests = ["tests/unit/test_a.py", "tests/helpers/shop.py", "tests/data/rows.csv", "conftest.py"];
        check("tests/unit/test_a.py", "", &tests, &["shop.py", "src/shop/cart.py", "data/rows.csv"]);
    }

    #[test]
    fn code_beside_a_test_is_code() {
        check(
            "shop/test_a.py",
            "",
            &["shop/test_a.py", "shop/b_test.py"],
            &["shop/cart.py", "shop/testing.py"],
        );
        // Some libraries are about testing.
        check("tests/test_a.py", "", &["pkg/tests/data.json"], &["pkg/testing/run.py", "pkg/test/client.py"]);
    }

    #[test]
    fn a_project_in_a_folder_called_test_has_code() {
        let code = ["test/project/cart.py"];
        check("test/project/checks/test_a.py", "test/project", &["test/project/checks/test_a.py"], &code);
    }

    #[test]
    fn configuration_and_prose_are_no_code() {
        let parts = Parts::python("tests/test_a.py".into(), "".into());
        for path in ["pyproject.toml", "README.md", "docs/conf.py", "sub/setup.cfg"] {
            assert!(!parts.is_code(path.into()), "{path}");
        }
    }

    #[test]
    fn in_maven_code_is_what_the_modules_at_hand_are_compiled_from() {
        let parts = Parts::Maven { code: vec!["core/src/main".into()] };
        assert!(parts.is_code("core/src/main/java/A.java".into()));
        assert!(parts.is_code("core/src/main/resources/a.md".into()));
        for path in ["core/src/test/java/ATest.java", "core/pom.xml", "other/src/main/java/B.java"] {
            assert!(!parts.is_code(path.into()), "{path}");
        }
    }
}
