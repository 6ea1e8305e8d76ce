//! `paring minimize --command` from end to end: the binary, and small scripts in the place of compilers and tests.
//!
//! Every run goes through [`trial`], which checks what must hold after any run: the JSON is as its schema says, the folder is
//! as it was, and neither processes nor temporary files are left behind.

#![cfg(unix)]

#[path = "../minimize/trial.rs"]
#[expect(dead_code, reason = "what only tests of pytest need")]
mod trial;

mod autotest;
mod bad_input;
mod doctor;
mod exit_codes;
mod languages;
mod options;
mod oracle;
