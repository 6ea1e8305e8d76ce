//! Levels what differs between two runs of the same failure: addresses, ids, temporary paths, times, durations, the order of sets.
//!
//! Only forms that name themselves are levelled. A bare number stays: `assert 3 == 4` is not `assert 5 == 4`.

use crate::unordered::unordered;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

static VOLATILE: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    [
        // class loaders, which are not the same in every kind of worker
        (r"\bof loader ('[^']*'|[\w.$]+)( @\w+)?", "of loader"),
        // object addresses and hash codes
        (r"\b0x[0-9a-fA-F]+\b", "0x"),
        // What follows without a space may look as if it belonged to it: all of that goes, however long a hash is.
        (r"@[0-9a-f]{5,}", "@hash"),
        // what is left of an address or id that a long text was cut in
        (r"(0x)?\w*\[\d+ chars\]\w*", "[chars]"),
        (r"\.\.\.[0-9a-f]{3,}\b", "..."),
        // decimal ids, as mocks print them
        (r"\b(id|pid|thread|process)(=|:? ?)'?\d{2,}'?", "$1$2ID"),
        (r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b", "UUID"),
        // temporary folders of the system and of the framework
        (
            r#"(/tmp|/var/folders|/private/var|[A-Z]:\\Users\\[^\\]+\\AppData\\Local\\Temp)[^\s'",)\]]*"#,
            "TMP",
        ),
        (r"\bpytest-of-[\w-]+", "TMP"),
        (r"\bparing-\w{6}/\d+", "TMP"),
        // times of day and durations
        (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?", "TIME"),
        (r"\b\d+(\.\d+)? ?(ns|us|µs|ms|s|sec|secs|seconds)\b", "DURATION"),
    ]
    .into_iter()
    .map(|(pattern, word)| (Regex::new(pattern).expect("the pattern is a constant"), word))
    .collect()
});

/// The message with its volatile parts levelled.
pub fn normal(message: &str) -> String {
    let mut text = Cow::Borrowed(message);
    for (pattern, word) in VOLATILE.iter() {
        if let Cow::Owned(replaced) = pattern.replace_all(&text, *word) {
            text = Cow::Owned(replaced);
        }
    }
    unordered(&text)
}

/// Whether two messages are the same up to what differs between runs, given messages of the same failure.
///
/// A number of five digits or more that differed among the baseline's own messages is volatile too (a port, a decimal id).
pub fn mask(messages: &[&str]) -> Mask {
    let normals: Vec<String> = messages.iter().map(|message| normal(message)).collect();
    let Some(first) = normals.first() else { return Mask { pieces: Vec::new(), volatile: Vec::new() } };
    let pieces = split(first);
    let mut volatile = vec![false; pieces.len()];
    for other in &normals[1..] {
        let others = split(other);
        if others.len() != pieces.len() {
            continue;
        }
        for (idx, (a, b)) in pieces.iter().zip(&others).enumerate() {
            volatile[idx] |= a != b && is_long_number(a) && is_long_number(b);
        }
    }
    Mask { pieces: pieces.into_iter().map(str::to_owned).collect(), volatile }
}

/// A message with holes where the baseline's own runs differed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    pieces: Vec<String>,
    volatile: Vec<bool>,
}

impl Mask {
    pub fn matches(&self, message: &str) -> bool {
        let message = normal(message);
        let pieces = split(&message);
        pieces.len() == self.pieces.len()
            && pieces
                .iter()
                .zip(&self.pieces)
                .zip(&self.volatile)
                .all(|((found, wanted), &volatile)| found == wanted || (volatile && is_long_number(found)))
    }
}

/// Runs of word characters, and single other characters.
fn split(text: &str) -> Vec<&str> {
    static PIECE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\w+|\W").expect("the pattern is a constant"));
    PIECE.find_iter(text).map(|found| found.as_str()).collect()
}

fn is_long_number(piece: &str) -> bool {
    piece.len() >= 5 && piece.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, same: bool) {
        assert_eq!(mask(&[a]).matches(b), same, "{a:?} against {b:?}");
    }

    #[test]
    fn addresses_ids_paths_and_times_are_levelled() {
        check("<Foo at 0x7f01>", "<Foo at 0x55aa99>", true);
        check("<Mock id='140202'>", "<Mock id='99887'>", true);
        check("no file /tmp/pytest-of-ann/pytest-1/x.txt", "no file /tmp/pytest-of-ann/pytest-2/x.txt", true);
        check("took 1.25 s", "took 2.5 s", true);
        check(
            "A is in module of loader 'app' @58cec85b; B is",
            "A is in module of loader a.B$C @5d5d1; B is",
            true,
        );
        check("<Foo at 0x7f[38 chars]f90>", "<Foo at 0x55[38 chars]a10>", true);
        check("[a.B$Itr@50938ec1a.C@5d1d3bc]", "[a.B$Itr@6ea94d4a.C@69647897bc]", true);
        check("at 2024-01-02 03:04:05.123", "at 2025-01-02 03:04:05", true);
    }

    #[test]
    fn plain_numbers_and_words_are_not() {
        check("assert 3 == 4", "assert 5 == 4", false);
        check("KeyError: 'a'", "KeyError: 'b'", false);
        check("items 12 of 20", "items 12", false);
    }

    #[test]
    fn a_long_number_that_differed_in_the_baseline_is_a_hole() {
        let mask = mask(&["port 40123 is taken", "port 51234 is taken"]);
        assert!(mask.matches("port 60001 is taken"));
        assert!(!mask.matches("port 7 is taken"));
    }
}
