//! The engine by its behaviour: small tests in the toy language, a made-up program, and what stays of each test.

mod trial;

mod bold;
mod caution;
mod criterion;
mod joint;
mod keeps;
mod lab;
mod levels;
mod never_ran;
mod oracle;
mod order;
mod predecessors;
mod remove;
mod rules;
mod runs;
mod search;
mod several;
mod stop;
mod suspects;
mod top_level;
mod trim;
mod unread;
mod untouched;
mod unwrap;
