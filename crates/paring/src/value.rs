//! The values of options, as people write them: `30s`, `200runs`, `512M`, `KEY=VALUE`, `type,message`.
//!
//! The command line and the configuration file share these, so that both take the same spellings.

use camino::Utf8PathBuf;
use paring_engine::{Budget, Same, Strategy};
use paring_tree::Lang;
use regex::{Regex, RegexBuilder};
use std::time::Duration;

/// Where something is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sink {
    Stdout,
    File(Utf8PathBuf),
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorWhen {
    /// On a terminal that supports colours
    #[default]
    Auto,
    /// Also in files and pipes
    Always,
    /// Never
    Never,
}

/// `-` is standard output.
pub fn sink(text: &str) -> Result<Sink, String> {
    match text {
        "" => Err("a file name, or `-` for standard output, is missing".to_owned()),
        "-" => Ok(Sink::Stdout),
        path => Ok(Sink::File(path.into())),
    }
}

/// `2.5`, `2.5s`, `500ms`, `2m`, `1h`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let seconds = match unit {
        "" | "s" | "sec" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is no time; write 30s, 2m or 500ms")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is no time; write 30s, 2m or 500ms"))?;
    let duration =
        Duration::try_from_secs_f64(number * seconds).map_err(|_| format!("`{text}` is too long"))?;
    if duration.is_zero() { Err("the time must be more than nothing".to_owned()) } else { Ok(duration) }
}

/// How many times as much: `2`, `1.5`; no less than once.
pub fn ratio(text: &str) -> Result<f64, String> {
    let refused = || format!("`{text}` is no number of 1 or more; write 2 or 1.5");
    let ratio: f64 = text.parse().map_err(|_| refused())?;
    if ratio.is_finite() && ratio >= 1.0 { Ok(ratio) } else { Err(refused()) }
}

/// `30s`, `2m`, `200runs`, or both: `2m,200runs`.
pub fn budget(text: &str) -> Result<Budget, String> {
    let mut budget = Budget::default();
    for part in text.split(',').map(str::trim) {
        match split_unit(part) {
            (number, "run" | "runs") => {
                let n_runs = number.parse().ok().filter(|&n_runs: &usize| n_runs > 0);
                budget.runs =
                    Some(n_runs.ok_or_else(|| format!("`{part}` is no number of runs; write 200runs"))?);
            }
            _ => {
                budget.time = Some(
                    duration(part).map_err(|_| format!("`{part}` is no budget; write 30s, 2m or 200runs"))?,
                );
            }
        }
    }
    Ok(budget)
}

/// Bytes: `512M`, `2G`, `1.5GiB`; a bare number is bytes.
pub fn memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{text}` is no size; write 512M or 2G")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is no size; write 512M or 2G"))?;
    let bytes = number * factor;
    if !(1.0..=1e18).contains(&bytes) {
        return Err(format!("`{text}` is no size; write 512M or 2G"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 10^18")]
    Ok(bytes as u64)
}

/// `KEY=VALUE`; the value may be empty and may hold `=`.
pub fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(format!("`{text}` is not KEY=VALUE")),
    }
}

/// A list of `type`, `message`, `frames` and `statement`.
pub fn same(text: &str) -> Result<Same, String> {
    let mut same = Same { exception: false, message: false, frames: false, statement: false };
    for part in text.split(',').map(str::trim) {
        match part {
            "type" => same.exception = true,
            "message" => same.message = true,
            "frames" => same.frames = true,
            "statement" => same.statement = true,
            _ => return Err(format!("`{part}` is none of type, message, frames, statement")),
        }
    }
    Ok(same)
}

/// A strategy by its name.
pub fn strategy(text: &str) -> Result<Strategy, String> {
    let found = Strategy::ALL.into_iter().find(|strategy| strategy.word() == text);
    found.ok_or_else(|| format!("`{text}` is none of {}", Strategy::ALL.map(Strategy::word).join(", ")))
}

/// A language by its name.
pub fn lang(text: &str) -> Result<Lang, String> {
    let found = Lang::ALL.into_iter().find(|lang| lang.word() == text);
    found.ok_or_else(|| format!("`{text}` is none of {}", Lang::ALL.map(Lang::word).join(", ")))
}

/// A regular expression, as it was written.
pub fn pattern(text: &str) -> Result<String, String> {
    regex(text).map(|_| text.to_owned())
}

/// A regular expression in which `^` and `$` stand for the ends of a line.
pub fn regex(text: &str) -> Result<Regex, String> {
    RegexBuilder::new(text).multi_line(true).build().map_err(|error| error.to_string())
}

/// Digits, then letters.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len()));
    (number.trim(), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_and_seconds_are_the_default() {
        for (text, millis) in
            [("30", 30_000), ("30s", 30_000), ("500ms", 500), ("1.5m", 90_000), ("1 h", 3_600_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "0", "-3", "3 days", "1e400", "inf", "nan"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_budget_is_time_or_runs_or_both() {
        let minutes = Some(Duration::from_mins(2));
        assert_eq!(budget("2m"), Ok(Budget { runs: None, time: minutes }));
        assert_eq!(budget("200runs"), Ok(Budget { runs: Some(200), time: None }));
        assert_eq!(budget("200 runs, 2m"), Ok(Budget { runs: Some(200), time: minutes }));
        assert!(budget("0runs").is_err());
        assert!(budget("200walks").is_err());
        assert!(budget("").is_err());
    }

    #[test]
    fn sizes_are_powers_of_two() {
        assert_eq!(memory("512M"), Ok(512 << 20));
        assert_eq!(memory("2GiB"), Ok(2 << 30));
        assert_eq!(memory("1.5kb"), Ok(1536));
        assert_eq!(memory("77"), Ok(77));
        assert!(memory("2T").is_err());
        assert!(memory("-1M").is_err());
        assert!(memory("0").is_err());
    }

    #[test]
    fn what_must_be_the_same_is_a_list() {
        assert_eq!(same("type,message,frames,statement"), Ok(Same::default()));
        let type_only = Same { exception: true, message: false, frames: false, statement: false };
        assert_eq!(same(" type "), Ok(type_only));
        assert!(same("").is_err());
        assert!(same("type,mesage").unwrap_err().contains("`mesage`"));
    }

    #[test]
    fn a_variable_needs_a_name() {
        assert_eq!(key_value("A=b=c"), Ok(("A".to_owned(), "b=c".to_owned())));
        assert_eq!(key_value("A="), Ok(("A".to_owned(), String::new())));
        assert!(key_value("=b").is_err());
        assert!(key_value("A").is_err());
    }

    #[test]
    fn strategies_go_by_their_names_in_the_literature() {
        for one in Strategy::ALL {
            assert_eq!(strategy(one.word()), Ok(one));
        }
        assert!(strategy("best").unwrap_err().contains("auto, fit, ssmin"));
    }
}
