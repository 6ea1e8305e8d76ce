//! The one file that names every language, and tells which one a name or a path belongs to.

use crate::finding::Finding;
use crate::language::Language;
use crate::language::command::CommandLanguage;
use crate::language::java::Java;
use crate::language::python::Python;
use crate::options::Options;
use camino::{Utf8Path, Utf8PathBuf};
use paring_java::frontend::JavaFrontend;
use paring_model::Frontend;
use paring_python::frontend::PythonFrontend;
use paring_report::Reported;
use std::rc::Rc;

/// Every language, with the settings of this invocation.
pub struct Languages {
    python: Rc<dyn Language>,
    java: Rc<dyn Language>,
    /// Set where a command takes the place of a test framework: then it is asked, whatever the target.
    command: Option<Rc<dyn Language>>,
    /// Whether the user stands in a Java project, or describes one.
    is_java_here: bool,
    cwd: Utf8PathBuf,
}

impl Languages {
    pub fn new(options: &Options, cwd: &Utf8Path, cache: &Utf8Path) -> Self {
        let java = Java::new(options, cwd, cache);
        Self {
            is_java_here: java.is_here(),
            python: Rc::new(Python::new(options, cwd, cache)),
            java: Rc::new(java),
            command: CommandLanguage::of(options, cwd, cache)
                .map(|command| Rc::new(command) as Rc<dyn Language>),
            cwd: cwd.to_owned(),
        }
    }

    /// The language of a test, by the name the user gave it.
    pub fn of_target(&self, given: &str) -> &Rc<dyn Language> {
        if let Some(command) = &self.command {
            return command;
        }
        // A case of a Python test may hold anything in its brackets.
        let name = given.split("::").next().unwrap_or(given);
        let is_path = Utf8Path::new(name).extension() == Some("py") || name.len() < given.len();
        let is_java = !is_path
            && (name.contains('#')
                || Utf8Path::new(name).extension() == Some("java")
                || (self.is_java_here
                    && self.python.find(given, &[]).is_err_and(|_| !self.cwd.join(name).exists())));
        if is_java { &self.java } else { &self.python }
    }

    /// The language of files and folders to run whole.
    pub fn of_paths(&self, paths: &[String]) -> &Rc<dyn Language> {
        let has =
            |extension: &str| paths.iter().any(|path| has_files(&self.cwd.join(path), extension, DEPTH));
        if self.is_java_here && (has("java") || !has("py")) { &self.java } else { &self.python }
    }

    /// What the tests of this project need, and whether it is here: languages without tests here are left out.
    pub fn examine(&self) -> Vec<Finding> {
        let has_python = has_files(&self.cwd, "py", DEPTH);
        let mut found = Vec::new();
        if has_python || !self.is_java_here {
            found.extend(self.python.examine());
        }
        if self.is_java_here {
            found.extend(self.java.examine());
        }
        found
    }

    /// The language and the id of a test in a report, where one of its files is here.
    pub fn reported(&self, test: &Reported) -> Option<(Rc<dyn Language>, String)> {
        let languages = [&self.python, &self.java];
        languages.into_iter().find_map(|language| Some((Rc::clone(language), language.reported(test)?)))
    }
}

/// How deep below a folder its files are looked for.
const DEPTH: usize = 20;

fn has_files(path: &Utf8Path, extension: &str, depth: usize) -> bool {
    if path.is_file() {
        return path.extension() == Some(extension);
    }
    let entries = path.read_dir_utf8().into_iter().flatten().flatten();
    depth > 0 && entries.into_iter().any(|entry| has_files(entry.path(), extension, depth - 1))
}

/// The front end for a source file.
pub fn frontend_of(path: &Utf8Path) -> Option<&'static dyn Frontend> {
    match path.extension()? {
        "py" => Some(&PythonFrontend),
        "java" => Some(&JavaFrontend),
        _ => None,
    }
}
