//! How to speak to whoever reads: a person at a terminal, a program, an agent, a CI system.
//!
//! | standard output | environment | `--color` | text |
//! |---|---|---|---|
//! | any | `AI_AGENT`, `AGENT` or `CLAUDECODE` | any | terse |
//! | any | | `always` | full, in colour |
//! | any | `CLICOLOR_FORCE`, no `NO_COLOR` | `auto` | full, in colour |
//! | no terminal | | `auto`, `never` | terse |
//! | terminal | `NO_COLOR` or `TERM=dumb` | `auto` | full, without colour |
//! | terminal | | `never` | full, without colour |
//! | terminal | | `auto` | full, in colour |

use crate::github::GitHub;
use crate::options::Options;
use crate::value::{ColorWhen, Sink};
use paring_report::{Progress, Style, render, width};
use paring_tasks::{Outcome, Status};
use std::io::{IsTerminal, Write};

/// Where the text of an outcome goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    Stdout,
    /// Standard output carries something else.
    Stderr,
    /// Nobody asked for text.
    Nowhere,
}

/// The way of speaking, decided once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub style: Style,
    pub channel: Channel,
    /// Show progress, where standard error is a terminal.
    pub progress: bool,
    /// Set on GitHub Actions.
    pub github: Option<GitHub>,
}

impl Output {
    /// For this process.
    pub fn of_process(options: &Options) -> Self {
        Self::decide(options, std::io::stdout().is_terminal(), &|name| std::env::var(name).ok())
    }

    fn decide(options: &Options, terminal: bool, env: &dyn Fn(&str) -> Option<String>) -> Self {
        let is_set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
        let agent = ["AI_AGENT", "AGENT", "CLAUDECODE"].into_iter().any(is_set);
        let forced = is_set("CLICOLOR_FORCE") && env("CLICOLOR_FORCE").as_deref() != Some("0");
        let plain = is_set("NO_COLOR") || (env("TERM").as_deref() == Some("dumb") && !forced);
        let color = match options.color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => !plain && (forced || terminal),
        };
        let terse = agent || !(terminal || color);
        let columns =
            env("COLUMNS").and_then(|columns| columns.parse().ok()).filter(|&columns: &usize| columns > 0);
        let width = columns.or_else(width::of_terminal).unwrap_or(width::DEFAULT);
        Self {
            style: Style { color: color && !terse, terse, explain: options.explain, width },
            channel: channel(options),
            progress: !options.quiet && !agent,
            github: GitHub::of_environment(env),
        }
    }

    /// The line of progress for this way of speaking.
    pub fn progress(&self) -> Progress {
        Progress::stderr(self.progress)
    }

    /// Prints one outcome, with a blank line before it where it is not the first, and tells the CI system where there is one.
    pub fn report(&self, outcome: &Outcome, outcome_idx: usize) {
        let channel = match (self.channel, outcome.status) {
            (Channel::Nowhere, Status::Error) => Channel::Stderr,
            (channel, _) => channel,
        };
        let gap = if outcome_idx > 0 { "\n" } else { "" };
        print(channel, self.style.color, &format!("{gap}{}", render(outcome, self.style)));
        self.tell_ci(outcome);
    }

    /// Tells the CI system of an outcome, where there is one.
    pub fn tell_ci(&self, outcome: &Outcome) {
        if let Some(github) = &self.github {
            // Standard error, which the runner reads as well: standard output may carry JSON.
            print(Channel::Stderr, false, &github.annotation(outcome));
            github.summarise(outcome);
        }
    }

    /// Prints a text that is no outcome.
    pub fn print(&self, text: &str) {
        print(self.channel, self.style.color, text);
    }
}

fn channel(options: &Options) -> Channel {
    if options.quiet || options.json == Some(Sink::Stdout) {
        Channel::Nowhere
    } else if options.patch == Some(Sink::Stdout) {
        Channel::Stderr
    } else {
        Channel::Stdout
    }
}

/// A reader that has gone away (`| head`) is no error.
fn print(channel: Channel, color: bool, text: &str) {
    let choice = if color { anstream::ColorChoice::AlwaysAnsi } else { anstream::ColorChoice::Never };
    let _ = match channel {
        Channel::Stdout => {
            let mut stdout = anstream::AutoStream::new(std::io::stdout().lock(), choice);
            stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
        }
        Channel::Stderr => {
            anstream::AutoStream::new(std::io::stderr().lock(), choice).write_all(text.as_bytes())
        }
        Channel::Nowhere => Ok(()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{GlobalArgs, MinimizeArgs};
    use crate::config::Config;

    fn options(color: ColorWhen) -> Options {
        let global = GlobalArgs { quiet: None, color: Some(color) };
        Options::merge(MinimizeArgs::default(), &global, Config::default())
    }

    fn decide(options: &Options, terminal: bool, env: &[(&str, &str)]) -> Output {
        Output::decide(options, terminal, &|name| {
            env.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_table_holds() {
        use ColorWhen::{Always, Auto, Never};
        let (full, coloured, terse) = ("full", "coloured", "terse");
        for (color, terminal, env, expected) in [
            (Auto, true, &[][..], coloured),
            (Auto, false, &[], terse),
            (Never, true, &[], full),
            (Never, false, &[], terse),
            (Always, false, &[], coloured),
            (Always, true, &[("NO_COLOR", "1")], coloured),
            (Auto, true, &[("NO_COLOR", "1")], full),
            (Auto, true, &[("NO_COLOR", "")], coloured),
            (Auto, true, &[("TERM", "dumb")], full),
            (Auto, false, &[("CLICOLOR_FORCE", "1")], coloured),
            (Auto, false, &[("CLICOLOR_FORCE", "0")], terse),
            (Auto, false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], terse),
            (Auto, true, &[("AI_AGENT", "1")], terse),
            (Auto, true, &[("AGENT", "x")], terse),
            (Auto, true, &[("CLAUDECODE", "1")], terse),
            (Auto, true, &[("CLAUDECODE", "")], coloured),
            (Always, true, &[("AI_AGENT", "1")], terse),
        ] {
            let style = decide(&options(color), terminal, env).style;
            let found = match (style.terse, style.color) {
                (true, false) => terse,
                (false, true) => coloured,
                (false, false) => full,
                (true, true) => "terse and coloured",
            };
            assert_eq!(found, expected, "{color:?} {terminal} {env:?}");
        }
    }

    #[test]
    fn standard_output_carries_one_thing() {
        let mut options = options(ColorWhen::Auto);
        assert_eq!(channel(&options), Channel::Stdout);
        options.patch = Some(Sink::Stdout);
        assert_eq!(channel(&options), Channel::Stderr);
        options.json = Some(Sink::Stdout);
        assert_eq!(channel(&options), Channel::Nowhere);
        options.json = Some(Sink::File("x.json".into()));
        options.quiet = true;
        assert_eq!(channel(&options), Channel::Nowhere);
    }

    #[test]
    fn agents_and_the_quiet_see_no_progress() {
        let mut options = options(ColorWhen::Auto);
        assert!(decide(&options, true, &[]).progress);
        assert!(!decide(&options, true, &[("AGENT", "1")]).progress);
        options.quiet = true;
        assert!(!decide(&options, true, &[]).progress);
    }

    #[test]
    fn columns_say_the_width() {
        assert_eq!(decide(&options(ColorWhen::Auto), true, &[("COLUMNS", "123")]).style.width, 123);
    }
}
