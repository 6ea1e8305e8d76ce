//! Which routines run for a target, what they are, and how the arena is laid out.

use super::{errors, node, place, unit};
use crate::frontend::{PythonFrontend, count_statements};
use camino::Utf8Path;
use paring_model::{Frontend, StmtKind, TargetSpec};

/// Checks the sequence as `Kind name` words.
fn check(source: &str, target: &str, sequence: &str) {
    let unit = unit(source, target);
    let words =
        unit.sequence.iter().map(|&id| format!("{:?} {}", unit.routine(id).kind, unit.routine(id).name));
    assert_eq!(words.collect::<Vec<_>>().join(", "), format!("Module <module>{sequence}"));
}

const FIXTURES: &str = "\
import pytest
@pytest.fixture
def db(path):
    yield path
@pytest.fixture()
def path(tmp_path): return tmp_path
@pytest.fixture(autouse=True, scope='module')
def env(): pass
@pytest.fixture(name='clock')
def make_clock(): return 1
@pytest.fixture
def unused(): return 1
def teardown_module(): pass
def helper(): pass
@pytest.mark.usefixtures('clock')
def test_one(db): helper()
def test_two(path): helper()
def test_three(): pass
";

#[test]
fn fixtures_run_before_what_asks_for_them() {
    let one = ", Fixture env, Fixture make_clock, Fixture path, Fixture db, Test test_one";
    check(FIXTURES, "test_one", one);
    check(FIXTURES, "test_three", ", Fixture env, Test test_three");
}

#[test]
fn a_fixture_defines_the_parameters_of_its_name() {
    let unit = unit(FIXTURES, "test_one");
    let returns = |name: &str| {
        let routine = unit.routines.iter().find(|routine| routine.name == name).unwrap();
        routine.returns.iter().map(|&id| place(&unit, id)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(returns("db"), "db");
    assert_eq!(returns("path"), "db.path");
    assert_eq!(returns("make_clock"), "");
    assert_eq!(super::ops(&unit, "yield path"), "db.path, =db");
    assert_eq!(super::ops(&unit, "return tmp_path"), "path.tmp_path, =db.path");
}

#[test]
fn a_fixture_of_the_class_overrides_that_of_the_module() {
    let source = "\
import pytest
@pytest.fixture
def db(): return 1
class TestA:
    @pytest.fixture
    def db(self, db): return db
    def test_it(self, db): pass
";
    check(source, "TestA::test_it", ", Fixture db, Fixture db, Test test_it");
}

#[test]
fn set_up_of_bases_runs_where_it_is_not_overridden_or_called() {
    let source = "\
def setUpModule(): pass
class Base:
    @classmethod
    def setUpClass(cls): pass
    def setUp(self): pass
class A(Base):
    def setUp(self): super().setUp()
    def tearDown(self): pass
    def test_a(self): pass
class B(Base):
    def setUp(self): pass
    def test_b(self): pass
class C(A):
    pass
";
    let a = ", SetUp setUpModule, SetUp setUpClass, SetUp setUp, SetUp setUp, Test test_a";
    check(source, "A::test_a", a);
    check(source, "C::test_a", a);
    let b = ", SetUp setUpModule, SetUp setUpClass, SetUp setUp, Test test_b";
    check(source, "B::test_b", b);
}

#[test]
fn targets_are_found_in_nested_places() {
    let source = "if 1:\n    class A:\n        class B:\n            def test_x(self): pass\ntry:\n    def test_y(): pass\nexcept E: pass\n@expand([1])\ndef test_z(): pass\n";
    for target in ["A::B::test_x", "A::B::test_x[a::b[c]]", "test_y[1]", "test_z_0_foo"] {
        assert!(unit(source, target).test.is_some(), "{target}");
    }
    for target in ["A::test_x", "test_q", "Z::test_x", "test_zz"] {
        assert!(unit(source, target).test.is_none(), "{target}");
    }
}

#[test]
fn kinds_tell_asserting_failing_and_expecting_apart() {
    let source = "\
def test(self):
    'doc'
    ...
    assert x
    assert 0
    self.assertEqual(1, 2)
    np.testing.assert_allclose(a, b)
    self.fail('x')
    self.failUnless(x)
    assertion(x)
    await m.assert_awaited()
    with pytest.raises(E): pass
    with self.assertRaisesRegex(E, 'x') as c: pass
    with open(f): pass
    while True: break
    for x in y: continue
";
    let unit = unit(source, "test");
    let expected = [
        ("'doc'", StmtKind::Docstring),
        ("...", StmtKind::Simple),
        ("assert x", StmtKind::Assert),
        ("assert 0", StmtKind::Raise),
        ("self.assertEqual", StmtKind::Assert),
        ("np.testing", StmtKind::Assert),
        ("self.fail(", StmtKind::Raise),
        ("self.failUnless", StmtKind::Assert),
        ("assertion", StmtKind::Simple),
        ("await", StmtKind::Assert),
        ("with pytest", StmtKind::With { expects: true }),
        ("with self", StmtKind::With { expects: true }),
        ("with open", StmtKind::With { expects: false }),
        ("while", StmtKind::Loop { endless: true }),
        ("break", StmtKind::Break { loops: 1 }),
        ("for", StmtKind::Loop { endless: false }),
    ];
    for (start, kind) in expected {
        assert_eq!(unit.stmt(node(&unit, start)).kind, kind, "{start}");
    }
}

#[test]
fn statements_are_counted_as_python_walks_them() {
    let source = "\
@mark
def test():
    'doc'
    x = 1; ...; 5
    if x: a
    elif y: b
    else:
        c
    try: d
    except* E: e
    finally:
        def f():
            'doc'
            return lambda: 1
    match x:
        case 1: g
";
    // x, if, a, elif, b, c, try, d, e, def, return, match, g
    assert_eq!(count_statements(source, "t.py::test"), Some(13));
    assert_eq!(count_statements(source, "t.py::test_no"), None);
}

#[test]
fn keep_comments_protect_the_statement_they_are_on() {
    let source = "\
def test():
    # paring: keep
    # because
    a = 1
    b = 2  # paring: keep
    with (x,  # paring: keep
          y):
        c = 3
    d = 4; e = 5 # paring: keep
    f = 'paring: keep'
";
    let unit = unit(source, "test");
    let protected = unit.ids().filter(|&id| unit.stmt(id).protected);
    let texts: Vec<&str> =
        protected.map(|id| unit.stmt(id).header.of(source).split(' ').next().unwrap()).collect();
    assert_eq!(texts, ["a", "b", "with", "d", "e"]);
}

#[test]
fn broken_files_give_a_unit_and_problems() {
    for source in [
        "def test(:\n  x = \n",
        "if x\n  y\n",
        "class A(\n",
        "x = (1,\ndef f(): pass\n",
        "try:\n  a\n",
        "\u{0}",
        "@",
    ] {
        let target = TargetSpec::new("t.py::test");
        let (unit, problems) = PythonFrontend.parse(Utf8Path::new("t.py"), source, &target);
        assert!(!problems.is_empty(), "{source:?}");
        assert!(!errors(source).is_empty());
        for id in unit.ids() {
            assert!(unit.stmt(id).parent.is_none_or(|up| up < id));
        }
    }
}

#[test]
fn headers_end_with_the_colon_of_their_block() {
    let source = "@a(lambda: 1)\nclass C(B[x:y]):  # c:\n    @d\n    async def m(self, x: int = {1: 2}) -> T: return 1\nfor a in b[1:]:\n    pass\nelse : x\n";
    let unit = unit(source, "C::m");
    let headers: Vec<&str> = unit.ids().map(|id| unit.stmt(id).header.of(source)).collect();
    let expected = [
        "@a(lambda: 1)\nclass C(B[x:y]):",
        "@d\n    async def m(self, x: int = {1: 2}) -> T:",
        "return 1",
        "for a in b[1:]:",
        "pass",
        "else :",
        "x",
    ];
    assert_eq!(headers, expected);
}

#[test]
fn tests_of_this_file_that_run_before_stay_with_their_fixtures() {
    let target = TargetSpec {
        id: "t.py::test_three".into(),
        after: vec!["t.py::test_one".into(), "u.py::test_two".into()],
    };
    let (unit, _) = PythonFrontend.parse(Utf8Path::new("/t.py"), FIXTURES, &target);
    let kept = unit.routines.iter().filter(|routine| routine.def.is_some_and(|def| unit.stmt(def).protected));
    assert_eq!(
        kept.map(|routine| routine.name.as_str()).collect::<Vec<_>>(),
        ["db", "path", "make_clock", "test_one"]
    );
    assert!(unit.stmt(node(&unit, "yield path")).protected);
}

#[test]
fn a_method_alone_stands_as_at_the_top_of_a_file() {
    let source = "class TestA:\n    @mark\n    def test(self):\n        x = '''\n        in\n'''\n\n        assert x\n";
    let text = PythonFrontend.test_text(&unit(source, "TestA::test"));
    assert_eq!(text, "@mark\ndef test(self):\n    x = '''\n        in\n'''\n\n    assert x");
}
