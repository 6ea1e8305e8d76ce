//! Imports that nothing reads any more, once a test of the file is smaller.
//!
//! An import counts as read where its name stands anywhere else in the file, in a comment or a text too. What was not read before stays, and
//! so does what imports all names of a package.

use super::splice::{Splice, apply};
use super::syntax::{named, parsed, range_of, text};
use paring_model::TextRange;

/// `after` without the imports that `before` read and it does not.
pub fn without(before: &str, after: &str) -> String {
    let rest_before = blanked(before);
    let rest_after = blanked(after);
    let is_unused = |(_, name): &(TextRange, Option<String>)| {
        name.as_ref().is_some_and(|name| has_word(&rest_before, name) && !has_word(&rest_after, name))
    };
    let unused = imports(after).into_iter().filter(is_unused);
    let splices =
        unused.filter_map(|(range, _)| line(after, range)).map(|line| Splice::delete(line.start, line.end));
    apply(after, splices.collect())
}

/// The imports of a file, with the name each gives where it gives one.
fn imports(source: &str) -> Vec<(TextRange, Option<String>)> {
    let tree = parsed(source);
    let found = named(tree.root_node()).into_iter().filter(|node| node.kind() == "import_declaration");
    found
        .map(|node| {
            let is_on_demand = named(node).iter().any(|child| child.kind() == "asterisk");
            let path = named(node).into_iter().find(|child| child.kind() != "asterisk");
            let path = path.map(|path| text(path, source)).unwrap_or_default();
            let name = path.rsplit('.').next().unwrap_or_default().trim().to_owned();
            (range_of(node), (!is_on_demand && !name.is_empty()).then_some(name))
        })
        .collect()
}

fn blanked(source: &str) -> String {
    let splices = imports(source).into_iter().map(|(range, _)| Splice { range, text: " ".to_owned() });
    apply(source, splices.collect())
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

/// The line of an import; `None` where something else stands in it.
fn line(source: &str, range: TextRange) -> Option<TextRange> {
    let before = &source[..range.start as usize];
    let behind = &source[range.end as usize..];
    let n_behind = behind.find('\n').map_or(behind.len(), |at| at + 1);
    let is_alone = (before.is_empty() || before.ends_with('\n')) && behind[..n_behind].trim().is_empty();
    let end = range.end + u32::try_from(n_behind).ok()?;
    is_alone.then(|| TextRange::new(range.start, end))
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn an_import_goes_with_its_last_reader() {
        let file = |imports: &str, body: &str| {
            format!("package a;\n\n{imports}\nclass T {{\n    void t() {{ {body} }}\n}}\n")
        };
        let all = "import java.util.List;\nimport java.util.Map;\nimport static java.lang.Math.max;\nimport java.io.*;\nimport java.util.Set;\n";
        let before = file(all, "List l; Map m; max(1, 2);");
        let after = file(all, "Map m;");
        let expected = file("import java.util.Map;\nimport java.io.*;\nimport java.util.Set;\n", "Map m;");
        assert_eq!(without(&before, &after), expected);
        assert_eq!(without(&after, &after), after);
    }
}
