//! A search under way: the best draft so far, and all that is known of it. It can be stopped after any run.
//!
//! [`Search::take`] is the only way to progress: a draft becomes the current one when a run of it shows the same failure and
//! it is better in the one order. Whatever is learned on the way is kept in the search itself, so that [`Search::finish`]
//! hands over the same things whether the search came to its end or not.

use crate::criterion::Criterion;
use crate::lab::{Lab, Stop};
use crate::rules::{Rules, rules};
use crate::strategy::Level;
use crate::users::Users;
use paring_graph::{Dependence, Slice};
use paring_model::{EditSet, Facts, StmtId, StmtSet, Unit, Verdict};
use std::rc::Rc;

pub struct Search<'a> {
    pub lab: Lab<'a>,
    pub unit: &'a Unit,
    pub facts: &'a Facts,
    pub criterion: Criterion,
    /// What may be removed. A removal that fails may add to it.
    pub rules: Rules,
    level: Option<Level>,
    slice: Option<Slice>,
    graph: Option<Rc<Graph>>,
    /// The draft that experiments started from.
    start: Option<EditSet>,
    original: EditSet,
    tried_without: StmtSet,
    caution: StmtSet,
    bound: StmtSet,
    suspects: Vec<Suspect>,
}

/// What depends on what, at the level of the slice that held.
pub struct Graph {
    pub dependence: Dependence,
    pub users: Users,
}

/// A slice that holds.
pub struct Held {
    pub level: Level,
    pub slice: Slice,
    pub dependence: Dependence,
}

/// What a search came to, at its end or where it was stopped.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best draft that was judged the same failure; the original where there is none.
    pub edits: EditSet,
    pub level: Option<Level>,
    pub slice: Option<Slice>,
    pub rules: Rules,
    /// Statements that were removed by experiment and that the failure would miss if it had another cause.
    pub dropped: Vec<StmtId>,
    /// Statements without which a draft was judged, and found to be another failure. What was run ahead of need and not used is
    /// not among them.
    pub tried_without: StmtSet,
    /// Kept statements without which the failure was seen to be the same: correct code may need them.
    pub caution: StmtSet,
    /// Those without which the failing statement would have to go too.
    pub bound: StmtSet,
    /// Calls that change nothing: kept, and named.
    pub suspects: Vec<Suspect>,
}

/// A call without effect.
#[derive(Clone, Debug)]
pub struct Suspect {
    pub stmt: StmtId,
    /// The draft without it, which fails the same way.
    pub without: EditSet,
}

impl<'a> Search<'a> {
    pub fn new(lab: Lab<'a>, facts: &'a Facts, criterion: Criterion) -> Self {
        let unit = lab.unit;
        Self {
            lab,
            unit,
            facts,
            criterion,
            rules: Rules::default(),
            level: None,
            slice: None,
            graph: None,
            start: None,
            original: EditSet::all(unit),
            tried_without: StmtSet::default(),
            caution: StmtSet::default(),
            bound: StmtSet::default(),
            suspects: Vec::new(),
        }
    }

    /// Begins with the original, which was seen to fail.
    pub fn start_from_original(&mut self) {
        self.lab.accept(&self.original);
    }

    /// The best draft so far; the original where none was taken.
    pub fn current(&self) -> &EditSet {
        self.lab.best.as_ref().unwrap_or(&self.original)
    }

    /// Whether a draft was taken.
    pub fn has_result(&self) -> bool {
        self.lab.best.is_some()
    }

    /// Takes a draft that is the same failure and better than the current one. Says whether it is the current one then.
    pub fn take(&mut self, draft: &EditSet) -> Result<bool, Stop> {
        if !self.lab.holds(draft)? {
            return Ok(false);
        }
        self.lab.accept(draft);
        Ok(same_edits(self.current(), draft))
    }

    /// Tries a draft in which one statement is left out, with all that cannot stay without it.
    pub fn take_without(&mut self, id: StmtId, draft: &EditSet) -> Result<bool, Stop> {
        let is_taken = self.take(draft)?;
        if !is_taken {
            self.note_needed(id);
        }
        Ok(is_taken)
    }

    /// Remembers that a draft without the statement was judged, and that it is another failure.
    pub fn note_needed(&mut self, id: StmtId) {
        self.tried_without.insert(id);
    }

    /// The statements of which that is remembered.
    pub fn tried_without(&self) -> &StmtSet {
        &self.tried_without
    }

    /// The verdict on a draft that is not to be taken.
    pub fn judge(&mut self, draft: &EditSet) -> Result<Verdict, Stop> {
        self.lab.judge(draft)
    }

    /// Goes on from a slice that was taken, under the rules that follow from it.
    pub fn go_on_from(&mut self, held: Held) {
        let failure = self.lab.oracle.failure();
        let freedom = self.lab.bench.freedom();
        self.rules = rules(self.unit, self.facts, &self.criterion, failure, &held.slice, freedom);
        let users = Users::new(self.unit, &held.dependence);
        self.graph = Some(Rc::new(Graph { dependence: held.dependence, users }));
        self.start = Some(self.current().clone());
        self.note_slice(Some(held.level), Some(held.slice));
    }

    /// Remembers what the result stands on.
    pub fn note_slice(&mut self, level: Option<Level>, slice: Option<Slice>) {
        (self.level, self.slice) = (level, slice);
    }

    /// Remembers that the failure is the same without these, which stay.
    pub fn note_caution(&mut self, stmts: &StmtSet) {
        self.caution.union_with(stmts);
    }

    /// Remembers that the failing statement cannot do without these.
    pub fn note_bound(&mut self, stmts: StmtSet) {
        self.bound = stmts;
    }

    pub fn note_suspect(&mut self, suspect: Suspect) {
        self.suspects.push(suspect);
    }

    /// The dependences that experiments go by.
    pub fn graph(&self) -> Rc<Graph> {
        Rc::clone(self.graph.as_ref().expect("experiments go on from a slice"))
    }

    /// All that was found.
    pub fn finish(self) -> SearchResult {
        let edits = self.current().clone();
        let was_there = |start: &EditSet| start.kept.iter().collect::<Vec<_>>();
        let gone = self.start.iter().flat_map(was_there).filter(|&id| !edits.kept.contains(id));
        SearchResult {
            dropped: gone.filter(|&id| self.rules.watched.contains(id)).collect(),
            level: self.level,
            slice: self.slice,
            rules: self.rules,
            tried_without: self.tried_without,
            caution: self.caution,
            bound: self.bound,
            suspects: self.suspects,
            edits,
        }
    }
}

/// Sets may be equal and of different capacity.
fn same_edits(one: &EditSet, other: &EditSet) -> bool {
    one.kept.iter().eq(other.kept.iter())
        && one.unwrapped.iter().eq(other.unwrapped.iter())
        && one.trims.iter().eq(other.trims.iter())
}
