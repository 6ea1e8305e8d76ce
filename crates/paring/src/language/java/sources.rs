//! Java sources on disk: the file of a class, and of the method that a class may have inherited.

use camino::{Utf8Path, Utf8PathBuf};
use paring_java::encoding;
use paring_java::frontend::{ClassOutline, Outline, outline};
use std::collections::BTreeSet;

/// How many classes up a test may be inherited from.
const DEPTH: usize = 32;

/// Where a test is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// In this file.
    Here(Utf8PathBuf),
    /// In a class whose source is not at hand.
    Elsewhere { class: String },
    /// Nowhere: the class and what it derives from are at hand, and none declares it.
    Nowhere { near: Vec<String> },
}

/// The folders in which packages start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    pub roots: Vec<Utf8PathBuf>,
}

impl Sources {
    /// The file that declares a class, by its binary name.
    pub fn file_of(&self, class: &str) -> Option<Utf8PathBuf> {
        let outer = class.split('$').next().unwrap_or(class);
        let relative = format!("{}.java", outer.replace('.', "/"));
        let named = self.roots.iter().map(|root| root.join(&relative)).find(|file| file.is_file());
        named.or_else(|| self.beside(outer))
    }

    /// A class may stand in a file of another name in the folder of its package.
    fn beside(&self, outer: &str) -> Option<Utf8PathBuf> {
        let (package, _) = outer.rsplit_once('.').unwrap_or(("", outer));
        let folders = self.roots.iter().map(|root| root.join(package.replace('.', "/")));
        folders.flat_map(|folder| java_files(&folder, 0)).find(|file| {
            read(file).is_some_and(|text| {
                let simple = outer.rsplit('.').next().unwrap_or(outer);
                text.contains(&format!("class {simple}")) && outline(&text).class(outer).is_some()
            })
        })
    }

    /// The file in which a method of a class is written: the class's own, or that of one it derives from.
    pub fn written(&self, class: &str, method: &str) -> Option<Written> {
        let mut open = vec![class.to_owned()];
        let mut seen = BTreeSet::new();
        let mut near = Vec::new();
        let mut lost = None;
        while let Some(class) = open.pop() {
            if seen.len() > DEPTH || !seen.insert(class.clone()) {
                continue;
            }
            let Some(file) = self.file_of(&class) else {
                if seen.len() == 1 {
                    return None;
                }
                lost = lost.or(Some(class));
                continue;
            };
            let text = read(&file)?;
            let outline = outline(&text);
            let Some(found) = outline.class(&class) else {
                if seen.len() == 1 {
                    return None;
                }
                continue;
            };
            if found.methods.iter().any(|name| name == method) {
                return Some(Written::Here(file));
            }
            near.extend(found.tests.iter().cloned());
            let above = found.superclass.iter().chain(&found.interfaces);
            // The superclass is looked at first, so it goes on last.
            let above: Vec<String> = above.filter_map(|name| self.full_name(&outline, found, name)).collect();
            open.extend(above.into_iter().rev());
        }
        Some(match lost {
            Some(class) => Written::Elsewhere { class },
            None => Written::Nowhere { near },
        })
    }

    /// Classes of a file that classes of other files derive from, each by its name within the package and with the other file.
    pub fn borrowed(&self, file: &Utf8Path) -> Vec<(String, Utf8PathBuf)> {
        let Some(own) = read(file).map(|text| outline(&text)) else { return Vec::new() };
        let others = self.roots.iter().flat_map(|root| java_files(root, DEPTH));
        let others = others.filter(|path| path.canonicalize_utf8().as_ref().unwrap_or(path) != file);
        let mut found = Vec::new();
        for (path, text) in others.filter_map(|path| read(&path).map(|text| (path, text))) {
            let derives = text.contains(" extends ") || text.contains(" implements ");
            if !derives || !own.classes.iter().any(|class| text.contains(&class.name)) {
                continue;
            }
            let other = outline(&text);
            for class in &other.classes {
                let above = class.superclass.iter().chain(&class.interfaces);
                let above = above.filter_map(|name| self.full_name(&other, class, name));
                let above = above.filter(|name| own.class(name).is_some());
                let in_package = |name: String| name.rsplit('.').next().unwrap_or(&name).to_owned();
                found.extend(above.map(|name| (in_package(name), path.clone())));
            }
        }
        found
    }

    /// Other classes that have a method of this file since they inherit it.
    pub fn heirs(&self, class: &str, method: &str, file: &Utf8Path) -> Vec<String> {
        let all = self.roots.iter().flat_map(|root| java_files(root, DEPTH));
        let texts = all.filter_map(|path| read(&path)).filter(|text| text.contains(" extends "));
        let mut heirs: Vec<String> = texts
            .flat_map(|text| outline(&text).classes)
            .filter(|found| found.superclass.is_some() && found.binary_name != class)
            .map(|found| found.binary_name)
            .filter(|name| self.is_written_in(name, method, file))
            .collect();
        heirs.sort();
        heirs.dedup();
        heirs
    }

    fn is_written_in(&self, class: &str, method: &str, file: &Utf8Path) -> bool {
        match self.written(class, method) {
            Some(Written::Here(path)) => path.canonicalize_utf8().unwrap_or(path) == file,
            Some(Written::Elsewhere { .. } | Written::Nowhere { .. }) | None => false,
        }
    }

    /// The binary name of a class as it is written in another: nested, imported, of the same package, or in full.
    /// `None` for the classes of the language and the framework that no test is written in.
    fn full_name(&self, outline: &Outline, around: &ClassOutline, name: &str) -> Option<String> {
        let name = name.split('<').next().unwrap_or(name).trim();
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let nested = |outer: &str| match rest {
            Some(rest) => format!("{outer}${}", rest.replace('.', "$")),
            None => outer.to_owned(),
        };
        let mut outer = Some(around.binary_name.as_str());
        while let Some(class) = outer {
            let candidate = format!("{class}${first}");
            if outline.class(&candidate).is_some() {
                return Some(nested(&candidate));
            }
            outer = class.rsplit_once('$').map(|(outer, _)| outer);
        }
        let package = |package: &str| {
            if package.is_empty() { first.to_owned() } else { format!("{package}.{first}") }
        };
        let own = package(&outline.package);
        if outline.class(&own).is_some() {
            return Some(nested(&own));
        }
        let imports = outline.imports.iter().filter(|import| !import.is_static);
        if let Some(import) =
            imports.clone().find(|import| !import.on_demand && import.name.rsplit('.').next() == Some(first))
        {
            return Some(nested(&self.binary(&import.name)));
        }
        let on_demand = imports.filter(|import| import.on_demand).map(|import| package(&import.name));
        let mut near = [own].into_iter().chain(on_demand);
        let here = near.find(|class| self.file_of(class).is_some());
        here.map(|class| nested(&class)).or_else(|| name.contains('.').then(|| self.binary(name)))
    }

    /// `com.acme.Outer.Inner` as a binary name, if there is a source to tell.
    fn binary(&self, dotted: &str) -> String {
        let mut name = dotted.to_owned();
        loop {
            let relative = format!("{}.java", name.split('$').next().unwrap_or(&name).replace('.', "/"));
            if self.roots.iter().any(|root| root.join(&relative).is_file()) {
                return name;
            }
            let (outer, inner) = name.split_once('$').map_or((name.as_str(), None), |(o, i)| (o, Some(i)));
            let Some((package, class)) = outer.rsplit_once('.') else { return dotted.to_owned() };
            name = match inner {
                Some(inner) => format!("{package}${class}${inner}"),
                None => format!("{package}${class}"),
            };
        }
    }

    /// The file relative to the folder its package starts in.
    pub fn short_path(&self, file: &Utf8Path) -> String {
        let real = |root: &Utf8PathBuf| root.canonicalize_utf8().unwrap_or_else(|_| root.clone());
        let roots = self.roots.iter().map(real);
        let within = roots.filter_map(|root| file.strip_prefix(&root).ok().map(ToString::to_string));
        within.min_by_key(String::len).unwrap_or_else(|| file.file_name().unwrap_or_default().to_owned())
    }
}

/// The text of a source file, for looking at names.
pub fn read(file: &Utf8Path) -> Option<String> {
    Some(encoding::decode(&std::fs::read(file).ok()?, None).0)
}

/// The Java files of a folder, and of those in it so far down.
pub fn java_files(folder: &Utf8Path, depth: usize) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if depth > 0 && !["target", ".git", "node_modules"].contains(&entry.file_name()) {
                found.extend(java_files(path, depth - 1));
            }
        } else if path.extension() == Some("java") {
            found.push(path.to_owned());
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(files: &[(&str, &str)]) -> (tempfile::TempDir, Sources) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
        for (path, text) in files {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        (folder, Sources { roots: vec![root] })
    }

    #[test]
    fn what_classes_of_other_files_derive_from_is_borrowed() {
        let (_folder, sources) = sources(&[
            (
                "a/CartTest.java",
                "package a; public class CartTest { static class In {} class Out extends In {} }",
            ),
            ("a/Near.java", "package a; class Near extends CartTest {}"),
            ("b/Far.java", "package b; import a.CartTest; class Far { class X extends CartTest.In {} }"),
            ("b/CartTest.java", "package b; class CartTest {}"),
            ("b/Other.java", "package b; class Other extends CartTest {}"),
        ]);
        let root = &sources.roots[0];
        let expected = [
            ("CartTest".to_owned(), root.join("a/Near.java")),
            ("CartTest$In".to_owned(), root.join("b/Far.java")),
        ];
        assert_eq!(sources.borrowed(&root.join("a/CartTest.java")), expected);
    }

    #[test]
    fn an_inherited_test_is_written_in_the_file_of_the_class_above() {
        let (_folder, sources) = sources(&[
            ("a/CartTest.java", "package a; import b.Base; class CartTest extends Base<String> {}"),
            ("b/Base.java", "package b; public class Base<T> extends Most { }"),
            ("b/Most.java", "package b; class Most { @org.junit.Test public void total() {} }"),
            ("b/Two.java", "package b; class One {} class Other extends One.Sub { void x() {} }"),
            (
                "c/NestedTest.java",
                "package c; class NestedTest { class In extends Up {} class Up { void deep() {} } }",
            ),
            ("c/LostTest.java", "package c; class LostTest extends far.Away {}"),
            ("c/LangTest.java", "package c; class LangTest extends TestCase { public void testNear() {} }"),
        ]);
        let root = &sources.roots[0];
        let check = |class: &str, method: &str, expected: Option<Written>| {
            assert_eq!(sources.written(class, method), expected, "{class}#{method}");
        };
        check("a.CartTest", "total", Some(Written::Here(root.join("b/Most.java"))));
        check("c.NestedTest$In", "deep", Some(Written::Here(root.join("c/NestedTest.java"))));
        check("b.Other", "x", Some(Written::Here(root.join("b/Two.java"))));
        check("c.LostTest", "x", Some(Written::Elsewhere { class: "far.Away".to_owned() }));
        check("c.NoTest", "x", None);
        assert!(matches!(sources.written("c.LangTest", "testNeer"), Some(Written::Nowhere { .. })));
        assert_eq!(sources.short_path(&root.join("b/Most.java")), "b/Most.java");
    }
}
