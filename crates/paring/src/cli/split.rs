//! `paring split` on the command line.

use super::{MinimizeArgs, positive, words};
use crate::exit_code;
use crate::value::{self, Sink};
use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use clap::builder::TypedValueParser;
use clap::{ArgAction, Args};
use paring_engine::Budget;
use paring_model::{Listening, Watch};
use paring_tasks::split::{Grouping, SetUpStyle, Splitter};
use std::time::Duration;

/// How many faults are looked for where the user does not say.
const N_MUTANTS: usize = 10;
/// What new tests may take, as a multiple of the old one.
const MAX_COST: f64 = 2.0;

/// Split passing tests that check too much: one test for each scenario, each verified alone
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, as the command line has them")]
pub struct SplitArgs {
    #[arg(value_name = "TEST|PATH", required = true)]
    #[arg(help = "Tests to split, or files, classes and folders of which every test is tried")]
    pub targets: Vec<String>,

    /// One test for each assertion, also where several need the same statements
    #[arg(long, help_heading = "How it splits")]
    each_assertion: bool,
    /// Leave out calls that no assertion depends on: that they raise nothing is no longer checked
    #[arg(long, help_heading = "How it splits")]
    pub drop_unasserted: bool,
    /// Who sees which files native code and child processes touch: strace, inotify, scan; off for nobody [default: auto]
    #[arg(long, value_name = "NAME", value_parser = watchers(), help_heading = "How it splits")]
    watch: Option<Watch>,
    /// A log that the system under test writes while the test runs; [[tool.paring.log]] says what its messages mean
    #[arg(long, value_name = "FILE", help_heading = "How it splits")]
    log: Vec<Utf8PathBuf>,
    /// Run the test once, for what it and its logs tell, and the new tests not at all: the result says so
    #[arg(long, help_heading = "How it splits")]
    pub no_verify: bool,
    /// Where set-up goes that the new tests begin with: inline copies it, fixture moves it into a fixture or set-up, auto does so where the
    /// file has such set-up already [default: auto]
    #[arg(long, value_name = "WHERE", value_parser = set_up_styles(), help_heading = "How it splits")]
    setup: Option<SetUpStyle>,
    /// How many times as long as the old test the new ones may take together, where it takes 0.2 s or more: those that share most
    /// stay together [default: 2]
    #[arg(long, value_name = "R", value_parser = value::ratio, help_heading = "How it splits")]
    max_cost: Option<f64>,
    /// Faults put into the code under test, at most half a minute long: those that the original catches, the new tests must
    /// catch; 0 for none [default: 10]
    #[arg(long, value_name = "N", help_heading = "How it splits")]
    mutants: Option<usize>,
    /// How statements are found; all but auto are there to compare with [default: auto]
    #[arg(long, value_name = "NAME", value_parser = splitters(), help_heading = "How it splits")]
    strategy: Option<Splitter>,
    /// Seed of the order in which the new tests run shuffled [default: 0]
    #[arg(long, value_name = "N", help_heading = "How it splits")]
    seed: Option<u64>,
    /// Stop after so long or so many runs for one test: 30s, 2m, 200runs
    #[arg(long, value_name = "SECONDS|RUNS", value_parser = value::budget, help_heading = "How it splits")]
    budget: Option<Budget>,
    /// Continue an earlier run of the same command that was stopped
    #[arg(long, help_heading = "How it splits")]
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

    /// Rewrite nothing: say which tests check too much, how many scenarios each holds, and what splitting would cost; --report=FILE writes
    /// a page, too
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, help_heading = "What comes out")]
    #[expect(clippy::option_option, reason = "no report, one without a page, one with a page")]
    pub report: Option<Option<Utf8PathBuf>>,
    /// With --report: trace each test, rather than run the suite once
    #[arg(long, requires = "report", help_heading = "What comes out")]
    pub exact: bool,
    /// Say of every statement why it is in its test
    #[arg(long, help_heading = "What comes out")]
    explain: bool,
    /// Rewrite the tests in their files
    #[arg(long, help_heading = "What comes out")]
    apply: bool,
    /// Write a unified diff that `git apply` takes; - is standard output
    #[arg(long, value_name = "FILE|-", value_parser = value::sink, help_heading = "What comes out")]
    patch: Option<Sink>,
    /// Write the rewritten files into this folder, under their paths
    #[arg(long, value_name = "DIR", help_heading = "What comes out")]
    pub out: Option<Utf8PathBuf>,
    /// Write the result as JSON (schema paring.split/1); - is standard output
    #[arg(long, value_name = "FILE|-", value_parser = value::sink, help_heading = "What comes out")]
    json: Option<Sink>,

    #[arg(last = true, value_name = "ARG", action = ArgAction::Append)]
    #[arg(help = "Arguments after -- are passed to pytest or Maven")]
    runner_args: Vec<String>,
}

impl SplitArgs {
    pub fn grouping(&self) -> Grouping {
        if self.each_assertion { Grouping::EachCheck } else { Grouping::Scenarios }
    }

    pub fn strategy(&self) -> Splitter {
        self.strategy.unwrap_or_default()
    }

    pub fn set_up(&self) -> SetUpStyle {
        self.setup.unwrap_or_default()
    }

    pub fn max_cost(&self) -> f64 {
        self.max_cost.unwrap_or(MAX_COST)
    }

    pub fn n_mutants(&self) -> usize {
        self.mutants.unwrap_or(N_MUTANTS)
    }

    /// What traced runs heed beside the test. The templates of logs are there already.
    pub fn listen(&self, cwd: &Utf8Path, listening: &mut Listening) -> Result<()> {
        listening.watch = self.watch.unwrap_or(Watch::Auto);
        listening.logs = self.log.iter().map(|log| cwd.join(log)).collect();
        if !self.log.is_empty() && listening.templates.is_empty() {
            anyhow::bail!(
                "--log needs to know what messages mean: add [[tool.paring.log]] tables to pyproject.toml, as docs/split.md has them"
            );
        }
        Ok(())
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
            explain: self.explain.then_some(true),
            apply: self.apply,
            patch: self.patch.clone(),
            json: self.json.clone(),
            runner_args: self.runner_args.clone(),
            ..MinimizeArgs::default()
        }
    }
}

fn watchers() -> impl TypedValueParser<Value = Watch> {
    words(Watch::ALL, Watch::word)
}

fn splitters() -> impl TypedValueParser<Value = Splitter> {
    words(Splitter::ALL, Splitter::word)
}

fn set_up_styles() -> impl TypedValueParser<Value = SetUpStyle> {
    words(SetUpStyle::ALL, SetUpStyle::word)
}

pub fn help() -> String {
    format!("{EXAMPLES}\n\n{}", exit_code::help())
}

const EXAMPLES: &str = "\
Examples:
  What would become of a test that checks too much
    paring split tests/test_shop.py::test_shop
  Every test of a file, rewritten in place
    paring split tests/test_shop.py --apply
  A JUnit test of a Maven project, as a patch
    paring split com.acme.ShopTest#shop --patch split.patch
  Which tests of a suite check too much, as a page
    paring split tests --report=report.html
  Why each statement stands in each new test
    paring split tests/test_shop.py::test_shop --explain
  For a program
    paring split tests --json - | jq '.[] | select(.status == \"split\") | .tests'

Each new test passes alone, shuffled, and in a fresh process. Every assertion stands in exactly one of them, and every call
that the original made stands in at least one.";
