//! The engine by its behaviour: small tests in the toy language, a made-up program, and what stays of each test.

mod trial;

mod before;
mod criterion;
mod experiment;
mod fallout;
mod lab;
mod leveled;
mod oracle;
mod order;
mod rules;
mod stop;
mod untouched;
mod unwrap;
