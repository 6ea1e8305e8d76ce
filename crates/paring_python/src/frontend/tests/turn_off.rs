//! Assertions that are turned off, and tests side by side.

use super::{edits, errors, unit};
use crate::frontend::PythonFrontend;
use paring_model::{Draft, Form, Frontend, TestDraft, TextRange, Unit};
use paring_testkit::origins;

fn assertions(source: &str) -> Vec<String> {
    let unit = unit(source, "test");
    let first_line = |range: &TextRange| range.of(&unit.source).lines().next().unwrap_or_default().to_owned();
    PythonFrontend.assertions(&unit).iter().map(first_line).collect()
}

/// The source with these of its assertions turned off, and the line each of its lines comes from.
fn turned_off(source: &str, which: &[usize]) -> Option<(String, Vec<u32>)> {
    let unit = unit(source, "test");
    let all = PythonFrontend.assertions(&unit);
    let off: Vec<TextRange> = which.iter().map(|&idx| all[idx]).collect();
    let found = PythonFrontend.turned_off(&unit, &off)?;
    assert_eq!(errors(&found.text), Vec::<String>::new(), "{}", found.text);
    let lines = origins(&found);
    Some((found.text, lines))
}

#[test]
fn every_way_to_assert_is_found_and_nothing_else() {
    let source = "\
def test(self):
    assert a
    assert (
        b
    )
    self.assertEqual(a, b)
    np.testing.assert_allclose(a, b)
    mock.assert_called_once()
    with pytest.raises(ValueError):
        f()
    with self.assertRaises(ValueError), open(x):
        f()
    pytest.raises(ValueError, f)
    with self.subTest(a=1):
        self.assertTrue(a)
    if c:
        self.fail('no')
    assert False
    raise ValueError
    with open(x) as y:
        asserted(y)
    assertion = 3
";
    assert_eq!(
        assertions(source),
        [
            "assert a",
            "assert (",
            "self.assertEqual(a, b)",
            "np.testing.assert_allclose(a, b)",
            "mock.assert_called_once()",
            "with pytest.raises(ValueError):",
            "with self.assertRaises(ValueError), open(x):",
            "pytest.raises(ValueError, f)",
            "self.assertTrue(a)",
            "self.fail('no')",
            "assert False",
        ]
    );
}

#[test]
fn assertions_of_other_functions_are_not_the_tests() {
    assert_eq!(assertions("def other():\n    assert a\n\n\ndef test():\n    assert b\n"), ["assert b"]);
}

#[test]
fn an_assertion_that_is_turned_off_runs_and_its_verdict_does_not_count() {
    let source = "\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport x\n\n\ndef test():\n    assert a\n    assert b\n";
    let (text, lines) = turned_off(source, &[0]).unwrap();
    let expected = "\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport contextlib\nimport x\n\n\ndef test():\n    \
                    with contextlib.suppress(AssertionError):\n        assert a\n    assert b\n";
    assert_eq!(text, expected);
    assert_eq!(lines[..10], [1, 2, 3, 3, 4, 5, 6, 7, 7, 8]);
}

#[test]
fn an_import_that_is_there_is_used() {
    let (text, _) = turned_off("import os, contextlib\ndef test():\n    assert a\n", &[0]).unwrap();
    assert_eq!(text.matches("import").count(), 1, "{text}");
}

#[test]
fn what_pytest_expects_fails_with_its_own_exception() {
    let source = "from pytest import raises\ndef test():\n    with raises(E):\n        f()\n        g()\n";
    let (text, _) = turned_off(source, &[0]).unwrap();
    assert!(text.starts_with("import contextlib\nimport pytest\nfrom pytest"), "{text}");
    let body = "    with contextlib.suppress(AssertionError, pytest.fail.Exception):\n        with raises(E):\n            \
                f()\n            g()\n";
    assert!(text.ends_with(body), "{text}");
}

#[test]
fn nested_assertions_are_indented_once_for_each_that_is_off() {
    let source = "def test(self):\n\twith self.assertRaises(E):\n\t\tassert a\n\t\tf('''\nx\n''')\n";
    let (text, _) = turned_off(source, &[0, 1]).unwrap();
    let body = "\twith contextlib.suppress(AssertionError):\n\t\twith self.assertRaises(E):\n\t\t\twith contextlib.suppress(\
                AssertionError):\n\t\t\t\tassert a\n\t\t\tf('''\nx\n''')\n";
    assert!(text.ends_with(body), "{text}");
}

#[test]
fn what_shares_its_line_or_gives_a_name_to_others_cannot_be_turned_off() {
    assert_eq!(turned_off("def test():\n    a = 1; assert a\n", &[0]), None);
    assert_eq!(turned_off("def test():\n    if a: assert b\n", &[0]), None);
    let given = "def test():\n    with pytest.raises(E) as info:\n        f()\n    assert info.value\n";
    assert_eq!(turned_off(given, &[0]), None);
    assert!(turned_off(&given.replace("info.value", "True"), &[0]).is_some());
    assert!(turned_off("def test():\n    assert a  # why\n", &[0]).is_some());
}

#[test]
fn what_turns_off_is_known_again() {
    let source = "def test():\n    with contextlib.suppress(AssertionError):\n        assert a\n    with other():\n        f()\n";
    let unit = unit(source, "test");
    let off = unit.ids().filter(|&id| PythonFrontend.turns_off(&unit, id));
    assert_eq!(off.map(|id| unit.line_of(unit.stmt(id).range.start)).collect::<Vec<_>>(), [2]);
}

/// The source with tests in the place of one: each from a text of its own, by what edits leave of it.
fn side_by_side(source: &str, target: &str, tests: &[(&str, &[&str])]) -> (String, Vec<String>) {
    let copies: Vec<Unit> = tests.iter().map(|(text, _)| unit(text, target)).collect();
    let original = unit(source, target);
    let units: Vec<&Unit> = std::iter::once(&original).chain(&copies).collect();
    let drafts = (1..).zip(tests).map(|(idx, (_, script))| TestDraft::edited(idx, edits(units[idx], script)));
    let written = PythonFrontend.write(&units, &Draft::of(drafts.collect()), Form::Compact).unwrap();
    let text = written.candidate.text();
    assert_eq!(errors(text), Vec::<String>::new(), "{text}");
    (text.to_owned(), written.candidate.target_ids())
}

#[test]
fn tests_stand_side_by_side_under_names_that_are_free() {
    let source =
        "class T:\n    @mark\n    def test(self):\n        a\n        b\n    def test_1(self): pass\n";
    let copy = format!("import contextlib\n{source}");
    let (text, targets) = side_by_side(source, "T::test", &[(&copy, &["-b"]), (&copy, &["-a"])]);
    let expected = "class T:\n    @mark\n    def test_2(self):\n        a\n\n    @mark\n    def test_3(self):\n        b\n    \
                    def test_1(self): pass\n";
    assert_eq!(text, expected);
    assert_eq!(targets, ["t.py::T::test_2", "t.py::T::test_3"]);
}

#[test]
fn one_test_keeps_its_name_and_what_is_turned_off_in_it_its_import() {
    let copy = "import contextlib\ndef test():\n    with contextlib.suppress(AssertionError):\n        assert a\n    assert b\n";
    let (text, targets) = side_by_side("def test():\n    assert a\n    assert b\n", "test", &[(copy, &[])]);
    assert_eq!((text.as_str(), targets), (copy, vec!["t.py::test".to_owned()]));
}

#[test]
fn every_test_has_the_imports_that_it_needs_and_its_last_comments() {
    let source = "import os\ndef test():\n    assert a  # one\n    assert b  # two\n    # end\nx = 1\n";
    let off = |line: &str, with: &str| source.replace(line, &format!("    with {with}:\n    {line}"));
    let first = format!("import contextlib\n{}", off("    assert b", "contextlib.suppress(E)"));
    let second = format!("import pytest\n{}", off("    assert a", "pytest.raises(E)"));
    let (text, _) = side_by_side(source, "test", &[(&first, &["-with"]), (&second, &[])]);
    let expected = "import pytest\nimport os\ndef test_1():\n    assert a  # one\n    # end\n\n\n\
                    def test_2():\n    with pytest.raises(E):\n        assert a  # one\n    assert b  # two\n    # end\nx = 1\n";
    assert_eq!(text, expected);
}

#[test]
fn the_other_cases_of_a_test_are_as_they_were() {
    let source = "@pytest.mark.parametrize('n', [1, 2])\ndef test(n):\n    assert n\n    assert a\n";
    let off = "    with contextlib.suppress(AssertionError):\n        assert a\n";
    let copy = format!("import contextlib\n{}", source.replace("    assert a\n", off));
    let function = |name: &str, n: u32, rest: &str| {
        format!("@pytest.mark.parametrize('n', [{n}])\ndef {name}(n):\n    assert n\n{rest}")
    };
    let edits: &[&str] = &["~case", "-with"];
    let (text, targets) = side_by_side(source, "test[2]", &[(&copy, edits)]);
    let other = function("test", 1, "    assert a\n");
    assert_eq!(text, format!("{other}\n\n{}", function("test_2", 2, "")));
    assert_eq!(targets, ["t.py::test_2[2]"]);
    let (text, targets) = side_by_side(source, "test[2]", &[(&copy, edits), (&copy, &["~case"])]);
    let (first, second) = (function("test_2_1", 2, ""), function("test_2_2", 2, off));
    assert_eq!(text, format!("import contextlib\n{other}\n\n{first}\n\n{second}"));
    assert_eq!(targets, ["t.py::test_2_1[2]", "t.py::test_2_2[2]"]);
}
