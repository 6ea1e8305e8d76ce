//! What an identifier does where it stands: define a name, bind a parameter, or read.
//!
//! Only what the fields of the grammars say, alike for all languages: scopes are not looked into. It proposes which nodes go
//! together; a run decides.

use crate::lang::Lang;
use paring_model::{Place, PlaceScope};
use tree_sitter::Node;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its statement is there for the name.
    Define,
    /// A parameter: its statement is there for other things too.
    Bind,
    Read,
}

/// What a leaf does, and to which name; `None` where it is no name. Members are apart: `x.size` does not read the
/// variable `size`.
pub fn role(lang: Lang, leaf: Node<'_>, source: &str) -> Option<(Role, Place)> {
    let text = &source[leaf.byte_range()];
    if lang == Lang::Go && leaf.parent().is_some_and(|parent| parent.kind() == "import_spec") {
        let path = text.trim_matches(['"', '`']);
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        return Some((Role::Define, Place { scope: PlaceScope::Global, name }));
    }
    let kind = leaf.kind();
    if leaf.child_count() > 0 || !kind.contains("identifier") || kind == "statement_identifier" {
        return None;
    }
    let is_member =
        matches!(kind, "property_identifier" | "private_property_identifier" | "field_identifier");
    let scope = if is_member { PlaceScope::Member } else { PlaceScope::Global };
    Some((role_of(leaf), Place { scope, name: text.to_owned() }))
}

/// Nodes that pass on what the node around them does to a name.
const TRANSPARENT: &[&str] = &[
    "array_declarator",
    "array_pattern",
    "dotted_name",
    "expression_list",
    "function_declarator",
    "init_declarator",
    "mut_pattern",
    "named_imports",
    "object_pattern",
    "parenthesized_declarator",
    "pattern_list",
    "pointer_declarator",
    "ref_pattern",
    "reference_declarator",
    "scoped_use_list",
    "tuple_pattern",
    "use_list",
];

/// Endings of the kinds of nodes whose `name` is one that they define.
const DEFINING: &[&str] = &[
    "_alias",
    "_clause",
    "_declaration",
    "_declarator",
    "_def",
    "_definition",
    "_import",
    "_item",
    "_signature",
    "_spec",
    "_specifier",
    "_statement",
    "_variant",
    "declaration",
    "enumerator",
];

fn role_of(leaf: Node<'_>) -> Role {
    let mut inner = leaf;
    while let Some(outer) = inner.parent() {
        let kind = outer.kind();
        let field = field_of(outer, inner);
        if matches!(field, Some("type" | "value" | "right" | "default" | "body" | "size" | "parameters")) {
            return Role::Read;
        }
        if kind.contains("parameter") {
            return Role::Bind;
        }
        if matches!(kind, "import_clause" | "namespace_import" | "use_declaration" | "use_as_clause") {
            return Role::Define;
        }
        if TRANSPARENT.contains(&kind) {
            inner = outer;
            continue;
        }
        let is_target = field == Some("left")
            && matches!(kind, "assignment" | "short_var_declaration" | "range_clause")
            || field == Some("left") && kind.starts_with("for");
        let is_named = matches!(field, Some("name" | "declarator" | "pattern" | "alias"))
            && DEFINING.iter().any(|ending| kind.ends_with(ending));
        // `struct point p` names a type; `struct point { … }` makes it.
        let names_type =
            matches!(kind, "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier")
                && outer.child_by_field_name("body").is_none();
        return if (is_target || is_named) && !names_type { Role::Define } else { Role::Read };
    }
    Role::Read
}

fn field_of<'tree>(outer: Node<'tree>, inner: Node<'tree>) -> Option<&'tree str> {
    let idx = (0..outer.child_count()).find(|&idx| outer.child(idx) == Some(inner))?;
    outer.field_name_for_child(idx)
}
