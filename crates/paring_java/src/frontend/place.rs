//! The places of a unit, each once.
//!
//! Beside variables there are places that stand for what a name needs to compile: the declaration of a variable that gets its
//! value elsewhere (`int x`), and a lambda (`lambda 120`). Their names are no identifiers.

use paring_model::{Place, PlaceId, PlaceScope};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct Places {
    pub all: Vec<Place>,
    known: HashMap<Place, PlaceId>,
}

impl Places {
    pub fn intern(&mut self, scope: PlaceScope, name: impl Into<String>) -> PlaceId {
        let place = Place { scope, name: name.into() };
        if let Some(&id) = self.known.get(&place) {
            return id;
        }
        let id = PlaceId::from_idx(self.all.len());
        self.all.push(place.clone());
        self.known.insert(place, id);
        id
    }
}

/// Whether a place is a variable: a local, a parameter, or a field of the test object.
pub fn is_variable(place: &Place) -> bool {
    let is_name = place.name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    is_name
        && match place.scope {
            PlaceScope::Local(_) | PlaceScope::Member => true,
            PlaceScope::Global | PlaceScope::Hidden => false,
        }
}
