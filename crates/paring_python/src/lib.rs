//! Python: the front end, and the runner that uses the project's own pytest.

pub mod frontend;
pub mod runner;
