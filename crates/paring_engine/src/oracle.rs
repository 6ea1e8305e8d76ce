//! The original's failure, and whether another run shows the same one.
//!
//! Same means: same phase, same exception types and messages along the chain of causes (volatile parts levelled), same frames
//! below the test, same failing statement. Each part can be relaxed. The truth table, for a strict oracle:
//!
//! | observed | verdict |
//! |---|---|
//! | all parts alike | `Same` |
//! | passed, skipped, died | `Other` |
//! | hung at the same place, where the original hangs | `Same` |
//! | another type, message, frame or statement | `Other`, naming the first that differs |
//! | all alike, and the process is left changed as the original does not leave it | `Other` |
//! | does not compile, no such test | `Broken` |
//!
//! Of a test that is to pass, only a pass is `Same`.

use crate::hang;
use crate::normal::{Mask, mask};
use paring_model::literal::smaller;
use paring_model::{
    BrokenKind, Candidate, Difference, EditSet, Failure, Form, Frame, Frontend, Observation, Position,
    StmtId, TargetSpec, Unit, Verdict,
};
use std::collections::BTreeSet;

/// Which parts must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent switches, as the option has them")]
pub struct Same {
    pub exception: bool,
    pub message: bool,
    pub frames: bool,
    pub statement: bool,
}

impl Default for Same {
    fn default() -> Self {
        Self { exception: true, message: true, frames: true, statement: true }
    }
}

/// What the observations of the original amount to.
#[derive(Clone, Debug)]
pub enum Baseline {
    /// It always failed in the same way.
    Stable(Box<Oracle>),
    Passing,
    Skipped {
        reason: String,
    },
    /// It failed in different ways, or not always.
    Flaky {
        seen: Vec<Observation>,
    },
    Broken {
        message: String,
        line: Option<u32>,
        kind: BrokenKind,
    },
    /// It never ended, and nobody knows at which statement; where it was when it was stopped, outermost first.
    Hung {
        stack: Vec<Position>,
    },
}

/// What a run must show.
#[derive(Clone, Debug)]
pub enum Shows {
    Fails(Failure),
    /// It does not end.
    Hangs(Failure),
    /// The process ends in this way.
    Dies {
        how: String,
    },
    Passes,
}

#[derive(Clone, Debug)]
pub struct Oracle {
    pub expected: Shows,
    same: Same,
    messages: Vec<Mask>,
    statement: Option<String>,
    /// Settings of the process that the original leaves changed, and a candidate may. `None` where nobody asks.
    left: Option<BTreeSet<String>>,
}

/// Draws the conclusion from the observations of the original. `allow_flaky` goes on with the most frequent failure.
pub fn baseline(unit: &Unit, seen: &[Observation], same: Same, allow_flaky: bool) -> Baseline {
    let first = seen.first().expect("the original is observed at least once");
    let flaky = || Baseline::Flaky { seen: seen.to_vec() };
    match first {
        Observation::Passed if seen.iter().all(|next| *next == Observation::Passed) => {
            return Baseline::Passing;
        }
        Observation::Skipped { reason }
            if seen.iter().all(|next| matches!(next, Observation::Skipped { .. })) =>
        {
            return Baseline::Skipped { reason: reason.clone() };
        }
        Observation::Broken { message, line, kind } => {
            return Baseline::Broken { message: message.clone(), line: *line, kind: *kind };
        }
        Observation::Hung { stack, below }
            if seen.iter().all(|next| matches!(next, Observation::Hung { .. }))
                && hang::failure(unit, stack, below).is_none() =>
        {
            return Baseline::Hung { stack: stack.clone() };
        }
        Observation::Passed
        | Observation::Skipped { .. }
        | Observation::Hung { .. }
        | Observation::Failed(_)
        | Observation::Died { .. } => {}
    }
    let failing: Vec<&Observation> = seen
        .iter()
        .filter(|next| {
            matches!(next, Observation::Failed(_) | Observation::Died { .. } | Observation::Hung { .. })
        })
        .collect();
    let Some(oracle) = failing.first().and_then(|first| oracle(unit, first, &failing, same)) else {
        return flaky();
    };
    let stable = seen.iter().all(|next| oracle.judge_in(unit, next).is_same());
    if stable || allow_flaky { Baseline::Stable(Box::new(oracle)) } else { flaky() }
}

fn oracle(unit: &Unit, first: &Observation, failing: &[&Observation], same: Same) -> Option<Oracle> {
    let oracle = match first {
        Observation::Failed(failure) => {
            let alike: Vec<&Failure> = failing
                .iter()
                .filter_map(|next| match next {
                    Observation::Failed(other) if other.exceptions.len() == failure.exceptions.len() => {
                        Some(other)
                    }
                    _ => None,
                })
                .collect();
            let messages = (0..failure.exceptions.len())
                .map(|idx| {
                    mask(&alike.iter().map(|f| f.exceptions[idx].message.as_str()).collect::<Vec<_>>())
                })
                .collect();
            let statement = statement_text(unit, failure.site());
            let left = alike.iter().flat_map(|failure| failure.left.iter().cloned()).collect();
            Oracle { expected: Shows::Fails(failure.clone()), same, messages, statement, left: Some(left) }
        }
        Observation::Died { how } => Oracle {
            expected: Shows::Dies { how: how.clone() },
            same,
            messages: Vec::new(),
            statement: None,
            left: None,
        },
        Observation::Hung { stack, below } => {
            let failure = hang::failure(unit, stack, below)?;
            let statement = statement_text(unit, failure.site());
            Oracle { expected: Shows::Hangs(failure), same, messages: Vec::new(), statement, left: None }
        }
        Observation::Passed | Observation::Skipped { .. } | Observation::Broken { .. } => {
            unreachable!("only failing observations make an oracle")
        }
    };
    Some(oracle)
}

impl Oracle {
    /// Of a test that is to pass.
    pub fn passes() -> Self {
        let same = Same::default();
        Self { expected: Shows::Passes, same, messages: Vec::new(), statement: None, left: None }
    }

    /// Of a failure that was seen in the text of `unit`.
    pub fn of_failure(unit: &Unit, failure: &Failure, same: Same) -> Self {
        let seen = Observation::Failed(failure.clone());
        oracle(unit, &seen, &[&seen], same).expect("every failure makes an oracle")
    }

    /// The same failure, at whatever place of whatever text, and whatever the process is left like.
    #[must_use]
    pub fn anywhere(self) -> Self {
        Self { same: Same { statement: false, ..self.same }, left: None, ..self }
    }

    /// The failure to preserve, where the test is to fail.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.expected {
            Shows::Fails(failure) | Shows::Hangs(failure) => Some(failure),
            Shows::Dies { .. } | Shows::Passes => None,
        }
    }

    /// Whether the failure is that the test does not end.
    pub fn hangs(&self) -> bool {
        matches!(self.expected, Shows::Hangs(_))
    }

    /// The statements of a unit at which the same failure may be; none where it may be anywhere.
    pub fn may_fail_at(&self, unit: &Unit) -> Option<Vec<StmtId>> {
        let wanted = self.statement.as_ref().filter(|_| self.same.statement)?;
        Some(unit.ids().filter(|&id| text_of(unit, id) == *wanted).collect())
    }

    /// The oracle for a draft written out compactly. Where literals of the failing statement became smaller, its text is no longer
    /// the original's: it is that of the statement that stands in its place.
    #[must_use]
    pub fn of_draft(&self, unit: &Unit, frontend: &dyn Frontend, edits: &EditSet) -> Self {
        let site = self.failure().and_then(Failure::site);
        let failing = site.and_then(|site| stmt_of(unit, site));
        if !smaller(unit, edits).iter().any(|literal| Some(literal.stmt) == failing) {
            return self.clone();
        }
        // With removed text blanked, every statement is where it was.
        let candidate = frontend.edited(unit, edits, Form::Blanked);
        let (written, _) = frontend.parse(&unit.path, candidate.text(), &TargetSpec::new(candidate.target()));
        Self { statement: statement_text(&written, site), ..self.clone() }
    }

    /// Judges a run of a candidate of `unit`. A blanked candidate has the unit's own positions; another is parsed.
    pub fn judge(
        &self,
        unit: &Unit,
        frontend: &dyn Frontend,
        candidate: &Candidate,
        observation: &Observation,
    ) -> Verdict {
        match candidate.form {
            Form::Blanked => self.judge_in(unit, observation),
            Form::Compact => {
                let target = TargetSpec::new(candidate.target());
                let (written, _) = frontend.parse(&unit.path, candidate.text(), &target);
                self.judge_in(&written, observation)
            }
        }
    }

    /// Judges an observation whose positions are those of `unit`.
    pub fn judge_in(&self, unit: &Unit, observation: &Observation) -> Verdict {
        let other = Verdict::Other;
        match (observation, &self.expected) {
            (Observation::Failed(found), Shows::Fails(wanted)) => {
                self.difference(unit, found, wanted).map_or(Verdict::Same, other)
            }
            (Observation::Died { how: found }, Shows::Dies { how }) if found == how => Verdict::Same,
            (Observation::Passed, Shows::Passes) => Verdict::Same,
            (Observation::Hung { stack, below }, Shows::Hangs(wanted)) => {
                self.other_hang(unit, stack, below, wanted).map_or(Verdict::Same, other)
            }
            (Observation::Failed(found), Shows::Dies { .. } | Shows::Passes | Shows::Hangs(_)) => {
                let line = found.site().map(|site| site.line);
                other(Difference::Type { found: found.exception().type_name.clone(), line })
            }
            (Observation::Died { .. }, _) => other(Difference::Died),
            (Observation::Passed, _) => other(Difference::Passed),
            (Observation::Skipped { .. }, _) => other(Difference::Skipped),
            (Observation::Hung { .. }, _) => other(Difference::Hung),
            (Observation::Broken { message, line, .. }, _) => {
                Verdict::Broken { message: message.clone(), line: *line }
            }
        }
    }

    fn other_hang(
        &self,
        unit: &Unit,
        stack: &[Position],
        below: &[Frame],
        wanted: &Failure,
    ) -> Option<Difference> {
        let Some(found) = hang::failure(unit, stack, below) else { return Some(Difference::Hung) };
        if self.same.statement && statement_text(unit, found.site()) != self.statement {
            return Some(Difference::Statement { line: found.site().map(|site| site.line) });
        }
        hang::difference(wanted, &found).filter(|_| self.same.frames)
    }

    fn difference(&self, unit: &Unit, found: &Failure, wanted: &Failure) -> Option<Difference> {
        let line = found.site().map(|site| site.line);
        if found.phase != wanted.phase {
            return Some(Difference::Phase);
        }
        if self.same.exception && types(found) != types(wanted) {
            return Some(Difference::Type { found: found.exception().type_name.clone(), line });
        }
        let statement = statement_text(unit, found.site());
        if self.same.statement && statement != self.statement {
            return Some(Difference::Statement { line });
        }
        if self.same.message && !self.same_messages(found) {
            return Some(Difference::Message { found: found.exception().message.clone() });
        }
        if self.same.frames && distinct(&found.below) != distinct(&wanted.below) {
            return Some(Difference::Frames);
        }
        let is_new = |what: &&String| self.left.as_ref().is_some_and(|left| !left.contains(*what));
        found.left.iter().find(is_new).map(|what| Difference::Left { what: what.clone() })
    }

    fn same_messages(&self, found: &Failure) -> bool {
        found.exceptions.len() == self.messages.len()
            && found
                .exceptions
                .iter()
                .zip(&self.messages)
                .all(|(exception, mask)| mask.matches(&exception.message))
    }
}

fn types(failure: &Failure) -> Vec<&str> {
    failure.exceptions.iter().map(|exception| exception.type_name.as_str()).collect()
}

/// A frame counts once: how often a recursion goes round before it ends depends on the runner's own stack.
fn distinct(frames: &[Frame]) -> Vec<&Frame> {
    let mut seen = Vec::new();
    for frame in frames {
        if !seen.contains(&frame) {
            seen.push(frame);
        }
    }
    seen
}

/// The text of the statement at a position (of a compound one, its header), white space left out.
fn statement_text(unit: &Unit, site: Option<Position>) -> Option<String> {
    Some(text_of(unit, stmt_of(unit, site?)?))
}

fn text_of(unit: &Unit, id: StmtId) -> String {
    let text = unit.stmt(id).header.of(&unit.source);
    text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect()
}

/// The statement at a position. Without a column, the first that begins on the line or else spans it.
pub fn stmt_of(unit: &Unit, position: Position) -> Option<StmtId> {
    let start = unit.offset_of(position.line, 0)?;
    let indent =
        unit.source[start as usize..].bytes().take_while(|byte| *byte == b' ' || *byte == b'\t').count();
    let indent = u32::try_from(indent).ok()?;
    let column = position.column.unwrap_or(indent);
    let behind_brace = || clause_after_brace(unit, start + indent);
    position
        .column
        .is_none()
        .then(behind_brace)
        .flatten()
        .or_else(|| unit.stmt_at(start + column))
        .or_else(|| unit.stmt_at(start + indent))
}

/// The clause that begins behind the brace a line begins with: `} else if (…) {`.
fn clause_after_brace(unit: &Unit, at: u32) -> Option<StmtId> {
    let rest = unit.source[at as usize..].strip_prefix('}')?;
    let n_blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let start = at + 1 + u32::try_from(n_blanks).ok()?;
    let found = unit.stmt_at(start)?;
    (unit.stmt(found).kind.is_clause() && unit.stmt(found).range.start == start).then_some(found)
}
