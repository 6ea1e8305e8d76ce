//! Control flow by its picture: source and Mermaid side by side.

use crate::notation::unit;
use paring_graph::{Level, NodeId, cfg, dependence, mermaid, mermaid_dependence};
use paring_model::Facts;

fn check(name: &str, source: &str) {
    let unit = unit(source);
    let drawn = mermaid(&unit, &cfg(&unit, &Facts::default()));
    insta::assert_snapshot!(name, format!("{}\n{drawn}", unit.source.trim_end()));
}

#[test]
fn straight_line_flows_down() {
    check("straight_line", "a = A()\na.grow()\nassert a");
}

#[test]
fn branches_meet_again() {
    check("if_elif_else", "if a:\n    x = 1\nelif b:\n    x = 2\nelse:\n    x = 3\nuse(x)");
}

#[test]
fn a_branch_without_else_is_skipped() {
    check("if_without_else", "if a:\n    x = 1\nuse(x)");
}

#[test]
fn break_passes_the_else_of_its_loop() {
    let source = "
for x in xs:
    if x:
        continue
    if y:
        break
    use(x)
else:
    never()
after()";
    check("loop_break_continue_else", source);
}

#[test]
fn break_out_of_two_loops() {
    check("labelled_break", "for a in b:\n    for c in d:\n        break 2\n    inner()\nafter()");
}

#[test]
fn an_endless_loop_reaches_the_exit_by_fall_through_alone() {
    check("endless_loop", "while True:\n    if a:\n        break\nafter()\nwhile True:\n    work()");
}

#[test]
fn a_try_throws_into_its_handlers_and_through_its_finally() {
    let source = "
try:
    x = load()
    y = x.get()
except KeyError as e:
    log(e)
except OSError:
    raise
else:
    fine()
finally:
    close()
after()";
    check("try_except_else_finally", source);
}

#[test]
fn a_return_goes_on_through_finally() {
    check(
        "return_in_try_finally",
        "def test():\n    try:\n        return a\n    finally:\n        b()\n    c()",
    );
}

#[test]
fn raise_in_a_try_ends_behind_it() {
    check("raise_in_try", "try:\n    if a:\n        raise E\n    b()\nexcept E:\n    c()\nd()");
}

#[test]
fn with_runs_its_body() {
    check("with", "with open(p) as f:\n    x = f.read()\nassert x");
}

#[test]
fn a_with_that_expects_may_be_left_anywhere() {
    check("with_expects", "with raises(E):\n    x = 1\n    boom(x)\nafter(x)");
}

#[test]
fn a_match_may_match_nothing() {
    check("match_case", "match x:\n    case 1:\n        a()\n    case 2:\n        b()\nafter()");
}

#[test]
fn a_return_in_the_middle_falls_through_to_what_it_skips() {
    check("return_in_the_middle", "def test():\n    if a:\n        return\n    b()\n    assert c");
}

#[test]
fn the_fixture_flows_into_the_test_and_the_test_into_the_tear_down() {
    let source = "
import lib
def fixture_db():
    if lib.old:
        return lib.Old()
    return lib.Db()
def helper():
    not_in_the_flow()
def test(db):
    db.open()
    assert db.ok
    raise E
def teardown():
    lib.close()";
    check("fixture_sequence", source);
}

#[test]
fn a_class_body_runs_where_it_stands() {
    check(
        "class_body",
        "class TestA(Base):\n    \"\"\"Doc.\"\"\"\n    limit = 3\n    def test(self):\n        assert self.limit",
    );
}

#[test]
fn every_node_reaches_the_exit_without_exceptions() {
    let source = "
while True:
    try:
        raise E
    except E:
        continue
    finally:
        while True:
            a()
b()";
    let unit = unit(source);
    let cfg = cfg(&unit, &Facts::default());
    let mut reached = vec![NodeId::EXIT];
    let mut next_idx = 0;
    while let Some(&node) = reached.get(next_idx) {
        next_idx += 1;
        for &(before, kind) in cfg.predecessors(node) {
            if kind.carries_control() && !reached.contains(&before) {
                reached.push(before);
            }
        }
    }
    assert_eq!(reached.len(), cfg.n_nodes());
}

#[test]
fn dependence_is_drawn_with_its_reasons() {
    let unit = unit("import shop\ncart = shop.Cart()\ncart.add(\"<3>\")\nif cart:\n    assert cart.sum == 3");
    let dependence = dependence(&unit, &Facts::default(), Level::Zero);
    let drawn = mermaid_dependence(&unit, &dependence);
    insta::assert_snapshot!("dependence", format!("{}\n{drawn}", unit.source));
}
