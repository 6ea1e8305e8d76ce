//! Observations on disk, one JSON line each, so that a killed search can be taken up with `--resume`.
//!
//! The search is deterministic: run again over the same text it asks for the same candidates, and the journal answers for
//! those that were run already. A journal belongs to one text, one test and one setting, and to the [code](crate::code) that
//! the test ran: once that has changed, it starts empty. It is removed when the job is done.

use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Journal, Observation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::sync::Mutex;

const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "paring.journal")]
    version: u32,
    /// The digest of the code that the test ran.
    code: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    observation: Observation,
}

pub struct FileJournal {
    path: Utf8PathBuf,
    known: BTreeMap<String, Observation>,
    /// `None` where the file cannot be written: the search goes on, it only cannot be resumed.
    file: Mutex<Option<File>>,
    /// Whether there was something to resume, of other code.
    pub is_outdated: bool,
}

impl FileJournal {
    /// Opens the journal of one job. With `resume`, what it holds is used; without, it starts empty.
    pub fn open(folder: &Utf8Path, job: &str, code: &str, resume: bool) -> Self {
        let path = folder.join(format!("{job}.jsonl"));
        let (mut known, mut is_outdated) = (BTreeMap::new(), false);
        if let Some((found, lines)) = read(&path).filter(|_| resume) {
            if found == code {
                known = lines;
            } else {
                is_outdated = !lines.is_empty();
            }
        }
        let file = std::fs::create_dir_all(folder).ok().and_then(|()| start(&path, code, &known).ok());
        Self { path, known, file: Mutex::new(file), is_outdated }
    }

    #[cfg(test)]
    fn n_known(&self) -> usize {
        self.known.len()
    }

    /// The job is done: nothing is left to resume.
    pub fn finish(&self) {
        drop(std::fs::remove_file(&self.path));
    }
}

/// The code that the file is about and what it holds, up to the first line that is not whole (a kill may have cut it).
fn read(path: &Utf8Path) -> Option<(String, BTreeMap<String, Observation>)> {
    let file = File::open(path).ok()?;
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    let header = lines.next().and_then(|line| serde_json::from_str::<Header>(&line).ok())?;
    if header.version != VERSION {
        return None;
    }
    let known = lines
        .map_while(|line| serde_json::from_str::<Line>(&line).ok())
        .map(|line| (line.key, line.observation))
        .collect();
    Some((header.code, known))
}

fn start(path: &Utf8Path, code: &str, known: &BTreeMap<String, Observation>) -> std::io::Result<File> {
    let mut file = OpenOptions::new().create(true).write(true).truncate(true).open(path)?;
    let header = Header { version: VERSION, code: code.to_owned() };
    let mut text = serde_json::to_string(&header)? + "\n";
    for (key, observation) in known {
        text += &serde_json::to_string(&Line { key: key.clone(), observation: observation.clone() })?;
        text += "\n";
    }
    file.write_all(text.as_bytes())?;
    Ok(file)
}

impl Journal for FileJournal {
    fn lookup(&self, key: &str) -> Option<Observation> {
        self.known.get(key).cloned()
    }

    fn record(&self, key: &str, observation: &Observation) {
        let line = Line { key: key.to_owned(), observation: observation.clone() };
        let mut file = self.file.lock().expect("no thread panics while it writes");
        let written = file.as_mut().and_then(|file| {
            let text = serde_json::to_string(&line).ok()? + "\n";
            file.write_all(text.as_bytes()).ok()
        });
        if written.is_none() {
            *file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_journal_knows_what_was_recorded_and_a_new_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let journal = FileJournal::open(folder, "job", "code", false);
        journal.record("a", &Observation::Passed);
        drop(journal);
        let resumed = FileJournal::open(folder, "job", "code", true);
        assert_eq!(resumed.lookup("a"), Some(Observation::Passed));
        assert_eq!(FileJournal::open(folder, "job", "code", false).n_known(), 0);
    }

    #[test]
    fn what_was_seen_of_other_code_is_not_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        FileJournal::open(folder, "job", "code", false).record("a", &Observation::Passed);
        let resumed = FileJournal::open(folder, "job", "other code", true);
        assert_eq!((resumed.lookup("a"), resumed.is_outdated), (None, true));
        // Nothing is left of it, even if the code comes back.
        let resumed = FileJournal::open(folder, "job", "code", true);
        assert_eq!((resumed.lookup("a"), resumed.is_outdated), (None, false));
    }

    #[test]
    fn a_line_cut_by_a_kill_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let journal = FileJournal::open(folder, "job", "code", false);
        journal.record("a", &Observation::Passed);
        drop(journal);
        let path = folder.join("job.jsonl");
        let text = std::fs::read_to_string(&path).unwrap() + "{\"key\":\"b\",\"obser";
        std::fs::write(&path, text).unwrap();
        assert_eq!(FileJournal::open(folder, "job", "code", true).n_known(), 1);
    }
}
