//! One line on the terminal that says how far the search is, made from the engine's events.
//!
//! The line is rewritten in place, at most ten times a second, and gone when the result is printed. Where there is no
//! terminal to rewrite a line on, nothing is ever written.

use crate::width;
use crate::words::{clip, count};
use paring_model::Event;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(100);
/// Back to the first column, and clear what stands there.
const CLEAR: &str = "\r\x1b[2K";

/// Shows events as they come, from any thread.
pub struct Progress {
    /// `None` where nothing is shown.
    state: Option<Mutex<State>>,
}

struct State {
    sink: Box<dyn Write + Send>,
    period: Duration,
    width: usize,
    label: String,
    stage: &'static str,
    n_runs: usize,
    n_statements: Option<usize>,
    drawn: Option<Instant>,
    visible: bool,
}

impl Progress {
    /// On standard error, if that is a terminal and `wanted`.
    pub fn stderr(wanted: bool) -> Self {
        if wanted && std::io::stderr().is_terminal() {
            Self::on(Box::new(std::io::stderr()), PERIOD, width::of_terminal().unwrap_or(width::DEFAULT))
        } else {
            Self::silent()
        }
    }

    /// Shows nothing.
    pub fn silent() -> Self {
        Self { state: None }
    }

    fn on(sink: Box<dyn Write + Send>, period: Duration, width: usize) -> Self {
        let state = State {
            sink,
            period,
            width,
            label: String::new(),
            stage: "starting",
            n_runs: 0,
            n_statements: None,
            drawn: None,
            visible: false,
        };
        Self { state: Some(Mutex::new(state)) }
    }

    /// A new target begins; `label` names it, as in `2/7 tests/test_cart.py::test_total`.
    pub fn begin(&self, label: &str) {
        self.with(|state| {
            label.clone_into(&mut state.label);
            state.stage = "starting";
            state.n_runs = 0;
            state.n_statements = None;
            state.draw();
        });
    }

    /// What is done now, where it is no search: `running tests  12 runs  of 40  tests/test_cart.py::test_total`.
    pub fn at(&self, stage: &'static str, n_runs: usize, label: &str) {
        self.with(|state| {
            label.clone_into(&mut state.label);
            state.stage = stage;
            state.n_runs = n_runs;
            state.draw_if_due();
        });
    }

    pub fn event(&self, event: &Event) {
        self.with(|state| match event {
            Event::Stage { name } => {
                state.stage = name;
                state.draw();
            }
            Event::Ran { n_runs, candidate: _, verdict: _ } => {
                state.n_runs = *n_runs;
                state.draw_if_due();
            }
            Event::Better { n_statements } => {
                state.n_statements = Some(*n_statements);
                state.draw_if_due();
            }
        });
    }

    /// Takes the line away, so that something else can be printed. The next event brings it back.
    pub fn clear(&self) {
        self.with(State::clear);
    }

    fn with(&self, act: impl FnOnce(&mut State)) {
        if let Some(state) = &self.state {
            // A poisoned line of progress is still a line of progress.
            act(&mut state.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl State {
    fn draw_if_due(&mut self) {
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= self.period) {
            self.draw();
        }
    }

    fn draw(&mut self) {
        // The last column stays free: a terminal may wrap when it is written.
        let line = clip(&self.line(), self.width.saturating_sub(1));
        self.write(&format!("{CLEAR}{line}"));
        self.drawn = Some(Instant::now());
        self.visible = true;
    }

    fn line(&self) -> String {
        let mut parts = vec![format!("{:<13}", self.stage), count(self.n_runs, "run")];
        parts.extend(self.n_statements.map(|n| count(n, "statement")));
        parts.extend((!self.label.is_empty()).then(|| self.label.clone()));
        parts.join("  ")
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            self.write(CLEAR);
        }
    }

    fn write(&mut self, text: &str) {
        // A terminal that has gone away must not stop the search.
        let _ = self.sink.write_all(text.as_bytes()).and_then(|()| self.sink.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::{Candidate, Form, Verdict};
    use std::sync::Arc;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Shared {
        fn lines(&self) -> Vec<String> {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            text.split(CLEAR).skip(1).map(str::to_owned).collect()
        }
    }

    fn run(period: Duration, width: usize) -> Vec<String> {
        let sink = Shared::default();
        let progress = Progress::on(Box::new(sink.clone()), period, width);
        progress.begin("tests/test_a.py::test_b");
        progress.event(&Event::Stage { name: "observing" });
        let candidate = Candidate::single("test_a.py".into(), String::new(), "", Form::Blanked);
        progress.event(&Event::Ran { n_runs: 1, candidate, verdict: Verdict::Same });
        progress.event(&Event::Better { n_statements: 4 });
        drop(progress);
        sink.lines()
    }

    #[test]
    fn the_line_tells_stage_runs_and_statements_and_is_cleared_at_the_end() {
        assert_eq!(
            run(Duration::ZERO, 80),
            [
                "starting       0 runs  tests/test_a.py::test_b",
                "observing      0 runs  tests/test_a.py::test_b",
                "observing      1 run  tests/test_a.py::test_b",
                "observing      1 run  4 statements  tests/test_a.py::test_b",
                "",
            ]
        );
    }

    #[test]
    fn runs_are_throttled_and_stages_are_not() {
        assert_eq!(run(Duration::from_hours(1), 80).len(), 3);
    }

    #[test]
    fn a_line_that_would_wrap_is_cut() {
        let lines = run(Duration::ZERO, 20);
        let (last, drawn) = lines.split_last().expect("a line");
        assert_eq!(last, "", "nothing stays");
        assert!(drawn.iter().all(|line| line.chars().count() == 19 && line.ends_with('…')), "{drawn:?}");
    }

    #[test]
    fn a_line_that_was_taken_away_comes_back_with_the_next_event() {
        let sink = Shared::default();
        let progress = Progress::on(Box::new(sink.clone()), Duration::ZERO, 80);
        progress.clear();
        assert_eq!(sink.lines(), [""; 0], "there is nothing to take away");
        progress.begin("x");
        progress.clear();
        progress.clear();
        progress.event(&Event::Stage { name: "observing" });
        drop(progress);
        assert_eq!(sink.lines(), ["starting       0 runs  x", "", "observing      0 runs  x", ""]);
    }

    #[test]
    fn lines_of_several_threads_do_not_mix() {
        let sink = Shared::default();
        let progress = Progress::on(Box::new(sink.clone()), Duration::ZERO, 80);
        std::thread::scope(|scope| {
            for label in ["one", "other"] {
                let progress = &progress;
                scope.spawn(move || (0..50).for_each(|_| progress.at("running", 2, label)));
            }
        });
        drop(progress);
        let drawn = |label: &str| {
            let line = format!("running        2 runs  {label}");
            sink.lines().iter().filter(|found| **found == line).count()
        };
        assert_eq!((drawn("one"), drawn("other"), sink.lines().len()), (50, 50, 101));
    }
}
