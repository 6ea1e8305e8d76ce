//! Finds short routes in a small town and prints them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stop(usize);

#[derive(Debug, Default)]
struct Town {
    names: Vec<String>,
    roads: BTreeMap<usize, Vec<(usize, u32)>>,
}

impl Town {
    fn stop(&mut self, name: &str) -> Stop {
        if let Some(found) = self.names.iter().position(|known| known == name) {
            return Stop(found);
        }
        self.names.push(name.to_owned());
        Stop(self.names.len() - 1)
    }

    fn road(&mut self, from: &str, to: &str, minutes: u32) {
        let (from, to) = (self.stop(from), self.stop(to));
        self.roads.entry(from.0).or_default().push((to.0, minutes));
        self.roads.entry(to.0).or_default().push((from.0, minutes));
    }

    fn name(&self, stop: Stop) -> &str {
        &self.names[stop.0]
    }

    fn neighbours(&self, stop: Stop) -> impl Iterator<Item = (Stop, u32)> + '_ {
        let roads = self.roads.get(&stop.0).into_iter().flatten();
        roads.map(|&(to, minutes)| (Stop(to), minutes))
    }
}

struct Route {
    stops: Vec<Stop>,
    minutes: u32,
}

impl Route {
    fn start(at: Stop) -> Self {
        Route { stops: vec![at], minutes: 0 }
    }

    fn with(&self, next: Stop, minutes: u32) -> Self {
        let mut stops = self.stops.clone();
        stops.push(next);
        Route { stops, minutes: self.minutes + minutes }
    }

    /// The stop in the middle, for a break.
    fn middle(&self) -> Stop {
        let half = (self.stops.len() + 1) / 2;
        self.stops[half]
    }
}

struct Shown<'a>(&'a Town, &'a Route);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.1.stops.iter().map(|&stop| self.0.name(stop)).collect();
        write!(f, "{} ({} min)", names.join(" - "), self.1.minutes)
    }
}

fn shortest(town: &Town, from: Stop, to: Stop) -> Option<Route> {
    let mut best: Option<Route> = None;
    let mut seen: BTreeSet<Vec<Stop>> = BTreeSet::new();
    let mut open = VecDeque::from([Route::start(from)]);
    while let Some(route) = open.pop_front() {
        let last = *route.stops.last()?;
        if last == to {
            if best.as_ref().map_or(true, |best| route.minutes < best.minutes) {
                best = Some(route);
            }
            continue;
        }
        for (next, minutes) in town.neighbours(last) {
            let longer = route.with(next, minutes);
            if !route.stops.contains(&next) && seen.insert(longer.stops.clone()) {
                open.push_back(longer);
            }
        }
    }
    best
}

fn town() -> Town {
    let mut town = Town::default();
    for (from, to, minutes) in [
        ("station", "market", 4),
        ("market", "church", 2),
        ("church", "school", 7),
        ("market", "school", 8),
        ("school", "harbour", 3),
        ("station", "harbour", 20),
    ] {
        town.road(from, to, minutes);
    }
    town
}

fn main() {
    let mut town = town();
    let trips = [("station", "harbour"), ("church", "station"), ("market", "market")];
    for (from, to) in trips {
        let (from, to) = (town.stop(from), town.stop(to));
        match shortest(&town, from, to) {
            Some(route) => {
                println!("{}", Shown(&town, &route));
                println!("  a break at {}", town.name(route.middle()));
            }
            None => println!("no way from {} to {}", town.name(from), town.name(to)),
        }
    }
}
