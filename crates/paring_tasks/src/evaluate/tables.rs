//! The figures as Markdown: what `paring evaluate` prints and `bench/RESULTS.md` keeps.

use super::figures::{Figures, Reduction, mean, quantile, share};
use super::judged::{Judged, Kind};
use std::fmt::Write;

/// Sizes in statements: the first and the last of each group.
const SIZES: [(u64, u64); 5] = [(1, 3), (4, 7), (8, 14), (15, 39), (40, u64::MAX)];

/// All tables of a run, the cases to be named last. The order of the cases does not matter.
pub fn tables(all: &[Judged]) -> String {
    let mut sorted: Vec<&Judged> = all.iter().collect();
    sorted.sort_by(|one, other| one.id.cmp(&other.id));
    let groups: Vec<(String, Figures)> =
        groups(&sorted).into_iter().map(|(name, group)| (name, Figures::of(group))).collect();
    let mut text = String::new();
    section(
        &mut text,
        "Kept failures",
        CORRECTNESS_HEAD,
        groups.iter().map(|(name, figures)| correctness(name, figures)),
    );
    section(
        &mut text,
        "Statements",
        SIZE_HEAD,
        groups.iter().map(|(name, figures)| sizes(name, figures.statements)),
    );
    let all_cases = &groups.first().expect("the first group is that of all cases").1;
    if all_cases.instructions.is_some() {
        let rows = groups.iter().map(|(name, figures)| sizes(name, figures.instructions));
        section(&mut text, "Bytecode instructions", SIZE_HEAD, rows);
    }
    section(&mut text, "Other sizes", SIZE_HEAD, other_sizes(all_cases));
    section(&mut text, "Cost", COST_HEAD, groups.iter().map(|(name, figures)| cost(name, figures)));
    listed(&mut text, &sorted);
    text
}

/// The rows of the tables: a name and the cases it stands for. Groups without a case are left out.
fn groups<'a>(all: &[&'a Judged]) -> Vec<(String, Vec<&'a Judged>)> {
    let select = |keep: &dyn Fn(&Judged) -> bool| {
        all.iter().copied().filter(|judged| keep(judged)).collect::<Vec<_>>()
    };
    let size = |judged: &Judged| judged.size.unwrap_or(0);
    let mut groups = vec![("≥ 4 statements".to_owned(), select(&|judged| size(judged) >= 4))];
    for kind in Kind::ALL {
        groups.push((kind.word().to_owned(), select(&|judged| judged.kind == Some(kind))));
    }
    for (from, to) in SIZES {
        let name =
            if to == u64::MAX { format!("{from}+ statements") } else { format!("{from}-{to} statements") };
        groups.push((name, select(&|judged| (from..=to).contains(&size(judged)))));
    }
    groups.retain(|(_, group)| !group.is_empty());
    groups.insert(0, ("all".to_owned(), all.to_vec()));
    groups
}

fn section(text: &mut String, title: &str, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    let rule: Vec<&str> =
        head.iter().enumerate().map(|(idx, _)| if idx == 0 { "---" } else { "--:" }).collect();
    let _ = writeln!(text, "### {title}\n\n| {} |\n| {} |", head.join(" | "), rule.join(" | "));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text.push('\n');
}

const CORRECTNESS_HEAD: &[&str] = &[
    "",
    "cases",
    "results",
    "same failure",
    "valid",
    "valid with a doubt",
    "level O",
    "0",
    "1",
    "none",
    "not sliced",
];

fn correctness(name: &str, figures: &Figures) -> Vec<String> {
    let level = |word: &str| figures.levels.get(word).copied().unwrap_or(0);
    let share_of = |count: usize| percent_of(count, figures.n_results);
    vec![
        name.to_owned(),
        figures.n_cases.to_string(),
        counted(figures.n_results, figures.n_cases),
        counted(figures.n_same, figures.n_results),
        counted(figures.n_valid, figures.n_checked),
        counted(figures.n_doubted, figures.n_valid),
        share_of(level("O")),
        share_of(level("0")),
        share_of(level("1")),
        share_of(level("none")),
        share_of(level("")),
    ]
}

const SIZE_HEAD: &[&str] =
    &["", "mean reduction", "median", "≥ 25 % gone", "≥ 50 % gone", "mean of the packages' means"];

fn sizes(name: &str, reduction: Option<Reduction>) -> Vec<String> {
    let Some(Reduction { mean, median, quarter, half, by_package }) = reduction else {
        return row_of_dashes(name, SIZE_HEAD.len());
    };
    let mut row = vec![name.to_owned()];
    row.extend([mean, median, quarter, half, by_package].map(percent));
    row
}

fn other_sizes(figures: &Figures) -> Vec<Vec<String>> {
    vec![
        sizes("statements up to the failing one", figures.until_failing),
        sizes("tokens", figures.tokens),
        sizes("trace", figures.trace),
    ]
}

const COST_HEAD: &[&str] = &[
    "",
    "runs, median",
    "mean",
    "90 %",
    "search ≤ 10 + 1.3 × statements",
    "seconds, median",
    "mean",
    "90 %",
    "cold runs' worth, median",
    "mean",
    "90 %",
];

fn cost(name: &str, figures: &Figures) -> Vec<String> {
    let mut row = vec![name.to_owned()];
    row.extend(spread(&figures.runs, 0));
    row.push(figures.frugal.map_or_else(dash, percent));
    row.extend(spread(&figures.seconds, 2));
    row.extend(spread(&figures.multiples, 2));
    row
}

/// Median, mean and 90th percentile.
fn spread(values: &[f64], digits: usize) -> [String; 3] {
    [quantile(values, 0.5), mean(values), quantile(values, 0.9)]
        .map(|value| value.map_or_else(dash, |value| format!("{value:.digits$}")))
}

/// Every case that is not a valid, smaller test with the same failure, with the reason.
fn listed(text: &mut String, all: &[&Judged]) {
    let named: Vec<&&Judged> = all.iter().filter(|judged| judged.is_listed()).collect();
    let unchanged = named.iter().filter(|judged| is_merely_unchanged(judged)).count();
    let _ = writeln!(text, "### Not minimised, not the same, not valid\n");
    let _ = writeln!(
        text,
        "{} of {} cases ({}); {unchanged} more were handed back unchanged.\n",
        named.len() - unchanged,
        all.len(),
        percent_of(named.len() - unchanged, all.len()),
    );
    for judged in named {
        let word = match (judged.same, judged.valid) {
            (Some(false), _) => "not the same",
            (Some(true), Some(false)) => "not valid",
            (Some(true), Some(true) | None) | (None, _) => judged.status.as_str(),
        };
        let size =
            judged.statements.map_or_else(String::new, |pair| format!(" ({} → {})", pair.before, pair.after));
        let doubt = if judged.doubts.is_empty() { "" } else { ", doubted" };
        let reason = one_line(&judged.error);
        let colon = if reason.is_empty() { "" } else { ": " };
        let _ = writeln!(
            text,
            "- **{word}**{doubt}{size} `{}`{colon}{reason}",
            one_line(&judged.id).replace('`', "'")
        );
    }
}

fn is_merely_unchanged(judged: &Judged) -> bool {
    judged.status == "unchanged" && judged.same == Some(true) && judged.valid != Some(false)
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= 240 { line } else { line.chars().take(239).chain(['…']).collect() }
}

fn counted(part: usize, whole: usize) -> String {
    if whole == 0 { dash() } else { format!("{part} ({})", percent_of(part, whole)) }
}

fn percent_of(part: usize, whole: usize) -> String {
    if whole == 0 { dash() } else { percent(share(part, whole)) }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn row_of_dashes(name: &str, n_columns: usize) -> Vec<String> {
    let mut row = vec![name.to_owned()];
    row.resize_with(n_columns, dash);
    row
}

fn dash() -> String {
    "–".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Pair;

    fn result(id: &str, before: u64, after: u64) -> Judged {
        Judged {
            id: id.to_owned(),
            package: "p".to_owned(),
            kind: Some(Kind::Assertion),
            status: "minimized".to_owned(),
            size: Some(before),
            statements: Some(Pair { before, after }),
            level: "O".to_owned(),
            runs: Some(9),
            seconds: 1.5,
            cold_seconds: Some(0.5),
            same: Some(true),
            valid: Some(true),
            ..Judged::default()
        }
    }

    #[test]
    fn every_row_has_as_many_cells_as_its_head() {
        let crash = Judged { id: "b".to_owned(), status: "crash".to_owned(), ..Judged::default() };
        let text = tables(&[result("a", 10, 5), crash]);
        for block in text.split("\n\n").filter(|block| block.starts_with('|')) {
            let widths: Vec<usize> = block.lines().map(|line| line.matches('|').count()).collect();
            assert!(widths.iter().all(|&width| width == widths[0]), "{block}");
        }
    }

    #[test]
    fn the_first_row_is_that_of_all_cases() {
        let text = tables(&[result("a", 10, 5), result("b", 2, 2)]);
        assert!(text.contains("| all | 2 | 2 (100.0 %) | 2 (100.0 %) | 2 (100.0 %) |"), "{text}");
        assert!(text.contains("| 8-14 statements | 50.0 % |"), "{text}");
        assert!(text.contains("| 1-3 statements | 0.0 % |"), "{text}");
        assert!(!text.contains("40+"), "a group without cases has no row: {text}");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_reason() {
        let slipped =
            Judged { valid: Some(false), error: "on good:\nfailed".to_owned(), ..result("slipped", 9, 3) };
        let other = Judged { same: Some(false), error: "message".to_owned(), ..result("other", 9, 3) };
        let unchanged = Judged { status: "unchanged".to_owned(), ..result("kept", 1, 1) };
        let flaky = Judged { id: "flaky".to_owned(), status: "flaky".to_owned(), ..Judged::default() };
        let text = tables(&[slipped, other, unchanged, flaky, result("fine", 4, 1)]);
        assert!(text.contains("3 of 5 cases (60.0 %); 1 more were handed back unchanged."), "{text}");
        assert!(text.contains("- **not valid** (9 → 3) `slipped`: on good: failed"), "{text}");
        assert!(text.contains("- **not the same** (9 → 3) `other`: message"), "{text}");
        assert!(text.contains("- **unchanged** (1 → 1) `kept`\n"), "{text}");
        assert!(text.contains("- **flaky** `flaky`\n"), "{text}");
        assert!(!text.contains("`fine`"), "{text}");
    }

    #[test]
    fn no_cases_make_tables_without_figures() {
        assert!(tables(&[]).contains("| all | 0 | – |"));
    }

    #[test]
    fn the_order_of_the_cases_does_not_matter() {
        let (one, two) = (result("a", 10, 5), result("b", 3, 1));
        assert_eq!(tables(&[one.clone(), two.clone()]), tables(&[two, one]));
    }
}
