//! What the tests of a class depend on, as far as can be seen, so that they need not run again while none of that changes.
//!
//! - The class files of the test class, of all it names, of all those name, and so on; the same for the classes whose lines ran.
//!   What runs once for all tests, such as initialisers of classes, is in there whichever test ran it.
//! - The sources of the classes whose lines ran: lines are told of those.
//! - The JDK and its options, libraries by their dates, and all that lies in the folders of the class path and is no class.
//!
//! Other data files, most variables of the environment, classes that are only found by names made at run time: nobody sees that.

use super::project::JavaProject;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{Part, Stamp, digest};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::SystemTime;

/// Of the many variables there are, those that JVMs themselves look at.
const VARIABLES: [&str; 5] = ["JAVA_", "JDK_", "LC_", "LANG", "TZ"];
/// Between names in descriptors and signatures of class files.
const BETWEEN: [char; 9] = [';', '(', ')', '<', '>', ':', '[', '+', '*'];

pub struct Depends {
    began: SystemTime,
    surroundings: Arc<Stamp>,
    /// Roots of sources.
    roots: Vec<Utf8PathBuf>,
    /// Files of the classes in folders, by names such as `com/acme/Cart$Item`.
    classes: BTreeMap<String, Utf8PathBuf>,
    /// Of classes that were looked at, those that they name.
    named: BTreeMap<String, Vec<String>>,
    stamps: BTreeMap<Utf8PathBuf, Option<Arc<Stamp>>>,
}

impl Depends {
    /// What changed after `began` is not what the tests ran on. The folder of the worker is named by what is in it.
    pub fn new(project: &JavaProject, worker: &Utf8Path, roots: Vec<Utf8PathBuf>, began: SystemTime) -> Self {
        let JavaProject { cwd, jdk, classpath, extra_classpath, jvm_args, env, .. } = project;
        let mut all = format!("{worker} {cwd} {jdk:?} {jvm_args:?} {env:?} {roots:?}\n");
        let variables = std::env::vars().filter(|(name, _)| VARIABLES.iter().any(|it| name.starts_with(it)));
        for (name, value) in variables.collect::<BTreeMap<String, String>>() {
            let _ = writeln!(all, "{name}={value}");
        }
        let mut classes = BTreeMap::new();
        for entry in classpath.iter().chain(extra_classpath) {
            let _ = writeln!(all, "{entry} {}", dated(entry));
            for file in files_in(entry) {
                let name = file.strip_prefix(entry).unwrap_or(&file);
                if name.extension() == Some("class") {
                    classes.entry(name.with_extension("").into_string()).or_insert(file);
                } else {
                    let _ = writeln!(all, "{file} {}", digest(std::fs::read(&file).unwrap_or_default()));
                }
            }
        }
        let surroundings =
            Stamp { path: Utf8PathBuf::new(), part: Part::Surroundings, digest: digest(all.as_bytes()) };
        Self {
            began,
            surroundings: Arc::new(surroundings),
            roots,
            classes,
            named: BTreeMap::new(),
            stamps: BTreeMap::new(),
        }
    }

    /// Whether all still is as it was.
    pub fn holds(&mut self, stamp: &Stamp) -> bool {
        match stamp.part {
            Part::Surroundings => *stamp == *self.surroundings,
            Part::Whole => self.stamp(&stamp.path).is_some_and(|now| *now == *stamp),
            // Never written for Java.
            Part::Loaded => false,
        }
    }

    /// The stamps of a class whose tests are over; none where a file has changed meanwhile.
    pub fn stamps<'a>(
        &mut self,
        class: &str,
        ran: impl Iterator<Item = &'a Utf8PathBuf>,
    ) -> Option<Vec<Arc<Stamp>>> {
        let sources: BTreeSet<&Utf8PathBuf> = ran.collect();
        let mut names = self.with_inner(&class.replace('.', "/"));
        for source in &sources {
            let within = self.roots.iter().filter_map(|root| source.strip_prefix(root).ok());
            let within: Vec<Utf8PathBuf> = within.map(|path| path.with_extension("")).collect();
            names.extend(within.iter().flat_map(|name| self.with_inner(name.as_str())));
        }
        let mut stamps = vec![Arc::clone(&self.surroundings)];
        for name in self.reached(names) {
            let file = self.classes[&name].clone();
            stamps.push(self.stamp(&file)?);
        }
        for source in sources {
            stamps.push(self.stamp(source)?);
        }
        Some(stamps)
    }

    /// A class and those within it, as far as they are in folders.
    fn with_inner(&self, name: &str) -> Vec<String> {
        let inner = format!("{name}$");
        let from = self.classes.range(name.to_owned()..).map(|(other, _)| other);
        let near = from.take_while(|other| other.starts_with(name));
        near.filter(|other| *other == name || other.starts_with(&inner)).cloned().collect()
    }

    fn reached(&mut self, from: Vec<String>) -> BTreeSet<String> {
        let mut seen: BTreeSet<String> = from.iter().cloned().collect();
        let mut open = from;
        while let Some(name) = open.pop() {
            if !self.named.contains_key(&name) {
                let bytes = std::fs::read(&self.classes[&name]).unwrap_or_default();
                let named = names(&bytes).into_iter().filter(|other| self.classes.contains_key(other));
                let named = named.collect();
                self.named.insert(name.clone(), named);
            }
            open.extend(self.named[&name].iter().filter(|other| seen.insert((*other).clone())).cloned());
        }
        seen
    }

    fn stamp(&mut self, path: &Utf8Path) -> Option<Arc<Stamp>> {
        if let Some(stamp) = self.stamps.get(path) {
            return stamp.clone();
        }
        let stamp = self
            .read(path)
            .map(|digest| Arc::new(Stamp { path: path.to_owned(), part: Part::Whole, digest }));
        self.stamps.insert(path.to_owned(), stamp.clone());
        stamp
    }

    /// None of a file that is newer than the run.
    fn read(&self, path: &Utf8Path) -> Option<String> {
        let Ok(bytes) = std::fs::read(path) else { return Some("absent".to_owned()) };
        let modified = path.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified <= self.began).then(|| digest(&bytes))
    }
}

/// All that may be the name of a class in a class file: in constants, descriptors, signatures, and in texts that reflection reads.
fn names(class: &[u8]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in texts(class).unwrap_or_default() {
        for part in text.split(BETWEEN) {
            let part = part.replace('.', "/");
            let of_type = part.trim_start_matches(['B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z', 'V']);
            found.extend(of_type.strip_prefix('L').map(str::to_owned));
            found.insert(part);
        }
    }
    found
}

/// The texts of a class file's pool of constants (JVM specification, 4.4); none where it is no class file.
fn texts(class: &[u8]) -> Option<Vec<String>> {
    let two = |at: usize| Some(usize::from(u16::from_be_bytes(class.get(at..at + 2)?.try_into().ok()?)));
    let (n_constants, mut at, mut idx) = (two(8)?, 10, 1);
    let mut texts = Vec::new();
    while idx < n_constants {
        let tag = *class.get(at)?;
        idx += 1;
        at += 1 + match tag {
            1 => {
                let n_bytes = two(at + 1)?;
                let text = class.get(at + 3..at + 3 + n_bytes)?;
                texts.push(String::from_utf8_lossy(text).into_owned());
                2 + n_bytes
            }
            5 | 6 => {
                // They take up two places.
                idx += 1;
                8
            }
            3 | 4 | 9..=12 | 17 | 18 => 4,
            15 => 3,
            7 | 8 | 16 | 19 | 20 => 2,
            _ => return None,
        };
    }
    Some(texts)
}

/// A library is what it is as long as its size and date are.
fn dated(path: &Utf8Path) -> String {
    let Ok(metadata) = path.metadata() else { return "absent".to_owned() };
    if metadata.is_dir() {
        "folder".to_owned()
    } else {
        format!("{} {:?}", metadata.len(), metadata.modified().ok())
    }
}

/// Sorted; empty where it is no folder.
fn files_in(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.into_path()),
                Ok(_) => found.push(entry.into_path()),
                Err(_) => {}
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class file with these constants and nothing else, a number of eight bytes among them.
    fn class(constants: &[&str]) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
        let n_constants = u16::try_from(constants.len() + 3).expect("few");
        bytes.extend(n_constants.to_be_bytes());
        bytes.extend([5, 0, 0, 0, 0, 0, 0, 0, 1]);
        for text in constants {
            bytes.push(1);
            bytes.extend(u16::try_from(text.len()).expect("short").to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes
    }

    #[test]
    fn names_of_classes_are_found_in_all_their_forms() {
        let class = class(&[
            "a/Plain",
            "(ILa/Taken;[Lb/Other;)La/Given;",
            "Ljava/util/List<La/Element;>;",
            "a.Reflected",
        ]);
        let names = names(&class);
        for name in ["a/Plain", "a/Taken", "b/Other", "a/Given", "a/Element", "a/Reflected"] {
            assert!(names.contains(name), "{name}: {names:?}");
        }
    }

    #[test]
    fn what_is_no_class_file_names_nothing() {
        assert_eq!(texts(b"no"), None);
        assert_eq!(texts(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 9, 99]), None);
    }
}
