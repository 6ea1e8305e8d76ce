//! Byte ranges of a source text, and its tokens.

use serde::{Deserialize, Serialize};

/// A half-open range of bytes. Invariant: `start <= end`, both on character boundaries of their source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextRange {
    pub start: u32,
    pub end: u32,
}

impl TextRange {
    pub fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end, "a range ends where it starts or later");
        Self { start, end }
    }

    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    pub fn covers(self, other: TextRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The text of this range in its source.
    pub fn of(self, source: &str) -> &str {
        &source[self.start as usize..self.end as usize]
    }
}

/// A word or a sign of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub range: TextRange,
    pub kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Name,
    Number,
    /// A string, bytes or a character.
    Text,
    Other,
}

/// Byte offset of the start of every line. A carriage return alone ends a line too.
pub fn line_starts(source: &str) -> Vec<u32> {
    let mut starts = vec![0];
    let bytes = source.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
            starts.push(u32::try_from(at + 1).expect("a source file has fewer than 2^32 bytes"));
        }
    }
    starts
}
