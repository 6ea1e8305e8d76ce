//! What the user sees: outcomes as text, JSON, `JUnit` XML or a patch, and a line of progress while they are made.
//!
//! The last stage of the pipeline. Everything here is made from an [`paring_tasks::Outcome`] or an
//! [`paring_model::Event`]; nothing is run, and no file is read or written.

pub mod comparison;
pub mod document;
pub mod eager;
pub mod grouped;
pub mod junit;
pub mod localization;
pub mod localized;
pub mod merge;
pub mod page;
pub mod patch;
pub mod progress;
pub mod redundancy;
pub mod redundancy_page;
pub mod sarif;
pub mod split;
pub mod terminal;
pub mod width;

mod diff;
mod moment;
mod paint;
mod terse;
mod words;

#[cfg(test)]
mod sample;

pub use document::document;
pub use eager::{Eager, eager_document, eager_page, eager_text};
pub use grouped::grouped;
pub use junit::{Reported, junit_out, tests_in};
pub use localization::localization;
pub use localized::{Shown, localized};
pub use merge::{merge_document, merge_summary, merge_text};
pub use page::{About, page};
pub use patch::patch;
pub use progress::Progress;
pub use redundancy::{redundancy_document, redundancy_text};
pub use redundancy_page::{Sources, redundancy_page};
pub use sarif::sarif;
pub use split::{split_document, split_summary, split_text};
pub use terminal::{Style, render};
pub use words::{first_line, headline};
