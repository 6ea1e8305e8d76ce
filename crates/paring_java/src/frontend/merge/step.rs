//! The body of a test as steps: words, variables and literals.
//!
//! A literal has its type as its class: tests meet only where the types are the same, for a row has one type a column, and the type
//! of an argument says which overload is called. Labels of `switch` and arguments of annotations have to be constants.

use super::super::cases::literal_type;
use super::super::syntax::{child_of_kind, field_text, in_field, named, range_of, text, walk};
use paring_model::{Atom, AtomKind, Hint, LiteralShape, Step, TextRange};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::Node;

pub fn steps(source: &str, method: Node, stmts: &[Node]) -> Vec<Step> {
    let locals = Locals::of(method, source);
    let step = |stmt: &Node| Step {
        range: range_of(*stmt),
        atoms: atoms(source, *stmt, &locals),
        checks: checks(*stmt, source),
        has_message: has_message(*stmt, source),
    };
    stmts.iter().map(step).collect()
}

/// The names of a test's own variables.
#[derive(Default)]
struct Locals<'s> {
    renameable: BTreeSet<&'s str>,
    /// Those that are given a value again.
    again: BTreeSet<&'s str>,
}

impl<'s> Locals<'s> {
    fn of(method: Node, source: &'s str) -> Self {
        let (mut declared, mut fixed, mut again) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        walk(method, &mut |node| {
            match node.kind() {
                "variable_declarator"
                    if node.parent().is_some_and(|it| it.kind() == "local_variable_declaration") =>
                {
                    *declared.entry(field_text(node, "name", source)).or_insert(0_usize) += 1;
                }
                "enhanced_for_statement" => {
                    *declared.entry(field_text(node, "name", source)).or_default() += 1;
                }
                "assignment_expression" => drop(again.insert(field_text(node, "left", source))),
                "update_expression" => {
                    again.extend(named(node).into_iter().map(|it| text(it, source)));
                }
                "lambda_expression" | "inferred_parameters" => {
                    let own = named(node).into_iter().filter(|it| it.kind() == "identifier");
                    let body = node.child_by_field_name("body");
                    fixed.extend(own.filter(|it| Some(*it) != body).map(|it| text(it, source)));
                }
                "formal_parameter"
                | "catch_formal_parameter"
                | "resource"
                | "class_declaration"
                | "type_pattern"
                | "record_pattern_component"
                | "instanceof_expression" => {
                    fixed.insert(field_text(node, "name", source));
                }
                _ => {}
            }
            true
        });
        again.extend(declared.iter().filter(|(_, n)| **n > 1).map(|(name, _)| *name));
        let renameable = declared.into_keys().filter(|name| !fixed.contains(name)).collect();
        Self { renameable, again }
    }
}

fn atoms(source: &str, stmt: Node, locals: &Locals<'_>) -> Vec<Atom> {
    let mut found = Vec::new();
    walk(stmt, &mut |node| {
        if node.start_byte() == node.end_byte() || matches!(node.kind(), "line_comment" | "block_comment") {
            return false;
        }
        let range = range_of(node);
        if let Some(class) = class_of(node, source) {
            let literal = LiteralShape {
                class: class.to_owned(),
                noun: noun(class),
                hint: hint(node, source, locals),
                is_mutable: false,
            };
            found.push(Atom { range, kind: AtomKind::Literal(literal) });
            return false;
        }
        let is_leaf = node.child_count() == 0 || node.kind() == "string_literal";
        if is_leaf {
            let is_variable = node.kind() == "identifier"
                && locals.renameable.contains(range.of(source))
                && !is_member(node);
            found.push(Atom { range, kind: if is_variable { AtomKind::Variable } else { AtomKind::Word } });
        }
        !is_leaf
    });
    found
}

/// Whether an identifier names a member of something.
fn is_member(node: Node) -> bool {
    let Some(parent) = node.parent() else { return false };
    match parent.kind() {
        "field_access" => parent.child_by_field_name("field") == Some(node),
        "method_invocation" => parent.child_by_field_name("name") == Some(node),
        "method_reference" => named(parent).first() != Some(&node),
        _ => false,
    }
}

/// The type of a literal that may differ; with the sign before a number.
fn class_of(node: Node, source: &str) -> Option<&'static str> {
    let is_number = |node: Node| {
        node.kind().ends_with("_integer_literal") || node.kind().ends_with("_floating_point_literal")
    };
    let own = text(node, source);
    let class = match node.kind() {
        "string_literal" => "String",
        "character_literal" => "char",
        "true" | "false" => "boolean",
        "unary_expression" => {
            let operand = node.child_by_field_name("operand").filter(|it| is_number(*it))?;
            if field_text(node, "operator", source) != "-" {
                return None;
            }
            literal_type(text(operand, source))?
        }
        _ if is_number(node) => literal_type(own)?,
        _ => return None,
    };
    let must_be_constant = std::iter::successors(node.parent(), Node::parent)
        .any(|up| matches!(up.kind(), "switch_label" | "annotation" | "guard"));
    (!must_be_constant).then_some(class)
}

fn noun(class: &str) -> &'static str {
    match class {
        "String" => "text",
        "char" => "letter",
        "boolean" => "flag",
        _ => "number",
    }
}

fn hint(node: Node, source: &str, locals: &Locals<'_>) -> Hint {
    let Some(parent) = node.parent() else { return Hint::None };
    match parent.kind() {
        "variable_declarator" => {
            let name = field_text(parent, "name", source);
            let declaration = parent.parent().filter(|it| it.kind() == "local_variable_declaration");
            let is_whole = parent.child_by_field_name("value") == Some(node)
                && parent.child_by_field_name("dimensions").is_none();
            match declaration {
                Some(it) if is_whole && is_plain(it, source) && !locals.again.contains(name) => {
                    let declared = field_text(it, "type", source);
                    let declared = (declared != "var").then(|| declared.to_owned());
                    Hint::Given { variable: name.to_owned(), declared }
                }
                _ => Hint::Named(name.to_owned()),
            }
        }
        "argument_list" => argument(node, parent, source),
        _ => Hint::None,
    }
}

/// A declaration of one variable, a statement of the test's own level.
fn is_plain(declaration: Node, source: &str) -> bool {
    let modifiers = child_of_kind(declaration, "modifiers").map_or("final", |it| text(it, source));
    let is_top = declaration
        .parent()
        .and_then(|block| block.parent())
        .is_some_and(|up| up.kind() == "method_declaration");
    in_field(declaration, "declarator").len() == 1 && modifiers == "final" && is_top
}

fn argument(node: Node, list: Node, source: &str) -> Hint {
    let Some(call) = list.parent().filter(|it| it.kind() == "method_invocation") else { return Hint::None };
    let name = field_text(call, "name", source);
    let arguments = named(list);
    let at = arguments.iter().position(|it| *it == node).unwrap_or(0);
    if name.starts_with("assert") && arguments.len() > 1 {
        let is_text = |idx: usize| class_of(arguments[idx], source) == Some("String");
        let end = arguments.len() - 1;
        let one_value = ["assertTrue", "assertFalse", "assertNull", "assertNotNull"].contains(&name);
        let may_have_message = one_value || end > 1;
        let message = [end, 0].into_iter().find(|&idx| may_have_message && is_text(idx));
        if message == Some(at) {
            return Hint::Named("message".to_owned());
        }
        let own: Vec<usize> = (0..arguments.len()).filter(|&idx| message != Some(idx)).collect();
        let is_literal = |idx: usize| arguments.get(idx).is_some_and(|it| class_of(*it, source).is_some());
        return match own.as_slice() {
            [first, second, ..] if at == *first && !is_literal(*second) => Hint::Expected,
            [first, second, ..] if at == *second && !is_literal(*first) => Hint::Expected,
            _ => Hint::None,
        };
    }
    let outcomes = ["isEqualTo", "contains", "hasSize", "hasMessage", "startsWith", "endsWith", "isSameAs"];
    if outcomes.contains(&name) && text(call, source).contains("assertThat") {
        Hint::Expected
    } else {
        Hint::None
    }
}

/// Whether a statement asserts, at its own level.
fn checks(stmt: Node, source: &str) -> bool {
    let mut found = false;
    walk(stmt, &mut |node| {
        if node.kind() == "method_invocation" {
            let name = field_text(node, "name", source);
            found |= name.starts_with("assert") || name == "fail" || name == "verify";
        }
        !found && !matches!(node.kind(), "lambda_expression" | "class_body")
    });
    found
}

/// Whether a statement says something of its own where it fails: an assertion with a text, `fail`, `throw`.
fn has_message(stmt: Node, source: &str) -> bool {
    let mut found = false;
    walk(stmt, &mut |node| {
        match node.kind() {
            "throw_statement" => found = true,
            "method_invocation" => {
                let name = field_text(node, "name", source);
                let arguments = node.child_by_field_name("arguments").map(named).unwrap_or_default();
                let is_told =
                    |it: &Node| hint(*it, source, &Locals::default()) == Hint::Named("message".to_owned());
                found |= arguments.iter().any(is_told)
                    || matches!(
                        name,
                        "fail" | "as" | "describedAs" | "withFailMessage" | "assertWithMessage"
                    ) && !arguments.is_empty();
            }
            _ => {}
        }
        !found
    });
    found
}

/// Parts of a node that begin in the middle of a text block.
pub fn solid(source: &str, node: Node) -> Vec<TextRange> {
    let mut found = Vec::new();
    walk(node, &mut |it| {
        if it.kind() == "string_literal" && text(it, source).contains('\n') {
            let mut at = it.start_byte();
            for line in text(it, source).split_inclusive('\n') {
                if at > it.start_byte() {
                    let offset =
                        |at: usize| u32::try_from(at).expect("a source file has fewer than 2^32 bytes");
                    found.push(TextRange::new(offset(at), offset(at + line.len())));
                }
                at += line.len();
            }
        }
        true
    });
    found
}
