//! Puts results where they were asked for: into the test file, beside it, as a patch, as reports.

use super::targets::Unfound;
use crate::cli::names_a_folder;
use crate::language::Language;
use crate::options::Options;
use crate::target::Target;
use crate::value::Sink;
use crate::write::{self, patch_name, to_sink};
use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::Observation;
use paring_report::{document, junit_out, patch};
use paring_tasks::Outcome;
use paring_tasks::purify::Purified;
use std::collections::{BTreeMap, BTreeSet};

/// What was rewritten so far: the next target of the same file is pared in the file as it is then.
pub struct Writer<'a> {
    options: &'a Options,
    cwd: Utf8PathBuf,
    rewritten: BTreeMap<Utf8PathBuf, Rewritten>,
    /// Names of files in the folder of `--out` that this run has written.
    taken: BTreeSet<Utf8PathBuf>,
}

struct Rewritten {
    original: String,
    text: String,
}

impl<'a> Writer<'a> {
    pub fn new(options: &'a Options, cwd: &Utf8Path) -> Self {
        Self { options, cwd: cwd.to_owned(), rewritten: BTreeMap::new(), taken: BTreeSet::new() }
    }

    /// Why these targets cannot be written as asked.
    pub fn refuse(&self, targets: &[Result<Target, Unfound>]) -> Option<String> {
        let out = self.options.out.as_ref().filter(|out| !names_a_folder(&self.cwd.join(out)))?;
        if targets.len() > 1 {
            return Some(format!(
                "--out FILE takes one test, and there are {}: name a folder for them (--out DIR/), or use --patch or --json",
                targets.len()
            ));
        }
        let out = self.cwd.join(out);
        let out = out.canonicalize_utf8().unwrap_or(out);
        let overwrites = targets.iter().flatten().any(|target| target.file == out);
        overwrites.then(|| {
            format!(
                "--out {out} is the test file itself: name another file, or use --apply to rewrite the test"
            )
        })
    }

    /// The first place that cannot be written, with the reason: to be known before minutes of search.
    pub fn check(&self, targets: &[Result<Target, Unfound>]) -> Option<String> {
        let options = self.options;
        let file = |sink: &Option<Sink>| match sink {
            Some(Sink::File(path)) => Some(path.clone()),
            Some(Sink::Stdout) | None => None,
        };
        let out = options.out.as_ref().map(|out| {
            if names_a_folder(&self.cwd.join(out)) { out.join("test_pared.py") } else { out.clone() }
        });
        let asked = [
            ("--out", out),
            ("--json", file(&options.json)),
            ("--patch", file(&options.patch)),
            ("--junit-out", options.junit_out.clone()),
        ];
        let asked = asked.into_iter().filter_map(|(option, path)| Some((option, self.cwd.join(path?))));
        let files: BTreeSet<Utf8PathBuf> =
            targets.iter().flatten().map(|target| target.file.clone()).collect();
        let applied = files.into_iter().filter(|_| options.apply).map(|file| ("--apply", file));
        asked.chain(applied).find_map(|(option, path)| {
            let problem = write::check(&path).err()?;
            Some(format!("{option} cannot write {path}: {problem}"))
        })
    }

    /// The text a file has by now, where a target rewrote it.
    pub fn rewritten(&self, file: &Utf8Path) -> Option<&str> {
        self.rewritten.get(file).map(|rewritten| rewritten.text.as_str())
    }

    /// Writes what came of one target to where `--apply` and `--out` say, and says in its outcomes what did not go as asked.
    pub fn keep(&mut self, language: &dyn Language, done: &mut Purified) -> Result<()> {
        let Some(pared) = done.outcomes.iter().find_map(|outcome| outcome.pared.clone()) else {
            return Ok(());
        };
        let is_one = done.outcomes.len() == 1;
        let in_place = done.together.as_ref().map(|together| &together.text);
        if let Some(text) = in_place.filter(|text| **text != pared.original) {
            let file = Utf8PathBuf::from(&pared.path);
            if self.options.apply {
                apply(language, &file, text)?;
            }
            let entry = self.rewritten.entry(file);
            let original = pared.original.clone();
            entry.or_insert_with(|| Rewritten { original, text: String::new() }).text.clone_from(text);
        }
        let Some(out) = self.out(language, &pared.path, &done.outcomes[0].target) else { return Ok(()) };
        let several = done.together.as_ref().filter(|_| !is_one);
        let several = several.and_then(|it| Some((it.apart.as_ref()?, it.targets.clone())));
        let one = is_one.then(|| (&pared.alone, vec![pared.target.clone()]));
        let Some((alone, targets)) = several.or(one) else { return Ok(()) };
        beside(language, &self.cwd.join(&out), &pared.path, alone)?;
        for (target, outcome) in targets.iter().zip(&mut done.outcomes) {
            let problem = check(language, &out, target, outcome);
            outcome.notes.extend(problem);
        }
        Ok(())
    }

    /// Where the file of its own goes: as `--out` says, or in the folder that it names, under the name of the test.
    fn out(&mut self, language: &dyn Language, path: &str, target: &str) -> Option<Utf8PathBuf> {
        let out = self.options.out.as_ref()?;
        if !names_a_folder(&self.cwd.join(out)) {
            return Some(out.clone());
        }
        let name = language.file_for(target, Utf8Path::new(path).file_name().unwrap_or("test"));
        let name = Utf8PathBuf::from(name);
        let (folder, file) =
            (name.parent().unwrap_or(Utf8Path::new("")), name.file_name().unwrap_or_default());
        let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        // A file in a folder of its own keeps its name: its class has it.
        let numbered = (2..).map(|number| match folder.as_str() {
            "" => Utf8PathBuf::from(format!("{stem}_{number}.{extension}")),
            folder => Utf8PathBuf::from(format!("{folder}_{number}/{file}")),
        });
        let name = std::iter::once(name.clone()).chain(numbered).find(|name| self.taken.insert(name.clone()));
        Some(out.join(name.expect("there are numbers without end")))
    }

    /// Writes the reports on all outcomes so far to files.
    pub fn report(&self, outcomes: &[Outcome]) -> Result<()> {
        if let Some(sink @ Sink::File(_)) = &self.options.json {
            to_sink(sink, &document::text(outcomes))?;
        }
        if let Some(path) = &self.options.junit_out {
            to_sink(&Sink::File(path.clone()), &junit_out(outcomes))?;
        }
        Ok(())
    }

    /// Writes what can only be written once all is known.
    pub fn finish(&self, outcomes: &[Outcome]) -> Result<()> {
        if outcomes.is_empty() {
            self.report(outcomes)?;
        }
        if let Some(sink @ Sink::Stdout) = &self.options.json {
            to_sink(sink, &document::text(outcomes))?;
        }
        if let Some(sink) = &self.options.patch {
            let files = self.rewritten.iter();
            let patches = files.map(|(file, it)| patch(&patch_name(file, &self.cwd), &it.original, &it.text));
            to_sink(sink, &patches.collect::<String>())?;
        }
        Ok(())
    }
}

/// Rewrites the user's file, in its own encoding.
fn apply(language: &dyn Language, path: &Utf8Path, text: &str) -> Result<()> {
    let bytes = language.encode(text, &std::fs::read(path)?).map_err(anyhow::Error::msg)?;
    write::file(path, &bytes).with_context(|| format!("failed to write {path}"))
}

/// Writes the file of its own, in the encoding of the original, which its first lines may declare.
fn beside(language: &dyn Language, out: &Utf8Path, path: &str, text: &str) -> Result<()> {
    let original = std::fs::read(path)?;
    let bytes = language.encode(text, &original).map_err(anyhow::Error::msg)?;
    write::file(out, &bytes).with_context(|| format!("failed to write {out}"))
}

/// Runs the file where it was written: it may stand away from what it needs.
fn check(language: &dyn Language, out: &Utf8Path, target: &str, outcome: &Outcome) -> Option<String> {
    if !outcome.after.is_empty() {
        return None;
    }
    let wanted = outcome.failure.as_ref()?;
    let problem = match language.run_alone(out, target)? {
        Observation::Failed(seen) if seen.exception().type_name == wanted.exception().type_name => {
            return None;
        }
        Observation::Failed(seen) => {
            format!("it fails with {}: {}", seen.exception().type_name, seen.exception().message)
        }
        Observation::Passed | Observation::Skipped { .. } => "it passes".to_owned(),
        Observation::Broken { message, .. } => message,
        Observation::Hung { .. } | Observation::Died { .. } => "it does not run".to_owned(),
    };
    Some(format!("{out} does not fail the same way where it stands: {problem}; write it beside the original"))
}
