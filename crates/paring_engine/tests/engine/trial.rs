//! A test in the toy language, the program it is for, and what a traced run saw: the search on it, and what the search did.

use paring_engine::lab::Bench;
use paring_engine::oracle::baseline;
use paring_engine::passes::auto;
use paring_engine::{
    Baseline, Budget, Criterion, Lab, Oracle, Ports, Runs, Same, Search, SearchResult, criterion,
};
use paring_model::{
    Candidate, Facts, Failure, FailureKind, Form, Frontend, Heat, How, Observation, PlaceId, Resource,
    StmtId, TargetSpec, Unit, Version,
};
use paring_testkit::{FakeClock, FakeRunner, LineFrontend, MemoryJournal, failed, failed_in_library, passed};
use std::time::Duration;

/// What a run of a text shows.
pub type Program = fn(&str, Version) -> Observation;

/// What a traced run of the original saw, beside that every statement ran.
#[derive(Clone, Copy)]
pub enum Saw {
    /// The line and all below it did not run.
    Skip(&'static str),
    /// The line changed the object that a name stands for.
    Change(&'static str, &'static str),
    /// The line changed state that no name shows.
    Hidden(&'static str),
    /// The name stands for a value that nothing can change.
    Immutable(&'static str),
}

#[derive(Clone)]
pub struct Trial {
    pub source: &'static str,
    pub program: Program,
    pub saw: &'static [Saw],
    /// Whether nothing was traced at all.
    pub untraced: bool,
    pub has_good: bool,
    pub bold: bool,
    /// Names of tests that run before it.
    pub after: &'static [&'static str],
    pub n_parallel: usize,
    pub budget: Budget,
    /// How often a draft that holds must hold again.
    pub n_again: usize,
}

/// What the search came to.
pub struct Done {
    pub result: SearchResult,
    /// The text of the result, without the line of the test itself.
    pub text: String,
    /// The drafts that ran, in order, each as its lines.
    pub tried: Vec<String>,
}

impl Trial {
    pub fn new(source: &'static str, program: Program) -> Self {
        Self {
            source,
            program,
            saw: &[],
            untraced: false,
            has_good: false,
            bold: false,
            after: &[],
            n_parallel: 1,
            budget: Budget::default(),
            n_again: 0,
        }
    }

    pub fn unit(&self) -> Unit {
        let after = self.after.iter().map(|name| format!("test.lines::{name}")).collect();
        let target = TargetSpec { id: "test.lines::test".to_owned(), after };
        LineFrontend.parse("test.lines".into(), self.source, &target).0
    }

    pub fn runner(&self) -> FakeRunner {
        let program = self.program;
        let runner = if self.has_good {
            FakeRunner::with_good(program)
        } else {
            FakeRunner::new(move |text| program(text, Version::Faulty))
        };
        runner.parallel(self.n_parallel)
    }

    pub fn oracle(&self, unit: &Unit) -> Oracle {
        match baseline(unit, &[(self.program)(self.source, Version::Faulty)], Same::default(), false) {
            Baseline::Stable(oracle) => *oracle,
            other => panic!("the original does not fail: {other:?}"),
        }
    }

    pub fn criterion(&self, unit: &Unit) -> Criterion {
        match (self.program)(self.source, Version::Faulty) {
            Observation::Failed(failure) => criterion(unit, &self.facts(unit), &failure),
            other => panic!("the original does not fail: {other:?}"),
        }
    }

    pub fn facts(&self, unit: &Unit) -> Facts {
        if self.untraced {
            return Facts::default();
        }
        let all = unit.ids().filter(|&id| unit.stmt(id).parent.is_some());
        let mut facts = Facts { observed: true, hits: all.map(|id| (id, 1)).collect(), ..Facts::default() };
        for saw in self.saw {
            match *saw {
                Saw::Skip(line) => {
                    let id = stmt(unit, line);
                    facts.hits.retain(|hit, _| *hit != id && !unit.ancestors(*hit).any(|up| up == id));
                }
                Saw::Change(line, name) => {
                    facts.changed.entry(stmt(unit, line)).or_default().extend(places(unit, name));
                }
                Saw::Hidden(line) => {
                    facts.resources.touch(stmt(unit, line), 1, Resource::Unknown, How::Define);
                }
                Saw::Immutable(name) => facts.immutable.extend(places(unit, name)),
            }
        }
        facts.order = facts.hits.keys().copied().collect();
        facts
    }

    /// Searches as by default, until its end or until it is stopped.
    pub fn search(&self) -> Done {
        let unit = self.unit();
        let (oracle, facts, criterion) = (self.oracle(&unit), self.facts(&unit), self.criterion(&unit));
        let runner = self.runner();
        let result = self.in_lab(&unit, &oracle, &runner, |lab| {
            let mut search = Search::new(lab, &facts, criterion);
            let _ = auto(&mut search);
            search.finish()
        });
        let text = LineFrontend.edited(&unit, &result.edits, Form::Compact).into_text();
        Done { result, text, tried: tried(&runner) }
    }

    /// Lends a laboratory for the trial.
    pub fn in_lab<T>(
        &self,
        unit: &Unit,
        oracle: &Oracle,
        runner: &FakeRunner,
        body: impl FnOnce(Lab<'_>) -> T,
    ) -> T {
        let (clock, journal) = (FakeClock::default(), MemoryJournal::default());
        let runs = Runs::new(Ports {
            runner,
            recorder: None,
            clock: &clock,
            journal: &journal,
            tell: &|_| {},
            budget: self.budget,
        });
        let bench = Bench {
            runs: &runs,
            frontend: &LineFrontend,
            timeout: Some(Duration::from_secs(1)),
            good_timeout: Some(Duration::from_secs(1)),
            heat: Heat::Warm,
            use_good: self.has_good,
            bold: self.bold,
            n_again: self.n_again,
        };
        body(Lab::new(bench, unit, oracle))
    }
}

impl Done {
    /// The drafts after the first, each as the lines that it lacks of that.
    pub fn gone(&self) -> Vec<String> {
        let first: Vec<&str> = self.tried[0].split(" | ").collect();
        let lacks = |draft: &String| {
            let there: Vec<&str> = draft.split(" | ").collect();
            first.iter().filter(|line| !there.contains(line)).copied().collect::<Vec<_>>().join(" | ")
        };
        self.tried[1..].iter().map(lacks).collect()
    }
}

/// Searches, and expects this text.
#[track_caller]
pub fn check(trial: &Trial, expected: &str) -> Done {
    let done = trial.search();
    assert_eq!(done.text, expected, "{:?}", done.tried);
    done
}

/// The drafts that a runner was asked for on the version that fails, each as its lines between bars.
pub fn tried(runner: &FakeRunner) -> Vec<String> {
    let jobs = runner.jobs().into_iter().filter(|job| job.version == Version::Faulty);
    jobs.map(|job| lines(&job.candidate)).collect()
}

/// A candidate's lines in one.
pub fn lines(candidate: &Candidate) -> String {
    let lines = candidate.text().lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" | ")
}

/// The statement of a line.
pub fn stmt(unit: &Unit, line: &str) -> StmtId {
    let is_it = |id: &StmtId| unit.stmt(*id).header.of(&unit.source) == line;
    unit.ids().find(is_it).unwrap_or_else(|| panic!("there is no line {line}"))
}

fn places(unit: &Unit, name: &str) -> Vec<PlaceId> {
    let all = (0..unit.places.len()).map(PlaceId::from_idx);
    all.filter(|&place| unit.place(place).name == name).collect()
}

/// Whether a text has this line.
pub fn has(text: &str, line: &str) -> bool {
    line_of(text, line).is_some()
}

fn line_of(text: &str, line: &str) -> Option<u32> {
    let idx = text.lines().position(|result| result.trim() == line)?;
    Some(u32::try_from(idx + 1).expect("a test's text is short"))
}

/// An assertion that fails wherever its line is; a pass where it is not.
pub fn asserts(text: &str, line: &str) -> Observation {
    line_of(text, line).map_or_else(passed, |at| failed(at, "no"))
}

/// An exception of the library at a line.
pub fn crashes(text: &str, line: &str) -> Observation {
    line_of(text, line).map_or_else(passed, |at| failed_in_library(at, "KeyError", "'k'"))
}

/// An exception of the library at the last line of tests that end with `d = b.first()`.
pub fn last(text: &str) -> Observation {
    crashes(text, "d = b.first()")
}

/// What a good version makes of a failure that only the current one shows.
pub fn unless_good(version: Version, seen: Observation) -> Observation {
    match version {
        Version::Faulty => seen,
        Version::Good => passed(),
    }
}

/// Something expected that did not happen, at a line.
pub fn omits(text: &str, line: &str) -> Observation {
    match asserts(text, line) {
        Observation::Failed(failure) => {
            Observation::Failed(Failure { kind: FailureKind::Omission, ..failure })
        }
        other => other,
    }
}
