//! `paring compare`: every strategy on the user's own tests, side by side.
//!
//! Each strategy has workers of its own, so that none finds them warmed up by the one before it.

use super::minimize::{Session, Writer, cache_folder, failed, targets};
use crate::clock::stop_on_signal;
use crate::exit_code;
use crate::log::Log;
use crate::options::{GoodChoice, Options};
use crate::output::Output;
use crate::value::Sink;
use crate::write::to_sink;
use anyhow::Result;
use camino::Utf8PathBuf;
use paring_engine::Strategy;
use paring_report::comparison::{Comparison, comparison_document, comparison_table, mean_table};

/// Runs the strategies on every target, and gives the exit code.
pub fn run(options: &Options, strategies: &[Strategy]) -> Result<i32> {
    let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
    let cache = cache_folder(&cwd);
    let output = Output::of_process(options);
    let stop = stop_on_signal();
    let finding = Session::new(options, stop.clone(), Log::of_process(), cache.clone(), cwd.clone());
    let mut comparisons: Vec<Comparison> = Vec::new();
    for target in targets::targets(&finding) {
        let id = match &target {
            Ok(target) => target.spec.id.clone(),
            Err((id, _)) => id.clone(),
        };
        let mut comparison = Comparison { target: id, outcomes: Vec::new() };
        for &strategy in strategies {
            if finding.stopped() {
                break;
            }
            // Statements are compared: literals, which a file may allow to change, are no part of any strategy.
            // Looking for a good version is no part of any strategy either.
            let good =
                options.good.given().map_or(GoodChoice::None, |good| GoodChoice::Given(good.to_owned()));
            let options = Options { strategy, literals: false, bold: false, good, ..options.clone() };
            comparison.outcomes.push(match &target {
                Ok(target) => {
                    let mut session =
                        Session::new(&options, stop.clone(), Log::of_process(), cache.clone(), cwd.clone());
                    session.pare(target, &Writer::new(&options, &cwd), &output)
                }
                Err((id, error)) => failed(id, &options, error.clone()),
            });
        }
        let gap = if comparisons.is_empty() { "" } else { "\n" };
        output.print(&format!("{gap}{}", comparison_table(&comparison)));
        comparisons.push(comparison);
        if let Some(sink @ Sink::File(_)) = &options.json {
            to_sink(sink, &text(&comparisons))?;
        }
    }
    if let Some(means) = mean_table(&comparisons) {
        output.print(&format!("\n{means}"));
    }
    if let Some(sink @ Sink::Stdout) = &options.json {
        to_sink(sink, &text(&comparisons))?;
    }
    let interrupted = finding.stopped().then_some(exit_code::INTERRUPTED);
    // A strategy that finds nothing smaller has been compared all the same.
    let codes = comparisons.iter().flat_map(|it| &it.outcomes).map(exit_code::of_outcome);
    let codes = codes.filter(|&code| code != exit_code::NOTHING_TO_DO);
    Ok(exit_code::combine(codes.chain(interrupted)))
}

fn text(comparisons: &[Comparison]) -> String {
    format!("{:#}\n", comparison_document(comparisons))
}
