//! Edits smaller than a statement.

use super::{errors, place, rendered, unit};
use crate::frontend::PythonFrontend;
use paring_model::{EditSet, Form, Frontend, TrimKind};

/// The labels of a kind of trim, with the places that must be unused.
fn labels(source: &str, target: &str, kind: TrimKind) -> Vec<String> {
    let unit = unit(source, target);
    let offered = unit.trims.iter().filter(|trim| trim.kind == kind);
    let shown = offered.map(|trim| {
        let unused = trim.unused.iter().map(|&id| format!(" {}", place(&unit, id)));
        format!("{}:{}", trim.label, unused.collect::<String>())
    });
    shown.collect()
}

/// Checks both forms of a text with trims applied; the blanked one by its tokens.
fn check(source: &str, target: &str, script: &[&str], expected: &str) {
    let (compact, _) = rendered(source, target, script, Form::Compact);
    assert_eq!(compact, expected);
    let (blanked, _) = rendered(source, target, script, Form::Blanked);
    assert_eq!(blanked.lines().count(), source.lines().count());
    // Brackets around imported names go where there are few.
    let words = |text: &str| {
        let text = text.split_whitespace().collect::<String>();
        text.replace(",)", ")").replace(",]", "]").replace(",}", "}").replace("import(hasi)", "importhasi")
    };
    assert_eq!(words(&blanked), words(expected));
}

#[test]
fn parameters_go_in_any_combination() {
    let source = "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test(a, n, b, c=1): pass\n";
    assert_eq!(
        labels(source, "test[1]", TrimKind::Parameter),
        ["parameter a: a", "parameter b: b", "parameter c: c"]
    );
    let head = "import pytest\n@pytest.mark.parametrize('n', [1, 2])\n";
    check(source, "test", &["~parameter a"], &format!("{head}def test(n, b, c=1): pass\n"));
    check(source, "test", &["~parameter b"], &format!("{head}def test(a, n, c=1): pass\n"));
    check(source, "test", &["~parameter b", "~parameter c"], &format!("{head}def test(a, n): pass\n"));
    check(
        source,
        "test",
        &["~parameter a", "~parameter b", "~parameter c"],
        &format!("{head}def test(n): pass\n"),
    );
}

#[test]
fn imported_names_go_with_their_commas() {
    let source = "import a, b\nfrom c import d, \\\n    e\nfrom f import (\n    g,\n    h as i,\n)\ndef test(): pass\n";
    assert_eq!(
        labels(source, "test", TrimKind::ImportName).join(" "),
        "imported name a: ::a imported name b: ::b imported name d: ::d imported name e: ::e imported name g: ::g imported name i: ::i"
    );
    check(
        source,
        "test",
        &["~imported name b", "~imported name e", "~imported name g"],
        "import a\nfrom c import d\nfrom f import h as i\ndef test(): pass\n",
    );
    check(
        source,
        "test",
        &["~imported name a", "~imported name b", "~imported name g", "~imported name i", "~imported name e"],
        "from c import d\ndef test(): pass\n",
    );
}

#[test]
fn names_that_a_function_imports_are_its_own_and_those_of_a_class_stay() {
    let source = "class TestA:\n    from a import b, c\n    def test(self):\n        from d import e, f\n        assert e\n";
    assert_eq!(
        labels(source, "TestA::test", TrimKind::ImportName).join(" "),
        "imported name e: e imported name f: f"
    );
}

#[test]
fn with_items_go_and_the_last_one_takes_the_block_along() {
    let source = "def test(x):\n    with a as b, (c) as (d, e), f():\n        b()\n";
    let expected = ["with item a as b: b", "with item (c) as (d, e): d e", "with item f():"];
    assert_eq!(labels(source, "test", TrimKind::WithItem), expected);
    check(source, "test", &["~with item a"], "def test(x):\n    with (c) as (d, e), f():\n        b()\n");
    check(
        source,
        "test",
        &["~with item (c)", "~with item f"],
        "def test(x):\n    with a as b:\n        b()\n",
    );
    let all = ["~with item a", "~with item (c)", "~with item f"];
    let (compact, _) = rendered(source, "test", &all, Form::Compact);
    assert_eq!(compact, "def test(x):\n    b()\n");
}

#[test]
fn decorators_go_and_those_that_pass_a_mock_take_the_parameter_along() {
    let source = "\
@skipUnless(X, 'x')
@wrapped
class TestA:
    @patch('a.b')
    # about c
    @patch.object(
        a, 'c'
    )
    @pytest.mark.asyncio
    def test_it(self, c, b, tmp_path): pass
";
    let expected =
        ["decorator @patch('a.b'): b", "decorator @patch.object( a, 'c' ): c", "decorator @wrapped:"];
    assert_eq!(labels(source, "TestA::test_it", TrimKind::Decorator), expected);
    assert_eq!(labels(source, "TestA::test_it", TrimKind::Parameter), ["parameter tmp_path: tmp_path"]);
    check(
        source,
        "TestA::test_it",
        &["~decorator @patch.object", "~decorator @wrapped", "~parameter tmp_path"],
        "@skipUnless(X, 'x')\nclass TestA:\n    @patch('a.b')\n    # about c\n    @pytest.mark.asyncio\n    def test_it(self, b): pass\n",
    );
}

/// Checks the text and the id that all `Cases` trims of a target lead to.
fn check_case(decorators: &str, case: &str, expected: &str, expected_case: &str) {
    let tail = "def test(x, y=1, z=2): pass\n";
    let source = format!("{decorators}{tail}");
    let target = format!("test[{case}]");
    let unit = unit(&source, &target);
    let mut edits = EditSet::all(&unit);
    edits.trims.extend(unit.trim_ids().filter(|&trim| unit.trim(trim).kind == TrimKind::Cases));
    for form in [Form::Compact, Form::Blanked] {
        let candidate = PythonFrontend.edited(&unit, &edits, form);
        assert_eq!(errors(candidate.text()), Vec::<String>::new());
        assert_eq!(candidate.target(), format!("t.py::test[{expected_case}]"));
        if form == Form::Compact {
            assert_eq!(candidate.text().strip_suffix(tail).unwrap(), expected);
        }
    }
}

#[test]
fn a_parametrised_test_is_left_with_its_failing_case() {
    let of = |values: &str| format!("@p.mark.parametrize('x', {values})\n");
    check_case(&of("[1, 2, 3]"), "2", &of("[2]"), "2");
    check_case(&of("[1, 2, 3]"), "3", &of("[3]"), "3");
    check_case(&of("(1, 2)"), "2", &of("(2,)"), "2");
    check_case(&of("(1, 2)"), "1", &of("(1,)"), "1");
    check_case(&of("[[], {}, f(1)]"), "x2", &of("[f(1)]"), "x0");
    check_case(&of("[1.5, -2, None, True, 'a-b', b'z', 2**8]"), "a-b", &of("['a-b']"), "a-b");
    check_case(&of("[1.5, -2, None, True, 'a-b', b'z', 2**8]"), "256", &of("[2**8]"), "256");
    check_case(&of("[int, str, Color.RED]"), "Color.RED", &of("[Color.RED]"), "Color.RED");
    check_case(&of("['é\\n', 'b']"), "\\xe9\\n", &of("['é\\n']"), "\\xe9\\n");
    check_case(&of("['a', 'a', 1, 1]"), "a1", &of("['a']"), "a");
    check_case(&of("['a', 'a', 1, 1]"), "1_0", &of("[1]"), "1");
    check_case(
        &of("[p.param(1, id='one'), p.param(2, marks=m)]"),
        "one",
        &of("[p.param(1, id='one')]"),
        "one",
    );
    check_case(&of("[1, 2], ids=['a', 'b']"), "b", &of("[2], ids=['b']"), "b");
    check_case(&of("[b'\\r', b'\\x00']"), "\\r", &of("[b'\\r']"), "\\r");
    check_case(&of("[f'{E}[1m', f'{E}[2m']"), "\\x1b[2m", &of("[f'{E}[2m']"), "\\x1b[2m");
    // Nothing to tell by, or nothing to leave out.
    check_case(&of("[1, 2], ids=name"), "b", &of("[1, 2], ids=name"), "b");
    let apart = |values: &str| format!("IDS = ['a', 'b']\n{}", of(values));
    check_case(&apart("[1, 2], ids=IDS"), "1", &apart("[1, 2], ids=IDS"), "1");
    check_case(&of("make()"), "b", &of("make()"), "b");
    check_case(&of("[1]"), "1", &of("[1]"), "1");
}

#[test]
fn stacked_decorators_name_the_lowest_first() {
    check_case(
        "@p.mark.parametrize('x,y', [\n    (1, 'a'),\n    # two\n    (2, []),  # b\n])\n@p.mark.parametrize(('z',), [(5,), (6,)])\n",
        "6-2-y1",
        "@p.mark.parametrize('x,y', [\n    # two\n    (2, []),  # b\n])\n@p.mark.parametrize(('z',), [(6,)])\n",
        "6-2-y0",
    );
}

#[test]
fn what_cannot_be_told_is_told_by_the_rest() {
    check_case(
        "@p.mark.parametrize('x,y', [(A.B | C, 'q'), (A.C, []), (D, [])])\n",
        "<A.C: 3>-y1",
        "@p.mark.parametrize('x,y', [(A.C, [])])\n",
        "<A.C: 3>-y0",
    );
}

#[test]
fn parts_that_cannot_be_read_stay_in_the_id() {
    // A parametrised fixture of a conftest, and a list made by a call.
    check_case(
        "@p.mark.parametrize('x', ['a', 'b'])\n",
        "mem-b",
        "@p.mark.parametrize('x', ['b'])\n",
        "mem-b",
    );
    check_case(
        "@p.mark.parametrize('x', [[1], [2]])\n@p.mark.parametrize('y', make())\n",
        "q-r-x1",
        "@p.mark.parametrize('x', [[2]])\n@p.mark.parametrize('y', make())\n",
        "q-r-x0",
    );
}

#[test]
fn cases_in_a_list_of_their_own_are_left_out_there() {
    check_case(
        "XS = [1, 2]\n@p.mark.parametrize('x', XS)\n",
        "2",
        "XS = [2]\n@p.mark.parametrize('x', XS)\n",
        "2",
    );
}

#[test]
fn elements_of_iterated_literals_go_one_by_one() {
    let source = "XS = {'a': 1, 'b': 2}\ndef test():\n    for x in (1, (2), 3):\n        f(x)\n    for k, v in XS.items():\n        f(k)\n    for x in [y, *z]: f()\n";
    assert_eq!(labels(source, "test", TrimKind::Element).len(), 5);
    let line = |elements: &str| source.replace("(1, (2), 3)", elements);
    let label = |position: usize| format!("~element {position} of 3");
    check(source, "test", &[&label(1)], &line("((2), 3,)"));
    check(source, "test", &[&label(1), &label(2)], &line("(3,)"));
    check(source, "test", &[&label(2), &label(3)], &line("(1,)"));
    check(source, "test", &[&label(1), &label(2), &label(3)], &line("()"));
    check(source, "test", &["~element 2 of 2"], &source.replace(", 'b': 2", ""));
}

#[test]
fn comments_over_an_element_go_with_it() {
    let source = "NS = [\n    # one\n    1,\n    # two\n    # more\n    2,  # here\n    # three\n    3,\n]\n@mark.parametrize('n', NS)\ndef test(n): pass\n";
    let tail = "@mark.parametrize('n', NS)\ndef test(n): pass\n";
    let unit = unit(source, "test[2]");
    let mut edits = EditSet::all(&unit);
    edits.trims.extend(unit.trim_ids().filter(|&trim| unit.trim(trim).kind == TrimKind::Cases));
    let candidate = PythonFrontend.edited(&unit, &edits, Form::Compact);
    assert_eq!(candidate.text(), format!("NS = [\n    # two\n    # more\n    2,  # here\n]\n{tail}"));
}
