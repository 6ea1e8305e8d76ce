//! From lines to what they are part of: a function or a file is as suspicious as its most suspicious line.

use crate::ranking::{Ranking, rank};
use crate::spectrum::LineId;

/// Ranks groups of lines; `group_of` has the group of each line, from 0 up, and `None` for lines that are in none.
/// A group without lines is below all others.
pub fn gather(ranking: &Ranking, group_of: &[Option<u32>], n_groups: usize) -> Ranking {
    let mut scores = vec![f64::NEG_INFINITY; n_groups];
    for (line, group) in (0..).map(LineId).zip(group_of) {
        if let Some(group) = group {
            let score = &mut scores[*group as usize];
            *score = score.max(ranking.place(line).score);
        }
    }
    rank(&scores)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "halves are exact")]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_ranked_by_its_best_line() {
        let lines = rank(&[0.1, 0.9, 0.5, 0.9, 1.0]);
        let groups = gather(&lines, &[Some(0), Some(0), Some(1), Some(2), None], 4);
        let place = |group: u32| groups.place(LineId(group));
        assert_eq!([place(0).rank, place(1).rank, place(2).rank, place(3).rank], [1.5, 3.0, 1.5, 4.0]);
        assert!((place(1).score - 0.5).abs() < 1e-12);
    }
}
