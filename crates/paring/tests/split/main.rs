//! `paring split` from end to end: the binary, the user's own pytest or `JUnit`.
//!
//! Every run goes through [`trial`], which checks what must hold after any run: the JSON is as its schema says, and the project
//! is as it was.

#![cfg(unix)]

mod trial;

mod bad_input;
mod guide;
mod hidden;
mod interrupt;
mod junit;
mod pytest;
mod unittest;
