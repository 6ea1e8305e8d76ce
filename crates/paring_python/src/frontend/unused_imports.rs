//! Imports that nothing reads any more, once a test of the file is smaller.
//!
//! ```python
//! import json              # only the statement that went read it
//! from shop import Cart, Log    # and `Log`
//! ```
//!
//! An import counts as read where its name stands anywhere else in the file, in a comment or a text too. What was not read before stays: it
//! is there for another reason.

use super::parsed;
use super::splice::{Splice, apply};
use super::tree::range_of;
use paring_model::TextRange;
use ruff_python_ast::{Alias, Stmt};

/// `after` without the imports that `before` read and it does not.
pub fn without(before: &str, after: &str) -> String {
    let parsed = parsed(after);
    let imports: Vec<TextRange> =
        parsed.suite().iter().filter(|stmt| names(stmt).is_some()).map(range_of).collect();
    let rest_before = without_imports(before);
    let rest_after = blanked(after, &imports);
    let is_unused = |alias: &Alias| {
        let name = bound(alias);
        has_word(&rest_before, name) && !has_word(&rest_after, name)
    };
    let mut splices = Vec::new();
    let mut lines = Vec::new();
    for stmt in parsed.suite() {
        let Some(aliases) = names(stmt) else { continue };
        let range = range_of(stmt);
        let unused: Vec<usize> = (0..aliases.len()).filter(|&idx| is_unused(&aliases[idx])).collect();
        if unused.is_empty() || !stands_alone(after, range) {
            continue;
        }
        if unused.len() == aliases.len() {
            lines.push(whole_lines(after, range));
            continue;
        }
        if !range.of(after).contains('#') {
            splices.extend(unused.iter().map(|&idx| without_alias(aliases, idx, &unused)));
        }
    }
    splices.extend(with_blank_lines(after, lines));
    apply(after, splices)
}

/// One of several names, with the comma behind it; of the last ones, that before it.
fn without_alias(aliases: &[Alias], idx: usize, unused: &[usize]) -> Splice {
    let range = |idx: usize| range_of(&aliases[idx]);
    let is_followed = (idx + 1..aliases.len()).any(|next| !unused.contains(&next));
    let (start, end) = if is_followed {
        (range(idx).start, range(idx + 1).start)
    } else {
        (range(idx - 1).end, range(idx).end)
    };
    Splice::delete(start, end)
}

/// What an import of the file's top level names; `None` for other statements, and where nobody knows which names it gives.
fn names(stmt: &Stmt) -> Option<&[Alias]> {
    match stmt {
        Stmt::Import(import) => Some(&import.names),
        Stmt::ImportFrom(import) => {
            let is_future = import.module.as_deref() == Some("__future__");
            let is_star = import.names.iter().any(|alias| alias.name.as_str() == "*");
            (!is_future && !is_star).then_some(import.names.as_slice())
        }
        _ => None,
    }
}

/// The name that an import gives.
fn bound(alias: &Alias) -> &str {
    match &alias.asname {
        Some(name) => name.as_str(),
        None => alias.name.as_str().split('.').next().unwrap_or_default(),
    }
}

fn without_imports(text: &str) -> String {
    let parsed = parsed(text);
    let imports: Vec<TextRange> =
        parsed.suite().iter().filter(|stmt| names(stmt).is_some()).map(range_of).collect();
    blanked(text, &imports)
}

fn blanked(text: &str, ranges: &[TextRange]) -> String {
    let splices = ranges.iter().map(|&range| Splice { range, text: " ".to_owned() }).collect();
    apply(text, splices)
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

/// Whether nothing else stands in the lines of a statement: no other statement, and no comment, which may say why it is there.
fn stands_alone(text: &str, range: TextRange) -> bool {
    let before = &text[..range.start as usize];
    let behind = &text[range.end as usize..];
    let begins_line = before.is_empty() || before.ends_with('\n');
    begins_line && behind.lines().next().is_none_or(|rest| rest.trim().is_empty())
}

/// The lines of a statement, line end included.
fn whole_lines(text: &str, range: TextRange) -> TextRange {
    let behind = &text[range.end as usize..];
    let n_behind = behind.find('\n').map_or(behind.len(), |at| at + 1);
    TextRange::new(range.start, range.end + u32::try_from(n_behind).unwrap_or(0))
}

/// Lines that follow each other as one; with the blank ones behind them where nothing is left between blank lines.
fn with_blank_lines(text: &str, lines: Vec<TextRange>) -> Vec<Splice> {
    let mut joined: Vec<TextRange> = Vec::new();
    for range in lines {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            Some(_) | None => joined.push(range),
        }
    }
    let with_blanks = |range: TextRange| {
        let before = &text[..range.start as usize];
        let is_alone = before.is_empty() || before.ends_with("\n\n") || before.ends_with("\n\r\n");
        let rest = text[range.end as usize..].split_inclusive('\n');
        let n_blank: usize = rest.take_while(|line| line.trim().is_empty()).map(str::len).sum();
        let n_more = if is_alone { u32::try_from(n_blank).unwrap_or(0) } else { 0 };
        Splice::delete(range.start, range.end + n_more)
    };
    joined.into_iter().map(with_blanks).collect()
}

#[cfg(test)]
mod tests {
    use super::without;

    fn check(before: &str, after: &str, expected: &str) {
        assert_eq!(without(before, after), expected);
    }

    #[test]
    fn an_import_goes_with_its_last_reader() {
        let head = "import json\nimport os\n\n\n";
        check(
            &format!("{head}def test():\n    a = json.dumps(os.name)\n    assert 0\n"),
            &format!("{head}def test():\n    assert 0\n"),
            "def test():\n    assert 0\n",
        );
        check(
            &format!("{head}def test():\n    a = json.dumps(1)\n    assert os.name\n"),
            &format!("{head}def test():\n    assert os.name\n"),
            "import os\n\n\ndef test():\n    assert os.name\n",
        );
    }

    #[test]
    fn of_several_names_those_go_that_are_not_read() {
        let test = "def test():\n    assert Cart\n";
        let before = |import: &str| format!("{import}\n\n{test}    Log, Row\n");
        let after = |import: &str| format!("{import}\n\n{test}");
        for (import, expected) in [
            ("from shop import Cart, Log, Row", "from shop import Cart"),
            ("from shop import Log, Cart", "from shop import Cart"),
            ("from shop import (\n    Cart,\n    Log,\n)", "from shop import (\n    Cart,\n)"),
            ("import Cart, Log", "import Cart"),
        ] {
            check(&before(import), &after(import), &after(expected));
        }
    }

    #[test]
    fn what_was_not_read_before_or_may_be_there_for_its_effect_stays() {
        let end = "def test():\n    assert 0\n";
        for import in ["import plugin", "from __future__ import annotations", "from shop import *"] {
            let text = format!("{import}\n\n\n{end}");
            check(&text, &text, &text);
        }
        let told = format!("import json  # noqa: registers itself\n\n\n{end}");
        check(&format!("{told}    json\n"), &told, &told);
        let exported = format!("import json\n\n__all__ = ['json']\n\n\n{end}");
        check(&format!("{exported}    json\n"), &exported, &exported);
    }
}
