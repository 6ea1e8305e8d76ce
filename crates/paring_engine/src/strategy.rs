//! Ways to look for a smaller test, each by its name in the literature, and the default that joins them.

pub mod ddmin;
pub mod named;
pub mod probdd;
pub mod tree;
mod unresolved;
pub mod untouched;
pub mod wdd;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    /// Levels, then experiments under the slippage rules.
    Auto,
    /// Levels with verification, as `FitSlicer` has them.
    Fit,
    /// One static slice, as Leitner et al. have it; the original where it does not hold.
    Ssmin,
    /// Experiments alone.
    Ddmin,
    /// The static slice, then experiments.
    Sdmin,
    /// Probabilistic experiments alone.
    Probdd,
    /// Experiments alone, on parts of the same weight.
    Wdd,
}

impl Strategy {
    pub const ALL: [Strategy; 7] = [
        Strategy::Auto,
        Strategy::Fit,
        Strategy::Ssmin,
        Strategy::Ddmin,
        Strategy::Sdmin,
        Strategy::Probdd,
        Strategy::Wdd,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Strategy::Auto => "auto",
            Strategy::Fit => "fit",
            Strategy::Ssmin => "ssmin",
            Strategy::Ddmin => "ddmin",
            Strategy::Sdmin => "sdmin",
            Strategy::Probdd => "probdd",
            Strategy::Wdd => "wdd",
        }
    }
}

/// The dependence a result stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Observed,
    Zero,
    One,
    None,
}

impl Level {
    pub fn word(self) -> &'static str {
        match self {
            Level::Observed => "O",
            Level::Zero => "0",
            Level::One => "1",
            Level::None => "none",
        }
    }
}
