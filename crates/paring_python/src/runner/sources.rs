//! The worker's Python sources, embedded, and written to the cache under the hash of their text.

use super::error;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../worker/", $name)))),*]
    };
}

const ENTRY: &str = "paring_worker.py";

const SOURCES: &[(&str, &str)] = sources![
    "paring_worker.py",
    "paring_channel.py",
    "paring_server.py",
    "paring_child.py",
    "paring_session.py",
    "paring_surroundings.py",
    "paring_preload.py",
    "paring_inject.py",
    "paring_moved.py",
    "paring_mutant.py",
    "paring_compile.py",
    "paring_process.py",
    "paring_saver.py",
    "paring_record.py",
    "paring_near.py",
    "paring_exception.py",
    "paring_resources.py",
    "paring_sql.py",
    "paring_below.py",
    "paring_logs.py",
    "paring_watch.py",
    "paring_strace.py",
    "paring_inotify.py",
    "paring_scan.py",
    "paring_names.py",
    "paring_doings.py",
    "paring_events.py",
    "paring_effects.py",
    "paring_trace.py",
    "paring_cover.py",
    "paring_heap.py",
    "paring_hidden.py",
    "paring_calls.py",
    "paring_print.py",
    "paring_lines.py",
];

/// The path of the worker's entry, written there unless an earlier paring of the same text did.
pub fn write(cache: &Utf8Path) -> Result<Utf8PathBuf, RunnerError> {
    let folder = cache.join(format!("pytest-worker-{}", digest()));
    if !folder.join(ENTRY).is_file() {
        write_all(cache, &folder).map_err(|io| error::cache(cache, &io))?;
    }
    Ok(folder.join(ENTRY))
}

/// Written aside and renamed: another paring never sees half of it.
fn write_all(cache: &Utf8Path, folder: &Utf8Path) -> std::io::Result<()> {
    fs::create_dir_all(cache)?;
    let aside = tempfile::Builder::new().prefix(".pytest-worker-").tempdir_in(cache)?;
    for (name, text) in SOURCES {
        let mut file = fs::File::create(aside.path().join(name))?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
    }
    match fs::rename(aside.path(), folder) {
        Ok(()) => {
            // It has another name now.
            let _ = aside.keep();
            Ok(())
        }
        Err(_) if folder.join(ENTRY).is_file() => Ok(()),
        Err(error) => Err(error),
    }
}

fn digest() -> String {
    let mut hasher = Sha256::new();
    for (name, text) in SOURCES {
        hasher.update(name);
        hasher.update([0]);
        hasher.update(text);
        hasher.update([0]);
    }
    let hash = hasher.finalize();
    hash.iter().take(8).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::ErrorCode;

    #[test]
    fn the_sources_are_written_once_and_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Utf8Path::from_path(folder.path()).expect("UTF-8").join("new");
        let entry = write(&cache).expect("a cache");
        assert_eq!(write(&cache).expect("the same cache"), entry);
        for (name, text) in SOURCES {
            let written = fs::read_to_string(entry.with_file_name(name)).expect("a source");
            assert_eq!(&written, text, "{name}");
        }
        assert_eq!(fs::read_dir(&cache).expect("the cache").count(), 1);
    }

    #[test]
    fn a_cache_that_is_a_file_is_told_as_that() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let cache = Utf8Path::from_path(file.path()).expect("UTF-8").join("below");
        assert_eq!(write(&cache).expect_err("no folder").code, ErrorCode::Cache);
    }
}
