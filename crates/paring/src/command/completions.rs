//! `paring completions` and the hidden `paring man`: what shells and readers of manuals know of the command line.

use crate::cli::Cli;
use anyhow::{Context, Result};
use camino::Utf8PathBuf;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// Print a completion script for your shell
#[derive(Clone, Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Write the manual pages into a folder
#[derive(Clone, Debug, clap::Args)]
pub struct ManArgs {
    /// The folder
    pub folder: Utf8PathBuf,
}

pub fn run(args: &CompletionsArgs) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "paring", &mut script);
    // A reader that has gone away (`| head`) is no error.
    let _ = std::io::stdout().write_all(&script);
}

/// A page for the program and one for each command that is not hidden.
pub fn man(args: &ManArgs) -> Result<()> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder).with_context(|| format!("failed to make {folder}"))?;
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("failed to write into {folder}"))?;
    Ok(())
}
