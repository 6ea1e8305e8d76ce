//! What the statements of tests call and assert.

use super::Lab;
use crate::runner::list_calls;
use paring_model::{CallFact, Fact};

const SHOP: &str = "\
class Cart:
    def __init__(self):
        self.rows = []

    def add(self, *rows):
        self.rows.extend(rows)
        return self

    def each(self, act):
        return [act(row) for row in self.rows]


def twice(number):
    return number * 2
";

/// The facts of each test with this body, by the tests' names.
#[track_caller]
fn facts(bodies: &[&str]) -> Vec<Vec<CallFact>> {
    let mut text =
        "import io\nimport unittest.mock\nimport pytest\nfrom shop import Cart, twice\n".to_owned();
    for (at, body) in bodies.iter().enumerate() {
        let body: Vec<String> = body.lines().map(|line| format!("    {line}\n")).collect();
        let helper = format!("\n\ndef helper{at}(cart):\n    assert cart.rows == []\n");
        text.extend([helper, format!("\n\ndef test_{at}():\n"), body.concat()]);
    }
    let lab = Lab::new(&[("shop.py", SHOP), ("test_a.py", &text)]);
    let found = list_calls(&lab.project(), &["test_a.py".to_owned()], &[]).expect("tests");
    assert_eq!(found.len(), bodies.len());
    found
        .into_iter()
        .map(|test| test.calls.unwrap_or_else(|| panic!("{}: no calls", test.nodeid)).facts)
        .collect()
}

/// Whether the only calls of two bodies have equal inputs: by value, and as graphs.
#[track_caller]
fn are_equal(one: &str, other: &str) -> (bool, bool) {
    let facts = facts(&[one, other]);
    let last = |at: usize| facts[at].iter().rfind(|fact| fact.what == Fact::Call).expect("a call");
    let (one, other) = (last(0), last(1));
    assert_eq!(one.callee, other.callee);
    let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    (same(&one.value, &other.value), same(&one.inputs, &other.inputs))
}

#[test]
fn calls_are_equal_where_their_inputs_are() {
    for (one, other, expected) in [
        ("twice(1)", "n = 0 + 1\ntwice(n)", (true, true)),
        ("twice(1)", "twice(1.0)", (false, false)),
        ("twice(1)", "twice(True)", (false, false)),
        ("twice(0.0)", "twice(-0.0)", (false, false)),
        ("twice(float('nan'))", "twice(float('nan'))", (true, true)),
        ("a = [1]\nCart().add(a, a)", "Cart().add([1], [1])", (true, false)),
        ("a = []\na.append(a)\ntwice(a)", "a = []\na.append(a)\ntwice(a)", (true, true)),
        ("Cart().add(1)", "c = Cart()\nc.rows.append(0)\nc.add(1)", (false, false)),
        ("twice({1, 2})", "twice({2, 1})", (true, true)),
    ] {
        assert_eq!(are_equal(one, other), expected, "{one}\n{other}");
    }
}

#[test]
fn what_cannot_be_told_equals_nothing() {
    for opaque in [
        "Cart().each(lambda row: row)",
        "Cart().add(unittest.mock.Mock())",
        "with open(__file__) as file:\n    Cart().add(file)",
        "class Own: pass\nCart().add(Own())",
    ] {
        assert_eq!(are_equal(opaque, opaque), (false, false), "{opaque}");
    }
}

#[test]
fn every_execution_of_a_statement_is_told_and_what_its_helpers_assert() {
    let body = "cart = Cart()\nfor n in (1, 2):\n    cart.add(\n        n\n    )\nassert cart.rows\ncart.rows.clear()\nhelper0(cart)\nwith pytest.raises(TypeError):\n    twice()";
    let found = facts(&[body]).remove(0);
    let first = found[0].line;
    let told: Vec<(u32, u32, &str)> =
        found.iter().map(|fact| (fact.line - first, fact.nth, fact.callee.as_str())).collect();
    let expected = [
        (0, 1, "shop.Cart.__init__"),
        (2, 1, "shop.Cart.add"),
        (2, 2, "shop.Cart.add"),
        (5, 1, "_0.rows"),
        (7, 1, "_0.rows == []"),
        (8, 1, "raises"),
    ];
    assert_eq!(told, expected);
    let states: Vec<_> = found.iter().map(|fact| fact.after.clone()).collect();
    assert!(states.iter().all(Option::is_some) && states[1] != states[2], "{states:?}");
}

#[test]
fn a_test_that_decides_for_itself_has_a_verdict_that_equals_nothing() {
    let found = facts(&["if twice(1) != 2:\n    raise AssertionError"]).remove(0);
    assert_eq!((found[0].what, found[0].inputs.as_ref()), (Fact::Assert, None));
}
