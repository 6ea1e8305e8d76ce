//! Runs candidates with the user's own JDK and `JUnit`.
//!
//! [`Jvms`] are workers that compile candidates in memory and run them in class loaders of their own; cold runs get a JVM
//! with the project's plain class path. A [`JunitRunner`] runs candidates of one file on them. The Java side is in
//! `worker/`, embedded here, and compiled into a cache with the user's JDK.

mod called;
mod codes;
mod coverage;
mod depends;
mod error;
mod fact_map;
mod install;
mod jdk;
mod junit_runner;
mod jvm;
mod jvms;
mod message;
mod observation;
mod project;
mod ran_test;
mod scratch;
mod side;

#[cfg(test)]
mod conformance;

pub use called::list_calls;
pub use coverage::JunitCoverage;
pub use jdk::{Jdk, find_java};
pub use junit_runner::JunitRunner;
pub use jvms::{GoodJvms, Jvms};
pub use project::{GoodClasspath, JavaProject};
pub use ran_test::{RanTest, list_failures};
