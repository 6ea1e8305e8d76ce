//! Loops over literals: each element may go by itself.
//!
//! ```java
//! for (int n : new int[] {1, 2, 3}) { … }        // an array
//! for (String s : Arrays.asList("a", "b")) { … } // a list
//! int[] ns = {1, 2};                             // the only value of a name …
//! for (int i = 0; i < ns.length; i++) { … }      // … that a loop goes through
//! ```

use super::plan::{Fate, Plan};
use super::syntax::{children, field_text, in_field, is_comment, named, offset, range_of, text, walk};
use paring_model::{EditSet, Op, PlaceId, RoutineId, StmtId, StmtKind, TextRange, Trim, TrimKind, Unit};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

/// With more there would be more experiments than the loop is worth.
const MAX_ELEMENTS: usize = 64;

/// Adds the trims of all loops that run for the target.
pub fn offer(unit: &mut Unit, root: Node) {
    let mut holders: BTreeSet<StmtId> = BTreeSet::new();
    let bound = bound_once(unit);
    let mut trims = Vec::new();
    for id in unit.ids().filter(|&id| is_loop(unit, id) && runs_for_target(unit, unit.stmt(id).routine)) {
        let found = node_at(root, unit.stmt(id).range)
            .and_then(|node| iterated(node, &unit.source))
            .and_then(|value| literal(unit, root, &bound, id, value));
        let Some((holder, list)) = found else { continue };
        let pieces = pieces(list, &unit.source);
        // What is a node of its own within an element is not taken apart from it.
        let is_plain = unit.inline(holder).next().is_none();
        if (2..=MAX_ELEMENTS).contains(&pieces.len()) && is_plain && holders.insert(holder) {
            let n_pieces = pieces.len();
            trims.extend(pieces.into_iter().enumerate().map(|(position, range)| Trim {
                kind: TrimKind::Element,
                stmt: holder,
                edits: vec![(range, String::new())],
                unused: Vec::new(),
                label: format!("element {} of {n_pieces}", position + 1),
            }));
        }
    }
    unit.trims.extend(trims);
}

fn is_loop(unit: &Unit, id: StmtId) -> bool {
    matches!(unit.stmt(id).kind, StmtKind::Loop { .. })
}

/// In a routine of the sequence that is not the file's, or in a definition nested in one.
fn runs_for_target(unit: &Unit, routine: RoutineId) -> bool {
    std::iter::successors(Some(routine), |&routine| {
        unit.routine(routine).def.map(|def| unit.stmt(def).routine)
    })
    .take_while(|routine| routine.idx() != 0)
    .any(|routine| unit.sequence.contains(&routine))
}

fn node_at(root: Node<'_>, range: TextRange) -> Option<Node<'_>> {
    root.descendant_for_byte_range(range.start as usize, range.end as usize)
        .filter(|node| range_of(*node) == range)
}

/// What a loop goes through: after the colon, or that whose length ends the counting.
fn iterated<'t>(node: Node<'t>, source: &str) -> Option<Node<'t>> {
    if node.kind() == "enhanced_for_statement" {
        return node.child_by_field_name("value");
    }
    let mut found = None;
    walk(node.child_by_field_name("condition")?, &mut |node| {
        let is_size = match node.kind() {
            "field_access" => field_text(node, "field", source) == "length",
            "method_invocation" => field_text(node, "name", source) == "size",
            _ => false,
        };
        if is_size && found.is_none() {
            found = node.child_by_field_name("object");
        }
        found.is_none()
    });
    found
}

/// The only statement that gives each place a value, for those that have just one.
fn bound_once(unit: &Unit) -> BTreeMap<PlaceId, Option<StmtId>> {
    let mut found: BTreeMap<PlaceId, Option<StmtId>> = BTreeMap::new();
    for id in unit.ids() {
        for op in &unit.stmt(id).ops {
            if let Op::Define(place) | Op::MayDefine(place) = op {
                found.entry(*place).and_modify(|known| *known = None).or_insert(Some(id));
            }
        }
    }
    found
}

/// The list an expression stands for, and the statement that holds it.
fn literal<'t>(
    unit: &Unit,
    root: Node<'t>,
    bound: &BTreeMap<PlaceId, Option<StmtId>>,
    at: StmtId,
    value: Node<'t>,
) -> Option<(StmtId, Node<'t>)> {
    if value.kind() != "identifier" {
        return list(value, &unit.source).map(|list| (at, list));
    }
    let name = text(value, &unit.source);
    let place = unit.stmt(at).ops.iter().find_map(|op| match op {
        Op::Use(place) if unit.place(*place).name == name => Some(*place),
        Op::Use(_) | Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
    })?;
    let holder = (*bound.get(&place)?)?;
    let declaration = node_at(root, unit.stmt(holder).range)?;
    match in_field(declaration, "declarator").as_slice() {
        [declarator] => {
            list(declarator.child_by_field_name("value")?, &unit.source).map(|list| (holder, list))
        }
        _ => None,
    }
}

/// The braces or parentheses with the elements of an array or a list that is written out.
pub fn list<'t>(value: Node<'t>, source: &str) -> Option<Node<'t>> {
    match value.kind() {
        "array_initializer" => Some(value),
        "array_creation_expression" => value.child_by_field_name("value"),
        "method_invocation" => {
            let class = field_text(value, "object", source);
            let lists = match field_text(value, "name", source) {
                "of" => ["List", "Set", "Stream"].iter().any(|kind| class.ends_with(kind)),
                "asList" | "newArrayList" | "newLinkedList" | "newHashSet" | "newLinkedHashSet" => true,
                _ => false,
            };
            value.child_by_field_name("arguments").filter(|_| lists)
        }
        // `new ArrayList<>(Arrays.asList(…))`
        "object_creation_expression" => match named(value.child_by_field_name("arguments")?).as_slice() {
            [only] => list(*only, source),
            _ => None,
        },
        "parenthesized_expression" => list(*named(value).first()?, source),
        _ => None,
    }
}

/// What goes with each element: the comments over it, and all up to the next one.
pub fn pieces(list: Node, source: &str) -> Vec<TextRange> {
    let elements = named(list);
    let Some(final_end) = elements.last().map(Node::end_byte) else { return Vec::new() };
    let mut cursor = list.walk();
    let comments: Vec<TextRange> =
        list.children(&mut cursor).filter(|child| is_comment(*child)).map(range_of).collect();
    let begins_line = |at: u32| source[..at as usize].trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
    let mut before = offset(list.start_byte());
    let mut starts = Vec::new();
    for element in &elements {
        let range = range_of(*element);
        let over = comments.iter().find(|comment| {
            before < comment.start && comment.end <= range.start && begins_line(comment.start)
        });
        starts.push(over.map_or(range.start, |comment| comment.start));
        before = range.end;
    }
    let end = trailing_comma(list).map_or(final_end, |comma| comma.end_byte());
    let ends = starts.iter().copied().skip(1).chain([offset(end)]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(start, end)| TextRange::new(start, end)).collect()
}

fn trailing_comma(list: Node<'_>) -> Option<Node<'_>> {
    let end = named(list).last()?.end_byte();
    children(list).into_iter().find(|child| child.kind() == "," && child.start_byte() >= end)
}

/// What the trims of an edited unit take away, commas that would be left over included.
pub fn cuts(plan: &Plan, edits: &EditSet, root: Node) -> Vec<TextRange> {
    let unit = plan.unit;
    let trims = edits.trims.iter().map(|id| unit.trim(id)).filter(|trim| !trim.kind.is_within_token());
    let active = trims.filter(|trim| plan.fate(trim.stmt) == Fate::Stay);
    let mut found: Vec<TextRange> =
        active.flat_map(|trim| trim.edits.iter().map(|(range, _)| *range)).collect();
    found.sort();
    let mut joined: Vec<TextRange> = Vec::new();
    for range in found {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => joined.push(range),
        }
    }
    let left_over: Vec<TextRange> = joined.iter().filter_map(|cut| left_over(root, *cut)).collect();
    joined.extend(left_over);
    joined
}

/// The comma before the end of a list, and the white space between it and what is cut. One that closes the list anyway stays.
fn left_over(root: Node, cut: TextRange) -> Option<TextRange> {
    let inner = root.descendant_for_byte_range(cut.start as usize, cut.end as usize)?;
    let list = std::iter::successors(Some(inner), Node::parent).find(|node| {
        matches!(node.kind(), "array_initializer" | "element_value_array_initializer" | "argument_list")
    })?;
    if (cut.end as usize) < named(list).last()?.end_byte() {
        return None;
    }
    let mut before = children(list).into_iter().filter(|child| child.end_byte() <= cut.start as usize);
    let comma = before.rfind(|child| child.kind() == ",")?;
    let mut cursor = list.walk();
    let is_between =
        |node: &Node| comma.end_byte() <= node.start_byte() && node.end_byte() <= cut.start as usize;
    let has_comment = list.children(&mut cursor).any(|child| is_comment(child) && is_between(&child));
    let start = if trailing_comma(list).is_some() { comma.end_byte() } else { comma.start_byte() };
    let end = if has_comment { comma.end_byte() } else { cut.start as usize };
    (start < end).then(|| TextRange::new(offset(start), offset(end)))
}
