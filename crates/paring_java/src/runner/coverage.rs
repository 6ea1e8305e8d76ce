//! [`JunitCoverage`]: which lines each test of a project runs, by probes in the classes whose sources are at hand.
//!
//! A suite runs in one JVM, as its build would run it, with the agent of `worker/paring/Agent.java` in it. A test that ends the
//! process is noted, and the rest runs on in a new one. What is asked for runs as a whole or, where an earlier run can stand in for it,
//! not at all.

use super::depends::Depends;
use super::jvms::{Jvms, settings};
use super::message::{Ran, Request};
use super::observation::of_item;
use super::project::JavaProject;
use super::ran_test::{RESTART_LIMIT, TEST_LIMIT_SECS};
use super::scratch::Scratch;
use super::side::{Settings, compile, run_cold_heard};
use super::{error, install};
use crate::encoding::decode;
use crate::frontend::code_lines;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{
    Candidate, Covered, Earlier, Heard, Heat, KeptTest, KeptUnit, Known, Observation, RawTest, RunnerError,
    Spectra,
};
use paring_worker::Patience;
use std::collections::BTreeMap;
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
    pub fn suite(
        &self,
        tests: &[String],
        spectra: &dyn Spectra,
        tell: &dyn Fn(Heard<'_>),
    ) -> Result<Covered, RunnerError> {
        let began = SystemTime::now();
        let jar = install::install(&self.project.cache_dir, &self.project.jdk)?;
        let mut depends = Depends::new(&self.project, &jar, self.roots(), began);
        let earlier = Earlier::of(spectra, |stamp| depends.holds(stamp));
        let is_open = |test: &&String| !earlier.usable().contains_key(&self.unit_name(test));
        let open: Vec<String> = tests.iter().filter(is_open).cloned().collect();
        let mut gathered = Gathered::default();
        let notes = if open.is_empty() { Vec::new() } else { self.run(&open, jar, &mut gathered, tell)? };
        for test in &open {
            if let Some(unit) = self.unit(test, &gathered, &mut depends) {
                spectra.keep(&unit);
            }
        }
        let known =
            tests.iter().filter_map(|test| Some((test, earlier.usable().get(&self.unit_name(test))?)));
        gathered.add_kept(known, tests);
        let covered = self.finish(gathered, began, None)?;
        Ok(Covered { notes, turned: earlier.turned(&covered), ..covered })
    }

    /// Runs tests to their end; what to know about that.
    fn run(
        &self,
        tests: &[String],
        jar: Utf8PathBuf,
        gathered: &mut Gathered,
        tell: &dyn Fn(Heard<'_>),
    ) -> Result<Vec<String>, RunnerError> {
        let scratch = Scratch::new(&self.project)?;
        let settings = settings(&self.project, jar, &scratch);
        let settings = Settings { coverage: self.recorded(), is_short: false, ..settings };
        let mut notes = Vec::new();
        for n_restarts in 0..=RESTART_LIMIT {
            let done: Vec<String> = gathered.tests.iter().map(|test| test.raw.id.clone()).collect();
            let request = Request { many: true, is_alone: true, done: &done, ..self.request(tests) };
            let mut hear = |id: &str| tell(Heard::Began { id });
            let ran = run_cold_heard(&settings, None, &request, Patience::Heed, &mut hear)?;
            if let Some(message) =
                ran.message.as_ref().filter(|_| ran.items.is_empty() && gathered.tests.is_empty())
            {
                return Err(error::cannot_run(message.clone()));
            }
            let is_over = ran.ended == "done" || ran.current.is_none();
            // What stopped short of the last test says nothing of those behind.
            gathered.is_cut |= ran.message.is_some();
            gathered.know(&ran.files);
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
        Ok(notes)
    }

    /// Modules may have classes of the same name.
    fn unit_name(&self, test: &str) -> String {
        format!("{} {test}", self.project.cwd)
    }

    /// What all tests of a class saw. None where one ended the process, or what they depend on cannot be told.
    fn unit(&self, asked: &str, gathered: &Gathered, depends: &mut Depends) -> Option<KeptUnit> {
        let lost =
            gathered.tests.iter().any(|test| test.raw.lines.is_none() && is_cut_short(&test.raw.observation));
        if lost || gathered.is_cut {
            return None;
        }
        let own: Vec<&RawTest> =
            gathered.tests.iter().filter(|test| test.of == asked).map(|test| &test.raw).collect();
        let ran = own.iter().flat_map(|test| test.lines.iter().flatten());
        let sources = ran.map(|(idx, _)| &gathered.paths[*idx]);
        let class = asked.split('#').next().unwrap_or(asked);
        let stamps = depends.stamps(class, sources)?;
        let kept = |test: &&RawTest| {
            let lines = test.lines.iter().flatten();
            KeptTest {
                id: test.id.clone(),
                file: test.file.clone(),
                observation: test.observation.clone(),
                lines: lines.map(|(idx, lines)| (gathered.paths[*idx].clone(), lines.clone())).collect(),
            }
        };
        let tests: Vec<KeptTest> = own.iter().map(kept).collect();
        (!tests.is_empty()).then(|| KeptUnit { name: self.unit_name(asked), tests, stamps })
    }

    /// Runs the tests of a candidate with its text in the place of its file.
    pub fn candidate(&self, jvms: &Jvms, candidate: &Candidate, heat: Heat) -> Result<Covered, RunnerError> {
        let began = SystemTime::now();
        let side = &jvms.faulty;
        let (file, text) = candidate.single_file()?;
        let tests: Vec<String> = candidate.targets.iter().map(|target| target.id.clone()).collect();
        let path = self.project.path_in_root(file);
        let request = Request {
            file: Some(path.as_str()),
            package: super::junit_runner::package(candidate.target()),
            text: Some(text),
            after: &candidate.after,
            is_alone: true,
            ..self.request(&tests)
        };
        let folder = jvms.scratch.classes()?;
        let compiled = compile(side, &request, jvms.next_id(), &folder)?;
        if let Some(message) = compiled.broken.map(|broken| broken.message).or(compiled.message) {
            return Err(error::cannot_run(message));
        }
        let run = Request { text: None, file: None, own: &compiled.own, ..request };
        let recorder = jvms.recorder(self.recorded());
        let ran = match heat {
            Heat::Warm | Heat::Fresh | Heat::Apart => recorder.run_apart(&folder, &run, Patience::Heed)?,
            Heat::Cold => recorder.run_cold(Some(&folder), &run, Patience::Heed)?,
        };
        let mut gathered = Gathered::default();
        gathered.take(ran, &self.project);
        self.finish(gathered, began, Some((file, text)))
    }

    fn request<'a>(&self, tests: &'a [String]) -> Request<'a> {
        Request { op: "run", tests, timeout: self.limit, ..Request::default() }
    }

    /// Where packages of the sources start whose lines are recorded.
    fn roots(&self) -> Vec<Utf8PathBuf> {
        self.project.test_source_roots.iter().chain(&self.code).cloned().collect()
    }

    fn recorded(&self) -> Vec<String> {
        self.roots().iter().map(ToString::to_string).collect()
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
        let files: Vec<_> = files.collect();
        let is_of_tests =
            |path: &Utf8Path| !self.code.is_empty() && !self.code.iter().any(|root| path.starts_with(root));
        let tests = gathered.tests.into_iter().map(|test| {
            let mut raw = test.raw;
            // That a class was initialised says less of its constants than who reads them.
            for (idx, lines) in raw.lines.iter_mut().flatten() {
                *lines = files[*idx].2.without_constants(lines);
            }
            raw
        });
        let (tests, took) = (tests.collect(), gathered.took);
        Ok(Covered { took, ..Covered::of(files, tests, is_of_tests) })
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
    tests: Vec<Test>,
    /// How long tests took, by their ids.
    took: BTreeMap<String, Duration>,
    /// Whether some of what was asked for may not have run.
    is_cut: bool,
}

struct Test {
    /// What was asked for when it turned up; empty where nobody can tell.
    of: String,
    raw: RawTest,
}

impl Gathered {
    /// Files that were loaded, also where no line of theirs ran.
    fn know(&mut self, files: &[String]) {
        for path in files {
            self.idx(path.into());
        }
    }

    fn take(&mut self, ran: Ran, project: &JavaProject) {
        for mut item in ran.items {
            let covered = item.covered.take();
            if let Some(nanos) = item.nanos.and_then(|nanos| u64::try_from(nanos).ok()) {
                self.took.insert(item.id.clone(), Duration::from_nanos(nanos));
            }
            let known =
                |(number, lines): (usize, Vec<u32>)| Some((self.idx(ran.files.get(number)?.into()), lines));
            let lines = covered.map(|covered| covered.into_iter().filter_map(known).collect());
            let (id, of, file) = (item.id.clone(), item.of.clone(), source_of(project, &item.id));
            let raw = RawTest { id, file, observation: of_item(item), lines, kept_at: None };
            self.tests.push(Test { of, raw });
        }
        let lost = ran.current.filter(|id| self.tests.iter().all(|test| test.raw.id != *id));
        if let Some(id) = lost {
            let observation = match ran.ended.as_str() {
                "hung" => Observation::Hung { stack: ran.stack, below: ran.below },
                how => Observation::Died { how: how.to_owned() },
            };
            let file = source_of(project, &id);
            let raw = RawTest { file, id, observation, lines: None, kept_at: None };
            self.tests.push(Test { of: String::new(), raw });
        }
    }

    /// Adds the tests of earlier runs, and puts all in the order in which they were asked for.
    fn add_kept<'a>(&mut self, known: impl Iterator<Item = (&'a String, &'a Known)>, asked: &[String]) {
        for (of, Known { unit, at }) in known {
            for test in &unit.tests {
                // A suite may run it, too.
                if self.tests.iter().any(|other| other.raw.id == test.id) {
                    continue;
                }
                let lines = test.lines.iter().map(|(path, lines)| (self.idx(path.clone()), lines.clone()));
                let raw = RawTest {
                    lines: Some(lines.collect()),
                    id: test.id.clone(),
                    file: test.file.clone(),
                    observation: test.observation.clone(),
                    kept_at: Some(*at),
                };
                self.tests.push(Test { of: of.clone(), raw });
            }
        }
        let place = |test: &Test| asked.iter().position(|other| *other == test.of);
        // A test that ended the process comes where its class does.
        let near = |test: &Test| {
            asked.iter().position(|other| test.raw.id.split('#').next() == other.split('#').next())
        };
        self.tests.sort_by_cached_key(|test| place(test).or_else(|| near(test)).unwrap_or(usize::MAX));
    }

    fn idx(&mut self, path: Utf8PathBuf) -> usize {
        let known = self.paths.iter().position(|known| *known == path);
        known.unwrap_or_else(|| {
            self.paths.push(path);
            self.paths.len() - 1
        })
    }
}

fn is_cut_short(observation: &Observation) -> bool {
    match observation {
        Observation::Died { .. } | Observation::Hung { .. } => true,
        Observation::Passed
        | Observation::Skipped { .. }
        | Observation::Failed(_)
        | Observation::Broken { .. } => false,
    }
}

/// The source of a test's class, as its name says.
pub(super) fn source_of(project: &JavaProject, id: &str) -> Utf8PathBuf {
    let class = id.split(['#', '$']).next().unwrap_or(id);
    let name = format!("{}.java", class.replace('.', "/"));
    let files = project.test_source_roots.iter().map(|root| root.join(&name));
    files.into_iter().find(|file| file.is_file()).unwrap_or_else(|| name.clone().into())
}

fn read(path: &Utf8Path) -> String {
    decode(&std::fs::read(path).unwrap_or_default(), None).0
}
