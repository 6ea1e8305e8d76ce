//! Statements that bundle several assertions: what `JUnit`'s `assertAll` is given, written out as statements.
//!
//! ```java
//! assertAll(                                    assertEquals(4, sum.x);
//!     () -> assertEquals(4, sum.x),       →     assertEquals(7, far.distance());
//!     () -> assertEquals(7, far.distance()));
//! ```
//!
//! An assertion stands unchanged in its new test, so a bundle is only taken apart where its assertions belong to different scenarios.

use super::check::{Check, checks};
use super::settle::Settled;
use super::{Request, SplitOutcome};
use paring_model::{Unit, WorkingText};

/// A test with its bundles written out.
pub struct Unbundled {
    pub working: WorkingText,
    /// The lines of each bundle, first and last, in the text as it was.
    lines: Vec<(u32, u32)>,
}

impl Unbundled {
    /// `None` where the test bundles nothing.
    pub fn of(request: &Request<'_>, unit: &Unit) -> Option<Self> {
        let working = request.frontend.turned_off(unit, &[]).filter(|it| it.text != request.source)?;
        let assertions = request.frontend.assertions(unit);
        let lines = checks(request.frontend, unit).into_iter().filter_map(|check| {
            let range = unit.stmt(check.stmt).range;
            let is_bundle = assertions.iter().filter(|it| range.covers(**it)).count() > 1;
            is_bundle.then(|| (unit.line_of(range.start), unit.line_of(range.end.saturating_sub(1))))
        });
        let lines: Vec<(u32, u32)> = lines.collect();
        (!lines.is_empty()).then_some(Self { working, lines })
    }

    /// Whether the assertions of some bundle stand in several new tests.
    pub fn is_apart(&self, unit: &Unit, checks: &[Check], settled: &[Settled]) -> bool {
        let bundle = |check: usize| {
            let line =
                self.working.origins.line(unit.line_of(unit.stmt(checks.get(check)?.stmt).range.start));
            self.lines.iter().position(|(first, last)| (*first..=*last).contains(&line))
        };
        (0..self.lines.len()).any(|idx| {
            let has = |it: &&Settled| it.checks.iter().any(|&check| bundle(check) == Some(idx));
            settled.iter().filter(has).count() > 1
        })
    }

    /// The outcome told in lines of the text as it was.
    pub fn translate(&self, request: &Request<'_>, outcome: &mut SplitOutcome) {
        let line = |line: &mut u32| *line = self.working.origins.line(*line);
        if let Some(file) = &mut outcome.file {
            request.source.clone_into(&mut file.original);
        }
        for test in &mut outcome.tests {
            test.checks.iter_mut().for_each(line);
            for kept in &mut test.statements {
                line(&mut kept.line);
                kept.reasons.iter_mut().filter_map(|reason| reason.line.as_mut()).for_each(line);
            }
        }
    }
}
