//! The line that tells how far an evaluation is: rewritten in place on a terminal, one line a case elsewhere.

use paring_tasks::evaluate::Judged;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::Instant;

pub struct Progress {
    counts: Mutex<Counts>,
    n_cases: usize,
    started: Instant,
    live: bool,
}

#[derive(Clone, Copy)]
struct Counts {
    done: usize,
    ran: usize,
    wrong: usize,
}

impl Progress {
    /// `done` cases have results from earlier.
    pub fn new(done: usize, n_cases: usize) -> Self {
        let counts = Mutex::new(Counts { done, ran: 0, wrong: 0 });
        Self { counts, n_cases, started: Instant::now(), live: std::io::stderr().is_terminal() }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of cases are far below 2^52")]
    pub fn tell(&self, judged: &Judged) {
        let mut counts = self.counts.lock().expect("no thread panics while it tells");
        counts.done += 1;
        counts.ran += 1;
        counts.wrong += usize::from(judged.same != Some(true) || judged.valid == Some(false));
        let each = self.started.elapsed().as_secs_f64() / counts.ran as f64;
        let left = each * (self.n_cases - counts.done) as f64 / 60.0;
        let head = format!("{}/{}", counts.done, self.n_cases);
        let size =
            judged.statements.map_or_else(String::new, |pair| format!(" {} → {}", pair.before, pair.after));
        let word = match (judged.same, judged.valid) {
            (Some(true), Some(false)) => "NOT VALID",
            (Some(false), _) => "NOT THE SAME",
            (Some(true), Some(true) | None) | (None, _) => judged.status.as_str(),
        };
        let line = format!("{head} {word}{size} {:.1} s  {}", judged.seconds, judged.id);
        let mut stderr = std::io::stderr().lock();
        // A broken pipe must not end an evaluation of hours.
        let _ = if self.live {
            let rest = format!("  [{} wrong, {left:.0} min left]", counts.wrong);
            let short: String = line.chars().take(90).collect();
            write!(stderr, "\r\x1b[2K{short}{rest}")
        } else {
            writeln!(stderr, "{line}")
        };
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.live {
            let _ = writeln!(std::io::stderr());
        }
    }
}
