//! A common beginning as set-up of the class: a method that runs before each of its tests, and fields for what they read.
//!
//! ```java
//! private Cart cart;
//!
//! @BeforeEach
//! void setUp() {
//!     cart = new Cart();
//! }
//! ```

use super::super::outline::{is_class, members};
use super::super::syntax::{annotations, child_of_kind, field_text, in_field, parsed, range_of, text, walk};
use paring_model::{Beginning, Framework, Refusal, SetUp, Shape, TextRange};
use std::fmt::Write as _;
use tree_sitter::Node;

pub fn set_up(source: &str, host: &Shape, beginning: &Beginning) -> Result<SetUp, Refusal> {
    let tree = parsed(source);
    let method = super::rows::method_of(tree.root_node(), source, host);
    let method = method.ok_or_else(|| Refusal::new("unsupported", "its head is no plain one"))?;
    let class = std::iter::successors(method.parent(), Node::parent).find(|node| is_class(*node));
    fits(source, class.ok_or_else(|| Refusal::new("unsupported", "it is in no class"))?, beginning)?;
    let mut fields = String::new();
    let mut cuts: Vec<TextRange> = Vec::new();
    for name in &beginning.variables {
        let (declaration, declarator) = declared(method, source, beginning.lines, name)
            .ok_or_else(|| Refusal::new("names", format!("the type of {name} is not told")))?;
        let _ =
            writeln!(fields, "{}private {} {name};", host.indent, field_text(declaration, "type", source));
        cuts.push(TextRange::new(range_of(declaration).start, range_of(declarator).start));
    }
    cuts.sort();
    let mut body = String::new();
    let mut at = beginning.lines.start;
    for cut in cuts {
        body.push_str(TextRange::new(at, cut.start).of(source));
        at = cut.end;
    }
    body.push_str(TextRange::new(at, beginning.lines.end).of(source));
    let throws = child_of_kind(method, "throws").map_or(String::new(), |it| format!(" {}", text(it, source)));
    let indent = &host.indent;
    let (head, import) = match host.framework {
        Framework::Jupiter => {
            (format!("{indent}@BeforeEach\n{indent}void setUp()"), Some("org.junit.jupiter.api.BeforeEach"))
        }
        Framework::Junit3 => (format!("{indent}@Override\n{indent}protected void setUp()"), None),
        _ => (format!("{indent}@Before\n{indent}public void setUp()"), Some("org.junit.Before")),
    };
    Ok(SetUp {
        text: format!("{fields}\n{head}{throws} {{\n{body}{indent}}}\n\n"),
        called: beginning.variables.clone(),
        parameter: None,
        imports: import.into_iter().map(str::to_owned).collect(),
    })
}

/// Whether all that the class has are tests that begin so.
fn fits(source: &str, class: Node, beginning: &Beginning) -> Result<(), Refusal> {
    let others = [
        "BeforeEach",
        "Before",
        "ParameterizedTest",
        "RepeatedTest",
        "TestFactory",
        "TestTemplate",
        "Theory",
    ];
    for member in members(class) {
        let names = annotations(member, source);
        if names.iter().any(|(name, _)| *name == "BeforeEach" || *name == "Before")
            || field_text(member, "name", source) == "setUp"
        {
            return Err(Refusal::new("set_up", "there is a set-up already"));
        }
        if names.iter().any(|(name, _)| others.contains(name) || *name == "Nested") {
            return Err(Refusal::new("others", "set-up would run for the other tests of the class too"));
        }
        let fields = in_field(member, "declarator");
        let is_taken = |name: &String| fields.iter().any(|it| field_text(*it, "name", source) == name);
        if member.kind() == "field_declaration" && beginning.variables.iter().any(is_taken) {
            return Err(Refusal::new("names", "the class has a field of that name"));
        }
    }
    Ok(())
}

/// The declaration of one variable with a value, and the part of it that names the variable.
fn declared<'t>(
    method: Node<'t>,
    source: &str,
    lines: TextRange,
    name: &str,
) -> Option<(Node<'t>, Node<'t>)> {
    let mut found = Vec::new();
    walk(method, &mut |node| {
        if node.kind() == "local_variable_declaration" && lines.covers(range_of(node)) {
            let own = in_field(node, "declarator");
            if own.iter().any(|it| field_text(*it, "name", source) == name) {
                found.push((node, own));
            }
        }
        true
    });
    let [(declaration, declarators)] = found.as_slice() else { return None };
    let [declarator] = declarators.as_slice() else { return None };
    let value = declarator.child_by_field_name("value")?;
    let is_plain = field_text(*declaration, "type", source) != "var"
        && declarator.child_by_field_name("dimensions").is_none()
        && value.kind() != "array_initializer";
    is_plain.then_some((*declaration, *declarator))
}
