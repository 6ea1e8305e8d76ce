//! `paring split --report`: which tests check too much, and what splitting them would give. Nothing is rewritten.

use crate::cli::SplitArgs;
use crate::clock::WallClock;
use crate::command::minimize::{Session, read};
use crate::exit_code;
use crate::language::ToldTest;
use crate::output::Output;
use crate::target::{self, Target};
use crate::write::{self, to_sink};
use anyhow::{Context, Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use paring_engine::{Budget, Ports};
use paring_model::{NoJournal, NoRunner, Observation, Unit};
use paring_report::{Eager, eager_document, eager_page, eager_text};
use paring_tasks::split::{Estimate, Request, Told, checks_much, estimate};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Reports on all tests of the targets, and gives the exit code.
pub fn run(
    session: &mut Session<'_>,
    args: &SplitArgs,
    output: &Output,
    page: Option<&Utf8Path>,
) -> Result<i32> {
    let mut report =
        Report { session, args, output, found: Vec::new(), n_tests: 0, n_not_passing: 0, seconds: 0.0 };
    let paths = args.targets.clone();
    let language = report.session.languages().of_paths(&paths);
    let told = language.tell_all(&paths).map_err(|error| anyhow!("{error}\nnext: {}", error.help))?;
    let told = told.into_iter().filter(|test| language.names_a_test(&test.id)).collect();
    report.suite(told)?;
    report.finish(page)
}

struct Report<'a, 's> {
    session: &'a mut Session<'s>,
    args: &'a SplitArgs,
    output: &'a Output,
    found: Vec<Estimate>,
    n_tests: usize,
    n_not_passing: usize,
    seconds: f64,
}

impl Report<'_, '_> {
    fn suite(&mut self, told: Vec<ToldTest>) -> Result<()> {
        let mut cases: BTreeMap<String, Vec<ToldTest>> = BTreeMap::new();
        let mut order: Vec<String> = Vec::new();
        for test in told {
            let name = test.id.split_once('[').map_or(test.id.as_str(), |(name, _)| name).to_owned();
            if !cases.contains_key(&name) {
                order.push(name.clone());
            }
            cases.entry(name).or_default().push(test);
        }
        self.n_tests = order.len();
        let mut texts: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
        for name in order {
            let cases = &cases[&name];
            self.seconds += cases.iter().map(|case| case.seconds).sum::<f64>();
            if cases.iter().any(|case| case.observation != Observation::Passed) {
                self.n_not_passing += 1;
                continue;
            }
            let language = self.session.languages().of_target(&name);
            let Ok(target) = target::find(language, &name, &[]) else { continue };
            let text = texts.entry(target.file.clone()).or_insert_with(|| read(&target).unwrap_or_default());
            let text = text.clone();
            if checks_much(target.language.frontend(), &target.file, &text, &target.spec) {
                let estimate = self.estimate(&target, &text, &cases[0])?;
                self.found.push(estimate);
            }
        }
        Ok(())
    }

    fn estimate(&mut self, target: &Target, source: &str, case: &ToldTest) -> Result<Estimate> {
        let clock = WallClock::start(self.session.stop());
        let language = Rc::clone(&target.language);
        let short_path = language.short_path(&target.file);
        let (args, options) = (self.args, self.session.options);
        let told = |unit: &Unit| {
            let (facts, seconds) = (case.told)(unit);
            Told { facts, seconds, total: case.seconds }
        };
        let job = |ports: Ports<'_>, is_exact: bool| {
            estimate(
                &Request {
                    ports,
                    frontend: language.frontend(),
                    target: &target.spec,
                    path: &target.file,
                    short_path: &short_path,
                    source,
                    hints: language.hints(),
                    grouping: args.grouping(),
                    strategy: args.strategy(),
                    drop_unasserted: args.drop_unasserted,
                    set_up: args.set_up(),
                    max_cost: args.max_cost(),
                    n_mutants: 0,
                    watch: options.listening.watch,
                    verifies: false,
                    timeout: options.timeout,
                    seed: options.seed,
                },
                &told,
                is_exact,
            )
        };
        if args.exact {
            let done =
                self.session.at_work(target, source, &clock, self.output, |ports| (job(ports, true), true));
            return done
                .map(|(estimate, _)| estimate)
                .map_err(|error| anyhow!("{}\nnext: {}", error.message, error.help));
        }
        let ports = Ports {
            runner: &NoRunner,
            recorder: None,
            clock: &clock,
            journal: &NoJournal,
            tell: &|_| {},
            budget: Budget::default(),
        };
        Ok(job(ports, false))
    }

    fn finish(&self, page: Option<&Utf8Path>) -> Result<i32> {
        let eager = Eager {
            estimates: &self.found,
            n_tests: self.n_tests,
            n_not_passing: self.n_not_passing,
            is_exact: self.args.exact,
            seconds: self.seconds,
        };
        self.output.print(&eager_text(eager));
        if let Some(sink) = &self.session.options.json {
            to_sink(sink, &eager_document(eager))?;
        }
        if let Some(page) = page {
            let to = self.session.cwd().join(page);
            write::file(&to, eager_page(eager).as_bytes())
                .with_context(|| format!("failed to write {to}"))?;
        }
        let has_several = self.found.iter().any(Estimate::is_several);
        Ok(if has_several { exit_code::DONE } else { exit_code::NOTHING_TO_DO })
    }
}
