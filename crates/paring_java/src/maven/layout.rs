//! The folders of a Maven project, from its poms as they stand: no Maven is started to find a test.

use super::xml::{self, Element};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// A reactor: the root's folder, and the folders of all modules, the root's among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub root: Utf8PathBuf,
    /// Nearest to where the user stands first.
    pub modules: Vec<Utf8PathBuf>,
}

/// Where a class is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub module: Utf8PathBuf,
    /// The folder in which packages start.
    pub root: Utf8PathBuf,
    pub file: Utf8PathBuf,
}

/// Folders without test sources.
const SKIPPED: [&str; 6] = ["target", "node_modules", "main", ".git", ".idea", ".mvn"];
/// How deep a folder of sources is looked for below its module.
const DEPTH: usize = 6;

impl Layout {
    /// The project that `cwd` is in.
    pub fn find(cwd: &Utf8Path) -> Option<Self> {
        let nearest = cwd.ancestors().find(|folder| folder.join("pom.xml").is_file())?;
        let mut root = nearest;
        for above in nearest.ancestors().skip(1) {
            if !above.join("pom.xml").is_file() {
                break;
            }
            if all_modules(above).contains(nearest) {
                root = above;
            }
        }
        let all = all_modules(root);
        let (mut modules, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.starts_with(nearest));
        modules.extend(others);
        Some(Self { root: root.to_owned(), modules })
    }

    /// Where a class is written. `class` is a binary name; one without a package may be of any, if there is only one.
    pub fn place(&self, class: &str) -> Option<Place> {
        let outer = class.split('$').next().unwrap_or(class);
        let relative = Utf8PathBuf::from(format!("{}.java", outer.replace('.', "/")));
        let declared = self.modules.iter().find_map(|module| {
            let root = test_root(module);
            let file = root.join(&relative);
            file.is_file().then(|| Place { module: module.clone(), root, file })
        });
        declared.or_else(|| self.search(&relative))
    }

    /// The file by the end of its path, wherever it lies in a module.
    fn search(&self, relative: &Utf8Path) -> Option<Place> {
        self.modules.iter().find_map(|module| {
            let mut found = Vec::new();
            collect(module, &self.modules, DEPTH + 12, &mut |file| {
                if file.ends_with(relative) {
                    found.push(file.to_owned());
                }
            });
            found.sort_by_key(|file| (!file.as_str().contains("/test"), file.clone()));
            let file = found.into_iter().next()?;
            let n_up = relative.components().count();
            let root = if n_up > 1 { file.ancestors().nth(n_up)?.to_owned() } else { package_root(&file)? };
            Some(Place { module: module.clone(), root, file })
        })
    }

    /// Every pom of the reactor.
    pub fn poms(&self) -> Vec<Utf8PathBuf> {
        self.modules.iter().map(|module| module.join("pom.xml")).collect()
    }
}

/// The folder that the declared package of a file starts in.
fn package_root(file: &Utf8Path) -> Option<Utf8PathBuf> {
    let text = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package ")?.split(';').next());
    let n_up = package.map_or(0, |package| package.split('.').count());
    file.parent()?.ancestors().nth(n_up).map(Utf8Path::to_owned)
}

fn collect(folder: &Utf8Path, modules: &[Utf8PathBuf], depth: usize, found: &mut dyn FnMut(&Utf8Path)) {
    let Ok(entries) = folder.read_dir_utf8() else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_dir
            && depth > 0
            && !SKIPPED.contains(&entry.file_name())
            && !modules.iter().any(|it| it == path)
        {
            collect(path, modules, depth - 1, found);
        } else if !is_dir && path.extension() == Some("java") {
            found(path);
        }
    }
}

/// The folder of a module's test sources as its pom has it.
fn test_root(module: &Utf8Path) -> Utf8PathBuf {
    let declared = read(&module.join("pom.xml"))
        .and_then(|pom| pom.at(&["build"])?.text_of("testSourceDirectory").map(str::to_owned));
    let declared = declared.map(|text| text.replace("${project.basedir}", "").replace("${basedir}", ""));
    let plain = declared.filter(|text| !text.contains('$'));
    module.join(plain.as_deref().map_or("src/test/java", |text| text.trim_start_matches('/')))
}

/// The folders of a pom and of all modules below it, profiles' modules included.
fn all_modules(root: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let mut all = BTreeSet::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let Some(pom) = read(&folder.join("pom.xml")) else { continue };
        if !all.insert(folder.clone()) {
            continue;
        }
        let mut modules = Vec::new();
        pom.all("module", &mut modules);
        pom.all("subproject", &mut modules);
        for module in modules {
            let path = normal(&folder.join(&module.text));
            // A module may be named by its pom.
            open.push(if path.extension() == Some("xml") {
                path.parent().unwrap_or(&path).to_owned()
            } else {
                path
            });
        }
    }
    all
}

/// Without `.` and `..`.
fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut normal = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            camino::Utf8Component::CurDir => {}
            camino::Utf8Component::ParentDir => {
                normal.pop();
            }
            camino::Utf8Component::Prefix(_)
            | camino::Utf8Component::RootDir
            | camino::Utf8Component::Normal(_) => normal.push(part),
        }
    }
    normal
}

fn read(pom: &Utf8Path) -> Option<Element> {
    xml::parse(&String::from_utf8_lossy(&std::fs::read(pom).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
        for (path, text) in files {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        (folder, root)
    }

    #[test]
    fn a_class_is_found_in_its_module_from_anywhere_in_the_reactor() {
        let (_folder, root) = project(&[
            ("pom.xml", "<project><modules><module>core</module><module>./web</module></modules></project>"),
            ("core/pom.xml", "<project/>"),
            ("core/src/test/java/com/acme/CartTest.java", ""),
            (
                "web/pom.xml",
                "<project><build><testSourceDirectory>${basedir}/tests</testSourceDirectory></build></project>",
            ),
            ("web/tests/com/acme/PageTest.java", "package com.acme;"),
            ("web/it/java/com/acme/SlowTest.java", ""),
        ]);
        for cwd in [root.clone(), root.join("web"), root.join("core/src/test")] {
            let layout = Layout::find(&cwd).unwrap();
            assert_eq!(layout.root, root);
            assert_eq!(layout.modules.len(), 3);
            let module = |class: &str| layout.place(class).map(|place| place.module);
            assert_eq!(module("com.acme.CartTest"), Some(root.join("core")));
            assert_eq!(module("com.acme.PageTest$Inner"), Some(root.join("web")));
            assert_eq!(layout.place("com.acme.SlowTest").unwrap().root, root.join("web/it/java"));
            assert_eq!(layout.place("PageTest").unwrap().root, root.join("web/tests"));
            assert_eq!(module("com.acme.NoTest"), None);
        }
    }

    #[test]
    fn a_pom_above_that_does_not_know_the_module_is_not_its_root() {
        let (_folder, root) = project(&[("pom.xml", "<project/>"), ("sample/pom.xml", "<project/>")]);
        assert_eq!(Layout::find(&root.join("sample")).unwrap().root, root.join("sample"));
        let (_folder, root) = project(&[("a.txt", "")]);
        assert_eq!(Layout::find(&root), None);
    }
}
