//! One run of the binary on a copy of a scenario, and what it said.

use camino::{Utf8Path, Utf8PathBuf};
use paring_testkit::{Project, python};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A project with a cache, a home and a temporary folder of its own.
pub struct Trial {
    pub project: Project,
    /// Beside the project: what a run writes there does not change the project.
    outside: tempfile::TempDir,
    /// Given with `--python`.
    python: Option<Utf8PathBuf>,
    env: Vec<(String, String)>,
}

/// A run that is over.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// What `--json` wrote.
    pub results: Vec<Value>,
}

impl Trial {
    /// On a copy of `testdata/python/<scenario>`.
    pub fn on(scenario: &str) -> Self {
        Self::of(Project::copy(&format!("python/{scenario}")))
    }

    /// On a project with one test file, for what no scenario is about.
    pub fn with_file(name: &str, text: &str) -> Self {
        let project = Project::empty();
        project.write(name, text);
        Self::of(project)
    }

    fn of(project: Project) -> Self {
        let outside = tempfile::tempdir().expect("a temporary folder can be made");
        for folder in ["home", "tmp"] {
            std::fs::create_dir(outside.path().join(folder)).expect("the folder is ours");
        }
        Self { project, outside, python: Some(python()), env: Vec::new() }
    }

    #[must_use]
    pub fn python(mut self, python: impl Into<Utf8PathBuf>) -> Self {
        self.python = Some(python.into());
        self
    }

    /// Leaves it to paring to find the interpreter.
    #[must_use]
    pub fn without_python(mut self) -> Self {
        self.python = None;
        self
    }

    #[must_use]
    pub fn env(mut self, key: &str, value: impl Into<String>) -> Self {
        self.env.push((key.to_owned(), value.into()));
        self
    }

    /// A path that is not in the project.
    pub fn outside(&self, name: &str) -> Utf8PathBuf {
        let root = self.outside.path().canonicalize().expect("the folder is there");
        Utf8PathBuf::from_path_buf(root).expect("temporary folders have UTF-8 names").join(name)
    }

    /// Runs to the end; nothing in the project may change.
    pub fn minimize(&self, args: &[&str]) -> Ran {
        let before = everything(self.project.root());
        let ran = self.minimize_in_place(args);
        let changed = changes(&before, &everything(self.project.root()));
        assert!(changed.is_empty(), "{args:?} changed {changed:?}\n{ran}");
        ran
    }

    /// Runs to the end.
    pub fn minimize_in_place(&self, args: &[&str]) -> Ran {
        let output = self.command("minimize", args).output().expect("the binary starts");
        self.over(&output)
    }

    /// Runs `paring purify` to the end.
    pub fn purify(&self, args: &[&str]) -> Ran {
        let output = self.command("purify", args).output().expect("the binary starts");
        self.over(&output)
    }

    /// Runs `paring compare` to the end.
    pub fn compare(&self, args: &[&str]) -> Ran {
        let output = self.command("compare", args).output().expect("the binary starts");
        self.over(&output)
    }

    /// Runs `paring doctor` to the end.
    pub fn doctor(&self) -> Ran {
        let output = self.command("doctor", &[]).output().expect("the binary starts");
        self.over(&output)
    }

    /// Starts a run that a signal is to end.
    pub fn start(&self, args: &[&str]) -> Child {
        self.command("minimize", args).spawn().expect("the binary starts")
    }

    /// What came of a run, with everything checked that holds after any.
    pub fn over(&self, output: &Output) -> Ran {
        let ran = Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout.clone()).expect("the output is UTF-8"),
            stderr: String::from_utf8(output.stderr.clone()).expect("the messages are UTF-8"),
            results: self.results(),
        };
        self.nothing_is_left(&ran);
        ran
    }

    fn command(&self, name: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_paring"));
        command.arg(name).args(self.python.iter().flat_map(|python| ["--python", python.as_str()]));
        let (own, to_pytest) = args.split_at(args.iter().position(|&arg| arg == "--").unwrap_or(args.len()));
        command.args(own);
        if !own.contains(&"--json") && name != "doctor" {
            command.args(["--json", self.outside("result.json").as_str()]);
        }
        command
            .args(to_pytest)
            .current_dir(self.project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.outside("home"))
            .env("TMPDIR", self.outside("tmp"))
            .env("PARING_CACHE_DIR", self.outside("cache"))
            .envs(self.env.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn results(&self) -> Vec<Value> {
        let Ok(text) = std::fs::read_to_string(self.outside("result.json")) else { return Vec::new() };
        results(&text)
    }

    /// No process has this trial's environment any more, and no run's folder is there.
    pub fn nothing_is_left(&self, ran: &Ran) {
        let home = format!("HOME={}", self.outside("home"));
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let left = processes_with(&home);
            if left.is_empty() {
                break;
            }
            assert!(Instant::now() < deadline, "still running: {left:?}\n{ran}");
            std::thread::yield_now();
        }
        let left = everything(&self.outside("tmp"));
        assert!(left.is_empty(), "left in the temporary folder: {:?}\n{ran}", left.keys());
    }

    /// Runs plain pytest in the project: what it says, whether it fails or not.
    pub fn pytest(&self, args: &[&str]) -> String {
        let output = Command::new(self.python.clone().unwrap_or_else(python))
            .args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .args(args)
            .current_dir(self.project.root())
            .envs(self.env.iter().map(|(key, value)| (key, value)))
            .output()
            .expect("the interpreter starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Ran {
    /// The result of the one target, once code and status are as they should be.
    #[track_caller]
    pub fn only(&self, code: i32, status: &str) -> &Value {
        assert_eq!(self.results.len(), 1, "one target, one result\n{self}");
        let result = &self.results[0];
        assert_eq!((self.code, result["status"].as_str()), (code, Some(status)), "{self}");
        result
    }

    /// The pared test, dedented by what its first line lacks of the others.
    #[track_caller]
    pub fn pared(&self) -> &str {
        self.only(0, "minimized")["test"].as_str().expect("a minimized result has a test")
    }

    /// Of each result the line of its assertion, 0 where it has none, and the test.
    pub fn purified(&self) -> Vec<(u64, &str)> {
        let line = |result: &Value| result["assertion"]["line"].as_u64().unwrap_or(0);
        let results = self.results.iter();
        results.map(|result| (line(result), result["test"].as_str().unwrap_or_default())).collect()
    }

    /// Each of these stands in what the user sees.
    #[track_caller]
    pub fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.stdout.contains(word), "nothing says {word:?}\n{self}");
        }
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran { code, stdout, stderr, results } = self;
        write!(f, "exit {code}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n--- json\n{results:#?}")
    }
}

/// The list that `--json` wrote, as the schema says.
pub fn results(text: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let schema: Value =
        serde_json::from_str(include_str!("../../../../docs/schema/result-1.json")).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let faults: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "not as the schema says: {faults:?}\n{text}");
    document.as_array().expect("the schema says it is a list").clone()
}

/// Files that are not the same, or not there, before and after.
pub fn changes(
    before: &BTreeMap<Utf8PathBuf, Vec<u8>>,
    after: &BTreeMap<Utf8PathBuf, Vec<u8>>,
) -> Vec<Utf8PathBuf> {
    let paths: BTreeSet<&Utf8PathBuf> = before.keys().chain(after.keys()).collect();
    paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

/// Every file below a folder with its bytes, but for the modules that an interpreter compiles.
pub fn everything(folder: &Utf8Path) -> BTreeMap<Utf8PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            let path = entry.path().to_owned();
            if entry.file_name() == "__pycache__" {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap_or_default();
                found.insert(path, bytes);
            }
        }
    }
    found
}

/// Processes that were started with a variable set so; none where the system does not tell.
fn processes_with(variable: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|found| found == variable.as_bytes())
        })
        .map(|entry| {
            let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            format!("{} {}", entry.file_name().display(), String::from_utf8_lossy(&words).replace('\0', " "))
        })
        .collect()
}
