//! What the engine tried and what came of it, for contributors: `PARING_LOG=FILE` appends every candidate and verdict.

use paring_model::Event;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;

pub struct Log(Option<Mutex<File>>);

impl Log {
    pub fn of_process() -> Self {
        let path = std::env::var_os("PARING_LOG");
        let file = path.and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
        Self(file.map(Mutex::new))
    }

    pub fn event(&self, event: &Event) {
        let Some(file) = &self.0 else { return };
        let text = match event {
            Event::Stage { name } => format!("== {name}\n"),
            Event::Ran { n_runs, candidate, verdict } => {
                let targets = candidate.target_ids().join(", ");
                format!("-- run {n_runs}: {verdict:?} ({targets})\n{}\n", candidate.text())
            }
            Event::Better { n_statements } => format!("-- better: {n_statements} statements\n"),
        };
        // A log that cannot be written must not stop the search.
        drop(file.lock().expect("no thread panics while it writes").write_all(text.as_bytes()));
    }
}
