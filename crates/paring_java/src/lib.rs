//! Java: the front end on tree-sitter, and the runner that uses the project's own JDK and `JUnit`.

pub mod encoding;
pub mod frontend;
pub mod maven;
pub mod runner;
