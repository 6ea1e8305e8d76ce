//! The parts of `JUnit` that Surefire brings along and a project need not name: the platform's launcher, and Jupiter's engine.

use super::{Layout, Module, Request, call};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{ErrorCode, RunnerError};

/// What the module's class path lacks to run its tests on the `JUnit` platform; nothing where it does not use that.
pub fn missing(
    layout: &Layout,
    module: &Module,
    request: &Request<'_>,
) -> Result<Vec<Utf8PathBuf>, RunnerError> {
    let class_path = &module.dependencies;
    let wanted = wanted(class_path);
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(found) = beside(class_path, &wanted) {
        return Ok(found);
    }
    let fetched = fetch(layout, &wanted, request)?;
    let have = |jar: &Utf8PathBuf| {
        let name = jar.file_name().unwrap_or_default();
        let artifact = artifact(name).0;
        class_path.iter().any(|path| path.file_name().is_some_and(|name| self::artifact(name).0 == artifact))
    };
    Ok(fetched.into_iter().filter(|jar| !have(jar)).collect())
}

/// Group, artifact and version of what is missing.
fn wanted(class_path: &[Utf8PathBuf]) -> Vec<(&'static str, &'static str, String)> {
    let version = |wanted: &str| {
        class_path.iter().filter_map(|path| path.file_name()).find_map(|name| {
            let (artifact, version) = artifact(name);
            (artifact == wanted).then(|| version.to_owned())
        })
    };
    if version("junit-platform-launcher").is_some() || version("junit-platform-console-standalone").is_some()
    {
        return Vec::new();
    }
    let mut wanted = Vec::new();
    let platform = version("junit-platform-engine").or_else(|| version("junit-platform-commons"));
    if let Some(jupiter) = version("junit-jupiter-api").filter(|_| version("junit-jupiter-engine").is_none())
    {
        wanted.push(("org.junit.jupiter", "junit-jupiter-engine", jupiter));
    }
    if let Some(platform) = platform {
        wanted.push(("org.junit.platform", "junit-platform-launcher", platform));
    }
    wanted
}

/// `junit-jupiter-api-5.10.2.jar` is version 5.10.2 of `junit-jupiter-api`.
fn artifact(name: &str) -> (&str, &str) {
    let stem = name.strip_suffix(".jar").unwrap_or(name);
    let is_version = |at: &usize| stem[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let at = stem.match_indices('-').map(|(at, _)| at).find(is_version);
    at.map_or((stem, ""), |at| (&stem[..at], &stem[at + 1..]))
}

/// From the local repository that the class path itself lies in: Surefire may have fetched them before.
fn beside(class_path: &[Utf8PathBuf], wanted: &[(&str, &str, String)]) -> Option<Vec<Utf8PathBuf>> {
    let platform = class_path.iter().find(|path| path.as_str().contains("/org/junit/platform/"))?;
    let (repository, _) = platform.as_str().split_once("/org/junit/platform/")?;
    let jars = wanted.iter().map(|(group, artifact, version)| {
        let folder = Utf8Path::new(repository).join(group.replace('.', "/")).join(artifact).join(version);
        Some(folder.join(format!("{artifact}-{version}.jar"))).filter(|jar| jar.is_file())
    });
    let mut found: Vec<Utf8PathBuf> = jars.collect::<Option<_>>()?;
    // An engine that came with nothing else needs the platform's.
    let has = |name: &str| class_path.iter().chain(&found).any(|path| path.as_str().contains(name));
    if !has("/junit-platform-engine-") {
        let version = &wanted.last()?.2;
        let name = format!("junit-platform-engine-{version}.jar");
        let jar = Utf8Path::new(repository)
            .join("org/junit/platform/junit-platform-engine")
            .join(version)
            .join(name);
        found.push(Some(jar).filter(|jar| jar.is_file())?);
    }
    Some(found)
}

/// Asks Maven for them, with all they need.
fn fetch(
    layout: &Layout,
    wanted: &[(&str, &str, String)],
    request: &Request<'_>,
) -> Result<Vec<Utf8PathBuf>, RunnerError> {
    let trouble = |message: String| RunnerError {
        code: ErrorCode::Maven,
        message,
        help: "make room for temporary files".to_owned(),
    };
    let folder = tempfile::tempdir().map_err(|error| trouble(error.to_string()))?;
    let folder = Utf8Path::from_path(folder.path())
        .ok_or_else(|| trouble("the temporary folder is not UTF-8".to_owned()))?;
    let dependency = |(group, artifact, version): &(&str, &str, String)| {
        format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>\
             </dependency>"
        )
    };
    let dependencies = wanted.iter().map(dependency).collect::<Vec<_>>().concat();
    let pom = folder.join("pom.xml");
    let text = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>paring</groupId><artifactId>launcher</artifactId>\
         <version>1</version><packaging>pom</packaging><dependencies>{dependencies}</dependencies></project>"
    );
    std::fs::write(&pom, text).map_err(|error| trouble(error.to_string()))?;
    call::class_path(layout, &pom, request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(class_path: &[&str], expected: &[(&str, &str)]) {
        let class_path: Vec<Utf8PathBuf> = class_path.iter().map(Utf8PathBuf::from).collect();
        let wanted = wanted(&class_path);
        let found: Vec<(&str, &str)> =
            wanted.iter().map(|(_, name, version)| (*name, version.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_surefire_would_add_is_wanted_in_the_versions_of_the_project() {
        check(&["/r/junit-4.13.2.jar"], &[]);
        let engine = [
            "/r/junit-jupiter-api-5.10.2.jar",
            "/r/junit-jupiter-engine-5.10.2.jar",
            "/r/junit-platform-engine-1.10.2.jar",
        ];
        check(&engine, &[("junit-platform-launcher", "1.10.2")]);
        let api = ["/r/junit-jupiter-api-5.10.2.jar", "/r/junit-platform-commons-1.10.2.jar"];
        check(&api, &[("junit-jupiter-engine", "5.10.2"), ("junit-platform-launcher", "1.10.2")]);
        check(&["/r/junit-platform-engine-1.9.jar", "/r/junit-platform-launcher-1.9.jar"], &[]);
    }
}
