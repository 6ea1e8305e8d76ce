//! `paring evaluate CASES.jsonl`: minimises every case of a collection and has each result judged.
//!
//! The minimising is done by this very program, started anew for each case as a user would start it, so that its seconds
//! are a user's seconds. The judging is done by `judge.py` and `java.rs`, which know nothing of the engine: plain cold runs of
//! the original and of the result, by pytest or by javac and `JUnit`'s console launcher, on both versions. What came of a case is one line of
//! `results.jsonl`, written as soon as it is known; started again, the command goes on where it stopped.

mod java;
mod judge;
mod launch;
mod minimize;
mod progress;
mod store;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use paring_tasks::evaluate::{Case, Judged, tables};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Minimise a collection of failing tests and judge the results by cold runs, independently of the engine
#[derive(Clone, Debug, clap::Args)]
pub struct EvaluateArgs {
    /// The cases, one JSON object a line
    pub cases: Utf8PathBuf,

    /// Where results are kept, one line a case; what is already there is not done again
    #[arg(long, value_name = "DIR", default_value = ".paring/evaluate")]
    pub out_dir: Utf8PathBuf,

    /// Give paring the good version of each case
    #[arg(long)]
    pub good: bool,

    /// Cases done at once; more than one makes the seconds less exact
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,

    /// Only N cases, taken evenly from the collection
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,

    /// Only cases whose id contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,

    /// Seconds after which the minimising of one case is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub case_timeout: u64,

    /// Seconds after which one run of the judge is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub judge_timeout: u64,

    /// Evaluate another build of paring
    #[arg(long, value_name = "FILE")]
    pub paring: Option<Utf8PathBuf>,

    /// Throw kept results away if they are of another build or of other options
    #[arg(long)]
    pub restart: bool,

    /// Print the tables of what is kept and do nothing else
    #[arg(long)]
    pub tables: bool,

    /// Options for `paring minimize`
    #[arg(last = true, value_name = "OPTION")]
    pub minimize: Vec<String>,
}

/// Runs the cases that have no result yet, then prints the tables of all.
pub fn run(args: &EvaluateArgs) -> Result<()> {
    let cases = selected(args)?;
    let store = if args.tables {
        store::Store::read_only(&args.out_dir)
    } else {
        let program = program(args)?;
        let store = store::Store::open(&args.out_dir, &settings(args, &program)?, args.restart)?;
        evaluate(args, &program, &cases, &store)?;
        store
    };
    let wanted: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    let mut judged = store.judged()?;
    judged.retain(|judged| wanted.contains(judged.id.as_str()));
    let text = tables(&judged);
    store.keep_tables(&text)?;
    println!("{text}");
    Ok(())
}

fn evaluate(args: &EvaluateArgs, program: &Utf8Path, cases: &[Case], store: &store::Store) -> Result<()> {
    let done: BTreeSet<String> = store.judged()?.into_iter().map(|judged| judged.id).collect();
    let open: Vec<&Case> = cases.iter().filter(|case| !done.contains(&case.id)).collect();
    let judge = judge::Judge::new(Duration::from_secs(args.judge_timeout))?;
    let progress = progress::Progress::new(cases.len() - open.len(), cases.len());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            while let Some(case) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                let judged = one(args, program, &judge, store, case)?;
                store.keep(&judged)?;
                progress.tell(&judged);
            }
            Ok(())
        };
        let threads: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a worker of evaluate does not panic"))
    })
}

/// One case from its line to its judgement. What goes wrong with the case is part of that; `Err` is trouble of our own.
fn one(
    args: &EvaluateArgs,
    program: &Utf8Path,
    judge: &judge::Judge,
    store: &store::Store,
    case: &Case,
) -> Result<Judged> {
    let minimized = minimize::minimize(program, case, args)?;
    if let Some(document) = &minimized.document {
        store.keep_document(&case.id, document)?;
    }
    Ok(judge.judge(case, minimized))
}

fn program(args: &EvaluateArgs) -> Result<Utf8PathBuf> {
    if let Some(path) = &args.paring {
        return path.canonicalize_utf8().with_context(|| format!("failed to find {path}"));
    }
    let path = std::env::current_exe().context("failed to find the program itself")?;
    Utf8PathBuf::from_path_buf(path).map_err(|path| anyhow::anyhow!("{} is not UTF-8", path.display()))
}

/// What must be the same for kept results to count.
fn settings(args: &EvaluateArgs, program: &Utf8Path) -> Result<BTreeMap<&'static str, String>> {
    let content = std::fs::read(program).with_context(|| format!("failed to read {program}"))?;
    Ok(BTreeMap::from([
        ("good", args.good.to_string()),
        ("minimize", args.minimize.join(" ")),
        ("program", store::fingerprint(&content)),
    ]))
}

fn selected(args: &EvaluateArgs) -> Result<Vec<Case>> {
    let text =
        std::fs::read_to_string(&args.cases).with_context(|| format!("failed to read {}", args.cases))?;
    let mut cases = parse(&text).with_context(|| format!("failed to read the cases in {}", args.cases))?;
    if !args.only.is_empty() {
        cases.retain(|case| args.only.iter().any(|part| case.id.contains(part)));
    }
    if let Some(n) = args.sample {
        cases = sample(cases, n);
    }
    if cases.is_empty() {
        bail!("failed to find a case to evaluate in {}: no line, or none that --only names", args.cases);
    }
    Ok(cases)
}

fn parse(text: &str) -> Result<Vec<Case>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(idx, line)| serde_json::from_str(line).with_context(|| format!("line {}", idx + 1))).collect()
}

/// Evenly spread, so that every package keeps its share; the same for the same collection.
fn sample(cases: Vec<Case>, n: usize) -> Vec<Case> {
    let n_cases = cases.len();
    let n = n.min(n_cases);
    let taken: BTreeSet<usize> = (0..n).map(|idx| idx * n_cases / n).collect();
    cases.into_iter().enumerate().filter(|(idx, _)| taken.contains(idx)).map(|(_, case)| case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"id": "a", "target": "t.py::t", "cwd": "c", "python": "p", "unknown": 1}"#;

    #[test]
    fn a_case_needs_four_fields_and_may_have_more() {
        let cases = parse(&format!("{LINE}\n\n")).unwrap();
        assert_eq!((cases.len(), cases[0].id.as_str(), cases[0].has_good()), (1, "a", false));
    }

    #[test]
    fn a_broken_line_is_named() {
        let error = parse(&format!("{LINE}\n{{}}\n")).unwrap_err();
        assert_eq!(error.to_string(), "line 2");
    }

    #[test]
    fn a_sample_is_spread_over_the_collection() {
        let named = |id: usize| Case { id: id.to_string(), ..Case::default() };
        let ids =
            |n| sample((0..10).map(named).collect(), n).into_iter().map(|case| case.id).collect::<Vec<_>>();
        assert_eq!(ids(3), ["0", "3", "6"]);
        assert_eq!(ids(20).len(), 10);
        assert!(ids(0).is_empty());
    }
}
