//! The command line: every option, its help, and what cannot be asked for together.
//!
//! An option that can also be set in a configuration file has no default here: `options.rs` puts flags, file and defaults
//! together.

mod command;
mod compare;
mod doctor;
mod examples;
mod localize;
mod merge;
mod purify;
mod split;

pub use command::lang_of;
pub use compare::CompareArgs;
pub use doctor::DoctorArgs;
pub use localize::LocalizeArgs;
pub use merge::MergeArgs;
pub use purify::PurifyArgs;
pub use split::SplitArgs;

use crate::command::analyze::AnalyzeArgs;
use crate::command::completions::{CompletionsArgs, ManArgs};
use crate::command::evaluate::EvaluateArgs;
use crate::exit_code;
use crate::value::{self, ColorWhen, Sink};
use camino::{Utf8Path, Utf8PathBuf};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand};
use paring_engine::{Budget, Same, Strategy};
use paring_tree::Lang;
use std::ffi::OsString;
use std::time::Duration;

/// Pare a failing test to the smallest test that still fails the same way
#[derive(Clone, Debug, Parser)]
#[command(name = "paring", version, propagate_version = true, after_long_help = exit_code::help())]
#[command(arg_required_else_help = true, max_term_width = 110)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Clone, Debug, Args)]
pub struct GlobalArgs {
    /// Print only errors; the exit code and the files that you ask for say the rest
    #[arg(long, short, global = true, value_name = "BOOL")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub quiet: Option<bool>,
    /// When to use colours [default: auto]
    #[arg(long, global = true, value_name = "WHEN")]
    pub color: Option<ColorWhen>,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    #[command(visible_alias = "min", after_long_help = minimize_help())]
    Minimize(Box<MinimizeArgs>),
    #[command(after_long_help = purify::help())]
    Purify(Box<PurifyArgs>),
    #[command(after_long_help = split::help())]
    Split(Box<SplitArgs>),
    #[command(after_long_help = merge::help())]
    Merge(Box<MergeArgs>),
    #[command(after_long_help = compare::COMPARE_HELP)]
    Compare(Box<CompareArgs>),
    #[command(after_long_help = localize::LOCALIZE_HELP)]
    Localize(Box<LocalizeArgs>),
    #[command(after_long_help = examples::EVALUATE)]
    Evaluate(EvaluateArgs),
    #[command(after_long_help = doctor::EXAMPLES)]
    Doctor(DoctorArgs),
    Completions(CompletionsArgs),
    #[command(hide = true)]
    Man(ManArgs),
    #[command(hide = true)]
    Analyze(AnalyzeArgs),
}

/// Make failing tests smaller; no file is changed unless an option such as --apply or --out asks for it
#[derive(Clone, Debug, Default, Args)]
pub struct MinimizeArgs {
    #[arg(value_name = "TARGET")]
    #[arg(help = "Tests to pare: pytest ids (tests/test_a.py::TestB::test_c[3-x]), unittest ids \
                  (tests.test_a.TestB.test_c) or methods of JUnit classes (com.acme.CartTest#total)")]
    pub targets: Vec<String>,
    /// Run the tests in PATH, and pare every test that fails; can be repeated
    #[arg(long, value_name = "PATH", help_heading = "What to pare")]
    pub failing: Vec<Utf8PathBuf>,
    #[arg(long, value_name = "FILE|DIR", help_heading = "What to pare")]
    #[arg(help = "Pare every failure in JUnit reports, such as those of a CI run; can be repeated")]
    pub junit_xml: Vec<Utf8PathBuf>,
    /// Pare the failures of a run that `pytest --pare` has noted in FILE
    #[arg(long, value_name = "FILE", hide = true, help_heading = "What to pare")]
    pub ran: Option<Utf8PathBuf>,
    /// Run these tests before the target, in the same process; they are pared too
    #[arg(long, value_name = "TEST", num_args = 1.., help_heading = "What to pare")]
    pub after: Vec<String>,

    /// The Python interpreter of the project [default: that of the active environment, then of .venv, then python3]
    #[arg(long, value_name = "FILE", help_heading = "Where it runs")]
    pub python: Option<Utf8PathBuf>,
    #[arg(long, value_name = "REV|DIR|auto|none", help_heading = "Where it runs")]
    #[arg(
        help = "A version on which the test passes: a git revision, or a directory with the same project; auto looks for \
                  one among older commits, none does without [default: auto, in a git work tree]"
    )]
    pub good: Option<String>,
    /// What looking for that version may take [default: four runs in fresh processes]
    #[arg(long, value_name = "SECONDS", value_parser = value::duration, help_heading = "Where it runs")]
    pub good_budget: Option<Duration>,
    /// Set an environment variable for the good version, such as another PYTHONPATH; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = value::key_value, help_heading = "Where it runs")]
    pub good_env: Vec<(String, String)>,
    /// Time limit for one run of the test; a test that takes longer hangs [default: from the first runs]
    #[arg(long, value_name = "SECONDS", value_parser = value::duration, help_heading = "Where it runs")]
    pub timeout: Option<Duration>,
    /// Memory limit for one run of the test, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = value::memory, help_heading = "Where it runs")]
    pub memory: Option<u64>,
    /// Number of runs at the same time; it does not change the result [default: from the machine]
    #[arg(long, short, value_name = "N", value_parser = positive(), help_heading = "Where it runs")]
    pub jobs: Option<usize>,

    #[arg(long, value_name = "CP", help_heading = "Java projects")]
    #[arg(help = "Class path of the tests, with the test classes and JUnit [default: from Maven]")]
    pub classpath: Option<String>,
    /// Root folder of test sources; can be repeated [default: from Maven]
    #[arg(long, value_name = "DIR", help_heading = "Java projects")]
    pub test_sources: Vec<Utf8PathBuf>,
    /// Root folder of the sources under test; can be repeated
    #[arg(long, value_name = "DIR", help_heading = "Java projects")]
    pub sources: Vec<Utf8PathBuf>,
    /// A class path on which the test passes
    #[arg(long, value_name = "CP", help_heading = "Java projects")]
    pub good_classpath: Option<String>,
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Java projects")]
    #[arg(
        help = "Pass an argument to the JVM that runs the tests, such as -Duser.language=en; can be repeated"
    )]
    pub jvm_arg: Vec<String>,
    /// Pass an argument to javac, such as --release=11; can be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Java projects")]
    pub javac_arg: Vec<String>,
    #[arg(long, value_name = "DIR", help_heading = "Java projects")]
    #[arg(help = "The JDK [default: that of JAVA_HOME, then that of java on the PATH]")]
    pub java_home: Option<Utf8PathBuf>,

    #[arg(long, value_name = "CMD", help_heading = "Any language")]
    #[arg(
        help = "Reduce FILE, given as the target, to the smallest text on which this shell command still fails. It runs in a \
                  private copy of the folder, with the candidate in FILE's place; with {} in it, where you stand, and {} is \
                  the candidate's path"
    )]
    pub command: Option<String>,
    /// The language of FILE [default: from its name]
    #[arg(long, value_name = "LANG", value_parser = command::langs(), help_heading = "Any language")]
    pub lang: Option<Lang>,
    /// The output of a failing command must match this too, not only the exit code
    #[arg(long = "match", value_name = "REGEX", value_parser = value::pattern, help_heading = "Any language")]
    pub pattern: Option<String>,

    /// Search strategy; use auto, the others are there for comparison [default: auto]
    #[arg(long, value_name = "NAME", value_parser = strategies(), help_heading = "How it searches")]
    pub strategy: Option<Strategy>,
    /// How often the original runs first, to check that it always fails in the same way [default: 5]
    #[arg(long, value_name = "N", value_parser = positive(), help_heading = "How it searches")]
    pub baseline: Option<usize>,
    /// Which parts of the failure must stay the same [default: type,message,frames,statement]
    #[arg(long, value_name = "LIST", value_parser = value::same, help_heading = "How it searches")]
    pub same: Option<Same>,
    /// Accept a flaky test: one that does not always fail in the same way
    #[arg(long, value_name = "BOOL", help_heading = "How it searches")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub allow_flaky: Option<bool>,
    /// Make literals smaller too: strings, bytes, numbers, lists
    #[arg(long, value_name = "BOOL", help_heading = "How it searches")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub literals: Option<bool>,
    /// Without a good version: drop what is only kept by caution too; the result is then doubtful
    #[arg(long, value_name = "BOOL", help_heading = "How it searches")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub bold: Option<bool>,
    /// Stop after this time or this number of runs, with the best test so far: 30s, 2m, 200runs
    #[arg(long, value_name = "SECONDS|RUNS", value_parser = value::budget, help_heading = "How it searches")]
    pub budget: Option<Budget>,
    /// Time limit for all tests together: 60s, 10m
    #[arg(long, value_name = "SECONDS", value_parser = value::duration, help_heading = "How it searches")]
    pub total_time: Option<Duration>,
    /// Seed of the order in which tests are shuffled [default: 0]
    // `split` and `merge` shuffle; nothing here does, but one configuration and one set of flags serve all commands.
    #[arg(long, value_name = "N", hide = true, help_heading = "How it searches")]
    pub seed: Option<u64>,
    /// Continue an earlier run of the same command that was stopped
    #[arg(long, help_heading = "How it searches")]
    pub resume: bool,

    /// Explain why each line is kept
    #[arg(long, value_name = "BOOL", help_heading = "What comes out")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub explain: Option<bool>,
    /// Group tests that fail in the same way: the same failure, and the same pared test up to names and literals
    #[arg(long, help_heading = "What comes out")]
    pub group: bool,
    /// Write the pared test as a complete test file; into a folder, one file per test
    #[arg(long, value_name = "FILE|DIR", help_heading = "What comes out")]
    pub out: Option<Utf8PathBuf>,
    /// Rewrite the test in its file
    #[arg(long, help_heading = "What comes out")]
    pub apply: bool,
    /// Write a unified diff that `git apply` takes; - is standard output
    #[arg(long, value_name = "FILE|-", value_parser = value::sink, help_heading = "What comes out")]
    pub patch: Option<Sink>,
    /// Write the result as JSON (schema paring.result/1); - is standard output
    #[arg(long, value_name = "FILE|-", value_parser = value::sink, help_heading = "What comes out")]
    pub json: Option<Sink>,
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    #[arg(help = "Write a JUnit report with one test case per target")]
    pub junit_out: Option<Utf8PathBuf>,

    #[arg(last = true, value_name = "ARG", action = ArgAction::Append)]
    #[arg(help = "Arguments after -- are passed to pytest or Maven")]
    pub runner_args: Vec<String>,
}

impl Cli {
    /// The command line of this process. Ends it with a message where the arguments make no sense, or only ask for help.
    pub fn of_process() -> Self {
        Self::from_args(std::env::args_os()).unwrap_or_else(|error| error.exit())
    }

    /// Parses and checks.
    pub fn from_args(
        args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let cli = Self::try_parse_from(args)?;
        match &cli.command {
            Command::Minimize(args) => {
                args.check().map_err(|(kind, message)| usage("minimize", kind, message))?;
            }
            Command::Purify(args) => {
                args.check().map_err(|(kind, message)| usage("purify", kind, message))?;
            }
            Command::Compare(args) => {
                args.check().map_err(|(kind, message)| usage("compare", kind, message))?;
            }
            Command::Split(_)
            | Command::Merge(_)
            | Command::Localize(_)
            | Command::Evaluate(_)
            | Command::Doctor(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Analyze(_) => {}
        }
        Ok(cli)
    }
}

impl MinimizeArgs {
    /// What clap cannot tell: rules between several options.
    fn check(&self) -> Result<(), (ErrorKind, String)> {
        command::check(self)?;
        let is_named = !(self.targets.is_empty() && self.failing.is_empty() && self.junit_xml.is_empty());
        if !is_named && self.ran.is_none() {
            let mut message =
                "no test to pare: name one (tests/test_a.py::test_b, com.acme.CartTest#total), or use --failing PATH or --junit-xml \
                               FILE"
                    .to_owned();
            if !self.after.is_empty() {
                message.push_str("\n\n--after takes all that follows it: put the target first");
            }
            return Err((ErrorKind::MissingRequiredArgument, message));
        }
        if self.json == Some(Sink::Stdout) && self.patch == Some(Sink::Stdout) {
            let message =
                "--json - and --patch - would both write to standard output: give one of them a file";
            return Err((ErrorKind::ArgumentConflict, message.to_owned()));
        }
        if self.out.as_ref().is_some_and(|out| !names_a_folder(out)) && self.targets.len() > 1 {
            let message =
                "--out FILE takes one test, and several targets are named: name a folder (--out DIR/)";
            return Err((ErrorKind::ArgumentConflict, message.to_owned()));
        }
        if let Some(empty) = self.targets.iter().chain(&self.after).find(|target| target.trim().is_empty()) {
            return Err((ErrorKind::InvalidValue, format!("`{empty}` names no test")));
        }
        Ok(())
    }
}

/// Whether `--out` says that each test gets a file of its own there.
pub fn names_a_folder(out: &Utf8Path) -> bool {
    out.as_str().ends_with(['/', '\\']) || out.is_dir()
}

fn usage(subcommand: &str, kind: ErrorKind, message: String) -> clap::Error {
    let mut command = Cli::command();
    command.build();
    let command = command.find_subcommand_mut(subcommand).expect("the subcommand is declared above");
    command.error(kind, message)
}

fn positive() -> impl TypedValueParser<Value = usize> {
    clap::value_parser!(u32).range(1..).map(|n| n as usize)
}

/// One of several values, by its word.
fn words<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(word)).map(move |given| {
        let found = all.into_iter().find(|&value| word(value) == given);
        found.expect("only words of the list are let through")
    })
}

fn strategies() -> impl TypedValueParser<Value = Strategy> {
    PossibleValuesParser::new(Strategy::ALL.map(Strategy::word)).try_map(|word| value::strategy(&word))
}

fn minimize_help() -> String {
    format!("{}\n\n{}", examples::MINIMIZE, exit_code::help())
}

#[cfg(test)]
mod tests;
