//! One run of `paring split` on a project, and what it said.

use camino::{Utf8Path, Utf8PathBuf};
use paring_testkit::{Project, python};
use serde_json::Value;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

/// One cache for all tests: the Java worker is compiled once.
static CACHE: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary folder can be made"));

pub struct Trial {
    pub project: Project,
    /// Beside the project: what a run writes there does not change the project.
    outside: tempfile::TempDir,
    /// `junit3`, `junit4` or `junit5`; none for Python.
    junit: Option<&'static str>,
    env: Vec<(&'static str, String)>,
}

/// A run that is over.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// What `--json` wrote; null where nothing was.
    pub found: Value,
}

impl Trial {
    /// On a Python project of these files.
    pub fn python(files: &[(&str, &str)]) -> Self {
        Self::of(None, files)
    }

    /// On a Java project: the test class of a file in `tests`, and sources in `lib`, which are compiled.
    pub fn java(junit: &'static str, files: &[(&str, &str)]) -> Self {
        let trial = Self::of(Some(junit), files);
        let mut sources = Vec::new();
        for (name, _) in files.iter().filter(|(name, _)| name.starts_with("lib/")) {
            sources.push(trial.project.root().join(name));
        }
        let output = Command::new("javac")
            .args(["-g", "-nowarn", "-d", trial.outside("lib").as_str()])
            .args(&sources)
            .output()
            .expect("javac starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        trial
    }

    fn of(junit: Option<&'static str>, files: &[(&str, &str)]) -> Self {
        let project = Project::empty();
        for (name, text) in files {
            project.write(name, text);
        }
        let outside = tempfile::tempdir().expect("a temporary folder can be made");
        Self { project, outside, junit, env: Vec::new() }
    }

    #[must_use]
    pub fn env(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.env.push((key, value.into()));
        self
    }

    pub fn outside(&self, name: &str) -> Utf8PathBuf {
        let root = self.outside.path().canonicalize().expect("the folder is there");
        Utf8PathBuf::from_path_buf(root).expect("temporary folders have UTF-8 names").join(name)
    }

    fn jars(&self) -> Vec<Utf8PathBuf> {
        let Some(set) = self.junit else { return Vec::new() };
        let root = std::env::var("PARING_TEST_JARS").unwrap_or_else(|_| "../../.tools/jars".to_owned());
        let folder = Utf8PathBuf::from(root).join(set);
        let missing = |_| panic!("{folder} has no jars: run `make .tools/jars/.complete`");
        let folder = folder.canonicalize_utf8().unwrap_or_else(missing);
        let entries = folder.read_dir_utf8().expect("a folder can be read").flatten();
        let mut jars: Vec<Utf8PathBuf> = entries.map(|entry| entry.path().to_owned()).collect();
        jars.sort();
        jars
    }

    /// How the project's tests are found and run.
    fn surroundings(&self) -> Vec<String> {
        if self.junit.is_none() {
            return vec!["--python".to_owned(), python().to_string()];
        }
        let all = [self.outside("lib")].into_iter().chain(self.jars()).map(Utf8PathBuf::into_string);
        let class_path = all.collect::<Vec<_>>().join(":");
        ["--classpath", &class_path, "--test-sources", "tests"].map(str::to_owned).into()
    }

    /// Runs to the end; nothing in the project may change.
    pub fn split(&self, args: &[&str]) -> Ran {
        let before = self.project.files();
        let ran = self.split_in_place(args);
        assert_eq!(before, self.project.files(), "{args:?} changed the project\n{ran}");
        ran
    }

    /// Runs to the end.
    pub fn split_in_place(&self, args: &[&str]) -> Ran {
        self.over(&self.start(args).wait_with_output().expect("it is ours"))
    }

    /// Starts a run.
    pub fn start(&self, args: &[&str]) -> Child {
        let cache = Utf8Path::from_path(CACHE.path()).expect("temporary folders have UTF-8 names");
        let cache = if self.junit.is_some() { cache.to_owned() } else { self.outside("cache") };
        Command::new(env!("CARGO_BIN_EXE_paring"))
            .arg("split")
            .args(self.surroundings())
            .args(["--json", self.outside("found.json").as_str()])
            .args(args)
            .current_dir(self.project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.outside("home"))
            .env("PARING_CACHE_DIR", cache)
            .envs(std::env::var_os("JAVA_HOME").map(|home| ("JAVA_HOME", home)))
            .envs(self.env.iter().map(|(key, value)| (*key, value.as_str())))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts")
    }

    pub fn over(&self, output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("it speaks UTF-8");
        let found = std::fs::read_to_string(self.outside("found.json"));
        let found = found.map_or(Value::Null, |text| document(&text));
        let code = output.status.code().unwrap_or(-1);
        Ran { code, stdout: text(&output.stdout), stderr: text(&output.stderr), found }
    }
}

impl Ran {
    /// The file as it was written.
    #[track_caller]
    pub fn text(&self) -> &str {
        assert_eq!(self.code, 0, "{self}");
        self.found[0]["file"]["text"].as_str().unwrap_or_else(|| panic!("no file\n{self}"))
    }

    /// The file is this one.
    #[track_caller]
    pub fn is(&self, text: &str) {
        assert!(self.text() == text, "wanted:\n{text}\ngot:\n{}\n{self}", self.text());
    }

    /// It ended with this code, and said this.
    #[track_caller]
    pub fn ends(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{self}");
        for word in words {
            let is_said = self.stdout.contains(word) || self.stderr.contains(word);
            assert!(is_said, "nothing says {word:?}\n{self}");
        }
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran { code, stdout, stderr, found } = self;
        write!(f, "exit {code}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n--- json\n{found:#}")
    }
}

/// A document, as the schema says.
fn document(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let schema = include_str!("../../../../docs/schema/split-1.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let faults: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "not as the schema says: {faults:?}\n{text}");
    document
}
