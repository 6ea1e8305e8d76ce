//! Several results, sorted by the defect they show: of each the smallest in full, and the names of the others.

use crate::terminal::{Style, labelled, render};
use crate::words::printable;
use paring_tasks::{Group, Outcome};

pub fn grouped(outcomes: &[Outcome], groups: &[Group], style: Style) -> String {
    let mut text = String::new();
    // What many tests show comes in full, what a single one shows in short.
    let short = Style { terse: true, color: false, explain: false, ..style };
    for group in groups {
        let is_lone = group.members.len() == 1 && groups.len() > 1;
        text.push_str(&render(&outcomes[group.representative], if is_lone { short } else { style }));
        for &member in group.members.iter().filter(|&&member| member != group.representative) {
            let target = printable(&outcomes[member].target);
            text.push_str(&labelled("also", &target, style));
        }
        text.push('\n');
    }
    let n_results: usize = groups.iter().map(|group| group.members.len()).sum();
    // Nobody knows yet how many defects are behind them.
    let told = format!("{}, {}", count(n_results, "failing test"), count(groups.len(), "different failure"));
    text.push_str(&labelled("groups", &told, style));
    text
}

fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
