//! What the user wants, all told: flags over the configuration file over the defaults.

use crate::cli::{GlobalArgs, MinimizeArgs};
use crate::config::Config;
use crate::value::{ColorWhen, Sink};
use camino::Utf8PathBuf;
use paring_engine::{Budget, Same, Strategy};
use paring_model::Listening;
use paring_tree::Lang;
use std::time::Duration;

/// Observations of the original where nobody says otherwise.
pub const DEFAULT_BASELINE: usize = 5;

/// Which version the test passes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoodChoice {
    /// One is looked for among older ones.
    Auto,
    /// None beside what variables and class paths make.
    None,
    /// A revision, or a folder.
    Given(String),
}

impl GoodChoice {
    fn of(given: Option<&str>, has_other: bool) -> Self {
        match given {
            Some("auto") => Self::Auto,
            Some("none") => Self::None,
            Some(given) => Self::Given(given.to_owned()),
            // What makes another version was said in another way.
            None if has_other => Self::None,
            None => Self::Auto,
        }
    }

    pub fn given(&self) -> Option<&str> {
        match self {
            Self::Given(given) => Some(given),
            Self::Auto | Self::None => None,
        }
    }
}

/// The options of `minimize`, resolved.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, as the command line has them")]
pub struct Options {
    pub targets: Vec<String>,
    pub failing: Vec<Utf8PathBuf>,
    pub junit_xml: Vec<Utf8PathBuf>,
    /// What `pytest --pare` noted of its run.
    pub ran: Option<Utf8PathBuf>,
    pub after: Vec<String>,
    /// `None`: find the project's.
    pub python: Option<Utf8PathBuf>,
    pub good: GoodChoice,
    /// What looking for a good version may take; `None`: from the first runs.
    pub good_budget: Option<Duration>,
    pub good_env: Vec<(String, String)>,
    /// `None`: from the build tool.
    pub classpath: Option<String>,
    pub test_sources: Vec<Utf8PathBuf>,
    pub sources: Vec<Utf8PathBuf>,
    pub good_classpath: Option<String>,
    pub jvm_args: Vec<String>,
    pub javac_args: Vec<String>,
    pub java_home: Option<Utf8PathBuf>,
    /// What tells whether a candidate fails, in the place of a test framework.
    pub command: Option<String>,
    /// `None`: from the file's name.
    pub lang: Option<Lang>,
    /// What the command's output must match.
    pub pattern: Option<String>,
    pub strategy: Strategy,
    pub n_baseline: usize,
    pub same: Same,
    pub allow_flaky: bool,
    /// Whether literals may change.
    pub literals: bool,
    /// Whether what only caution keeps may go.
    pub bold: bool,
    /// `None`: from the baseline.
    pub timeout: Option<Duration>,
    pub budget: Budget,
    /// For all targets together.
    pub total_time: Option<Duration>,
    /// `None`: from the machine.
    pub n_jobs: Option<usize>,
    pub seed: u64,
    pub explain: bool,
    pub group: bool,
    pub out: Option<Utf8PathBuf>,
    pub apply: bool,
    pub patch: Option<Sink>,
    pub json: Option<Sink>,
    pub junit_out: Option<Utf8PathBuf>,
    pub resume: bool,
    /// Bytes a run may take.
    pub memory: Option<u64>,
    pub quiet: bool,
    pub color: ColorWhen,
    /// What follows `--` is for whichever of the two the project uses.
    pub pytest_args: Vec<String>,
    pub maven_args: Vec<String>,
    /// What traced runs heed beside the test.
    pub listening: Listening,
}

impl Options {
    /// Puts flags, file and defaults together. Lists add up, the file's first, so that a flag can override a variable or an
    /// argument of pytest; of everything else the flag wins.
    pub fn merge(args: MinimizeArgs, global: &GlobalArgs, config: Config) -> Self {
        Self {
            targets: args.targets,
            failing: args.failing,
            junit_xml: args.junit_xml,
            ran: args.ran,
            after: args.after,
            python: args.python.or(config.python),
            good: GoodChoice::of(
                args.good.or(config.good).as_deref(),
                !config.good_env.is_empty()
                    || !args.good_env.is_empty()
                    || args.good_classpath.is_some()
                    || config.good_classpath.is_some(),
            ),
            good_budget: args.good_budget.or(config.good_budget),
            good_env: config.good_env.into_iter().chain(args.good_env).collect(),
            classpath: args.classpath.or(config.classpath),
            test_sources: given_or(args.test_sources, config.test_sources),
            sources: given_or(args.sources, config.sources),
            good_classpath: args.good_classpath.or(config.good_classpath),
            jvm_args: joined(config.jvm_args, &args.jvm_arg),
            javac_args: joined(config.javac_args, &args.javac_arg),
            java_home: args.java_home.or(config.java_home),
            command: args.command,
            lang: args.lang,
            pattern: args.pattern,
            strategy: args.strategy.or(config.strategy).unwrap_or(Strategy::Auto),
            n_baseline: args.baseline.or(config.baseline).unwrap_or(DEFAULT_BASELINE),
            same: args.same.or(config.same).unwrap_or_default(),
            allow_flaky: args.allow_flaky.or(config.allow_flaky).unwrap_or(false),
            literals: args.literals.or(config.literals).unwrap_or(false),
            bold: args.bold.or(config.bold).unwrap_or(false),
            timeout: args.timeout.or(config.timeout),
            budget: args.budget.or(config.budget).unwrap_or_default(),
            total_time: args.total_time,
            n_jobs: args.jobs.or(config.jobs),
            seed: args.seed.or(config.seed).unwrap_or(0),
            group: args.group,
            explain: args.explain.or(config.explain).unwrap_or(false),
            out: args.out,
            apply: args.apply,
            patch: args.patch,
            json: args.json,
            junit_out: args.junit_out,
            resume: args.resume,
            memory: args.memory.or(config.memory),
            quiet: global.quiet.or(config.quiet).unwrap_or(false),
            color: global.color.or(config.color).unwrap_or_default(),
            pytest_args: joined(config.pytest_args, &args.runner_args),
            maven_args: joined(config.maven_args, &args.runner_args),
            listening: Listening { templates: config.log, ..Listening::default() },
        }
    }

    /// How many workers run at once.
    pub fn n_jobs(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        self.n_jobs.unwrap_or_else(|| cores.clamp(1, 4))
    }
}

/// Folders are no list to add to: other ones given are given instead.
fn given_or(given: Vec<Utf8PathBuf>, config: Option<Vec<Utf8PathBuf>>) -> Vec<Utf8PathBuf> {
    if given.is_empty() { config.unwrap_or_default() } else { given }
}

fn joined(first: Option<Vec<String>>, then: &[String]) -> Vec<String> {
    first.into_iter().flatten().chain(then.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_GLOBAL: GlobalArgs = GlobalArgs { quiet: None, color: None };

    #[test]
    fn a_good_version_is_looked_for_unless_something_else_is_said() {
        let choice = |good: Option<&str>, env: bool| {
            let good_env = if env { vec![("A".to_owned(), "1".to_owned())] } else { Vec::new() };
            let args = MinimizeArgs { good: good.map(str::to_owned), good_env, ..MinimizeArgs::default() };
            Options::merge(args, &NO_GLOBAL, Config::default()).good
        };
        assert_eq!(choice(None, false), GoodChoice::Auto);
        assert_eq!(choice(Some("none"), false), GoodChoice::None);
        assert_eq!((choice(None, true), choice(Some("auto"), true)), (GoodChoice::None, GoodChoice::Auto));
        assert_eq!(choice(Some("v1"), true), GoodChoice::Given("v1".to_owned()));
    }

    #[test]
    fn nothing_said_gives_the_defaults() {
        let options = Options::merge(MinimizeArgs::default(), &NO_GLOBAL, Config::default());
        assert_eq!((options.strategy, options.n_baseline, options.seed), (Strategy::Auto, 5, 0));
        assert_eq!((options.same, options.budget), (Same::default(), Budget::default()));
        assert!(!options.explain && !options.quiet && !options.allow_flaky && !options.literals);
    }

    #[test]
    fn the_file_is_over_the_defaults_and_flags_are_over_the_file() {
        let config = Config {
            seed: Some(7),
            jobs: Some(3),
            explain: Some(true),
            quiet: Some(true),
            good_env: vec![("A".to_owned(), "file".to_owned())],
            pytest_args: Some(vec!["-x".to_owned()]),
            ..Config::default()
        };
        let args = MinimizeArgs {
            seed: Some(9),
            explain: Some(false),
            good_env: vec![("A".to_owned(), "flag".to_owned())],
            runner_args: vec!["-v".to_owned()],
            ..MinimizeArgs::default()
        };
        let options = Options::merge(args, &GlobalArgs { quiet: Some(false), color: None }, config);
        assert_eq!(
            (options.seed, options.n_jobs, options.explain, options.quiet),
            (9, Some(3), false, false)
        );
        assert_eq!(options.good_env.last().unwrap().1, "flag");
        assert_eq!(options.pytest_args, ["-x", "-v"]);
    }
}
