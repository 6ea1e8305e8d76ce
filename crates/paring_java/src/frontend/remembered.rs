//! What rendering needs of a unit's text. A search renders the same unit for every candidate, and a generated file takes longer to
//! parse than a candidate takes to run.

use super::shape::Shape;
use super::{built, syntax};
use paring_model::Unit;
use std::cell::RefCell;
use std::rc::Rc;
use tree_sitter::Tree;

thread_local! {
    static LAST: RefCell<Option<Rc<Remembered>>> = const { RefCell::new(None) };
}

pub struct Remembered {
    source: String,
    target: String,
    pub tree: Tree,
    pub shapes: Vec<Shape>,
}

impl Remembered {
    /// Of this unit: parsed only if the last one was another.
    pub fn of(unit: &Unit) -> Rc<Self> {
        LAST.with_borrow_mut(|last| match last {
            Some(last) if last.source == unit.source && last.target == unit.target => Rc::clone(last),
            Some(_) | None => Rc::clone(last.insert(Rc::new(Self::new(unit)))),
        })
    }

    fn new(unit: &Unit) -> Self {
        let tree = syntax::parsed(&unit.source);
        let shapes = built(&tree, &unit.source, &unit.target, |builder| builder.shapes);
        Self { source: unit.source.clone(), target: unit.target.clone(), tree, shapes }
    }
}
