//! What each step of a test uses and changes, by a traced run of the test.
//!
//! A tracer tells which objects a statement changed, through whatever alias, and which files, variables of the environment, clocks and
//! attributes of modules and classes it used or changed. What cannot be looked into, and what is used outside the test, forbids
//! sharing.

use super::Request;
use paring_engine::{Runs, Stop};
use paring_model::{
    Call, Facts, Form, How, Op, PlaceId, PlaceScope, Refusal, Resource, Shape, StmtId, TargetSpec, Unit,
};
use std::collections::BTreeSet;

/// What one step does to variables, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    pub uses: BTreeSet<String>,
    pub defines: BTreeSet<String>,
    /// Those whose objects are others afterwards, or have another state.
    pub changes: BTreeSet<String>,
    /// Whether it changes something that no variable holds.
    pub changes_hidden: bool,
}

/// What a test does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    pub steps: Vec<Effect>,
    /// Variables whose objects cannot be looked into.
    pub opaque: BTreeSet<String>,
    /// Pairs of variables: the object of the first could be reached from the second.
    pub reaches: BTreeSet<(String, String)>,
}

/// Traces a test; an error of the inner kind where nothing of it may be shared.
pub fn effects(
    request: &Request<'_>,
    runs: &Runs<'_>,
    source: &str,
    id: &str,
    shape: &Shape,
) -> Result<Result<Effects, Refusal>, Stop> {
    let (unit, _) = request.frontend.parse(request.path, source, &TargetSpec::new(id));
    let facts = runs.trace(&unit, &unit.candidate(source.to_owned(), Form::Blanked))?;
    if !facts.observed {
        return Ok(Err(Refusal::new("unknown_state", "it could not be traced")));
    }
    Ok(told(&unit, &facts, shape))
}

fn told(unit: &Unit, facts: &Facts, shape: &Shape) -> Result<Effects, Refusal> {
    if facts.threads {
        return Err(Refusal::new("unknown_state", "it starts threads"));
    }
    let mut steps = Vec::new();
    for step in &shape.steps {
        let own: BTreeSet<StmtId> = unit.ids().filter(|&id| step.range.covers(unit.stmt(id).range)).collect();
        let mut effect = of_step(unit, facts, &own);
        effect.changes_hidden = changes_hidden(facts, &own)?;
        steps.push(effect);
    }
    let name = |place: &PlaceId| name_of(unit, *place);
    let pairs = facts.reaches.iter().filter_map(|(inner, outer)| Some((name(inner)?, name(outer)?)));
    Ok(Effects { steps, opaque: facts.opaque.iter().filter_map(name).collect(), reaches: pairs.collect() })
}

/// Whether a step changes an attribute of a module or class; an error where it touches what is outside the process.
fn changes_hidden(facts: &Facts, own: &BTreeSet<StmtId>) -> Result<bool, Refusal> {
    let mut changes = false;
    for (touch, resource) in facts.resources.touches().filter(|(touch, _)| own.contains(&touch.stmt)) {
        match resource {
            Resource::Output(_) => {}
            Resource::Attribute { .. } if touch.how == How::Use => {}
            Resource::Attribute { .. } | Resource::Logger(_) => changes = true,
            _ => {
                let text = format!("it depends on or changes {resource}");
                return Err(Refusal::new("unknown_state", text));
            }
        }
    }
    Ok(changes)
}

fn of_step(unit: &Unit, facts: &Facts, own: &BTreeSet<StmtId>) -> Effect {
    let mut effect = Effect::default();
    let name = |place: &PlaceId| name_of(unit, *place);
    for op in own.iter().flat_map(|&id| &unit.stmt(id).ops) {
        match op {
            Op::Use(place) => effect.uses.extend(name(place)),
            Op::Define(place) | Op::MayDefine(place) => effect.defines.extend(name(place)),
            Op::Mutate(place) => effect.changes.extend(name(place)),
            Op::Call(Call { receiver, args, .. }) => {
                effect.uses.extend(receiver.iter().chain(args).filter_map(name));
            }
        }
    }
    let changed = own.iter().filter_map(|id| facts.changed.get(id)).flatten();
    effect.changes.extend(changed.filter_map(name));
    effect
}

/// What a place is called; nothing for what has no name in the test.
fn name_of(unit: &Unit, place: PlaceId) -> Option<String> {
    let place = unit.place(place);
    match place.scope {
        PlaceScope::Local(_) => Some(place.name.clone()),
        PlaceScope::Member => Some(format!("self.{}", place.name)),
        PlaceScope::Global => Some(format!("global {}", place.name)),
        PlaceScope::Hidden => None,
    }
}
