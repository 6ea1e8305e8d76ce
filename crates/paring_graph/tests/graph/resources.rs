//! Slices through named resources.

use crate::notation::{line, unit};
use crate::picture::{kept_lines, picture};
use paring_graph::{Level, dependence, hidden_place, slice};
use paring_model::{Facts, How, Op, Place, PlaceScope, Resource, Unit};

/// What a script of touches says: `3 kill a` is line 3 killing the file `a`, `4 all` a line whose uses are not all
/// known, `5 unknown` a change without a name, `6 code` a line in which code under test runs.
fn facts(unit: &Unit, script: &str) -> Facts {
    let mut facts = Facts { observed: true, ..Facts::default() };
    let rows: Vec<Vec<&str>> = script.lines().map(|row| row.split_whitespace().collect()).collect();
    let stmt = |row: &[&str]| line(unit, row[0].parse().expect("a line"));
    for id in unit.ids() {
        facts.hits.insert(id, 1);
        if !rows.iter().any(|row| row[1] == "all" && stmt(row) == id) {
            facts.resources.complete(id);
        }
    }
    for row in &rows {
        let file = |name: &str| Resource::File(name.into());
        let resources = &mut facts.resources;
        let mut touch = |how, resource| resources.touch(stmt(row), 1, resource, how);
        match row[1..] {
            ["all"] => {}
            ["code"] => resources.ran_code(stmt(row)),
            ["unknown"] => touch(How::Define, Resource::Unknown),
            ["use", name] => touch(How::Use, file(name)),
            ["define", name] => touch(How::Define, file(name)),
            ["kill", name] => touch(How::Kill, file(name)),
            ["clear", name] => touch(How::Clear, file(name)),
            ["undo", name] => touch(How::Undo, file(name)),
            _ => panic!("not a touch: {row:?}"),
        }
    }
    facts
}

fn kept_from(source: &str, script: &str, from: u32) -> Vec<u32> {
    kept_at(Level::Observed, source, script, from)
}

fn kept_at(level: Level, source: &str, script: &str, from: u32) -> Vec<u32> {
    let unit = unit(source);
    let facts = facts(&unit, script);
    let dependence = dependence(&unit, &facts, level);
    kept_lines(&unit, &slice(&unit, &dependence, &[line(&unit, from)]))
}

const WRITERS: &str = "
def test():
    make(\"a\")
    add(\"a\")
    make(\"b\")
    assert read(\"a\")
    add(\"a\")
    assert read(\"b\")";

const WRITTEN: &str = "2 kill a\n3 define a\n4 kill b\n5 use a\n6 define a\n7 use b";

#[test]
fn a_reader_keeps_the_writers_of_its_resource_before_it() {
    assert_eq!(kept_from(WRITERS, WRITTEN, 5), [1, 2, 3, 5]);
    assert_eq!(kept_from(WRITERS, WRITTEN, 7), [1, 4, 7]);
}

#[test]
fn the_picture_says_through_which_resource() {
    let unit = unit(WRITERS);
    let dependence = dependence(&unit, &facts(&unit, WRITTEN), Level::Observed);
    insta::assert_snapshot!("resources_apart", picture(&unit, &slice(&unit, &dependence, &[line(&unit, 5)])));
}

#[test]
fn what_ends_a_resource_cuts_off_what_was_before() {
    let source = "
def test():
    add(\"a\")
    clear(\"a\")
    add(\"a\")
    assert read(\"a\")";
    assert_eq!(kept_from(source, "2 define a\n3 kill a\n4 define a\n5 use a", 5), [1, 3, 4, 5]);
}

const DRAINED: &str = "
def test():
    say(\"a\")
    assert drained()
    x = said(\"b\")
    assert drained()
    assert x
    assert len(x)";

#[test]
fn what_was_taken_away_is_needed_by_whoever_keeps_what_it_took() {
    let script = "2 define a\n3 use a\n3 clear a\n4 define a\n5 use a\n5 clear a\n7 use a";
    let kept = |from| kept_from(DRAINED, script, from);
    assert_eq!(kept(3), [1, 2, 3]);
    assert_eq!(kept(5), [1, 4, 5], "neither what was taken away nor who took it");
    assert_eq!(kept(6), [1, 4, 6], "nobody uses what is left");
    assert_eq!(kept(7), [1, 4, 5, 7], "what x says would still be there");
}

#[test]
fn a_kill_is_kept_whatever_it_took_away() {
    let script = "2 define a\n3 use a\n3 kill a\n4 define a\n5 use a";
    assert_eq!(kept_from(DRAINED, script, 5), [1, 2, 3, 4, 5]);
}

#[test]
fn what_a_statement_put_back_is_as_it_was_before_it() {
    let source = "
def test():
    set(1)
    with other(2):
        set(3)
    assert get()";
    let script = "2 kill a\n3 kill a\n4 define a\n3 undo a\n5 use a";
    assert_eq!(kept_from(source, script, 5), [1, 2, 5]);
    assert_eq!(kept_from(source, "3 kill a\n4 define a\n3 undo a\n5 use a", 5), [1, 5]);
}

const MODULE: &str = "
import shop
def test():
    shop.set(1)
    x = shop.get()
    assert x";

#[test]
fn a_call_on_a_module_changes_what_the_run_of_a_passing_test_saw_it_change() {
    let kept = |script| kept_at(Level::Passing, MODULE, script, 5);
    assert_eq!(kept("4 use a"), [1, 2, 4, 5]);
    assert_eq!(kept("3 define a\n4 use a"), [1, 2, 3, 4, 5]);
    assert_eq!(kept("3 all\n4 use a"), [1, 2, 3, 4, 5], "nobody knows what it changed");
}

#[test]
fn in_a_failing_test_a_call_on_a_module_may_have_been_to_change_it() {
    assert_eq!(kept_from(MODULE, "4 use a", 5), [1, 2, 3, 4, 5]);
}

#[test]
fn in_a_failing_test_code_under_test_may_have_been_to_use_what_was_changed_before() {
    let source = "
def test():
    set(1)
    x = get()
    assert x";
    assert_eq!(kept_from(source, "2 kill a\n3 code", 4), [1, 2, 3, 4]);
    assert_eq!(kept_from(source, "2 kill a", 4), [1, 3, 4], "no code under test ran");
    assert_eq!(kept_at(Level::Passing, source, "2 kill a\n3 code", 4), [1, 3, 4]);
}

#[test]
fn a_call_whose_uses_are_not_all_known_keeps_every_change_before_it() {
    let script = format!("{WRITTEN}\n7 all");
    assert_eq!(kept_from(WRITERS, &script, 7), [1, 2, 3, 4, 6, 7]);
}

#[test]
fn a_change_without_a_name_is_kept_for_every_call_after_it() {
    let script = format!("{WRITTEN}\n3 unknown");
    assert_eq!(kept_from(WRITERS, &script, 7), [1, 2, 3, 4, 7]);
}

#[test]
fn a_loop_that_reads_what_its_last_round_wrote_depends_on_that() {
    let source = "
def test():
    for i in xs:
        check(read())
        add()";
    assert_eq!(kept_from(source, "3 use a\n4 define a\n3 use a\n4 define a", 3), [1, 2, 3, 4]);
    assert_eq!(kept_from(source, "3 use a\n4 define a", 3), [1, 2, 3]);
}

#[test]
fn what_the_text_calls_hidden_is_what_the_run_named() {
    let mut unit = unit(WRITERS);
    unit.places.push(Place { scope: PlaceScope::Hidden, name: "state".into() });
    let hidden = hidden_place(&unit);
    for number in [2, 4] {
        let stmt = line(&unit, number);
        unit.stmts[stmt.idx()].ops.push(Op::Mutate(hidden));
    }
    let kept = |script: &str, level| {
        let dependence = dependence(&unit, &facts(&unit, script), level);
        kept_lines(&unit, &slice(&unit, &dependence, &[line(&unit, 7)]))
    };
    assert_eq!(kept(WRITTEN, Level::Observed), [1, 4, 7]);
    assert_eq!(kept(WRITTEN, Level::One), [1, 2, 4, 7]);
    assert_eq!(kept("2 kill a\n4 unknown", Level::Observed), [1, 4, 7]);
    assert_eq!(kept("", Level::Observed), [1, 2, 4, 7]);
}

#[test]
fn levels_that_use_no_observations_know_no_resources() {
    let unit = unit(WRITERS);
    let dependence = dependence(&unit, &facts(&unit, WRITTEN), Level::Zero);
    assert_eq!(kept_lines(&unit, &slice(&unit, &dependence, &[line(&unit, 5)])), [1, 5]);
}
