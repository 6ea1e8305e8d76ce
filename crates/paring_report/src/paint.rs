//! The colours, each named after what it marks.

use anstyle::{AnsiColor, Style};

pub const TARGET: Style = Style::new().bold();
pub const REMOVED: Style = AnsiColor::Red.on_default().dimmed();
pub const ADDED: Style = AnsiColor::Green.on_default();
pub const GUTTER: Style = Style::new().dimmed();
pub const FAILING: Style = AnsiColor::Red.on_default().bold();
pub const DONE: Style = AnsiColor::Green.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub const NOTE: Style = AnsiColor::Cyan.on_default();

/// The text in this style, or as it is where colours are off.
pub fn paint(color: bool, style: Style, text: &str) -> String {
    if color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
