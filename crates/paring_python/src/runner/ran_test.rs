//! Every test of some paths, run once, for those who ask for all failures, or do not know which case fails.

use super::message::{FactReport, LineReport, Ran, Run};
use super::observation::{of_collection, of_item};
use super::project::Project;
use super::pytest_runner::bytecode;
use super::scratch::Scratch;
use super::side::{Settings, run_cold};
use super::sources;
use super::{error, fact_map};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Calls, Facts, Observation, RunnerError, Unit};
use paring_worker::{Launch, Patience};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A test that hangs is given up after this long.
pub const TEST_LIMIT_SECS: f64 = 300.0;
/// How often the suite is taken up again after a test that ended the process.
pub const RESTART_LIMIT: usize = 20;

/// A test that ran, and what it did.
#[derive(Clone, Debug, PartialEq)]
pub struct RanTest {
    pub nodeid: String,
    /// The file in which the test is collected.
    pub path: Utf8PathBuf,
    pub observation: Observation,
    /// Where they were asked for.
    pub calls: Option<Calls>,
}

/// A test that ran under a light tracer.
#[derive(Clone, Debug)]
pub struct ToldTest {
    pub ran: RanTest,
    /// Fixtures and set-up included.
    pub seconds: f64,
    report: Option<FactReport>,
}

impl ToldTest {
    /// What it did, as statements of its unit, and how long those of the test itself took, by their lines.
    pub fn told(&self, unit: &Unit) -> (Facts, BTreeMap<u32, f64>) {
        let Some(report) = &self.report else { return (Facts::default(), BTreeMap::new()) };
        let def = unit.test.and_then(|test| unit.routine(test).def);
        let first = def.map(|def| unit.line_of(unit.stmt(def).range.start));
        let is_own = |line: &&LineReport| report.frames.get(line.frame).map(|frame| frame.line) == first;
        let seconds = report.lines.iter().filter(is_own).map(|line| (line.line, line.seconds));
        (fact_map::facts(unit, report), seconds.collect())
    }
}

/// The id of a test by the file it is collected from: pytest's own is relative to its root folder, not to where it is
/// started.
pub fn test_id(cwd: &Utf8Path, nodeid: &str, path: &Utf8Path) -> String {
    let path = path.strip_prefix(cwd).unwrap_or(path);
    match nodeid.split_once("::") {
        Some((_, names)) => format!("{path}::{names}"),
        None => path.to_string(),
    }
}

/// Runs pytest on the paths (files, folders, node ids) and tells every test it ran. Files that cannot be collected are
/// told as a failed test named like the file.
pub fn list_failures(project: &Project, paths: &[String]) -> Result<Vec<RanTest>, RunnerError> {
    Ok(run_all(project, paths, None, false)?.into_iter().map(|told| told.ran).collect())
}

/// The same, with the production calls that each statement of a test makes. The folders of sources are those whose code counts as the
/// project's wherever it is.
pub fn list_calls(
    project: &Project,
    paths: &[String],
    code: &[Utf8PathBuf],
) -> Result<Vec<RanTest>, RunnerError> {
    let sources: Vec<String> = code.iter().map(|folder| project.cwd.join(folder).into_string()).collect();
    Ok(run_all(project, paths, Some(&sources), false)?.into_iter().map(|told| told.ran).collect())
}

/// The same, with what a light tracer tells of each test.
pub fn tell_all(project: &Project, paths: &[String]) -> Result<Vec<ToldTest>, RunnerError> {
    run_all(project, paths, None, true)
}

fn run_all(
    project: &Project,
    paths: &[String],
    sources: Option<&[String]>,
    light: bool,
) -> Result<Vec<ToldTest>, RunnerError> {
    let entry = sources::write(&project.cache_dir)?;
    let scratch = Scratch::new(project)?;
    let settings = whole(project, entry, &scratch, paths);
    let mut found: Vec<ToldTest> = Vec::new();
    for _ in 0..RESTART_LIMIT {
        let done: Vec<String> = found.iter().map(|test| test.ran.nodeid.clone()).collect();
        let run = Run {
            op: "run",
            nodeids: paths,
            timeout: TEST_LIMIT_SECS,
            memory: project.memory_limit,
            many: true,
            light,
            done: &done,
            calls: sources.is_some(),
            sources: sources.unwrap_or_default(),
            ..Run::default()
        };
        let ran = run_cold(&settings, &run, Patience::Heed)?;
        let is_over = ran.ended == "done" || ran.current.is_none();
        let is_empty = found.is_empty() && ran.items.is_empty() && ran.collection.is_none();
        if let Some(message) = ran.message.as_ref().filter(|_| is_empty && ran.missing) {
            return Err(error::not_found(message.clone()));
        }
        take(ran, &mut found);
        if is_over {
            break;
        }
    }
    Ok(found)
}

/// Settings to run files as they are.
pub fn whole(project: &Project, entry: Utf8PathBuf, scratch: &Scratch, paths: &[String]) -> Settings {
    Settings {
        launch: Launch {
            program: project.python.clone(),
            args: vec![entry.into_string()],
            cwd: project.cwd.clone(),
            env: scratch.hypothesis(project).iter().chain(&project.env).cloned().collect(),
        },
        file: None,
        nodeid: paths.first().cloned().unwrap_or_default(),
        args: project.pytest_args.clone(),
        bytecode: bytecode(project),
        tree: None,
        scratch: scratch.root().to_owned(),
        keeper: Arc::downgrade(scratch.keeper()),
    }
}

fn take(ran: Ran, found: &mut Vec<ToldTest>) {
    let bare = |ran: RanTest| ToldTest { ran, seconds: 0.0, report: None };
    if let Some(collection) = ran.collection {
        let test = RanTest {
            nodeid: collection.nodeid.clone(),
            path: Utf8PathBuf::from(&collection.path),
            observation: of_collection(collection),
            calls: None,
        };
        if !found.iter().any(|known| known.ran == test) {
            found.push(bare(test));
        }
    }
    found.extend(ran.items.into_iter().map(|mut item| {
        let (report, seconds, calls) =
            (item.facts.take(), item.seconds.unwrap_or_default(), item.calls.take());
        let (nodeid, path) = (item.nodeid.clone(), Utf8PathBuf::from(&item.path));
        ToldTest { ran: RanTest { nodeid, path, observation: of_item(item), calls }, seconds, report }
    }));
    if let Some(current) = ran.current {
        let observation = match ran.ended.as_str() {
            "hung" => Observation::Hung { stack: Vec::new(), below: Vec::new() },
            how => Observation::Died { how: how.to_owned() },
        };
        let (nodeid, path) = (current.nodeid, current.path.into());
        found.push(bare(RanTest { nodeid, path, observation, calls: None }));
    }
}
