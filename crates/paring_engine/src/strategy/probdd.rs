//! Probabilistic delta debugging (Wang et al., 2021) over any list.
//!
//! Every item carries the probability that it is needed. Each step removes the set of items whose removal has the largest
//! expected gain; a failed step raises the probability of what it removed, until every item is certain.

const START: f64 = 0.1;
const CERTAIN: f64 = 0.999;

/// Minimises `items` under `test`, which must hold for all of them. Ends with one pass over single items, so that the
/// result is 1-minimal.
pub fn probdd<T: Clone, E>(items: &[T], mut test: impl FnMut(&[T]) -> Result<bool, E>) -> Result<Vec<T>, E> {
    let mut kept: Vec<(T, f64)> = items.iter().map(|item| (item.clone(), START)).collect();
    loop {
        let chosen = best_removal(&kept);
        if chosen.is_empty() {
            break;
        }
        let rest: Vec<T> = kept
            .iter()
            .enumerate()
            .filter(|(idx, _)| !chosen.contains(idx))
            .map(|(_, (item, _))| item.clone())
            .collect();
        if test(&rest)? {
            let mut idx = 0;
            kept.retain(|_| {
                idx += 1;
                !chosen.contains(&(idx - 1))
            });
        } else {
            learn(&mut kept, &chosen);
        }
    }
    singles(kept.into_iter().map(|(item, _)| item).collect(), &mut test)
}

/// The items, least likely first, that maximise (how many) × (probability that none is needed).
fn best_removal<T>(kept: &[(T, f64)]) -> Vec<usize> {
    let mut by_probability: Vec<usize> = (0..kept.len()).filter(|&idx| kept[idx].1 < CERTAIN).collect();
    by_probability.sort_by(|&a, &b| kept[a].1.total_cmp(&kept[b].1).then(b.cmp(&a)));
    let (mut best, mut best_gain, mut none_needed) = (0, 0.0, 1.0);
    for (n, &idx) in by_probability.iter().enumerate() {
        none_needed *= 1.0 - kept[idx].1;
        #[expect(clippy::cast_precision_loss, reason = "a count of statements")]
        let gain = (n + 1) as f64 * none_needed;
        if gain > best_gain {
            (best, best_gain) = (n + 1, gain);
        }
    }
    by_probability.truncate(best);
    by_probability
}

fn learn<T>(kept: &mut [(T, f64)], chosen: &[usize]) {
    let none_needed: f64 = chosen.iter().map(|&idx| 1.0 - kept[idx].1).product();
    for &idx in chosen {
        let updated = kept[idx].1 / (1.0 - none_needed);
        kept[idx].1 = if chosen.len() == 1 { 1.0 } else { updated.min(1.0) };
    }
}

fn singles<T: Clone, E>(
    mut kept: Vec<T>,
    test: &mut impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut idx = kept.len();
    while idx > 0 {
        idx -= 1;
        let mut rest = kept.clone();
        rest.remove(idx);
        if test(&rest)? {
            kept = rest;
            idx = kept.len();
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn probdd_finds_exactly_the_needed_items(n in 1usize..40, seed in proptest::collection::vec(0usize..40, 1..5)) {
            let needed: std::collections::BTreeSet<usize> = seed.into_iter().map(|x| x % n).collect();
            let items: Vec<usize> = (0..n).collect();
            let found = probdd(&items, |kept| Ok::<_, ()>(needed.iter().all(|x| kept.contains(x)))).unwrap();
            prop_assert_eq!(found, needed.into_iter().collect::<Vec<_>>());
        }
    }
}
