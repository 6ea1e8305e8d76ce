//! One run of `paring merge` on a project, and what it said.

use camino::Utf8PathBuf;
use paring_testkit::{Project, python};
use serde_json::Value;
use std::process::{Command, Stdio};

pub struct Trial {
    pub project: Project,
    /// Beside the project: what a run writes there does not change the project.
    outside: tempfile::TempDir,
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
    /// On a project of these files.
    pub fn with_files(files: &[(&str, &str)]) -> Self {
        let project = Project::empty();
        for (name, text) in files {
            project.write(name, text);
        }
        Self { project, outside: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    pub fn outside(&self, name: &str) -> Utf8PathBuf {
        let root = self.outside.path().canonicalize().expect("the folder is there");
        Utf8PathBuf::from_path_buf(root).expect("temporary folders have UTF-8 names").join(name)
    }

    /// Runs to the end; nothing in the project may change.
    pub fn merge(&self, args: &[&str]) -> Ran {
        let before = self.project.files();
        let ran = self.merge_in_place(args);
        assert_eq!(before, self.project.files(), "{args:?} changed the project\n{ran}");
        ran
    }

    /// With `--report`: nothing in the project may change.
    pub fn merge_report(&self, args: &[&str]) -> Ran {
        let before = self.project.files();
        let ran = self.run(args, &["--report"], include_str!("../../../../docs/schema/merge-report-1.json"));
        assert_eq!(before, self.project.files(), "{args:?} changed the project\n{ran}");
        ran
    }

    /// Runs to the end.
    pub fn merge_in_place(&self, args: &[&str]) -> Ran {
        self.run(args, &[], include_str!("../../../../docs/schema/merge-1.json"))
    }

    fn run(&self, args: &[&str], more: &[&str], schema: &str) -> Ran {
        let json = self.outside("found.json");
        let output = Command::new(env!("CARGO_BIN_EXE_paring"))
            .args(["merge", "--python", python().as_str(), "--json", json.as_str()])
            .args(args)
            .args(more)
            .current_dir(self.project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.outside("home"))
            .env("PARING_CACHE_DIR", self.outside("cache"))
            .stdin(Stdio::null())
            .output()
            .expect("the binary starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it speaks UTF-8");
        let found = std::fs::read_to_string(&json).map_or(Value::Null, |text| document(&text, schema));
        let code = output.status.code().unwrap_or(-1);
        Ran { code, stdout: text(output.stdout), stderr: text(output.stderr), found }
    }
}

impl Ran {
    /// The file as it was written.
    #[track_caller]
    pub fn text(&self) -> &str {
        assert_eq!(self.code, 0, "{self}");
        self.found[0]["file"]["text"].as_str().unwrap_or_else(|| panic!("no file\n{self}"))
    }

    /// The tests that do the work of an old one.
    #[track_caller]
    pub fn now(&self, old: &str) -> Vec<&str> {
        let ids =
            self.found[0]["map"][old].as_array().unwrap_or_else(|| panic!("{old} has no entry\n{self}"));
        ids.iter().filter_map(Value::as_str).collect()
    }

    /// It ended with this code, and said this.
    #[track_caller]
    pub fn ends(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{self}");
        for word in words {
            assert!(
                self.stdout.contains(word) || self.stderr.contains(word),
                "nothing says {word:?}\n{self}"
            );
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
fn document(text: &str, schema: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let faults: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "not as the schema says: {faults:?}\n{text}");
    document
}
