//! `paring purify` on the command line: the options of `minimize` that make sense for it.

use super::MinimizeArgs;
use crate::exit_code;
use clap::Args;
use clap::error::ErrorKind;

/// Take failing tests apart: one pared test for each assertion that fails, those behind the first too
#[derive(Clone, Debug, Args)]
// A program in any language has no assertions that are known as such.
#[command(mut_args(hide_any_language))]
pub struct PurifyArgs {
    #[command(flatten)]
    pub minimize: MinimizeArgs,
}

const ANY_LANGUAGE: [&str; 3] = ["command", "lang", "pattern"];

fn hide_any_language(arg: clap::Arg) -> clap::Arg {
    let hidden = ANY_LANGUAGE.iter().any(|id| arg.get_id() == id);
    arg.hide(hidden)
}

impl PurifyArgs {
    pub fn check(&self) -> Result<(), (ErrorKind, String)> {
        if self.minimize.command.is_some() {
            let message = "--command is for `paring minimize`: purify needs a test whose assertions it knows";
            return Err((ErrorKind::ArgumentConflict, message.to_owned()));
        }
        self.minimize.check()
    }
}

pub fn help() -> String {
    format!("{EXAMPLES}\n\n{}", exit_code::help())
}

const EXAMPLES: &str = "\
Examples:
  What else is wrong behind the first assertion that fails
    paring purify tests/test_table.py::test_remove_row
  Put the purified tests in the place of the test, as test_remove_row_1, test_remove_row_2 and so on
    paring purify tests/test_table.py::test_remove_row --apply
  Every failing test of a folder, for a program: one object per assertion that fails, with its line and text
    paring purify --failing tests --json results.json
  A JUnit test of a Maven project, from the project's folder
    paring purify com.acme.CartTest#removesRow

An assertion that is not the one a purified test is about is turned off: its arguments still run, and its verdict does not
count. It goes where slicing shows that nothing needs it. Assertions that hold give no test. Where an exception ends the test that
no assertion waits for, there is a test for the statement that broke.";

#[cfg(test)]
mod tests {
    use crate::cli::Cli;
    use crate::exit_code;

    #[test]
    fn options_are_those_of_minimize_but_for_any_language() {
        let parsed = |args: &[&str]| Cli::from_args(["paring", "purify"].iter().chain(args));
        assert!(parsed(&["a.py::b", "--apply", "--good", "v1", "--json", "-"]).is_ok());
        for (args, said) in [
            (&["--command", "false", "a.py"][..], "--command is for `paring minimize`"),
            (&[], "no test to pare"),
            (&["--lang", "c", "a.c"], "--lang goes with --command"),
        ] {
            let error = parsed(args).unwrap_err();
            assert_eq!(error.exit_code(), exit_code::USAGE, "{args:?}");
            assert!(error.to_string().contains(said), "{error}");
        }
    }
}
