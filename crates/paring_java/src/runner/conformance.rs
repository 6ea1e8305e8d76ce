//! The runner against real JVMs: those of `PARING_TEST_JAVA_HOMES`, or the one that is found; `JUnit` from
//! `PARING_TEST_JARS`, which `make .tools/jars/.complete` fetches.

mod bad;
mod calls;
mod facts;
mod files;
mod frameworks;
mod long;
mod mutants;
mod recorded;
mod resources;
mod sharing;
mod temp;
mod told;
mod writing;

use super::{JavaProject, Jdk, JunitRunner, Jvms, find_java};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Candidate, Failure, Form, Heat, Job, Observation, Runner, TargetSpec, Version};
use paring_testkit::observe_single;
use std::fs;
use std::process::Command;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Where the worker is compiled, once for all tests.
static CACHE: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

/// A cache with the compiled worker: what else is in it, the files of runs among it, no two tests share.
fn cache(jdk: &Jdk) -> tempfile::TempDir {
    let jar =
        super::install::install(Utf8Path::from_path(CACHE.path()).expect("UTF-8"), jdk).expect("a worker");
    let made = jar.parent().expect("a folder");
    let cache = tempfile::tempdir().expect("a folder");
    let folder = cache.path().join(made.file_name().expect("a name"));
    fs::create_dir(&folder).expect("a folder");
    for jar in ["worker.jar", "boot.jar"] {
        fs::copy(made.join(jar), folder.join(jar)).expect("a jar");
    }
    cache
}

fn jdks() -> Vec<Jdk> {
    let lookup = |name: &str| std::env::var(name).ok();
    let homes = std::env::var("PARING_TEST_JAVA_HOMES").unwrap_or_default();
    let homes: Vec<Utf8PathBuf> =
        std::env::split_paths(&homes).filter_map(|home| Utf8PathBuf::from_path_buf(home).ok()).collect();
    let find = |home: Option<&str>| {
        find_java(home, Utf8Path::new("/"), &lookup)
            .unwrap_or_else(|error| panic!("{error}: install a JDK, or name some by PARING_TEST_JAVA_HOMES"))
    };
    let named: Vec<Jdk> =
        homes.iter().filter(|home| !home.as_str().is_empty()).map(|home| find(Some(home.as_str()))).collect();
    if named.is_empty() { vec![find(None)] } else { named }
}

/// The jars of `junit3`, `junit4` or `junit5`.
fn jars(set: &str) -> Vec<Utf8PathBuf> {
    let root = std::env::var("PARING_TEST_JARS").unwrap_or_else(|_| "../../.tools/jars".to_owned());
    let folder = Utf8Path::new(&root).join(set);
    let missing = || -> ! { panic!("{folder} has no jars: run `make .tools/jars/.complete`") };
    let Ok(entries) = folder.read_dir_utf8() else { missing() };
    let folder = folder.canonicalize_utf8().expect("a folder");
    let mut jars: Vec<Utf8PathBuf> =
        entries.map(|entry| folder.join(entry.expect("an entry").file_name())).collect();
    jars.sort();
    if jars.is_empty() { missing() } else { jars }
}

/// A project: classes compiled from some sources, and `JUnit`.
struct Lab {
    folder: tempfile::TempDir,
    cache: tempfile::TempDir,
    jdk: Jdk,
    classpath: Vec<Utf8PathBuf>,
}

impl Lab {
    fn new(jdk: &Jdk, set: &str, sources: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8").to_owned();
        let classes = root.join("classes");
        fs::create_dir_all(&classes).expect("a folder");
        let mut classpath = vec![classes.clone()];
        classpath.extend(jars(set));
        if !sources.is_empty() {
            compile(jdk, &root.join("src"), &classes, &classpath, sources);
        }
        Self { folder, cache: cache(jdk), jdk: jdk.clone(), classpath }
    }

    fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).expect("UTF-8")
    }

    fn project(&self) -> JavaProject {
        JavaProject {
            cwd: self.root().to_owned(),
            jdk: self.jdk.clone(),
            classpath: self.classpath.clone(),
            extra_classpath: Vec::new(),
            good: None,
            test_source_roots: vec![self.root().join("src")],
            compiles_other_sources: false,
            jvm_args: Vec::new(),
            javac_args: Vec::new(),
            env: Vec::new(),
            jobs: 1,
            memory_limit: None,
            cache_dir: Utf8Path::from_path(self.cache.path()).expect("UTF-8").to_owned(),
        }
    }

    fn runner(&self) -> JunitRunner {
        self.start(self.project())
    }

    fn start(&self, project: JavaProject) -> JunitRunner {
        let file = self.root().join("src/shop/CartTest.java");
        let own = project.clone();
        let jvms = Arc::new(Jvms::start(project).expect("JVMs"));
        JunitRunner::new(jvms, &own, &file, Duration::from_secs(30))
    }
}

fn compile(
    jdk: &Jdk,
    src: &Utf8Path,
    classes: &Utf8Path,
    classpath: &[Utf8PathBuf],
    sources: &[(&str, &str)],
) {
    let path: Vec<&str> = classpath.iter().map(|entry| entry.as_str()).collect();
    let mut command = Command::new(jdk.home.join("bin/javac"));
    command.args(["-g", "-nowarn", "-d", classes.as_str(), "-cp", &path.join(":")]);
    for (name, text) in sources {
        let file = src.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("folders");
        fs::write(&file, text).expect("a file");
        command.arg(&file);
    }
    let output = command.output().expect("javac");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn candidate(text: &str, target: &str) -> Candidate {
    Candidate::single("CartTest.java".into(), text.to_owned(), target, Form::Blanked)
}

fn job(text: &str, target: &str, heat: Heat) -> Job {
    Job::new(candidate(text, target), heat, None)
}

fn see(runner: &JunitRunner, text: &str, target: &str, heat: Heat) -> Observation {
    observe_single(runner, &[job(text, target, heat)]).expect("an observation").remove(0)
}

fn failure(observation: Observation) -> Failure {
    match observation {
        Observation::Failed(failure) => failure,
        other => panic!("expected a failure, saw {other:?}"),
    }
}

/// The test file `shop/CartTest.java` with a body of `JUnit` 4 members, which begin on line 6.
fn junit4(members: &str) -> String {
    format!(
        "package shop;\nimport org.junit.*;\nimport static org.junit.Assert.*;\nimport java.util.*;\npublic class CartTest {{\n{members}\n}}\n"
    )
}

/// The same for `JUnit` 5.
fn junit5(members: &str) -> String {
    format!(
        "package shop;\nimport org.junit.jupiter.api.*;\nimport static org.junit.jupiter.api.Assertions.*;\nimport java.util.*;\npublic class CartTest {{\n{members}\n}}\n"
    )
}

/// The same for `JUnit` 3.
fn junit3(members: &str) -> String {
    format!(
        "package shop;\nimport junit.framework.*;\n\nimport java.util.*;\npublic class CartTest extends TestCase {{\n{members}\n}}\n"
    )
}

const TARGET: &str = "shop.CartTest#test";
