//! Parametrised tests, rewritten in their own file.

use super::{edits, errors, unit};
use crate::frontend::PythonFrontend;
use paring_model::{Candidate, Draft, EditSet, Form, Frontend, TestDraft, Unit};

/// The file with only the test rewritten.
fn in_place(unit: &Unit, edits: EditSet) -> Candidate {
    let draft = Draft::of(vec![TestDraft::edited(0, edits)]);
    PythonFrontend.write(&[unit], &draft, Form::Compact).expect("a text").candidate
}

fn check(source: &str, target: &str, script: &[&str], text: &str, id: &str) {
    let unit = unit(source, target);
    let found = in_place(&unit, edits(&unit, script));
    assert_eq!(errors(found.text()), Vec::<String>::new(), "{}", found.text());
    assert_eq!(found.text(), text);
    assert_eq!(found.target(), format!("t.py::{id}"));
}

#[test]
fn the_failing_case_gets_a_function_of_its_own() {
    check(
        "@pytest.mark.parametrize('n', [1, 22, 3])\ndef test(n):\n    a()\n    b(n)\n\n\ndef other():\n    pass\n",
        "test[22]",
        &["-a", "~case"],
        "@pytest.mark.parametrize('n', [1, 3])\ndef test(n):\n    a()\n    b(n)\n\n\n\
         @pytest.mark.parametrize('n', [22])\ndef test_22(n):\n    b(n)\n\n\ndef other():\n    pass\n",
        "test_22[22]",
    );
}

#[test]
fn a_method_stays_in_its_class_and_ids_go_with_their_cases() {
    check(
        "class T:\n    @mark.parametrize(\n        'a,b',\n        [\n            (1, 2),\n            (3, 4),\n        ],\n        ids=['x y', 'z'],\n    )\n    def test(self, a, b):\n        a()\n        b(a)  # here\n",
        "T::test[x y]",
        &["-a()", "~case"],
        "class T:\n    @mark.parametrize(\n        'a,b',\n        [\n            (3, 4),\n        ],\n        ids=['z'],\n    )\n    def test(self, a, b):\n        a()\n        b(a)  # here\n\n    \
         @mark.parametrize(\n        'a,b',\n        [\n            (1, 2),\n        ],\n        ids=['x y'],\n    )\n    def test_x_y(self, a, b):\n        b(a)  # here\n",
        "T::test_x_y[x y]",
    );
}

#[test]
fn a_list_that_stands_elsewhere_stays_whole() {
    check(
        "NS = [1, 2]\n@mark.parametrize('n', NS)\ndef test(n):\n    a()\n    b(n)\n",
        "test[2]",
        &["-a", "~case"],
        "NS = [1, 2]\n@mark.parametrize('n', NS)\ndef test(n):\n    a()\n    b(n)\n\n\n@mark.parametrize('n', [2])\ndef test_2(n):\n    b(n)\n",
        "test_2[2]",
    );
}

#[test]
fn of_two_lists_and_of_what_cannot_be_read_all_cases_stay() {
    check(
        "@mark.parametrize('a', [1, 2])\n@mark.parametrize('b', [3, 4])\ndef test(a, b):\n    f()\n    g(a, b)\ndef test_4_1(): pass\n",
        "test[4-1]",
        &["-f", "~case 2", "~case 1"],
        "@mark.parametrize('a', [1, 2])\n@mark.parametrize('b', [3, 4])\ndef test(a, b):\n    f()\n    g(a, b)\n\n\n\
         @mark.parametrize('a', [1])\n@mark.parametrize('b', [4])\ndef test_4_1_2(a, b):\n    g(a, b)\ndef test_4_1(): pass\n",
        "test_4_1_2[4-1]",
    );
    check(
        "@mark.parametrize('a', made())\ndef test(a):\n    f()\n    g(a)\n",
        "test[k-0]",
        &["-f"],
        "@mark.parametrize('a', made())\ndef test(a):\n    f()\n    g(a)\n\n\n@mark.parametrize('a', made())\ndef test_k_0(a):\n    g(a)\n",
        "test_k_0[k-0]",
    );
}

#[test]
fn a_test_with_one_case_or_none_is_rewritten_where_it_stands() {
    for (source, target) in [
        ("@mark.parametrize('a', [1])\ndef test(a):\n    f()\n    g()\n", "test[1]"),
        ("def test():\n    f()\n    g()\n", "test"),
    ] {
        check(source, target, &["-f"], &source.replace("    f()\n", ""), target);
    }
}
