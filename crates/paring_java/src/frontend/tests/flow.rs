//! What statements read and write, and what they are for the control flow.

use super::*;
use paring_model::{RoutineKind, StmtKind};

#[track_caller]
fn check(body: &str, start: &str, expected: &str) {
    assert_eq!(ops(&unit_of(body), start), expected);
}

#[test]
fn a_call_is_charged_to_the_root_of_its_receiver() {
    check(
        "int t = cart.rows().sum(n);",
        "int t",
        "::field cart, .cart, .cart(), ::field n, .n, .cart(.n), =t",
    );
}

#[test]
fn a_dropped_call_changes_its_receiver_and_arguments() {
    check("List<String> xs = null; cart.add(xs);", "cart.add", "::field cart, .cart, xs, .cart(xs)!");
}

#[test]
fn printing_changes_nothing() {
    check("String s = \"\"; System.out.println(s);", "System.out", "::System, s");
}

#[test]
fn stubbing_changes_the_mock_along_the_chain() {
    check("Cart m = mock(); when(m.sum()).thenReturn(1);", "when", ".when(), m, m(), (m), (m)!");
    check("Cart m = mock(); doReturn(1).when(m).sum();", "doReturn", ".doReturn(), (), m, (m), (m)!");
}

#[test]
fn a_variable_that_gets_its_value_later_needs_its_declaration() {
    let unit = unit_of("int x; x = 1; use(x);");
    assert_eq!(ops(&unit, "int x"), "=int x");
    assert_eq!(ops(&unit, "x = 1"), "int x, =x");
    assert_eq!(ops(&unit, "use"), ".use(), int x, x, (x)!");
}

#[test]
fn the_value_of_a_variable_that_gets_another_is_a_node_of_its_own() {
    let unit = unit_of("int x = f(); x = 1;");
    assert_eq!(ops(&unit, "int x"), "=int x");
    assert_eq!(ops(&unit, "= f()"), ".f(), (), =x");
    assert_eq!(unit.test_body().len(), 2);
}

#[test]
fn variables_of_one_declaration_are_statements_each() {
    let unit = unit_of("int x = 1, y = x;");
    assert_eq!(ops(&unit, "y = x"), "x, =y");
    assert_eq!(unit.test_body().len(), 2);
}

#[test]
fn lambdas_and_anonymous_classes_are_nodes_within_the_statement() {
    let unit = unit_of("cart.on(v -> { n++; }); Object o = new Object() { void f() { n = 1; } };");
    let call = node(&unit, "cart.on");
    let lambda = unit.inline(call).next().expect("the lambda is a node");
    assert_eq!(unit.stmt(lambda).kind, StmtKind::Def);
    assert_eq!(ops(&unit, "n++"), "::field n, .n, .n, ::field n, =.n");
    assert_eq!(unit.test_body().len(), 4);
    let object = unit.inline(node(&unit, "Object o")).next().expect("the class is a node");
    assert_eq!(unit.stmt(object).kind, StmtKind::Class);
}

#[test]
fn statements_in_a_switch_that_has_a_value_count_as_those_elsewhere() {
    let body =
        "int x = switch (n) { case 1 -> { cart.a(); yield 2; } case 2 -> 3; default -> throw new X(); };";
    let unit = unit_of(body);
    let declaration = node(&unit, "int x");
    let blocks: Vec<StmtId> = unit.inline(declaration).collect();
    assert_eq!(blocks.len(), 2);
    assert_eq!(unit.stmt(blocks[0]).children.len(), 2);
    assert_eq!(unit.stmt(node(&unit, "yield")).kind, StmtKind::Return);
    // The declaration, the call, `yield` and `throw`; a value alone is no statement.
    assert_eq!(unit.test_body().len(), 4);
    // A block that gives another variable a value is part of its statement.
    let unit = unit_of("int y; int x = switch (n) { case 1 -> { y = 1; yield 2; } default -> 3; };");
    assert_eq!(unit.test_body().len(), 2);
}

#[test]
fn a_block_that_must_throw_is_part_of_the_test() {
    let unit = unit_of("assertThrows(X.class, () -> { cart.a(); cart.b(); });");
    let throws = node(&unit, "assertThrows");
    assert_eq!(unit.stmt(throws).kind, StmtKind::With { expects: true });
    assert_eq!(unit.stmt(throws).children.len(), 2);
    assert_eq!(unit.test_body().len(), 3);
}

#[test]
fn statements_have_their_kinds() {
    let kinds = [
        ("assertEquals(1, n);", StmtKind::Assert),
        ("Assert.assertEquals(1, n);", StmtKind::Assert),
        ("assertThat(n).isEqualTo(1);", StmtKind::Assert),
        ("verify(cart).add(1);", StmtKind::Assert),
        ("fail(\"no\");", StmtKind::Raise),
        ("Assert.fail();", StmtKind::Raise),
        ("cart.fail();", StmtKind::Simple),
        ("throw new X();", StmtKind::Raise),
        ("while (true) { }", StmtKind::Loop { endless: true }),
        ("for (;;) { }", StmtKind::Loop { endless: true }),
        ("synchronized (cart) { }", StmtKind::With { expects: false }),
        ("try (A a = b()) { }", StmtKind::With { expects: false }),
        ("try { } finally { }", StmtKind::Try),
        ("switch (n) { default: }", StmtKind::Match),
    ];
    for (body, kind) in kinds {
        let unit = unit_of(body);
        assert_eq!(unit.stmt(node(&unit, &body[..5])).kind, kind, "{body}");
    }
}

#[test]
fn jumps_know_what_they_leave() {
    let unit = unit_of(
        "a: for (;;) { for (;;) { switch (n) { case 1: break; case 2: continue a; default: break a; } } }",
    );
    assert_eq!(unit.stmt(node(&unit, "break;")).kind, StmtKind::Break { loops: 0 });
    assert_eq!(unit.stmt(node(&unit, "continue a")).kind, StmtKind::Continue { loops: 2 });
    assert_eq!(unit.stmt(node(&unit, "break a")).kind, StmtKind::Break { loops: 2 });
}

#[test]
fn what_runs_for_a_test_stands_in_order() {
    let source = include_str!("samples/Junit3Test.java");
    let unit = test_unit(source, "demo.Junit3Test#testSum");
    let names: Vec<(&str, RoutineKind)> =
        (unit.sequence.iter()).map(|&id| (unit.routine(id).name.as_str(), unit.routine(id).kind)).collect();
    assert_eq!(
        names,
        [
            ("<file>", RoutineKind::Module),
            ("Junit3Test", RoutineKind::SetUp),
            ("setUp", RoutineKind::SetUp),
            ("testSum", RoutineKind::Test),
            ("tearDown", RoutineKind::TearDown),
        ]
    );
    let other = unit.routines.iter().find(|routine| routine.name == "testOther").expect("it is in the file");
    assert_eq!(other.kind, RoutineKind::OtherTest);
}

#[test]
fn an_inherited_test_is_found_by_its_method() {
    let source = include_str!("samples/Junit3Test.java");
    let unit = test_unit(source, "demo.Derived#testSum[3]");
    assert!(unit.test.is_some());
    assert!(!outline(source).defines("demo.Derived#testSum"));
    assert!(outline(source).defines("demo.Junit3Test#testSum"));
    assert_eq!(outline(source).classes[0].superclass.as_deref(), Some("TestCase"));
}

#[test]
fn a_test_is_plain_if_all_of_that_name_are() {
    let source = "class T {\n  @Test void a() {}\n  @org.junit.jupiter.api.Test void b() {}\n  @ParameterizedTest void b(int n) {}\n  \
                  @RepeatedTest(2) void c() {}\n  void d() {}\n}\n";
    assert_eq!(outline(source).classes[0].plain_tests, ["a"]);
}

#[test]
fn a_comment_protects() {
    let unit = unit_of("cart.a(); // paring: keep\n// paring: keep\ncart.b();\ncart.c();");
    let is_protected = |start| unit.stmt(node(&unit, start)).protected;
    assert_eq!([is_protected("cart.a"), is_protected("cart.b"), is_protected("cart.c")], [true, true, false]);
}
