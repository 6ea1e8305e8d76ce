//! Python in the user's project: pytest and unittest ids, and the project's own pytest.

mod borrowed;
mod examine;
mod versions;

use super::{FoundTest, Language, Running, Seen, ToldTest};
use crate::code::Root;
use crate::finding::Finding;
use crate::good::{self, Finder, Good};
use crate::options::{GoodChoice, Options};
use crate::target::Target;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{
    Called, Coverage, ErrorCode, Follower, Frontend, Listening, Observation, Runner, RunnerError, Versions,
};
use paring_python::frontend::{PythonFrontend, decode, encode};
use paring_python::runner::{
    self, GoodVersion, Project, PytestCoverage, PytestRunner, Tree, find_python, list_calls, list_failures,
};
use paring_report::Reported;
use paring_tasks::OutcomeError;
use paring_tasks::merge::Borrowed;
use paring_tasks::minimize::Hints;
use paring_worker::Keeper;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use versions::PythonVersions;

const HINTS: Hints = Hints {
    list_tests: "check the name; `pytest --collect-only -q` lists the tests",
    must_load: "the test file must be importable before a test in it can be pared",
    fails_to_load: "the test file fails while it is loaded, whatever its tests do; where it should load, name the interpreter \
                    the project is installed for (--python), or set its paths",
    no_source: "name the file in which the test function is written",
    member: "self.",
    instead: None,
};

/// Python with the settings of this invocation.
pub struct Python {
    cwd: Utf8PathBuf,
    cache: Utf8PathBuf,
    interpreter: Option<Utf8PathBuf>,
    good: GoodChoice,
    good_budget: Option<Duration>,
    good_env: Vec<(String, String)>,
    /// What targets share of looking for a good version.
    finder: OnceCell<Rc<Finder>>,
    pytest_args: Vec<String>,
    n_jobs: usize,
    memory: Option<u64>,
    timeout: Option<Duration>,
    sources: Vec<Utf8PathBuf>,
    listening: Listening,
    /// Held so that what it has to tell outlives the runner of one file.
    keeper: OnceCell<Option<Arc<Keeper>>>,
}

impl Python {
    pub fn new(options: &Options, cwd: &Utf8Path, cache: &Utf8Path) -> Self {
        Self {
            cwd: cwd.to_owned(),
            cache: cache.join("worker"),
            interpreter: options.python.clone(),
            good: options.good.clone(),
            good_budget: options.good_budget,
            finder: OnceCell::new(),
            good_env: options.good_env.clone(),
            pytest_args: options.pytest_args.clone(),
            n_jobs: options.n_jobs(),
            memory: options.memory,
            timeout: options.timeout,
            sources: options.sources.clone(),
            listening: options.listening.clone(),
            keeper: OnceCell::new(),
        }
    }

    fn project(&self, good: Option<&Good>) -> Result<Project, RunnerError> {
        // Why it cannot be opened is said by who needs it.
        self.keeper.get_or_init(|| Keeper::open(&self.cache).ok());
        let env = |name: &str| std::env::var(name).ok();
        let python = find_python(self.interpreter.as_ref().map(|path| path.as_str()), &self.cwd, &env)?;
        let by_env = || GoodVersion { cwd: self.cwd.clone(), env: self.good_env.clone(), tree: None };
        let is_by_env = self.good != GoodChoice::Auto && !self.good_env.is_empty();
        let good = good.map(|good| version(good, &self.good_env)).or_else(|| is_by_env.then(by_env));
        Ok(Project {
            cwd: self.cwd.clone(),
            python,
            pytest_args: self.pytest_args.clone(),
            env: Vec::new(),
            good,
            jobs: self.n_jobs,
            memory_limit: self.memory,
            cache_dir: self.cache.clone(),
            listening: self.listening.clone(),
        })
    }

    fn good(&self, file: &Utf8Path) -> Result<Option<Good>, OutcomeError> {
        let Some(given) = self.good.given() else { return Ok(None) };
        good::prepare(given, &self.cwd, file, &self.cache).map(Some).map_err(|error| good::unusable(&error))
    }

    /// `tests.test_a.TestB.test_c` names `tests/test_a.py::TestB::test_c` if there is such a file.
    fn dotted(&self, given: &str) -> Option<String> {
        let parts: Vec<&str> = given.split('.').collect();
        (1..parts.len()).rev().find_map(|n_path| {
            let path = format!("{}.py", parts[..n_path].join("/"));
            self.cwd.join(&path).is_file().then(|| format!("{path}::{}", parts[n_path..].join("::")))
        })
    }

    fn id_of(&self, found: &runner::RanTest) -> String {
        runner::test_id(&self.cwd, &found.nodeid, &found.path)
    }
}

impl Language for Python {
    fn frontend(&self) -> &'static dyn Frontend {
        &PythonFrontend
    }

    fn hints(&self) -> &'static Hints {
        &HINTS
    }

    fn heirs(&self, id: &str, file: &Utf8Path) -> Vec<String> {
        let text = std::fs::read(file).ok().and_then(|bytes| self.decode(&bytes).ok());
        text.map(|text| paring_python::frontend::heirs(&text, id)).unwrap_or_default()
    }

    fn borrowed(&self, file: &Utf8Path) -> Vec<Borrowed> {
        borrowed::borrowed(&self.cwd, file, |bytes| self.decode(bytes).ok())
    }

    fn find(&self, given: &str, after: &[String]) -> Result<FoundTest, OutcomeError> {
        if !given.contains("::") && self.cwd.join(given).exists() {
            return Err(not_single(given));
        }
        let id = if given.contains("::") { Some(given.to_owned()) } else { self.dotted(given) };
        let Some(id) = id else { return Err(not_found(given)) };
        let (path, _) = id.split_once("::").unwrap_or((&id, ""));
        let file = self.cwd.join(path);
        let Ok(file) = file.canonicalize_utf8() else { return Err(not_found(given)) };
        if !file.is_file() {
            return Err(not_found(given));
        }
        let before = |given: &String| {
            if given.contains("::") || self.cwd.join(given).exists() {
                return given.clone();
            }
            self.dotted(given).unwrap_or_else(|| given.clone())
        };
        Ok(FoundTest { id, after: after.iter().map(before).collect(), file })
    }

    fn reported(&self, test: &Reported) -> Option<String> {
        test.node_id(|path| self.cwd.join(path).is_file())
    }

    fn names_a_test(&self, id: &str) -> bool {
        id.contains("::")
    }

    fn decode(&self, bytes: &[u8]) -> Result<String, String> {
        decode(bytes).map(|(text, _)| text)
    }

    fn encode(&self, text: &str, so_far: &[u8]) -> Result<Vec<u8>, String> {
        let (_, encoding) = decode(so_far)?;
        encode(text, encoding)
    }

    fn may_stand_for_several(&self, id: &str, source: &str) -> bool {
        let name = id.rsplit("::").next().unwrap_or(id);
        let is_class = ["(", ":"].iter().any(|after| source.contains(&format!("class {name}{after}")));
        let makes_cases = ["parametrize", "params=", "pytest_generate_tests", "param("];
        is_class || (!id.ends_with(']') && makes_cases.iter().any(|word| source.contains(word)))
    }

    fn in_file<'a>(&self, id: &'a str) -> &'a str {
        id.split_once("::").map_or("", |(_, names)| names)
    }

    fn run_all(&self, what: &[String]) -> Result<Vec<Seen>, RunnerError> {
        let found = list_failures(&self.project(None)?, what)?;
        let seen = |found: runner::RanTest| Seen { id: self.id_of(&found), observation: found.observation };
        Ok(found.into_iter().map(seen).collect())
    }

    fn tell_all(&self, what: &[String]) -> Result<Vec<ToldTest>, RunnerError> {
        let found = runner::tell_all(&self.project(None)?, what)?;
        let told = |found: runner::ToldTest| ToldTest {
            id: self.id_of(&found.ran),
            observation: found.ran.observation.clone(),
            seconds: found.seconds,
            told: Box::new(move |unit| found.told(unit)),
        };
        Ok(found.into_iter().map(told).collect())
    }

    fn coverage(&self) -> Option<Result<Box<dyn Coverage + '_>, RunnerError>> {
        let coverage = |project| PytestCoverage::new(project, self.timeout, &self.sources);
        let coverage = self.project(None).and_then(coverage);
        Some(coverage.map(|coverage| Box::new(coverage) as Box<dyn Coverage>))
    }

    fn follower(&self) -> Option<&dyn Follower> {
        Some(self)
    }

    fn start(&self, target: &Target, timeout: Duration) -> Result<Box<dyn Running>, OutcomeError> {
        let good = self.good(&target.file)?;
        let project = self.project(good.as_ref())?;
        let runner = PytestRunner::start(project, &target.file, &target.spec, timeout)?;
        let runner = runner.with_sources(&self.sources);
        let versions = (good.is_some() || self.good == GoodChoice::Auto).then(|| {
            let finder = self.finder.get_or_init(|| Rc::new(Finder::new(&self.cwd)));
            PythonVersions::new(
                Rc::clone(finder),
                good,
                target,
                &self.cache,
                &self.good_env,
                self.good_budget,
            )
        });
        Ok(Box::new(Started { runner, versions }))
    }

    fn file_for(&self, id: &str, _test_file: &str) -> String {
        let name = word(self.in_file(id));
        // pytest collects files of such a name only.
        if name.starts_with("test_") { format!("{name}.py") } else { format!("test_{name}.py") }
    }

    fn run_alone(&self, file: &Utf8Path, id: &str) -> Option<Observation> {
        let (_, names) = id.split_once("::")?;
        let project = self.project(None).ok()?;
        let found = list_failures(&project, &[format!("{file}::{names}")]).ok()?;
        let died = || Observation::Died { how: "nothing ran".to_owned() };
        Some(found.into_iter().next().map_or_else(died, |found| found.observation))
    }

    fn short_path(&self, file: &Utf8Path) -> String {
        file.strip_prefix(&self.cwd).unwrap_or(file).to_string()
    }

    fn code(&self) -> Vec<Root> {
        let env = |name: &str| std::env::var(name).ok();
        let python = find_python(self.interpreter.as_ref().map(|path| path.as_str()), &self.cwd, &env);
        let installed = python.map(|python| installed(&python)).unwrap_or_default();
        let linked = installed.iter().flat_map(|folder| linked(folder)).map(Root::Project);
        let mut roots = vec![Root::Project(self.cwd.clone())];
        roots.extend(linked.filter(|root| *root != roots[0]).collect::<Vec<_>>());
        roots.extend(installed.iter().cloned().map(Root::Installed));
        roots
    }

    fn examine(&self) -> Vec<Finding> {
        examine::examine(self)
    }

    fn settings(&self) -> String {
        format!("{:?} {:?} {:?} {:?}", self.good, self.good_env, self.interpreter, self.pytest_args)
    }
}

impl Follower for Python {
    fn follow(&self, paths: &[String]) -> Result<Vec<Called>, RunnerError> {
        let found = list_calls(&self.project(None)?, paths, &self.sources)?;
        let called = |found: runner::RanTest| Called {
            id: self.id_of(&found),
            file: found.path,
            observation: found.observation,
            calls: found.calls,
        };
        Ok(found.into_iter().map(called).collect())
    }
}

/// Letters, digits and single underscores of an id.
fn word(id: &str) -> String {
    let parts = id.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let word = parts.collect::<Vec<_>>().join("_");
    word.chars().take(100).collect()
}

/// The runner comes before the versions: workers end before their folders go.
struct Started {
    runner: PytestRunner,
    versions: Option<PythonVersions>,
}

/// A version as the runner takes it.
fn version(good: &Good, env: &[(String, String)]) -> GoodVersion {
    let (present, other) = good.tree.clone();
    GoodVersion { cwd: good.cwd.clone(), env: env.to_vec(), tree: Some(Tree { present, other }) }
}

impl Running for Started {
    fn runner(&self) -> &dyn Runner {
        &self.runner
    }

    fn versions(&self) -> Option<&dyn Versions> {
        self.versions.is_some().then_some(self as &dyn Versions)
    }

    fn recorder(&self) -> Option<&dyn Coverage> {
        Some(&self.runner)
    }

    fn remarks(&self) -> Vec<String> {
        let runner = &self.runner;
        let mut notes = runner.notes();
        notes.extend(runner.colder().map(|reason| format!("each run had a process of its own: {reason}")));
        notes
            .extend(runner.serial().map(|reason| format!("a run {reason}, so runs were made one at a time")));
        if !runner.dropped().is_empty() {
            notes.push(format!(
                "left out of the project's pytest options, as their plugins are not installed: {}",
                runner.dropped().join(" ")
            ));
        }
        notes
    }
}

/// The folders of an environment into which packages are installed.
fn installed(python: &Utf8Path) -> Vec<Utf8PathBuf> {
    let environment = python.parent().and_then(Utf8Path::parent);
    let versions = environment.and_then(|folder| folder.join("lib").read_dir_utf8().ok());
    let versions = versions.into_iter().flatten().flatten().map(camino::Utf8DirEntry::into_path);
    let versions = versions.filter(|path| path.file_name().is_some_and(|name| name.starts_with("python")));
    versions.map(|path| path.join("site-packages")).filter(|path| path.is_dir()).collect()
}

/// The folders that an environment only points to: projects that are installed to be edited.
fn linked(installed: &Utf8Path) -> Vec<Utf8PathBuf> {
    let Ok(entries) = installed.read_dir_utf8() else { return Vec::new() };
    let files = entries.flatten().map(camino::Utf8DirEntry::into_path);
    let files = files.filter(|path| path.extension() == Some("pth"));
    let texts = files.filter_map(|path| std::fs::read_to_string(path).ok());
    let lines: Vec<String> =
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    lines.into_iter().map(Utf8PathBuf::from).filter(|path| path.is_absolute() && path.is_dir()).collect()
}

fn not_found(given: &str) -> OutcomeError {
    OutcomeError {
        code: ErrorCode::NotFound,
        message: format!("there is no test {given} here"),
        help: "name a test as pytest does, from the folder you would run pytest in: tests/test_a.py::TestB::test_c"
            .to_owned(),
    }
}

fn not_single(given: &str) -> OutcomeError {
    OutcomeError {
        code: ErrorCode::NotFound,
        message: format!("{given} is no single test"),
        help: format!(
            "name a test in it ({given}::test_x), or pare every failing one with --failing {given}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{GlobalArgs, MinimizeArgs};
    use crate::config::Config;

    fn python(cwd: &Utf8Path) -> Python {
        let global = GlobalArgs { quiet: None, color: None };
        Python::new(&Options::merge(MinimizeArgs::default(), &global, Config::default()), cwd, cwd)
    }

    fn project() -> (tempfile::TempDir, Python) {
        let folder = tempfile::tempdir().unwrap();
        let cwd = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
        std::fs::create_dir(cwd.join("tests")).unwrap();
        std::fs::write(cwd.join("tests/test_a.py"), "").unwrap();
        (folder, python(&cwd))
    }

    #[test]
    fn a_unittest_id_becomes_a_node_id() {
        let (_folder, python) = project();
        let found = python.find("tests.test_a.TestB.test_c", &[]).unwrap();
        assert_eq!(found.id, "tests/test_a.py::TestB::test_c");
        assert_eq!(found.file, python.cwd.join("tests/test_a.py"));
    }

    #[test]
    fn a_whole_file_or_folder_is_no_single_test() {
        let (_folder, python) = project();
        for given in ["tests/test_a.py", "tests"] {
            let error = python.find(given, &[]).unwrap_err();
            assert!(error.help.contains(&format!("--failing {given}")), "{error:?}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_not_found() {
        let (_folder, python) = project();
        assert_eq!(python.find("tests/test_b.py::test_c", &[]).unwrap_err().code, ErrorCode::NotFound);
        assert_eq!(python.find("nothing.at.all", &[]).unwrap_err().code, ErrorCode::NotFound);
    }

    #[test]
    fn a_test_names_a_file_that_pytest_collects() {
        let python = python(Utf8Path::new("/project"));
        assert_eq!(python.file_for("t.py::test_cart", "t.py"), "test_cart.py");
        assert_eq!(python.file_for("t.py::TestA::test_b[1-x/y]", "t.py"), "test_TestA_test_b_1_x_y.py");
    }

    #[test]
    fn an_id_is_told_from_where_the_user_stands() {
        let found = |path: &str| runner::RanTest {
            nodeid: "sub/tests/test_a.py::TestA::test_b[x::y]".to_owned(),
            path: path.into(),
            observation: Observation::Passed,
            calls: None,
        };
        let python = python(Utf8Path::new("/project/sub"));
        assert_eq!(
            python.id_of(&found("/project/sub/tests/test_a.py")),
            "tests/test_a.py::TestA::test_b[x::y]"
        );
        assert_eq!(python.id_of(&found("/other/test_a.py")), "/other/test_a.py::TestA::test_b[x::y]");
    }
}
