//! A unified diff that `git apply` and `patch` take.
//!
//! Lines end at `\n` and nowhere else: a `\r` before it is part of the line, as git sees it.

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use std::fmt::Write;
use std::ops::Range;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// The patch from one text of a file to another; empty where they are the same. The path is relative to the root it is
/// applied from, with `/` between its parts.
pub fn patch(path_relative: &str, before: &str, after: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let hunks = group_diff_ops(capture_diff_slices(Algorithm::Myers, &old, &new), CONTEXT);
    if before == after {
        return String::new();
    }
    let mut text = format!("--- {}\n+++ {}\n", name("a/", path_relative), name("b/", path_relative));
    for hunk in &hunks {
        write_hunk(&mut text, hunk, &old, &new);
    }
    text
}

fn write_hunk(text: &mut String, hunk: &[DiffOp], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let old_range = span(first.old_range().start..last.old_range().end);
    let new_range = span(first.new_range().start..last.new_range().end);
    writeln!(text, "@@ -{old_range} +{new_range} @@").expect("writing to a string does not fail");
    for op in hunk {
        match op.tag() {
            DiffTag::Equal => write_lines(text, ' ', &old[op.old_range()]),
            DiffTag::Delete => write_lines(text, '-', &old[op.old_range()]),
            DiffTag::Insert => write_lines(text, '+', &new[op.new_range()]),
            DiffTag::Replace => {
                write_lines(text, '-', &old[op.old_range()]);
                write_lines(text, '+', &new[op.new_range()]);
            }
        }
    }
}

/// `start,length`, from 1; an empty range names the line before it.
fn span(range: Range<usize>) -> String {
    let start = if range.is_empty() { range.start } else { range.start + 1 };
    format!("{start},{}", range.len())
}

fn write_lines(text: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// A file name as git reads it: quoted where it holds what would end it, and with a tab behind it where it holds spaces.
fn name(prefix: &str, path: &str) -> String {
    if path.contains(|c: char| c.is_control() || c == '"' || c == '\\') {
        let mut quoted = format!("\"{prefix}");
        for c in path.chars() {
            match c {
                '"' | '\\' => quoted.extend(['\\', c]),
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                c if c.is_control() => {
                    write!(quoted, "\\{:03o}", u32::from(c)).expect("writing to a string does not fail");
                }
                c => quoted.push(c),
            }
        }
        return quoted + "\"";
    }
    let tab = if path.contains(' ') { "\t" } else { "" };
    format!("{prefix}{path}{tab}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    /// Applies the patch with git itself.
    fn check(path: &str, before: &str, after: &str) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, before).unwrap();
        let diff = patch(path, before, after);
        let mut git = Command::new("git")
            .args(["-c", "core.autocrlf=false", "apply", "-"])
            .env("GIT_CEILING_DIRECTORIES", dir.path().parent().unwrap())
            .current_dir(&dir)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        git.stdin.take().unwrap().write_all(diff.as_bytes()).unwrap();
        assert!(git.wait().unwrap().success(), "git refused:\n{diff}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), after, "{diff}");
    }

    fn numbered(n: usize) -> Vec<String> {
        (1..=n).map(|i| format!("line {i}\n")).collect()
    }

    #[test]
    fn git_applies_removals_far_apart() {
        let lines = numbered(60);
        let after: String = lines
            .iter()
            .enumerate()
            .filter(|(i, _)| ![3, 4, 30, 59].contains(i))
            .map(|(_, l)| l.as_str())
            .collect();
        check("tests/test_a.py", &lines.concat(), &after);
    }

    #[test]
    fn git_applies_a_change_of_the_last_line_without_newline() {
        check("a.py", "x = 1\ny = 2", "x = 1");
        check("a.py", "x = 1\ny = 2", "y = 2\n");
        check("a.py", "x = 1\ny = 2\n", "x = 1\ny = 2");
        check("a.py", "a\nb\nc", "a\nc");
    }

    #[test]
    fn git_applies_crlf_and_mixed_line_ends() {
        check("a.py", "a\r\nb\r\nc\r\n", "a\r\nc\r\n");
        check("a.py", "a\r\nb\nc\rd\n", "a\r\nc\rd\n");
        check("a.py", "a\r\nb\r\n", "a\nb\r\n");
    }

    #[test]
    fn git_applies_to_awkward_paths() {
        check("tests/with space/t é.py", "a\nb\n", "b\n");
        check("tests/qu\"ote\\d.py", "a\nb\n", "b\n");
        check("tests/new\nline\t.py", "a\nb\n", "b\n");
    }

    #[test]
    fn git_applies_from_and_to_an_empty_file() {
        check("a.py", "a\n", "");
        check("a.py", "form\x0cfeed\u{2028}\na\n", "form\x0cfeed\u{2028}\n");
    }

    #[test]
    fn the_same_text_gives_no_patch() {
        assert_eq!(patch("a.py", "x\n", "x\n"), "");
    }

    #[test]
    fn a_patch_reads_as_people_know_it() {
        insta::assert_snapshot!(patch("tests/test_a.py", "a\nb\nc\nd", "a\nc\nd"));
    }
}
