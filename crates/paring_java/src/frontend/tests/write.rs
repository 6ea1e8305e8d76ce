//! What written tests look like.

use super::*;
use paring_model::{Body, Composed, Draft, Name, Piece, TestDraft};

const FILE: &str = "package t;
import org.junit.Test;
public class CartTest {
    @Test
    public void one() throws IOException {
        Cart cart = new Cart();  // empty
        int total = 1;
        cart.put(total, this.total);
    }

    @Test
    public void two() {
        Cart cart;
        cart = new Cart(2);
        total(cart).total();
    }
}
";

fn units() -> [Unit; 2] {
    [test_unit(FILE, "t.CartTest#one"), test_unit(FILE, "t.CartTest#two")]
}

fn pieces(units: &[Unit], idx: usize) -> Vec<Piece> {
    let unit = &units[idx];
    let def = unit.routine(unit.test.unwrap()).def.unwrap();
    unit.stmt(def).children.iter().map(|&stmt| Piece::plain(idx, stmt)).collect()
}

fn sharing(unit: &Unit, name: &str, with: &str, piece: &mut Piece) {
    let is_it =
        |place: &paring_model::Place| place.name == name && matches!(place.scope, PlaceScope::Local(_));
    let place = unit.places.iter().position(is_it).unwrap();
    piece.renames.insert(PlaceId::from_idx(place), with.to_owned());
}

/// The lines of the body of the written test, and its header.
fn check(pieces: Vec<Piece>, host: usize, header: &str, body: &[&str]) {
    let units = units();
    let composed = Composed { host, pieces, ..Composed::default() };
    let tests = vec![TestDraft { name: Name::New("both".to_owned()), body: Body::Composed(composed) }];
    let draft = Draft::of(tests);
    let written = JavaFrontend.write(&[&units[0], &units[1]], &draft, Form::Compact).unwrap();
    let lines = body.iter().map(|line| format!("        {line}\n")).collect::<Vec<_>>().concat();
    let expected = format!(
        "package t;\nimport org.junit.Test;\npublic class CartTest {{\n    @Test\n    {header} {{\n{lines}    }}\n}}\n"
    );
    let blank = |text: &str| text.replace("\n\n", "\n");
    assert_eq!(blank(written.candidate.text()), expected);
    assert_eq!(written.candidate.target_ids(), ["t.CartTest#both"]);
}

#[test]
fn variables_of_two_tests_keep_apart() {
    let units = units();
    let all = [pieces(&units, 0), pieces(&units, 1)].concat();
    check(
        all,
        0,
        "public void both() throws IOException",
        &[
            "Cart cart = new Cart();  // empty",
            "int total = 1;",
            "cart.put(total, this.total);",
            "Cart cart_2;",
            "cart_2 = new Cart(2);",
            "total(cart_2).total();",
        ],
    );
}

#[test]
fn a_shared_variable_is_declared_once() {
    let units = units();
    let mut first = pieces(&units, 0);
    sharing(&units[0], "cart", "cart", &mut first[0]);
    let mut second = pieces(&units, 1);
    sharing(&units[1], "cart", "cart", &mut second[1]);
    let all = vec![second[1].clone(), second[2].clone(), first[0].clone()];
    check(
        all,
        1,
        "public void both() throws IOException",
        &["Cart cart;", "cart = new Cart(2);", "total(cart).total();", "cart = new Cart();  // empty"],
    );
}
