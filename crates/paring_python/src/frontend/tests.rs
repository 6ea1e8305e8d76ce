//! Cases of the front end as data: a source, a target, what is asked of it.

mod form;
mod literal;
mod one_case;
mod ops;
mod pin;
mod property;
mod routine;

mod trim;
mod turn_off;
mod write;

use super::PythonFrontend;
use camino::Utf8Path;
use paring_model::{EditSet, Form, Frontend, Op, PlaceId, PlaceScope, StmtId, TargetSpec, TrimId, Unit};

pub fn unit(source: &str, target: &str) -> Unit {
    PythonFrontend.parse(Utf8Path::new("/t.py"), source, &TargetSpec::new(format!("t.py::{target}"))).0
}

pub fn errors(text: &str) -> Vec<String> {
    let parsed = super::parsed(text);
    parsed.errors().iter().map(|error| format!("{} at {:?}", error.error, error.location)).collect()
}

/// The node whose header is a text, or begins with it.
fn node(unit: &Unit, start: &str) -> StmtId {
    let header = |id: StmtId| unit.stmt(id).header.of(&unit.source);
    let found = unit.ids().find(|&id| header(id) == start);
    let found = found.or_else(|| unit.ids().find(|&id| header(id).starts_with(start)));
    found.unwrap_or_else(|| panic!("no statement begins with {start:?}"))
}

/// Edits by the beginnings of statements: `-a` removes, `^a` unwraps, `~label` applies a trim.
pub fn edits(unit: &Unit, script: &[&str]) -> EditSet {
    let mut edits = EditSet::all(unit);
    for step in script {
        let (step, text) = step.split_at(1);
        match step {
            "-" => edits.remove(unit, node(unit, text)),
            "^" => {
                edits.unwrapped.insert(node(unit, text));
            }
            "~" => {
                let found = unit.trim_ids().find(|&trim: &TrimId| unit.trim(trim).label.starts_with(text));
                edits.trims.insert(found.unwrap_or_else(|| panic!("no trim {text:?}")));
            }
            other => panic!("unknown step {other:?}"),
        }
    }
    edits
}

pub fn rendered(source: &str, target: &str, script: &[&str], form: Form) -> (String, String) {
    let unit = unit(source, target);
    let candidate = PythonFrontend.edited(&unit, &edits(&unit, script), form);
    assert_eq!(errors(candidate.text()), Vec::<String>::new(), "{form:?}:\n{}", candidate.text());
    (candidate.text().to_owned(), candidate.target().trim_start_matches("t.py::").to_owned())
}

/// A place in short: `x`, `::x` of the module, `.x` of the test object, `f.x` of another function.
pub fn place(unit: &Unit, id: PlaceId) -> String {
    let place = unit.place(id);
    match place.scope {
        PlaceScope::Global => format!("::{}", place.name),
        PlaceScope::Member => format!(".{}", place.name),
        PlaceScope::Hidden => format!("?{}", place.name),
        PlaceScope::Local(routine) if Some(routine) == unit.test => place.name.clone(),
        PlaceScope::Local(routine) => format!("{}.{}", unit.routine(routine).name, place.name),
    }
}

/// The operations of a statement in short.
pub fn ops(unit: &Unit, start: &str) -> String {
    let places = |ids: &[PlaceId]| ids.iter().map(|&id| place(unit, id)).collect::<Vec<_>>().join(" ");
    let shown = unit.stmt(node(unit, start)).ops.iter().map(|op| match op {
        Op::Use(id) => place(unit, *id),
        Op::Define(id) => format!("={}", place(unit, *id)),
        Op::MayDefine(id) => format!("?={}", place(unit, *id)),
        Op::Mutate(id) => format!("!{}", place(unit, *id)),
        Op::Call(call) => {
            let receiver = call.receiver.map_or(String::new(), |id| format!("{} ", place(unit, id)));
            let callee = call.callee.map_or(String::new(), |id| format!("{} ", place(unit, id)));
            let new = if call.constructs { "new " } else { "" };
            let dropped = if call.result == paring_model::CallResult::Dropped { " dropped" } else { "" };
            format!("{new}call[{receiver}{callee}({}){dropped}]", places(&call.args))
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}
