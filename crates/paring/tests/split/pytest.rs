//! Tests of pytest, as functions.

use crate::trial::Trial;

const SHOP: &str = "\
class Cart:
    def __init__(self):
        self.items = {}

    def add(self, name, n):
        self.items[name] = self.items.get(name, 0) + n

    def total(self):
        return sum(self.items.values())


def slug(text):
    return '-'.join(text.lower().split())


def save(path, text):
    with open(path, 'w') as file:
        file.write(text)


def load(path):
    with open(path) as file:
        return file.read()
";

#[track_caller]
fn becomes(before: &str, after: &str, args: &[&str]) {
    let trial = Trial::python(&[("test_shop.py", before), ("shop.py", SHOP)]);
    trial.split(&[&["test_shop.py::test_shop"], args].concat()).is(after);
}

#[test]
fn a_loop_over_cases_becomes_a_parametrised_test() {
    becomes(
        "\
from shop import Cart, slug


def test_shop():
    cases = [('A b', 'a-b'), (' c', 'c')]
    for text, wanted in cases:
        assert slug(text) == wanted
    cart = Cart()
    cart.add('tea', 4)
    assert cart.total() == 4
",
        "\
import pytest
from shop import Cart, slug


@pytest.mark.parametrize(\"text, wanted\", [('A b', 'a-b'), (' c', 'c')])
def test_shop_slug(text, wanted):
    assert slug(text) == wanted


def test_shop_total():
    cart = Cart()
    cart.add('tea', 4)
    assert cart.total() == 4
",
        &[],
    );
}

#[test]
fn a_loop_whose_rounds_need_each_other_stays_a_loop() {
    becomes(
        "\
from shop import Cart, slug


def test_shop():
    cart = Cart()
    for n in (1, 2):
        cart.add('tea', 1)
        assert cart.total() == n
    text = slug('A b')
    assert text == 'a-b'
",
        "\
from shop import Cart, slug


def test_shop_total():
    cart = Cart()
    for n in (1, 2):
        cart.add('tea', 1)
        assert cart.total() == n


def test_shop_slug():
    text = slug('A b')
    assert text == 'a-b'
",
        &[],
    );
}

#[test]
fn marks_docstrings_and_comments_go_along() {
    becomes(
        "\
import pytest

from shop import Cart, slug


@pytest.mark.filterwarnings('ignore')
def test_shop():
    \"\"\"Much at once.\"\"\"
    # a slug has small letters
    text = slug('A b')
    assert text == 'a-b'

    # the same item twice is one line
    cart = Cart()
    cart.add('tea', 1)
    cart.add('tea', 2)
    assert cart.items == {'tea': 3}
",
        "\
import pytest

from shop import Cart, slug


@pytest.mark.filterwarnings('ignore')
def test_shop_slug_has_small_letters():
    \"\"\"Much at once.\"\"\"
    # a slug has small letters
    text = slug('A b')
    assert text == 'a-b'


@pytest.mark.filterwarnings('ignore')
def test_shop_same_item_twice_is_one_line():
    \"\"\"Much at once.\"\"\"

    # the same item twice is one line
    cart = Cart()
    cart.add('tea', 1)
    cart.add('tea', 2)
    assert cart.items == {'tea': 3}
",
        &[],
    );
}

#[test]
fn what_clears_an_object_parts_before_from_after() {
    becomes(
        "\
import logging


def test_shop(caplog):
    logging.warning('ice')
    assert 'ice' in caplog.text
    caplog.clear()
    logging.warning('snow')
    assert caplog.messages == ['snow']
",
        "\
import logging


def test_shop_ice(caplog):
    logging.warning('ice')
    assert 'ice' in caplog.text


def test_shop_snow(caplog):
    caplog.clear()
    logging.warning('snow')
    assert caplog.messages == ['snow']
",
        &["--mutants", "0"],
    );
}

#[test]
fn what_gives_the_working_directory_back_belongs_to_each_test() {
    becomes(
        "\
import os

from shop import load, save


def test_shop(tmp_path):
    before = os.getcwd()
    os.chdir(tmp_path)
    save('one.txt', 'tea')
    assert load('one.txt') == 'tea'
    save('two.txt', 'jam')
    assert load('two.txt') == 'jam'
    os.chdir(before)
",
        "\
import os

from shop import load, save


def test_shop_load_one_tea(tmp_path):
    before = os.getcwd()
    os.chdir(tmp_path)
    save('one.txt', 'tea')
    assert load('one.txt') == 'tea'
    os.chdir(before)


def test_shop_load_two_jam(tmp_path):
    before = os.getcwd()
    os.chdir(tmp_path)
    save('two.txt', 'jam')
    assert load('two.txt') == 'jam'
    os.chdir(before)
",
        &[],
    );
}

const SLOW: &str = "\
import time

from shop import Cart


def started():
    time.sleep(0.3)
    return Cart()


def test_shop():
    cart = started()
    cart.add('tea', 1)
    assert cart.items['tea'] == 1
    cart.add('jam', 2)
    assert cart.items['jam'] == 2
    cart.add('milk', 3)
    assert cart.items['milk'] == 3
    other = Cart()
    assert other.total() == 0
";

#[test]
fn set_up_that_takes_long_is_not_run_for_every_check() {
    let trial = Trial::python(&[("test_shop.py", SLOW), ("shop.py", SHOP)]);
    let ran = trial.split(&["test_shop.py::test_shop", "--mutants", "0"]);
    let cost = &ran.found[0]["cost"];
    assert!(cost["ratio"].as_f64().is_some_and(|ratio| ratio <= 2.0), "{ran}");
    assert!(cost["original"].as_f64().is_some_and(|seconds| seconds >= 0.3), "{ran}");
}

#[test]
fn who_names_the_old_test_is_told() {
    let text = "from shop import Cart, slug\n\n\ndef test_shop():\n    text = slug('A b')\n    assert text == 'a-b'\n    cart = Cart()\n    \
                cart.add('tea', 1)\n    assert cart.total() == 1\n";
    let list = "[pytest]\naddopts = --deselect test_other.py::test_shop\n";
    let trial = Trial::python(&[("test_shop.py", text), ("shop.py", SHOP), ("pytest.ini", list)]);
    let ran = trial.split(&["test_shop.py::test_shop", "--mutants", "0"]);
    ran.ends(0, &["names the old test: pytest.ini:2"]);
    assert_eq!(ran.found[0]["references"][0]["line"], 2, "{ran}");
    assert_eq!(ran.found[0]["map"]["test_shop.py::test_shop"], ran.found[0]["tests"], "{ran}");
}

#[test]
fn a_file_is_rewritten_where_the_user_says_so() {
    let text = "from shop import Cart, slug\n\n\ndef test_shop():\n    text = slug('A b')\n    assert text == 'a-b'\n    cart = Cart()\n    \
                cart.add('tea', 1)\n    assert cart.total() == 1\n\n\ndef test_other():\n    assert slug('x') == 'x'\n";
    let trial = Trial::python(&[("test_shop.py", text), ("shop.py", SHOP)]);
    let ran = trial.split_in_place(&["test_shop.py", "--apply", "--mutants", "0"]);
    assert_eq!(trial.project.read("test_shop.py"), ran.text(), "{ran}");
    ran.ends(0, &["kept: "]);
}
