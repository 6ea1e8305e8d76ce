//! From tree-sitter's tree to the arena of a unit: classes, members and routines. Statements are in `stmts.rs`, what
//! expressions do in `expr.rs`; all three are one walk, since a name means what it means where the walk stands.
//!
//! ```java
//! class CartTest {                      // s0: Class, of the file's routine
//!     Cart cart = new Cart();           //   s1: Simple, defines the member `cart`
//!     @Test void total() {              //   s2: Def, a routine of its own
//!         cart.add(() -> { log(1); });  //     s3: Simple
//!     }                                 //       s4: Def of the lambda, within s3's header; s5: its statement
//! }
//! ```

use super::expr::{Walk, parameter_name};
use super::kind::{self, Role, Style};
use super::outline::{Outline, fields, import, is_class, members};
use super::place::Places;
use super::scope::{ClassScope, Scope, Scopes, Var, field_declaration, member, method};
use super::shape::{Body, Shape};
use super::syntax::{
    annotations, child_of_kind, children, field_text, has_modifier, in_field, named, offset, range_of,
    simple_name, text,
};
use super::target::Found;
use paring_model::{
    Op, PlaceId, PlaceScope, Routine, RoutineId, RoutineKind, Stmt, StmtId, StmtKind, TextRange,
};
use std::collections::{BTreeSet, HashMap};
use tree_sitter::Node;

/// Something a `break` or `continue` can leave, with its label.
#[derive(Clone, Debug)]
pub enum Frame<'s> {
    Loop(Option<&'s str>),
    Switch(Option<&'s str>),
    Labelled(&'s str),
}

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
    pub found: &'s Found,
    style: Style,
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
    found: &'s Found,
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
            shared: false,
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

    /// A class of any sort, local ones too.
    pub fn class(&mut self, node: Node<'t>, parent: Option<StmtId>) -> StmtId {
        let range = range_of(node);
        let body = node.child_by_field_name("body");
        let open = body.map_or(range.end, |body| offset(body.start_byte()) + 1);
        let id = self.node(StmtKind::Class, range, open, parent);
        // The classes a test stands in are no statements of it.
        let is_local = parent.is_some_and(|parent| self.stmts[parent.idx()].kind != StmtKind::Class);
        self.stmts[id.idx()].counts = is_local;
        if let Some(body) = body {
            self.braces(id, body);
        }
        let name = field_text(node, "name", self.source);
        let place = self.places.intern(PlaceScope::Global, name);
        let outlined = self.outline.classes.iter().position(|class| class.start == node.start_byte());
        let scope = match outlined {
            Some(idx) if !is_local => self.class_scope(idx),
            Some(_) | None => self.anonymous_scope(node),
        };
        self.header(id, Walk::default(), |builder| {
            for part in
                named(node).into_iter().filter(|part| Some(*part) != body && part.kind() != "identifier")
            {
                builder.expr(part);
            }
            builder.push(Op::Define(place));
        });
        self.scopes.stack.push(Scope::Class(scope));
        self.constants(id, body);
        let children = self.members(id, node);
        self.stmts[id.idx()].children = children;
        self.scopes.stack.pop();
        id
    }

    /// The constants of an enum are part of it.
    fn constants(&mut self, id: StmtId, body: Option<Node<'t>>) {
        let constants = body.map(|body| children(body)).unwrap_or_default();
        let own = std::mem::take(&mut self.stmts[id.idx()].ops);
        self.header(id, Walk::default(), |builder| {
            for constant in constants.into_iter().filter(|child| child.kind() == "enum_constant") {
                let name = constant.child_by_field_name("name");
                named(constant)
                    .into_iter()
                    .filter(|part| Some(*part) != name)
                    .for_each(|part| builder.expr(part));
            }
        });
        // The name comes last: what the class needs comes before it.
        self.stmts[id.idx()].ops.extend(own);
    }

    fn class_scope(&self, idx: usize) -> ClassScope {
        let mut scope = ClassScope {
            related: self.found.classes.contains(&self.outline.classes[idx].start),
            ..ClassScope::default()
        };
        for class in super::target::lineage(self.outline, idx) {
            let class = &self.outline.classes[class];
            scope.fields.extend(class.fields.clone());
            scope.methods.extend(class.methods.iter().cloned());
        }
        scope
    }

    /// The scope of a class that the outline does not have.
    pub fn anonymous_scope(&self, class: Node<'t>) -> ClassScope {
        let mut scope = ClassScope::default();
        let members = if class.kind() == "class_body" { named(class) } else { members(class) };
        for member in members {
            match member.kind() {
                "field_declaration" => scope.fields.extend(fields(member, self.source)),
                "method_declaration" => {
                    scope.methods.insert(field_text(member, "name", self.source).to_owned());
                }
                _ => {}
            }
        }
        if let Some(parameters) = class.child_by_field_name("parameters") {
            for parameter in named(parameters) {
                scope.fields.insert(field_text(parameter, "name", self.source).to_owned(), String::new());
            }
        }
        scope
    }

    /// Notes where the braces of a node's body are.
    pub fn braces(&mut self, id: StmtId, body: Node<'t>) {
        let range = range_of(body);
        let is_closed = text(body, self.source).ends_with('}') && range.end > range.start + 1;
        if is_closed {
            self.shape(id).body = Body::Braced { open: range.start, close: range.end - 1 };
        }
    }

    fn members(&mut self, id: StmtId, class: Node<'t>) -> Vec<StmtId> {
        let found = if class.kind() == "class_body" { named(class) } else { members(class) };
        let mut ids = Vec::new();
        for member in found {
            match member.kind() {
                "field_declaration" | "constant_declaration" => ids.push(self.field(member, id)),
                "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
                    ids.push(self.method(member, class, id));
                }
                "block" | "static_initializer" => ids.extend(self.initializer(member, id)),
                _ if is_class(member) => ids.push(self.class(member, Some(id))),
                _ => {}
            }
        }
        ids
    }

    fn initializer(&mut self, node: Node<'t>, parent: StmtId) -> Option<StmtId> {
        let block = if node.kind() == "block" { node } else { child_of_kind(node, "block")? };
        let id = self.node(StmtKind::Block, range_of(node), offset(block.start_byte()) + 1, Some(parent));
        self.uncounted(id);
        self.enter_method(node, |builder| builder.braced(id, block));
        Some(id)
    }

    /// Runs `inner` as for the body of a method: no jump leaves it.
    pub fn enter_method<R>(&mut self, node: Node<'t>, inner: impl FnOnce(&mut Self) -> R) -> R {
        let assigned = super::stmts::assigned_names(node, self.source);
        let outer = (std::mem::take(&mut self.frames), std::mem::replace(&mut self.assigned, assigned));
        let result = self.scoped(inner);
        (self.frames, self.assigned) = outer;
        result
    }

    fn is_related(&self) -> bool {
        matches!(self.scopes.stack.iter().rev().find(|scope| matches!(scope, Scope::Class(_))),
            Some(Scope::Class(class)) if class.related)
    }

    fn field(&mut self, node: Node<'t>, parent: StmtId) -> StmtId {
        let range = range_of(node);
        let id = self.node(StmtKind::Simple, range, range.end, Some(parent));
        self.uncounted(id);
        let is_related = self.is_related();
        let declarators = in_field(node, "declarator");
        let walk = Walk { inline: true, ..Walk::default() };
        let is_list = declarators.len() > 1;
        self.header(id, walk, |builder| {
            for part in named(node).into_iter().filter(|part| part.kind() != "variable_declarator") {
                builder.expr(part);
            }
            if let ([declarator], false) = (declarators.as_slice(), is_list) {
                builder.field_value(*declarator, is_related);
            }
        });
        if is_list {
            self.list(
                id,
                node,
                &declarators,
                |builder, declarator| builder.field_value(declarator, is_related),
                false,
            );
        }
        id
    }

    fn field_value(&mut self, declarator: Node<'t>, is_related: bool) {
        let name = field_text(declarator, "name", self.source);
        if let Some(value) = declarator.child_by_field_name("value") {
            self.expr(value);
        }
        if is_related {
            let declaration = field_declaration(&mut self.places, name);
            let var = member(&mut self.places, name, None);
            self.push(Op::Define(declaration));
            // A field without a value is null, or is given one by an annotation.
            self.write(var);
        }
    }

    fn method(&mut self, node: Node<'t>, class: Node<'t>, parent: StmtId) -> StmtId {
        let range = range_of(node);
        let body = node.child_by_field_name("body");
        let open = body.map_or(range.end, |body| offset(body.start_byte()) + 1);
        let id = self.node(StmtKind::Def, range, open, Some(parent));
        self.uncounted(id);
        let name = field_text(node, "name", self.source);
        let is_constructor = node.kind() != "method_declaration";
        let is_related = self.is_related();
        let role = if is_constructor { Role::Helper } else { kind::role(node, self.source, self.style) };
        let routine = self.new_routine(RoutineKind::Helper, name, Some(id));
        if is_related {
            self.methods.push(Method { routine, role, is_constructor, class: class.start_byte() });
        }
        self.header(id, Walk::default(), |builder| {
            let own_name = node.child_by_field_name("name");
            for part in named(node).into_iter().filter(|part| Some(*part) != body && Some(*part) != own_name)
            {
                if part.kind() == "formal_parameters" {
                    builder.parameter_types(part);
                } else {
                    builder.expr(part);
                }
            }
            let is_source =
                |(name, node): &(&str, Node)| *name == "MethodSource" && node.kind() == "marker_annotation";
            if annotations(node, builder.source).iter().any(is_source) {
                let place = method(&mut builder.places, name);
                builder.push(Op::Use(place));
            }
            if is_related && !is_constructor {
                // Overloads share a place: none of them hides another.
                let place = method(&mut builder.places, name);
                builder.push(Op::MayDefine(place));
            }
        });
        let outer = std::mem::replace(&mut self.routine, routine);
        self.enter_method(node, |builder| {
            let mut params = Vec::new();
            if let Some(parameters) = node.child_by_field_name("parameters") {
                for name in named(parameters).into_iter().filter_map(parameter_name) {
                    params.extend(builder.new_local(text(name, builder.source), None).place);
                }
            }
            builder.routines[routine.idx()].params = params;
            if let Some(body) = body {
                builder.braced(id, body);
            }
        });
        self.routine = outer;
        self.routines[routine.idx()].body.clone_from(&self.stmts[id.idx()].children);
        id
    }

    fn parameter_types(&mut self, parameters: Node<'t>) {
        for parameter in named(parameters) {
            let name = parameter_name(parameter);
            let is_type = |part: &Node| Some(*part) != name && part.kind() != "variable_declarator";
            named(parameter).into_iter().filter(is_type).for_each(|part| self.expr(part));
        }
    }

    /// A lambda with a block: a definition within the header of the statement around it.
    pub fn inline_lambda(&mut self, lambda: Node<'t>, block: Node<'t>) {
        let Some(parent) = self.current else { return };
        let id = self.node(StmtKind::Def, range_of(lambda), offset(block.start_byte()) + 1, Some(parent));
        self.inline_definition(id, parent, "lambda");
        let routine = self.new_routine(RoutineKind::Helper, "lambda", Some(id));
        let outer = std::mem::replace(&mut self.routine, routine);
        let assigned = self.assigned.clone();
        self.enter_method(lambda, |builder| {
            builder.assigned.extend(assigned);
            for (name, types) in super::expr::lambda_parameters(lambda) {
                for part in types {
                    builder.expr(part);
                }
                builder.new_local(text(name, builder.source), None);
            }
            builder.braced(id, block);
        });
        self.routine = outer;
        self.routines[routine.idx()].body.clone_from(&self.stmts[id.idx()].children);
    }

    /// The body of an anonymous class, likewise.
    pub fn inline_class(&mut self, body: Node<'t>) {
        let Some(parent) = self.current else { return };
        let range = range_of(body);
        let id = self.node(StmtKind::Class, range, range.start + 1, Some(parent));
        self.inline_definition(id, parent, "class");
        self.braces(id, body);
        let scope = self.anonymous_scope(body);
        self.scopes.stack.push(Scope::Class(scope));
        let children = self.members(id, body);
        self.stmts[id.idx()].children = children;
        self.scopes.stack.pop();
    }

    /// The statement around reads the place that stands for the definition.
    fn inline_definition(&mut self, id: StmtId, parent: StmtId, what: &str) {
        self.uncounted(id);
        self.stmts[parent.idx()].children.push(id);
        let name = format!("{what} {}", self.stmts[id.idx()].range.start);
        let place = self.places.intern(PlaceScope::Local(self.routine), name);
        self.stmts[id.idx()].ops = vec![Op::Define(place)];
        self.push(Op::Use(place));
    }

    /// Whether a class hands its methods to something outside of the file.
    pub fn may_be_overriding(&self, class: Node<'t>) -> bool {
        let outlined = self.outline.classes.iter().find(|found| found.start == class.start_byte());
        outlined.is_some_and(|class| {
            let is_plain = |name: &str| matches!(simple_name(name), "TestCase" | "Object");
            !class.interfaces.is_empty() || class.superclass.as_deref().is_some_and(|name| !is_plain(name))
        })
    }

    /// What a test class does not work without although no name says so.
    pub fn class_needs(&self, class: Node<'t>, id: StmtId) -> Vec<StmtId> {
        let may_override = self.may_be_overriding(class);
        let nodes = members(class);
        let member_at = |start: u32| nodes.iter().copied().find(|node| offset(node.start_byte()) == start);
        let is_needed = |child: &StmtId| {
            let stmt = &self.stmts[child.idx()];
            let Some(node) = member_at(stmt.range.start) else { return false };
            let marks = annotations(node, self.source);
            let is_marked = marks.iter().any(|(name, _)| !is_idle_annotation(name));
            let is_private = has_modifier(node, "private");
            // Of a superclass, the class that the target names may use anything.
            if self.found.is_inherited && !is_private && node.kind() != "class_declaration" {
                let role = match node.kind() {
                    "method_declaration" => kind::role(node, self.source, self.style),
                    _ => Role::Helper,
                };
                return role != Role::Test;
            }
            match node.kind() {
                "field_declaration" => is_marked,
                "constructor_declaration" => {
                    let n_parameters =
                        node.child_by_field_name("parameters").map_or(0, |list| named(list).len());
                    n_parameters > 0 || may_override
                }
                "method_declaration" => match kind::role(node, self.source, self.style) {
                    Role::Annotated => true,
                    Role::Helper => {
                        let is_own = is_private || has_modifier(node, "static");
                        marks.iter().any(|(name, _)| *name == "Override") || may_override && !is_own
                    }
                    Role::Test | Role::BeforeAll | Role::BeforeEach | Role::AfterEach | Role::AfterAll => {
                        false
                    }
                },
                "class_declaration" => is_marked && !marks.iter().any(|(name, _)| *name == "Nested"),
                _ => false,
            }
        };
        self.stmts[id.idx()].children.iter().copied().filter(is_needed).collect()
    }
}

/// Annotations that no framework reads.
fn is_idle_annotation(name: &str) -> bool {
    matches!(
        name,
        "SuppressWarnings"
            | "Deprecated"
            | "Nullable"
            | "Nonnull"
            | "NonNull"
            | "NotNull"
            | "VisibleForTesting"
    )
}
