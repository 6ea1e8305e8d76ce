//! `paring doctor` on the command line.

use super::MinimizeArgs;
use camino::Utf8PathBuf;
use clap::{ArgAction, Args};

/// Check what paring needs here: interpreter, pytest, plugins, JDK, Maven, cache
#[derive(Clone, Debug, Args)]
pub struct DoctorArgs {
    /// The Python interpreter of the project [default: that of the active environment, then of .venv, then python3]
    #[arg(long, value_name = "FILE")]
    python: Option<Utf8PathBuf>,
    #[arg(help = "The JDK [default: that of JAVA_HOME, then that of java on the PATH]")]
    #[arg(long, value_name = "DIR")]
    java_home: Option<Utf8PathBuf>,
    /// The class path that Java tests run on [default: from Maven]
    #[arg(long, value_name = "CP")]
    classpath: Option<String>,
    #[arg(last = true, value_name = "ARG", action = ArgAction::Append)]
    #[arg(help = "Arguments after -- are passed to pytest or Maven")]
    runner_args: Vec<String>,
}

impl DoctorArgs {
    /// What it has in common with `minimize`.
    pub fn minimize(&self) -> MinimizeArgs {
        MinimizeArgs {
            python: self.python.clone(),
            java_home: self.java_home.clone(),
            classpath: self.classpath.clone(),
            runner_args: self.runner_args.clone(),
            ..MinimizeArgs::default()
        }
    }
}

pub const EXAMPLES: &str = "\
Examples:
  What works in this folder
    paring doctor
  The same with another interpreter
    paring doctor --python ../other/.venv

It collects the tests, and runs none. It ends with 0 where tests can be pared here, and with 7 where something is broken.";
