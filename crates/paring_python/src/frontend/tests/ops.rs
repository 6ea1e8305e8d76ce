//! What statements read and write.

use super::{ops, unit};

/// Checks the operations of statements of `test`, each given by its beginning.
fn check(body: &str, expected: &[(&str, &str)]) {
    let body = format!("    {}\n", body.replace('\n', "\n    "));
    let source = format!("import os\nfrom lib import Cart, load\nLIMIT = 3\ndef test(graph, a, b):\n{body}");
    check_file(&source, "test", expected);
}

fn check_file(source: &str, target: &str, expected: &[(&str, &str)]) {
    let unit = unit(source, target);
    for (start, expected) in expected {
        assert_eq!(ops(&unit, start), *expected, "of {start:?}");
    }
}

#[test]
fn assignments_define_their_targets_after_their_values() {
    check(
        "x, (y, *z) = a, LIMIT\nx = y = a\nx: int = b\nx += a\ndel x\na.f = b\na[x].f = b\na.n += 1\ndel a[b]",
        &[
            ("x, (y", "a, ::LIMIT, =x, =y, =z"),
            ("x = y", "a, =x, =y"),
            ("x: int", "b, =x"),
            ("x += a", "x, a, !x, =x"),
            ("del x", "x, ?=x"),
            ("a.f = b", "b, a, !a"),
            ("a[x].f", "b, a, x, !a"),
            ("a.n += 1", "a, !a"),
            ("del a[b]", "a, b, !a"),
        ],
    );
}

#[test]
fn calls_are_charged_to_the_root_of_their_receiver() {
    check(
        "graph.edges.get('a').add(a)\nr = os.path.join(a, k=[b, *graph])\nc = Cart(load(a).b)\nload(lambda q: q + b)\nlen(a)\nnext(a)\nsetattr(a, 'x', b)",
        &[
            ("graph.edges", "graph, call[graph ()], a, call[graph (a) dropped]"),
            ("r = os", "::os, a, b, graph, call[::os (a b graph)], =r"),
            ("c = Cart", "::Cart, ::load, a, call[::load (a)], new call[::Cart (a)], =c"),
            ("load(lambda", "::load, b, call[::load () dropped]"),
            ("len(a)", "a"),
            ("next(a)", "a, !a"),
            ("setattr", "a, b, !a"),
        ],
    );
}

#[test]
fn an_assertion_does_not_change_what_it_asserts() {
    check(
        "a.assert_called_once_with(b)\nawait_(a)\nassert a.f() == b",
        &[("a.assert_called", "a, b, call[a (b)]"), ("assert a", "a, call[a ()], b")],
    );
}

#[test]
fn inner_names_of_comprehensions_and_lambdas_stay_inside() {
    check(
        "x = [i.pop(j) for i in a for j in i.keys if i]\ny = (w := b) and (v := w)\nk = {q: LIMIT for q in range(3)}",
        &[("x = [", "a, call[a (a)], =x"), ("y = (", "b, =w, w, ?=v, =y"), ("k = {", "::LIMIT, =k")],
    );
}

#[test]
fn headers_of_compound_statements_read_and_bind() {
    check(
        "for i in a:\n    pass\nwith load(a) as f, b as (g, h):\n    pass\ntry:\n    pass\nexcept (Cart, OSError) as e:\n    pass\nmatch a:\n    case Cart(n=[1, *m]) | {'k': m} if m:\n        pass\nimport os.path, re as r\nfrom x import y as z\nwhile a:\n    pass\nif a:\n    pass\nelif b:\n    pass",
        &[
            ("for i", "a, =i"),
            ("with load", "::load, a, call[::load (a)], =f, b, =g, =h"),
            ("except", "::Cart, =e"),
            ("match a", "a"),
            ("case", "::Cart, =m, =m, m"),
            ("import os.path", "=os, =r"),
            ("from x", "=z"),
            ("while a", "a"),
            ("elif b", "b"),
        ],
    );
}

#[test]
fn a_helper_needs_what_its_body_reads() {
    check(
        "log = []\ndef note(x):\n    log.append(x)\ndef bump():\n    nonlocal b\n    b = LIMIT\n    note(b)\nbump()\nrun(note)",
        &[
            ("def note", "log, =note"),
            ("def bump", "::LIMIT, b, note, =bump"),
            ("nonlocal", "=bump.global b"),
            ("b = LIMIT", "::LIMIT, bump.global b, =b"),
            ("bump()", "bump, call[bump () dropped]"),
            ("run(note)", "note, call[(note) dropped]"),
        ],
    );
}

#[test]
fn a_call_of_set_up_does_what_set_up_does() {
    check_file(
        "class B:\n    def setUp(self): self.a = LIMIT\nclass A(B):\n    def setUp(self):\n        super().setUp()\n        self.b = 1\n    def test(self): pass\nLIMIT = 1\n",
        "A::test",
        &[("super()", ".setUp, ::LIMIT, ?=.a, call[.setUp () dropped]")],
    );
}

#[test]
fn members_of_the_test_object_are_places() {
    let source = "\
class Base:
    def helper(self): self.seen = self.limit
class TestA(Base):
    limit = 3
    def setup_method(self): self.x = load()
    def test_it(me, a):
        me.x.y = 1
        me.y = me.x[0].get(me.limit)
        me.helper()
        me.x += 1
        super().helper()
        def inner(): return me.x
class Other:
    def m(self): self.x = 1
";
    check_file(
        source,
        "TestA::test_it",
        &[
            ("limit = 3", "=.limit"),
            ("self.seen", ".limit, =.seen"),
            ("self.x = load", "call[()], =.x"),
            ("me.x.y", ".x, !.x"),
            ("me.y =", ".x, .limit, call[.x (.limit)], =.y"),
            ("me.helper()", ".helper, call[.helper () dropped]"),
            ("me.x +=", ".x, !.x, =.x"),
            ("super()", ".helper, call[.helper () dropped]"),
            ("def inner", ".x, =inner"),
            ("self.x = 1", "m.self, !m.self"),
        ],
    );
}

#[test]
fn names_inside_a_helper_class_are_not_places() {
    check_file(
        "LOG = []\nclass Fake:\n    kind = 1\n    size = kind\n    def send(self): LOG.append(self.kind)\ndef test():\n    f = Fake()\n",
        "test",
        &[
            ("class Fake", "=::Fake"),
            ("kind = 1", ""),
            ("size = kind", ""),
            ("def send", ""),
            ("LOG.append", "::LOG, send.self, call[::LOG (send.self) dropped]"),
            ("f = Fake", "::Fake, new call[::Fake ()], =f"),
        ],
    );
}

#[test]
fn definitions_need_their_decorators_defaults_and_annotations() {
    let body = "@app.route('/')\ndef page(x=D, *, y: T) -> R:\n    return x\n@dataclass\nclass C(B, metaclass=M): pass\n";
    let names = "app = D = T = R = B = M = dataclass = 1\n";
    check_file(
        &format!("{names}{body}def test(): pass\n"),
        "test",
        &[
            ("@app.route", "::app, call[::app () dropped], ::D, ::T, ::R, =::page"),
            ("@dataclass", "::dataclass, call[::dataclass () dropped], ::B, ::M, =::C"),
        ],
    );
    check_file(
        &format!("from __future__ import annotations\n{names}{body}def test(): pass\n"),
        "test",
        &[("@app.route", "::app, call[::app () dropped], ::D, ::annotations, =::page")],
    );
}

#[test]
fn marks_of_test_frameworks_register_nothing() {
    check_file(
        "import pytest\nfrom unittest.mock import patch\nDATA = [1]\n@patch('x')\n@pytest.mark.parametrize('x', DATA)\ndef test(x): pass\n",
        "test",
        &[("@patch", "::patch, call[::patch ()], ::pytest, ::DATA, =::test")],
    );
}

#[test]
fn unknown_names_come_from_a_star_import() {
    check_file(
        "from lib import *\ndef test():\n    go(len(x))\n",
        "test",
        &[("from lib", "?=::go, ?=::x"), ("go(", "::go, ::x, call[::go (::x) dropped]")],
    );
}
