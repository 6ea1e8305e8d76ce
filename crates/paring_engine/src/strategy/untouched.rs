//! An object that the test made, that was handed to a call, and that nothing had changed when the assertion looked at it.
//!
//! ```java
//! ByteBuffer b = ByteBuffer.wrap(bytes);
//! char[] text = Hex.encodeHex(b);       // was to read it to its end
//! assertEquals(0, b.remaining());
//! ```
//!
//! The assertion fails without the call too, and on good code then as well: nothing shows what the call was to do but that
//! somebody looks at the object afterwards.
//!
//! Where the failing statement hands it to that very function too, it is what the function works on, and nobody looks at it.
//!
//! So with a method of the object itself, if its name is not that of a question:
//!
//! ```java
//! boolean cancelled = list.cancel("ann");   // was to take her off
//! assertEquals(0, list.size());
//! ```

use crate::ops::{callee_text, calls, may_act_on, uses};
use paring_model::{Call, CallResult, Facts, Op, PlaceId, PlaceScope, StmtId, StmtKind, Unit};

/// Calls that may have failed to change what the failing statement looks at.
pub fn was_to_change(unit: &Unit, facts: &Facts, failing: StmtId) -> Vec<StmtId> {
    if !facts.observed {
        return Vec::new();
    }
    let routine = unit.stmt(failing).routine;
    let before: Vec<StmtId> = unit
        .ids()
        .filter(|&id| id < failing && unit.stmt(id).routine == routine && facts.hits.contains_key(&id))
        .collect();
    let looked_at = uses(unit, failing);
    let mut found: Vec<StmtId> = looked_at
        .into_iter()
        .filter(|place| !facts.immutable.contains(place))
        .flat_map(|place| {
            let mut calls = given_to(unit, facts, &before, place, failing);
            calls.extend(asked_to_act(unit, facts, &before, place));
            calls
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The statements since the object was made that hand it to a call for a value, where none of them changed it.
fn given_to(unit: &Unit, facts: &Facts, before: &[StmtId], place: PlaceId, failing: StmtId) -> Vec<StmtId> {
    let made = before.iter().rposition(|&id| unit.stmt(id).ops.contains(&Op::Define(place)));
    let Some(made) = made.filter(|&at| is_made_by_the_test(unit, before[at])) else { return Vec::new() };
    let since = &before[made + 1..];
    let is_changed = |&id: &StmtId| {
        facts.changed.get(&id).is_some_and(|it| it.contains(&place)) || acts_on(unit, id, place)
    };
    if since.iter().any(is_changed) {
        return Vec::new();
    }
    let takes_it = |call: &Call| {
        is_for_value(call) && call.args.contains(&place) && !is_input(unit, failing, place, call)
    };
    let is_given = |id: &StmtId| calls(unit, *id).any(takes_it);
    since.iter().copied().filter(is_given).collect()
}

/// Whether the failing statement does nothing with the object but hand it to the function that was called before.
fn is_input(unit: &Unit, failing: StmtId, place: PlaceId, call: &Call) -> bool {
    let callee = callee_text(unit, call);
    let takes_it = |again: &&Call| again.args.contains(&place) && callee_text(unit, again) == callee;
    let n_uses = unit.stmt(failing).ops.iter().filter(|op| **op == Op::Use(place)).count();
    calls(unit, failing).filter(takes_it).count() >= n_uses
}

/// The statements since the last change of a local object that call it for a value, and not only to ask.
fn asked_to_act(unit: &Unit, facts: &Facts, before: &[StmtId], place: PlaceId) -> Vec<StmtId> {
    if unit.place(place).scope == PlaceScope::Global {
        return Vec::new();
    }
    let is_changed = |id: &StmtId| {
        unit.stmt(*id).ops.contains(&Op::Define(place))
            || facts.changed.get(id).is_some_and(|it| it.contains(&place))
            || acts_on(unit, *id, place)
    };
    let Some(changed) = before.iter().rposition(is_changed) else { return Vec::new() };
    let acts = |call: &Call| may_act_on(unit, call, place);
    let is_asked = |id: &StmtId| unit.stmt(*id).kind != StmtKind::Assert && calls(unit, *id).any(acts);
    before[changed + 1..].iter().copied().filter(is_asked).collect()
}

/// Whether the object comes from a constructor, a literal or a function of the test file: it is not itself what is tested.
fn is_made_by_the_test(unit: &Unit, id: StmtId) -> bool {
    calls(unit, id)
        .all(|call| call.constructs || call.callee.is_some_and(|callee| is_defined_here(unit, callee)))
}

fn is_defined_here(unit: &Unit, callee: PlaceId) -> bool {
    let defines = |op: &Op| matches!(op, Op::Define(place) | Op::MayDefine(place) if *place == callee);
    unit.ids().any(|id| unit.stmt(id).kind == StmtKind::Def && unit.stmt(id).ops.iter().any(defines))
}

/// Whether the statement does something to the place by its text.
fn acts_on(unit: &Unit, id: StmtId, place: PlaceId) -> bool {
    let is_assertion = unit.stmt(id).kind == StmtKind::Assert;
    unit.stmt(id).ops.iter().any(|op| match op {
        Op::Mutate(changed) => *changed == place,
        Op::Call(call) => {
            let is_for_effect = call.constructs || (call.result == CallResult::Dropped && !is_assertion);
            is_for_effect && (call.receiver == Some(place) || call.args.contains(&place))
        }
        Op::Use(_) | Op::Define(_) | Op::MayDefine(_) => false,
    })
}

fn is_for_value(call: &Call) -> bool {
    call.result == CallResult::Used && !call.constructs
}
