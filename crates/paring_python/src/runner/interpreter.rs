//! Which Python the project uses: what the user says, else what is active, else what lies in the project, else what
//! the path offers.

use super::error;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;

/// Finds the interpreter. `lookup` reads the environment.
pub fn find_python(
    explicit: Option<&str>,
    cwd: &Utf8Path,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Utf8PathBuf, RunnerError> {
    if let Some(named) = explicit {
        return find_named(named, cwd, lookup)
            .ok_or_else(|| error::no_interpreter(format!("there is no interpreter {named}")));
    }
    let active =
        ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(lookup).filter(|folder| !folder.is_empty());
    let local = cwd.ancestors().flat_map(|folder| [folder.join(".venv"), folder.join("venv")]);
    active
        .map(Utf8PathBuf::from)
        .chain(local)
        .find_map(|environment| in_environment(&environment))
        .or_else(|| ["python3", "python"].into_iter().find_map(|name| on_path(name, lookup)))
        .ok_or_else(|| error::no_interpreter("no Python was found".to_owned()))
}

/// A path, or a name to look up, as the shell would.
fn find_named(named: &str, cwd: &Utf8Path, lookup: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
    if !named.contains(['/', '\\']) {
        return on_path(named, lookup);
    }
    let path = cwd.join(named);
    if path.is_dir() { in_environment(&path) } else { path.is_file().then_some(path) }
}

fn in_environment(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    ["bin/python", "bin/python3", "Scripts/python.exe", "python.exe"]
        .into_iter()
        .map(|place| folder.join(place))
        .find(|python| python.is_file())
}

fn on_path(name: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
    let path = lookup("PATH")?;
    std::env::split_paths(&path)
        .filter_map(|folder| Utf8PathBuf::from_path_buf(folder).ok())
        .flat_map(|folder| [folder.join(name), folder.join(format!("{name}.exe"))])
        .find(|python| python.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Lays out files and asks for the interpreter with an environment of `name=folder` pairs.
    fn check(files: &[&str], env: &[(&str, &str)], explicit: Option<&str>, expected: Option<&str>) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        for file in files {
            fs::create_dir_all(root.join(file).parent().expect("a parent")).expect("folders");
            fs::write(root.join(file), "").expect("a file");
        }
        let cwd = root.join("project/sub");
        fs::create_dir_all(&cwd).expect("the working directory");
        let lookup = |name: &str| {
            env.iter().find(|(key, _)| *key == name).map(|(_, value)| root.join(value).into_string())
        };
        let found = find_python(explicit, &cwd, &lookup);
        assert_eq!(found.ok(), expected.map(|place| root.join(place)));
    }

    #[test]
    fn the_active_environment_comes_before_the_projects_own() {
        let files = ["active/bin/python", "project/.venv/bin/python"];
        check(&files, &[("VIRTUAL_ENV", "active")], None, Some("active/bin/python"));
        check(&files, &[("CONDA_PREFIX", "active")], None, Some("active/bin/python"));
        check(&files, &[], None, Some("project/.venv/bin/python"));
    }

    #[test]
    fn the_path_is_the_last_resort() {
        check(&["tools/python3"], &[("PATH", "tools")], None, Some("tools/python3"));
        check(&[], &[("PATH", "tools")], None, None);
    }

    #[test]
    fn a_named_interpreter_is_a_path_an_environment_or_a_command() {
        check(&["project/sub/env/bin/python"], &[], Some("./env"), Some("project/sub/./env/bin/python"));
        check(&["tools/pypy"], &[("PATH", "tools")], Some("pypy"), Some("tools/pypy"));
        check(&["tools/python3"], &[("PATH", "tools")], Some("./none"), None);
    }
}
