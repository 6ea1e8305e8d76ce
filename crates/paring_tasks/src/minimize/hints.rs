//! What the user of a language is told where all languages fail alike.

/// Sentences and words of one language. They name its tools, which the tasks do not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Next step where there is no test of that name.
    pub list_tests: &'static str,
    /// Next step where the test file cannot be loaded.
    pub must_load: &'static str,
    /// Note where loading the file is itself the failure.
    pub fails_to_load: &'static str,
    /// Next step where the file does not define the test.
    pub no_source: &'static str,
    /// What stands before the name of a member of the test's class.
    pub member: &'static str,
}
