//! Literals that may become smaller, and what the text looks like when they are.

use super::{errors, unit};
use crate::frontend::PythonFrontend;
use paring_model::{EditSet, Form, Frontend, LiteralKind, Unit};

fn with_literals(source: &str, target: &str) -> Unit {
    PythonFrontend.with_literals(unit(source, target))
}

/// What is offered, in source order: a text by its characters, a list by the number of its elements, a number by what may
/// take its place.
fn offered(source: &str, target: &str) -> Vec<String> {
    let unit = with_literals(source, target);
    let mut literals: Vec<_> = unit.literals.iter().collect();
    literals.sort_by_key(|literal| literal.range);
    let shown = literals.into_iter().map(|literal| {
        let trims = literal.trims.iter().map(|&id| &unit.trim(id).edits[0]);
        match literal.kind {
            LiteralKind::Text => trims.map(|(range, _)| range.of(source)).collect::<Vec<_>>().join("|"),
            LiteralKind::Number => trims.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" "),
            LiteralKind::List => format!("{} elements", trims.count()),
        }
    });
    shown.collect()
}

/// Offers of a test with one statement.
#[track_caller]
fn check(statement: &str, expected: &[&str]) {
    assert_eq!(offered(&format!("def test():\n    {statement}\n"), "test"), expected, "{statement}");
}

/// Takes the trims of all literals that `takes` says, and compares the compact form; the blanked one has all that is outside of
/// literals in its place.
#[track_caller]
fn renders(source: &str, takes: impl Fn(LiteralKind, usize, &str) -> bool, expected: &str) {
    let unit = with_literals(source, "test");
    let mut edits = EditSet::all(&unit);
    for literal in &unit.literals {
        for (position, &id) in literal.trims.iter().enumerate() {
            if takes(literal.kind, position, unit.trim(id).edits[0].0.of(source)) {
                edits.trims.insert(id);
            }
        }
    }
    let compact = PythonFrontend.edited(&unit, &edits, Form::Compact).into_text();
    assert_eq!(compact, expected);
    let blanked = PythonFrontend.edited(&unit, &edits, Form::Blanked).into_text();
    assert_eq!(errors(&blanked), Vec::<String>::new(), "{blanked}");
    assert_eq!(blanked.lines().count(), source.lines().count(), "{blanked}");
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect::<String>();
    assert_eq!(dense(&blanked), dense(&compact));
    for (line, (before, after)) in source.lines().zip(blanked.lines()).enumerate() {
        let marked = |line: &str| line.find('@');
        assert_eq!(marked(before), marked(after), "line {} of\n{blanked}", line + 1);
    }
}

#[test]
fn texts_are_offered_by_their_characters() {
    check(r"f('a\n', b'\x00z', r'\d')", &["a|\\n", "\\x00|z", "\\d"]);
    check("f('ab' 'c')", &["a|b", "c"]);
    check("f('')", &[]);
    check("f(u'a', rb'b')", &["a", "b"]);
}

#[test]
fn numbers_are_offered_with_their_sign() {
    check("f(5, -4, 2.5, x[1])", &["0 1 2", "0 -1 -2", "0.0 1.0 2.0", "0"]);
    check("f(0, 3j, True, None)", &[]);
}

#[test]
fn every_display_is_a_list() {
    check("f([a, b], {a: b}, (a, b), {a})", &["2 elements", "1 elements", "2 elements", "1 elements"]);
    check("f([], (), [*a], {**a}, [a for a in b])", &[]);
    check("(a, b) = c", &[]);
    check("[a, b] = c", &[]);
}

#[test]
fn what_is_more_than_a_value_is_left_alone() {
    check("f(f'a{1}b', f'c')", &[]);
    check("x: 'Cart' = g(1)", &["0"]);
    check("'doc'", &[]);
    check("f('ab')  # paring: keep", &[]);
    check("match 5:\n        case 7: f(2)", &["0 1 2", "0 1"]);
    check("try: f(2)\n    except (A, B): g(3)", &["0 1", "0 1"]);
    check("def inner(a=3): return 2", &["0 1"]);
}

#[test]
fn only_what_runs_for_the_test_is_offered() {
    let source = "import pytest\nN = 7\n@pytest.fixture\ndef rows():\n    return 5\n\
                  @pytest.mark.parametrize('n', [3])\ndef test(n, rows):\n    f(2)\n\
                  def test_other():\n    f(9)\n";
    assert_eq!(offered(source, "test[3]"), ["0 1 2", "0 1"]);
}

#[test]
fn a_smaller_text_keeps_its_quotes_and_all_after_it_its_place() {
    let takes = |kind, _, text: &str| kind == LiteralKind::Text && text != "x";
    renders("def test():\n    f(b'abxc', r\"\\dx\") @ y\n", takes, "def test():\n    f(b'x', r\"x\") @ y\n");
    renders(
        "def test():\n    f('''a\n b\n cx''') @ y\n    g()\n",
        takes,
        "def test():\n    f('''x''') @ y\n    g()\n",
    );
    renders("def test():\n    a = '''b\n'''.c @ d\n", takes, "def test():\n    a = ''''''.c @ d\n");
    renders("def test():\n    a = 'b\\\nc' # @\n    b\n", takes, "def test():\n    a = '' # @\n    b\n");
    renders("def test():\r\n    a = '''b\r\nc''' @ d\r\n", takes, "def test():\r\n    a = '''''' @ d\r\n");
}

#[test]
fn the_smallest_number_that_was_taken_counts() {
    let takes = |kind, position, _: &str| kind == LiteralKind::Number && position > 0;
    renders("def test():\n    f(100, -3) @ y\n", takes, "def test():\n    f(1, -1) @ y\n");
}

#[test]
fn elements_go_with_their_commas_and_with_all_that_is_in_them() {
    let takes = |kind, position, _: &str| kind != LiteralKind::List || position != 1;
    renders("def test():\n    f([11, 22, 33]) @ y\n", takes, "def test():\n    f([0]) @ y\n");
    renders("def test():\n    f({'k': 11, 'l': 'v'})\n", takes, "def test():\n    f({'': ''})\n");
    renders("def test():\n    f((11, 22, 33))\n", takes, "def test():\n    f((0,))\n");
    renders(
        "def test():\n    f([\n        'a',\n        'b',\n        'c',\n    ])\n",
        takes,
        "def test():\n    f([\n        '',\n    ])\n",
    );
    let inner = |kind, position, _: &str| kind == LiteralKind::List && position == 0;
    renders("def test():\n    f([[1, 2], [3, 4]])\n", inner, "def test():\n    f([[4]])\n");
}

#[test]
fn a_set_keeps_an_element() {
    let unit = with_literals("def test():\n    f({1}, [2])\n", "test");
    let lists = unit.literals.iter().filter(|literal| literal.kind == LiteralKind::List);
    assert_eq!(lists.map(|list| list.keeps_one).collect::<Vec<_>>(), [true, false]);
}
