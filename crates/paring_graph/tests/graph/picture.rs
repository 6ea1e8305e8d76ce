//! A slice as a picture: every line of the source, marked where it is kept, with who asked for it and why.

use crate::notation::line_of;
use paring_graph::{Reason, Slice, Strength};
use paring_model::{StmtId, Unit};
use std::fmt::Write;

/// `*` is the strong part, `c` the control part, `+` the rest of what is kept.
pub fn picture(unit: &Unit, slice: &Slice) -> String {
    let mut text = String::new();
    for id in unit.ids() {
        let mark = match () {
            () if slice.strong.contains(id) => '*',
            () if slice.control.contains(id) => 'c',
            () if slice.kept.contains(id) => '+',
            () => ' ',
        };
        let source = source_line(unit, id);
        let why = slice.why.get(&id).map_or(&[][..], Vec::as_slice);
        let why: Vec<String> = why
            .iter()
            .map(|&(asker, reason)| format!("{} {}", line_of(unit, asker), word(unit, reason)))
            .collect();
        let row = format!("{mark} {:2} {source:40} {}", line_of(unit, id), why.join(", "));
        writeln!(text, "{}", row.trim_end()).expect("writing to a string never fails");
    }
    text
}

/// The kept lines alone.
pub fn kept_lines(unit: &Unit, slice: &Slice) -> Vec<u32> {
    slice.kept.iter().map(|id| line_of(unit, id)).collect()
}

fn source_line(unit: &Unit, id: StmtId) -> &str {
    unit.source.lines().nth(line_of(unit, id) as usize - 1).expect("a statement stands on a line")
}

fn word(unit: &Unit, reason: Reason) -> String {
    match reason {
        Reason::Data { strength: Strength::Hidden, .. } => "hidden".to_owned(),
        Reason::Data { place, strength: Strength::Convention } => format!("data {}", unit.place(place).name),
        Reason::Data { place, strength: Strength::Observed } => format!("seen {}", unit.place(place).name),
        Reason::Potential { place } => format!("potential {}", unit.place(place).name),
        Reason::Control => "control".to_owned(),
        Reason::Handler => "handler".to_owned(),
        Reason::Through { resource } => format!("through {}", resource.0),
        Reason::Resource => "resource".to_owned(),
        Reason::Parent => "parent".to_owned(),
        Reason::Binding => "binding".to_owned(),
    }
}
