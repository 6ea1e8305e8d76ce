//! [`Recorder`]: which lines of the code under test the tests of a target run, and where its sources are.

use super::Java;
use super::USUAL_MAIN_ROOT;
use super::sources::{java_files, read};
use camino::{Utf8Path, Utf8PathBuf};
use paring_java::frontend::outline;
use paring_java::runner::{JavaProject, JunitCoverage, Jvms};
use paring_model::{Candidate, Coverage, Covered, Heard, Heat, RunnerError, Spectra};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How deep, and in how many folders, sources are looked for that nobody named.
const DEPTH: usize = 20;
const FOLDERS: usize = 2000;

pub struct Recorder {
    coverage: JunitCoverage,
    jvms: Arc<Jvms>,
}

impl Recorder {
    pub fn new(java: &Java, project: &JavaProject, jvms: Arc<Jvms>) -> Self {
        let project = JavaProject { good: None, ..project.clone() };
        let code = code_roots(java, &project);
        Self { coverage: JunitCoverage::new(project, code, java.timeout), jvms }
    }
}

impl Coverage for Recorder {
    fn suite(
        &self,
        paths: &[String],
        spectra: &dyn Spectra,
        tell: &dyn Fn(Heard<'_>),
    ) -> Result<Covered, RunnerError> {
        self.coverage.suite(paths, spectra, tell)
    }

    fn candidate(&self, candidate: &Candidate, heat: Heat) -> Result<Covered, RunnerError> {
        self.coverage.candidate(&self.jvms, candidate, heat)
    }
}

/// Where packages of the code under test start: as Maven has it, or as the user says, or as it is found in the project.
pub fn code_roots(java: &Java, project: &JavaProject) -> Vec<Utf8PathBuf> {
    let modules = java.layout.iter().flat_map(|layout| &layout.modules);
    let main = modules.map(|module| module.join(USUAL_MAIN_ROOT)).filter(|root| root.is_dir());
    let known: Vec<Utf8PathBuf> = main.chain(java.sources.iter().cloned()).collect();
    if known.is_empty() { found(&project.cwd, &project.test_source_roots) } else { known }
}

/// Folders in which packages start, as the sources in them say; those of tests are not asked.
fn found(cwd: &Utf8Path, tests: &[Utf8PathBuf]) -> Vec<Utf8PathBuf> {
    let mut roots = BTreeSet::new();
    let mut open = vec![(cwd.to_owned(), 0)];
    let mut n_seen = 0;
    while let Some((folder, depth)) = open.pop() {
        n_seen += 1;
        let is_of_tests = tests.contains(&folder);
        // What lies below a root belongs to it.
        let is_known = roots.iter().any(|root: &Utf8PathBuf| folder.starts_with(root));
        if n_seen > FOLDERS || depth > DEPTH || is_of_tests || is_known {
            continue;
        }
        let mut entries: Vec<Utf8PathBuf> = folder
            .read_dir_utf8()
            .into_iter()
            .flatten()
            .flatten()
            .map(camino::Utf8DirEntry::into_path)
            .collect();
        entries.sort();
        let source = entries.iter().find(|path| path.extension() == Some("java") && path.is_file());
        if let Some(root) = source.and_then(|file| root_of(file)).filter(|root| !tests.contains(root)) {
            roots.insert(root);
            continue;
        }
        let is_kept = |path: &Utf8PathBuf| {
            let name = path.file_name().unwrap_or_default();
            path.is_dir()
                && !path.is_symlink()
                && !name.starts_with('.')
                && !["target", "build", "node_modules"].contains(&name)
        };
        open.extend(entries.into_iter().filter(is_kept).map(|path| (path, depth + 1)));
    }
    let roots: Vec<Utf8PathBuf> = roots.into_iter().collect();
    let of = |root: &Utf8PathBuf| -> BTreeSet<Utf8PathBuf> {
        let files = java_files(root, DEPTH).into_iter();
        files.filter_map(|file| file.strip_prefix(root).ok().map(Utf8Path::to_owned)).collect()
    };
    let files: Vec<BTreeSet<Utf8PathBuf>> = roots.iter().map(of).collect();
    // Of two versions of a class, nobody says which is the one that runs.
    let is_alone =
        |at: usize| (0..roots.len()).all(|other| other == at || files[at].is_disjoint(&files[other]));
    (0..roots.len()).filter(|&at| is_alone(at)).map(|at| roots[at].clone()).collect()
}

/// The folder that a file's package starts in.
fn root_of(file: &Utf8Path) -> Option<Utf8PathBuf> {
    let package = outline(&read(file)?).package;
    let mut root = file.parent()?;
    for name in package.rsplit('.').filter(|name| !name.is_empty()) {
        if root.file_name() != Some(name) {
            return None;
        }
        root = root.parent()?;
    }
    Some(root.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_that_nobody_named_are_found_by_their_packages() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
        for (path, text) in [
            ("lib/shop/a/Cart.java", "package shop.a; class Cart {}"),
            ("tests/shop/CartTest.java", "package shop; class CartTest {}"),
            ("old/bag/Bag.java", "package bag; class Bag {}"),
            ("new/bag/Bag.java", "package bag; class Bag {}"),
            ("target/gen/B.java", "package gen; class B {}"),
            ("odd/place/C.java", "package elsewhere; class C {}"),
        ] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        assert_eq!(found(&root, &[root.join("tests")]), [root.join("lib")]);
    }
}
