//! A suite with failing tests in, the lines that they point to out.
//!
//! `suite` runs the tests with a recorder of lines, and `chosen` leaves out failing tests that the user did not name. `choice` says
//! which failing tests are pared, `pare` asks a [`Parer`] for each of them, and `record` runs the pared ones with the recorder.
//!
//! Then [`rank`] ranks: `lines` numbers the statements that can run, with the `constants` they read, `evidence` puts pared tests in the
//! place of the failing ones they were made from, `suspects` writes down what the ranking says.
//!
//! Of a failing test, pared tests say more than the original: they ran less that has nothing to do with the failure. There are
//! two ways to use them, and both at once ([`Combine`]). The assertions of it that hold say something, too.

mod choice;
mod chosen;
mod constants;
mod evidence;
mod fault;
mod lines;
mod order;
mod pare;
mod record;
mod suite;
mod suspects;

use crate::outcome::Size;
use camino::Utf8PathBuf;
use chosen::keep_chosen;
use evidence::{Evidence, evidence};
use fault::fault_ranks;
use lines::Lines;
use order::order;
use pare::pare;
use paring_model::{Covered, Observation, RunnerError};
use paring_spectrum::{Counts, Equal, Formula, LineId, Ranking, TIE_RULE, Tally, Verdict};
use suspects::suspects;

pub use choice::{choose, n_parable};
pub use fault::{FaultRank, Way};
pub use pare::{Failing, Parer, Spent};
pub use record::{Origin, RunOnce, dependence};
pub use suite::Suite;

/// How to rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub formula: Formula,
    pub combine: Combine,
    pub by: By,
    /// What passing tests of equal spectra count for.
    pub equal: Equal,
    pub tests: Tests,
}

/// How pared tests are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Combine {
    /// They take the place of the tests they were made from.
    Replace,
    /// Their originals are ranked, and what most of them ran moves up (Xuan and Monperrus, section 3.4).
    Refine,
    /// They take the place of the originals, and what most of them ran moves up.
    Both,
    /// As `Refine`, and each assertion of a failing test that holds counts as a test that passes; pared tests that run more than their
    /// original, which an assertion before theirs ended, count beside it.
    Clear,
    /// As `Clear`, and equal scores are told apart by what no spectrum shows.
    Settle,
}

impl Combine {
    pub const ALL: [Combine; 5] =
        [Combine::Replace, Combine::Refine, Combine::Both, Combine::Clear, Combine::Settle];

    pub fn word(self) -> &'static str {
        match self {
            Combine::Replace => "replace",
            Combine::Refine => "refine",
            Combine::Both => "both",
            Combine::Clear => "clear",
            Combine::Settle => "settle",
        }
    }

    /// Whether assertions of failing tests that hold have a say.
    pub fn counts_holding(self) -> bool {
        match self {
            Combine::Clear | Combine::Settle => true,
            Combine::Replace | Combine::Refine | Combine::Both => false,
        }
    }

    /// What a rank is where scores are equal, in words.
    pub fn tie_rule(self) -> &'static str {
        match self {
            Combine::Settle => {
                "where scores are equal, what only a call without effect runs comes first; next is the function with the most suspicious \
                 line; next is the longer statement; what is still equal shares one rank, the mean of theirs"
            }
            Combine::Replace | Combine::Refine | Combine::Both | Combine::Clear => TIE_RULE,
        }
    }
}

/// What is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    Statement,
    Function,
    File,
}

impl By {
    pub const ALL: [By; 3] = [By::Statement, By::Function, By::File];

    pub fn word(self) -> &'static str {
        match self {
            By::Statement => "statement",
            By::Function => "function",
            By::File => "file",
        }
    }
}

/// Whether the suite's own code is ranked too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tests {
    LeftOut,
    Ranked,
}

/// A smaller test that was made from a failing one of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PureTest {
    /// Index of the test it was made from.
    pub origin: usize,
    /// Whether it fails, as the pared test of an assertion does, or passes, as the test of one that holds.
    pub verdict: Verdict,
    /// The test alone.
    pub text: String,
    pub statements: Size,
    /// Statements that it ran, by their first lines in the files as they are on disk.
    pub ran: Vec<(Utf8PathBuf, Vec<u32>)>,
    /// Others that it ran, and that its original did not run in the suite, where an earlier test had done so for all.
    pub once: Vec<(Utf8PathBuf, Vec<u32>)>,
    /// Its calls without effect, by their texts.
    pub without_effect: Vec<String>,
    /// Of what it ran, what it would not have run without one of those.
    pub ran_without_effect: Vec<(Utf8PathBuf, Vec<u32>)>,
}

/// What the suite points to.
#[derive(Clone, Debug, PartialEq)]
pub struct Localization {
    pub plan: Plan,
    pub n_passed: usize,
    pub n_failed: usize,
    /// Neither passed nor failed.
    pub n_skipped: usize,
    /// Of all tests, those that an earlier run stood in for.
    pub n_kept: usize,
    pub n_tests: usize,
    /// When the first of those ran, in seconds since 1970.
    pub kept_from: Option<u64>,
    /// Statements that can run, in the files that were ranked.
    pub n_lines: usize,
    /// What is ranked: statements, functions or files.
    pub n_ranked: usize,
    /// Every test that failed, in the order in which they ran.
    pub failing: Vec<FailingTest>,
    /// Best first; only what a failing test ran.
    pub suspects: Vec<Suspect>,
    /// Every statement that was ranked, file by file, from top to bottom.
    pub lines: Vec<RankedLine>,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FailingTest {
    pub id: String,
    /// What it says, in a line: `ValueError: pen`.
    pub failure: String,
    pub spectrum: SpectrumOf,
    /// The pared tests that were made from it.
    pub pared: Vec<ParedTest>,
}

/// Whose lines count for a failing test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpectrumOf {
    /// Those of the tests it was pared to.
    Pared,
    /// Its own.
    Original,
    /// Nobody's: it ended its process, or never ran.
    Nobody,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParedTest {
    pub text: String,
    pub statements: Size,
    pub n_lines: usize,
    /// Its calls without effect, by their texts.
    pub without_effect: Vec<String>,
}

/// A statement that can run, with its place in the order of all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedLine {
    /// Index into the files of the run.
    pub file_idx: usize,
    pub first_line: u32,
    pub last_line: u32,
    pub score: f64,
    /// The mean of the ranks that all of this score take up.
    pub rank: f64,
    pub counts: Counts,
}

/// A statement, function or file that a failing test ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Index into the files of the run.
    pub file_idx: usize,
    /// The most suspicious statement of it: first and last line.
    pub first_line: u32,
    pub last_line: u32,
    /// The function around that statement.
    pub function: Option<String>,
    pub score: f64,
    /// The mean of the ranks that all of this score take up.
    pub rank: f64,
    /// How many have this score, itself included.
    pub n_ties: usize,
    /// Tests that ran the statement and that did not, as they were counted.
    pub counts: Counts,
    /// Failing tests that ran it, by their indices.
    pub tests: Vec<usize>,
}

/// A suite, and what is wanted of it.
pub struct Request<'a> {
    pub suite: Suite<'a>,
    /// The failing tests that count, by their names; all where none is named.
    pub only: &'a [String],
    /// At most so many failing tests are pared.
    pub n_pared: usize,
    pub plan: Plan,
    /// Lines that are known to be faulty.
    pub faulty: &'a [(Utf8PathBuf, u32)],
}

/// What was found.
pub struct Localized {
    pub covered: Covered,
    pub localization: Localization,
    /// Where the lines known to be faulty come.
    pub ranks: Vec<FaultRank>,
    pub spent: Spent,
    /// Whether the user asked to stop before all were pared.
    pub stopped: bool,
}

/// Runs the suite, pares its failing tests where there is a parer, and ranks the lines they ran.
pub fn localize(request: &Request<'_>, parer: Option<&mut dyn Parer>) -> Result<Localized, RunnerError> {
    let runs = request.suite.runs;
    let began = runs.elapsed();
    let mut covered = request.suite.run()?;
    let took = runs.elapsed().saturating_sub(began);
    keep_chosen(&mut covered, request.only)?;
    let pure = parer.map(|parer| pare(parer, runs, &covered, request.n_pared)).unwrap_or_default();
    let mut localization = rank(&covered, &pure.tests, request.plan);
    localization.notes.extend(pure.notes);
    let stopped = runs.not_interrupted().is_err();
    if stopped {
        localization
            .notes
            .push("stopped before all failing tests were pared: the others count as they are".to_owned());
    }
    let ranks = fault_ranks(&covered, &pure.tests, request.plan, request.faulty);
    if ranks.is_empty() && !request.faulty.is_empty() {
        localization
            .notes
            .push("no test ran a line of the fault, or no failing test did: it has no rank".to_owned());
    }
    Ok(Localized { covered, localization, ranks, spent: Spent { suite: took, ..pure.spent }, stopped })
}

/// Ranks what the suite ran. `pure` are the tests that the failing ones were pared to.
pub fn rank(covered: &Covered, pure: &[PureTest], plan: Plan) -> Localization {
    let lines = Lines::of(&covered.files, plan.tests);
    let evidence = evidence(covered, pure, &lines, plan.combine);
    let tally = Tally::with_pure(lines.n_lines(), &evidence.counted, plan.equal, &evidence.pure);
    let ranking =
        order(&lines, &tally, &tally.scores(plan.formula), plan.combine, &evidence.ran_without_effect);
    let (suspects, n_ranked) = suspects(covered, &lines, &tally, &ranking, &evidence, plan.by);
    let n_skipped = covered.tests.iter().filter(|test| is_skipped(&test.observation)).count();
    let Evidence { failing, n_passed, .. } = evidence;
    let mut localization = Localization {
        plan,
        n_passed,
        n_failed: failing.len(),
        n_skipped,
        n_kept: covered.n_kept(),
        n_tests: covered.tests.len(),
        kept_from: covered.kept_from(),
        n_lines: lines.n_lines(),
        n_ranked,
        failing,
        suspects,
        lines: ranked_lines(&lines, &tally, &ranking),
        notes: covered.notes.clone(),
    };
    localization.notes.extend(remarks(&localization));
    localization
}

fn ranked_lines(lines: &Lines<'_>, tally: &Tally, ranking: &Ranking) -> Vec<RankedLine> {
    let line = |line: LineId| {
        let (code, place) = (lines.code(line), ranking.place(line));
        RankedLine {
            file_idx: lines.file_of[line.idx()],
            first_line: code.line,
            last_line: code.last_line,
            score: place.score,
            rank: place.rank,
            counts: tally.counts(line),
        }
    };
    (0..).map(LineId).take(lines.n_lines()).map(line).collect()
}

/// What the reader should know before believing the ranking.
fn remarks(localization: &Localization) -> Vec<String> {
    let mut notes = Vec::new();
    let lost = localization.failing.iter().filter(|test| test.spectrum == SpectrumOf::Nobody);
    notes.extend(
        lost.map(|test| {
            format!("{} does not count: {}, and what it ran is not known", test.id, test.failure)
        }),
    );
    if localization.n_passed == 0 && localization.n_failed > 0 {
        notes.push(
            "every test fails: no passing test clears a line of suspicion, so lines that all tests run come first; if they \
             should pass, the environment may be at fault"
                .to_owned(),
        );
    }
    notes
}

fn is_skipped(observation: &Observation) -> bool {
    match observation {
        Observation::Skipped { .. } => true,
        Observation::Passed
        | Observation::Failed(_)
        | Observation::Broken { .. }
        | Observation::Hung { .. }
        | Observation::Died { .. } => false,
    }
}

/// Whether a test failed, in whatever way.
pub fn is_failed(observation: &Observation) -> bool {
    match observation {
        Observation::Failed(_)
        | Observation::Broken { .. }
        | Observation::Hung { .. }
        | Observation::Died { .. } => true,
        Observation::Passed | Observation::Skipped { .. } => false,
    }
}
