//! From Java source to a unit, and from edits back to Java source.
