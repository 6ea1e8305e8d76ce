//! Composed tests in Java's syntax.
//!
//! ```java
//! private Cart makeCartOfTestPut() throws IOException {     // what runs before, in a method of its own
//!     Cart cart = new Cart();
//!     return cart;
//! }
//!
//! @ParameterizedTest                                        // `JUnit` 5
//! @CsvSource({"1, one", "2, two"})
//! void testPut(int n, String name) throws IOException {     // modifiers, annotations and exceptions of the host
//!     Cart cart = makeCartOfTestPut();
//!     cart.put(n, name);
//! }
//! ```

use super::cases::{self, Written};
use super::lines::{Lines, line_starts};
use super::method::parameter_name;
use super::rename::renamed;
use super::syntax::{
    annotations, child_of_kind, field_text, in_field, named, parsed, range_of, simple_name, text, walk,
};
use super::write::line_end;
use paring_model::write::{Names, called, given, params};
use paring_model::{Composed, Op, Piece, PlaceId, PlaceScope, TestText, TextRange, Unit, Unwritable};
use std::collections::{BTreeMap, BTreeSet};
use tree_sitter::{Node, Tree};

pub fn compose(
    units: &[&Unit],
    composed: &Composed,
    names: &Names,
    name: &str,
) -> Result<TestText, Unwritable> {
    let trees: Vec<Tree> = units.iter().map(|unit| parsed(&unit.source)).collect();
    let methods: Vec<Node> = units
        .iter()
        .zip(&trees)
        .map(|(unit, tree)| method_of(unit, tree.root_node()))
        .collect::<Option<_>>()
        .ok_or(Unwritable::NotSupported)?;
    Writer { units, methods, names, composed }.test(name)
}

pub fn method_of<'t>(unit: &Unit, root: Node<'t>) -> Option<Node<'t>> {
    let range = unit.stmt(unit.routine(unit.test?).def?).range;
    let mut found = None;
    walk(root, &mut |node| {
        if node.kind() == "method_declaration" && range_of(node) == range {
            found = Some(node);
        }
        found.is_none()
    });
    found
}

struct Writer<'a, 't> {
    units: &'a [&'a Unit],
    /// The tests of the units.
    methods: Vec<Node<'t>>,
    names: &'a Names,
    composed: &'a Composed,
}

/// Variables that are declared so far, with their types as written.
type Declared = BTreeMap<String, String>;

impl Writer<'_, '_> {
    fn test(&self, name: &str) -> Result<TestText, Unwritable> {
        let host = self.units[self.composed.host];
        let (method, source) = (self.methods[self.composed.host], host.source.as_str());
        let end = line_end(source);
        let (indent, body_indent) = self.indents();
        let mut written = TestText::default();
        let mut declared = Declared::new();
        let mut body = String::new();
        if !self.composed.setup.is_empty() {
            let (set_up, call) = self.set_up(name, &indent, &body_indent, &mut declared)?;
            written.before.push(set_up);
            body = format!("{body_indent}{call}{end}");
        }
        let (mut annotations, mut more) = (None, self.params_of_others()?);
        if let Some(cases) = &self.composed.cases {
            if !is_jupiter(source) {
                return Err(Unwritable::NotSupported);
            }
            let Written { annotation, provider, imports, parameters } =
                cases::written(cases, name, &indent, end)?;
            annotations = Some(format!("@ParameterizedTest{end}{indent}{annotation}"));
            written.before.extend(provider);
            written.imports = imports;
            more.extend(parameters);
        }
        let pieces = &self.composed.pieces;
        body.push_str(&self.missing(&mut declared, &body_indent, end)?);
        body.push_str(&self.pieces(pieces, &body_indent, end, &mut declared)?);
        let header = header(method, source, name, annotations.as_deref(), &more, &self.thrown(pieces))?;
        written.text = format!("{header} {{{end}{body}{indent}}}");
        Ok(written)
    }

    /// Of the host, and of its body.
    fn indents(&self) -> (String, String) {
        let unit = self.units[self.composed.host];
        let tree = parsed(&unit.source);
        let lines = Lines::new(&unit.source, &unit.line_starts, tree.root_node());
        let def = unit.test.and_then(|test| unit.routine(test).def);
        let def = unit.stmt(def.expect("a test with a method has a definition"));
        let indent = lines.indent(lines.of(def.range.start)).to_owned();
        let first = def.children.first().map(|&id| unit.stmt(id).range.start);
        let own = first.filter(|&at| lines.begins_line(at)).map(|at| lines.indent(lines.of(at)).to_owned());
        let step = if indent.contains('\t') { "\t" } else { "    " };
        let body_indent = own.unwrap_or_else(|| format!("{indent}{step}"));
        (indent, body_indent)
    }

    /// The exceptions that the methods of some pieces declare, and the host's.
    fn thrown(&self, pieces: &[Piece]) -> Vec<String> {
        let mut thrown: Vec<String> = Vec::new();
        let used = pieces.iter().chain(&self.composed.setup).map(|piece| piece.unit);
        for idx in std::iter::once(self.composed.host).chain(used) {
            let source = &self.units[idx].source;
            let types = child_of_kind(self.methods[idx], "throws").map(named).unwrap_or_default();
            for name in types.into_iter().map(|node| text(node, source).to_owned()) {
                if !thrown.contains(&name) {
                    thrown.push(name);
                }
            }
        }
        thrown
    }

    /// Parameters of the other tests that the host's does not have.
    fn params_of_others(&self) -> Result<Vec<String>, Unwritable> {
        let own = params(self.units, [self.composed.host]);
        let mut more: Vec<String> = Vec::new();
        for piece in self.composed.setup.iter().chain(&self.composed.pieces) {
            let source = &self.units[piece.unit].source;
            let list = self.methods[piece.unit].child_by_field_name("parameters");
            for parameter in list.map(named).unwrap_or_default() {
                let name = parameter_name(parameter).ok_or(Unwritable::NoHome(piece.stmt))?;
                let whole = text(parameter, source).to_owned();
                if !own.iter().any(|own| own == text(name, source)) && !more.contains(&whole) {
                    more.push(whole);
                }
            }
        }
        Ok(more)
    }

    /// The method that makes what the test begins with, and its call.
    fn set_up(
        &self,
        name: &str,
        indent: &str,
        body_indent: &str,
        declared: &mut Declared,
    ) -> Result<(String, String), Unwritable> {
        let end = line_end(&self.units[self.composed.host].source);
        let (unit, place) = given(self.units, self.composed)?;
        let given = called(self.units, self.names, unit, place);
        if !params(self.units, [unit]).is_empty() {
            return Err(Unwritable::NotSupported);
        }
        let mut within = Declared::new();
        let body = self.pieces(&self.composed.setup, body_indent, end, &mut within)?;
        let type_name = within.get(&given).filter(|name| *name != "var").cloned();
        let type_name = type_name.ok_or_else(|| Unwritable::NeedsType(given.clone()))?;
        let maker = format!("make{}Of{}", capital(&given), capital(name));
        if self.units.iter().any(|unit| unit.source.contains(&format!("{maker}("))) {
            return Err(Unwritable::NameTaken(maker));
        }
        let throws = throws(&self.thrown(&self.composed.setup));
        declared.insert(given.clone(), type_name.clone());
        Ok((
            format!(
                "private {type_name} {maker}(){throws} {{{end}{body}{body_indent}return {given};{end}{indent}}}"
            ),
            format!("{type_name} {given} = {maker}();"),
        ))
    }

    /// Declarations of variables that a piece uses before any piece declares them.
    fn missing(&self, declared: &mut Declared, indent: &str, end: &str) -> Result<String, Unwritable> {
        let params =
            self.composed.cases.iter().flat_map(|cases| &cases.params).map(|param| param.name.clone());
        let mut known: BTreeSet<String> = declared.keys().cloned().chain(params).collect();
        let mut text = String::new();
        for piece in &self.composed.pieces {
            let unit = self.units[piece.unit];
            let declarations = declarations(self.methods[piece.unit], &unit.source);
            let range = unit.stmt(piece.stmt).range;
            for (place, own) in locals(unit, piece) {
                let Some(all) = declarations.get(own) else { continue };
                let name = called(self.units, self.names, piece.unit, place);
                if all.iter().any(|(at, _)| range.covers(*at)) || !known.insert(name.clone()) {
                    continue;
                }
                let type_name = match all.as_slice() {
                    [(_, type_name)] if type_name != "var" => type_name.clone(),
                    _ => return Err(Unwritable::NeedsType(name)),
                };
                text.extend([indent, &type_name, " ", &name, ";", end]);
                declared.insert(name, type_name);
            }
            let here = declarations.iter().filter(|(_, all)| all.iter().any(|(at, _)| range.covers(*at)));
            known.extend(here.map(|(own, _)| self.called_by_name(piece.unit, own)));
        }
        Ok(text)
    }

    fn called_by_name(&self, unit: usize, own: &str) -> String {
        let place = self.names[unit].iter().find(|(place, _)| self.units[unit].place(**place).name == own);
        place.map_or_else(|| own.to_owned(), |(_, name)| name.clone())
    }

    fn pieces(
        &self,
        pieces: &[Piece],
        indent: &str,
        end: &str,
        declared: &mut Declared,
    ) -> Result<String, Unwritable> {
        let mut text = String::new();
        for (idx, piece) in pieces.iter().enumerate() {
            let unit = self.units[piece.unit];
            let source = renamed(unit, piece, &self.names[piece.unit]);
            let range = unit.stmt(piece.stmt).range;
            let n_behind = unit.source.len() - range.end as usize;
            let range = TextRange::new(range.start, offset(source.len() - n_behind));
            if let Some((source, range)) = declare_once(source, range, declared)? {
                text.push_str(&lines(&source, range, indent, end, idx > 0));
            }
        }
        Ok(text)
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a source file has fewer than 2^32 bytes")
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn throws(thrown: &[String]) -> String {
    if thrown.is_empty() { String::new() } else { format!(" throws {}", thrown.join(", ")) }
}

pub fn is_jupiter(source: &str) -> bool {
    let imports = super::outline(source).imports;
    imports.iter().any(|import| !import.is_static && import.name.starts_with("org.junit.jupiter.api"))
}

/// The local variables that a method declares: where, and with which type as written.
pub fn declarations(method: Node, source: &str) -> BTreeMap<String, Vec<(TextRange, String)>> {
    let mut found: BTreeMap<String, Vec<(TextRange, String)>> = BTreeMap::new();
    walk(method, &mut |node| {
        if node.kind() == "local_variable_declaration" {
            for declarator in in_field(node, "declarator") {
                let name = field_text(declarator, "name", source).to_owned();
                let dimensions = field_text(declarator, "dimensions", source);
                let type_name = format!("{}{dimensions}", field_text(node, "type", source));
                found.entry(name).or_default().push((range_of(node), type_name));
            }
        }
        true
    });
    found
}

/// A declaration of a variable that is declared already becomes an assignment, or nothing.
fn declare_once(
    source: String,
    range: TextRange,
    declared: &mut Declared,
) -> Result<Option<(String, TextRange)>, Unwritable> {
    let tree = parsed(&source);
    let mut node = None;
    walk(tree.root_node(), &mut |found| {
        if found.kind() == "local_variable_declaration" && range_of(found) == range {
            node = Some(found);
        }
        node.is_none()
    });
    let Some(node) = node else { return Ok(Some((source, range))) };
    let type_name = field_text(node, "type", &source).to_owned();
    let declarators = in_field(node, "declarator");
    let name_of = |declarator: &Node| field_text(*declarator, "name", &source).to_owned();
    let again = declarators.iter().find(|declarator| declared.contains_key(&name_of(declarator)));
    let Some(again) = again else {
        declared.extend(declarators.iter().map(|declarator| (name_of(declarator), type_name.clone())));
        return Ok(Some((source, range)));
    };
    let name = name_of(again);
    let is_plain = declarators.len() == 1 && child_of_kind(node, "modifiers").is_none();
    if !is_plain || declared[&name] != type_name || type_name == "var" {
        return Err(Unwritable::NeedsType(name));
    }
    let Some(value) = again.child_by_field_name("value") else { return Ok(None) };
    if value.kind() == "array_initializer" {
        return Err(Unwritable::NeedsType(name));
    }
    let assignment = format!("{name} = {};", text(value, &source));
    let end = range.start + offset(assignment.len());
    let (before, behind) = (&source[..range.start as usize], &source[range.end as usize..]);
    Ok(Some((format!("{before}{assignment}{behind}"), TextRange::new(range.start, end))))
}

/// The local variables that a piece reads or writes, as places and names.
fn locals<'u>(unit: &'u Unit, piece: &Piece) -> Vec<(PlaceId, &'u str)> {
    let all = std::iter::once(piece.stmt).chain(unit.descendants(piece.stmt));
    let ops = all.flat_map(|id| &unit.stmt(id).ops).filter_map(|op| match op {
        Op::Use(place) | Op::Define(place) | Op::MayDefine(place) | Op::Mutate(place) => Some(*place),
        Op::Call(_) => None,
    });
    let locals = ops.filter(|place| matches!(unit.place(*place).scope, PlaceScope::Local(_)));
    locals.map(|place| (place, unit.place(place).name.as_str())).collect()
}

/// All of a method before its body, under its new name.
fn header(
    method: Node,
    source: &str,
    name: &str,
    instead_of_test: Option<&str>,
    more: &[String],
    thrown: &[String],
) -> Result<String, Unwritable> {
    let unknown = || Unwritable::NotSupported;
    let old_name = method.child_by_field_name("name").ok_or_else(unknown)?;
    let parameters = method.child_by_field_name("parameters").ok_or_else(unknown)?;
    let mut before = source[method.start_byte()..old_name.start_byte()].to_owned();
    if let Some(instead) = instead_of_test {
        let annotations = annotations(method, source);
        let (_, test) =
            annotations.iter().find(|(name, _)| simple_name(name) == "Test").ok_or_else(unknown)?;
        let start = test.start_byte() - method.start_byte();
        before.replace_range(start..test.end_byte() - method.start_byte(), instead);
    }
    let own = text(parameters, source);
    let own = own[..own.len() - 1].trim_end();
    let comma = if own.len() > 1 && !more.is_empty() { ", " } else { "" };
    Ok(format!("{before}{name}{own}{comma}{}){}", more.join(", "), throws(thrown)))
}

/// The lines of a statement at another indentation, with the comments above it and behind it, and the blank line before it.
fn lines(source: &str, range: TextRange, indent: &str, end: &str, is_later: bool) -> String {
    let tree = parsed(source);
    let starts = line_starts(source);
    let lines = Lines::new(source, &starts, tree.root_node());
    if !lines.begins_line(range.start) {
        return format!("{indent}{}{end}", range.of(source));
    }
    let (statement, last) = (lines.of(range.start), lines.of(range.end.max(range.start + 1) - 1));
    let mut first = statement;
    while first > 0 && lines.is_comment(first - 1) {
        first -= 1;
    }
    let is_whole = lines.ends_line(range.end);
    let old = lines.indent(statement);
    let mut text = String::new();
    if is_later && first > 0 && lines.is_blank(first - 1) {
        text.push_str(end);
    }
    for line in first..=last {
        let limit = if line == last && !is_whole { range.end } else { lines.content_end(line) };
        let content = &source[lines.start(line) as usize..limit as usize];
        if lines.begins_in_string(line) {
            text.push_str(content);
        } else if !lines.is_blank(line) {
            text.push_str(indent);
            text.push_str(content.strip_prefix(old).unwrap_or(content.trim_start()));
        }
        text.push_str(end);
    }
    text
}
