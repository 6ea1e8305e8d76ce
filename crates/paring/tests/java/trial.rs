//! One run of the binary on a copy of a Java project, and what it said.

use camino::{Utf8Path, Utf8PathBuf};
use paring_testkit::Project;
use serde_json::Value;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// One cache for all tests: the worker is compiled once.
static CACHE: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary folder can be made"));

/// The file of [`Trial::with_members`].
pub const CART_TEST: &str = "tests/shop/CartTest.java";

/// The text of that file.
pub fn cart_test(members: &str) -> String {
    format!(
        "package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport java.util.*;\n\
         import org.junit.jupiter.api.*;\n\nclass CartTest {{\n{members}\n}}\n"
    )
}

/// A project with compiled classes beside it.
pub struct Trial {
    pub project: Project,
    outside: tempfile::TempDir,
    /// `junit3`, `junit4` or `junit5`; none where Maven is to find out.
    junit: Option<&'static str>,
    env: Vec<(String, String)>,
}

/// A run that is over.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub results: Vec<Value>,
}

impl Trial {
    /// On a copy of `testdata/java/<scenario>`, compiled: `lib`, `tests` on it, and `good` where there is one.
    pub fn compiled(scenario: &'static str) -> Self {
        Self::compiled_with(scenario, scenario)
    }

    /// The same where the scenario is not named after the `JUnit` it is for.
    pub fn compiled_with(junit: &'static str, scenario: &str) -> Self {
        let trial = Self { junit: Some(junit), ..Self::on(scenario) };
        trial.compile();
        trial
    }

    /// On a copy of `testdata/java/<scenario>` as it is.
    pub fn on(scenario: &str) -> Self {
        Self::of(Project::copy(&format!("java/{scenario}")), None)
    }

    /// On a `JUnit` 5 class `shop.CartTest` with these members, which begin on line 9, for what no scenario is about. paring
    /// compiles the file itself: no class of it lies on the class path.
    pub fn with_members(members: &str) -> Self {
        Self::with_test("junit5", CART_TEST, &cart_test(members))
    }

    /// On a project with one test file, which paring compiles itself.
    pub fn with_test(junit: &'static str, name: &str, text: &str) -> Self {
        let trial = Self::of(Project::empty(), Some(junit));
        trial.project.write(name, text);
        trial
    }

    fn of(project: Project, junit: Option<&'static str>) -> Self {
        let outside = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::create_dir(outside.path().join("home")).expect("the folder is ours");
        Self { project, outside, junit, env: Vec::new() }
    }

    #[must_use]
    pub fn env(mut self, key: &str, value: impl Into<String>) -> Self {
        self.env.push((key.to_owned(), value.into()));
        self
    }

    pub fn outside(&self, name: &str) -> Utf8PathBuf {
        let root = self.outside.path().canonicalize().expect("the folder is there");
        Utf8PathBuf::from_path_buf(root).expect("temporary folders have UTF-8 names").join(name)
    }

    /// Compiles all sources again.
    pub fn compile(&self) {
        for lib in ["lib", "good"].into_iter().filter(|lib| self.project.root().join(lib).is_dir()) {
            self.javac(lib, lib, &[]);
        }
        self.javac("tests", "tests", &[self.outside("lib")]);
    }

    /// Compiles the code under test of a project that has no more than that and one test file.
    pub fn compile_lib(&self) {
        self.javac("lib", "lib", &[]);
    }

    fn javac(&self, sources: &str, to: &str, on: &[Utf8PathBuf]) {
        let class_path: Vec<String> =
            on.iter().map(ToString::to_string).chain(self.jars().iter().map(ToString::to_string)).collect();
        let mut files = Vec::new();
        java_files(&self.project.root().join(sources), &mut files);
        let output = Command::new("javac")
            .args(["-g", "-nowarn", "-encoding", "ISO-8859-1", "-d", self.outside(to).as_str()])
            .args(["-cp", &class_path.join(":")])
            .args(&files)
            .output()
            .expect("javac starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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

    /// The class path of the tests, on the library as it is or as it should be.
    pub fn class_path(&self, lib: &str) -> String {
        let own = [self.outside("tests"), self.outside(lib)].into_iter().chain(self.jars());
        own.map(Utf8PathBuf::into_string).collect::<Vec<_>>().join(":")
    }

    /// Runs to the end with the compiled class path.
    pub fn minimize(&self, args: &[&str]) -> Ran {
        self.over(&self.start(args).wait_with_output().expect("it is ours"))
    }

    /// Runs `paring purify` to the end with the compiled class path.
    pub fn purify(&self, args: &[&str]) -> Ran {
        self.over(&self.spawn("purify", args).wait_with_output().expect("it is ours"))
    }

    /// Runs `paring localize` to the end with the compiled class path, and gives what `--json` wrote, too.
    pub fn localize(&self, args: &[&str]) -> (Value, Ran) {
        let output = self.spawn("localize", args).wait_with_output().expect("it is ours");
        let text = std::fs::read_to_string(self.outside("result.json")).unwrap_or_else(|_| "null".to_owned());
        let _ = std::fs::remove_file(self.outside("result.json"));
        (serde_json::from_str(&text).expect("JSON"), self.over(&output))
    }

    /// Runs `paring merge` to the end with the compiled class path, and gives what `--json` wrote, too.
    pub fn merge(&self, args: &[&str]) -> (Value, Ran) {
        self.merged(&self.spawn("merge", args).wait_with_output().expect("it is ours"))
    }

    /// The same with these arguments alone, in a project that says itself what the class path is.
    pub fn merge_plain(&self, args: &[&str]) -> (Value, Ran) {
        self.merged(&self.command("merge", args).output().expect("the binary starts"))
    }

    fn merged(&self, output: &Output) -> (Value, Ran) {
        let text = std::fs::read_to_string(self.outside("result.json")).unwrap_or_else(|_| "null".to_owned());
        let _ = std::fs::remove_file(self.outside("result.json"));
        (serde_json::from_str(&text).expect("JSON"), self.over(output))
    }

    /// Starts a run with the compiled class path, which a signal is to end.
    pub fn start(&self, args: &[&str]) -> Child {
        self.spawn("minimize", args)
    }

    fn spawn(&self, name: &str, args: &[&str]) -> Child {
        let class_path = self.class_path("lib");
        let own = ["--classpath", &class_path, "--test-sources", "tests"];
        self.command(name, &[&own[..], args].concat()).spawn().expect("the binary starts")
    }

    /// Runs to the end with these arguments alone.
    pub fn plain(&self, args: &[&str]) -> Ran {
        let output = self.command("minimize", args).output().expect("the binary starts");
        self.over(&output)
    }

    fn command(&self, name: &str, args: &[&str]) -> Command {
        let cache = Utf8Path::from_path(CACHE.path()).expect("temporary folders have UTF-8 names");
        let mut command = Command::new(env!("CARGO_BIN_EXE_paring"));
        command
            .args([name, "--json", self.outside("result.json").as_str()])
            .args(args)
            .current_dir(self.project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.outside("home"))
            .env("PARING_CACHE_DIR", cache)
            .envs(self.env.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// What came of a run, after which none of its processes may be left.
    pub fn over(&self, output: &Output) -> Ran {
        let json = std::fs::read_to_string(self.outside("result.json")).unwrap_or_else(|_| "[]".to_owned());
        let ran = Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout.clone()).expect("the output is UTF-8"),
            stderr: String::from_utf8(output.stderr.clone()).expect("the messages are UTF-8"),
            results: results(&json),
        };
        self.nothing_runs(&ran);
        ran
    }

    fn nothing_runs(&self, ran: &Ran) {
        let home = format!("HOME={}", self.outside("home"));
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let left = processes_with(&home);
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "still running: {left:?}\n{ran}");
            std::thread::sleep(Duration::from_millis(20));
        }
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

    /// The statements of the pared test in order, and nothing of the rest.
    #[track_caller]
    pub fn keeps(&self, statements: &[&str]) {
        let result = self.only(0, "minimized");
        let kept: Vec<&str> = result["kept"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|kept| kept["text"].as_str())
            .collect();
        assert_eq!(kept, statements, "{self}");
    }

    /// Of each result the line of its assertion, 0 where it has none, and the statements that stay.
    pub fn purified(&self) -> Vec<(u64, Vec<&str>)> {
        let line = |result: &Value| result["assertion"]["line"].as_u64().unwrap_or(0);
        let kept = self.results.iter().map(|result| {
            let kept = result["kept"].as_array().into_iter().flatten();
            (line(result), kept.filter_map(|kept| kept["text"].as_str()).collect())
        });
        kept.collect()
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
fn results(text: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let schema = include_str!("../../../../docs/schema/result-1.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let faults: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "not as the schema says: {faults:?}\n{text}");
    document.as_array().expect("the schema says it is a list").clone()
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

fn java_files(folder: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            java_files(entry.path(), found);
        } else if entry.path().extension() == Some("java") {
            found.push(entry.path().to_owned());
        }
    }
}
