//! Properties with their failing example written down.

use super::errors;
use crate::frontend::PythonFrontend;
use paring_model::{Exception, Failure, FailureKind, Frontend, Phase, Pinned, TargetSpec};
use paring_testkit::origins;

fn pinned(source: &str, target: &str, note: &str) -> Vec<Pinned> {
    let failure = Failure {
        phase: Phase::Call,
        kind: FailureKind::Assertion,
        exceptions: vec![Exception { type_name: "AssertionError".into(), message: String::new() }],
        stack: Vec::new(),
        below: Vec::new(),
        notes: vec!["Something else".into(), note.into()],
        left: Vec::new(),
    };
    let found = PythonFrontend.pin(source, &TargetSpec::new(format!("t.py::{target}")), &failure);
    for pinned in &found {
        assert_eq!(errors(&pinned.working.text), Vec::<String>::new(), "{}", pinned.working.text);
    }
    found
}

/// Checks the plain text, and the lines it comes from.
fn check(source: &str, note: &str, plain: &str, lines: &[u32]) {
    let found = pinned(source, "test", note);
    assert_eq!((found[0].working.text.as_str(), origins(&found[0].working).as_slice()), (plain, lines));
}

#[test]
fn a_property_becomes_a_test_of_its_failing_example() {
    check(
        "@given(st.lists(st.integers()), st.text())\n@settings(max_examples=9)\n@mark\ndef test(numbers, name):\n    a()\n",
        "Falsifying example: test(\n    numbers=[\n        0,\n        1,\n    ],  # or any other generated value\n    name='',\n)\nDraw 1: 2",
        "@mark\ndef test(numbers=[\n        0,\n        1,\n    ], name=''):\n    a()\n",
        &[3, 4, 4, 4, 4, 5, 6],
    );
}

#[test]
fn what_the_framework_passes_goes_before_what_has_a_default() {
    check(
        "@hypothesis.given(x=st.floats())\nasync def test(x: float, tmp_path):\n    a()\n",
        "Failing test case: test(\n    x=-inf,\n    tmp_path=PosixPath('/x'),\n)",
        "async def test(tmp_path, x: float = -float(\"inf\")):\n    a()\n",
        &[2, 3, 4],
    );
}

#[test]
fn a_method_and_one_line_are_read_too() {
    let source =
        "class T:\n    @given(st.integers())\n    # def of it\n    def test(self, n):\n        a()\n";
    let found =
        pinned(source, "T::test", "Falsifying example: test(\n    self=<t.T object at 0x7f>,\n    n=3,\n)");
    assert_eq!(found[0].working.text, "class T:\n    def test(self, n=3):\n        a()\n");
    assert_eq!(found[0].label, "n=3");
    check(
        "@given(n=ints())\ndef test(n): a()\n",
        "Falsifying example: test(n=3)",
        "def test(n=3): a()\n",
        &[2, 3],
    );
}

#[test]
fn an_explicit_example_is_the_only_one_that_runs() {
    let source = "from hypothesis import given, settings\n@settings(deadline=None)\n@given(n=ints())\ndef test(n):\n    assume(n)\n";
    let found = pinned(source, "test", "Falsifying example: test(\n    n=3,\n)");
    assert_eq!(
        found[1].working.text,
        "import hypothesis\nfrom hypothesis import given, settings\n@hypothesis.example(n=3)\n\
         @settings(deadline=None, phases=[hypothesis.Phase.explicit])\n@given(n=ints())\ndef test(n):\n    assume(n)\n"
    );
    assert_eq!(origins(&found[1].working), [1, 1, 2, 2, 3, 4, 5, 6]);
}

#[test]
fn what_cannot_be_read_back_is_not_pinned() {
    let source = "@given(st.builds(C))\ndef test(c):\n    a()\n";
    assert_eq!(pinned(source, "test", "Falsifying example: test(\n    c=<C object at 0x1>,\n)"), []);
    assert_eq!(pinned("def test(c):\n    a()\n", "test", "Falsifying example: test(\n    c=1,\n)"), []);
    assert_eq!(pinned(source, "test", "no example"), []);
}
