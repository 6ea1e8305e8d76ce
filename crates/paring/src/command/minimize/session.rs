//! What the targets of one invocation share, and how one of them is pared.
//!
//! Targets of one file share its workers: the next one finds them warm. Some languages share them between files too.

use super::failed;
use super::targets::{failed_how, no_failures};
use super::write::Writer;
use crate::clock::WallClock;
use crate::code::Code;
use crate::journal::FileJournal;
use crate::language::{Running, Seen};
use crate::log::Log;
use crate::options::Options;
use crate::output::Output;
use crate::registry::Languages;
use crate::target::Target;
use camino::{Utf8Path, Utf8PathBuf};
use paring_engine::{Budget, Ports};
use paring_model::{ErrorCode, Event, Heat, Observation, Versions};
use paring_tasks::minimize::{Request, minimize};
use paring_tasks::purify::{Purified, purify};
use paring_tasks::{Outcome, OutcomeError, Status};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long a run may take before the baseline is known.
const FIRST_TIMEOUT: Duration = Duration::from_mins(2);

/// What is done with a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// One test in, one out.
    Minimize,
    /// One test in, one out for each assertion that fails.
    Purify,
    /// The same, with tests of the assertions that hold.
    TakeApart,
}

pub struct Session<'a> {
    pub options: &'a Options,
    stop: Arc<AtomicBool>,
    log: Log,
    cache: Utf8PathBuf,
    cwd: Utf8PathBuf,
    languages: Languages,
    /// The workers of the file that was last at hand.
    warm: Option<Warm>,
    /// Whether there are several targets.
    pub is_batch: bool,
    /// How many are left, the one at hand included.
    pub n_left: usize,
    began: Instant,
    n_tried: usize,
    /// The code that tests of a file run.
    code: BTreeMap<Utf8PathBuf, String>,
}

struct Warm {
    file: Utf8PathBuf,
    running: Box<dyn Running>,
}

impl<'a> Session<'a> {
    pub fn new(
        options: &'a Options,
        stop: Arc<AtomicBool>,
        log: Log,
        cache: Utf8PathBuf,
        cwd: Utf8PathBuf,
    ) -> Self {
        let languages = Languages::new(options, &cwd, &cache);
        Self {
            options,
            stop,
            log,
            cache,
            cwd,
            languages,
            warm: None,
            is_batch: false,
            n_left: 1,
            began: Instant::now(),
            n_tried: 0,
            code: BTreeMap::new(),
        }
    }

    pub fn cwd(&self) -> &Utf8Path {
        &self.cwd
    }

    /// Set once the user asks to stop.
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    pub fn stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// What is left of the time for all targets; `None` where nobody has set one.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.options.total_time?.saturating_sub(self.began.elapsed()))
    }

    /// What one target may cost: of the time for all of them an equal part of what is left.
    fn budget(&self) -> Budget {
        let budget = self.options.budget;
        let Some(left) = self.time_left() else { return budget };
        let share = left / u32::try_from(self.n_left.max(1)).unwrap_or(u32::MAX);
        Budget { time: Some(budget.time.map_or(share, |time| time.min(share))), ..budget }
    }

    pub fn languages(&self) -> &Languages {
        &self.languages
    }

    pub fn pare(&mut self, target: &Target, writer: &Writer<'_>, output: &Output) -> Outcome {
        self.work(Job::Minimize, target, writer, output).outcomes.remove(0)
    }

    pub fn work(&mut self, job: Job, target: &Target, writer: &Writer<'_>, output: &Output) -> Purified {
        let mut target = target.clone();
        self.n_tried += 1;
        let mut done = match self.try_work(job, &mut target, writer, output) {
            Ok(done) => done,
            Err(error) => failed(&target.spec.id, self.options, error).into(),
        };
        let first = &mut done.outcomes[0];
        if let Some(report) = target.reported_in.filter(|_| first.status == Status::Passing) {
            target.notes.push(format!("failed according to {report}, and passes alone"));
        }
        first.notes.splice(0..0, target.notes);
        done
    }

    fn try_work(
        &mut self,
        job: Job,
        target: &mut Target,
        writer: &Writer<'_>,
        output: &Output,
    ) -> Result<Purified, OutcomeError> {
        let clock = WallClock::start(Arc::clone(&self.stop));
        let source = match writer.rewritten(&target.file) {
            Some(text) => text.to_owned(),
            None => read(target)?,
        };
        let file = target.file.clone();
        name_the_case(&source, target)?;
        let source = if target.file == file { source } else { read(target)? };
        let done = self.work_once(job, target, source.clone(), &clock, output)?;
        // What earlier targets left behind in the workers may be to blame.
        if self.n_tried > 1 && done.outcomes.iter().any(is_doubtful) && target.language.retire() {
            self.warm = None;
            return self.work_once(job, target, source, &clock, output);
        }
        Ok(done)
    }

    fn work_once(
        &mut self,
        job: Job,
        target: &Target,
        source: String,
        clock: &WallClock,
        output: &Output,
    ) -> Result<Purified, OutcomeError> {
        let language = Rc::clone(&target.language);
        let options = self.options;
        let budget = self.budget();
        let is_batch = self.is_batch;
        let in_place = options.apply || options.patch.is_some();
        let apart = job == Job::Purify && options.out.is_some();
        let (mut done, remarks) =
            self.at_work_on(target, &source.clone(), clock, output, |ports, versions| {
                let request = Request {
                    frontend: language.frontend(),
                    runner: ports.runner,
                    clock: ports.clock,
                    journal: ports.journal,
                    tell: ports.tell,
                    versions,
                    target: target.spec.clone(),
                    before: target.before.clone(),
                    seen: target.seen.clone(),
                    path: target.file.clone(),
                    short_path: language.short_path(&target.file),
                    source,
                    hints: language.hints(),
                    strategy: options.strategy,
                    literals: options.literals,
                    bold: options.bold,
                    same: language.same(options.same),
                    n_baseline: options.n_baseline,
                    seen_apart: target.seen_apart,
                    allow_flaky: options.allow_flaky,
                    timeout: options.timeout,
                    budget,
                    heirs: if in_place { language.heirs(&target.spec.id, &target.file) } else { Vec::new() },
                    in_place: in_place || apart,
                    apart,
                    holding: job == Job::TakeApart,
                    last: match is_batch {
                        // Whoever asks for its lines runs it once more, and tells whether it failed.
                        _ if target.seen_apart => Heat::Warm,
                        true => Heat::Apart,
                        false => Heat::Cold,
                    },
                };
                let done = match job {
                    Job::Minimize => minimize(&request).into(),
                    Job::Purify | Job::TakeApart => purify(&request),
                };
                let is_finished = !done.outcomes.iter().any(|outcome| outcome.unfinished);
                (done, is_finished)
            })?;
        done.outcomes[0].notes.extend(remarks);
        Ok(done)
    }

    /// Does a job with the workers of the target's file, and forgets how far it came once it is finished. Tells with its result what
    /// had to be done otherwise than usual.
    pub fn at_work<T>(
        &mut self,
        target: &Target,
        source: &str,
        clock: &WallClock,
        output: &Output,
        job: impl FnOnce(Ports<'_>) -> (T, bool),
    ) -> Result<(T, Vec<String>), OutcomeError> {
        self.at_work_on(target, source, clock, output, |ports, _| job(ports))
    }

    /// The same with the versions that may be good.
    fn at_work_on<T>(
        &mut self,
        target: &Target,
        source: &str,
        clock: &WallClock,
        output: &Output,
        job: impl FnOnce(Ports<'_>, Option<&dyn Versions>) -> (T, bool),
    ) -> Result<(T, Vec<String>), OutcomeError> {
        let progress = output.progress();
        progress.begin(&target.spec.id);
        let known = self.code.get(&target.file).cloned();
        let code = known.is_none().then(|| Code::look(target.language.code(), target.file.clone()));
        self.warm_up(target)?;
        let code = known.or_else(|| code.map(Code::digest)).unwrap_or_default();
        self.code.insert(target.file.clone(), code.clone());
        let running = &self.warm.as_ref().expect("the workers were just started").running;
        let name = self.job_name(target, source);
        let journal = FileJournal::open(&self.cache.join("journal"), &name, &code, self.options.resume);
        let tell = |event: Event| {
            self.log.event(&event);
            progress.event(&event);
        };
        let ports = Ports {
            runner: running.runner(),
            recorder: running.recorder(),
            clock,
            journal: &journal,
            tell: &tell,
            budget: self.options.budget,
        };
        let (done, is_finished) = job(ports, running.versions());
        progress.clear();
        if is_finished {
            journal.finish();
        }
        let outdated = "the code has changed since the search that --resume was to take up: it began anew";
        let remarks = journal.is_outdated.then(|| outdated.to_owned()).into_iter().chain(running.remarks());
        Ok((done, remarks.collect()))
    }

    /// Starts the workers of the target's file, where they are not at hand.
    fn warm_up(&mut self, target: &Target) -> Result<(), OutcomeError> {
        if self.warm.as_ref().is_some_and(|warm| warm.file == target.file) {
            return Ok(());
        }
        self.warm = None;
        let timeout = self.options.timeout.unwrap_or(FIRST_TIMEOUT);
        let running = target.language.start(target, timeout)?;
        self.warm = Some(Warm { file: target.file.clone(), running });
        Ok(())
    }

    /// A journal belongs to one text, one test and one setting.
    fn job_name(&self, target: &Target, source: &str) -> String {
        use sha2::{Digest, Sha256};
        use std::fmt::Write;
        let mut hash = Sha256::new();
        let options = self.options;
        hash.update(format!(
            "{}\n{}\n{:?}\n{:?}\n{:?}\n{}\n",
            self.cwd,
            target.spec,
            target.spec.after,
            options.strategy,
            options.same,
            target.language.settings(),
        ));
        hash.update(source);
        hash.finalize().iter().take(12).fold(String::new(), |mut name, byte| {
            let _ = write!(name, "{byte:02x}");
            name
        })
    }
}

/// Whether the test did not do what tests that are to be pared do.
fn is_doubtful(outcome: &Outcome) -> bool {
    match outcome.status {
        Status::Passing | Status::Flaky | Status::Error => !outcome.unfinished,
        Status::Minimized | Status::Unchanged | Status::NotGood | Status::NotFound | Status::Interrupted => {
            false
        }
    }
}

/// Names the first failing case where the target stands for several; it may be written in another file.
fn name_the_case(source: &str, target: &mut Target) -> Result<(), OutcomeError> {
    let language = Rc::clone(&target.language);
    let given = target.spec.id.clone();
    if !language.may_stand_for_several(&given, source) {
        return Ok(());
    }
    let seen = language.run_all(std::slice::from_ref(&given))?;
    let n_cases = seen.len();
    let first = seen.iter().position(|seen| match seen.observation {
        Observation::Failed(_) | Observation::Died { .. } | Observation::Hung { .. } => true,
        Observation::Passed | Observation::Skipped { .. } | Observation::Broken { .. } => false,
    });
    if let Some(first) = first.filter(|_| target.before.is_empty() && target.spec.after.is_empty()) {
        let before = seen[..first].iter().map(|seen| &seen.id);
        target.before = before.filter(|id| language.names_a_test(id)).cloned().collect();
        target.seen = failed_how(&seen[first].observation);
    }
    match first.map(|first| &seen[first]).cloned() {
        Some(Seen { id: first, .. }) if language.in_file(&first) != language.in_file(&given) => {
            target.notes.push(match n_cases {
                1 => format!("{given} stands for {first} alone"),
                _ => format!("{given} stands for {n_cases} cases; pared the first that fails, {first}"),
            });
            if !language.names_a_test(&given) {
                target.file = language.find(&first, &[])?.file;
            }
            target.spec.id = first;
            Ok(())
        }
        None if !language.names_a_test(&given) => Err(no_failures(std::slice::from_ref(&given))),
        Some(_) | None => Ok(()),
    }
}

/// The text of a test file.
pub fn read(target: &Target) -> Result<String, OutcomeError> {
    let file = &target.file;
    let bytes = std::fs::read(file).map_err(|error| OutcomeError {
        code: ErrorCode::Io,
        message: format!("failed to read {file}: {error}"),
        help: "check that the file can be read".to_owned(),
    })?;
    target.language.decode(&bytes).map_err(|message| OutcomeError {
        code: ErrorCode::Encoding,
        message: format!("{file}: {message}"),
        help: "declare the file's encoding in its first line, or save it as UTF-8".to_owned(),
    })
}
