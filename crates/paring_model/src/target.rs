//! What the user asked for: one test, named as its framework names it.

use serde::{Deserialize, Serialize};

/// One test as the user, a report or the runner names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TargetSpec {
    /// The framework's own id: `tests/test_cart.py::TestCart::test_total[3-abc]`, `com.acme.CartTest#total`.
    pub id: String,
    /// Tests that run before it in the same process, in order; they are pared too.
    #[serde(default)]
    pub after: Vec<String>,
}

impl TargetSpec {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), after: Vec::new() }
    }
}

impl std::fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.id)
    }
}
