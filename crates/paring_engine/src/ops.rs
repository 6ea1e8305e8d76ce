//! What one statement reads, defines, calls and weighs, by its operations and its text.

use paring_model::{Call, CallResult, Facts, Op, PlaceId, StmtId, StmtKind, Unit};

/// Places one statement reads or changes.
pub fn uses(unit: &Unit, id: StmtId) -> Vec<PlaceId> {
    let mut places = Vec::new();
    for op in &unit.stmt(id).ops {
        match op {
            Op::Use(place) | Op::Mutate(place) => places.push(*place),
            Op::Define(_) | Op::MayDefine(_) => {}
            Op::Call(call) => {
                places.extend(call.receiver);
                places.extend(call.callee);
                places.extend(call.args.iter().copied());
            }
        }
    }
    places
}

/// Names one statement gives a value for certain.
pub fn defines(unit: &Unit, id: StmtId) -> Vec<PlaceId> {
    let ops = unit.stmt(id).ops.iter();
    ops.filter_map(|op| match op {
        Op::Define(place) => Some(*place),
        Op::Use(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
    })
    .collect()
}

/// Whether a call drops its result, or something is changed by the statement itself.
pub fn is_for_effect(unit: &Unit, id: StmtId) -> bool {
    unit.stmt(id).ops.iter().any(|op| match op {
        Op::Call(call) => call.result == CallResult::Dropped,
        Op::Mutate(_) => true,
        Op::Use(_) | Op::Define(_) | Op::MayDefine(_) => false,
    })
}

pub fn calls(unit: &Unit, id: StmtId) -> impl Iterator<Item = &Call> {
    unit.stmt(id).ops.iter().filter_map(|op| match op {
        Op::Call(call) => Some(call),
        Op::Use(_) | Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) => None,
    })
}

/// Whether the statement is a call whose result is dropped, and that was seen to change nothing.
pub fn is_without_effect(unit: &Unit, facts: &Facts, id: StmtId) -> bool {
    let dropped = calls(unit, id).find(|call| call.result == CallResult::Dropped);
    let Some(call) = dropped else { return false };
    // An assertion that holds has done all that it was made for.
    unit.stmt(id).kind != StmtKind::Assert
        && facts.hits.contains_key(&id)
        && facts.changed.get(&id).is_none_or(std::collections::BTreeSet::is_empty)
        && !facts.resources.changes(id)
        && call.receiver.is_some_and(|place| !facts.opaque.contains(&place))
}

/// Bytes of a node's text; a block weighs what it holds.
pub fn weight(unit: &Unit, id: StmtId) -> u64 {
    let range = unit.stmt(id).range;
    u64::from(range.end - range.start)
}

/// Whether a call on the place gives a value and, as far as its name tells, does more than ask.
pub fn may_act_on(unit: &Unit, call: &Call, place: PlaceId) -> bool {
    call.receiver == Some(place)
        && call.result == CallResult::Used
        && !call.constructs
        && !only_asks(unit, call)
}

/// Whether a method only asks, as far as its name tells: `size`, `getRow`, `is_empty`.
fn only_asks(unit: &Unit, call: &Call) -> bool {
    const ASKING: [&str; 46] = [
        "all", "any", "are", "as", "can", "compare", "contains", "copy", "count", "describe", "ends",
        "equals", "exists", "find", "first", "format", "get", "has", "hash", "index", "is", "items",
        "iterator", "keys", "last", "len", "length", "list", "lookup", "matches", "max", "min", "name",
        "peek", "read", "repr", "should", "size", "starts", "stream", "sum", "text", "to", "type", "value",
        "values",
    ];
    let name = method_name(unit, call).trim_start_matches('_');
    let end = name.find(|c: char| c == '_' || c.is_uppercase()).unwrap_or(name.len());
    ASKING.contains(&&name[..end])
}

/// The name before the last pair of parentheses.
fn method_name<'u>(unit: &'u Unit, call: &Call) -> &'u str {
    let before = callee_text(unit, call);
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    &before[start..]
}

/// What stands before the last pair of parentheses: `graph.edges.get` of `graph.edges.get("a")`.
pub fn callee_text<'u>(unit: &'u Unit, call: &Call) -> &'u str {
    let text = &unit.source[call.range.start as usize..call.range.end as usize];
    let mut depth = 0_u32;
    let opens = text.rmatch_indices(['(', ')']).find(|(_, bracket)| {
        if *bracket == ")" {
            depth += 1;
        } else {
            depth = depth.saturating_sub(1);
        }
        depth == 0
    });
    opens.map_or(text, |(at, _)| &text[..at]).trim_end()
}
