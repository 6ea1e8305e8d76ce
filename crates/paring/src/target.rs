//! From what the user typed to the test it names: a node id and the file it is collected from.

use camino::{Utf8Path, Utf8PathBuf};
use paring_model::TargetSpec;
use paring_tasks::OutcomeError;

/// One test to pare, found on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub spec: TargetSpec,
    /// The test file, absolute.
    pub file: Utf8PathBuf,
    /// Tests that ran before it in the suite where it failed, in order.
    pub before: Vec<String>,
    /// The report that says it has failed.
    pub reported_in: Option<Utf8PathBuf>,
    /// Things to tell the user with the result.
    pub notes: Vec<String>,
}

/// Finds the file of a pytest node id or of a unittest id, relative to `cwd`.
pub fn find(given: &str, after: &[String], cwd: &Utf8Path) -> Result<Target, OutcomeError> {
    if !given.contains("::") && cwd.join(given).exists() {
        return Err(not_single(given));
    }
    let id = if given.contains("::") { Some(given.to_owned()) } else { from_dotted(given, cwd) };
    let Some(id) = id else { return Err(not_found(given)) };
    let (path, _) = id.split_once("::").unwrap_or((&id, ""));
    let file = cwd.join(path);
    let Ok(file) = file.canonicalize_utf8() else { return Err(not_found(given)) };
    if !file.is_file() {
        return Err(not_found(given));
    }
    let before = |given: &String| {
        if given.contains("::") || cwd.join(given).exists() {
            return given.clone();
        }
        from_dotted(given, cwd).unwrap_or_else(|| given.clone())
    };
    let spec = TargetSpec { id, after: after.iter().map(before).collect() };
    Ok(Target { spec, file, before: Vec::new(), reported_in: None, notes: Vec::new() })
}

/// `tests.test_a.TestB.test_c` names `tests/test_a.py::TestB::test_c` if there is such a file.
fn from_dotted(given: &str, cwd: &Utf8Path) -> Option<String> {
    let parts: Vec<&str> = given.split('.').collect();
    (1..parts.len()).rev().find_map(|n_path| {
        let path = format!("{}.py", parts[..n_path].join("/"));
        cwd.join(&path).is_file().then(|| format!("{path}::{}", parts[n_path..].join("::")))
    })
}

fn not_found(given: &str) -> OutcomeError {
    OutcomeError {
        code: "not_found".to_owned(),
        message: format!("there is no test {given} here"),
        help: "name a test as pytest does, from the folder you would run pytest in: tests/test_a.py::TestB::test_c"
            .to_owned(),
    }
}

fn not_single(given: &str) -> OutcomeError {
    OutcomeError {
        code: "not_found".to_owned(),
        message: format!("{given} is no single test"),
        help: format!(
            "name a test in it ({given}::test_x), or pare every failing one with --failing {given}"
        ),
    }
}

/// Whether the id may stand for several cases: of one test function, or all tests of a class.
pub fn may_be_parametrised(id: &str, source: &str) -> bool {
    let name = id.rsplit("::").next().unwrap_or(id);
    let is_class = ["(", ":"].iter().any(|after| source.contains(&format!("class {name}{after}")));
    let makes_cases = ["parametrize", "params=", "pytest_generate_tests", "param("];
    is_class || (!id.ends_with(']') && makes_cases.iter().any(|word| source.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let cwd = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
        std::fs::create_dir(cwd.join("tests")).unwrap();
        std::fs::write(cwd.join("tests/test_a.py"), "").unwrap();
        (folder, cwd)
    }

    #[test]
    fn a_unittest_id_becomes_a_node_id() {
        let (_folder, cwd) = project();
        let target = find("tests.test_a.TestB.test_c", &[], &cwd).unwrap();
        assert_eq!(target.spec.id, "tests/test_a.py::TestB::test_c");
        assert_eq!(target.file, cwd.join("tests/test_a.py"));
    }

    #[test]
    fn a_whole_file_or_folder_is_no_single_test() {
        let (_folder, cwd) = project();
        for given in ["tests/test_a.py", "tests"] {
            let error = find(given, &[], &cwd).unwrap_err();
            assert!(error.help.contains(&format!("--failing {given}")), "{error:?}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_not_found() {
        let (_folder, cwd) = project();
        assert_eq!(find("tests/test_b.py::test_c", &[], &cwd).unwrap_err().code, "not_found");
        assert_eq!(find("nothing.at.all", &[], &cwd).unwrap_err().code, "not_found");
    }
}
