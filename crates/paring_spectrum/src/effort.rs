//! What a ranking is worth where the faulty lines are known.
//!
//! All of it stands on the rank of the best-ranked faulty line, by the tie rule of `ranking.rs`: **wasted effort** is that rank,
//! **EXAM** that rank over the executable lines.

use crate::ranking::Ranking;
use crate::spectrum::LineId;

/// The lines to look at until the first faulty one, itself included; `None` where no line is faulty.
pub fn wasted_effort(ranking: &Ranking, faulty: impl IntoIterator<Item = LineId>) -> Option<f64> {
    faulty.into_iter().map(|line| ranking.place(line).rank).min_by(f64::total_cmp)
}

/// The share of the executable lines to look at; 0 of nothing.
pub fn exam(wasted_effort: f64, n_executable: u32) -> f64 {
    if n_executable == 0 { 0.0 } else { wasted_effort / f64::from(n_executable) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::rank;

    #[test]
    fn effort_is_the_rank_of_the_best_faulty_line() {
        // Ranks: 1, 3, 3, 3, 5.
        let ranking = rank(&[9.0, 5.0, 5.0, 5.0, 1.0]);
        let effort = |faulty: &[u32]| wasted_effort(&ranking, faulty.iter().copied().map(LineId));
        assert_eq!(effort(&[]), None);
        assert_eq!(effort(&[0]), Some(1.0));
        assert_eq!(effort(&[4, 2]), Some(3.0));
        assert_eq!(effort(&[4]), Some(5.0));
    }

    #[test]
    fn exam_is_a_share_of_the_executable_lines() {
        assert!((exam(3.0, 12) - 0.25).abs() < 1e-12);
        assert!(exam(3.0, 0).abs() < 1e-12);
    }

    #[test]
    fn of_two_perfect_suspects_either_may_be_looked_at_first() {
        let ranking = rank(&[1.0, 1.0, 0.0]);
        assert_eq!(wasted_effort(&ranking, [LineId(0)]), Some(1.5));
    }
}
