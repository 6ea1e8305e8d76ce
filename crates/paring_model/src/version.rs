//! Versions of the code under test on which a test may pass, and the port that brings them.

use std::time::Duration;

/// A version, as users know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionName {
    /// `1.4.0-12-gabc1234`, or what the user named.
    pub name: String,
    /// The whole id of the commit, where it is one.
    pub commit: Option<String>,
    /// How many commits lie between it and the present one.
    pub n_ago: Option<u32>,
    /// Why it was looked at: "the merge base with origin/main".
    pub way: String,
}

/// A version that was to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// Runs on the good version are made on it from here on. With what the version lacks, in sentences.
    Ready { version: VersionName, lacks: Vec<String> },
    /// It cannot be laid out, with the reason.
    Unusable { version: VersionName, why: String },
}

/// Brings versions, one after the other.
pub trait Versions {
    /// The version that the user has named: that one or none. `None` where one is to be found.
    fn given(&self) -> Option<Tried>;

    /// Begins with the first one again, which is the one that was kept.
    fn begin(&self);

    /// The next one; `None` where there is none left.
    fn next(&self) -> Option<Tried>;

    /// The last one is good: it is the first to try for other tests too. Completes its name.
    fn keep(&self, version: &mut VersionName);

    /// None of them is good: no run is made on the last one any more.
    fn drop_last(&self);

    /// What a run in a fresh process costs: what was seen for the first test, as workers that are warm make one look cheap.
    fn cold(&self, seen: Duration) -> Duration;

    /// What trying them may take; `None` where nobody has said.
    fn budget(&self) -> Option<Duration>;

    /// Why there are none, or no more, where that is worth a word: "the clone is shallow".
    fn end(&self) -> Option<String>;
}
