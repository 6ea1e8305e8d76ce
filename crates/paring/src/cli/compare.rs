//! `paring compare` on the command line: the options of `minimize` that make sense for it.

use super::{MinimizeArgs, strategies};
use clap::Args;
use clap::error::ErrorKind;
use paring_engine::Strategy;

/// Run every strategy on failing tests, and print what each makes of them side by side
#[derive(Clone, Debug, Args)]
// What writes a result makes no sense of several.
#[command(mut_args(hide_what_writes))]
pub struct CompareArgs {
    /// The strategies to compare
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = strategies())]
    #[arg(default_values = Strategy::ALL.map(Strategy::word))]
    pub strategies: Vec<Strategy>,
    #[command(flatten)]
    pub minimize: MinimizeArgs,
}

/// Options of `minimize` that `compare` has no use for.
const NOT_TO_COMPARE: [&str; 7] = ["strategy", "explain", "out", "apply", "patch", "junit_out", "resume"];

fn hide_what_writes(arg: clap::Arg) -> clap::Arg {
    let hidden = NOT_TO_COMPARE.contains(&arg.get_id().as_str());
    arg.hide(hidden)
}

impl CompareArgs {
    pub fn check(&self) -> Result<(), (ErrorKind, String)> {
        let args = &self.minimize;
        let given = [
            ("--strategy", args.strategy.is_some()),
            ("--explain", args.explain.is_some()),
            ("--out", args.out.is_some()),
            ("--apply", args.apply),
            ("--patch", args.patch.is_some()),
            ("--junit-out", args.junit_out.is_some()),
            ("--resume", args.resume),
        ];
        if let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            let message =
                format!("{name} is for `paring minimize`: compare prints a table, and changes no file");
            return Err((ErrorKind::ArgumentConflict, message));
        }
        args.check()
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
