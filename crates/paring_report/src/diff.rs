//! The pared test as a diff of the original, line by line, with the original's line numbers.
//!
//! The outcome knows which statements were removed, and the diff must not contradict it: of three equal lines, the one
//! shown as kept is the one that was kept. So the first lines of removed statements never match anything.

use paring_tasks::Pared;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::BTreeSet;

/// Longer runs of removed lines are folded.
const FOLD_OVER: usize = 40;
/// So many lines of a folded run are shown at its start.
const SHOWN_OF_FOLD: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Kept,
    Removed,
    Added,
    /// Stands for several removed lines.
    Folded,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    pub sign: Sign,
    /// Line of the original file; `None` for added and folded lines, or where the test is not found in its file.
    pub number: Option<u32>,
    pub text: String,
}

/// The diff of the test, long removals folded.
pub fn diff(pared: &Pared) -> Vec<DiffLine> {
    fold(&all_lines(pared))
}

fn all_lines(pared: &Pared) -> Vec<DiffLine> {
    let kept: BTreeSet<u32> = pared.kept.iter().map(|kept| kept.line).collect();
    let removed: BTreeSet<u32> =
        pared.removed.iter().map(|removed| removed.line).filter(|line| !kept.contains(line)).collect();
    let number = |idx: usize| {
        pared.first_line.map(|start| start + u32::try_from(idx).expect("a file has fewer than 2^32 lines"))
    };
    let old: Vec<(bool, &str)> = (pared.original_test.lines().enumerate())
        .map(|(idx, line)| (number(idx).is_some_and(|line| removed.contains(&line)), line))
        .collect();
    let new: Vec<(bool, &str)> = pared.test.lines().map(|line| (false, line)).collect();

    let mut lines = Vec::new();
    let mut take = |sign, number, text: &str| lines.push(DiffLine { sign, number, text: text.to_owned() });
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal { .. } = op {
            op.old_range().for_each(|idx| take(Sign::Kept, number(idx), old[idx].1));
        } else {
            op.old_range().for_each(|idx| take(Sign::Removed, number(idx), old[idx].1));
            op.new_range().for_each(|idx| take(Sign::Added, None, new[idx].1));
        }
    }
    lines
}

fn fold(lines: &[DiffLine]) -> Vec<DiffLine> {
    let mut folded = Vec::new();
    for run in lines.chunk_by(|a, b| a.sign == b.sign) {
        if run[0].sign != Sign::Removed || run.len() <= FOLD_OVER {
            folded.extend_from_slice(run);
            continue;
        }
        folded.extend_from_slice(&run[..SHOWN_OF_FOLD]);
        let text = format!("… {} lines removed", run.len() - SHOWN_OF_FOLD);
        folded.push(DiffLine { sign: Sign::Folded, number: None, text });
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use paring_tasks::Removed;

    fn check(pared: &Pared, expected: &[(Sign, Option<u32>, &str)]) {
        let found = diff(pared);
        let found: Vec<_> = found.iter().map(|line| (line.sign, line.number, line.text.as_str())).collect();
        assert_eq!(found, expected);
    }

    fn pared(first_line: Option<u32>, original_test: &str, test: &str, removed: &[u32]) -> Pared {
        let mut pared = sample::minimized().pared.unwrap();
        pared.first_line = first_line;
        pared.original_test = original_test.to_owned();
        pared.test = test.to_owned();
        pared.kept = Vec::new();
        pared.removed = removed.iter().map(|&line| Removed { line, text: String::new() }).collect();
        pared.failing_line = None;
        pared
    }

    #[test]
    fn of_equal_lines_the_one_shown_as_kept_is_the_one_that_was() {
        let test = "def test():\n    f()\n    f()\n    f()\n";
        check(
            &pared(Some(1), test, "def test():\n    f()\n", &[2, 4]),
            &[
                (Sign::Kept, Some(1), "def test():"),
                (Sign::Removed, Some(2), "    f()"),
                (Sign::Kept, Some(3), "    f()"),
                (Sign::Removed, Some(4), "    f()"),
            ],
        );
    }

    #[test]
    fn lines_are_those_of_the_file_and_their_ends_do_not_show() {
        let test = "def test(self):\r\n    a()\r\n    b()\r\n";
        check(
            &pared(Some(2), test, "def test(self):\r\n    b()\r\n", &[3]),
            &[
                (Sign::Kept, Some(2), "def test(self):"),
                (Sign::Removed, Some(3), "    a()"),
                (Sign::Kept, Some(4), "    b()"),
            ],
        );
    }

    #[test]
    fn a_test_that_is_not_in_its_file_is_shown_without_numbers() {
        check(&pared(None, "a\nb\n", "b\n", &[]), &[(Sign::Removed, None, "a"), (Sign::Kept, None, "b")]);
    }

    #[test]
    fn forty_removed_lines_are_shown_and_one_more_is_folded() {
        let text = |n: usize| (0..n).fold(String::new(), |text, i| format!("{text}s{i}()\n")) + "end()\n";
        assert_eq!(diff(&pared(Some(1), &text(40), "end()\n", &[])).len(), 41);
        let folded = diff(&pared(Some(1), &text(41), "end()\n", &[]));
        assert_eq!(folded.len(), 5);
        assert_eq!(folded[3].text, "… 38 lines removed");
    }
}
