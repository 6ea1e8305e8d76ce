//! The places of a unit, each once.

use paring_model::{Place, PlaceId, PlaceScope, RoutineId};
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

    pub fn local(&mut self, routine: RoutineId, name: impl Into<String>) -> PlaceId {
        self.intern(PlaceScope::Local(routine), name)
    }

    pub fn is_local_of(&self, id: PlaceId, routine: RoutineId) -> bool {
        self.all[id.idx()].scope == PlaceScope::Local(routine)
    }
}
