//! Helpers of the front end's tests, and the suite every front end passes.

use super::*;

mod conformance;
