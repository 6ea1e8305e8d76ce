//! What paring could not do, as a word for programs. The user's test failing is an observation, never an error.
//!
//! `crates/paring/src/exit_code.rs` gives each code its exit code.

use std::fmt;

/// paring itself failed: not the user's test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerError {
    pub code: ErrorCode,
    pub message: String,
    /// What the user can do about it.
    pub help: String,
}

impl fmt::Display for RunnerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RunnerError {}

macro_rules! error_codes {
    ($($(#[$doc:meta])* $code:ident = $word:literal,)*) => {
        /// Why there is no result. The words are part of the JSON format: a code may come, none changes its word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ErrorCode {
            $($(#[$doc])* $code,)*
        }

        impl ErrorCode {
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$code,)*];

            /// The word in JSON.
            pub fn word(self) -> &'static str {
                match self {
                    $(ErrorCode::$code => $word,)*
                }
            }
        }
    };
}

error_codes! {
    /// The environment fails before a test runs: a conftest, the JVM's arguments.
    BrokenEnvironment = "broken_environment",
    /// The budget was spent before a result was verified.
    Budget = "budget",
    /// The cache folder cannot be written.
    Cache = "cache",
    /// A source file changed while the tests ran.
    Changed = "changed",
    /// The test file compiles or loads with an error.
    Collection = "collection",
    /// The folder of a command cannot be copied.
    Copy = "copy",
    /// The project does not compile.
    DoesNotCompile = "does_not_compile",
    /// The test file's text is in an encoding that paring does not read.
    Encoding = "encoding",
    /// A command does not end the same way every time.
    Flaky = "flaky",
    /// The known-good version cannot be used.
    Good = "good",
    /// The test does not end.
    Hangs = "hangs",
    /// A command fails on an empty file too.
    IgnoresFile = "ignores_file",
    /// The user asked to stop.
    Interrupted = "interrupted",
    /// A file cannot be read or written.
    Io = "io",
    /// javac refuses its arguments.
    JavacArgs = "javac_args",
    /// There is a Java runtime, and no compiler.
    JreOnly = "jre_only",
    /// A test report of `--failing` cannot be read.
    JunitXml = "junit_xml",
    /// Maven failed.
    Maven = "maven",
    NoClasspath = "no_classpath",
    /// No recorder of lines for this language.
    NoCoverage = "no_coverage",
    /// Nothing there fails.
    NoFailures = "no_failures",
    NoInterpreter = "no_interpreter",
    NoJdk = "no_jdk",
    NoJunit = "no_junit",
    /// There is no permission to watch system calls, or nobody to do it.
    NoTrace = "no_trace",
    /// Nothing launches tests of `JUnit` 5.
    NoLauncher = "no_launcher",
    NoMaven = "no_maven",
    NoPytest = "no_pytest",
    /// The test's statements are not in the file that was named.
    NoSource = "no_source",
    /// Nobody knows what the failing tests run.
    NoSpectrum = "no_spectrum",
    /// The known-good version is not good.
    NotGood = "not_good",
    /// There is no such test.
    NotFound = "not_found",
    /// The JDK is older than the worker or the project needs.
    OldJdk = "old_jdk",
    /// A command fails, and not as `--match` asks for.
    OtherFailure = "other_failure",
    /// A command passes.
    Passes = "passes",
    SyntaxError = "syntax_error",
    /// The test fails, and the job is for tests that pass.
    TestFails = "test_fails",
    /// paring's own worker failed.
    Worker = "worker",
    /// A command writes into the user's folder.
    WritesIntoTree = "writes_into_tree",
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_has_a_word_of_its_own() {
        let words: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.word()).collect();
        assert_eq!(words.len(), ErrorCode::ALL.len());
    }
}
