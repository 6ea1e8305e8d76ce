//! Every test of some classes, run once, for those who ask for all failures, or do not know which case fails.

use super::install;
use super::jvms::settings;
use super::message::{Ran, Request};
use super::observation::of_item;
use super::project::JavaProject;
use super::scratch::Scratch;
use super::side::{Settings, run_cold};
use paring_model::{Calls, Observation, RunnerError};
use paring_worker::Patience;

/// A test that hangs is given up after this long.
pub(super) const TEST_LIMIT_SECS: f64 = 300.0;
/// How often the run is taken up again after a test that ended the process.
pub(super) const RESTART_LIMIT: usize = 20;

/// A test that ran, and what it did.
#[derive(Clone, Debug, PartialEq)]
pub struct RanTest {
    /// `com.acme.CartTest#total[2]`.
    pub id: String,
    pub observation: Observation,
    /// Where somebody followed them.
    pub calls: Option<Calls>,
}

/// Runs the tests (`com.acme.CartTest`, `com.acme.CartTest#total`) as they are on the class path, and tells each.
pub fn list_failures(project: &JavaProject, tests: &[String]) -> Result<Vec<RanTest>, RunnerError> {
    run_all(project, tests, &[])
}

/// The same; calls are followed of the classes of tests whose sources lie in these roots.
pub(super) fn run_all(
    project: &JavaProject,
    tests: &[String],
    calls: &[String],
) -> Result<Vec<RanTest>, RunnerError> {
    let jar = install::install(&project.cache_dir, &project.jdk)?;
    let scratch = Scratch::new(project)?;
    let settings = Settings { calls: calls.to_vec(), ..settings(project, jar, &scratch) };
    let mut found: Vec<RanTest> = Vec::new();
    for _ in 0..RESTART_LIMIT {
        let done: Vec<String> = found.iter().map(|test| test.id.clone()).collect();
        let request = Request {
            op: "run",
            tests,
            timeout: TEST_LIMIT_SECS,
            many: true,
            is_alone: true,
            done: &done,
            ..Request::default()
        };
        let ran = run_cold(&settings, None, &request, Patience::Heed)?;
        let is_over = ran.ended == "done" || ran.current.is_none();
        take(ran, &mut found);
        if is_over {
            break;
        }
    }
    Ok(found)
}

fn take(ran: Ran, found: &mut Vec<RanTest>) {
    found.extend(ran.items.into_iter().map(|mut item| RanTest {
        id: item.id.clone(),
        calls: item.calls.take(),
        observation: of_item(item),
    }));
    if let Some(id) = ran.current {
        let observation = match ran.ended.as_str() {
            "hung" => Observation::Hung { stack: ran.stack, below: ran.below },
            how => Observation::Died { how: how.to_owned() },
        };
        found.push(RanTest { id, observation, calls: None });
    }
}
