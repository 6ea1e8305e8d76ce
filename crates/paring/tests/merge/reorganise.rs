//! Tests that share steps become one that makes them once.

use crate::trial::{Ran, Trial};

const CART: &str = "\
class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name, price):
        if price < 0:
            raise ValueError(\"negative\")
        self.lines.append((name, price))

    def total(self):
        return sum(price for _, price in self.lines)

    def size(self):
        return len(self.lines)


LAST = []


def remember(cart):
    LAST.append(cart.size())
    return len(LAST)
";

/// Merges tests that are written without blank lines at the ends.
fn reorganise(tests: &str, more: &[&str]) -> Ran {
    let text = format!("import pytest\nfrom cart import Cart, remember\n\n\n{}\n", tests.trim());
    let trial = Trial::with_files(&[("cart.py", CART), ("test_cart.py", &text)]);
    trial.merge(&[&["test_cart.py", "--how", "reorganise", "--mutants", "3"], more].concat())
}

#[track_caller]
fn check(tests: &str, expected: &str) -> Ran {
    let ran = reorganise(tests, &[]);
    let body = ran.text().split_once("\n\n\n").expect("imports stand first").1;
    assert_eq!(body.trim(), expected.trim(), "{ran}");
    ran
}

#[test]
fn what_goes_on_from_a_state_comes_behind_what_only_looks_at_it() {
    let ran = check(
        "
def test_two():
    cart = Cart()
    cart.add('pen', 2)
    cart.add('ink', 5)
    assert cart.total() == 7


def test_one():
    basket = Cart()
    # the first
    basket.add('pen', 2)
    assert basket.total() == 2


def test_size_of_two():
    cart = Cart()
    cart.add('pen', 2)
    cart.add('ink', 5)
    size = cart.size()
    assert size == 2
",
        "
def test_one_and_two_and_size_of_two():
    cart = Cart()
    cart.add('pen', 2)
    # the first
    assert cart.total() == 2

    cart.add('ink', 5)
    assert cart.total() == 7

    size = cart.size()
    assert size == 2
",
    );
    assert_eq!(ran.now("test_cart.py::test_two"), ["test_cart.py::test_one_and_two_and_size_of_two"]);
}

#[test]
fn the_order_of_steps_that_have_nothing_to_do_with_each_other_does_not_count() {
    check(
        "
def test_less():
    pens, inks = 2, 5
    small = Cart()
    large = Cart()
    large.add('ink', inks)
    assert small.total() < large.total()


def test_empty():
    a = Cart()
    b = Cart()
    assert a.size() == b.size() == 0
",
        "
def test_less_and_empty():
    pens, inks = 2, 5
    small = Cart()
    large = Cart()
    assert small.size() == large.size() == 0

    large.add('ink', inks)
    assert small.total() < large.total()
",
    );
}

#[test]
fn a_test_that_another_does_all_of_goes() {
    let ran = check(
        "
def test_total():
    cart = Cart()
    cart.add('pen', 2)
    assert cart.total() == 2


# A pen is one.
def test_total_and_size():
    basket = Cart()
    basket.add('pen', 2)
    assert basket.total() == 2
    assert basket.size() == 1
",
        "
# A pen is one.
def test_total_and_size():
    basket = Cart()
    basket.add('pen', 2)
    assert basket.total() == 2
    assert basket.size() == 1
",
    );
    assert_eq!(ran.now("test_cart.py::test_total"), ["test_cart.py::test_total_and_size"]);
}

#[test]
fn messages_stand_in_subtests_and_exceptions_come_last() {
    let tests = "
def test_negative():
    cart = Cart()
    cart.add('pen', 2)
    with pytest.raises(ValueError):
        cart.add('ink', -5)


def test_total():
    cart = Cart()
    cart.add('pen', 2)
    assert cart.total() == 2, 'total'


def test_size():
    cart = Cart()
    cart.add('pen', 2)
    assert cart.size() == 1, 'size'
";
    let ran = reorganise(tests, &["--no-soft"]);
    let expected = "
def test_total_and_size_and_negative():
    cart = Cart()
    cart.add('pen', 2)
    assert cart.total() == 2, 'total'
    assert cart.size() == 1, 'size'
    with pytest.raises(ValueError):
        cart.add('ink', -5)
";
    assert!(ran.text().ends_with(expected), "{ran}");
    // pytest below 9 has no subtests, and then each message needs a test of its own.
    let ran = reorganise(tests, &[]);
    if ran.code == 0 {
        assert!(ran.text().contains("    with subtests.test(\"total\"):\n        assert"), "{ran}");
    } else {
        ran.ends(3, &["(fails)"]);
    }
}

#[test]
fn what_cannot_be_shared_is_told() {
    let both = |first: &str, second: &str| {
        format!("{first}\n\n\n{}", second.replace("def test_one", "def test_two"))
    };
    let cases = [
        (
            "hidden state",
            "def test_one():\n    cart = Cart()\n    cart.add('a', 1)\n    assert remember(cart) > 0",
            "(state)",
        ),
        (
            "a file",
            "def test_one():\n    cart = Cart()\n    open('x', 'w').close()\n    assert cart.size() == 0",
            "(unknown_state)",
        ),
        (
            "what comes in",
            "def test_one(tmp_path):\n    cart = Cart()\n    cart.add('a', 1)\n    assert cart.size() == 1",
            "(fixtures)",
        ),
        (
            "the end",
            "def test_one():\n    cart = Cart()\n    if cart.size():\n        return\n    assert cart.total() == 0",
            "(unsupported)",
        ),
    ];
    for (what, test, reason) in cases {
        let other = test.replace("assert", "print()\n    assert");
        let ran = reorganise(&both(test, &other), &[]);
        assert!(ran.code == 3 && ran.stdout.contains(reason), "{what}: {ran}");
    }
}

#[test]
fn no_test_gets_longer_than_allowed() {
    let test = |name: &str, rest: &str| format!("def test_{name}():\n    cart = Cart()\n    {rest}\n\n\n");
    let tests = [
        test("a", "assert not cart.lines"),
        test("b", "assert not cart.size()"),
        test("c", "assert not cart.total()"),
    ];
    let ran = reorganise(&tests.concat(), &["--max-statements", "3"]);
    assert_eq!(ran.now("test_cart.py::test_b"), ["test_cart.py::test_a_and_b"], "{ran}");
    assert_eq!(ran.now("test_cart.py::test_c"), ["test_cart.py::test_c"], "{ran}");
    reorganise(&tests.concat(), &["--max-statements", "2"]).ends(3, &["(too_long)"]);
}
