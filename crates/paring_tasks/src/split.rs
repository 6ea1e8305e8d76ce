//! One passing test that checks too much in, several that check one thing each out.
//!
//! As DS3 has it (Messaoudi et al., ISSTA 2021), and verified by runs where the paper argues. The stages, one file each: [`check`]
//! finds what the test checks; [`original`] has it run and traced; [`depth`] slices from there; [`scenario`] puts checks together that need the same statements;
//! [`unasserted`] finds a place for calls that nothing is checked of; [`share`] leaves out what only others need; [`settle`] tries scenarios [`alone`] until all pass; [`name`] names them;
//! [`together`] runs the written file; [`repair`] gives scenarios more where something got lost.
//!
//! ```text
//! cart = Cart()                       test_shop_total                   test_shop_words
//! cart.add("tea", 4)                  cart = Cart()                     assert words("a b") == 2
//! assert words("a b") == 2       →    cart.add("tea", 4)
//! assert cart.total() == 4            assert cart.total() == 4
//! ```

mod alone;
mod bundle;
mod callers;
mod check;
mod cost;
mod depth;
mod draft;
mod estimate;
mod explain;
mod name;
mod named;
mod original;
mod outcome;
mod repair;
mod scenario;
mod set_up;
mod settle;
mod share;
mod table;
mod together;
mod unasserted;
mod words;

pub use estimate::{Estimate, EstimatedTest, Told, estimate};
use outcome::Ended;
pub use outcome::{Cost, NewTest, Reference, SplitFile, SplitOutcome, SplitStatus, Splitter, Whole};
pub use scenario::Grouping;
pub use set_up::SetUpStyle;

use crate::keeping::Keeping;
use crate::minimize::Hints;
use crate::outcome::OutcomeError;
use alone::Alone;
use bundle::Unbundled;
use callers::by_callers;
use camino::Utf8Path;
use check::{Check, checks};
use depth::{Depth, Sources};
use draft::edits;
use name::{Subject, names};
use original::observed;
use paring_engine::{Ports, Runs, Stop};
use paring_graph::{Level, dependence};
use paring_model::{
    Body, Draft, ErrorCode, Event, Facts, Form, Frontend, Name, StmtId, StmtSet, TargetSpec, TestDraft,
    TokenKind, Unit, Watch,
};
use settle::{Plan, Settled, settle};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use table::Tables;
use together::Verified;
use words::Words;

/// How long a run may take where the user set no limit.
const TIMEOUT: Duration = Duration::from_mins(1);

/// What to split, with what, and how.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub ports: Ports<'a>,
    pub frontend: &'a dyn Frontend,
    pub target: &'a TargetSpec,
    pub path: &'a Utf8Path,
    /// The path that programs know the file by.
    pub short_path: &'a str,
    pub source: &'a str,
    pub hints: &'a Hints,
    pub grouping: Grouping,
    pub strategy: Splitter,
    pub drop_unasserted: bool,
    /// Where set-up goes that several new tests have.
    pub set_up: SetUpStyle,
    /// How many times as long as the old test the new ones may take together.
    pub max_cost: f64,
    /// How many faults that the original catches are looked for.
    pub n_mutants: usize,
    /// Who was asked to see what the interpreter does not.
    pub watch: Watch,
    /// Whether new tests are run; else nothing is but the trace of the original.
    pub verifies: bool,
    pub timeout: Option<Duration>,
    /// What orders are drawn with.
    pub seed: u64,
}

/// Whether a test checks more than one thing, as far as its text tells.
pub fn checks_much(frontend: &dyn Frontend, path: &Utf8Path, source: &str, target: &TargetSpec) -> bool {
    let unit = frontend.parse(path, source, target).0;
    let checks = checks(frontend, &unit);
    checks.len() > 1 || !Tables::of(frontend, &unit, &checks).is_empty()
}

/// Does the whole job on one test. Never fails: what went wrong is in the outcome.
pub fn split(request: &Request<'_>) -> SplitOutcome {
    let runs = Runs::new(request.ports);
    let mut outcome = SplitOutcome::unknown(&request.target.id, request.strategy);
    match take_apart(request, &runs, &mut outcome) {
        Ok(()) => {}
        Err(Ended::Whole(whole)) => {
            (outcome.status, outcome.reason) = (SplitStatus::Whole, Some(whole));
        }
        Err(Ended::Stopped(stop)) => stopped(&mut outcome, stop),
    }
    outcome.runs = runs.counts();
    outcome.elapsed = runs.elapsed();
    outcome
}

fn stopped(outcome: &mut SplitOutcome, stop: Stop) {
    match stop {
        Stop::Interrupted => (outcome.status, outcome.unfinished) = (SplitStatus::Interrupted, true),
        Stop::Budget => {
            outcome.unfinished = true;
            outcome.error = Some(OutcomeError {
                code: ErrorCode::Budget,
                message: "the budget was spent before the new tests were verified".to_owned(),
                help: "give more with --budget; --resume goes on from here".to_owned(),
            });
        }
        Stop::Failed(failed) => outcome.error = Some(failed.into()),
    }
}

fn take_apart(request: &Request<'_>, runs: &Runs<'_>, outcome: &mut SplitOutcome) -> Result<(), Ended> {
    let (unit, problems) = request.frontend.parse(request.path, request.source, request.target);
    if let Some(error) = unreadable(request, &unit, problems.first().map(|problem| problem.message.as_str()))
    {
        outcome.error = Some(error);
        return Ok(());
    }
    if let Some(unbundled) = Unbundled::of(request, &unit) {
        let text = Request { source: &unbundled.working.text, ..*request };
        let (there, _) = request.frontend.parse(request.path, text.source, request.target);
        let mut tried = outcome.clone();
        let done = by_scenario(&text, runs, &there, Some(&unbundled), &mut tried);
        if matches!(done, Err(Ended::Stopped(_))) || tried.status == SplitStatus::Split {
            unbundled.translate(request, &mut tried);
            *outcome = tried;
            return done;
        }
    }
    by_scenario(request, runs, &unit, None, outcome)
}

/// Takes the test of a unit apart.
fn by_scenario(
    request: &Request<'_>,
    runs: &Runs<'_>,
    unit: &Unit,
    unbundled: Option<&Unbundled>,
    outcome: &mut SplitOutcome,
) -> Result<(), Ended> {
    let checks = checks(request.frontend, unit);
    (outcome.n_checks, outcome.n_statements) = (checks.len(), unit.test_body().len());
    let mut tables = Tables::of(request.frontend, unit, &checks);
    is_worth_trying(unit, &checks, &tables)?;
    let (facts, keeping) = if request.verifies {
        let Some((facts, keeping)) = observed(request, runs, unit, outcome)? else { return Ok(()) };
        (facts, Some(keeping))
    } else {
        runs.tell(Event::Stage { name: "observing" });
        (runs.trace(unit, &unit.candidate(unit.source.clone(), Form::Blanked))?, None)
    };
    let facts = by_callers(unit, facts);
    outcome.watched.clone_from(&facts.watched);
    if let Some(error) = not_watched(&facts, request.watch) {
        outcome.error = Some(error);
        return Ok(());
    }
    let words = Words::new(request.frontend, unit);
    let dependence = dependence(unit, &facts, Level::Passing);
    let sources = Sources { unit, facts: &facts, dependence: &dependence, words: &words };
    let timeout = Some(request.timeout.unwrap_or(TIMEOUT));
    tables.keep_independent(&sources);
    let alone = Alone { runs, frontend: request.frontend, unit, timeout, verifies: request.verifies };
    let found = Splitting { request, runs, sources: &sources, checks: &checks, alone: &alone, unbundled };
    if request.strategy != Splitter::Auto {
        let settled = match request.strategy {
            Splitter::Ds3 => named::ds3(unit, &facts, &checks),
            Splitter::Prefix | Splitter::Auto => named::prefix(unit, &checks),
        };
        return found.unverified(settled, outcome);
    }
    match keeping {
        Some(mut keeping) => found.verified(tables, &mut keeping, outcome),
        None => found.sliced(outcome),
    }
}

/// What is known of a test that may be taken apart.
struct Splitting<'a> {
    request: &'a Request<'a>,
    runs: &'a Runs<'a>,
    sources: &'a Sources<'a>,
    checks: &'a [Check],
    alone: &'a Alone<'a>,
    unbundled: Option<&'a Unbundled>,
}

impl Splitting<'_> {
    /// As a splitter to compare with finds them.
    fn unverified(&self, settled: Vec<Settled>, outcome: &mut SplitOutcome) -> Result<(), Ended> {
        let named = self.named(settled)?;
        together::unverified(self.request, self.sources, self.checks, &named, outcome)
    }

    /// As slices have them, where nothing is to be run.
    fn sliced(&self, outcome: &mut SplitOutcome) -> Result<(), Ended> {
        let plan = Plan {
            grouping: self.request.grouping,
            drop_unasserted: self.request.drop_unasserted,
            bound: &[],
        };
        let none = Tables::default();
        let settled = settle(self.sources, self.checks, &none, plan, &BTreeMap::new(), self.alone)?;
        self.unverified(settled, outcome)
    }

    /// Scenarios that pass, and lose nothing. Where something is lost, those that are about it get more of what ran before.
    fn verified(
        &self,
        mut tables: Tables,
        keeping: &mut Keeping,
        outcome: &mut SplitOutcome,
    ) -> Result<(), Ended> {
        let mut bound: Vec<(StmtId, StmtId)> = Vec::new();
        let mut deeper: BTreeMap<StmtId, Depth> = BTreeMap::new();
        loop {
            self.runs.tell(Event::Stage { name: "splitting" });
            let plan = Plan {
                grouping: self.request.grouping,
                drop_unasserted: self.request.drop_unasserted,
                bound: &bound,
            };
            let settled = settle(self.sources, self.checks, &tables, plan, &deeper, self.alone)?;
            if let Some(loop_id) = self.not_apart(&settled, &tables)? {
                tables.remove(loop_id);
                continue;
            }
            if self.unbundled.is_some_and(|it| !it.is_apart(self.sources.unit, self.checks, &settled)) {
                return Err(Whole::OneScenario.into());
            }
            let named = self.named(settled)?;
            self.runs.tell(Event::Stage { name: "verifying" });
            let verified = together::together(
                self.request,
                self.runs,
                self.sources,
                self.checks,
                together::NewTests { named: &named, tables: &tables },
                keeping,
                outcome,
            )?;
            let loss = match verified {
                Verified::Holds => return Ok(()),
                Verified::Lost(loss) => loss,
                Verified::Costs(ratio) => {
                    bound.push(cost::closest(self.checks, &named).ok_or(Whole::Costs { ratio })?);
                    continue;
                }
            };
            if !repair::deepen(self.sources.unit, self.checks, &named, &loss, &mut deeper) {
                return Err(together::lost(self.sources.unit, loss).into());
            }
        }
    }

    /// A loop that is no parametrised test: one of its iterations does not pass alone, or it cannot be written.
    fn not_apart(&self, settled: &[Settled], tables: &Tables) -> Result<Option<StmtId>, Stop> {
        for it in settled {
            let Some(id) = it.table else { continue };
            let Some(rounds) = tables.each_round(self.sources.unit, it) else { return Ok(Some(id)) };
            if !self.alone.all_pass(rounds)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    fn named(&self, settled: Vec<Settled>) -> Result<Vec<Named>, Ended> {
        if settled.len() < 2 && self.checks.len() < 2 && settled.iter().all(|it| it.table.is_none()) {
            return Err(Whole::OneCheck.into());
        }
        if settled.len() < 2 && settled.iter().all(|it| it.table.is_none()) {
            return Err(Whole::OneScenario.into());
        }
        Ok(with_names(self.request, self.sources, self.checks, settled))
    }
}

fn unreadable(request: &Request<'_>, unit: &Unit, problem: Option<&str>) -> Option<OutcomeError> {
    let error = |code, message: String, help: &str| OutcomeError { code, message, help: help.to_owned() };
    match problem {
        Some(problem) => {
            Some(error(ErrorCode::SyntaxError, problem.to_owned(), "correct the syntax error first"))
        }
        None if unit.test.is_none() => {
            let message = format!("{} does not define {}", request.short_path, request.target.id);
            Some(error(ErrorCode::NoSource, message, request.hints.no_source))
        }
        None => None,
    }
}

/// Whether there is anything to tell apart.
fn is_worth_trying(unit: &Unit, checks: &[Check], tables: &Tables) -> Result<(), Whole> {
    let def = unit.test.and_then(|test| unit.routine(test).def);
    let is_protected = def.is_some_and(|def| unit.stmt(def).protected)
        || unit.test_body().into_iter().any(|id| unit.stmt(id).protected);
    match checks.len() {
        _ if is_protected => Err(Whole::Protected),
        0 => Err(Whole::NoCheck),
        1 if tables.is_empty() => Err(Whole::OneCheck),
        _ => Ok(()),
    }
}

/// Why there are no facts as they were asked for.
fn not_watched(facts: &Facts, watch: Watch) -> Option<OutcomeError> {
    let watched = facts.watched.as_ref().filter(|watched| watched.refused)?;
    Some(OutcomeError {
        code: ErrorCode::NoTrace,
        message: format!("--watch {} cannot watch here: {}", watch.word(), watched.why.join("; ")),
        help: "--watch auto takes what can be had".to_owned(),
    })
}

/// A new test with its name.
struct Named {
    name: String,
    settled: Settled,
}

fn with_names(
    request: &Request<'_>,
    sources: &Sources<'_>,
    checks: &[Check],
    settled: Vec<Settled>,
) -> Vec<Named> {
    let tokens = request.frontend.tokens(&sources.unit.source).into_iter();
    let known: BTreeSet<String> = tokens
        .filter(|token| token.kind == TokenKind::Name)
        .map(|token| token.range.of(&sources.unit.source).to_owned())
        .collect();
    let others = |idx: usize| -> StmtSet {
        let others = settled.iter().enumerate().filter(|(other, _)| *other != idx);
        others.flat_map(|(_, other)| other.stmts.iter().collect::<Vec<_>>()).collect()
    };
    let subjects: Vec<Subject<'_>> = settled
        .iter()
        .enumerate()
        .map(|(idx, it)| {
            let others = others(idx);
            Subject {
                stmts: &it.stmts,
                checks: it.checks.iter().filter_map(|&idx| checks.get(idx)).map(|check| check.stmt).collect(),
                own: it.stmts.iter().filter(|&id| !others.contains(id)).collect(),
            }
        })
        .collect();
    let names = names(sources.unit, sources.words, &subjects, &|name| !known.contains(name));
    names.into_iter().zip(settled).map(|(name, settled)| Named { name, settled }).collect()
}

/// A test whose loops are told apart, or one that is the old one with less in it.
fn body(unit: &Unit, tables: &Tables, settled: &Settled) -> Body {
    let plain = || Body::Edited { unit: 0, edits: edits(unit, &settled.stmts) };
    tables.body(unit, settled).unwrap_or_else(plain)
}

/// All new tests in the place of the old one.
fn draft_of(unit: &Unit, tables: &Tables, named: &[Named]) -> Draft {
    let old = unit.test.map(|test| unit.routine(test).name.as_str());
    let name = |name: &str| if Some(name) == old { Name::AsItWas } else { Name::New(name.to_owned()) };
    let test = |it: &Named| TestDraft { name: name(&it.name), body: body(unit, tables, &it.settled) };
    Draft::of(named.iter().map(test).collect())
}
