//! What tests of every crate share; never part of the program.
//!
//! Fakes for the ports of the model, a toy language to try the engine on, copies of the projects in `testdata/`, a redactor
//! for snapshots, and the suites that every front end and every runner has to pass. This crate's own tests hold the
//! workspace to its rules: who may know whom, and the tidiness of its files.

pub mod conformance;
pub mod conformance_coverage;
pub mod conformance_facts;
pub mod conformance_write;
pub mod journal;
pub mod line_frontend;
mod line_literals;
mod line_ops;
mod line_parse;
mod line_write;
pub mod origins;
pub mod project;
pub mod recorder;
pub mod redact;
pub mod runner;
pub mod tripping;

pub use journal::{FakeClock, MemoryJournal};
pub use line_frontend::LineFrontend;
pub use origins::origins;
pub use project::{Project, python};
pub use recorder::FakeRecorder;
pub use redact::Redactor;
pub use runner::{FakeRunner, failed, failed_in_library, observe_single, passed};
pub use tripping::{Trip, TrippingRunner};
