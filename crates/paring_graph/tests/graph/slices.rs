//! Slices of small tests: which lines stay, and why.

use crate::notation::{line, line_of, place, unit};
use crate::picture::{kept_lines, picture};
use paring_graph::{Level, dependence, slice};
use paring_model::{Facts, How, Op, Resource, Transfer, Unit};

/// The kept lines of the slice from the last line.
fn kept(source: &str, level: Level) -> Vec<u32> {
    let unit = unit(source);
    let last = u32::try_from(unit.source.lines().count()).expect("test sources are short");
    kept_from(&unit, &Facts::default(), level, last)
}

fn kept_from(unit: &Unit, facts: &Facts, level: Level, criterion: u32) -> Vec<u32> {
    kept_lines(unit, &slice(unit, &dependence(unit, facts, level), &[line(unit, criterion)]))
}

fn show(name: &str, unit: &Unit, facts: &Facts, level: Level, criterion: u32) {
    let slice = slice(unit, &dependence(unit, facts, level), &[line(unit, criterion)]);
    insta::assert_snapshot!(name, picture(unit, &slice));
}

fn ran(unit: &Unit, lines: &[u32]) -> Facts {
    let hits = lines.iter().map(|&number| (line(unit, number), 1)).collect();
    Facts { observed: true, hits, ..Facts::default() }
}

#[test]
fn fit_slicer_figure_1_keeps_the_loop_the_thrower_and_the_handler() {
    let source = "
def test():
    distribution = get_distribution()
    distribution.set_mean(0)
    distribution.set_deviation(1)
    for i in range(0, 100, 5):
        try:
            lower = distribution.cumulative(i)
            upper = distribution.cumulative(i)
            if i < 9:
                assert lower > 0
            else:
                assert upper > 1
        except Exception as e:
            raise Error(e.message())";
    let unit = unit(source);
    let mut facts = ran(&unit, &[2, 3, 4, 5, 6, 7, 13, 14]);
    facts.transfers.insert(Transfer { from: line(&unit, 7), handler: line(&unit, 13) });
    show("fit_slicer_figure_1", &unit, &facts, Level::Observed, 14);
}

#[test]
fn fit_slicer_figure_3_keeps_the_branch_that_did_not_run() {
    let source = "
def test():
    pattern = \"Pattern\"
    mf1 = None
    mf2 = None
    mf1 = Format(pattern, US)
    pattern2 = \"X\" + pattern
    mf2 = Format(pattern2, US)
    if mf1.hash() == mf2.hash():
        equal = True
    else:
        equal = False
    assert_false(\"hash\", equal)";
    let unit = unit(source);
    let facts = ran(&unit, &[2, 3, 4, 5, 6, 7, 8, 9, 12]);
    show("fit_slicer_figure_3", &unit, &facts, Level::Observed, 12);
}

#[test]
fn fit_slicer_figure_6_keeps_the_handler_without_its_body() {
    let source = "
def test():
    data = Keyed()
    data.set_object(\"Obj1\", \"R1\")
    data.set_object(\"Obj2\", \"R2\")
    data.remove_row(\"R2\")
    assertEqual(1, data.row_count())
    assertEqual(\"Obj1\", data.get_object(0, 0))
    passed = False
    try:
        data.remove_row(\"XXX\")
    except UnknownKey as e:
        passed = True
    assertTrue(passed)";
    let unit = unit(source);
    let facts = ran(&unit, &[2, 3, 4, 5, 6, 7, 8, 9, 10]);
    show("fit_slicer_figure_6", &unit, &facts, Level::Observed, 10);
}

const LEVELS: &str = "
xs = A()
ys = B(xs)
n = xs.pop()
f(xs)
m = g(xs)
ys.put(xs)
assert xs";

#[test]
fn zero_trusts_what_returns_a_value() {
    assert_eq!(kept(LEVELS, Level::Zero), [1, 2, 4, 6, 7]);
}

#[test]
fn one_trusts_no_call() {
    assert_eq!(kept(LEVELS, Level::One), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn leitner_changes_receivers_alone() {
    assert_eq!(kept(LEVELS, Level::Leitner), [1, 3, 7]);
}

#[test]
fn a_call_that_returned_none_counts_as_void() {
    let unit = unit("xs = A()\nr = xs.sort()\nassert xs");
    let mut facts = Facts::default();
    assert_eq!(kept_from(&unit, &facts, Level::Zero, 3), [1, 3]);
    facts.void_like.insert(line(&unit, 2));
    assert_eq!(kept_from(&unit, &facts, Level::Zero, 3), [1, 2, 3]);
}

#[test]
fn immutable_arguments_are_not_changed() {
    let unit = unit("n = 3\nf(n)\nn += 1\nassert n");
    let facts = Facts { immutable: [place(&unit, "n")].into(), ..Facts::default() };
    assert_eq!(kept_from(&unit, &Facts::default(), Level::Zero, 4), [1, 2, 3, 4]);
    assert_eq!(kept_from(&unit, &facts, Level::Zero, 4), [1, 3, 4]);
}

#[test]
fn what_the_run_saw_change_is_kept_through_an_alias() {
    let unit = unit("a = A()\nb = a.part()\nn = b.pop()\nassert a");
    let mut facts = Facts::default();
    assert_eq!(kept_from(&unit, &facts, Level::Observed, 4), [1, 4]);
    facts.changed.insert(line(&unit, 3), [place(&unit, "a"), place(&unit, "b")].into());
    show("observed_alias", &unit, &facts, Level::Observed, 4);
}

#[test]
fn a_change_spreads_to_the_owner_and_to_opaque_parts() {
    let unit = unit("a = A()\nb = part(a)\nb.grow()\nassert a");
    let mut facts = Facts { reaches: [(place(&unit, "b"), place(&unit, "a"))].into(), ..Facts::default() };
    assert_eq!(kept_from(&unit, &facts, Level::Observed, 4), [1, 2, 3, 4]);
    assert_eq!(kept_from(&unit, &facts, Level::Zero, 4), [1, 4]);
    facts.reaches = [(place(&unit, "a"), place(&unit, "b"))].into();
    assert_eq!(kept_from(&unit, &facts, Level::Observed, 4), [1, 4]);
    facts.opaque.insert(place(&unit, "a"));
    assert_eq!(kept_from(&unit, &facts, Level::Observed, 4), [1, 2, 3, 4]);
}

#[test]
fn a_call_through_an_object_may_have_failed_to_change_what_is_behind_it() {
    let unit = unit("a = A()\nb = iterator(a)\nb.next()\nb.remove()\nassert a");
    let (a, b) = (place(&unit, "a"), place(&unit, "b"));
    let ran = (1..=5).map(|at| (line(&unit, at), 1)).collect();
    let changed = [(line(&unit, 3), [b].into()), (line(&unit, 4), [b].into())].into();
    let mut facts = Facts { hits: ran, changed, ..Facts::default() };
    assert_eq!(kept_from(&unit, &facts, Level::Observed, 5), [1, 5]);
    facts.reaches = [(a, b)].into();
    assert_eq!(kept_from(&unit, &facts, Level::Observed, 5), [1, 2, 3, 4, 5]);
}

#[test]
fn hidden_state_is_kept_but_not_strong() {
    let unit = unit("register(1)\nlog(2)\nx = lookup()\nassert x");
    let mut facts = Facts::default();
    facts.resources.touch(line(&unit, 1), 1, Resource::Unknown, How::Define);
    show("hidden_state", &unit, &facts, Level::Observed, 4);
}

/// Lines of what would have changed the value at a line had it run, and of what decided that it did not.
fn potential_from(source: &str, lines: &[u32], at: u32) -> Vec<u32> {
    let unit = unit(source);
    let dependence = dependence(&unit, &ran(&unit, lines), Level::Observed);
    let slice = slice(&unit, &dependence, &[line(&unit, at)]);
    slice.potential.iter().map(|id| line_of(&unit, id)).collect()
}

#[test]
fn changes_that_never_ran_stay_with_what_decided_against_them() {
    let source =
        "def test():\n    a = A()\n    b = B(1)\n    log(2)\n    if b.bad():\n        a.mend()\n    assert a";
    assert_eq!(potential_from(source, &[2, 3, 4, 5, 7], 7), [3, 5, 6]);
    let source = "def test():\n    a = []\n    b = B()\n    b.fill()\n    for x in b:\n        a.append(x)\n    assert a";
    assert_eq!(potential_from(source, &[2, 3, 4, 5, 7], 7), [3, 4, 5, 6]);
}

#[test]
fn a_handler_that_never_ran_waits_for_the_calls_that_did_not_throw() {
    let source = "def test():\n    a = 0\n    b = B()\n    try:\n        c = 1\n        b.run()\n    except E:\n        a = 1\n    assert a";
    assert_eq!(potential_from(source, &[2, 3, 4, 5, 6, 9], 9), [3, 6, 7, 8]);
}

#[test]
fn a_handler_that_would_give_what_the_body_gave_waits_for_nothing_else() {
    let source = "def test():\n    b = B()\n    try:\n        b.run()\n        a = f()\n    except E:\n        a = None\n    assert a";
    assert_eq!(potential_from(source, &[2, 3, 4, 5, 8], 8), [6, 7]);
}

#[test]
fn assertions_have_no_effect_at_level_zero() {
    let source = "class T(Case):\n    def test(self):\n        a = A()\n        self.assertTrue(a)\n        self.assertFalse(a)";
    assert_eq!(kept(source, Level::Zero), [1, 2, 3, 5]);
    assert_eq!(kept(source, Level::One), [1, 2, 3, 4, 5]);
}

#[test]
fn a_statement_after_a_return_needs_it() {
    let source = "def test():\n    a = A()\n    if a.skip:\n        log(1)\n        return\n    assert c";
    assert_eq!(kept(source, Level::Zero), [1, 2, 3, 5, 6]);
}

#[test]
fn a_break_is_kept_where_it_decides_how_often_the_loop_runs() {
    let source = "n = 0\nfor x in xs:\n    n += x\n    if n > 9:\n        break\n    log(x)\nassert n == 3";
    assert_eq!(kept(source, Level::Zero), [1, 2, 3, 4, 5, 7]);
}

#[test]
fn a_with_is_kept_around_its_statements_and_not_for_others() {
    let source = "with lock() as l:\n    a = A()\nwith raises(E):\n    f()\nassert a";
    assert_eq!(kept(source, Level::Zero), [1, 2, 5]);
}

#[test]
fn definitions_before_a_throw_reach_behind_the_expecting_with() {
    let source = "x = 1\nwith raises(E):\n    x = f()\n    x = g()\nassert x";
    assert_eq!(kept(source, Level::Zero), [1, 2, 3, 4, 5]);
}

#[test]
fn finally_is_not_forced_by_the_body() {
    let source = "def test():\n    try:\n        a = A()\n    finally:\n        log(1)\n    assert a";
    assert_eq!(kept(source, Level::Zero), [1, 2, 3, 6]);
}

#[test]
fn the_else_of_a_try_needs_a_handler() {
    let source = "try:\n    f()\nexcept E:\n    g()\nelse:\n    a = A()\nassert a";
    assert_eq!(kept(source, Level::Zero), [1, 3, 5, 6, 7]);
}

#[test]
fn the_slice_goes_into_fixtures_and_set_up() {
    let source = "
import lib
import json
def fixture_clock():
    return lib.Clock()
def fixture_db():
    db = lib.Db()
    db.fill()
    log = json.Log()
    return db
class T(lib.Case):
    def setup(self):
        self.table = lib.Table()
        self.other = 1
    def test(self, db):
        rows = db.rows()
        assert self.table.has(rows)";
    let unit = unit(source);
    show("fixtures_and_set_up", &unit, &Facts::default(), Level::Zero, 16);
}

#[test]
fn helpers_are_kept_whole_with_what_their_names_refer_to() {
    let source = "
import lib
import unused
LIMIT = 3
def inner():
    \"\"\"Doc.\"\"\"
    x = lib.go()
    return x < LIMIT
def outer():
    return inner()
def other():
    return unused.go()
class Fake():
    def go(self):
        return LIMIT
def test():
    fake = Fake()
    assert outer()";
    let unit = unit(source);
    show("helpers", &unit, &Facts::default(), Level::Zero, 17);
}

#[test]
fn a_helper_works_on_what_its_caller_holds() {
    let source = "
class T(Case):
    def build(self):
        self.table = Table()
        self.table.fill()
    def test(self):
        self.noise = 1
        self.build()
        assert self.table";
    assert_eq!(kept(source, Level::Zero), [1, 2, 3, 4, 5, 7, 8]);
}

#[test]
fn a_closure_sees_the_state_at_its_call() {
    let source = "
def test():
    xs = A()
    def check():
        return xs.size
    xs.grow()
    n = 1
    assert check()";
    assert_eq!(kept(source, Level::Zero), [1, 2, 3, 4, 5, 7]);
}

#[test]
fn a_helper_that_only_looks_leaves_its_arguments_as_they_are() {
    let source = "
def check(v):
    size = v.size()
    assert size
def fill(v):
    v.grow()
def both(v):
    n = fill(v)
    check(v)
def test():
    xs = A()
    fill(xs)
    check(xs)
    both(xs)
    assert xs";
    assert_eq!(kept(source, Level::Zero), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14]);
    assert_eq!(kept(source, Level::One), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
}

#[test]
fn a_criterion_in_a_helper_keeps_the_helper_whole() {
    let unit = unit("def check(v):\n    a = 1\n    assert v\ndef test():\n    check(2)\n    log()");
    let dependence = dependence(&unit, &Facts::default(), Level::Zero);
    let slice = slice(&unit, &dependence, &[line(&unit, 3), line(&unit, 5)]);
    assert_eq!(kept_lines(&unit, &slice), [1, 2, 3, 4, 5]);
}

#[test]
fn protected_statements_stay_with_what_they_need_and_docstrings_go() {
    let source = "
def test():
    \"\"\"Doc.\"\"\"
    a = A()
    b = B()
    log(a)  # keep
    assert b";
    assert_eq!(kept(source, Level::Zero), [1, 3, 4, 5, 6]);
}

#[test]
fn a_walrus_is_read_where_it_was_just_written() {
    let mut unit = unit("n = 1\nm = n\nassert m");
    let (n, m) = (place(&unit, "n"), place(&unit, "m"));
    unit.stmts[1].ops = vec![Op::Define(n), Op::Use(n), Op::Define(m)];
    assert_eq!(kept_from(&unit, &Facts::default(), Level::Zero, 3), [2, 3]);
}

#[test]
fn many_changes_of_one_object_make_one_edge_each() {
    let branches = "if c():\n    xs.grow()\n".repeat(50);
    let unit = unit(&format!("xs = A()\n{branches}assert xs"));
    let dependence = dependence(&unit, &Facts::default(), Level::Zero);
    let n_edges: usize = unit.ids().map(|id| dependence.edges(id).len()).sum();
    assert!(n_edges <= 150, "{n_edges} edges");
    let slice = slice(&unit, &dependence, &[line(&unit, 102)]);
    assert_eq!(slice.kept.len(), 102);
}

const CHECKED_SET_UP: &str = "
class Tests:
    def setup(self):
        path = make()
        if missing(path):
            raise Error(path)
        self.shop = Shop()
    def test(self):
        assert self.shop.open()";

#[test]
fn a_check_of_the_set_up_that_held_decides_nothing() {
    let unit = unit(CHECKED_SET_UP);
    let facts = ran(&unit, &[3, 4, 6, 8]);
    assert_eq!(kept_from(&unit, &facts, Level::Observed, 8), [1, 2, 6, 7, 8]);
}

#[test]
fn a_check_of_the_set_up_may_not_hold_where_no_run_tells() {
    let unit = unit(CHECKED_SET_UP);
    assert_eq!(kept_from(&unit, &Facts::default(), Level::Observed, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn a_check_of_the_set_up_that_is_caught_there_decides_what_comes_next() {
    let source = "
class Tests:
    def setup(self):
        path = make()
        try:
            if missing(path):
                raise Error(path)
            self.shop = Shop()
        except Error:
            self.shop = None
    def test(self):
        assert self.shop.open()";
    let unit = unit(source);
    let facts = ran(&unit, &[3, 4, 5, 7, 11]);
    assert_eq!(kept_from(&unit, &facts, Level::Observed, 11), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
}

#[test]
fn to_ssmin_a_module_is_no_target() {
    let source = "
import lib
def test():
    stack = lib.Stack()
    lib.note(1)
    stack.push(1)
    assert lib.size(stack) == 0";
    assert_eq!(kept(source, Level::Leitner), [1, 2, 3, 5, 6]);
    assert_eq!(kept(source, Level::One), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn to_ssmin_a_class_is_no_target_wherever_it_comes_from() {
    let source = "
shelf = make()
def test():
    stack = list.of()
    list.note(1)
    shelf.put(stack)
    assert list.size(shelf) == 0";
    assert_eq!(kept(source, Level::Leitner), [1, 2, 3, 5, 6]);
}
