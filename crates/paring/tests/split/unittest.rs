//! Tests of `unittest`, as methods of a `TestCase`.

use crate::trial::Trial;

#[track_caller]
fn becomes(before: &str, after: &str) {
    let trial = Trial::python(&[("test_text.py", before)]);
    trial.split(&["test_text.py::TextTest::test_text", "--mutants", "0"]).is(after);
}

#[test]
fn a_loop_stays_one_test_that_tells_of_each_round() {
    becomes(
        "\
import unittest


class TextTest(unittest.TestCase):
    def test_text(self):
        for text, wanted in [('a', 'A'), ('b', 'B')]:
            self.assertEqual(text.upper(), wanted)
        words = 'a b'.split()
        self.assertEqual(len(words), 2)
",
        "\
import unittest


class TextTest(unittest.TestCase):
    def test_text_upper(self):
        for text, wanted in [('a', 'A'), ('b', 'B')]:
            with self.subTest(text=text, wanted=wanted):
                self.assertEqual(text.upper(), wanted)

    def test_text_words(self):
        words = 'a b'.split()
        self.assertEqual(len(words), 2)
",
    );
}

#[test]
fn parts_that_have_names_become_tests_of_those_names() {
    becomes(
        "\
import unittest


class TextTest(unittest.TestCase):
    def test_text(self):
        with self.subTest('small letters become large'):
            text = 'a'.upper()
            self.assertEqual(text, 'A')
        with self.subTest('blanks part words'):
            words = 'a b'.split()
            self.assertEqual(len(words), 2)
",
        "\
import unittest


class TextTest(unittest.TestCase):
    def test_text_small_letters_become_large(self):
        text = 'a'.upper()
        self.assertEqual(text, 'A')

    def test_text_blanks_part_words(self):
        words = 'a b'.split()
        self.assertEqual(len(words), 2)
",
    );
}

#[test]
fn set_up_and_clean_up_serve_each_test() {
    let before = "\
import os
import shutil
import tempfile
import unittest


class TextTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_text(self):
        first = os.path.join(self.folder, 'first')
        with open(first, 'w') as file:
            file.write('tea')
        with open(first) as file:
            self.assertEqual(file.read(), 'tea')
        second = os.path.join(self.folder, 'second')
        os.mkdir(second)
        self.assertTrue(os.path.isdir(second))
";
    let trial = Trial::python(&[("test_text.py", before)]);
    let ran = trial.split(&["test_text.py::TextTest::test_text", "--mutants", "0"]);
    assert_eq!(ran.found[0]["tests"].as_array().map(Vec::len), Some(2), "{ran}");
    // The clean-up removes by a descriptor of the folder, not by a path in the project.
    assert_eq!(ran.found[0]["notes"].as_array().map(Vec::len), Some(0), "{ran}");
}
