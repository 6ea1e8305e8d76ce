//! The version of a Java project on which the test passes: a class path, or another checkout that Maven compiles.
//!
//! The tests are the current ones; of the other version comes the code under test and what it depends on.

use super::Java;
use crate::good::{check_out, unusable};
use camino::{Utf8Path, Utf8PathBuf};
use paring_java::maven::{Compile, Layout, resolve};
use paring_java::runner::GoodClasspath;
use paring_model::ErrorCode;
use paring_tasks::OutcomeError;
use tempfile::TempDir;

/// A good version, where there is one. Temporary folders live as long as this.
#[derive(Default)]
pub struct GoodVersion {
    class_path: Option<Vec<Utf8PathBuf>>,
    _temporary: Vec<TempDir>,
}

impl GoodVersion {
    /// Finds or makes what the user named, for a test class.
    pub fn prepare(java: &Java, class: &str) -> Result<Self, OutcomeError> {
        if let Some(class_path) = &java.good_class_path {
            return Ok(Self { class_path: Some(class_path.clone()), ..Self::default() });
        }
        let Some(given) = java.good.given() else { return Ok(Self::default()) };
        let Some(layout) = &java.layout else {
            return Err(OutcomeError {
                code: ErrorCode::Good,
                message: format!("--good {given} needs a Maven project to compile there"),
                help: "give the class path of the good version instead: --good-classpath".to_owned(),
            });
        };
        let mut temporary = Vec::new();
        let folder = java.cwd.join(given);
        let root = if folder.is_dir() {
            folder
        } else {
            check_out(given, &layout.root, &mut temporary).map_err(|error| unusable(&error))?
        };
        let current = java.module_of(class)?;
        let there = good_layout(&root, layout, &java.cwd).ok_or_else(|| OutcomeError {
            code: ErrorCode::Good,
            message: format!("--good {given} has no pom.xml"),
            help: "give --good a git revision of this repository, or a folder with the same project"
                .to_owned(),
        })?;
        let module = layout.place(class).map_or_else(|| layout.root.clone(), |place| place.module);
        let relative = module.strip_prefix(&layout.root).unwrap_or(Utf8Path::new(""));
        let module =
            if relative.as_str().is_empty() { there.root.clone() } else { there.root.join(relative) };
        let good = resolve(&there, &module, &java.request(Compile::Main)).map_err(|error| {
            let mut error = OutcomeError::from(error);
            error.message = format!("on the good version: {}", error.message);
            error
        })?;
        Ok(Self { class_path: Some(current.class_path_on(&good)), _temporary: temporary })
    }

    /// As the runner takes it.
    pub fn class_path(&self) -> Option<GoodClasspath> {
        self.class_path.clone().map(|classpath| GoodClasspath { classpath, cwd: None })
    }
}

/// The reactor in another folder: that folder may stand for the root, or for where the user is in it.
fn good_layout(folder: &Utf8Path, layout: &Layout, cwd: &Utf8Path) -> Option<Layout> {
    let inner = cwd.strip_prefix(&layout.root).unwrap_or(Utf8Path::new(""));
    let n_up = inner.components().count();
    let above = folder.ancestors().nth(n_up).filter(|root| n_up > 0 && root.join("pom.xml").is_file());
    Layout::find(above.unwrap_or(folder))
}
