//! Starts paring.

mod cli;
mod clock;
mod code;
mod command;
mod config;
mod exit_code;
mod finding;
mod github;
mod good;
mod journal;
mod language;
mod log;
mod options;
mod output;
mod project_files;
mod registry;
mod target;
mod template;
mod value;
mod write;

use anyhow::Result;
use camino::Utf8PathBuf;
use cli::{Cli, Command};

fn main() {
    let code = start(Cli::of_process()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        match error.downcast_ref::<config::ConfigError>() {
            Some(_) => exit_code::USAGE,
            None => exit_code::FAILED,
        }
    });
    std::process::exit(code);
}

fn start(cli: Cli) -> Result<i32> {
    match cli.command {
        Command::Minimize(args) => {
            let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
            let options = options::Options::merge(*args, &cli.global, config::load(&cwd)?);
            command::minimize::run(&options, command::minimize::Job::Minimize)
        }
        Command::Purify(args) => {
            let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
            let options = options::Options::merge(args.minimize, &cli.global, config::load(&cwd)?);
            command::minimize::run(&options, command::minimize::Job::Purify)
        }
        Command::Split(args) => {
            let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
            let mut options = options::Options::merge(args.minimize(), &cli.global, config::load(&cwd)?);
            args.listen(&cwd, &mut options.listening)?;
            command::split::run(&options, &args)
        }
        Command::Merge(args) => {
            let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
            let options = options::Options::merge(args.minimize(), &cli.global, config::load(&cwd)?);
            command::merge::run(&options, &args)
        }
        Command::Compare(args) => {
            let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
            let strategies = args.strategies();
            let options = options::Options::merge(args.minimize, &cli.global, config::load(&cwd)?);
            command::compare::run(&options, &strategies)
        }
        Command::Localize(args) => {
            let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
            let options = options::Options::merge(args.minimize(), &cli.global, config::load(&cwd)?);
            command::localize::run(&options, &args)
        }
        Command::Evaluate(args) => command::evaluate::run(&args).map(|()| exit_code::DONE),
        Command::Doctor(args) => {
            let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
            let options = options::Options::merge(args.minimize(), &cli.global, config::load(&cwd)?);
            Ok(command::doctor::run(&options, &cwd))
        }
        Command::Completions(args) => {
            command::completions::run(&args);
            Ok(exit_code::DONE)
        }
        Command::Man(args) => command::completions::man(&args).map(|()| exit_code::DONE),
        Command::Analyze(args) => command::analyze::run(&args).map(|()| exit_code::DONE),
    }
}
