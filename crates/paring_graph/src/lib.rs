//! What depends on what in a test, and why: control flow, data flow, control dependence, slices, pictures.
//!
//! Stage 4 of the pipeline: a [`paring_model::Unit`] and its [`paring_model::Facts`] come in, a [`Dependence`] and
//! the [`Slice`]s taken from it go out. Nothing here runs a test, reads a file or decides what to remove.

pub mod cfg;
mod flow;

mod basic_block;
mod helper;

pub mod def_use;
mod handed;
mod reaching;
mod resources;

mod control;

pub mod dependence;
pub mod slice;

pub mod draw;

pub use cfg::{Cfg, FlowKind, NodeId, cfg};
pub use def_use::{Level, Strength, hidden_place};
pub use dependence::{Carrier, Dependence, Edge, Reason, dependence};
pub use draw::{mermaid, mermaid_dependence};
pub use slice::{Slice, needed_within, slice};
