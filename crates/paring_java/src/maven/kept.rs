//! What Maven said, kept until a pom, an argument or a source changes.
//!
//! Two things must hold for an answer to be used again: nothing that Maven reads to make it has changed (the key), and the
//! classes are still those of the sources (the fingerprint of all sources of the reactor, by path, size and time).

use super::{Compile, Layout, Module, Request};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::UNIX_EPOCH;

/// Changes with the form of what is kept.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Kept {
    module: Module,
    /// The folders whose sources count.
    modules: Vec<Utf8PathBuf>,
    sources: String,
}

/// All that Maven's answer depends on but sources.
pub fn key(layout: &Layout, module: &Utf8Path, request: &Request<'_>) -> String {
    let mut hash = Sha256::new();
    let compile = match request.compile {
        Compile::Main => "main",
        Compile::Tests => "tests",
    };
    hash.update(format!(
        "{VERSION}\n{}\n{module}\n{compile}\n{:?}\n{:?}\n",
        layout.root, request.args, request.java_home
    ));
    hash.update(format!("{:?}\n", std::env::var_os("JAVA_HOME")));
    let mvn =
        [".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml"].map(|name| layout.root.join(name));
    let settings = std::env::var("HOME").ok().map(|home| Utf8PathBuf::from(home).join(".m2/settings.xml"));
    for file in layout.poms().into_iter().chain(mvn).chain(settings) {
        hash.update(format!("{file}\n"));
        hash.update(std::fs::read(&file).unwrap_or_default());
    }
    hex(hash)
}

/// The answer kept for a key, where it still holds.
pub fn read(cache: &Utf8Path, key: &str) -> Option<Module> {
    let kept: Kept = serde_json::from_slice(&std::fs::read(file(cache, key)).ok()?).ok()?;
    let module = &kept.module;
    let there = module.dependencies.iter().chain(&module.launcher).all(|path| path.exists());
    let compiled = [&module.classes, &module.test_classes];
    let has_classes = compiled.into_iter().any(|folder| folder.is_dir());
    (there && has_classes && kept.sources == fingerprint(&kept.modules)).then_some(kept.module)
}

/// Keeps an answer. That it cannot be kept costs time and nothing else.
pub fn write(cache: &Utf8Path, key: &str, layout: &Layout, module: &Module) {
    let kept = Kept {
        module: module.clone(),
        modules: layout.modules.clone(),
        sources: fingerprint(&layout.modules),
    };
    let path = file(cache, key);
    let made = path.parent().map(std::fs::create_dir_all);
    if let (Some(Ok(())), Ok(text)) = (made, serde_json::to_vec(&kept)) {
        let _ = std::fs::write(&path, text);
    }
}

fn file(cache: &Utf8Path, key: &str) -> Utf8PathBuf {
    cache.join("maven").join(format!("{key}.json"))
}

/// Every file below `src` of every module, and what of it shows that it changed.
fn fingerprint(modules: &[Utf8PathBuf]) -> String {
    let mut files: Vec<(String, u64, u128)> = Vec::new();
    let mut folders: Vec<Utf8PathBuf> = modules.iter().map(|module| module.join("src")).collect();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                folders.push(entry.into_path());
            } else {
                let time = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                let time = time.map(|time| time.as_nanos()).unwrap_or_default();
                files.push((entry.path().to_string(), about.len(), time));
            }
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    for (path, size, time) in files {
        hash.update(format!("{path}\n{size}\n{time}\n"));
    }
    hex(hash)
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().take(12).fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_holds_until_a_source_changes() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        std::fs::create_dir_all(root.join("src/test/java")).unwrap();
        std::fs::create_dir_all(root.join("target/classes")).unwrap();
        let layout = Layout { root: root.to_owned(), modules: vec![root.to_owned()] };
        let module = Module { classes: root.join("target/classes"), ..Module::default() };
        write(&root.join("cache"), "k", &layout, &module);
        assert_eq!(read(&root.join("cache"), "k"), Some(module));
        std::fs::write(root.join("src/test/java/A.java"), "").unwrap();
        assert_eq!(read(&root.join("cache"), "k"), None);
    }

    #[test]
    fn another_pom_is_another_key() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let layout = Layout { root: root.to_owned(), modules: vec![root.to_owned()] };
        let request = Request { args: &[], java_home: None, cache: root, compile: Compile::Tests };
        let before = key(&layout, root, &request);
        std::fs::write(root.join("pom.xml"), "<project/>").unwrap();
        assert_ne!(before, key(&layout, root, &request));
        let main = Request { compile: Compile::Main, ..request };
        assert_ne!(
            key(&layout, root, &main),
            key(&layout, root, &Request { compile: Compile::Tests, ..main.clone() })
        );
    }
}
