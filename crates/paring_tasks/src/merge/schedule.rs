//! One path through the steps of several tests: each step that they share once, the others in an order in which each finds all as
//! it did in its own test.
//!
//! The paper's search over states, with versions of variables in the place of values: a step can be made where all versions that it
//! needs are there, and may be made where nothing goes that another test still needs.

use super::versions::Numbers;
use std::collections::BTreeSet;

/// A step on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The test whose text it is.
    pub member: usize,
    pub step: usize,
    /// How many of the tests it is a step of.
    pub n_tests: usize,
}

/// The path, where there is one.
pub fn schedule(members: &[&Numbers]) -> Option<Vec<Placed>> {
    let live = members.iter().flat_map(|it| it.at_start.iter().copied()).collect();
    let mut path = Path { members, at: vec![0; members.len()], done: BTreeSet::new(), live };
    let mut placed: Vec<Placed> = Vec::new();
    loop {
        path.skip();
        let mut open: Vec<usize> = (0..members.len()).filter(|&it| !path.is_over(it)).collect();
        if open.is_empty() {
            return Some(placed);
        }
        let last = placed.last().map(|it| it.member);
        // What is begun goes on; who waits for an exception comes last.
        open.sort_by_key(|&it| (Some(it) != last || members[it].expects, members[it].expects, it));
        let next = open.into_iter().find(|&it| path.may_be_next(it))?;
        let step = path.at[next];
        let n_tests = path.at_key(path.key(next)).len();
        placed.push(Placed { member: next, step, n_tests });
        path.make(next);
    }
}

#[derive(Clone)]
struct Path<'m> {
    members: &'m [&'m Numbers],
    /// The next step of each.
    at: Vec<usize>,
    /// Keys of the steps that were made.
    done: BTreeSet<u32>,
    /// Versions that are there.
    live: BTreeSet<u32>,
}

impl Path<'_> {
    fn is_over(&self, member: usize) -> bool {
        self.at[member] >= self.members[member].steps.len()
    }

    fn key(&self, member: usize) -> u32 {
        self.members[member].steps[self.at[member]].key
    }

    fn at_key(&self, key: u32) -> Vec<usize> {
        (0..self.members.len()).filter(|&it| !self.is_over(it) && self.key(it) == key).collect()
    }

    fn skip(&mut self) {
        for member in 0..self.members.len() {
            while !self.is_over(member) && self.done.contains(&self.key(member)) {
                self.at[member] += 1;
            }
        }
    }

    fn may_be_next(&self, member: usize) -> bool {
        let step = &self.members[member].steps[self.at[member]];
        if !step.needs.is_subset(&self.live) {
            return false;
        }
        let mut after = self.clone();
        after.make(member);
        after.skip();
        (0..self.members.len()).all(|it| after.needed(it).is_subset(&after.live))
    }

    /// Versions that the rest of a test needs and does not make.
    fn needed(&self, member: usize) -> BTreeSet<u32> {
        let mut made: BTreeSet<u32> = BTreeSet::new();
        let mut needed = BTreeSet::new();
        let steps = &self.members[member].steps;
        for step in steps[self.at[member]..].iter().filter(|step| !self.done.contains(&step.key)) {
            needed.extend(step.needs.iter().filter(|version| !made.contains(*version)));
            made.extend(step.makes.iter().map(|(_, _, new)| *new));
        }
        needed
    }

    fn make(&mut self, member: usize) {
        let key = self.key(member);
        let together = self.at_key(key);
        let step = &self.members[member].steps[self.at[member]];
        let mut gone: BTreeSet<u32> = step.makes.iter().filter_map(|(_, old, _)| *old).collect();
        for it in (0..self.members.len()).filter(|it| !together.contains(it) && !self.is_over(*it)) {
            gone.extend(self.aliases(it, &gone));
        }
        let mut new = BTreeSet::new();
        for &it in &together {
            let makes = &self.members[it].steps[self.at[it]].makes;
            gone.extend(makes.iter().filter_map(|(_, old, _)| *old));
            new.extend(makes.iter().map(|(_, _, new)| *new));
        }
        self.live.retain(|version| !gone.contains(version));
        self.live.extend(new);
        self.done.insert(key);
        for it in together {
            self.at[it] += 1;
        }
    }

    /// Versions of a test that change with some of them: what reaches them, and what they reach.
    fn aliases(&self, member: usize, gone: &BTreeSet<u32>) -> BTreeSet<u32> {
        let numbers = self.members[member];
        let env = &numbers.steps[self.at[member]].before;
        let is_gone = |name: &String| env.get(name).is_some_and(|version| gone.contains(version));
        let mut found = BTreeSet::new();
        for (inner, outer) in &numbers.reaches {
            if is_gone(inner) {
                found.extend(env.get(outer));
            }
            if is_gone(outer) {
                found.extend(env.get(inner));
            }
        }
        found
    }
}
