//! Wall clock and the user's Ctrl-C, as the engine's clock port.

use paring_model::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub struct WallClock {
    start: Instant,
    stop: Arc<AtomicBool>,
}

impl WallClock {
    pub fn start(stop: Arc<AtomicBool>) -> Self {
        Self { start: Instant::now(), stop }
    }
}

impl Clock for WallClock {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A flag that the first Ctrl-C (or termination) sets. The second ends the program at once.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let set = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(crate::exit_code::INTERRUPTED);
        }
        paring_worker::interrupt();
    });
    // Without a handler Ctrl-C still ends the program: only the best result so far is lost.
    drop(set);
    stop
}
