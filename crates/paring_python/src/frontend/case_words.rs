//! Ids for cases, from the texts of their values: `"A b"` and `3` make `A_b-3`.

/// The longest id.
const MAX_CHARS: usize = 40;

/// An id for each row of values, unlike all others.
pub fn ids(rows: &[Vec<String>]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for (idx, row) in rows.iter().enumerate() {
        let parts: Vec<String> =
            row.iter().map(|value| words(value)).filter(|part| !part.is_empty()).collect();
        let mut id: String = parts.join("-").chars().take(MAX_CHARS).collect();
        if id.is_empty() {
            id.push_str("empty");
        }
        if ids.contains(&id) {
            id = format!("{id}-{idx}");
        }
        ids.push(id);
    }
    ids
}

/// What is readable of a value: the letters and digits of its text.
fn words(value: &str) -> String {
    let is_minus = value.starts_with('-') && value[1..].starts_with(|c: char| c.is_ascii_digit());
    let parts = value.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
    let words = parts.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    if is_minus { format!("-{words}") } else { words }
}

#[cfg(test)]
mod tests {
    use super::ids;

    #[test]
    fn ids_tell_the_values_and_are_unlike_each_other() {
        let rows = [
            vec!["\"A b\"", "3"],
            vec!["\"\"", "-3"],
            vec!["\"\"", "\"\""],
            vec!["''", "[]"],
            vec!["\"A  b\"", "3"],
        ];
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|value| (*value).to_owned()).collect()).collect();
        assert_eq!(ids(&rows), ["A_b-3", "-3", "empty", "empty-3", "A_b-3-4"]);
    }
}
