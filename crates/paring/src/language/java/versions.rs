//! Older versions of a Maven project: the code under test of a commit, compiled apart by a warm worker.
//!
//! Only the code is older: the modules of the reactor that the tests' class path leads to, their sources and resources. Tests, poms and
//! libraries are the present ones, and Maven is not started. What javac alone cannot make makes a version unusable, with the reason.

use super::Started;
use super::sources::java_files;
use crate::good::{Difference, Finder, Parts, Place, Repo, laid_out};
use camino::{Utf8Path, Utf8PathBuf};
use paring_java::maven::{Layout, Module};
use paring_java::runner::{GoodClasspath, GoodJvms, Jvms};
use paring_model::{Tried, VersionName, Versions};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How deep packages go.
const DEPTH: usize = 20;
/// Sources of other compilers, whose classes javac does not make.
const OTHERS: [&str; 7] = ["kt", "kts", "groovy", "scala", "clj", "aj", "xtend"];
/// Below `src/main`, in the usual layout: sources, and what is copied to the classes.
const JAVA: &str = "java";
const RESOURCES: &str = "resources";

/// What the versions of a module share for as long as paring runs.
pub struct JavaVersions {
    finder: Rc<Finder>,
    code: Code,
    jvms: Arc<Jvms>,
    /// The last one that was made ready: it may serve the next target too.
    found: Rc<RefCell<Option<Rc<Compiled>>>>,
    cache: Utf8PathBuf,
    budget: Option<Duration>,
    /// No version can be made.
    is_over: Cell<bool>,
}

/// A version that is compiled.
pub struct Compiled {
    jvms: GoodJvms,
    of: Arc<Jvms>,
    commit: Option<String>,
}

impl JavaVersions {
    pub fn new(
        finder: Rc<Finder>,
        module: &Module,
        layout: &Layout,
        jvms: Arc<Jvms>,
        found: Rc<RefCell<Option<Rc<Compiled>>>>,
        cache: &Utf8Path,
        budget: Option<Duration>,
    ) -> Self {
        let code = Code::of(module, layout);
        Self { finder, code, jvms, found, cache: cache.to_owned(), budget, is_over: Cell::new(false) }
    }

    fn compiled(
        &self,
        repo: &Repo,
        place: &Place,
        difference: &Difference,
        parts: &Parts,
    ) -> Result<Compiled, String> {
        can_be_made(difference)?;
        let laid = laid_out(repo, place, difference, parts, &self.cache).map_err(|it| format!("{it:#}"))?;
        let folder = tempfile::Builder::new().prefix("good-classes-").tempdir_in(&self.cache);
        let folder = folder.map_err(|io| io.to_string())?;
        let classes = Utf8Path::from_path(folder.path()).ok_or("the cache's path is not UTF-8")?.to_owned();
        let sources = self.code.sources(&laid.tree);
        let build = |sources: &[String]| self.jvms.build(sources, &self.code.args(&classes));
        if let Some(message) = build(&sources).map_err(|error| error.message)? {
            // What is excluded, or made by a plugin, is not known here: then no version is made right.
            let present = self.code.sources(&(Utf8PathBuf::from("/"), Utf8PathBuf::from("/")));
            let is_program = build(&present).is_ok_and(|message| message.is_none());
            self.is_over.set(!is_program);
            let where_else = if is_program { "" } else { ", nor does the present code by javac alone" };
            return Err(format!("does not compile there{where_else} ({message})"));
        }
        self.code.resources(&laid.tree, &difference.changed, &classes).map_err(|io| io.to_string())?;
        let good = GoodClasspath { classpath: self.code.class_path(&classes), cwd: None };
        let jvms = self.jvms.good(&good, folder).map_err(|error| error.message)?;
        let commit = Some(place.commit.clone());
        Ok(Compiled { jvms, of: Arc::clone(&self.jvms), commit })
    }
}

impl Started {
    fn of(&self) -> &JavaVersions {
        self.versions.as_ref().expect("nobody asks for versions where there are none")
    }

    /// Runs on the good version are made on this one from here on.
    fn take(&self, found: Option<Rc<Compiled>>) {
        self.runner.set_good(found.as_ref().map(|found| found.jvms.clone()));
        *self.of().found.borrow_mut() = found;
    }
}

impl Versions for Started {
    fn given(&self) -> Option<Tried> {
        None
    }

    fn begin(&self) {
        self.of().finder.begin();
    }

    fn next(&self) -> Option<Tried> {
        let of = self.of();
        let repo = of.finder.repo()?;
        let parts = of.code.parts(repo);
        let other = if of.is_over.get() { None } else { of.finder.next(&parts) }?;
        let version = repo.name(&other.place.commit, &other.place.way);
        let at_hand = of.found.borrow().clone();
        let serves =
            |found: &Rc<Compiled>| found.commit == version.commit && Arc::ptr_eq(&found.of, &of.jvms);
        let found = match at_hand.filter(serves) {
            Some(found) => Ok(found),
            None => of.compiled(repo, &other.place, &other.difference, &parts).map(Rc::new),
        };
        Some(match found {
            Err(why) => Tried::Unusable { version, why },
            Ok(found) => {
                self.take(Some(found));
                Tried::Ready { version, lacks: Vec::new() }
            }
        })
    }

    fn keep(&self, version: &mut VersionName) {
        let finder = &self.of().finder;
        finder.keep();
        if let Some(repo) = finder.repo() {
            repo.describe(version);
        }
    }

    fn drop_last(&self) {
        self.of().finder.give_up();
        self.take(None);
    }

    fn cold(&self, seen: Duration) -> Duration {
        self.of().finder.cold(seen)
    }

    fn budget(&self) -> Option<Duration> {
        self.of().budget
    }

    fn end(&self) -> Option<String> {
        self.of().finder.end()
    }
}

/// The code under test that the class path of a module's tests leads to.
struct Code {
    module: Module,
    /// Modules of the reactor whose code it is, the tests' own first.
    modules: Vec<Utf8PathBuf>,
    /// Where packages start, in all of them.
    roots: Vec<Utf8PathBuf>,
    /// What is on the class path beside that.
    libraries: Vec<Utf8PathBuf>,
    /// Compiled code of the modules as it is at present.
    present: Vec<Utf8PathBuf>,
}

impl Code {
    fn of(module: &Module, layout: &Layout) -> Self {
        let reactor: Vec<Utf8PathBuf> = layout.modules.iter().map(|folder| real(folder)).collect();
        let module_of = |entry: &Utf8Path| {
            let around = reactor.iter().filter(|folder| entry.starts_with(folder.join("target")));
            around.max_by_key(|folder| folder.as_str().len()).filter(|_| !is_of_tests(entry))
        };
        let home = reactor.iter().filter(|folder| real(&module.classes).starts_with(folder));
        let home = home.max_by_key(|folder| folder.as_str().len()).cloned();
        let mut code = Self {
            module: module.clone(),
            modules: home.into_iter().collect(),
            roots: module.sources.iter().map(|root| real(root)).collect(),
            libraries: Vec::new(),
            present: vec![module.classes.clone()],
        };
        for entry in &module.dependencies {
            match module_of(&real(entry)) {
                None => code.libraries.push(entry.clone()),
                Some(folder) => {
                    code.present.push(entry.clone());
                    if !code.modules.contains(folder) {
                        code.modules.push(folder.clone());
                        code.roots.push(folder.join("src/main").join(JAVA));
                    }
                }
            }
        }
        code
    }

    /// What of the repository is code.
    fn parts(&self, repo: &Repo) -> Parts {
        let mains = self.modules.iter().map(|folder| folder.join("src/main"));
        let code = mains.chain(self.roots.iter().cloned());
        let code = code.filter_map(|folder| folder.strip_prefix(&repo.top).ok().map(Utf8Path::to_owned));
        Parts::Maven { code: code.collect() }
    }

    /// The files to compile of a version: its own, and what was generated from sources that are the same.
    fn sources(&self, (top, laid): &(Utf8PathBuf, Utf8PathBuf)) -> Vec<String> {
        let there =
            |root: &Utf8PathBuf| root.strip_prefix(top).map_or_else(|_| root.clone(), |it| laid.join(it));
        let own = self.roots.iter().map(there);
        let made = self.modules.iter().map(|folder| folder.join("target/generated-sources"));
        let mut files: Vec<Utf8PathBuf> = own.flat_map(|root| java_files(&root, DEPTH)).collect();
        for folder in made {
            // Annotation processors make theirs anew.
            let is_made = |file: &Utf8PathBuf| !file.starts_with(folder.join("annotations"));
            files.extend(java_files(&folder, DEPTH).into_iter().filter(is_made));
        }
        files.retain(|file| file.file_name() != Some("module-info.java"));
        files.sort();
        files.dedup();
        files.into_iter().map(Utf8PathBuf::into_string).collect()
    }

    fn args(&self, classes: &Utf8Path) -> Vec<String> {
        let class_path: Vec<&str> = self.libraries.iter().map(|entry| entry.as_str()).collect();
        let separator = if cfg!(windows) { ";" } else { ":" };
        let mut args: Vec<String> =
            ["-g", "-nowarn", "-d", classes.as_str(), "-cp", &class_path.join(separator)]
                .map(str::to_owned)
                .into();
        let own = &self.module.javac_args;
        if !own.iter().any(|arg| arg.starts_with("-encoding") || arg == "--encoding") {
            let encoding = self.module.encoding.clone();
            args.extend(encoding.into_iter().flat_map(|encoding| ["-encoding".to_owned(), encoding]));
        }
        // A warning of an older version is not this user's.
        args.extend(own.iter().filter(|arg| *arg != "-Werror").cloned());
        args
    }

    /// Puts what is no class beside the classes: as Maven made it at present, and what differs as it is in the version.
    fn resources(
        &self,
        (top, laid): &(Utf8PathBuf, Utf8PathBuf),
        changed: &BTreeSet<Utf8PathBuf>,
        classes: &Utf8Path,
    ) -> io::Result<()> {
        for folder in self.present.iter().filter(|entry| entry.is_dir()) {
            copy_resources(folder, classes)?;
        }
        for module in &self.modules {
            let Ok(folder) =
                module.join("src/main").join(RESOURCES).strip_prefix(top).map(Utf8Path::to_owned)
            else {
                continue;
            };
            for path in changed {
                let Ok(inside) = path.strip_prefix(&folder) else { continue };
                let (from, to) = (laid.join(path), classes.join(inside));
                if from.is_file() {
                    fs::create_dir_all(to.parent().unwrap_or(classes))?;
                    fs::copy(from, to)?;
                } else if to.is_file() {
                    fs::remove_file(to)?;
                }
            }
        }
        Ok(())
    }

    fn class_path(&self, classes: &Utf8Path) -> Vec<Utf8PathBuf> {
        let own = [self.module.test_classes.clone(), classes.to_owned()];
        own.into_iter().chain(self.libraries.iter().cloned()).collect()
    }
}

/// Whether javac alone makes the version.
fn can_be_made(difference: &Difference) -> Result<(), String> {
    let is_other = |path: &Utf8Path| path.extension().is_some_and(|it| OTHERS.contains(&it));
    let is_main = |path: &Utf8Path| path.as_str().contains("src/main/");
    if let Some(entry) = difference.entries.iter().find(|it| is_main(&it.path) && is_other(&it.path)) {
        return Err(format!("javac alone does not make its code ({})", entry.path));
    }
    let is_known = |path: &&Utf8PathBuf| {
        let folder = path.as_str().split("src/main/").nth(1).and_then(|rest| rest.split('/').next());
        path.extension() == Some("java") || folder.is_none_or(|folder| [JAVA, RESOURCES].contains(&folder))
    };
    match difference.code.iter().find(|path| !is_known(path)) {
        Some(path) => Err(format!("{path} differs there, from which more than javac makes code")),
        None => Ok(()),
    }
}

/// Tests of another module are the present ones.
fn is_of_tests(entry: &Utf8Path) -> bool {
    let name = entry.file_name().unwrap_or_default();
    name == "test-classes" || name.ends_with("-tests.jar")
}

fn copy_resources(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    for entry in from.read_dir_utf8()?.flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_resources(source, &target)?;
        } else if source.extension() != Some("class") && !target.exists() {
            fs::create_dir_all(to)?;
            fs::copy(source, &target)?;
        }
    }
    Ok(())
}

fn real(path: &Utf8Path) -> Utf8PathBuf {
    path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
}
