//! [`Spectrum`]: the lines that one test ran, as a compressed bit set, and whether the test passed.

use roaring::RoaringBitmap;

/// A line of the program, numbered by whoever made the spectra.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

impl LineId {
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A set of lines. Code runs in stretches, and stretches are kept as their two ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineSet(RoaringBitmap);

impl LineSet {
    pub fn contains(&self, line: LineId) -> bool {
        self.0.contains(line.0)
    }

    pub fn n_lines(&self) -> u64 {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = LineId> + '_ {
        self.0.iter().map(LineId)
    }

    /// Hands every line to `see`, in order.
    pub(crate) fn each(&self, mut see: impl FnMut(usize)) {
        // The set's own loop is quicker than asking its iterator for one after the other.
        self.0.iter().for_each(|line| see(line as usize));
    }

    /// A number that equal sets share, and others hardly ever.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        self.each(|line| hash = (hash ^ line as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(23));
        hash
    }
}

impl FromIterator<LineId> for LineSet {
    fn from_iter<I: IntoIterator<Item = LineId>>(lines: I) -> Self {
        let mut set: RoaringBitmap = lines.into_iter().map(|line| line.0).collect();
        set.optimize();
        Self(set)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    Passed,
    Failed,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    pub verdict: Verdict,
    pub lines: LineSet,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(lines: impl IntoIterator<Item = u32>) -> LineSet {
        lines.into_iter().map(LineId).collect()
    }

    #[test]
    fn equal_sets_have_one_fingerprint_however_they_were_made() {
        assert_eq!(set([1, 2, 3]).fingerprint(), set([3, 2, 1, 2]).fingerprint());
        assert_ne!(set([1, 2, 3]).fingerprint(), set([1, 2, 4]).fingerprint());
        assert_ne!(set([]).fingerprint(), set([0]).fingerprint());
    }

    proptest! {
        #[test]
        fn a_set_gives_back_what_was_put_in(lines in prop::collection::vec(0..200_000_u32, 0..2000)) {
            let lines_set = set(lines.iter().copied());
            let expected: BTreeSet<u32> = lines.into_iter().collect();
            let mut seen = Vec::new();
            lines_set.each(|line| seen.push(u32::try_from(line).expect("it was one")));
            prop_assert_eq!(&seen, &expected.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(lines_set.n_lines(), expected.len() as u64);
            prop_assert!(lines_set.iter().all(|line| expected.contains(&line.0) && lines_set.contains(line)));
        }
    }
}
