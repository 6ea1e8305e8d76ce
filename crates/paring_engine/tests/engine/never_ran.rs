//! What never ran goes in one run.

use crate::trial::{Saw, Trial, has, last};
use paring_testkit::passed;

#[test]
fn all_that_never_ran_goes_in_one_run() {
    let source = "test:\n  b = 1\n  if b:\n    b.p()\n  else:\n    b.q()\n  try:\n    b.r()\n  catch e:\n    b.s()\n    b.t()\n  d = b.first()\n";
    let trial = Trial {
        saw: &[Saw::Skip("else:"), Saw::Skip("catch e:")],
        ..Trial::new(source, |text, _| if has(text, "b.r()") { last(text) } else { passed() })
    };
    let done = trial.search();
    assert_eq!(done.gone()[0], "else: | b.q() | catch e: | b.s() | b.t()");
}
