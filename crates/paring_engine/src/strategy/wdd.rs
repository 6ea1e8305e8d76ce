//! Weighted delta debugging (Zhou et al., 2025) over any list.
//!
//! As ddmin, but parts are cut so that each weighs about the same rather than holds as many items: a long block is tried
//! apart from the many short statements beside it.

/// Minimises `items` under `test`, which must hold for all of them. The result is 1-minimal.
pub fn wdd<T: Clone, E>(
    items: &[T],
    weight: impl Fn(&T) -> u64,
    mut test: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    if items.is_empty() || test(&[])? {
        return Ok(Vec::new());
    }
    let mut parts = halves(items, &weight);
    while parts.len() > 1 {
        if let Some(idx) = first_where(&parts, |idx| test(&parts[idx]))? {
            parts = halves(&parts[idx], &weight);
        } else if parts.len() > 2
            && let Some(idx) = first_where(&parts, |idx| test(&without(&parts, idx)))?
        {
            parts.remove(idx);
        } else if parts.iter().any(|part| part.len() > 1) {
            parts = parts.iter().flat_map(|part| halves(part, &weight)).collect();
        } else {
            break;
        }
    }
    Ok(parts.concat())
}

fn first_where<T, E>(
    parts: &[Vec<T>],
    mut holds: impl FnMut(usize) -> Result<bool, E>,
) -> Result<Option<usize>, E> {
    for idx in 0..parts.len() {
        if holds(idx)? {
            return Ok(Some(idx));
        }
    }
    Ok(None)
}

fn without<T: Clone>(parts: &[Vec<T>], left_out: usize) -> Vec<T> {
    let rest = parts.iter().enumerate().filter(|(idx, _)| *idx != left_out);
    rest.flat_map(|(_, part)| part.iter().cloned()).collect()
}

/// Two parts of about the same weight, neither empty; a single item stays as it is.
fn halves<T: Clone>(items: &[T], weight: impl Fn(&T) -> u64) -> Vec<Vec<T>> {
    if items.len() < 2 {
        return vec![items.to_vec()];
    }
    let total: u64 = items.iter().map(&weight).sum();
    let mut left = 0;
    let unevenness = |left: u64| left.abs_diff(total - left);
    let (_, at) = (1..items.len())
        .map(|at| {
            left += weight(&items[at - 1]);
            (unevenness(left), at)
        })
        .min()
        .expect("there are two items");
    vec![items[..at].to_vec(), items[at..].to_vec()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn wdd_finds_exactly_the_needed_items(
            weights in proptest::collection::vec(0u64..50, 1..40),
            seed in proptest::collection::vec(0usize..40, 1..5),
        ) {
            let n = weights.len();
            let needed: std::collections::BTreeSet<usize> = seed.into_iter().map(|x| x % n).collect();
            let items: Vec<usize> = (0..n).collect();
            let holds = |kept: &[usize]| Ok::<_, ()>(needed.iter().all(|x| kept.contains(x)));
            let found = wdd(&items, |&item| weights[item], holds).unwrap();
            prop_assert_eq!(found, needed.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_heavy_item_is_tried_apart() {
        let mut tried = Vec::new();
        let found = wdd(
            &[1, 1, 1, 9],
            |&weight| weight,
            |kept| {
                tried.push(kept.to_vec());
                Ok::<_, ()>(kept == [9])
            },
        );
        assert_eq!(found.unwrap(), [9]);
        assert_eq!(tried, [vec![], vec![1, 1, 1], vec![9]]);
    }

    #[test]
    fn a_failure_that_needs_nothing_leaves_nothing() {
        assert!(wdd(&[1, 2, 3], |_| 1, |_| Ok::<_, ()>(true)).unwrap().is_empty());
    }
}
