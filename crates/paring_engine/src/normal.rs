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
        // places in files and numbers of lambdas: a smaller test has other lines, and fewer lambdas
        (r"\b([\w$]+\.(java|kt|groovy|py)):\d+", "$1:LINE"),
        (r#"(File "[^"]+", line )\d+"#, "${1}LINE"),
        (r"\b(lambda\$\w+\$)\d+", "$1"),
        (r"\$\$Lambda[/$]?(0x)?[0-9a-f]*", "$$$$Lambda"),
        // decimal ids, as mocks print them
        (r"\b([hH]ash ?[cC]ode(=|: ?))-?\d+", "${1}ID"),
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
        (
            r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d?[ -](Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -]\d{4} \d\d:\d\d:\d\d",
            "TIME",
        ),
        (r"\.\.\.[\w:, -]*\bGMT", "...GMT"),
        // what is signed: a JSON web token, and a value with a time and a signature behind it, as in cookies
        (r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{16,}", "TOKEN"),
        (r"(\w)\.[\w-]{6}\.[\w-]{27}([^\w-]|$)", "$1.SIGNED$2"),
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
/// A number of five digits or more that differed among the baseline's own messages is volatile too (a port, a decimal id), and so is a
/// word that looks drawn by chance (a token, a signature).
pub fn mask(messages: &[&str]) -> Mask {
    let mut normals: Vec<String> = messages.iter().map(|message| normal(message)).collect();
    let tokens = tokens(&normals);
    for normal in &mut normals {
        *normal = tokens.level(normal);
    }
    let Some(first) = normals.first() else { return Mask::default() };
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
    Mask { pieces: pieces.into_iter().map(str::to_owned).collect(), volatile, tokens }
}

/// Where the messages of a baseline have words that look drawn by chance, and differ.
fn tokens(normals: &[String]) -> Tokens {
    let words: Vec<Vec<&str>> = normals.iter().map(|normal| words(normal)).collect();
    let Some((first, others)) = words.split_first() else { return Tokens::default() };
    if others.iter().any(|other| other.len() != first.len()) {
        return Tokens::default();
    }
    let differs = |idx: &usize| {
        is_token(first[*idx])
            && others.iter().any(|other| other[*idx] != first[*idx] && is_token(other[*idx]))
    };
    Tokens { n_words: first.len(), at: (0..first.len()).filter(differs).collect() }
}

/// Words of a message that differ from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tokens {
    n_words: usize,
    at: Vec<usize>,
}

impl Tokens {
    /// The message with one word in the place of each.
    fn level(&self, normal: &str) -> String {
        let words = words(normal);
        if self.at.is_empty() || words.len() != self.n_words {
            return normal.to_owned();
        }
        let level = |(idx, word): (usize, &str)| {
            if self.at.contains(&idx) && is_token(word) { "TOKEN".to_owned() } else { word.to_owned() }
        };
        words.into_iter().enumerate().map(level).collect()
    }
}

/// What tokens are written with, and single other characters.
fn words(text: &str) -> Vec<&str> {
    static WORD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[\w.+/%~-]+|[^\w.+/%~-]").expect("the pattern is a constant"));
    WORD.find_iter(text).map(|found| found.as_str()).collect()
}

/// Twenty characters or more with digits and letters among them.
fn is_token(word: &str) -> bool {
    word.len() >= 20
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// A message with holes where the baseline's own runs differed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    pieces: Vec<String>,
    volatile: Vec<bool>,
    tokens: Tokens,
}

impl Mask {
    pub fn matches(&self, message: &str) -> bool {
        let message = self.tokens.level(&normal(message));
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
    fn lines_of_the_test_and_numbers_of_lambdas_are_levelled() {
        check("-> at a.CartTest.total(CartTest.java:31)", "-> at a.CartTest.total(CartTest.java:12)", true);
        check(
            "-> at a.CartTest.lambda$total$3(CartTest.java:9)",
            "-> at a.CartTest.lambda$total$0(CartTest.java:4)",
            true,
        );
        check("-> at a.CartTest.total(CartTest.java:31)", "-> at a.CartTest.sum(CartTest.java:31)", false);
        check("Mock for List, hashCode: 19823", "Mock for List, hashCode: 7", true);
        check("File \"test_a.py\", line 3, in f", "File \"test_a.py\", line 9, in f", true);
        check("bad input at line 3", "bad input at line 4", false);
    }

    #[test]
    fn signatures_and_dates_are_levelled_and_what_is_signed_is_not() {
        let cookie = |payload: &str, time: &str, sign: &str, at: &str| {
            format!("'session={payload}.{time}.{sign}; Expires=Thu, 19 Nov 2026 {at} GMT; Path=/' == ''")
        };
        let (one, other) = ("A1b2C3d4E5f6G7h8I9j0K1l2M3n", "Z1b2C3d4E5f6G7h8I9j0-1l2M3_");
        let first = cookie("eyJmb28iOjF9", "aRz3xQ", one, "20:00:01");
        check(&first, &cookie("eyJmb28iOjF9", "aRz3xR", other, "20:00:09"), true);
        check(&first, &cookie("eyJiYXIiOjJ9", "aRz3xR", other, "20:00:09"), false);
    }

    #[test]
    fn a_token_that_differed_in_the_baseline_is_a_hole() {
        let mask = mask(&["key=f3a9c1d2e4b5a6978877 n=3", "key=0b1c2d3e4f5a6b7c8d9e n=3"]);
        assert!(mask.matches("key=ffffeeee11112222aaaa n=3"));
        assert!(!mask.matches("key=ffffeeee11112222aaaa n=4"));
        assert!(!mask.matches("key=none n=3"));
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
