//! `paring minimize` from end to end: the binary, the user's own pytest, one subject per file.
//!
//! Every run goes through [`trial`], which checks what must hold after any run: the JSON is as its schema says, the
//! project is as it was, and neither processes nor temporary files are left behind.

#![cfg(unix)]

mod trial;

mod targets;

mod baseline;
mod caution;
mod doctor;
mod processes;
mod surroundings;
mod texts;

mod compare;
mod editable;
mod figures;
mod files;
mod good;
mod group;
mod hang;
mod history;
mod literals;
mod options;
mod pages;
mod purify;
mod resources;
mod search;
mod slippage;
mod versions;

mod interrupt;
mod output;
