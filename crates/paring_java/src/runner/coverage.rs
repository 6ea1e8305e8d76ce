//! [`JunitCoverage`]: which lines each test of a project runs, by probes in the classes whose sources are at hand.
//!
//! A suite runs in one JVM, as its build would run it, with the agent of `worker/paring/Agent.java` in it. A test that ends the
//! process is noted, and the rest runs on in a new one.

use super::found::{RESTART_LIMIT, TEST_LIMIT_SECS};
use super::jvms::{Jvms, settings};
use super::message::{Ran, Request};
use super::observation::of_item;
use super::project::JavaProject;
use super::scratch::Scratch;
use super::side::{Settings, compile, run_cold_heard};
use super::{error, install};
use crate::encoding::decode;
use crate::frontend::code_lines;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Candidate, Covered, Heard, Observation, RawTest, RunnerError, Version};
use paring_worker::Patience;
use std::time::{Duration, SystemTime};

pub struct JunitCoverage {
    project: JavaProject,
    /// Where packages of the code under test start. All else is the tests'.
    code: Vec<Utf8PathBuf>,
    /// Seconds for each test.
    limit: f64,
}

impl JunitCoverage {
    pub fn new(project: JavaProject, code: Vec<Utf8PathBuf>, limit: Option<Duration>) -> Self {
        let limit = limit.map_or(TEST_LIMIT_SECS, |limit| limit.as_secs_f64());
        Self { project, code, limit }
    }

    /// Runs tests (`com.acme.CartTest`, `com.acme.CartTest#total`) as they are on the class path.
    pub fn suite(&self, tests: &[String], tell: &dyn Fn(Heard<'_>)) -> Result<Covered, RunnerError> {
        let began = SystemTime::now();
        let jar = install::install(&self.project.cache_dir, &self.project.jdk)?;
        let scratch = Scratch::new(&self.project)?;
        let settings = self.recording(settings(&self.project, jar, &scratch));
        let mut gathered = Gathered::default();
        let mut notes = Vec::new();
        for n_restarts in 0..=RESTART_LIMIT {
            let done: Vec<String> = gathered.tests.iter().map(|test| test.id.clone()).collect();
            let request = Request { many: true, done: &done, ..self.request(tests) };
            let mut hear = |id: &str| tell(Heard::Began { id });
            let ran = run_cold_heard(&settings, None, &request, Patience::Heed, &mut hear)?;
            if let Some(message) =
                ran.message.as_ref().filter(|_| ran.items.is_empty() && gathered.tests.is_empty())
            {
                return Err(error::from_worker("broken_environment", message.clone()));
            }
            let is_over = ran.ended == "done" || ran.current.is_none();
            gathered.take(ran, &self.project);
            if is_over {
                break;
            }
            if n_restarts == RESTART_LIMIT {
                notes.push(format!(
                    "{RESTART_LIMIT} tests ended the process: those after the last were not run"
                ));
            }
        }
        Ok(Covered { notes, ..self.finish(gathered, began, None)? })
    }

    /// Runs one test with another text in the place of its file.
    pub fn candidate(
        &self,
        jvms: &Jvms,
        file: &Utf8Path,
        candidate: &Candidate,
    ) -> Result<Covered, RunnerError> {
        let began = SystemTime::now();
        let side = jvms.side(Version::Faulty)?;
        let (tests, path) = ([candidate.target.clone()], self.project.path_in_root(file));
        let request = Request {
            file: Some(path.as_str()),
            package: super::junit_runner::package(&candidate.target),
            text: Some(&candidate.text),
            after: &candidate.after,
            ..self.request(&tests)
        };
        let folder = jvms.scratch.classes()?;
        let compiled = compile(side, &request, jvms.next_id(), &folder)?;
        if let Some(broken) = compiled.broken {
            return Err(error::from_worker("broken_environment", broken.message));
        }
        let settings = self.recording((*side.settings).clone());
        let run = Request { text: None, file: None, own: &compiled.own, ..request };
        let ran = run_cold_heard(&settings, Some(&folder), &run, Patience::Heed, &mut |_| ())?;
        let mut gathered = Gathered::default();
        gathered.take(ran, &self.project);
        self.finish(gathered, began, Some((file, &candidate.text)))
    }

    fn request<'a>(&self, tests: &'a [String]) -> Request<'a> {
        Request { op: "run", tests, timeout: self.limit, ..Request::default() }
    }

    fn recording(&self, settings: Settings) -> Settings {
        let roots = self.project.test_source_roots.iter().chain(&self.code);
        Settings { coverage: roots.map(ToString::to_string).collect(), ..settings }
    }

    /// Reads the files and makes statements of lines. `instead` is a text that took the place of a file.
    fn finish(
        &self,
        gathered: Gathered,
        began: SystemTime,
        instead: Option<(&Utf8Path, &str)>,
    ) -> Result<Covered, RunnerError> {
        let replaced = |path: &Utf8Path| instead.filter(|(file, _)| *file == path).map(|(_, text)| text);
        let is_newer = |path: &&Utf8PathBuf| {
            let modified = path.metadata().and_then(|metadata| metadata.modified());
            replaced(path).is_none() && modified.is_ok_and(|modified| modified > began)
        };
        let changed: Vec<String> =
            gathered.paths.iter().filter(is_newer).map(|path| self.short(path)).collect();
        if !changed.is_empty() {
            return Err(RunnerError::changed(&changed));
        }
        let files = gathered.paths.into_iter().map(|path| {
            let text = replaced(&path).map_or_else(|| read(&path), str::to_owned);
            let outline = code_lines(&text);
            (path, text, outline)
        });
        let is_of_tests =
            |path: &Utf8Path| !self.code.is_empty() && !self.code.iter().any(|root| path.starts_with(root));
        Ok(Covered::of(files.collect(), gathered.tests, is_of_tests))
    }

    fn short(&self, path: &Utf8Path) -> String {
        path.strip_prefix(&self.project.cwd).unwrap_or(path).to_string()
    }
}

/// What was told of a suite so far.
#[derive(Default)]
struct Gathered {
    /// Sources; numbers start anew with each process.
    paths: Vec<Utf8PathBuf>,
    tests: Vec<RawTest>,
}

impl Gathered {
    fn take(&mut self, ran: Ran, project: &JavaProject) {
        let indices: Vec<usize> = ran.files.into_iter().map(|path| self.idx(path.into())).collect();
        for mut item in ran.items {
            let covered = item.covered.take();
            let known = |(number, lines): (usize, Vec<u32>)| Some((*indices.get(number)?, lines));
            let lines = covered.map(|covered| covered.into_iter().filter_map(known).collect());
            let (id, file) = (item.id.clone(), source_of(project, &item.id));
            self.tests.push(RawTest { id, file, observation: of_item(item), lines });
        }
        let lost = ran.current.filter(|id| self.tests.iter().all(|test| test.id != *id));
        if let Some(id) = lost {
            let observation = match ran.ended.as_str() {
                "hung" => Observation::Hung { stack: ran.stack },
                how => Observation::Died { how: how.to_owned() },
            };
            self.tests.push(RawTest { file: source_of(project, &id), id, observation, lines: None });
        }
    }

    fn idx(&mut self, path: Utf8PathBuf) -> usize {
        let known = self.paths.iter().position(|known| *known == path);
        known.unwrap_or_else(|| {
            self.paths.push(path);
            self.paths.len() - 1
        })
    }
}

/// The source of a test's class, as its name says.
fn source_of(project: &JavaProject, id: &str) -> Utf8PathBuf {
    let class = id.split(['#', '$']).next().unwrap_or(id);
    let name = format!("{}.java", class.replace('.', "/"));
    let files = project.test_source_roots.iter().map(|root| root.join(&name));
    files.into_iter().find(|file| file.is_file()).unwrap_or_else(|| name.clone().into())
}

fn read(path: &Utf8Path) -> String {
    decode(&std::fs::read(path).unwrap_or_default(), None).0
}
