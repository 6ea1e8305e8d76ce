//! What nodes need although no flow says so: of a test class, the members that its framework, its superclass or an annotation
//! reaches for; of what stands outside of methods, the definitions behind it that it names.

use super::build::Builder;
use super::kind::{self, Role};
use super::outline::members;
use super::syntax::{annotations, has_modifier, named, offset, simple_name};
use super::target::class_at;
use paring_model::{Op, PlaceId, PlaceScope, RoutineId, StmtId, StmtKind, StmtSet};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// Fills in what nodes need: of a class with the test, what its framework calls; of what stands outside of methods, the
/// classes, methods and fields it names, for Java lets those stand in any order.
pub fn fill<'t>(builder: &mut Builder<'t, '_>, root: Node<'t>) {
    for &start in &builder.found.classes.clone() {
        let id = builder
            .stmts
            .iter()
            .position(|stmt| stmt.kind == StmtKind::Class && stmt.range.start as usize == start);
        if let (Some(idx), Some(class)) = (id, class_at(root, start)) {
            let id = StmtId::from_idx(idx);
            let needed = builder.class_needs(class, id);
            builder.stmts[idx].needs.extend(needed);
        }
    }
    let definers = definers(builder);
    for idx in 0..builder.stmts.len() {
        let stmt = &builder.stmts[idx];
        if stmt.routine != RoutineId(0) {
            continue;
        }
        let around: StmtSet =
            std::iter::successors(stmt.parent, |up| builder.stmts[up.idx()].parent).collect();
        let mut needed: Vec<StmtId> = Vec::new();
        for op in &stmt.ops {
            let places: Vec<PlaceId> = match op {
                Op::Use(place) | Op::Mutate(place) => vec![*place],
                Op::Call(call) => call.callee.into_iter().collect(),
                Op::Define(_) | Op::MayDefine(_) => Vec::new(),
            };
            let found = places.iter().filter_map(|place| definers.get(place)).flatten().copied();
            needed.extend(found.filter(|id| id.idx() > idx && !around.contains(*id)));
        }
        needed.sort_unstable();
        needed.dedup();
        builder.stmts[idx].needs.extend(needed);
    }
}

/// Definitions of names that may stand behind their use.
fn definers(builder: &Builder) -> BTreeMap<PlaceId, Vec<StmtId>> {
    let mut found: BTreeMap<PlaceId, Vec<StmtId>> = BTreeMap::new();
    for (idx, stmt) in builder.stmts.iter().enumerate().filter(|(_, stmt)| stmt.routine == RoutineId(0)) {
        for op in &stmt.ops {
            let (Op::Define(place) | Op::MayDefine(place)) = op else { continue };
            let scope = builder.places.all[place.idx()].scope;
            let is_name = match stmt.kind {
                StmtKind::Def | StmtKind::Class => true,
                StmtKind::Import => false,
                _ => scope == PlaceScope::Global,
            };
            if is_name {
                found.entry(*place).or_default().push(StmtId::from_idx(idx));
            }
        }
    }
    found
}

impl<'t> Builder<'t, '_> {
    /// Whether a class hands its methods to something outside of the file.
    pub fn may_be_overriding(&self, class: Node<'t>) -> bool {
        let outlined = self.outline.classes.iter().find(|found| found.start == class.start_byte());
        outlined.is_some_and(|class| {
            let is_plain = |name: &str| matches!(simple_name(name), "TestCase" | "Object");
            !class.interfaces.is_empty() || class.superclass.as_deref().is_some_and(|name| !is_plain(name))
        })
    }

    /// What a test class does not work without although no name says so.
    pub fn class_needs(&self, class: Node<'t>, id: StmtId) -> Vec<StmtId> {
        let may_override = self.may_be_overriding(class);
        let nodes = members(class);
        let member_at = |start: u32| nodes.iter().copied().find(|node| offset(node.start_byte()) == start);
        let is_needed = |child: &StmtId| {
            let stmt = &self.stmts[child.idx()];
            let Some(node) = member_at(stmt.range.start) else { return false };
            let marks = annotations(node, self.source);
            let is_marked = marks.iter().any(|(name, _)| !is_unread_annotation(name));
            let is_private = has_modifier(node, "private");
            // Of a superclass, the class that the target names may use anything.
            if self.found.is_inherited && !is_private && node.kind() != "class_declaration" {
                let role = match node.kind() {
                    "method_declaration" => kind::role(node, self.source, self.style),
                    _ => Role::Helper,
                };
                return role != Role::Test;
            }
            match node.kind() {
                "field_declaration" => is_marked,
                "constructor_declaration" => {
                    let n_parameters =
                        node.child_by_field_name("parameters").map_or(0, |list| named(list).len());
                    n_parameters > 0 || may_override
                }
                "method_declaration" => match kind::role(node, self.source, self.style) {
                    Role::Annotated => true,
                    Role::Helper => {
                        let is_own = is_private || has_modifier(node, "static");
                        marks.iter().any(|(name, _)| *name == "Override") || may_override && !is_own
                    }
                    Role::Test | Role::BeforeAll | Role::BeforeEach | Role::AfterEach | Role::AfterAll => {
                        false
                    }
                },
                "class_declaration" => is_marked && !marks.iter().any(|(name, _)| *name == "Nested"),
                _ => false,
            }
        };
        self.stmts[id.idx()].children.iter().copied().filter(is_needed).collect()
    }
}

/// Annotations that no framework reads.
fn is_unread_annotation(name: &str) -> bool {
    matches!(
        name,
        "SuppressWarnings"
            | "Deprecated"
            | "Nullable"
            | "Nonnull"
            | "NonNull"
            | "NotNull"
            | "VisibleForTesting"
    )
}
