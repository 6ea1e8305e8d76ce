//! `paring merge` on the command line.

use super::{MinimizeArgs, positive, words};
use crate::exit_code;
use crate::value::{self, Sink};
use camino::Utf8PathBuf;
use clap::builder::TypedValueParser;
use clap::{ArgAction, Args};
use paring_engine::Budget;
use paring_tasks::merge::How;
use std::time::Duration;

/// How many faults are looked for where the user does not say.
const N_MUTANTS: usize = 10;
/// How long a merged test may get where the user does not say.
const MAX_STATEMENTS: usize = 15;

/// Merge passing tests that repeat each other: fewer tests that lose nothing, each verified
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct MergeArgs {
    #[arg(value_name = "PATH|CLASS", required = true)]
    #[arg(help = "Files, folders and classes whose tests are merged, within each module or class")]
    pub targets: Vec<String>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = hows(), help_heading = "How it merges")]
    #[arg(
        help = "What may become of tests: parametrise (one test with a row for each), extract (a common beginning becomes a \
                  fixture or set-up), reorganise (tests that begin alike become one) [default: parametrise,extract]"
    )]
    how: Vec<How>,
    /// Faults put into the code under test, at most half a minute long for each group: those that the old tests catch, the new
    /// ones must catch; 0 for none [default: 10]
    #[arg(long, value_name = "N", help_heading = "How it merges")]
    mutants: Option<usize>,
    /// No reorganised test gets more statements than this; 0 for no limit [default: 15]
    #[arg(long, value_name = "N", help_heading = "How it merges")]
    max_statements: Option<usize>,
    /// Let the first assertion that fails in a reorganised test hide the others: no assertAll, no subtests
    #[arg(long, help_heading = "How it merges")]
    pub no_soft: bool,
    /// Rewrite nothing: tell how much the tests repeat each other, and which are safe to delete
    #[arg(long, help_heading = "How it merges", conflicts_with_all = ["apply", "patch", "out", "how"])]
    pub report: bool,
    /// Seed of the order in which the new tests run shuffled [default: 0]
    #[arg(long, value_name = "N", help_heading = "How it merges")]
    seed: Option<u64>,
    /// Stop after so long or so many runs for one file: 30s, 2m, 200runs
    #[arg(long, value_name = "SECONDS|RUNS", value_parser = value::budget, help_heading = "How it merges")]
    budget: Option<Budget>,
    /// Continue an earlier run of the same command that was stopped
    #[arg(long, help_heading = "How it merges")]
    resume: bool,

    /// The Python interpreter of the project [default: that of the active environment, then of .venv, then python3]
    #[arg(long, value_name = "FILE", help_heading = "Where it runs")]
    python: Option<Utf8PathBuf>,
    #[arg(
        help = "The class path that Java tests run on, test classes and JUnit included [default: from Maven]"
    )]
    #[arg(long, value_name = "CP", help_heading = "Where it runs")]
    classpath: Option<String>,
    /// Root folder of Java test sources; can be repeated [default: from Maven]
    #[arg(long, value_name = "DIR", help_heading = "Where it runs")]
    test_sources: Vec<Utf8PathBuf>,
    /// Root folder of the code under test; can be repeated
    #[arg(long, value_name = "DIR", help_heading = "Where it runs")]
    sources: Vec<Utf8PathBuf>,
    /// Pass an option to the JVM; can be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Where it runs")]
    jvm_arg: Vec<String>,
    /// Pass an option to javac; can be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Where it runs")]
    javac_arg: Vec<String>,
    #[arg(help = "The JDK [default: that of JAVA_HOME, then that of java on the PATH]")]
    #[arg(long, value_name = "DIR", help_heading = "Where it runs")]
    java_home: Option<Utf8PathBuf>,
    /// Time for one run [default: a minute]
    #[arg(long, value_name = "SECONDS", value_parser = value::duration, help_heading = "Where it runs")]
    timeout: Option<Duration>,
    /// Memory for one run, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = value::memory, help_heading = "Where it runs")]
    memory: Option<u64>,
    /// Workers to run in; the result is the same for any number [default: from the machine]
    #[arg(long, short, value_name = "N", value_parser = positive(), help_heading = "Where it runs")]
    jobs: Option<usize>,

    /// Rewrite the tests in their files
    #[arg(long, help_heading = "What comes out")]
    apply: bool,
    /// Write a unified diff that `git apply` takes; - is standard output
    #[arg(long, value_name = "FILE|-", value_parser = value::sink, help_heading = "What comes out")]
    patch: Option<Sink>,
    /// Write the rewritten files into this folder, under their paths
    #[arg(long, value_name = "DIR", help_heading = "What comes out")]
    pub out: Option<Utf8PathBuf>,
    /// With --report: write a page for a browser, with clusters of tests side by side
    #[arg(long, value_name = "FILE", requires = "report", help_heading = "What comes out")]
    pub html: Option<Utf8PathBuf>,
    /// Write the result as JSON (schema paring.merge/1; with --report paring.merge-report/1); - is standard output
    #[arg(long, value_name = "FILE|-", value_parser = value::sink, help_heading = "What comes out")]
    json: Option<Sink>,

    #[arg(last = true, value_name = "ARG", action = ArgAction::Append)]
    #[arg(help = "Arguments after -- are passed to pytest or Maven")]
    runner_args: Vec<String>,
}

impl MergeArgs {
    pub fn hows(&self) -> Vec<How> {
        if self.how.is_empty() { How::DEFAULT.to_vec() } else { self.how.clone() }
    }

    pub fn max_statements(&self) -> usize {
        self.max_statements.unwrap_or(MAX_STATEMENTS)
    }

    pub fn n_mutants(&self) -> usize {
        self.mutants.unwrap_or(N_MUTANTS)
    }

    /// What it has in common with `minimize`: where tests run, and where results go.
    pub fn minimize(&self) -> MinimizeArgs {
        MinimizeArgs {
            python: self.python.clone(),
            sources: self.sources.clone(),
            classpath: self.classpath.clone(),
            test_sources: self.test_sources.clone(),
            jvm_arg: self.jvm_arg.clone(),
            javac_arg: self.javac_arg.clone(),
            java_home: self.java_home.clone(),
            timeout: self.timeout,
            memory: self.memory,
            jobs: self.jobs,
            budget: self.budget,
            seed: self.seed,
            resume: self.resume,
            apply: self.apply,
            patch: self.patch.clone(),
            json: self.json.clone(),
            runner_args: self.runner_args.clone(),
            ..MinimizeArgs::default()
        }
    }
}

fn hows() -> impl TypedValueParser<Value = How> {
    words(How::ALL, How::word)
}

pub fn help() -> String {
    format!("{EXAMPLES}\n\n{}", exit_code::help())
}

const EXAMPLES: &str = "\
Examples:
  What would become of the tests of a file
    paring merge tests/test_shop.py
  Tests that differ only in values become one with rows, in place
    paring merge tests --how parametrise --apply
  A JUnit class of a Maven project, as a patch
    paring merge com.acme.ShopTest --patch merge.patch
  How much the tests repeat each other, and which could go
    paring merge tests --report --html repeats.html
  For a program
    paring merge tests --json - | jq '.[] | select(.status == \"merged\") | .map'

Every assertion stays, with the same inputs to the same calls. The new tests pass alone and shuffled, run the lines that the old
ones ran, and catch the faults that they caught. A comment `paring: keep` leaves a test alone.";
