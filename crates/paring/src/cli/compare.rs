//! `paring compare` on the command line: the options of `minimize` that make sense for it.

use super::{MinimizeArgs, command, strategies};
use clap::Args;
use clap::error::ErrorKind;
use paring_engine::Strategy;

/// Run every strategy on failing tests, and print what each makes of them side by side
#[derive(Clone, Debug, Args)]
// What writes a result makes no sense of several.
#[command(mut_args(hide_what_writes))]
pub struct CompareArgs {
    /// The strategies to compare [default: all that the language has]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = strategies())]
    strategies: Vec<Strategy>,
    #[command(flatten)]
    pub minimize: MinimizeArgs,
}

type IsGiven = fn(&MinimizeArgs) -> bool;

/// Options of `minimize` that `compare` has no use for, and whether one is given.
const NOT_TO_COMPARE: [(&str, IsGiven); 10] = [
    ("strategy", |args| args.strategy.is_some()),
    ("literals", |args| args.literals.is_some()),
    ("bold", |args| args.bold.is_some()),
    ("explain", |args| args.explain.is_some()),
    ("group", |args| args.group),
    ("out", |args| args.out.is_some()),
    ("apply", |args| args.apply),
    ("patch", |args| args.patch.is_some()),
    ("junit_out", |args| args.junit_out.is_some()),
    ("resume", |args| args.resume),
];

fn hide_what_writes(arg: clap::Arg) -> clap::Arg {
    let hidden = NOT_TO_COMPARE.iter().any(|(id, _)| arg.get_id() == id);
    arg.hide(hidden)
}

impl CompareArgs {
    pub fn check(&self) -> Result<(), (ErrorKind, String)> {
        let args = &self.minimize;
        if let Some((id, _)) = NOT_TO_COMPARE.iter().find(|(_, is_given)| is_given(args)) {
            let name = id.replace('_', "-");
            let message =
                format!("--{name} is for `paring minimize`: compare prints a table, and changes no file");
            return Err((ErrorKind::ArgumentConflict, message));
        }
        args.check()?;
        self.strategies.iter().try_for_each(|&strategy| command::check_strategy(args, strategy))
    }

    /// What to compare: of what is only known by its syntax, no slices.
    pub fn strategies(&self) -> Vec<Strategy> {
        let applies = |strategy: &Strategy| command::check_strategy(&self.minimize, *strategy).is_ok();
        if self.strategies.is_empty() {
            Strategy::ALL.into_iter().filter(applies).collect()
        } else {
            self.strategies.clone()
        }
    }
}

pub const COMPARE_HELP: &str = "\
Examples:
  Every strategy on one test; named strategies run as their papers have them, without the rules that keep a result valid
    paring compare tests/test_table.py::test_remove_row --good v1.4
  Two strategies on every failing test of a folder, for a program
    paring compare --failing tests --strategies auto,ddmin --json -

statements: of the pared test; search runs: executions to find it; all runs: with those of the original, on the good version
and of the last check in a fresh process; good: whether the pared test passes on the version that --good names.
Ends with 0 where every strategy has a result, changed or not, and else with the highest exit code of `paring minimize`.";
