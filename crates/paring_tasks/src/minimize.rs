//! One failing test in, the smallest test that fails the same way out.
