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
    /// What is said where it is no test that passes, differs or hangs.
    pub instead: Option<Instead>,
}

/// What is said of a command, in the place of what is said of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instead {
    pub passes: Words,
    pub other: Words,
    pub flaky: Words,
    pub hangs: Words,
    pub ignores: Words,
}

/// What is the matter, and what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    pub message: &'static str,
    pub help: &'static str,
}
