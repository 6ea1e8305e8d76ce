//! The classes of a file with what they declare: for finding targets, here and in other files.

use super::kind::{self, Role};
use super::syntax::{
    annotations, child_of_kind, children, field_text, in_field, named, parsed, simple_name, text,
};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// What a file declares, by names alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Empty for the default package.
    pub package: String,
    pub imports: Vec<Import>,
    /// In source order, nested ones after the class around them; local and anonymous ones are left out.
    pub classes: Vec<ClassOutline>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// `java.util.List`, or the package or class of an import on demand.
    pub name: String,
    pub is_static: bool,
    /// `import java.util.*`.
    pub on_demand: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassOutline {
    pub name: String,
    /// With package and outer classes: `com.acme.Outer$Inner`.
    pub binary_name: String,
    /// As it is written, type arguments left out.
    pub superclass: Option<String>,
    pub interfaces: Vec<String>,
    /// Names; overloads once each.
    pub methods: Vec<String>,
    /// Those that the framework runs.
    pub tests: Vec<String>,
    /// Methods that are marked as a plain test in each of their overloads: they have no cases of their own.
    pub plain_tests: Vec<String>,
    /// Fields by name, with their types as written.
    pub(super) fields: BTreeMap<String, String>,
    /// The class around it, by index.
    pub(super) outer: Option<usize>,
    /// Where its declaration begins.
    pub(super) start: usize,
}

impl Outline {
    /// The class of a binary name.
    pub fn class(&self, binary_name: &str) -> Option<&ClassOutline> {
        self.classes.iter().find(|class| class.binary_name == binary_name)
    }

    /// A class by its simple name.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.name == simple_name(name))
    }

    /// Whether the file has the class of a target and that class declares the target's method.
    pub fn defines(&self, target_id: &str) -> bool {
        let (class, method) = super::target::split(target_id);
        self.class(class).is_some_and(|class| class.methods.iter().any(|name| name == method))
    }
}

/// The outline of a text. Broken texts have what could be made out.
pub fn outline(source: &str) -> Outline {
    outline_of(parsed(source).root_node(), source)
}

/// The statements of the test's own body, as sizes are counted; `None` where the text does not define it.
pub(super) fn outline_of(root: Node, source: &str) -> Outline {
    let mut outline = Outline::default();
    for node in named(root) {
        match node.kind() {
            "package_declaration" => {
                let name = named(node).into_iter().find(|child| child.kind().ends_with("identifier"));
                name.map_or("", |name| text(name, source)).clone_into(&mut outline.package);
            }
            "import_declaration" => outline.imports.extend(import(node, source)),
            _ => class(&mut outline, node, source, None),
        }
    }
    let style = kind::style(&outline.imports);
    let mut tests: Vec<Vec<String>> = Vec::new();
    for class in &outline.classes {
        let node = root.descendant_for_byte_range(class.start, class.start + 1).and_then(class_around);
        let methods = node.map(|node| members(node)).unwrap_or_default();
        let is_test = |node: &Node| {
            node.kind() == "method_declaration" && kind::role(*node, source, style) == Role::Test
        };
        let names =
            methods.into_iter().filter(is_test).map(|node| field_text(node, "name", source).to_owned());
        tests.push(names.collect());
    }
    for (class, tests) in outline.classes.iter_mut().zip(tests) {
        class.tests = tests;
    }
    outline
}

fn class_around(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(Some(node), Node::parent).find(|node| is_class(*node))
}

pub(super) fn import(node: Node, source: &str) -> Option<Import> {
    let name = named(node).into_iter().find(|child| child.kind().ends_with("identifier"))?;
    Some(Import {
        name: text(name, source).split_whitespace().collect(),
        is_static: child_of_kind(node, "static").is_some(),
        on_demand: child_of_kind(node, "asterisk").is_some(),
    })
}

pub(super) fn is_class(node: Node) -> bool {
    matches!(
        node.kind(),
        "class_declaration"
            | "record_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "annotation_type_declaration"
    )
}

/// The declarations in the body of a class of any sort, enum constants left out.
pub(super) fn members(class: Node<'_>) -> Vec<Node<'_>> {
    let body = class.child_by_field_name("body").or_else(|| child_of_kind(class, "class_body"));
    let Some(body) = body else { return Vec::new() };
    let mut found = Vec::new();
    for child in named(body) {
        match child.kind() {
            "enum_body_declarations" => found.extend(named(child)),
            "enum_constant" => {}
            _ => found.push(child),
        }
    }
    found
}

fn class(outline: &mut Outline, node: Node, source: &str, outer: Option<usize>) {
    if !is_class(node) {
        return;
    }
    let name = field_text(node, "name", source).to_owned();
    let binary_name = match outer {
        Some(outer) => format!("{}${name}", outline.classes[outer].binary_name),
        None if outline.package.is_empty() => name.clone(),
        None => format!("{}.{name}", outline.package),
    };
    let types = |node: Node| -> Vec<String> {
        let list = child_of_kind(node, "type_list").unwrap_or(node);
        named(list).into_iter().map(|node| type_name(node, source)).collect()
    };
    let superclass = node.child_by_field_name("superclass").and_then(|node| types(node).into_iter().next());
    let interfaces =
        node.child_by_field_name("interfaces").or_else(|| child_of_kind(node, "extends_interfaces"));
    let mut found = ClassOutline {
        name,
        binary_name,
        superclass,
        interfaces: interfaces.map(types).unwrap_or_default(),
        outer,
        start: node.start_byte(),
        ..ClassOutline::default()
    };
    if let Some(parameters) = node.child_by_field_name("parameters") {
        for parameter in named(parameters) {
            let name = field_text(parameter, "name", source).to_owned();
            found.fields.insert(name, field_text(parameter, "type", source).to_owned());
        }
    }
    for member in members(node) {
        match member.kind() {
            "method_declaration" => {
                let name = field_text(member, "name", source).to_owned();
                if !found.methods.contains(&name) {
                    found.methods.push(name);
                }
            }
            "field_declaration" | "constant_declaration" => found.fields.extend(fields(member, source)),
            _ => {}
        }
    }
    found.plain_tests = plain_tests(node, &found.methods, source);
    if let Some(body) = node.child_by_field_name("body") {
        let constants = children(body).into_iter().filter(|child| child.kind() == "enum_constant");
        for constant in constants {
            found.fields.insert(field_text(constant, "name", source).to_owned(), found.name.clone());
        }
    }
    let idx = outline.classes.len();
    outline.classes.push(found);
    for member in members(node) {
        class(outline, member, source, Some(idx));
    }
}

fn plain_tests(class: Node, methods: &[String], source: &str) -> Vec<String> {
    let declared: Vec<Node> =
        members(class).into_iter().filter(|node| node.kind() == "method_declaration").collect();
    let is_plain = |method: &Node| annotations(*method, source).iter().any(|(name, _)| *name == "Test");
    let is_plain_by_name = |name: &String| {
        let mut overloads = declared.iter().filter(|method| field_text(**method, "name", source) == name);
        overloads.all(is_plain)
    };
    methods.iter().filter(|name| is_plain_by_name(name)).cloned().collect()
}

/// The variables that a field declaration declares, with their type.
pub(super) fn fields(declaration: Node, source: &str) -> Vec<(String, String)> {
    let type_name = field_text(declaration, "type", source);
    in_field(declaration, "declarator")
        .into_iter()
        .map(|declarator| (field_text(declarator, "name", source).to_owned(), type_name.to_owned()))
        .collect()
}

/// A type without its arguments and annotations.
fn type_name(node: Node, source: &str) -> String {
    match node.kind() {
        "generic_type" | "annotated_type" => {
            let inner = named(node)
                .into_iter()
                .find(|child| child.kind().ends_with("identifier") || child.kind() == "generic_type");
            inner.map_or(String::new(), |inner| type_name(inner, source))
        }
        _ => text(node, source).split_whitespace().collect(),
    }
}
