//! What the variables of a composed test are called.

use super::{TestWriter, Unwritable, words};
use crate::draft::{Composed, Piece};
use crate::unit::{Op, PlaceId, PlaceScope, StmtId, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// The new names of variables, by unit. What is not named keeps its name.
pub type Names = Vec<BTreeMap<PlaceId, String>>;

/// Names for the variables of all pieces: those that were asked for, and free ones where variables of two units would get in
/// each other's way. Parameters keep their names: a fixture of two tests is one fixture.
pub fn names(language: &dyn TestWriter, units: &[&Unit], composed: &Composed) -> Names {
    let pieces: Vec<&Piece> = composed.setup.iter().chain(&composed.pieces).collect();
    let mut names: Names = vec![BTreeMap::new(); units.len()];
    for piece in &pieces {
        names[piece.unit].extend(piece.renames.iter().map(|(place, name)| (*place, name.clone())));
    }
    let params = composed.cases.iter().flat_map(|cases| cases.params.iter().map(|param| param.name.clone()));
    let mut taken: BTreeSet<String> = params.collect();
    let mut order: Vec<usize> = Vec::new();
    for piece in &pieces {
        if !order.contains(&piece.unit) {
            order.push(piece.unit);
        }
    }
    // A name that any of the texts has, in whatever sense, is not free for a new one.
    let known: BTreeSet<String> =
        order.iter().flat_map(|&idx| words(language, units[idx])).map(str::to_owned).collect();
    for &idx in &order {
        let unit = units[idx];
        let own = pieces.iter().filter(|piece| piece.unit == idx).map(|piece| piece.stmt);
        let (defined, used) = variables(unit, own);
        for place in defined {
            let name = &unit.place(place).name;
            if !names[idx].contains_key(&place) && taken.contains(name) {
                let mut numbered = (2..).map(|number: usize| format!("{name}_{number}"));
                let is_free = |name: &String| !known.contains(name) && !taken.contains(name);
                names[idx].extend(numbered.find(is_free).map(|name| (place, name)));
            }
        }
        let called = |place: &PlaceId| {
            names[idx].get(place).cloned().unwrap_or_else(|| unit.place(*place).name.clone())
        };
        taken.extend(used.iter().map(called));
    }
    names
}

/// What a set-up hands to its test: the variable that its last statement defines, as unit and place. The test may read no other
/// variable of it.
pub fn given(units: &[&Unit], composed: &Composed) -> Result<(usize, PlaceId), Unwritable> {
    let last = composed.setup.last().ok_or(Unwritable::NotSupported)?;
    let unit = units[last.unit];
    let own = composed.setup.iter().filter(|piece| piece.unit == last.unit).map(|piece| piece.stmt);
    let (all, _) = variables(unit, own);
    let (defined, _) = variables(unit, std::iter::once(last.stmt));
    let given = *defined.last().ok_or(Unwritable::NoHome(last.stmt))?;
    for piece in composed.pieces.iter().filter(|piece| piece.unit == last.unit) {
        let (_, used) = variables(unit, std::iter::once(piece.stmt));
        if used.iter().any(|place| all.contains(place) && *place != given) {
            return Err(Unwritable::NoHome(piece.stmt));
        }
    }
    Ok((last.unit, given))
}

/// What a variable of a unit is called.
pub fn called(units: &[&Unit], names: &Names, unit: usize, place: PlaceId) -> String {
    names[unit].get(&place).cloned().unwrap_or_else(|| units[unit].place(place).name.clone())
}

/// The parameters of the tests of some units, by name, without repetition.
pub fn params(units: &[&Unit], idxs: impl IntoIterator<Item = usize>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for idx in idxs {
        let unit = units[idx];
        for &place in unit.test.iter().flat_map(|&test| &unit.routine(test).params) {
            if !found.contains(&unit.place(place).name) {
                found.push(unit.place(place).name.clone());
            }
        }
    }
    found
}

/// The test's own variables that statements define, and all places that they mention.
fn variables(unit: &Unit, stmts: impl Iterator<Item = StmtId>) -> (BTreeSet<PlaceId>, BTreeSet<PlaceId>) {
    let params = unit.test.map(|test| unit.routine(test).params.clone()).unwrap_or_default();
    let is_own = |place: &PlaceId| match unit.place(*place).scope {
        PlaceScope::Local(_) => !params.contains(place) && is_word(&unit.place(*place).name),
        PlaceScope::Global | PlaceScope::Member | PlaceScope::Hidden => false,
    };
    let (mut defined, mut used) = (BTreeSet::new(), BTreeSet::new());
    for stmt in stmts {
        for id in std::iter::once(stmt).chain(unit.descendants(stmt)) {
            for op in &unit.stmt(id).ops {
                match op {
                    Op::Define(place) | Op::MayDefine(place) => {
                        used.insert(*place);
                        defined.extend(Some(*place).filter(is_own));
                    }
                    Op::Use(place) | Op::Mutate(place) => {
                        used.insert(*place);
                    }
                    Op::Call(_) => {}
                }
            }
        }
    }
    used.retain(|place| unit.place(*place).scope != PlaceScope::Hidden);
    (defined, used)
}

/// Other places of a routine stand for what has no name: a lambda, a type that is to be inferred.
fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}
