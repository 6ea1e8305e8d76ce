//! The user's project, as far as running its tests goes.

use super::jdk::Jdk;
use camino::{Utf8Path, Utf8PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaProject {
    /// Where tests are run.
    pub cwd: Utf8PathBuf,
    pub jdk: Jdk,
    /// Code under test, compiled tests, libraries, `JUnit`: as `java -cp` takes it.
    pub classpath: Vec<Utf8PathBuf>,
    /// What paring adds behind it, such as the launcher that runs `JUnit` 5 and that builds often leave out.
    pub extra_classpath: Vec<Utf8PathBuf>,
    pub good: Option<GoodClasspath>,
    /// Roots below which the test sources lie by package.
    pub test_source_roots: Vec<Utf8PathBuf>,
    /// Whether classes that are not on the class path are compiled from the test source roots.
    pub compiles_other_sources: bool,
    pub jvm_args: Vec<String>,
    /// Such as `--release 8`.
    pub javac_args: Vec<String>,
    /// Extends and replaces the inherited environment.
    pub env: Vec<(String, String)>,
    /// How many workers run at once.
    pub jobs: usize,
    /// Bytes of heap a run may have.
    pub memory_limit: Option<u64>,
    /// Where paring may write: the compiled worker.
    pub cache_dir: Utf8PathBuf,
}

/// A version of the project on which the test passes. The test file is the current one there too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoodClasspath {
    pub classpath: Vec<Utf8PathBuf>,
    pub cwd: Option<Utf8PathBuf>,
}

impl JavaProject {
    /// The file as its package and name say: `com/acme/CartTest.java`.
    pub(super) fn path_in_root(&self, file: &Utf8Path) -> Utf8PathBuf {
        let roots = self.test_source_roots.iter();
        let deepest =
            roots.filter_map(|root| file.strip_prefix(root).ok()).min_by_key(|rest| rest.as_str().len());
        deepest.map_or_else(|| Utf8PathBuf::from(file.file_name().unwrap_or("Test.java")), Utf8Path::to_owned)
    }

    /// Entries that only one version has: code under test, whatever they look like.
    pub(super) fn differing(&self) -> Vec<Utf8PathBuf> {
        self.good.as_ref().map(|good| self.differing_from(good)).unwrap_or_default()
    }

    /// The same for a version that was found meanwhile.
    pub(super) fn differing_from(&self, good: &GoodClasspath) -> Vec<Utf8PathBuf> {
        let own = self.classpath.iter().filter(|entry| !good.classpath.contains(entry));
        own.chain(good.classpath.iter().filter(|entry| !self.classpath.contains(entry))).cloned().collect()
    }
}
