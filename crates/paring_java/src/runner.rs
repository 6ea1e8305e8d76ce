//! Runs candidates with the user's own JDK and `JUnit`.
//!
//! A [`JunitRunner`] keeps worker JVMs that compile candidates in memory and run them in class loaders of their own;
//! cold runs get a JVM with the project's plain class path. The Java side is in `worker/`, embedded here, and compiled
//! into a cache with the user's JDK.

mod error;
mod fact_map;
mod found;
mod install;
mod jdk;
mod junit_runner;
mod message;
mod observation;
mod project;
mod scratch;
mod side;

#[cfg(test)]
mod conformance;

pub use found::{Found, list_failures};
pub use jdk::{Jdk, find_java};
pub use junit_runner::JunitRunner;
pub use project::{GoodClasspath, JavaProject};
