//! What the tests of all tasks begin with: a request on the toy language, and what a traced run tells.

mod ran;

pub use ran::ran;

use paring_engine::{Budget, Same, Strategy};
use paring_model::{Frontend, Heat, Runner, TargetSpec};
use paring_tasks::minimize::{Hints, Request};
use paring_testkit::{FakeClock, MemoryJournal};

const HINTS: Hints =
    Hints { list_tests: "", must_load: "", fails_to_load: "", no_source: "", member: "", instead: None };

pub fn request<'a>(
    frontend: &'a dyn Frontend,
    runner: &'a dyn Runner,
    source: &str,
    clock: &'a FakeClock,
    journal: &'a MemoryJournal,
) -> Request<'a> {
    Request {
        frontend,
        runner,
        clock,
        journal,
        tell: &|_| {},
        versions: None,
        target: TargetSpec::new("test.lines::test"),
        before: Vec::new(),
        seen: None,
        path: "test.lines".into(),
        short_path: "test.lines".to_owned(),
        hints: &HINTS,
        source: source.to_owned(),
        strategy: Strategy::Auto,
        literals: false,
        same: Same::default(),
        n_baseline: 3,
        seen_apart: false,
        allow_flaky: false,
        bold: false,
        timeout: None,
        budget: Budget::default(),
        in_place: false,
        heirs: Vec::new(),
        apart: false,
        holding: false,
        last: Heat::Cold,
    }
}
