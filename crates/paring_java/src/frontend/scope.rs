//! What a name means where it stands: a local, a member of the test object, a name of the file, or something unknown.
//!
//! Scopes are a stack that grows and shrinks while the tree is walked, so a local is known from its declaration to the end of
//! its block, as Java has it. Fields and methods of classes that have nothing to do with the test object are no places:
//! such a class is kept or dropped whole.

use super::place::Places;
use paring_model::{PlaceId, PlaceScope};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A variable in scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Var {
    /// `None` for the parameters of a lambda that is an expression, and for fields of classes apart.
    pub place: Option<PlaceId>,
    /// The place of its declaration, where that can stand without its value.
    pub declaration: Option<PlaceId>,
    /// What a change of its object changes too.
    pub root: Option<PlaceId>,
}

#[derive(Clone, Debug, Default)]
pub struct ClassScope {
    /// Its members belong to the test object.
    pub related: bool,
    /// With their types.
    pub fields: BTreeMap<String, String>,
    pub methods: BTreeSet<String>,
}

#[derive(Clone, Debug)]
pub enum Scope {
    Block(HashMap<String, Var>),
    Class(ClassScope),
}

#[derive(Debug, Default)]
pub struct Scopes {
    pub stack: Vec<Scope>,
    /// Names of `import static`.
    pub static_imports: BTreeSet<String>,
    /// Whether there is an `import static` on demand.
    pub static_star: bool,
    /// Simple names of the classes whose members belong to the test object.
    pub related_names: BTreeSet<String>,
}

/// Names of types and constants, by the convention that everybody follows.
pub fn is_type_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
}

impl Scopes {
    pub fn bind(&mut self, name: &str, var: Var) {
        if let Some(Scope::Block(names)) = self.stack.last_mut() {
            names.insert(name.to_owned(), var);
        }
    }

    /// Whether a class whose members belong to the test object is around.
    fn in_related(&self) -> bool {
        self.stack.iter().any(|scope| matches!(scope, Scope::Class(class) if class.related))
    }

    /// Whether the file has a variable of that name, here or around.
    pub fn declares(&self, name: &str) -> bool {
        self.stack.iter().any(|scope| match scope {
            Scope::Block(names) => names.contains_key(name),
            Scope::Class(class) => class.fields.contains_key(name),
        })
    }

    /// What a plain name means as a variable.
    pub fn variable(&self, places: &mut Places, name: &str) -> Option<Var> {
        for scope in self.stack.iter().rev() {
            match scope {
                Scope::Block(names) => {
                    if let Some(var) = names.get(name) {
                        return Some(*var);
                    }
                }
                Scope::Class(class) => {
                    if let Some(type_name) = class.fields.get(name) {
                        return Some(if class.related {
                            member(places, name, Some(type_name))
                        } else {
                            Var::default()
                        });
                    }
                }
            }
        }
        if self.static_imports.contains(name) || is_type_name(name) || self.static_star {
            return None;
        }
        self.in_related().then(|| member(places, name, None))
    }

    /// What `this.name` means.
    pub fn own_field(&self, places: &mut Places, name: &str) -> Option<Var> {
        let class = self.stack.iter().rev().find_map(|scope| match scope {
            Scope::Class(class) => Some(class),
            Scope::Block(_) => None,
        })?;
        if !class.related {
            return None;
        }
        Some(member(places, name, self.field_type(name)))
    }

    /// The type of a field of a class around.
    fn field_type(&self, name: &str) -> Option<&String> {
        self.stack.iter().rev().find_map(|scope| match scope {
            Scope::Class(class) if class.related => class.fields.get(name),
            Scope::Class(_) | Scope::Block(_) => None,
        })
    }

    /// A field of a related class that is named from outside: `CartTest.counter`.
    pub fn related_field(&self, places: &mut Places, name: &str) -> Var {
        member(places, name, self.field_type(name))
    }

    /// The place of a method that is called by its name alone.
    pub fn method(&self, places: &mut Places, name: &str) -> Option<PlaceId> {
        for scope in self.stack.iter().rev() {
            if let Scope::Class(class) = scope
                && class.methods.contains(name)
            {
                return class.related.then(|| method(places, name));
            }
        }
        if self.static_imports.contains(name) || self.static_star {
            return Some(places.intern(PlaceScope::Global, name));
        }
        self.in_related().then(|| method(places, name))
    }
}

/// The place of a method of the test object.
pub fn method(places: &mut Places, name: &str) -> PlaceId {
    places.intern(PlaceScope::Member, format!("{name}()"))
}

/// A field of the test object; one that this file declares has a declaration.
pub fn member(places: &mut Places, name: &str, type_name: Option<&String>) -> Var {
    let place = places.intern(PlaceScope::Member, name);
    let declaration = type_name.map(|_| field_declaration(places, name));
    Var { place: Some(place), declaration, root: Some(place) }
}

/// The place of a field's declaration. Of the file's top level, since helpers need it wherever they are.
pub fn field_declaration(places: &mut Places, name: &str) -> PlaceId {
    places.intern(PlaceScope::Global, format!("field {name}"))
}
