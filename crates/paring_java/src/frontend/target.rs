//! Finding the target in the file: its method, and the classes whose members are the test object's.

use super::outline::{Outline, is_class, members};
use super::syntax::{child_of_kind, field_text, named, walk};
use tree_sitter::Node;

/// The class's binary name and the method of a target: `com.acme.A$B#sum(int)[2]` is of `com.acme.A$B` and `sum`.
pub fn split(id: &str) -> (&str, &str) {
    let (class, rest) = id.split_once('#').unwrap_or(("", id));
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
    (class, &rest[..end])
}

/// What the target is made of, by the start of nodes.
#[derive(Clone, Debug, Default)]
pub struct TargetNodes {
    /// The test's method.
    pub test: Option<usize>,
    /// Classes whose members belong to the test object, in the order they are set up: outer ones and superclasses first.
    pub classes: Vec<usize>,
    /// The target's class is of another file, and inherits the test.
    pub is_inherited: bool,
}

/// Finds the target by the names of its id.
pub fn find(root: Node, source: &str, outline: &Outline, id: &str) -> TargetNodes {
    let (class, method) = split(id);
    let exact = outline.classes.iter().position(|found| found.binary_name == class);
    let declares = |&idx: &usize| outline.classes[idx].methods.iter().any(|name| name == method);
    let lineage = exact.map(|idx| lineage(outline, idx)).unwrap_or_default();
    let declaring = lineage.iter().copied().find(declares);
    // An inherited test: the file is the superclass's, and may be told by the method alone.
    let any = || {
        let mut all = (0..outline.classes.len()).filter(declares);
        let is_test = |idx: &usize| outline.classes[*idx].tests.iter().any(|name| name == method);
        all.clone().find(is_test).or_else(|| all.next())
    };
    let Some(declaring) = declaring.or_else(any) else { return TargetNodes::default() };
    let leaf = exact.filter(|_| lineage.contains(&declaring)).unwrap_or(declaring);
    let test = method_in(root, source, outline.classes[declaring].start, method);
    let mut found = TargetNodes { test, is_inherited: exact.is_none(), ..TargetNodes::default() };
    let mut chain = Vec::new();
    let mut current = Some(leaf);
    while let Some(idx) = current {
        let mut related = self::lineage(outline, idx);
        chain.append(&mut related);
        current = outline.classes[idx].outer;
    }
    chain.reverse();
    for idx in chain {
        let start = outline.classes[idx].start;
        if !found.classes.contains(&start) {
            found.classes.push(start);
        }
    }
    found
}

/// A class, and the classes of the file it derives from.
pub fn lineage(outline: &Outline, class: usize) -> Vec<usize> {
    let mut found = vec![class];
    let mut current = class;
    while let Some(superclass) =
        outline.classes[current].superclass.as_deref().and_then(|name| outline.named(name))
    {
        if found.contains(&superclass) {
            break;
        }
        found.push(superclass);
        current = superclass;
    }
    found
}

/// The declaration of a class that begins there.
pub fn class_at(root: Node<'_>, start: usize) -> Option<Node<'_>> {
    let mut found = None;
    walk(root, &mut |node| {
        if found.is_none() && node.start_byte() == start && is_class(node) {
            found = Some(node);
        }
        found.is_none() && node.start_byte() <= start && start < node.end_byte()
    });
    found
}

/// The method of that name; of several, one with a test's annotation, else the one with the fewest parameters.
fn method_in(root: Node, source: &str, class: usize, name: &str) -> Option<usize> {
    let class = class_at(root, class)?;
    let is_named =
        |node: &Node| node.kind() == "method_declaration" && field_text(*node, "name", source) == name;
    let n_parameters =
        |node: Node| node.child_by_field_name("parameters").map_or(0, |list| named(list).len());
    let methods = members(class).into_iter().filter(is_named);
    let is_annotated = |node: Node| {
        child_of_kind(node, "modifiers").is_some_and(|modifiers| {
            named(modifiers).iter().any(|node| field_text(*node, "name", source).ends_with("Test"))
        })
    };
    let best = methods.max_by_key(|&node| (is_annotated(node), std::cmp::Reverse(n_parameters(node))));
    best.map(|node| node.start_byte())
}
