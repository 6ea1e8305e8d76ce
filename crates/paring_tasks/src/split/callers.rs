//! What helpers do to resources, as the doing of who calls them.
//!
//! ```python
//! def run(sim, n): …            # one statement that writes two files, for two callers
//! run(slow, 10)                 # writes slow.csv
//! run(fast, 10)                 # writes fast.csv
//! assert read("slow.csv") == 3  # needs the first call, not the second
//! ```
//!
//! A new test has a helper as it is, or not at all, so only the calls need telling apart. The run tells what a helper did of its caller,
//! too.

use paring_model::{Facts, RoutineKind, StmtId, Unit};

/// The facts without what helpers used and changed.
pub fn by_callers(unit: &Unit, facts: Facts) -> Facts {
    let is_helper = |id: StmtId| unit.routine(unit.stmt(id).routine).kind == RoutineKind::Helper;
    let resources = facts.resources.without(is_helper);
    Facts { resources, ..facts }
}
