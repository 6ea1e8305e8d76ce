//! How long candidates of a test may take.
//!
//! The original tells. Where it does not end, what counts is when it comes to the statement at which it hangs: a candidate that hangs
//! there is given five times as long, and no more.

use super::Request;
use super::observe::{Seen, original, run_for};
use paring_engine::{Oracle, Runs, Stop};
use paring_model::{Heat, Unit};
use std::time::Duration;

/// The first limit at which a test that hangs is looked at, and how each is longer than the one before.
const FIRST_LOOK: Duration = Duration::from_millis(400);
const NEXT_LOOK: u32 = 2;
/// Candidates may take so many times as long as the original needs to come to its place.
const TIMES: u32 = 5;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub warm: Duration,
    pub fresh: Duration,
    /// Of a test that hangs: what its candidates get in any process.
    hang: Option<Duration>,
}

impl Limits {
    /// Well above what the original takes.
    pub fn of_seen(seen: &Seen, request: &Request<'_>) -> Self {
        Self {
            warm: seen.timeout(request, Heat::Warm),
            fresh: seen.timeout(request, Heat::Fresh),
            hang: None,
        }
    }

    /// Of a test that does not end: looks after which time it hangs where the oracle says.
    pub fn of_hang(self, runs: &Runs<'_>, unit: &Unit, oracle: &Oracle) -> Result<Self, Stop> {
        let mut limit = FIRST_LOOK;
        while limit * TIMES < self.fresh {
            let seen = run_for(runs, &original(unit), 1, Heat::Warm, limit)?;
            if seen.iter().all(|next| oracle.judge_in(unit, next).is_same()) {
                return Ok(Self { hang: Some(limit * TIMES), ..self });
            }
            limit *= NEXT_LOOK;
        }
        Ok(Self { hang: Some(self.fresh), ..self })
    }

    pub fn of(&self, heat: Heat) -> Duration {
        self.hang.unwrap_or_else(|| self.on_good(heat))
    }

    /// A version on which the test passes may have more to do than one on which it hangs early.
    pub fn on_good(&self, heat: Heat) -> Duration {
        if heat == Heat::Warm { self.warm } else { self.fresh }
    }

    /// For the last run of a result, in whatever process that is: far more, unless it will take all of it.
    pub fn last(&self) -> Duration {
        self.hang.map_or(self.fresh * 4, |hang| hang.max(self.fresh))
    }
}
