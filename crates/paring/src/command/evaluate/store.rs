//! The folder in which an evaluation keeps its results: `results.jsonl`, a document per case, `settings.json`, `tables.md`.

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use paring_tasks::evaluate::Judged;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::Mutex;

pub struct Store {
    folder: Utf8PathBuf,
    results: Mutex<Option<File>>,
}

impl Store {
    /// Opens or makes the folder. Results made with other settings are not mixed with new ones.
    pub fn open(folder: &Utf8Path, settings: &BTreeMap<&str, String>, only_read: bool) -> Result<Self> {
        let store = Self { folder: folder.to_owned(), results: Mutex::new(None) };
        if only_read {
            return Ok(store);
        }
        let documents = folder.join("documents");
        std::fs::create_dir_all(&documents).with_context(|| format!("failed to make {documents}"))?;
        let path = folder.join("settings.json");
        let text = serde_json::to_string_pretty(settings).context("failed to write the settings as JSON")?;
        match std::fs::read_to_string(&path) {
            Ok(kept) if kept == text => {}
            Ok(_) => bail!(
                "{folder} keeps results of other settings (see {path}): name another --out-dir, or delete it"
            ),
            Err(_) => std::fs::write(&path, text).with_context(|| format!("failed to write {path}"))?,
        }
        let path = store.results_path();
        let results = OpenOptions::new().create(true).append(true).open(&path);
        let results = results.with_context(|| format!("failed to open {path}"))?;
        *store.results.lock().expect("no thread has panicked yet") = Some(results);
        Ok(store)
    }

    /// What is kept, the last line of each case. A line that was cut off by an interruption does not count.
    pub fn judged(&self) -> Result<Vec<Judged>> {
        let path = self.results_path();
        let text = std::fs::read_to_string(&path).with_context(|| format!("failed to read {path}"))?;
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Judged>(line).ok());
        let by_id: BTreeMap<String, Judged> = lines.map(|judged| (judged.id.clone(), judged)).collect();
        Ok(by_id.into_values().collect())
    }

    pub fn keep(&self, judged: &Judged) -> Result<()> {
        let line = serde_json::to_string(judged).context("failed to write a result as JSON")?;
        let mut results = self.results.lock().expect("no thread panics while it writes");
        let file = results.as_mut().expect("a store that is written to was opened for that");
        writeln!(file, "{line}").context("failed to keep a result")
    }

    /// paring's own result document of a case.
    pub fn keep_document(&self, id: &str, document: &Value) -> Result<()> {
        let path = self.folder.join("documents").join(file_name(id));
        let text = serde_json::to_string_pretty(document).context("failed to write a result as JSON")?;
        std::fs::write(&path, text).with_context(|| format!("failed to write {path}"))
    }

    pub fn keep_tables(&self, text: &str) -> Result<()> {
        let path = self.folder.join("tables.md");
        std::fs::write(&path, text).with_context(|| format!("failed to write {path}"))
    }

    fn results_path(&self) -> Utf8PathBuf {
        self.folder.join("results.jsonl")
    }
}

/// A name a person recognises and no other id has.
fn file_name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let mut name: String = id.chars().map(plain).take(100).chain(['-']).collect();
    for byte in Sha256::digest(id.as_bytes()).iter().take(4) {
        let _ = write!(name, "{byte:02x}");
    }
    name + ".json"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("out")).unwrap();
        (folder, path)
    }

    fn settings(good: &str) -> BTreeMap<&'static str, String> {
        BTreeMap::from([("good", good.to_owned())])
    }

    #[test]
    fn results_are_there_after_a_new_start_and_a_cut_line_is_not() {
        let (_guard, path) = folder();
        let judged = Judged { id: "a".to_owned(), ..Judged::default() };
        Store::open(&path, &settings("false"), false).unwrap().keep(&judged).unwrap();
        let mut file = OpenOptions::new().append(true).open(path.join("results.jsonl")).unwrap();
        write!(file, "{{\"id\": \"b\", \"sta").unwrap();
        assert_eq!(Store::open(&path, &settings("false"), false).unwrap().judged().unwrap(), [judged]);
    }

    #[test]
    fn results_of_other_settings_are_not_mixed() {
        let (_guard, path) = folder();
        Store::open(&path, &settings("false"), false).unwrap();
        assert!(Store::open(&path, &settings("true"), false).is_err());
    }

    #[test]
    fn ids_that_look_alike_have_files_of_their_own() {
        assert_ne!(file_name("t.py::t[a/b]"), file_name("t.py::t[a-b]"));
        assert!(file_name("click-8::t.py::t[é]").starts_with("click-8--t.py--t---"));
    }
}
