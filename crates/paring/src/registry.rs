//! The one file that names every language.

use camino::Utf8Path;
use paring_model::Frontend;
use paring_python::frontend::PythonFrontend;

/// A language paring can pare tests of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
}

impl Language {
    /// The language of a test, by the name the user gave it.
    pub fn of_target(target: &str) -> Option<Self> {
        let file = target.split("::").next().unwrap_or(target);
        let is_python = Utf8Path::new(file).extension() == Some("py");
        (is_python || !file.contains(['/', '#'])).then_some(Language::Python)
    }

    pub fn frontend(self) -> &'static dyn Frontend {
        match self {
            Language::Python => &PythonFrontend,
        }
    }
}
