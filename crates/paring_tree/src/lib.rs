//! Files of any language, with a command in the place of a test framework.
//!
//! [`frontend`] makes a unit of a tree-sitter tree and writes its drafts out, [`autotest`] does it for `AutoTest`'s notation, in
//! which every instruction tells what it reads and writes, and [`runner`] asks the user's command about a candidate, in a
//! private copy of the folder or with the candidate's own path.

pub mod autotest;
pub mod frontend;
pub mod lang;
pub mod runner;

mod whole_file;

pub use lang::Lang;
