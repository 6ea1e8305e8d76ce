//! Whether what tests share may be shared in a run: by a traced run of each test.
//!
//! A tracer tells which objects a statement changed, through whatever alias, and which files, variables of the environment, clocks and
//! attributes of modules and classes it used or changed. The rest of a test may stand before the rest of another only if it changes
//! nothing that was there before it. What cannot be looked into, and what is used outside the test, forbids sharing.

use super::Request;
use paring_engine::{Runs, Stop};
use paring_model::{
    Facts, Form, How, Op, PlaceId, Refusal, Resource, Shape, StmtId, TargetSpec, TextRange, Unit,
};
use std::collections::BTreeSet;

/// What the rest of a test does to what was there before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rested {
    LeavesAll,
    Changes,
}

/// What the steps behind the first ones do; an error of the inner kind where that cannot be told or is not shared.
pub fn rested(
    request: &Request<'_>,
    runs: &Runs<'_>,
    source: &str,
    id: &str,
    shape: &Shape,
    n_steps: usize,
) -> Result<Result<Rested, Refusal>, Stop> {
    let (unit, _) = request.frontend.parse(request.path, source, &TargetSpec::new(id));
    let facts = runs.trace(&unit, &unit.candidate(source.to_owned(), Form::Blanked))?;
    if !facts.observed {
        return Ok(Err(Refusal::new("unknown_state", "it could not be traced")));
    }
    Ok(told(&unit, &facts, shape, n_steps))
}

fn told(unit: &Unit, facts: &Facts, shape: &Shape, n_steps: usize) -> Result<Rested, Refusal> {
    let refuse = |text: String| Err(Refusal::new("unknown_state", text));
    if facts.threads {
        return refuse("it starts threads".to_owned());
    }
    let ids = |range: TextRange| unit.ids().filter(move |&id| range.covers(unit.stmt(id).range));
    let of_steps = |steps: &[paring_model::Step]| -> BTreeSet<StmtId> {
        steps.iter().flat_map(|step| ids(step.range)).collect()
    };
    let (first, rest) = (of_steps(&shape.steps[..n_steps]), of_steps(&shape.steps[n_steps..]));
    let mut changes = false;
    for (touch, resource) in facts.resources.touches() {
        let is_first = first.contains(&touch.stmt);
        if !is_first && !rest.contains(&touch.stmt) {
            continue;
        }
        match resource {
            Resource::Output(_) => {}
            Resource::Attribute { .. } if touch.how == How::Use => {}
            Resource::Attribute { .. } | Resource::Logger(_) if !is_first => changes = true,
            _ => return refuse(format!("it depends on or changes {resource}")),
        }
    }
    let made: BTreeSet<PlaceId> = defined(unit, &first);
    if let Some(place) = made.iter().find(|place| facts.opaque.contains(place)) {
        return refuse(format!("{} cannot be looked into", unit.place(*place).name));
    }
    let own: BTreeSet<PlaceId> = defined(unit, &rest).difference(&made).copied().collect();
    let mut touched = rest.iter().filter_map(|id| facts.changed.get(id)).flatten();
    changes |= touched.any(|place| !own.contains(place));
    changes |= rest.iter().any(|id| redefines(unit, *id, &made));
    Ok(if changes { Rested::Changes } else { Rested::LeavesAll })
}

fn defined(unit: &Unit, stmts: &BTreeSet<StmtId>) -> BTreeSet<PlaceId> {
    let ops = stmts.iter().flat_map(|&id| &unit.stmt(id).ops);
    ops.filter_map(|op| match op {
        Op::Define(place) | Op::MayDefine(place) => Some(*place),
        Op::Use(_) | Op::Mutate(_) | Op::Call(_) => None,
    })
    .collect()
}

fn redefines(unit: &Unit, id: StmtId, made: &BTreeSet<PlaceId>) -> bool {
    unit.stmt(id).ops.iter().any(|op| match op {
        Op::Define(place) | Op::MayDefine(place) | Op::Mutate(place) => made.contains(place),
        Op::Use(_) | Op::Call(_) => false,
    })
}
