//! What runs for the test, in order.

use super::build::{Builder, Method};
use super::kind::Role;
use paring_model::{RoutineId, RoutineKind};

/// Gives the routines their kinds, and answers with the sequence and the test.
pub fn order(builder: &mut Builder) -> (Vec<RoutineId>, Option<RoutineId>) {
    let is_test = |method: &Method, builder: &Builder| {
        let def = builder.routines[method.routine.idx()].def;
        let start = def.map(|def| builder.stmts[def.idx()].range.start as usize);
        start.is_some() && start == builder.found.test
    };
    let test = builder.methods.iter().find(|method| is_test(method, builder)).map(|method| method.routine);
    let methods = builder.methods.clone();
    for method in &methods {
        let kind = match method.role {
            _ if Some(method.routine) == test => RoutineKind::Test,
            _ if method.is_constructor => RoutineKind::SetUp,
            Role::Test => RoutineKind::OtherTest,
            Role::BeforeAll | Role::BeforeEach => RoutineKind::SetUp,
            Role::AfterEach | Role::AfterAll => RoutineKind::TearDown,
            Role::Helper | Role::Annotated => RoutineKind::Helper,
        };
        builder.routines[method.routine.idx()].kind = kind;
    }
    other_classes(builder);
    let classes = &builder.found.classes;
    let of = |class: usize, role: Role, is_constructor: bool| {
        let own = methods.iter().filter(move |method| {
            let is_same = method.role == role && method.is_constructor == is_constructor;
            method.class == class && is_same && Some(method.routine) != test
        });
        own.map(|method| method.routine)
    };
    let mut sequence = vec![RoutineId(0)];
    for (role, is_constructor) in [(Role::BeforeAll, false), (Role::Helper, true), (Role::BeforeEach, false)]
    {
        sequence.extend(classes.iter().flat_map(|&class| of(class, role, is_constructor)));
    }
    sequence.extend(test);
    for role in [Role::AfterEach, Role::AfterAll] {
        sequence.extend(classes.iter().rev().flat_map(|&class| of(class, role, false)));
    }
    (sequence, test)
}

/// Tests of classes that have nothing to do with the target's are other tests all the same.
fn other_classes(builder: &mut Builder) {
    for idx in 0..builder.outline.classes.len() {
        let class = &builder.outline.classes[idx];
        if builder.found.classes.contains(&class.start) || class.tests.is_empty() {
            continue;
        }
        let start = super::syntax::offset(class.start);
        for routine in &mut builder.routines {
            let Some(def) = routine.def else { continue };
            let parent = builder.stmts[def.idx()].parent;
            let is_own = parent.is_some_and(|parent| builder.stmts[parent.idx()].range.start == start);
            if is_own && class.tests.contains(&routine.name) {
                routine.kind = RoutineKind::OtherTest;
            }
        }
    }
}
