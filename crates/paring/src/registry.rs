//! The one file that names every language, and tells which one a name or a path belongs to.

use crate::language::Language;
use crate::language::python::Python;
use crate::options::Options;
use camino::Utf8Path;
use paring_model::Frontend;
use paring_python::frontend::PythonFrontend;
use paring_report::Reported;
use std::rc::Rc;

/// Every language, with the settings of this invocation.
pub struct Languages {
    python: Rc<dyn Language>,
}

impl Languages {
    pub fn new(options: &Options, cwd: &Utf8Path, cache: &Utf8Path) -> Self {
        Self { python: Rc::new(Python::new(options, cwd, cache)) }
    }

    /// The language of a test, by the name the user gave it.
    pub fn of_target(&self, _given: &str) -> &Rc<dyn Language> {
        &self.python
    }

    /// The language of files and folders to run whole.
    pub fn of_paths(&self, _paths: &[String]) -> &Rc<dyn Language> {
        &self.python
    }

    /// The language and the id of a test in a report, where one of its files is here.
    pub fn reported(&self, test: &Reported) -> Option<(Rc<dyn Language>, String)> {
        [&self.python].into_iter().find_map(|language| Some((Rc::clone(language), language.reported(test)?)))
    }
}

/// The front end for a source file.
pub fn frontend_of(path: &Utf8Path) -> Option<&'static dyn Frontend> {
    match path.extension()? {
        "py" => Some(&PythonFrontend),
        _ => None,
    }
}
