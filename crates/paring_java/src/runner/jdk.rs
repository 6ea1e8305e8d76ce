//! Which JDK the project uses: what the user says, else `JAVA_HOME`, else the `java` of the path.

use super::error;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;

/// The oldest the worker runs on.
const OLDEST: u32 = 17;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    pub home: Utf8PathBuf,
    pub java: Utf8PathBuf,
    /// `17` of `17.0.15`, `8` of `1.8.0_402`.
    pub feature: u32,
    /// The version as the JDK tells it.
    pub version: String,
}

/// Finds the JDK. `lookup` reads the environment.
pub fn find_java(
    java_home: Option<&str>,
    cwd: &Utf8Path,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Jdk, RunnerError> {
    if let Some(named) = java_home {
        return in_home(&cwd.join(named))?
            .ok_or_else(|| error::no_jdk(format!("there is no bin/java in {named}")));
    }
    if let Some(home) = lookup("JAVA_HOME").filter(|home| !home.is_empty()) {
        return in_home(Utf8Path::new(&home))?
            .ok_or_else(|| error::no_jdk(format!("JAVA_HOME is {home}, and there is no bin/java in it")));
    }
    let home = on_path(lookup).ok_or_else(|| error::no_jdk("no Java was found".to_owned()))?;
    in_home(&home)?.ok_or_else(|| error::no_jdk("no Java was found".to_owned()))
}

/// None where the folder holds no Java at all.
fn in_home(home: &Utf8Path) -> Result<Option<Jdk>, RunnerError> {
    let names = ["bin/java", "bin/java.exe"].map(|name| home.join(name));
    let Some(java) = names.into_iter().find(|java| java.is_file()) else { return Ok(None) };
    let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
    let told = field(&release, "JAVA_VERSION");
    let version = told.map_or_else(|| asked(&java), ToOwned::to_owned);
    if version.is_empty() {
        return Err(error::mute_java(&java));
    }
    let feature = feature(&version);
    if feature < OLDEST {
        return Err(error::old_jdk(home, &version, OLDEST));
    }
    let has_compiler = field(&release, "MODULES").map_or_else(
        || home.join("bin/javac").is_file(),
        |modules| modules.split(' ').any(|m| m == "jdk.compiler"),
    );
    if !has_compiler {
        return Err(error::jre_only(home));
    }
    Ok(Some(Jdk { home: home.to_owned(), java, feature, version }))
}

/// A value of the `release` file, which has one `NAME="value"` a line.
fn field<'a>(release: &'a str, name: &str) -> Option<&'a str> {
    let line = release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
    Some(line.trim().trim_matches('"'))
}

/// What `java -version` says; empty where it says nothing.
fn asked(java: &Utf8Path) -> String {
    let output = std::process::Command::new(java).arg("-version").output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).unwrap_or_default();
    said.split('"').nth(1).unwrap_or_default().to_owned()
}

fn feature(version: &str) -> u32 {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// The home of the first `java` on the path, links followed.
fn on_path(lookup: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
    let path = lookup("PATH")?;
    let found = std::env::split_paths(&path)
        .filter_map(|folder| Utf8PathBuf::from_path_buf(folder).ok())
        .flat_map(|folder| [folder.join("java"), folder.join("java.exe")])
        .find(|java| java.is_file())?;
    let real = found.canonicalize_utf8().unwrap_or(found);
    Some(real.parent()?.parent()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::ErrorCode;
    use std::fs;

    const JDK: &str = "JAVA_VERSION=\"17.0.2\"\nMODULES=\"java.base jdk.compiler\"\n";

    /// Lays out homes by name and `release` file, and asks with an environment of `name=folder` pairs.
    fn check(
        homes: &[(&str, &str)],
        env: &[(&str, &str)],
        explicit: Option<&str>,
        expected: Result<&str, ErrorCode>,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8").canonicalize_utf8().expect("a folder");
        for (home, release) in homes {
            fs::create_dir_all(root.join(home).join("bin")).expect("folders");
            fs::write(root.join(home).join("bin/java"), "").expect("a file");
            fs::write(root.join(home).join("release"), release).expect("a file");
        }
        let lookup = |name: &str| {
            env.iter().find(|(key, _)| *key == name).map(|(_, value)| root.join(value).into_string())
        };
        let found = find_java(explicit, &root, &lookup);
        match expected {
            Ok(home) => assert_eq!(found.expect("a JDK").home, root.join(home)),
            Err(code) => assert_eq!(found.expect_err("no JDK").code, code),
        }
    }

    #[test]
    fn what_the_user_says_comes_before_java_home_and_that_before_the_path() {
        let homes = [("a", JDK), ("b", JDK), ("c", JDK)];
        check(&homes, &[("JAVA_HOME", "b"), ("PATH", "c/bin")], Some("a"), Ok("a"));
        check(&homes, &[("JAVA_HOME", "b"), ("PATH", "c/bin")], None, Ok("b"));
        check(&homes, &[("PATH", "c/bin")], None, Ok("c"));
    }

    #[test]
    fn no_java_a_runtime_only_and_an_old_one_are_told_apart() {
        check(&[], &[("PATH", "c/bin")], None, Err(ErrorCode::NoJdk));
        check(&[], &[("JAVA_HOME", "b")], None, Err(ErrorCode::NoJdk));
        check(
            &[("b", "JAVA_VERSION=\"21\"\nMODULES=\"java.base\"\n")],
            &[("JAVA_HOME", "b")],
            None,
            Err(ErrorCode::JreOnly),
        );
        check(&[("b", "")], &[("JAVA_HOME", "b")], None, Err(ErrorCode::NoJdk));
        check(&[("b", "JAVA_VERSION=\"1.8.0_402\"\n")], &[("JAVA_HOME", "b")], None, Err(ErrorCode::OldJdk));
    }
}
