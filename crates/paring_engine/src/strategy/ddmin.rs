//! Zeller and Hildebrandt's ddmin over any list.
//!
//! `test` answers whether the failure is still there with the given items only. The result is 1-minimal: no single item of
//! it can go.

/// Minimises `items` under `test`, which must hold for all of them.
pub fn ddmin<T: Clone, E>(items: &[T], mut test: impl FnMut(&[T]) -> Result<bool, E>) -> Result<Vec<T>, E> {
    let mut current = items.to_vec();
    if current.is_empty() || test(&[])? {
        return Ok(Vec::new());
    }
    let mut n_parts = 2.min(current.len());
    while current.len() > 1 {
        match reduce(&current, n_parts, &mut test)? {
            Some((smaller, parts)) => {
                current = smaller;
                n_parts = parts.clamp(2, current.len().max(2));
            }
            None if n_parts >= current.len() => break,
            None => n_parts = (n_parts * 2).min(current.len()),
        }
    }
    Ok(current)
}

/// One round: a single part that fails alone, else a complement that does.
fn reduce<T: Clone, E>(
    current: &[T],
    n_parts: usize,
    test: &mut impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Option<(Vec<T>, usize)>, E> {
    let parts = split(current, n_parts);
    for part in &parts {
        if part.len() < current.len() && test(part)? {
            return Ok(Some((part.to_vec(), 2)));
        }
    }
    if n_parts == 2 {
        return Ok(None);
    }
    for left_out in 0..parts.len() {
        let rest: Vec<T> = parts
            .iter()
            .enumerate()
            .filter(|(idx, _)| *idx != left_out)
            .flat_map(|(_, part)| part.to_vec())
            .collect();
        if test(&rest)? {
            return Ok(Some((rest, n_parts - 1)));
        }
    }
    Ok(None)
}

fn split<T>(items: &[T], n_parts: usize) -> Vec<&[T]> {
    let mut parts = Vec::with_capacity(n_parts);
    let mut start = 0;
    for idx in 0..n_parts {
        let end = start + (items.len() - start) / (n_parts - idx);
        parts.push(&items[start..end]);
        start = end;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ddmin_finds_exactly_the_needed_items(n in 1usize..40, seed in proptest::collection::vec(0usize..40, 1..5)) {
            let needed: std::collections::BTreeSet<usize> = seed.into_iter().map(|x| x % n).collect();
            let items: Vec<usize> = (0..n).collect();
            let found = ddmin(&items, |kept| Ok::<_, ()>(needed.iter().all(|x| kept.contains(x)))).unwrap();
            prop_assert_eq!(found, needed.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn ddmin_of_a_failure_that_needs_nothing_is_empty() {
        assert!(ddmin(&[1, 2, 3], |_| Ok::<_, ()>(true)).unwrap().is_empty());
    }
}
