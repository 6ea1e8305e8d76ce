//! From tree-sitter's tree to the arena of a unit: the arena while it is made, and the file's top level. Classes are in
//! `class.rs`, methods in `method.rs`, statements in `stmts.rs`, what expressions do in `expr.rs`; all are one walk, since a
//! name means what it means where the walk stands.
//!
//! ```java
//! class CartTest {                      // s0: Class, of the file's routine
//!     Cart cart = new Cart();           //   s1: Simple, defines the member `cart`
//!     @Test void total() {              //   s2: Def, a routine of its own
//!         cart.add(() -> { log(1); });  //     s3: Simple
//!     }                                 //       s4: Def of the lambda, within s3's header; s5: its statement
//! }
//! ```

use super::declaration::assigned_names;
use super::expr::Walk;
use super::kind::{self, Role, Style};
use super::loops::Frame;
use super::outline::{Outline, import, is_class};
use super::place::Places;
use super::scope::{Scope, Scopes, Var};
use super::shape::{Body, Shape};
use super::syntax::{named, range_of, simple_name, text};
use super::target::TargetNodes;
use paring_model::{
    Op, PlaceId, PlaceScope, Routine, RoutineId, RoutineKind, Stmt, StmtId, StmtKind, TextRange,
};
use std::collections::{BTreeSet, HashMap};
use tree_sitter::Node;

/// A method that the framework or the class itself calls.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    pub routine: RoutineId,
    pub role: Role,
    pub is_constructor: bool,
    /// Where its class begins.
    pub class: usize,
}

/// The arena while it is made, and afterwards.
pub struct Builder<'t, 's> {
    pub source: &'s str,
    pub outline: &'s Outline,
    pub found: &'s TargetNodes,
    pub style: Style,
    pub stmts: Vec<Stmt>,
    pub shapes: Vec<Shape>,
    pub routines: Vec<Routine>,
    pub places: Places,
    pub scopes: Scopes,
    pub methods: Vec<Method>,
    /// Of the header being walked.
    pub ops: Vec<Op>,
    pub walk: Walk,
    pub current: Option<StmtId>,
    pub routine: RoutineId,
    pub frames: Vec<Frame<'s>>,
    /// Names that the method around gives a value after their declaration.
    pub assigned: BTreeSet<&'s str>,
    pub nodes: std::marker::PhantomData<Node<'t>>,
}

/// Builds the arena of a file.
pub fn build<'t, 's>(
    root: Node<'t>,
    source: &'s str,
    outline: &'s Outline,
    found: &'s TargetNodes,
) -> Builder<'t, 's> {
    let mut builder = Builder {
        source,
        outline,
        found,
        style: kind::style(&outline.imports),
        stmts: Vec::new(),
        shapes: Vec::new(),
        routines: Vec::new(),
        places: Places::default(),
        scopes: Scopes::default(),
        methods: Vec::new(),
        ops: Vec::new(),
        walk: Walk::default(),
        current: None,
        routine: RoutineId(0),
        frames: Vec::new(),
        assigned: BTreeSet::new(),
        nodes: std::marker::PhantomData,
    };
    builder.new_routine(RoutineKind::Module, "<file>", None);
    for import in outline.imports.iter().filter(|import| import.is_static) {
        builder.scopes.static_star |= import.on_demand;
        if !import.on_demand {
            builder.scopes.static_imports.insert(simple_name(&import.name).to_owned());
        }
    }
    for class in outline.classes.iter().filter(|class| found.classes.contains(&class.start)) {
        builder.scopes.related_names.insert(class.name.clone());
    }
    let mut body = Vec::new();
    for node in named(root) {
        match node.kind() {
            "import_declaration" => body.extend(builder.import(node)),
            _ if is_class(node) => body.push(builder.class(node, None)),
            _ => {}
        }
    }
    builder.routines[0].body = body;
    builder.on_demand_imports();
    builder
}

impl<'t> Builder<'t, '_> {
    pub fn new_routine(&mut self, kind: RoutineKind, name: &str, def: Option<StmtId>) -> RoutineId {
        let id = RoutineId::from_idx(self.routines.len());
        self.routines.push(Routine {
            kind,
            name: name.to_owned(),
            def,
            body: Vec::new(),
            params: Vec::new(),
            returns: Vec::new(),
        });
        id
    }

    /// Enters a node; the header ends where the caller says.
    pub fn node(
        &mut self,
        kind: StmtKind,
        range: TextRange,
        header_end: u32,
        parent: Option<StmtId>,
    ) -> StmtId {
        let id = StmtId::from_idx(self.stmts.len());
        self.stmts.push(Stmt {
            kind,
            range,
            header: TextRange::new(range.start, header_end.clamp(range.start, range.end)),
            parent,
            children: Vec::new(),
            routine: self.routine,
            ops: Vec::new(),
            needs: Vec::new(),
            protected: false,
            counts: true,
        });
        self.shapes.push(Shape::default());
        id
    }

    pub fn shape(&mut self, id: StmtId) -> &mut Shape {
        &mut self.shapes[id.idx()]
    }

    pub fn uncounted(&mut self, id: StmtId) {
        self.stmts[id.idx()].counts = false;
    }

    /// Fills in what a node's header does, and makes children of the nodes in it.
    pub fn header(&mut self, id: StmtId, walk: Walk, inner: impl FnOnce(&mut Self)) {
        let outer_ops = std::mem::take(&mut self.ops);
        let outer = (self.walk, self.current);
        (self.walk, self.current) = (walk, Some(id));
        inner(self);
        (self.walk, self.current) = outer;
        self.stmts[id.idx()].ops = std::mem::replace(&mut self.ops, outer_ops);
    }

    pub fn scoped<R>(&mut self, inner: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.stack.push(Scope::Block(HashMap::new()));
        let result = inner(self);
        self.scopes.stack.pop();
        result
    }

    /// A new local; `type_name` where its declaration can stand without its value.
    pub fn new_local(&mut self, name: &str, type_name: Option<&str>) -> Var {
        let scope = PlaceScope::Local(self.routine);
        let place = self.places.intern(scope, name);
        let declaration = type_name.map(|type_name| self.places.intern(scope, format!("{type_name} {name}")));
        let var = Var { place: Some(place), declaration, root: Some(place) };
        self.scopes.bind(name, var);
        var
    }

    fn import(&mut self, node: Node<'t>) -> Option<StmtId> {
        let found = import(node, self.source)?;
        let range = range_of(node);
        let id = self.node(StmtKind::Import, range, range.end, None);
        if !found.on_demand {
            let place = self.places.intern(PlaceScope::Global, simple_name(&found.name));
            self.stmts[id.idx()].ops = vec![Op::Define(place)];
        }
        Some(id)
    }

    /// A name that nothing else of the file defines may come from an import on demand.
    fn on_demand_imports(&mut self) {
        let mut defined: BTreeSet<PlaceId> = BTreeSet::new();
        for stmt in &self.stmts {
            defined.extend(stmt.ops.iter().filter_map(|op| match op {
                Op::Define(place) => Some(*place),
                Op::Use(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
            }));
        }
        let unknown = self.places.all.iter().enumerate().filter(|(idx, place)| {
            place.scope == PlaceScope::Global
                && !place.name.contains(' ')
                && !defined.contains(&PlaceId::from_idx(*idx))
        });
        let unknown: Vec<Op> = unknown.map(|(idx, _)| Op::MayDefine(PlaceId::from_idx(idx))).collect();
        for stmt in self.stmts.iter_mut().filter(|stmt| stmt.kind == StmtKind::Import && stmt.ops.is_empty())
        {
            stmt.ops.clone_from(&unknown);
        }
    }

    /// Notes where the braces of a node's body are.
    pub fn braces(&mut self, id: StmtId, body: Node<'t>) {
        let range = range_of(body);
        let is_closed = text(body, self.source).ends_with('}') && range.end > range.start + 1;
        if is_closed {
            self.shape(id).body = Body::Braced { open: range.start, close: range.end - 1 };
        }
    }

    /// Runs `inner` as for the body of a method: no jump leaves it.
    pub fn enter_method<R>(&mut self, node: Node<'t>, inner: impl FnOnce(&mut Self) -> R) -> R {
        let assigned = assigned_names(node, self.source);
        let outer = (std::mem::take(&mut self.frames), std::mem::replace(&mut self.assigned, assigned));
        let result = self.scoped(inner);
        (self.frames, self.assigned) = outer;
        result
    }
}
