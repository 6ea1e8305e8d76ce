//! Smaller numbers than one that is written out, written as it is.
//!
//! Python and Java write numbers alike: a sign, a prefix for the base, underscores, and in Java a letter for the type.

/// The largest number in which every whole number below has a floating-point number of its own.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// What may stand in the place of a number: 0, then 1, then what halving it comes to; the smallest first, and none that
/// takes more room. Nothing for what is not a plain number.
pub fn smaller_numbers(text: &str) -> Vec<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", text),
    };
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    let lower = plain.to_ascii_lowercase();
    let found = match lower.get(..2) {
        Some("0x") => whole(&plain, 16, 2),
        Some("0o") => whole(&plain, 8, 2),
        Some("0b") => whole(&plain, 2, 2),
        _ if lower.contains(['.', 'e', 'f', 'd']) => real(&plain),
        // So Java writes what Python writes with `0o`.
        _ if plain.len() > 1 && plain.starts_with('0') => whole(&plain, 8, 1),
        _ => whole(&plain, 10, 0),
    };
    let signed = |number: String| {
        let is_zero = !number.contains(|c: char| c.is_ascii_digit() && c != '0');
        if is_zero { number } else { format!("{sign}{number}") }
    };
    found.into_iter().map(signed).filter(|number| number.len() <= text.len() && number != text).collect()
}

/// `n_prefix` characters say the base.
fn whole(text: &str, radix: u32, n_prefix: usize) -> Vec<String> {
    let suffix = text.len() - text.trim_end_matches(['l', 'L']).len();
    let (digits, suffix) = text.split_at(text.len() - suffix);
    let prefix = &digits[..n_prefix];
    if digits.len() == n_prefix || !digits[n_prefix..].chars().all(|c| c.is_digit(radix)) {
        return Vec::new();
    }
    let Ok(value) = u128::from_str_radix(&digits[n_prefix..], radix) else {
        // Too long to count with, but not to be without.
        return ["0", "1"].map(|number| format!("{number}{suffix}")).to_vec();
    };
    let written = |value: u128| {
        let number = match radix {
            _ if value < 2 => value.to_string(),
            16 => format!("{prefix}{value:x}"),
            8 => format!("{prefix}{value:o}"),
            2 => format!("{prefix}{value:b}"),
            _ => value.to_string(),
        };
        format!("{number}{suffix}")
    };
    halves(value).into_iter().map(written).collect()
}

/// 0, 1, and the halves of a value down to 2.
fn halves(value: u128) -> Vec<u128> {
    let mut found: Vec<u128> =
        std::iter::successors(Some(value / 2), |half| Some(half / 2)).take_while(|&half| half > 1).collect();
    found.extend((0..value.min(2)).rev());
    found.reverse();
    found
}

fn real(text: &str) -> Vec<String> {
    let (number, suffix) = text.split_at(text.trim_end_matches(['f', 'F', 'd', 'D']).len());
    let Ok(value) = number.parse::<f64>() else { return Vec::new() };
    let is_real = number.contains('.') || suffix.is_empty();
    let written = |value: u128| {
        if is_real { format!("{value}.0{suffix}") } else { format!("{value}{suffix}") }
    };
    if value == 0.0 {
        return Vec::new();
    }
    if value >= WHOLE {
        return vec![written(0), written(1)];
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number without a sign, and small enough"
    )]
    let floor = value as u128;
    let mut found = halves(floor);
    let is_whole = value.fract() == 0.0;
    if found.is_empty() || !is_whole {
        found.push(floor);
    }
    found.into_iter().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(smaller_numbers(text).join(" "), expected);
    }

    #[test]
    fn whole_numbers_go_to_0_and_1_and_halve() {
        check("0", "");
        check("1", "0");
        check("2", "0 1");
        check("40", "0 1 2 5 10 20");
        check("1_000", "0 1 3 7 15 31 62 125 250 500");
        check("-9", "0 -1 -2 -4");
        check("100L", "0L 1L 3L 6L 12L 25L 50L");
        check(&"9".repeat(60), "0 1");
    }

    #[test]
    fn a_number_keeps_its_base() {
        check("0xFF", "0 1 0x3 0x7 0xf 0x1f 0x3f 0x7f");
        check("0b101", "0 1 0b10");
        check("0o17", "0 1 0o3 0o7");
        check("017", "0 1 03 07");
        check("0x1L", "0L");
    }

    #[test]
    fn a_real_number_stays_one() {
        check("0.0", "");
        check("0.25", "0.0");
        check("1.5", "0.0 1.0");
        check("9.75", "0.0 1.0 2.0 4.0 9.0");
        check("8.0f", "0.0f 1.0f 2.0f 4.0f");
        check("8f", "0f 1f 2f 4f");
        check("1e300", "0.0 1.0");
        check("1e3", "0.0 1.0 3.0 7.0");
    }

    #[test]
    fn what_is_no_plain_number_is_left_alone() {
        for text in ["", "-", "3j", "0x", "0x1p3", "0b2", "09", "1e", ".", "x"] {
            check(text, "");
        }
    }
}
