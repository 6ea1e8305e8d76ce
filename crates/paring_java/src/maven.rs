//! Maven projects: which module a test class is in, and what it takes to run that module's tests outside Maven.
//!
//! Everything comes from the user's own `mvnw` or `mvn`. One call compiles the module and what it needs of its reactor, and
//! writes down the class path and the effective model; what a second invocation would learn in the same way is kept, for as
//! long as no pom, no argument and no source has changed.
//!
//! The way of the data: [`layout`] finds the module by reading poms as they stand, [`call`] runs Maven, [`effective`] reads
//! what Surefire and the compiler plugin are told, [`launcher`] adds the parts of `JUnit` that Surefire brings along, and
//! [`kept`] keeps it all.

mod call;
mod effective;
mod kept;
mod launcher;
mod layout;
mod xml;

pub use call::program;
pub use layout::{Layout, Place};

use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;
use serde::{Deserialize, Serialize};

/// What Maven is asked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// The user's own arguments.
    pub args: &'a [String],
    pub java_home: Option<&'a Utf8Path>,
    pub cache: &'a Utf8Path,
    pub compile: Compile,
}

/// How far the module is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compile {
    /// The code under test alone: for a version whose tests are not wanted.
    Main,
    Tests,
}

/// A module as its tests are run in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Module {
    /// Where Surefire runs the tests.
    pub cwd: Utf8PathBuf,
    pub test_classes: Utf8PathBuf,
    pub classes: Utf8PathBuf,
    /// What comes after those two.
    pub dependencies: Vec<Utf8PathBuf>,
    /// Parts of `JUnit` that Surefire would add.
    pub launcher: Vec<Utf8PathBuf>,
    pub test_sources: Vec<Utf8PathBuf>,
    pub sources: Vec<Utf8PathBuf>,
    pub jvm_args: Vec<String>,
    pub javac_args: Vec<String>,
    pub env: Vec<(String, String)>,
    pub encoding: Option<String>,
    /// Things the user should know.
    pub remarks: Vec<String>,
}

impl Module {
    /// The class path of the tests.
    pub fn class_path(&self) -> Vec<Utf8PathBuf> {
        let own = [self.test_classes.clone(), self.classes.clone()];
        own.into_iter().chain(self.dependencies.iter().cloned()).collect()
    }

    /// The class path of these tests on another version of the code under test.
    pub fn class_path_on(&self, other: &Self) -> Vec<Utf8PathBuf> {
        let own = [self.test_classes.clone(), other.classes.clone()];
        own.into_iter().chain(other.dependencies.iter().cloned()).collect()
    }
}

/// Compiles a module of the project, and tells how its tests are run.
pub fn resolve(layout: &Layout, module: &Utf8Path, request: &Request<'_>) -> Result<Module, RunnerError> {
    let key = kept::key(layout, module, request);
    if let Some(module) = kept::read(request.cache, &key) {
        return Ok(module);
    }
    let answer = call::resolve(layout, module, request)?;
    let mut found = effective::module(&answer, module, request.args)?;
    found.launcher = launcher::missing(layout, &found, request)?;
    kept::write(request.cache, &key, layout, &found);
    Ok(found)
}
