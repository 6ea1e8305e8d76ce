//! Fixes out of snapshots what differs between machines and runs.

use regex::Regex;

/// Replaces what was named, longest first, then times, addresses and process ids.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    named: Vec<(String, String)>,
}

impl Redactor {
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces a text (a folder, a version) by `[word]`.
    #[must_use]
    pub fn name(mut self, text: impl Into<String>, word: &str) -> Self {
        self.named.push((text.into(), format!("[{word}]")));
        self.named.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        self
    }

    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (found, word) in self.named.iter().filter(|(found, _)| !found.is_empty()) {
            text = text.replace(found, word);
        }
        for (pattern, word) in [
            (r"\b\d+(\.\d+)?(e-?\d+)? ?(ms|µs|s|min)\b", "[time]"),
            (r#"("[a-z_]*seconds": ?)\d+(\.\d+)?(e-?\d+)?"#, "$1[time]"),
            (r"\b0x[0-9a-fA-F]+\b", "[address]"),
            (r"\bpid[ =:]*\d+", "[pid]"),
            (r"\bPython 3\.\d+\.\d+\S*", "[python]"),
            (r"\bpytest[ -]\d+\.\d+(\.\d+)?", "[pytest]"),
        ] {
            let pattern = Regex::new(pattern).expect("the patterns above are right");
            text = pattern.replace_all(&text, word).into_owned();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_wins() {
        let redactor = Redactor::new().name("/tmp/x", "tmp").name("/tmp/x/project", "project");
        assert_eq!(redactor.redact("/tmp/x/project/a and /tmp/x/b"), "[project]/a and [tmp]/b");
    }

    #[test]
    fn times_and_addresses_are_fixed_out_and_counts_stay() {
        let text = "9 runs in 1.25 s, <A at 0x7f00aa>, \"seconds\": 0.5, 3 statements";
        let redacted = "9 runs in [time], <A at [address]>, \"seconds\": [time], 3 statements";
        assert_eq!(Redactor::new().redact(text), redacted);
    }
}
