//! What written tests look like.

use super::*;
use paring_model::{
    Body, Case, Cases, Composed, Draft, Name, Param, Piece, PlaceId, TestDraft, TextRange, Unwritable,
    Written,
};

const FILE: &str = "\
import pytest


@pytest.mark.slow
def test_a(db):
    # a cart
    cart = Cart(db)  # empty

    cart.put(1, cart=cart)
    assert cart.total == 1


def test_b(shop):
    cart = Cart(shop)
    assert [cart for cart in [cart]]
";

fn units() -> [Unit; 2] {
    [unit(FILE, "test_a"), unit(FILE, "test_b")]
}

fn pieces(units: &[Unit], idx: usize) -> Vec<Piece> {
    let unit = &units[idx];
    let def = unit.routine(unit.test.unwrap()).def.unwrap();
    unit.stmt(def).children.iter().map(|&stmt| Piece::plain(idx, stmt)).collect()
}

fn write(units: &[Unit], composed: Composed) -> Result<Written, Unwritable> {
    let body = Body::Composed(composed);
    let draft = Draft::of(vec![TestDraft { name: Name::New("test_both".to_owned()), body }]);
    PythonFrontend.write(&units.iter().collect::<Vec<_>>(), &draft, Form::Compact)
}

#[test]
fn two_tests_in_one_share_nothing_that_they_do_not_name() {
    let units = units();
    let pieces = [pieces(&units, 0), pieces(&units, 1)].concat();
    let written = write(&units, Composed { pieces, ..Composed::default() }).unwrap();
    let expected = "\
import pytest


@pytest.mark.slow
def test_both(db, shop):
    # a cart
    cart = Cart(db)  # empty

    cart.put(1, cart=cart)
    assert cart.total == 1
    cart_2 = Cart(shop)
    assert [cart_2 for cart_2 in [cart_2]]
";
    assert_eq!(written.candidate.text(), expected);
    assert_eq!(written.candidate.target_ids(), ["t.py::test_both"]);
    assert_eq!(written.origins.origin(0, 11), Some((1, 14)));
}

#[test]
fn a_variable_that_is_named_is_shared() {
    let units = units();
    let cart = units[1].places.iter().position(|place| place.name == "cart").unwrap();
    let mut second = pieces(&units, 1);
    second[1].renames.insert(PlaceId::from_idx(cart), "cart".to_owned());
    let pieces = [pieces(&units, 0), second[1..].to_vec()].concat();
    let text = write(&units, Composed { pieces, ..Composed::default() }).unwrap().candidate.into_text();
    assert!(text.ends_with("    assert cart.total == 1\n    assert [cart for cart in [cart]]\n"), "{text}");
}

#[test]
fn what_runs_before_is_a_fixture_and_cases_are_a_decorator() {
    let units = units();
    let own = pieces(&units, 0);
    let stmt = own[1].stmt;
    let start = units[0].stmt(stmt).range.start + 9;
    let hole = (TextRange::new(start, start + 1), "n".to_owned());
    let composed = Composed {
        setup: vec![own[0].clone()],
        pieces: vec![Piece { holes: vec![hole], ..own[1].clone() }],
        cases: Some(Cases {
            params: vec![Param { name: "n".to_owned(), declared: None }],
            rows: vec![Case { id: "one".to_owned(), values: vec!["1".to_owned()] }],
        }),
        ..Composed::default()
    };
    let text = write(&units, composed).unwrap().candidate.into_text();
    // A fixture has the parameters that it reads.
    let expected = "\
import pytest


@pytest.fixture
def cart(db):
    # a cart
    cart = Cart(db)  # empty
    return cart


@pytest.mark.parametrize(\"n\", [pytest.param(1, id=\"one\")])
@pytest.mark.slow
def test_both(db, cart, n):

    cart.put(n, cart=cart)
";
    assert_eq!(text.replace("n):\n\n", "n):\n"), expected.replace("n):\n\n", "n):\n"));
}

#[test]
fn a_name_of_the_file_is_not_free() {
    let units = units();
    let body = Body::Composed(Composed { pieces: pieces(&units, 0), ..Composed::default() });
    let tests = vec![TestDraft { name: Name::New("cart".to_owned()), body }];
    let refused = PythonFrontend.write(&[&units[0]], &Draft::of(tests), Form::Compact);
    assert_eq!(refused, Err(Unwritable::NameTaken("cart".to_owned())));
}
