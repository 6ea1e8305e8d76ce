//! What names and access paths stand for: locals, fields of the test object, classes, and the place at the root of
//! `cart.rows.get(0).name`.

use super::build::Builder;
use super::scope::{Scope, Var, is_type_name};
use super::syntax::{field_text, named, simple_name, text};
use paring_model::{PlaceId, PlaceScope};
use tree_sitter::Node;

impl<'t> Builder<'t, '_> {
    pub fn variable(&mut self, name: &str) -> Option<Var> {
        self.scopes.variable(&mut self.places, name)
    }

    pub fn is_local(&self, name: &str) -> bool {
        self.scopes.stack.iter().any(|scope| matches!(scope, Scope::Block(names) if names.contains_key(name)))
    }

    /// Whether an expression is the name of a class, plain or with its package.
    pub fn is_type(&mut self, node: Node<'t>) -> bool {
        let name = text(node, self.source);
        match node.kind() {
            "identifier" => is_type_name(name) && self.variable(name).is_none(),
            "field_access" => self.is_qualified_type(name),
            _ => false,
        }
    }

    /// `java.util.List`. A field of another package's class could look like it, if nobody kept to the customs.
    fn is_qualified_type(&self, name: &str) -> bool {
        let parts: Vec<&str> = name.split('.').map(str::trim).collect();
        let Some((class, packages)) = parts.split_last() else { return false };
        let is_package =
            |part: &&str| part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        packages.len() > 1
            && is_type_name(class)
            && packages.iter().all(is_package)
            && !self.scopes.declares(packages[0])
    }

    /// The field of the test object that an access names.
    pub fn member(&mut self, access: Node<'t>) -> Option<Var> {
        let object = access.child_by_field_name("object")?;
        let name = field_text(access, "field", self.source).to_owned();
        let object_text = text(object, self.source);
        match object.kind() {
            "this" | "super" => self.scopes.own_field(&mut self.places, &name),
            "identifier"
                if self.scopes.related_names.contains(object_text) && !self.is_local(object_text) =>
            {
                Some(self.scopes.related_field(&mut self.places, &name))
            }
            // `Outer.this.x`
            "field_access" if field_text(object, "field", self.source) == "this" => {
                let class = simple_name(field_text(object, "object", self.source));
                let is_related = self.scopes.related_names.contains(class);
                is_related.then(|| self.scopes.related_field(&mut self.places, &name))
            }
            _ => None,
        }
    }

    pub fn member_of(&mut self, node: Node<'t>) -> Option<Var> {
        if node.kind() == "field_access" { self.member(node) } else { None }
    }

    /// The place at the root of an access path.
    pub fn root(&mut self, node: Node<'t>) -> Option<PlaceId> {
        match node.kind() {
            "identifier" => {
                let name = text(node, self.source);
                match self.variable(name) {
                    Some(var) => var.root,
                    None if is_type_name(name) => Some(self.places.intern(PlaceScope::Global, name)),
                    None => None,
                }
            }
            "field_access" if self.is_type(node) => {
                Some(self.places.intern(PlaceScope::Global, text(node, self.source)))
            }
            "field_access" => match self.member(node) {
                Some(var) => var.root,
                None => self.root(node.child_by_field_name("object")?),
            },
            "array_access" => self.root(node.child_by_field_name("array")?),
            "method_invocation" => {
                let object = node.child_by_field_name("object")?;
                // What a function or a static method returns is not a part of what it belongs to.
                match object.kind() {
                    "this" | "super" => None,
                    "identifier" | "field_access" if self.is_type(object) => None,
                    _ => self.root(object),
                }
            }
            "parenthesized_expression" => self.root(*named(node).first()?),
            "cast_expression" => self.root(node.child_by_field_name("value")?),
            "assignment_expression" => self.root(node.child_by_field_name("left")?),
            _ => None,
        }
    }
}
