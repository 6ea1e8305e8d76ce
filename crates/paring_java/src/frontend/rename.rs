//! A statement with new names for its variables, and with parts of it replaced.

use super::splice::{Splice, apply};
use super::syntax::{parsed, range_of, text, walk};
use paring_model::{Piece, PlaceId, Unit};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// The unit's source with the piece rewritten where it stands.
pub fn renamed(unit: &Unit, piece: &Piece, names: &BTreeMap<PlaceId, String>) -> String {
    let source = &unit.source;
    let range = unit.stmt(piece.stmt).range;
    let new: BTreeMap<&str, &str> =
        names.iter().map(|(place, name)| (unit.place(*place).name.as_str(), name.as_str())).collect();
    let mut splices: Vec<Splice> =
        piece.holes.iter().map(|(range, text)| Splice { range: *range, text: text.clone() }).collect();
    let tree = parsed(source);
    walk(tree.root_node(), &mut |node| {
        let at = range_of(node);
        if node.kind() == "identifier" && range.covers(at) && is_variable(node) {
            let is_in_hole = piece.holes.iter().any(|(hole, _)| hole.covers(at));
            let name = new.get(text(node, source)).filter(|_| !is_in_hole);
            splices.extend(name.map(|name| Splice { range: at, text: (*name).to_owned() }));
        }
        at.start < range.end && range.start < at.end
    });
    apply(source, splices)
}

/// Whether an identifier can name a variable: not a member, a method, a label, or a part of an annotation.
fn is_variable(node: Node) -> bool {
    let Some(parent) = node.parent() else { return false };
    let is = |field: &str| parent.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "field_access" => !is("field"),
        "method_invocation" | "method_declaration" | "class_declaration" => !is("name"),
        "method_reference" => parent.child(0) == Some(node),
        "labeled_statement" | "break_statement" | "continue_statement" | "scoped_identifier"
        | "annotation" | "marker_annotation" => false,
        "element_value_pair" => !is("key"),
        _ => true,
    }
}
