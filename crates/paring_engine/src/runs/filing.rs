//! What a run is filed under, in memory and in the journal.

use super::Ask;
use paring_model::{CodeText, Job, Version};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// What the observation of one target is filed under.
pub fn of_test(key: &str, idx: usize) -> String {
    format!("{key}.{idx}")
}

/// What a run is filed under: texts, tests, program version, heat, and which of several it is.
pub fn key(ask: &Ask<'_>, good: &str) -> String {
    let Job { candidate, version, heat, timeout: _, code } = &ask.job;
    let mut hash = Sha256::new();
    hash.update(format!("{}\n{version:?}\n{heat:?}\n{}\n", ask.nth, candidate.target_ids().join(" ")));
    for before in &candidate.after {
        hash.update(format!("after {before}\n"));
    }
    for (path, text) in &candidate.files {
        hash.update(format!("file {path}\n"));
        hash.update(text);
    }
    if *version == Version::Good && !good.is_empty() {
        hash.update(format!("good {good}\n"));
    }
    if let Some(CodeText { path, text }) = code {
        hash.update(format!("code {path}\n"));
        hash.update(text);
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
