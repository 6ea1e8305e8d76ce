//! What `paring doctor` finds of one thing: whether it is there, whether it works, and what to do about it.

use paring_model::RunnerError;

/// One thing that paring needs or uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub what: &'static str,
    pub state: State,
    pub told: String,
    /// What to do; empty where nothing is to be done.
    pub next: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Works,
    /// Works, or is not needed, and could be better.
    CouldBeBetter,
    /// Nothing can be pared as long as this is so.
    Broken,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            Self::Works => "ok",
            Self::CouldBeBetter => "note",
            Self::Broken => "broken",
        }
    }
}

impl Finding {
    pub fn works(what: &'static str, told: impl Into<String>) -> Self {
        Self { what, state: State::Works, told: told.into(), next: String::new() }
    }

    pub fn note(what: &'static str, told: impl Into<String>, next: impl Into<String>) -> Self {
        Self { what, state: State::CouldBeBetter, told: told.into(), next: next.into() }
    }

    pub fn broken(what: &'static str, told: impl Into<String>, next: impl Into<String>) -> Self {
        Self { what, state: State::Broken, told: told.into(), next: next.into() }
    }

    pub fn of_error(what: &'static str, error: RunnerError) -> Self {
        Self::broken(what, error.message, error.help)
    }
}
