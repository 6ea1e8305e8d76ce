//! What a paring that was killed left: its runs' files are put back, its temporary folders removed.
//!
//! Days may have passed, and the user may have edited the files since. So what is replaced is kept beside the stores, and the user
//! hears of it.

use super::reports::Reports;
use super::store::{self, HIDDEN, LOCK, REPLACED, ROOTS, TEMPORARY};
use super::{manifest, put_back};
use crate::system;
use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use std::fs::{self, File};
use std::time::{Duration, Instant};

/// How long the processes of a killed paring may take to end.
const GRACE: Duration = Duration::from_secs(3);

/// Goes through the stores that no process holds any more.
pub fn put_back_all(base: &Utf8Path, reports: &mut Reports) {
    for entry in base.read_dir_utf8().into_iter().flatten().flatten() {
        let is_store = !entry.file_name().starts_with(HIDDEN) && entry.file_name() != REPLACED;
        if is_store
            && let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
        {
            put_back(base, entry.path(), reports);
        }
    }
}

fn put_back(base: &Utf8Path, store: &Utf8Path, reports: &mut Reports) {
    let roots: Vec<Utf8PathBuf> = fs::read(store.join(ROOTS))
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default();
    let aside = store::replaced(base, store);
    for folder in folders(store) {
        wait_for_processes(&folder);
        let lines = manifest::read(&folder);
        let put = put_back::put_back(&lines, &folder, &roots, Some(&aside));
        reports.leftover(put, &aside);
    }
    if let Ok(temporary) = fs::read_to_string(store.join(TEMPORARY)) {
        // It may be gone: temporary folders are cleaned by others, too.
        let _ = put_back::remove(Utf8Path::new(&temporary));
    }
    // It was tried once. Later the files may be the user's own again.
    let _ = fs::remove_dir_all(store);
}

/// The last run first: those before it, and the loading, began from an earlier state.
fn folders(store: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = store.read_dir_utf8().into_iter().flatten().flatten();
    let mut runs: Vec<(u64, Utf8PathBuf)> =
        entries.filter_map(|entry| Some((number(&entry)?, entry.into_path()))).collect();
    runs.sort();
    let runs = runs.into_iter().rev().map(|(_, folder)| folder);
    runs.chain([store.join(store::LOADING)]).collect()
}

fn number(entry: &Utf8DirEntry) -> Option<u64> {
    entry.file_name().strip_prefix("run-")?.parse().ok()
}

/// They end by themselves when they see that paring is gone.
fn wait_for_processes(folder: &Utf8Path) {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let pids: Vec<u32> =
        entries.filter_map(|entry| entry.file_name().strip_prefix("pid-")?.parse().ok()).collect();
    let deadline = Instant::now() + GRACE;
    while pids.iter().any(|&pid| system::is_running(pid)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
}
