//! Literals that may become smaller, and what the text looks like when they are.

use super::*;
use paring_model::LiteralKind;

fn with_literals(body: &str) -> Unit {
    JavaFrontend.with_literals(unit_of(body))
}

/// What is offered for a body, in source order: a text by its characters, a list by the number of its elements, a number by what
/// may take its place.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let unit = with_literals(body);
    let mut literals: Vec<_> = unit.literals.iter().collect();
    literals.sort_by_key(|literal| literal.range);
    let shown = literals.into_iter().map(|literal| {
        let trims = literal.trims.iter().map(|&id| &unit.trim(id).edits[0]);
        match literal.kind {
            LiteralKind::Text => trims.map(|(range, _)| range.of(&unit.source)).collect::<Vec<_>>().join("|"),
            LiteralKind::Number => trims.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" "),
            LiteralKind::List => format!("{} elements", trims.count()),
        }
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected, "{body}");
}

/// Takes the trims of all literals that `takes` says, and compares the compact form; the blanked one has all that is outside of
/// literals in its place.
#[track_caller]
fn renders(body: &str, takes: impl Fn(LiteralKind, usize, &str) -> bool, expected: &str) {
    let unit = with_literals(body);
    let mut edits = EditSet::all(&unit);
    for literal in &unit.literals {
        for (position, &id) in literal.trims.iter().enumerate() {
            if takes(literal.kind, position, unit.trim(id).edits[0].0.of(&unit.source)) {
                edits.trims.insert(id);
            }
        }
    }
    let written = |form| {
        let text = JavaFrontend.edited(&unit, &edits, form).into_text();
        assert!(syntax::problems(syntax::parsed(&text).root_node()).is_empty(), "{text}");
        text[HEAD.len()..text.len() - TAIL.len()].to_owned()
    };
    assert_eq!(written(Form::Compact), expected);
    let blanked = written(Form::Blanked);
    assert_eq!(blanked.lines().count(), body.lines().count(), "{blanked}");
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(dense(&blanked), dense(expected));
    for (line, (before, after)) in body.lines().zip(blanked.lines()).enumerate() {
        let marked = |line: &str| line.find('^');
        assert_eq!(marked(before), marked(after), "line {} of\n{blanked}", line + 1);
    }
}

#[test]
fn texts_and_numbers_are_offered() {
    check(r#"f("a\n\"", 'c', "");"#, &["a|\\n|\\\""]);
    check(
        "f(5, -4L, 0x10, 2.5f, 1_0);",
        &["0 1 2", "0L -1L -2L", "0 1 0x2 0x4 0x8", "0.0f 1.0f 2.0f", "0 1 2 5"],
    );
    check("String s = \"\"\"\n      ab\n      c\"\"\";", &["a|b|\n      |c"]);
}

#[test]
fn arrays_and_lists_that_are_written_out_are_offered() {
    let nested = ["2 elements", "2 elements", "1 elements", "2 elements"];
    check("int[] ns = {a, b}; int[][] m = {{a}, {b, c}};", &nested);
    check("f(List.of(a, b), Arrays.asList(c), Map.of(a, b), List.of());", &["2 elements", "1 elements"]);
    check("f(List.of(a, () -> { g(); }));", &[]);
}

#[test]
fn what_is_more_than_a_value_is_left_alone() {
    check("@SuppressWarnings(\"all\") int n = g(2);", &["0 1"]);
    check("f(\"ab\"); // paring: keep", &[]);
    check("switch (n) { case 7: f(2); }", &["0 1"]);
    check("f(() -> { g(\"ab\"); });", &["a|b"]);
}

#[test]
fn a_smaller_literal_keeps_its_form_and_all_after_it_its_place() {
    let takes = |kind, _, text: &str| kind == LiteralKind::Number || kind == LiteralKind::Text && text != "x";
    renders("f(\"abxc\" + 100L ^ y);", takes, "f(\"x\" + 0L ^ y);");
    renders("f(\"\"\"\n    ab\n    xc\n    \"\"\" ^ y);\ng();", takes, "f(\"\"\"\n    x\"\"\" ^ y);\ng();");
}

#[test]
fn elements_go_with_their_commas_and_with_all_that_is_in_them() {
    let takes = |kind, position, _: &str| kind != LiteralKind::List || position != 1;
    renders("f(new int[] {11, 22, 33} ^ y);", takes, "f(new int[] {0} ^ y);");
    renders("f(Arrays.asList(\"aa\", \"bb\"));", takes, "f(Arrays.asList(\"\"));");
    renders("int[] ns = {\n    11,\n    22,\n    33\n};", takes, "int[] ns = {\n    0\n};");
}
