//! One run of `paring localize` on a copy of a project, and what it said.

use camino::Utf8PathBuf;
use paring_testkit::{Project, python};
use serde_json::Value;
use std::process::{Command, Stdio};

pub struct Trial {
    pub project: Project,
    /// Beside the project: what a run writes there does not change the project.
    outside: tempfile::TempDir,
    python: Utf8PathBuf,
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
    /// On a copy of `testdata/python/<scenario>`.
    pub fn on(scenario: &str) -> Self {
        Self::of(Project::copy(&format!("python/{scenario}")))
    }

    /// On a project of these files.
    pub fn with_files(files: &[(&str, &str)]) -> Self {
        let project = Project::empty();
        for (name, text) in files {
            project.write(name, text);
        }
        Self::of(project)
    }

    fn of(project: Project) -> Self {
        let outside = tempfile::tempdir().expect("a temporary folder can be made");
        Self { project, outside, python: python() }
    }

    #[must_use]
    pub fn python(mut self, python: impl Into<Utf8PathBuf>) -> Self {
        self.python = python.into();
        self
    }

    pub fn outside(&self, name: &str) -> Utf8PathBuf {
        let root = self.outside.path().canonicalize().expect("the folder is there");
        Utf8PathBuf::from_path_buf(root).expect("temporary folders have UTF-8 names").join(name)
    }

    /// Runs to the end; nothing in the project may change.
    pub fn localize(&self, args: &[&str]) -> Ran {
        let before = self.project.files();
        let ran = self.localize_in_place(args);
        assert_eq!(before, self.project.files(), "{args:?} changed the project\n{ran}");
        ran
    }

    /// Runs to the end.
    pub fn localize_in_place(&self, args: &[&str]) -> Ran {
        let json = self.outside("found.json");
        let mut command = Command::new(env!("CARGO_BIN_EXE_paring"));
        command.args(["localize", "--python", self.python.as_str()]);
        if !args.contains(&"--json") {
            command.args(["--json", json.as_str()]);
        }
        let output = command
            .args(args)
            .current_dir(self.project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.outside("home"))
            .env("PARING_CACHE_DIR", self.outside("cache"))
            .stdin(Stdio::null())
            .output()
            .expect("the binary starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it speaks UTF-8");
        let found = std::fs::read_to_string(&json).map_or(Value::Null, |text| document(&text));
        let code = output.status.code().unwrap_or(-1);
        Ran { code, stdout: text(output.stdout), stderr: text(output.stderr), found }
    }
}

impl Ran {
    /// The suspects as `file:line`, best first.
    #[track_caller]
    pub fn suspects(&self) -> Vec<String> {
        assert_eq!(self.code, 0, "{self}");
        let suspects = self.found["suspects"].as_array().expect("a list");
        let place =
            |suspect: &Value| format!("{}:{}", suspect["file"].as_str().unwrap_or(""), suspect["line"]);
        suspects.iter().map(place).collect()
    }

    /// How many tests ran a suspect, and how many did not.
    #[track_caller]
    pub fn counts(&self, place: &str) -> &Value {
        let idx = self.suspects().iter().position(|suspect| suspect == place);
        &self.found["suspects"][idx.unwrap_or_else(|| panic!("{place} is no suspect\n{self}"))]["counts"]
    }

    /// Each of these stands in what the user sees.
    #[track_caller]
    pub fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.stdout.contains(word), "nothing says {word:?}\n{self}");
        }
    }

    /// It ended with this code, and said this.
    #[track_caller]
    pub fn ends(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{self}");
        for word in words {
            assert!(self.stderr.contains(word), "nothing says {word:?}\n{self}");
        }
    }

    #[track_caller]
    pub fn notes(&self, words: &str) {
        let notes = self.found["notes"].as_array().expect("a list");
        assert!(
            notes.iter().any(|note| note.as_str().is_some_and(|note| note.contains(words))),
            "{words}\n{self}"
        );
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran { code, stdout, stderr, found } = self;
        write!(f, "exit {code}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n--- json\n{found:#}")
    }
}

/// A document, as the schema says.
pub fn document(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let schema = include_str!("../../../../docs/schema/localization-1.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let faults: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "not as the schema says: {faults:?}\n{text}");
    document
}
