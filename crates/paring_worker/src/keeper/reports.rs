//! What a user should know of the files that runs wrote, gathered from all runs.

use super::manifest::{Line, Was};
use super::put_back::Put;
use super::watched::Undone;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub struct Reports {
    outside: BTreeSet<Utf8PathBuf>,
    /// By path, why it is not as it was.
    lost: BTreeMap<Utf8PathBuf, String>,
    /// Found by size and time alone, and where the other contents are kept.
    hidden: BTreeSet<Utf8PathBuf>,
    hidden_kept: Option<Utf8PathBuf>,
    /// Changes of somebody else's.
    others: BTreeSet<Utf8PathBuf>,
    leftover: BTreeSet<Utf8PathBuf>,
    leftover_kept: Option<Utf8PathBuf>,
    unwatched: BTreeSet<Utf8PathBuf>,
    /// What the user has been told of already.
    told: BTreeSet<Utf8PathBuf>,
}

impl Reports {
    pub fn hear(&mut self, lines: &[Line]) {
        for Line { path, was } in lines {
            match was {
                Was::Outside => drop(self.outside.insert(path.clone())),
                Was::Unsaved { why } => drop(self.lost.insert(path.clone(), why.clone())),
                Was::Absent | Was::File { .. } | Was::Folder { .. } | Was::Link { .. } => {}
            }
        }
    }

    pub fn not_put_back(&mut self, failed: Vec<(Utf8PathBuf, String)>) {
        self.lost.extend(failed);
    }

    pub fn hidden(&mut self, undone: Undone, aside: &Utf8Path) {
        if !undone.changed.is_empty() {
            self.hidden_kept = Some(aside.to_owned());
        }
        self.hidden.extend(undone.changed);
        self.hidden.retain(|path| !undone.others.contains(path));
        self.others.extend(undone.others);
        self.lost.extend(undone.lost);
        self.unwatched.extend(undone.unwatched);
    }

    pub fn leftover(&mut self, put: Put, aside: &Utf8Path) {
        if !put.changed.is_empty() {
            self.leftover_kept = Some(aside.to_owned());
        }
        self.leftover.extend(put.changed);
        self.lost.extend(put.failed);
    }

    /// What was not told yet, in sentences without a full stop.
    pub fn notes(&mut self) -> Vec<String> {
        let told = std::mem::take(&mut self.told);
        let new = std::mem::take(self).without(&told);
        let paths =
            [&new.outside, &new.hidden, &new.others, &new.leftover, &new.unwatched].into_iter().flatten();
        self.told = told.into_iter().chain(paths.chain(new.lost.keys()).cloned()).collect();
        new.sentences()
    }

    fn without(mut self, told: &BTreeSet<Utf8PathBuf>) -> Self {
        let Self { outside, hidden, others, leftover, unwatched, .. } = &mut self;
        for paths in [outside, hidden, others, leftover, unwatched] {
            paths.retain(|path| !told.contains(path));
        }
        self.lost.retain(|path, _| !told.contains(path));
        self
    }

    fn sentences(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(paths) = listed(&self.leftover) {
            notes.push(format!(
                "an earlier paring was killed and had left files of a run behind; put back: {paths}{}",
                kept(self.leftover_kept.as_deref())
            ));
        }
        for (path, why) in &self.lost {
            notes.push(format!("a run changed {path}, which was not put back: {why}"));
        }
        if let Some(paths) = listed(&self.hidden) {
            notes.push(format!(
                "a child process or native code changed files while a run was made; put back: {paths}{}",
                kept(self.hidden_kept.as_deref())
            ));
        }
        if let Some(paths) = listed(&self.others) {
            notes.push(format!(
                "somebody changed files while the test ran, and the test did not when it ran again; they are as changed: {paths}"
            ));
        }
        if let Some(paths) = listed(&self.outside) {
            notes.push(format!("the test writes outside of the project, where nothing is put back: {paths}"));
        }
        notes.extend(self.unwatched.iter().map(|root| {
            format!(
                "{root} has too many files: what child processes and native code change there is not put back"
            )
        }));
        notes
    }
}

fn kept(folder: Option<&Utf8Path>) -> String {
    folder.map(|folder| format!(" (what was there is kept for a week in {folder})")).unwrap_or_default()
}

/// The first few of several paths.
fn listed(paths: &BTreeSet<Utf8PathBuf>) -> Option<String> {
    const FEW: usize = 3;
    let few: Vec<&str> = paths.iter().take(FEW).map(|path| path.as_str()).collect();
    let more = if paths.len() > FEW { format!(" and {} more", paths.len() - FEW) } else { String::new() };
    (!few.is_empty()).then(|| few.join(", ") + &more)
}
