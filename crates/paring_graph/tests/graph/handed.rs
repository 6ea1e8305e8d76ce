//! What is done to an object that another handed out is meant for that other.

use crate::notation::{line, unit};
use crate::picture::kept_lines;
use paring_graph::{Level, dependence, slice};
use paring_model::Facts;

/// The lines that the last one depends on, at a level.
fn kept(source: &str, level: Level) -> Vec<u32> {
    let unit = unit(source);
    let last = u32::try_from(unit.source.lines().count()).expect("test sources are short");
    kept_lines(&unit, &slice(&unit, &dependence(&unit, &Facts::default(), level), &[line(&unit, last)]))
}

#[test]
fn a_block_that_hands_something_out_gives_it_back_when_it_ends() {
    let source = "
def test():
    client = Client()
    with client.session() as session:
        session.put(1)
    client.get()";
    assert_eq!(kept(source, Level::Observed), [1, 2, 3, 4, 5]);
    assert_eq!(kept(source, Level::Zero), [1, 2, 5], "no level of the literature knows it");
}

#[test]
fn a_name_that_an_object_was_asked_for_counts_and_so_does_what_it_was_asked_for_in_turn() {
    let source = "
def test():
    client = Client()
    session = client.session()
    basket = session.basket()
    basket.put(1)
    client.get()";
    assert_eq!(kept(source, Level::Observed), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn what_is_made_of_an_object_is_another() {
    let source = "
def test():
    client = Client()
    copy = Copy(client)
    copy.value = 1
    client.get()";
    assert_eq!(kept(source, Level::Observed), [1, 2, 3, 5]);
}
