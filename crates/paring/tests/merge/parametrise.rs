//! Tests that are one up to literals become one with rows.

use crate::trial::Trial;

const AGE: &str = "\
def group(age, limit=18):
    if age < 0:
        return \"unknown\"
    return \"child\" if age < limit else \"adult\"
";

fn tests(text: &str) -> Trial {
    Trial::with_files(&[("age.py", AGE), ("test_age.py", &format!("from age import group\n\n\n{text}"))])
}

#[test]
fn a_docstring_loses_its_quotes_and_nothing_else() {
    let one = |doc: &str, age: u32| {
        format!("def test_{age}():\n    {doc}\n    assert group({age}) == \"child\"\n\n\n")
    };
    let text = one("\"Regression of 5.\"", 1) + &one("r\"\"\"Ruled out.\"\"\"", 2);
    let ran = tests(&text).merge(&["test_age.py", "--mutants", "0"]);
    assert!(ran.text().contains("# Regression of 5.\n") && ran.text().contains("# Ruled out.\n"), "{ran}");
}

#[test]
fn a_second_group_with_the_same_beginning_is_named_by_what_tells_it_apart() {
    let one = |name: &str, check: &str| format!("def test_{name}():\n    assert {check}\n\n\n");
    let text = one("zero", "group(0) == 'child'")
        + &one("one", "group(1) == 'child'")
        + &one("of_two", "len(group(2)) == 5")
        + &one("of_many", "len(group(20)) == 5");
    let ran = tests(&text).merge(&["test_age.py", "--mutants", "0"]);
    assert_eq!(ran.now("test_age.py::test_zero"), ["test_age.py::test_group[zero]"], "{ran}");
    assert_eq!(ran.now("test_age.py::test_of_two"), ["test_age.py::test_group_length[of_two]"], "{ran}");
}

#[test]
fn tests_of_two_classes_may_have_the_same_name() {
    let one = |name: &str, age: u32| {
        format!("    def test_{name}_of_age(self):\n        assert group({age}) == 'child'\n\n")
    };
    let class =
        |name: &str, age: u32| format!("class Test{name}:\n{}{}\n", one("girls", age), one("boys", age + 1));
    let ran = tests(&(class("Young", 2) + &class("Old", 11))).merge(&["test_age.py", "--mutants", "0"]);
    for class in ["TestYoung", "TestOld"] {
        let now = ran.now(&format!("test_age.py::{class}::test_boys_of_age"));
        assert_eq!(now, [format!("test_age.py::{class}::test_of_age[boys]")], "{ran}");
    }
}

#[test]
fn rows_have_their_ids_and_remarks_from_the_old_tests() {
    let trial = tests(
        "def test_zero():\n    \"\"\"An age.\"\"\"\n    assert group(0) == \"child\"\n\n\ndef test_of_age():\n    years = 18  # by law\n    assert \
         group(years) == \"adult\"\n\n\ndef test_not_known():\n    assert group(-1) == \"unknown\"\n",
    );
    let ran = trial.merge(&["test_age.py"]);
    let expected = "\
import pytest
from age import group


@pytest.mark.parametrize(
    (\"number\", \"expected\"),
    [
        # An age.
        pytest.param(0, \"child\", id=\"zero\"),
        pytest.param(-1, \"unknown\", id=\"not_known\"),
    ],
)
def test_group(number, expected):
    assert group(number) == expected


def test_of_age():
    years = 18  # by law
    assert group(years) == \"adult\"
";
    assert_eq!(ran.text(), expected, "{ran}");
    assert_eq!(ran.now("test_age.py::test_zero"), ["test_age.py::test_group[zero]"]);
    assert_eq!(ran.now("test_age.py::test_of_age"), ["test_age.py::test_of_age"]);
    let mutants = &ran.found[0]["groups"][0]["mutants"];
    assert_eq!(mutants["caught"], mutants["checked"], "{ran}");
}

#[test]
fn the_user_says_where_the_result_goes() {
    let trial = tests(
        "def test_zero():\n    assert group(0) == \"child\"\n\n\ndef test_two():\n    assert group(2) == \"child\"\n",
    );
    let ran = trial.merge_in_place(&["test_age.py", "--apply", "--mutants", "0"]);
    assert_eq!(ran.text(), trial.project.read("test_age.py"), "{ran}");
    trial.merge(&["test_age.py"]).ends(3, &["nothing to merge"]);
}

#[test]
fn what_stands_apart_stays_apart() {
    let trial = tests(
        "import pytest\n\n\ndef test_zero():\n    assert group(0) == \"child\"\n\n\n# paring: keep\ndef test_one():\n    assert group(1) == \
         \"child\"\n\n\n@pytest.mark.slow\ndef test_two():\n    assert group(2) == \"child\"\n\n\nclass TestOther:\n    def test_three(self):\n        \
         assert group(3) == \"child\"\n",
    );
    trial.merge(&["test_age.py"]).ends(3, &[]);
}

#[test]
fn a_case_has_subtests_unless_they_would_share_what_set_up_makes() {
    let case = "import unittest\n\n\nclass AgeTest(unittest.TestCase):\n    def test_zero(self):\n        self.assertEqual(group(0), \
                \"child\")\n\n    def test_old(self):\n        self.assertEqual(group(80), \"adult\")\n";
    let ran = tests(case).merge(&["test_age.py"]);
    let expected = "\
    def test_group(self):
        for name, number, expected in [
            (\"zero\", 0, \"child\"),
            (\"old\", 80, \"adult\"),
        ]:
            with self.subTest(name):
                self.assertEqual(group(number), expected)
";
    assert!(ran.text().ends_with(expected), "{ran}");
    assert_eq!(ran.now("test_age.py::AgeTest::test_old"), ["test_age.py::AgeTest::test_group"]);
    let with_set_up = format!("{case}\n    def setUp(self):\n        self.limit = 18\n");
    tests(&with_set_up).merge(&["test_age.py"]).ends(3, &["share what set-up makes"]);
}
