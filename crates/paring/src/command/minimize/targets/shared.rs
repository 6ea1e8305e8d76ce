//! Tests that fail in one and the same set-up, such as a fixture of `conftest.py` that all of them use: one of them tells as much as
//! all, so only the first is pared.

use crate::language::Seen;
use paring_model::{Failure, Frame, Observation, Phase};
use std::collections::BTreeMap;

/// Where a set-up fails, and with what type of exception: the message may name the test.
type Place = (String, Frame);

pub struct SharedSetUps {
    n_tests: BTreeMap<Place, usize>,
}

impl SharedSetUps {
    pub fn of(all: &[Seen]) -> Self {
        let mut n_tests = BTreeMap::new();
        for place in all.iter().filter_map(|seen| place(&seen.observation)) {
            *n_tests.entry(place).or_default() += 1;
        }
        Self { n_tests }
    }

    /// What to tell with a test that is to be pared; `None` where an earlier one stands for it.
    pub fn take(&mut self, observation: &Observation) -> Option<Vec<String>> {
        let Some(place) = place(observation) else { return Some(Vec::new()) };
        let n_tests = std::mem::take(self.n_tests.entry(place.clone()).or_default());
        match n_tests {
            0 => None,
            1 => Some(Vec::new()),
            n_tests => {
                let (_, Frame { file, function, line, .. }) = place;
                Some(vec![format!(
                    "{n_tests} tests fail in the same set-up, at {file}:{line} ({function}): only this one was pared"
                )])
            }
        }
    }
}

/// The innermost place of the project outside of the test file at which a set-up fails.
fn place(observation: &Observation) -> Option<Place> {
    let Observation::Failed(failure) = observation else { return None };
    let Failure { phase: Phase::SetUp, .. } = failure else { return None };
    let frame = failure.below.iter().rfind(|frame| !frame.runtime)?;
    Some((failure.exception().type_name.clone(), frame.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::{Exception, FailureKind};

    fn seen(line: u32, phase: Phase) -> Seen {
        let frame = Frame { file: "conftest.py".into(), function: "database".into(), line, runtime: false };
        let exception = Exception { type_name: "OSError".into(), message: String::new() };
        let failure = Failure {
            phase,
            kind: FailureKind::Exception,
            exceptions: vec![exception],
            stack: Vec::new(),
            below: vec![frame],
            notes: Vec::new(),
            left: Vec::new(),
        };
        Seen { id: "t.py::test_a".into(), observation: Observation::Failed(failure) }
    }

    #[test]
    fn the_first_of_those_that_share_a_set_up_stands_for_all() {
        let all = [seen(7, Phase::SetUp), seen(7, Phase::SetUp), seen(9, Phase::SetUp), seen(7, Phase::Call)];
        let mut shared = SharedSetUps::of(&all);
        let told: Vec<Option<Vec<String>>> = all.iter().map(|seen| shared.take(&seen.observation)).collect();
        let note = "2 tests fail in the same set-up, at conftest.py:7 (database): only this one was pared"
            .to_owned();
        assert_eq!(told, [Some(vec![note]), None, Some(Vec::new()), Some(Vec::new())]);
    }
}
