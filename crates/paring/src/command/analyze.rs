//! `paring analyze FILE::TEST`: parses and slices without running anything, and says what that cost.
//!
//! A diagnostic for contributors and for `make bench-scale`; hidden from the help.

use crate::registry::frontend_of;
use anyhow::{Context, Result, bail};
use paring_graph::{Level, dependence, slice};
use paring_model::{Facts, TargetSpec};
use std::time::Instant;

/// Parse and slice a test without running anything, and print what that cost
#[derive(Clone, Debug, clap::Args)]
pub struct AnalyzeArgs {
    /// The test, as `FILE::TEST`
    pub target: String,
    /// How often to do it; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub repeat: usize,
}

pub fn run(args: &AnalyzeArgs) -> Result<()> {
    let (path, _) = args.target.split_once("::").context("the target is FILE::TEST")?;
    let source = std::fs::read_to_string(path).with_context(|| format!("failed to read {path}"))?;
    let frontend = frontend_of(path.into()).context("the language of the file is not known")?;
    let spec = TargetSpec::new(args.target.clone());
    let mut best: Option<[f64; 3]> = None;
    let (mut n_statements, mut n_kept) = (0, 0);
    for _ in 0..args.repeat.max(1) {
        let started = Instant::now();
        let (unit, _) = frontend.parse(path.into(), &source, &spec);
        let parsed = started.elapsed();
        let Some(&last) = unit.test_body().last() else { bail!("{path} does not define the test") };
        let dependence = dependence(&unit, &Facts::default(), Level::Zero);
        let graphed = started.elapsed();
        let slice = slice(&unit, &dependence, &[last]);
        let sliced = started.elapsed();
        (n_statements, n_kept) = (unit.test_body().len(), slice.kept.len());
        let stages = [parsed, graphed.saturating_sub(parsed), sliced.saturating_sub(graphed)];
        let times = stages.map(|time| time.as_secs_f64() * 1e3);
        if best.is_none_or(|best| times.iter().sum::<f64>() < best.iter().sum::<f64>()) {
            best = Some(times);
        }
    }
    let [parse_ms, graph_ms, slice_ms] = best.expect("it ran at least once");
    let report = serde_json::json!({
        "statements": n_statements,
        "kept": n_kept,
        "parse_ms": parse_ms,
        "graph_ms": graph_ms,
        "slice_ms": slice_ms,
        "peak_rss_mb": peak_rss_mb(),
    });
    println!("{report}");
    Ok(())
}

/// The most memory this process has held, where the system tells.
fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
