//! [`Ranking`]: lines (or functions, or files) from the most to the least suspicious.
//!
//! **The tie rule.** What has the same score shares the mean of the ranks it takes up: of the scores 9, 7, 7, 1 the ranks are
//! 1, 2.5, 2.5, 4. That is `higher + ties/2 + ½`, ties counting the line itself, and what a reader who goes down
//! the list has to look at on average until that line.

use crate::spectrum::LineId;
use std::cmp::Reverse;
use std::sync::Arc;

/// The tie rule as it is said wherever a rank is shown.
pub const TIE_RULE: &str = "statements with equal scores share one rank, the mean of theirs";

/// All that have one score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub score: f64,
    /// The mean of the ranks of all in it.
    pub rank: f64,
    pub n_members: u32,
}

#[derive(Clone, Debug)]
pub struct Ranking {
    /// Best first.
    places: Vec<Place>,
    /// The place of each class.
    place_of: Vec<u32>,
    /// The class of each line; those of one class have one score.
    class_of: Arc<[u32]>,
}

impl Ranking {
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    pub fn place(&self, line: LineId) -> Place {
        self.places[self.place_idx(line)]
    }

    /// All lines, the best first; those of one score in the order of their numbers.
    pub fn best(&self) -> impl Iterator<Item = LineId> + '_ {
        let mut lines: Vec<LineId> = (0..).map(LineId).take(self.class_of.len()).collect();
        lines.sort_by_key(|&line| self.place_idx(line));
        lines.into_iter()
    }

    /// The same order with ties told apart: of one score, what has the greater key comes first. Equal keys still share a rank.
    pub fn settled<K: Ord>(&self, key: impl Fn(LineId) -> K) -> Self {
        let keyed = (0..)
            .map(LineId)
            .take(self.class_of.len())
            .map(|line| (self.place_idx(line), Reverse(key(line))));
        let keyed: Vec<(usize, Reverse<K>)> = keyed.collect();
        let mut order: Vec<usize> = (0..keyed.len()).collect();
        order.sort_unstable_by_key(|&line| &keyed[line]);
        let mut places: Vec<Place> = Vec::new();
        let mut class_of = vec![0; keyed.len()];
        let mut last = None;
        for line in order {
            match places.last_mut() {
                Some(place) if last == Some(&keyed[line]) => place.n_members += 1,
                Some(_) | None => {
                    let score = self.places[keyed[line].0].score;
                    places.push(Place { score, rank: 0.0, n_members: 1 });
                }
            }
            last = Some(&keyed[line]);
            class_of[line] = u32::try_from(places.len() - 1).expect("places are no more than lines");
        }
        set_ranks(&mut places);
        let place_of = (0..).take(places.len()).collect();
        Self { places, place_of, class_of: class_of.into() }
    }

    /// Which of the places a line has, from 0.
    pub fn place_idx(&self, line: LineId) -> usize {
        self.place_of[self.class_of[line.idx()] as usize] as usize
    }
}

/// Ranks scores, the highest first.
pub fn rank(scores: &[f64]) -> Ranking {
    let each: Vec<u32> = (0..).take(scores.len()).collect();
    rank_classes(scores, &vec![1; scores.len()], &each.into())
}

/// Ranks classes of lines by their scores.
pub(crate) fn rank_classes(scores: &[f64], n_lines_of: &[u32], class_of: &Arc<[u32]>) -> Ranking {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_unstable_by(|&one, &other| scores[other].total_cmp(&scores[one]).then(one.cmp(&other)));
    let mut places: Vec<Place> = Vec::new();
    let mut place_of = vec![0; scores.len()];
    for class in order {
        let (score, n_members) = (scores[class], n_lines_of[class]);
        match places.last_mut() {
            // `total_cmp` tells -0 from 0, which are one score.
            Some(place) if place.score.partial_cmp(&score) == Some(std::cmp::Ordering::Equal) => {
                place.n_members += n_members;
            }
            Some(_) | None => places.push(Place { score, rank: 0.0, n_members }),
        }
        place_of[class] = u32::try_from(places.len() - 1).expect("places are no more than classes");
    }
    set_ranks(&mut places);
    Ranking { places, place_of, class_of: Arc::clone(class_of) }
}

/// By the tie rule.
fn set_ranks(places: &mut [Place]) {
    let mut n_higher = 0.0;
    for place in places {
        let n_members = f64::from(place.n_members);
        place.rank = n_higher + n_members / 2.0 + 0.5;
        n_higher += n_members;
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "halves are exact")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(scores: &[f64], ranks: &[f64]) {
        let ranking = rank(scores);
        let found: Vec<f64> =
            (0..).map(LineId).take(scores.len()).map(|line| ranking.place(line).rank).collect();
        assert_eq!(found, ranks);
    }

    #[test]
    fn equal_scores_share_the_mean_of_their_ranks() {
        check(&[], &[]);
        check(&[0.5], &[1.0]);
        check(&[9.0, 7.0, 7.0, 1.0], &[1.0, 2.5, 2.5, 4.0]);
        check(&[0.0, 0.0, 0.0], &[2.0, 2.0, 2.0]);
        check(&[1.0, f64::INFINITY, f64::INFINITY, 2.0], &[4.0, 1.5, 1.5, 3.0]);
        check(&[-0.0, 0.0, -1.0], &[1.5, 1.5, 3.0]);
    }

    #[test]
    fn the_best_come_first_and_ties_in_their_own_order() {
        let order: Vec<u32> = rank(&[1.0, 3.0, 1.0, 3.0]).best().map(|line| line.0).collect();
        assert_eq!(order, [1, 3, 0, 2]);
    }

    #[test]
    fn what_is_tied_goes_by_its_key_and_nothing_else_moves() {
        let keys = [1, 9, 5, 5, 2];
        let settled = rank(&[7.0, 1.0, 7.0, 7.0, 8.0]).settled(|line| keys[line.idx()]);
        let places: Vec<(f64, f64)> =
            (0..5).map(|line| settled.place(LineId(line))).map(|place| (place.score, place.rank)).collect();
        assert_eq!(places, [(7.0, 4.0), (1.0, 5.0), (7.0, 2.5), (7.0, 2.5), (8.0, 1.0)]);
        let order: Vec<u32> = settled.best().map(|line| line.0).collect();
        assert_eq!(order, [4, 2, 3, 0, 1]);
        assert_eq!(rank(&[]).settled(|line| line.0).places(), []);
    }

    proptest! {
        #[test]
        fn ranks_add_up_and_follow_the_scores(scores in prop::collection::vec(0_u8..20, 0..60)) {
            let scores: Vec<f64> = scores.into_iter().map(f64::from).collect();
            let ranking = rank(&scores);
            let n_scores = f64::from(u32::try_from(scores.len()).expect("a few"));
            let of = |idx: usize| ranking.place(LineId(u32::try_from(idx).expect("a few"))).rank;
            let sum: f64 = (0..scores.len()).map(of).sum();
            prop_assert!((sum - n_scores * (n_scores + 1.0) / 2.0).abs() < 1e-9);
            for one in 0..scores.len() {
                let higher = scores.iter().filter(|score| **score > scores[one]).count();
                let ties = scores.iter().filter(|score| **score == scores[one]).count();
                let [higher, ties] = [higher, ties].map(|n| f64::from(u32::try_from(n).expect("a few")));
                prop_assert_eq!(of(one), higher + ties / 2.0 + 0.5);
            }
        }
    }
}
