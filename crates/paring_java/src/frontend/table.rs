//! Loops over values that are written out, as cases of a parametrised test of `JUnit` 5.
//!
//! ```java
//! for (int[] c : new int[][] {{1, 0}, {2, 1}}) …      int[] c: `new int[] {1, 0}`, `new int[] {2, 1}`
//! for (String word : List.of("a", "b")) …             String word: "a", "b"
//! for (int i = 0; i < 3; i++) …                       int i: 0, 1, 2
//! ```
//!
//! The values may have a name: of a local variable that is given its value once. They name no other local variable, since a
//! parametrised test has its cases from outside.

use super::compose::{is_jupiter, method_of};
use super::syntax::{child_of_kind, field_text, in_field, named, parsed, range_of, text, walk};
use paring_model::{Case, Cases, Param, StmtId, StmtKind, Table, TextRange, Unit};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// More cases than a reader wants to see.
const MAX_ROWS: usize = 64;
/// Calls that give a list of their arguments.
const LISTS: [&str; 5] = ["Arrays.asList", "asList", "List.of", "Set.of", "Collections.singletonList"];

pub fn table(unit: &Unit, id: StmtId) -> Option<Table> {
    let source = unit.source.as_str();
    if !matches!(unit.stmt(id).kind, StmtKind::Loop { .. }) || !is_jupiter(source) {
        return None;
    }
    let tree = parsed(source);
    let method = method_of(unit, tree.root_node())?;
    let node = at(method, unit.stmt(id).range)?;
    let test = Test { unit, method, source };
    let (param, values) = match node.kind() {
        "enhanced_for_statement" => test.each(node)?,
        "for_statement" => test.counted(node)?,
        _ => return None,
    };
    if !(2..=MAX_ROWS).contains(&values.texts.len()) || values.texts.iter().any(|it| test.names_local(it)) {
        return None;
    }
    let row = |value: &String| Case { id: String::new(), values: vec![value.clone()] };
    let rows = values.texts.iter().map(row).collect();
    let block = node.child_by_field_name("body")?;
    let body: Vec<StmtId> = match unit.stmt(id).children.as_slice() {
        [] => return None,
        all => all.iter().copied().filter(|&it| range_of(block).covers(unit.stmt(it).range)).collect(),
    };
    (!body.is_empty()).then(|| Table {
        cases: Cases { params: vec![param], rows },
        named_by: values.named_by,
        body,
    })
}

fn at(method: Node<'_>, range: TextRange) -> Option<Node<'_>> {
    let mut found = None;
    walk(method, &mut |node| {
        if range_of(node) == range && node.kind().ends_with("for_statement") {
            found = Some(node);
        }
        found.is_none()
    });
    found
}

struct Test<'u, 't> {
    unit: &'u Unit,
    method: Node<'t>,
    source: &'u str,
}

/// The values of a loop.
struct Values {
    texts: Vec<String>,
    named_by: Option<StmtId>,
}

impl<'t> Test<'_, 't> {
    /// `for (T x : values)`.
    fn each(&self, node: Node<'t>) -> Option<(Param, Values)> {
        let source = self.source;
        let name = field_text(node, "name", source).to_owned();
        let declared =
            format!("{}{}", field_text(node, "type", source), field_text(node, "dimensions", source));
        let value = node.child_by_field_name("value")?;
        let (value, type_name, named_by) = match value.kind() {
            "identifier" => self.named(value)?,
            _ => (value, None, None),
        };
        let (elements, element_type) = self.elements(value, type_name.as_deref())?;
        let declared = if declared == "var" { element_type.clone() } else { Some(declared) };
        let texts: Option<Vec<String>> =
            elements.into_iter().map(|it| self.value(it, element_type.as_deref())).collect();
        Some((Param { name, declared }, Values { texts: texts?, named_by }))
    }

    /// What a local variable holds that is given its value where it is declared, with its type, and that statement.
    fn named(&self, name: Node<'t>) -> Option<(Node<'t>, Option<String>, Option<StmtId>)> {
        let source = self.source;
        let name = text(name, source);
        let mut declarations = Vec::new();
        let mut is_assigned = false;
        walk(self.method, &mut |node| {
            match node.kind() {
                "local_variable_declaration" => {
                    let all = in_field(node, "declarator");
                    if all.iter().any(|it| field_text(*it, "name", source) == name) {
                        declarations.push((node, all));
                    }
                }
                "assignment_expression" => {
                    let left = field_text(node, "left", source);
                    let root = left.split(['[', '.']).next().unwrap_or(left).trim();
                    is_assigned |= root == name;
                }
                _ => {}
            }
            true
        });
        let [(declaration, declarators)] = declarations.as_slice() else { return None };
        let [declarator] = declarators.as_slice() else { return None };
        let value = declarator.child_by_field_name("value").filter(|_| !is_assigned)?;
        let dimensions = field_text(*declarator, "dimensions", source);
        let type_name = format!("{}{dimensions}", field_text(*declaration, "type", source));
        let range = range_of(*declaration);
        let named_by = self.unit.test_body().into_iter().find(|&id| self.unit.stmt(id).range == range);
        Some((value, Some(type_name), named_by))
    }

    /// The elements of what is looped over, and their type where it is written.
    fn elements(&self, value: Node<'t>, type_name: Option<&str>) -> Option<(Vec<Node<'t>>, Option<String>)> {
        let source = self.source;
        match value.kind() {
            "array_initializer" => {
                let of = type_name.and_then(|it| it.trim().strip_suffix("[]")).map(str::to_owned);
                Some((named(value), of))
            }
            "array_creation_expression" => {
                let dimensions = field_text(value, "dimensions", source);
                let of = format!("{}{dimensions}", field_text(value, "type", source));
                let list = child_of_kind(value, "array_initializer")?;
                Some((named(list), of.strip_suffix("[]").map(str::to_owned)))
            }
            "method_invocation" => {
                let arguments = value.child_by_field_name("arguments")?;
                let callee = text(value, source);
                let callee = callee[..arguments.start_byte() - value.start_byte()].trim();
                let callee = callee.strip_prefix("java.util.").unwrap_or(callee);
                let all = named(arguments);
                // A single variable may be an array of all elements.
                let is_list =
                    LISTS.contains(&callee) && !matches!(all.as_slice(), [one] if one.kind() == "identifier");
                is_list.then_some((all, type_name.and_then(element_of_generic)))
            }
            _ => None,
        }
    }

    /// An element as an expression that stands by itself.
    fn value(&self, element: Node<'t>, of: Option<&str>) -> Option<String> {
        let plain = text(element, self.source);
        match element.kind() {
            "array_initializer" => Some(format!("new {} {plain}", of.filter(|of| of.ends_with("[]"))?)),
            _ => Some(plain.to_owned()),
        }
    }

    /// `for (int i = 0; i < 3; i++)`.
    fn counted(&self, node: Node<'t>) -> Option<(Param, Values)> {
        let source = self.source;
        let init = node.child_by_field_name("init").filter(|it| it.kind() == "local_variable_declaration")?;
        let type_name = field_text(init, "type", source);
        let [declarator] = in_field(init, "declarator")[..] else { return None };
        let name = field_text(declarator, "name", source);
        let from: i64 = field_text(declarator, "value", source).parse().ok()?;
        let condition = node.child_by_field_name("condition")?;
        let update: String = field_text(node, "update", source).split_whitespace().collect();
        let counts = [format!("{name}++"), format!("++{name}"), format!("{name}+=1")].contains(&update);
        let is_plain =
            counts && matches!(type_name, "int" | "long") && field_text(condition, "left", source) == name;
        let to = condition.child_by_field_name("right").filter(|_| is_plain)?;
        let to = self.number(to)?;
        let end = match field_text(condition, "operator", source) {
            "<" | "!=" => to,
            "<=" => to.checked_add(1)?,
            _ => return None,
        };
        let is_set = self.sets(node.child_by_field_name("body")?, name);
        let n_rows = usize::try_from(end.checked_sub(from)?).ok().filter(|&n| n <= MAX_ROWS && !is_set)?;
        let texts = (from..).take(n_rows).map(|it| it.to_string()).collect();
        let param = Param { name: name.to_owned(), declared: Some(type_name.to_owned()) };
        Some((param, Values { texts, named_by: None }))
    }

    /// A literal, or the length of an array or list that is written out.
    fn number(&self, node: Node<'t>) -> Option<i64> {
        let plain = text(node, self.source);
        if let Ok(number) = plain.parse() {
            return Some(number);
        }
        let of = match node.kind() {
            "field_access" if plain.ends_with(".length") => node.child_by_field_name("object")?,
            "method_invocation" if plain.ends_with(".size()") => node.child_by_field_name("object")?,
            _ => return None,
        };
        let (value, type_name, _) = self.named(of)?;
        let (elements, _) = self.elements(value, type_name.as_deref())?;
        i64::try_from(elements.len()).ok()
    }

    /// Whether a variable is given a value within a node.
    fn sets(&self, node: Node<'t>, name: &str) -> bool {
        let mut is_set = false;
        walk(node, &mut |inner| {
            is_set |= match inner.kind() {
                "assignment_expression" => field_text(inner, "left", self.source) == name,
                "update_expression" => text(inner, self.source).trim_matches(['+', '-', ' ']) == name,
                _ => false,
            };
            true
        });
        is_set
    }

    /// Whether a text names something that only the test's method knows, or the object.
    fn names_local(&self, value: &str) -> bool {
        let mut locals: BTreeSet<&str> = BTreeSet::new();
        walk(self.method, &mut |node| {
            if matches!(node.kind(), "variable_declarator" | "formal_parameter" | "enhanced_for_statement") {
                locals.insert(field_text(node, "name", self.source));
            }
            true
        });
        let is_other = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
        let without_text = without_literals(value);
        without_text.split(is_other).any(|word| locals.contains(word) || word == "this")
    }
}

/// `List<String>` holds strings.
fn element_of_generic(type_name: &str) -> Option<String> {
    let (_, rest) = type_name.split_once('<')?;
    let inner = rest.strip_suffix('>')?.trim();
    (!inner.is_empty() && !inner.contains('?')).then(|| inner.to_owned())
}

/// A text with nothing in its quotes.
fn without_literals(text: &str) -> String {
    let mut kept = String::new();
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match quote {
            Some(_) if c == '\\' => drop(chars.next()),
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None => kept.push(c),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::test_unit;

    fn check(body: &str, expected: Option<&str>) {
        let source = format!(
            "import org.junit.jupiter.api.Test;\nclass ATest {{\n    @Test\n    void a() {{\n{body}\n    }}\n}}\n"
        );
        let unit = test_unit(&source, "ATest#a");
        let is_loop = |id: &StmtId| matches!(unit.stmt(*id).kind, StmtKind::Loop { .. });
        let found = unit.test_body().into_iter().find(is_loop).and_then(|id| table(&unit, id)).map(|table| {
            let param = &table.cases.params[0];
            let values: Vec<&str> = table.cases.rows.iter().map(|row| row.values[0].as_str()).collect();
            let named = if table.named_by.is_some() { ", named" } else { "" };
            let declared = param.declared.as_deref().unwrap_or("?");
            format!("{declared} {}: {}; {}{named}", param.name, values.join(" | "), table.body.len())
        });
        assert_eq!(found.as_deref(), expected, "{body}");
    }

    #[test]
    fn values_that_are_written_out_are_cases() {
        check("for (int n : new int[] {1, 2}) { f(n); g(n); }", Some("int n: 1 | 2; 2"));
        check("for (String w : List.of(\"a, b\", \"c\")) f(w);", Some("String w: \"a, b\" | \"c\"; 1"));
        check(
            "int[][] all = {{1}, {2}}; for (int[] c : all) { f(c); }",
            Some("int[] c: new int[] {1} | new int[] {2}; 1, named"),
        );
        check("var all = List.of(1L, 2L); for (var c : all) { f(c); }", Some("? c: 1L | 2L; 1, named"));
        check(
            "List<Kind> all = Arrays.asList(A, B); for (var c : all) { f(c); }",
            Some("Kind c: A | B; 1, named"),
        );
    }

    #[test]
    fn counting_to_a_known_number_is_a_table() {
        check("for (int i = 1; i <= 3; i++) { f(i); }", Some("int i: 1 | 2 | 3; 1"));
        check(
            "String[] w = {\"a\", \"b\"}; for (int i = 0; i < w.length; ++i) { f(w[i]); }",
            Some("int i: 0 | 1; 1"),
        );
        check("for (int i = 0; i < 3; i++) { i = f(i); }", None);
        check("for (int i = 0; i < n(); i++) { f(i); }", None);
    }

    #[test]
    fn what_only_the_test_knows_is_no_case() {
        check("int one = 1; for (int n : new int[] {one, 2}) { f(n); }", None);
        check("for (String n : new String[] {\"n\", \"m\"}) { f(n); }", Some("String n: \"n\" | \"m\"; 1"));
        check("int[] all = {1, 2}; all[0] = 3; for (int n : all) { f(n); }", None);
        check("for (int n : numbers()) { f(n); }", None);
    }
}
