//! Where the lines of a working text come from, as tests compare it.

use paring_model::WorkingText;

/// For every line of the text the line it comes from.
pub fn origins(working: &WorkingText) -> Vec<u32> {
    let lines = (1..).zip(paring_model::text::line_starts(&working.text));
    lines.map(|(line, _)| working.origins.line(line)).collect()
}
