//! `--command` on the command line: what goes with it, and what does not.

use super::MinimizeArgs;
use crate::value;
use camino::Utf8Path;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use paring_engine::Strategy;
use paring_tree::Lang;

/// What clap cannot tell of `--command` and what goes with it.
pub fn check(args: &MinimizeArgs) -> Result<(), (ErrorKind, String)> {
    let conflict = |message: &str| Err((ErrorKind::ArgumentConflict, message.to_owned()));
    if args.command.is_none() {
        return match (args.lang, &args.pattern) {
            (None, None) => Ok(()),
            (Some(_), _) => conflict("--lang goes with --command"),
            (None, Some(_)) => conflict("--match goes with --command"),
        };
    }
    let whole = [!args.failing.is_empty(), !args.junit_xml.is_empty(), !args.after.is_empty()];
    if whole.contains(&true) {
        return conflict("--command takes a file, and no --failing, --junit-xml or --after");
    }
    if args.good.is_some() || !args.good_env.is_empty() || args.good_classpath.is_some() {
        return conflict("--command has no version that passes: let the command itself run both");
    }
    if args.same.is_some() {
        return conflict("with --command the exit code must be the same; --match says what else");
    }
    if args.literals == Some(true) {
        return conflict("--command knows syntax and no literals: --literals is for tests");
    }
    if args.bold == Some(true) {
        return conflict("--command keeps nothing by caution: --bold is for tests");
    }
    if args.targets.len() != 1 {
        return Err((ErrorKind::WrongNumberOfValues, "--command takes one file to reduce".to_owned()));
    }
    if args.lang.is_none() && lang_of(&args.targets[0]).is_none() {
        let message =
            format!("the language of {} is not known by its name: say it with --lang", args.targets[0]);
        return Err((ErrorKind::MissingRequiredArgument, message));
    }
    args.strategy.map_or(Ok(()), |strategy| check_strategy(args, strategy))
}

/// Whether the strategy has what it needs: slices are only known of `AutoTest`'s notation.
pub fn check_strategy(args: &MinimizeArgs, strategy: Strategy) -> Result<(), (ErrorKind, String)> {
    let lang = args.lang.or_else(|| args.targets.first().and_then(|file| lang_of(file)));
    let slices = matches!(strategy, Strategy::Ssmin | Strategy::Sdmin | Strategy::Fit);
    if args.command.is_some() && slices && lang != Some(Lang::Autotest) {
        let message = "--strategy ssmin, sdmin and fit need to know what each line reads and writes: with --command \
                       only --lang autotest does";
        return Err((ErrorKind::ArgumentConflict, message.to_owned()));
    }
    Ok(())
}

/// The language of a file, by its name.
pub fn lang_of(file: &str) -> Option<Lang> {
    Lang::of_extension(&Utf8Path::new(file).extension()?.to_ascii_lowercase())
}

pub fn langs() -> impl TypedValueParser<Value = Lang> {
    PossibleValuesParser::new(Lang::ALL.map(Lang::word)).try_map(|word| value::lang(&word))
}
