//! `paring minimize` on Java projects from end to end: the binary, real JVMs, the user's own `JUnit` and Maven.
//!
//! Needs a JDK, Maven, and the jars that `make .tools/jars/.complete` fetches.

#![cfg(unix)]

mod trial;
mod versions;

mod figures;
mod files;
mod frameworks;
mod generated;
mod interrupt;
mod jdks;
mod literals;
mod localize;
mod maven;
mod merge;
mod output;
mod processes;
mod purify;
mod search;
mod surroundings;
mod targets;
mod texts;
