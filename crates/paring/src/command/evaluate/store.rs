//! The folder in which an evaluation keeps its results: `results.jsonl`, a document per case, `settings.json`, `tables.md`.

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::digest;
use paring_tasks::evaluate::Judged;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::Mutex;

pub struct Store {
    folder: Utf8PathBuf,
    results: Mutex<Option<File>>,
}

impl Store {
    /// For looking only.
    pub fn read_only(folder: &Utf8Path) -> Self {
        Self { folder: folder.to_owned(), results: Mutex::new(None) }
    }

    /// Opens or makes the folder. Results made with other settings are never mixed with new ones: that is an error, or
    /// with `restart` the end of the old ones.
    pub fn open(folder: &Utf8Path, settings: &BTreeMap<&str, String>, restart: bool) -> Result<Self> {
        let text = serde_json::to_string_pretty(settings).context("failed to write the settings as JSON")?;
        let path = folder.join("settings.json");
        let others = std::fs::read_to_string(&path).is_ok_and(|kept| kept != text);
        if others && !restart {
            bail!(
                "{folder} keeps results of another build or other options: name another --out-dir, or use --restart"
            );
        }
        let documents = folder.join("documents");
        if others {
            std::fs::remove_dir_all(&documents).with_context(|| format!("failed to remove {documents}"))?;
            let results = folder.join("results.jsonl");
            std::fs::remove_file(&results).with_context(|| format!("failed to remove {results}"))?;
        }
        std::fs::create_dir_all(&documents).with_context(|| format!("failed to make {documents}"))?;
        std::fs::write(&path, text).with_context(|| format!("failed to write {path}"))?;
        let store = Self::read_only(folder);
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
    let name: String = id.chars().map(plain).take(100).collect();
    format!("{name}-{}.json", fingerprint(id.as_bytes()))
}

/// Short, and different for what is different.
pub fn fingerprint(content: &[u8]) -> String {
    digest(content)[..12].to_owned()
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
        let judged = Judged { id: "a".to_owned(), ..Judged::default() };
        Store::open(&path, &settings("false"), false).unwrap().keep(&judged).unwrap();
        assert!(Store::open(&path, &settings("true"), false).is_err());
        let restarted = Store::open(&path, &settings("true"), true).unwrap();
        assert!(restarted.judged().unwrap().is_empty());
    }

    #[test]
    fn ids_that_look_alike_have_files_of_their_own() {
        assert_ne!(file_name("t.py::t[a/b]"), file_name("t.py::t[a-b]"));
        assert!(file_name("click-8::t.py::t[é]").starts_with("click-8--t.py--t---"));
    }
}
