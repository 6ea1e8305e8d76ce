//! Passing tests of one file in, fewer tests out that lose nothing.
//!
//! The stages, one file each: [`alike`] finds tests that are one up to literals; [`columns`] and [`naming`] say what becomes a
//! parameter and what all is called; [`parametrise`] writes the file; [`verify`] runs what was there and what takes its place.
//! Groups are merged one after the other, each in the file as the last one left it.
//!
//! ```text
//! def test_zero():                        @pytest.mark.parametrize(("number", "expected"), [
//!     assert group(0) == "child"              pytest.param(0, "child", id="zero"),
//!                                   →         pytest.param(18, "adult", id="of_age"),
//! def test_of_age():                      ])
//!     assert group(18) == "adult"         def test_group(number, expected):
//!                                             assert group(number) == expected
//! ```

mod alike;
mod borrowed;
mod cluster;
mod columns;
mod duplicates;
mod effects;
mod extract;
mod join;
mod naming;
mod outcome;
mod parametrise;
mod prefix;
mod reorganise;
mod schedule;
mod style;
mod text;
mod verify;
mod versions;
mod written;

pub use borrowed::Borrowed;
pub(crate) use extract::{extract, groups as prefix_groups};
pub use outcome::{Group, How, MergeOutcome, MergeStatus, MergedFile};
pub use verify::{Shown, how as why_not};

use crate::outcome::OutcomeError;
use camino::Utf8Path;
use paring_engine::{Ports, Runs, Stop};
use paring_model::{ErrorCode, Event, Frontend, Merger, Refusal, Shape, Survey};
use reorganise::{Limits, Traced};
use std::collections::BTreeSet;
use std::time::Duration;
use written::Rewritten;

/// How long a run may take where the user set no limit.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The tests of one file, with what they are merged, and how.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub ports: Ports<'a>,
    pub frontend: &'a dyn Frontend,
    pub path: &'a Utf8Path,
    /// The path that programs know the file by.
    pub short_path: &'a str,
    pub source: &'a str,
    /// The ids of the tests that pass, in the order in which they ran.
    pub tests: &'a [String],
    pub hows: &'a [How],
    /// What other files of the project have a part of.
    pub borrowed: &'a [Borrowed],
    /// No merged test gets longer; 0 for no limit.
    pub max_statements: usize,
    /// Whether an assertion that fails may hide those behind it.
    pub may_hide: bool,
    /// How many faults that a group catches are looked for.
    pub n_mutants: usize,
    pub timeout: Option<Duration>,
    /// What orders are drawn with.
    pub seed: u64,
}

/// Does the whole job on one file. Never fails: what went wrong is in the outcome.
pub fn merge(request: &Request<'_>) -> MergeOutcome {
    let runs = Runs::new(request.ports);
    let mut outcome = MergeOutcome::unknown(request.short_path);
    if let Some(merger) = request.frontend.merger() {
        let text = request.source.to_owned();
        let mut work = Work { request, merger, runs: &runs, text, traced: Traced::new() };
        if let Err(stop) = work.work(&mut outcome) {
            stopped(&mut outcome, stop);
        }
    } else {
        let message = "tests of this language cannot be merged".to_owned();
        let help = "`paring merge` takes pytest, unittest and JUnit".to_owned();
        outcome = MergeOutcome::failed(
            request.short_path,
            OutcomeError { code: ErrorCode::NoSource, message, help },
        );
    }
    outcome.runs = runs.counts();
    outcome.elapsed = runs.elapsed();
    outcome
}

fn stopped(outcome: &mut MergeOutcome, stop: Stop) {
    outcome.file = None;
    outcome.map.clear();
    match stop {
        Stop::Interrupted => (outcome.status, outcome.unfinished) = (MergeStatus::Interrupted, true),
        Stop::Budget => {
            outcome.unfinished = true;
            outcome.status = MergeStatus::Error;
            outcome.error = Some(OutcomeError {
                code: ErrorCode::Budget,
                message: "the budget was spent before the file was verified".to_owned(),
                help: "give more with --budget".to_owned(),
            });
        }
        Stop::Failed(failed) => {
            outcome.status = MergeStatus::Error;
            outcome.error = Some(failed.into());
        }
    }
}

/// How many ever smaller parts of a cluster are tried.
const MAX_TRIED: usize = 4;

/// How, from how many common steps, and which tests.
type Attempt = (How, usize, Vec<String>);

struct Work<'a> {
    request: &'a Request<'a>,
    merger: &'a dyn Merger,
    runs: &'a Runs<'a>,
    /// The file as the merges so far leave it.
    text: String,
    traced: Traced,
}

impl Work<'_> {
    fn work(&mut self, outcome: &mut MergeOutcome) -> Result<(), Stop> {
        let tests: Vec<String> = self.request.tests.to_vec();
        outcome.n_tests = tests.len();
        let mut map: Vec<(String, Vec<String>)> =
            tests.iter().map(|id| (id.clone(), vec![id.clone()])).collect();
        self.note_alone(&tests, outcome);
        let mut done: BTreeSet<Attempt> = BTreeSet::new();
        while let Some(attempt) = self.next(&tests, &map, &done) {
            match self.may_go_on() {
                // What was merged so far holds.
                Err(Stop::Budget) if outcome.groups.iter().any(|group| group.result.is_ok()) => {
                    outcome.unfinished = true;
                    outcome.notes.push("the budget was spent before all groups were tried".to_owned());
                    break;
                }
                other => other?,
            }
            self.runs.tell(Event::Stage { name: "merging" });
            done.insert(attempt.clone());
            let (how, _, group) = attempt.clone();
            match self.attempt(&attempt)? {
                Ok((rewritten, shown)) => {
                    for (old, new) in &rewritten.map {
                        replace(&mut map, old, new);
                    }
                    let tests: Vec<String> = rewritten.map.into_iter().map(|(old, _)| old).collect();
                    let new = rewritten.tests;
                    let n_functions = if how == How::Extract { tests.len() } else { 1 };
                    outcome.groups.push(Group { how, tests, new, n_functions, result: Ok(shown) });
                    self.text = rewritten.text;
                }
                Err(refusal) => outcome.groups.push(Group {
                    how,
                    n_functions: group.len(),
                    tests: group,
                    new: Vec::new(),
                    result: Err(refusal),
                }),
            }
        }
        without_repeats(&mut outcome.groups);
        self.finish(map, outcome)
    }

    /// Whether neither the user nor the budget ends the search: of runs, all count.
    fn may_go_on(&self) -> Result<(), Stop> {
        let limit = self.request.ports.budget.runs;
        if limit.is_some_and(|limit| self.runs.counts().total() >= limit) {
            return Err(Stop::Budget);
        }
        self.runs.may_go_on()
    }

    fn survey(&self) -> Survey {
        let mut survey = self.merger.survey(&self.text);
        borrowed::leave_alone(&mut survey, self.request.borrowed);
        survey
    }

    /// Tests that no other may meet, and why.
    fn note_alone(&self, tests: &[String], outcome: &mut MergeOutcome) {
        let survey = self.survey();
        for id in tests {
            let refusal = match survey.find(id) {
                None if id.contains('[') => Refusal::new("parametrised", "it has cases already"),
                None => Refusal::new("not_found", "it is inherited, or made when the file is loaded"),
                Some(shape) => match &shape.refusal {
                    Some(refusal) => refusal.clone(),
                    None => continue,
                },
            };
            outcome.alone.insert(id.clone(), refusal);
        }
    }

    /// The next tests that might meet and were not tried yet.
    fn next(
        &self,
        tests: &[String],
        map: &[(String, Vec<String>)],
        done: &BTreeSet<Attempt>,
    ) -> Option<Attempt> {
        let survey = self.survey();
        let is_as_it_was = |id: &String| map.iter().any(|(old, new)| old == id && *new == [id.clone()]);
        let id_of = |shape: &Shape| {
            let own = |id: &&String| survey.find(id).is_some_and(|found| found.id == shape.id);
            tests.iter().filter(|id| is_as_it_was(id)).find(own)
        };
        let may_meet = |shape: &Shape| shape.refusal.is_none() && id_of(shape).is_some();
        for &how in self.request.hows {
            let groups = self.groups(how, &survey, &may_meet);
            for (group, n_steps) in groups {
                let ids: Vec<String> =
                    group.iter().filter_map(|&idx| id_of(&survey.shapes[idx]).cloned()).collect();
                let key = (how, n_steps, ids);
                if !done.contains(&key) {
                    return Some(key);
                }
            }
        }
        None
    }

    /// The tests that might meet, as indices into the survey, and how many steps they begin with alike.
    fn groups(
        &self,
        how: How,
        survey: &Survey,
        may_meet: &dyn Fn(&Shape) -> bool,
    ) -> Vec<(Vec<usize>, usize)> {
        let alike = |it: prefix::Alike| (it.tests, it.n_steps);
        match how {
            How::Parametrise => {
                alike::groups(survey, &self.text, may_meet).into_iter().map(|group| (group, 0)).collect()
            }
            How::Reorganise => {
                let same = duplicates::duplicates(survey, &self.text, may_meet).into_iter();
                let clusters = cluster::clusters(survey, &self.text, may_meet).into_iter();
                same.map(|group| (group, 0)).chain(clusters.map(|group| (group, 1))).collect()
            }
            How::Extract => extract::groups(survey, &self.text, may_meet).into_iter().map(alike).collect(),
        }
    }

    fn attempt(&mut self, attempt: &Attempt) -> Result<Result<(Rewritten, Shown), Refusal>, Stop> {
        let (how, n_steps, group) = attempt;
        let survey = self.survey();
        let text = self.text.clone();
        let shapes: Vec<&Shape> = group.iter().filter_map(|id| survey.find(id)).collect();
        let ids: Vec<&str> = group.iter().map(String::as_str).collect();
        let members: Vec<(&Shape, &str)> = shapes.iter().copied().zip(ids.iter().copied()).collect();
        let rewritten = match how {
            How::Parametrise => parametrise::parametrise(self.merger, &survey, &text, &shapes, &ids),
            How::Extract => extract(self.merger, &survey, &text, &shapes, &ids, *n_steps),
            How::Reorganise if *n_steps == 0 => self.deduplicate(&members)?,
            How::Reorganise => return self.reorganise(&survey, &members),
        };
        match rewritten {
            Ok(rewritten) => self.verified(rewritten),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    fn verified(&self, rewritten: Rewritten) -> Result<Result<(Rewritten, Shown), Refusal>, Stop> {
        let old: Vec<&str> = rewritten.map.iter().map(|(old, _)| old.as_str()).collect();
        let shown = verify::verify(self.request, self.runs, &self.text, &old, &rewritten)?;
        Ok(shown.map(|shown| (rewritten, shown)))
    }

    /// One of tests that do the same, where none of them leaves something behind for the next.
    fn deduplicate(&mut self, members: &[(&Shape, &str)]) -> Result<Result<Rewritten, Refusal>, Stop> {
        for (shape, id) in members {
            let (request, runs) = (self.request, self.runs);
            if let Err(refusal) = reorganise::trace(request, runs, &self.text, shape, id, &mut self.traced)? {
                return Ok(Err(refusal));
            }
            let told = reorganise::known_effects(shape, id, &self.text, &self.traced);
            if told.is_some_and(|told| told.steps.iter().any(|step| step.changes_hidden)) {
                let text = "what they change outside themselves may be what tells them apart";
                return Ok(Err(Refusal::new("unknown_state", text)));
            }
        }
        let (shapes, ids): (Vec<&Shape>, Vec<&str>) = members.iter().copied().unzip();
        Ok(Ok(duplicates::deduplicate(self.merger, &self.text, &shapes, &ids)))
    }

    /// The tests of a cluster that can be one; with fewer of them where all together do not hold.
    fn reorganise(
        &mut self,
        survey: &Survey,
        cluster: &[(&Shape, &str)],
    ) -> Result<Result<(Rewritten, Shown), Refusal>, Stop> {
        let text = self.text.clone();
        let chosen = reorganise::choose(self.request, self.runs, &text, cluster, &mut self.traced)?;
        let mut chosen = match chosen {
            Ok(chosen) => chosen,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut first = None;
        for _ in 0..MAX_TRIED {
            self.runs.may_go_on()?;
            let joined = join::join(self.merger, survey, &text, &chosen, self.request.may_hide);
            let held = match joined {
                Ok(rewritten) => self.verified(rewritten)?,
                Err(refusal) => Err(refusal),
            };
            let Err(refusal) = held else { return Ok(held) };
            let first = first.get_or_insert(refusal).clone();
            let mut tests: Vec<(&Shape, &str)> =
                chosen.members.iter().map(|it| (it.shape, it.id)).chain(chosen.contained).collect();
            tests.pop();
            if tests.len() < 2 {
                return Ok(Err(first));
            }
            match reorganise::path_of(&tests, &text, &self.traced, Limits::of(self.request)) {
                Ok(fewer) => chosen = fewer,
                Err(_) => return Ok(Err(first)),
            }
        }
        Ok(Err(first.unwrap_or_else(|| Refusal::new("fails", "none of what was tried holds"))))
    }

    /// Runs the written file as a whole, and reports it.
    fn finish(&self, map: Vec<(String, Vec<String>)>, outcome: &mut MergeOutcome) -> Result<(), Stop> {
        let is_merged = outcome.groups.iter().any(|group| group.result.is_ok());
        outcome.map = map;
        if !is_merged {
            return Ok(());
        }
        self.runs.tell(Event::Stage { name: "verifying" });
        let mut ids: Vec<String> = Vec::new();
        for id in outcome.map.iter().flat_map(|(_, new)| new) {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        if let Some(failure) = verify::whole_file(self.request, self.runs, &self.text, ids)? {
            let refusal = Refusal::new("fails", failure);
            for group in outcome.groups.iter_mut().filter(|group| group.result.is_ok()) {
                (group.result, group.new) = (Err(refusal.clone()), Vec::new());
            }
            for (old, new) in &mut outcome.map {
                *new = vec![old.clone()];
            }
            return Ok(());
        }
        outcome.status = MergeStatus::Merged;
        outcome.file = Some(MergedFile {
            path: self.request.path.to_string(),
            short_path: self.request.short_path.to_owned(),
            original: self.request.source.to_owned(),
            text: self.text.clone(),
        });
        Ok(())
    }
}

/// Puts tests in the place of one, for whoever's work it did.
fn replace(map: &mut [(String, Vec<String>)], gone: &str, new: &[String]) {
    for (_, tests) in map {
        if let Some(at) = tests.iter().position(|id| id == gone) {
            tests.splice(at..=at, new.iter().cloned());
        }
    }
}

/// Of refusals, those of groups that no larger one has the tests of: its smaller beginnings say nothing new.
fn without_repeats(groups: &mut Vec<Group>) {
    let mut kept: Vec<Group> = Vec::new();
    for group in groups.drain(..) {
        let is_within = |other: &Group| {
            group.result.is_err()
                && other.how == group.how
                && group.tests.iter().all(|test| other.tests.contains(test))
        };
        if !kept.iter().any(is_within) {
            kept.push(group);
        }
    }
    *groups = kept;
}
