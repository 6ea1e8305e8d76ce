//! A test where it stands in its file: for those who write several in the place of one.

use crate::candidate::Candidate;
use crate::text::TextRange;
use crate::unit::Unit;

/// The function or method that a candidate's target names.
#[derive(Clone, Copy, Debug)]
pub struct Definition<'a> {
    pub candidate: &'a Candidate,
    pub range: TextRange,
    /// Where its name stands. Invariant: within `range`.
    pub name: TextRange,
}

impl<'a> Definition<'a> {
    pub fn name(&self) -> &'a str {
        self.name.of(self.candidate.text())
    }

    /// Its text under another name.
    pub fn renamed(&self, name: &str) -> String {
        let text = &self.candidate.text();
        let before = TextRange::new(self.range.start, self.name.start);
        let behind = TextRange::new(self.name.end, self.range.end);
        format!("{}{name}{}", before.of(text), behind.of(text))
    }

    /// Its own name for one test; for more, names that nobody has: `test_pop_1`, `test_pop_2`.
    pub fn names_for(&self, n: usize, is_taken: impl Fn(&str) -> bool) -> Vec<String> {
        if n == 1 {
            return vec![self.name().to_owned()];
        }
        let numbered = (1..).map(|number: usize| format!("{}_{number}", self.name()));
        numbered.filter(|name| !is_taken(name)).take(n).collect()
    }
}

impl Unit {
    /// The source of a later unit with the body that the test has in this one.
    pub fn with_body_of_test(&self, later: &Unit) -> String {
        let (Some(ours), Some(theirs)) = (self.body_range(), later.body_range()) else {
            return later.source.clone();
        };
        let (before, behind) = later.source.split_at(theirs.start as usize);
        format!("{before}{}{}", ours.of(&self.source), &behind[(theirs.end - theirs.start) as usize..])
    }

    fn body_range(&self) -> Option<TextRange> {
        let def = self.stmt(self.routine(self.test?).def?);
        Some(TextRange::new(def.header.end, def.range.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Form;

    fn candidate() -> Candidate {
        let text = "def it(): it()\ndef it_1(): pass\n".to_owned();
        Candidate::single("f".into(), text, "it", Form::Compact)
    }

    #[test]
    fn only_the_name_of_the_definition_changes() {
        let candidate = candidate();
        let it =
            Definition { candidate: &candidate, range: TextRange::new(0, 14), name: TextRange::new(4, 6) };
        assert_eq!((it.name(), it.renamed("other").as_str()), ("it", "def other(): it()"));
    }

    #[test]
    fn one_test_keeps_its_name_and_several_get_free_ones() {
        let candidate = candidate();
        let it =
            Definition { candidate: &candidate, range: TextRange::new(0, 14), name: TextRange::new(4, 6) };
        let is_taken = |name: &str| candidate.text().contains(&format!("def {name}("));
        assert_eq!(it.names_for(1, is_taken), ["it"]);
        assert_eq!(it.names_for(2, is_taken), ["it_2", "it_3"]);
    }
}
