//! Several results, sorted by the defect they show: of each the smallest in full, and the names of the others.

use crate::terminal::{Style, labelled, render};
use crate::words::printable;
use paring_tasks::{Group, Outcome};

pub fn grouped(outcomes: &[Outcome], groups: &[Group], style: Style) -> String {
    let mut text = String::new();
    for group in groups {
        text.push_str(&render(&outcomes[group.representative], style));
        for &member in group.members.iter().filter(|&&member| member != group.representative) {
            let target = printable(&outcomes[member].target);
            text.push_str(&labelled("also", &target, style));
        }
        text.push('\n');
    }
    let n_results: usize = groups.iter().map(|group| group.members.len()).sum();
    let told = format!("{} shown by {}", count(groups.len(), "defect"), count(n_results, "test"));
    text.push_str(&labelled("groups", &told, style));
    text
}

fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
