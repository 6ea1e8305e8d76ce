//! `paring localize` on the command line.

use super::{MinimizeArgs, positive, words};
use crate::value::{self, Sink};
use camino::Utf8PathBuf;
use clap::builder::TypedValueParser;
use clap::{ArgAction, Args};
use paring_engine::Budget;
use paring_spectrum::{Equal, Formula};
use paring_tasks::localize::{By, Combine, Plan, Tests};
use std::time::Duration;

/// Suspects that are shown where nobody says otherwise.
const DEFAULT_TOP: usize = 10;
/// More failing tests say little more, and each takes about a second.
const DEFAULT_PARED: usize = 24;

/// Run a suite, pare its failing tests, and rank the lines they point to
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, as the command line has them")]
pub struct LocalizeArgs {
    /// Files, folders or tests to run [default: the whole suite]
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,

    #[arg(
        help = "Rank for this failing test alone (or a class, a file): others that fail are left out; can be repeated"
    )]
    #[arg(long = "for", value_name = "TEST", help_heading = "How it ranks")]
    pub for_tests: Vec<String>,
    /// How tests that run a line are weighed [default: jaccard]
    #[arg(long, value_name = "NAME", value_parser = formulas(), help_heading = "How it ranks")]
    formula: Option<Formula>,
    /// Rank by the failing tests as they are, without paring them first
    #[arg(long, help_heading = "How it ranks")]
    pub no_purify: bool,
    #[arg(long, value_name = "HOW", value_parser = combinations(), help_heading = "How it ranks")]
    #[arg(
        help = "How pared tests are used: in the place of the failing ones, to refine their ranking, both, or to refine \
                  it with assertions that hold counted as passing tests, and with ties told apart [default: settle]"
    )]
    combine: Option<Combine>,
    /// Of the failing tests, pare at most so many [default: 24]
    #[arg(long, value_name = "N", value_parser = positive(), help_heading = "How it ranks")]
    pare: Option<usize>,
    /// Tests of one verdict that run the very same lines count once
    #[arg(long, help_heading = "How it ranks")]
    distinct: bool,
    /// What is ranked [default: statement]
    #[arg(long, value_name = "WHAT", value_parser = levels(), help_heading = "How it ranks")]
    by: Option<By>,
    /// Rank the code of the tests too
    #[arg(long, help_heading = "How it ranks")]
    with_tests: bool,

    /// The Python interpreter of the project [default: that of the active environment, then of .venv, then python3]
    #[arg(long, value_name = "FILE", help_heading = "Where it runs")]
    python: Option<Utf8PathBuf>,
    /// Folder of the code under test, where it is not within the project or in no usual place; can be repeated
    #[arg(long, value_name = "DIR", help_heading = "Where it runs")]
    sources: Vec<Utf8PathBuf>,
    #[arg(
        help = "The class path that Java tests run on, test classes and JUnit included [default: from Maven]"
    )]
    #[arg(long, value_name = "CP", help_heading = "Where it runs")]
    classpath: Option<String>,
    /// Root folder of Java test sources; can be repeated [default: from Maven]
    #[arg(long, value_name = "DIR", help_heading = "Where it runs")]
    test_sources: Vec<Utf8PathBuf>,
    /// Pass an option to the JVM; can be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Where it runs")]
    jvm_arg: Vec<String>,
    /// Pass an option to javac; can be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Where it runs")]
    javac_arg: Vec<String>,
    #[arg(help = "The JDK [default: that of JAVA_HOME, then that of java on the PATH]")]
    #[arg(long, value_name = "DIR", help_heading = "Where it runs")]
    java_home: Option<Utf8PathBuf>,
    #[arg(long, value_name = "REV|DIR|auto|none", help_heading = "Where it runs")]
    #[arg(
        help = "A version on which failing tests pass, for paring them [default: auto, in a git work tree]"
    )]
    good: Option<String>,
    /// Time for one test [default: 5 minutes in the suite; for paring, from the first runs]
    #[arg(long, value_name = "SECONDS", value_parser = value::duration, help_heading = "Where it runs")]
    timeout: Option<Duration>,
    /// Memory for one run, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = value::memory, help_heading = "Where it runs")]
    memory: Option<u64>,
    /// Workers to pare in [default: from the machine]
    #[arg(long, short, value_name = "N", value_parser = positive(), help_heading = "Where it runs")]
    jobs: Option<usize>,
    /// Run every test again, also those whose files have not changed since the last time
    #[arg(long, help_heading = "Where it runs")]
    pub fresh: bool,
    /// What paring one failing test may cost: 30s, 2m, 200runs
    #[arg(long, value_name = "SECONDS|RUNS", value_parser = value::budget, help_heading = "Where it runs")]
    budget: Option<Budget>,

    #[arg(
        help = "A line of a fault that is known, as FILE:LINE: tells its rank by every formula; can be repeated"
    )]
    #[arg(long, value_name = "FILE:LINE", value_parser = place, help_heading = "What comes out")]
    pub fault: Vec<(Utf8PathBuf, u32)>,
    /// How many suspects to show [default: 10]
    #[arg(long, value_name = "N", value_parser = positive(), help_heading = "What comes out")]
    top: Option<usize>,
    /// Write the ranking as JSON (schema paring.localization/1); - is standard output
    #[arg(long, value_name = "FILE|-", value_parser = value::sink, help_heading = "What comes out")]
    json: Option<Sink>,
    /// Write the ranking as SARIF 2.1.0, which editors and code hosts show beside the code
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub sarif: Option<Utf8PathBuf>,
    /// Write a page for a browser: files as a heat map, lines by their suspicion, the tests behind each
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub html: Option<Utf8PathBuf>,

    #[arg(last = true, value_name = "ARG", action = ArgAction::Append)]
    #[arg(help = "Arguments after -- are passed to pytest or Maven")]
    runner_args: Vec<String>,
}

impl LocalizeArgs {
    pub fn plan(&self) -> Plan {
        Plan {
            formula: self.formula.unwrap_or(Formula::Jaccard),
            combine: self.combine.unwrap_or(Combine::Settle),
            by: self.by.unwrap_or(By::Statement),
            equal: if self.distinct { Equal::Once } else { Equal::Each },
            tests: if self.with_tests { Tests::Ranked } else { Tests::LeftOut },
        }
    }

    /// Whether assertions that hold have a say in what is told.
    pub fn needs_holding(&self) -> bool {
        self.plan().combine.counts_holding() || !self.fault.is_empty()
    }

    pub fn n_pared(&self) -> usize {
        self.pare.unwrap_or(DEFAULT_PARED)
    }

    pub fn top(&self) -> usize {
        self.top.unwrap_or(DEFAULT_TOP)
    }

    /// What it has in common with `minimize`: where tests run, and how they are pared.
    pub fn minimize(&self) -> MinimizeArgs {
        MinimizeArgs {
            python: self.python.clone(),
            sources: self.sources.clone(),
            classpath: self.classpath.clone(),
            test_sources: self.test_sources.clone(),
            jvm_arg: self.jvm_arg.clone(),
            javac_arg: self.javac_arg.clone(),
            java_home: self.java_home.clone(),
            good: self.good.clone(),
            timeout: self.timeout,
            memory: self.memory,
            jobs: self.jobs,
            budget: self.budget,
            json: self.json.clone(),
            runner_args: self.runner_args.clone(),
            ..MinimizeArgs::default()
        }
    }
}

/// `src/shop.py:34`.
fn place(text: &str) -> Result<(Utf8PathBuf, u32), String> {
    let (path, line) = text.rsplit_once(':').ok_or("it is to be FILE:LINE")?;
    let line =
        line.parse::<u32>().ok().filter(|&line| line > 0).ok_or("the line is to be a number from 1 on")?;
    Ok((path.into(), line))
}

fn formulas() -> impl TypedValueParser<Value = Formula> {
    words(Formula::ALL, Formula::word)
}

fn combinations() -> impl TypedValueParser<Value = Combine> {
    words(Combine::ALL, Combine::word)
}

fn levels() -> impl TypedValueParser<Value = By> {
    words(By::ALL, By::word)
}

pub const LOCALIZE_HELP: &str = "\
Examples:
  The lines that the failing tests of a project point to
    paring localize
  A part of the suite, by another formula, as functions
    paring localize tests/unit --formula dstar --by function
  One of several failing tests, where others fail for other reasons
    paring localize --for tests/test_cart.py::test_sum
  A quick look, without paring, for an editor
    paring localize --no-purify --sarif suspects.sarif
  A page to click through
    paring localize --html suspects.html
  For a program
    paring localize --json - | jq '.suspects[0]'
  Options for pytest
    paring localize -- -m 'not slow'

A rank is a mean: what cannot be told apart shares the mean of the ranks it takes up.
Ends with 0 where there is a ranking, 4 where no test fails, 6 where there is no test, 7 where the tests cannot be run at
all, 130 after Ctrl-C, and else with 1: the message says why.";
