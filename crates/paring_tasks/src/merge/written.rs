//! A file as one merge would leave it.

/// The text, and which tests do whose work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    pub text: String,
    /// The ids of the new tests, each row one.
    pub tests: Vec<String>,
    /// For each old test the new ones that do its work.
    pub map: Vec<(String, Vec<String>)>,
}
