//! Where an import goes that a file does not have yet: among those of its kind, in the order of their names.

use super::super::syntax::{named, parsed, range_of, text};
use super::super::write::line_end;

/// The text with an import; `None` where there is none of its kind to go by.
pub fn with_import(source: &str, import: &str) -> Option<String> {
    let tree = parsed(source);
    let imports = named(tree.root_node()).into_iter().filter(|node| node.kind() == "import_declaration");
    let line = format!("import {import};");
    let is_static = import.starts_with("static ");
    let own: Vec<_> =
        imports.filter(|it| text(*it, source).starts_with("import static ") == is_static).collect();
    let end = line_end(source);
    let package = |name: &str| {
        name.trim_start_matches("import static ")
            .trim_start_matches("import ")
            .split('.')
            .next()
            .map(str::to_owned)
    };
    // Where packages stand in groups, it goes into that of its own.
    let is_near = |it: &tree_sitter::Node<'_>| package(text(*it, source)) == package(&line);
    let near: Vec<_> = own.iter().copied().filter(is_near).collect();
    let among = if near.is_empty() { &own } else { &near };
    let next = among.iter().find(|it| text(**it, source) > line.as_str());
    let (at, inserted) = match (next, among.last()) {
        (Some(next), _) => (range_of(*next).start, format!("{line}{end}")),
        (None, Some(last)) => (range_of(*last).end, format!("{end}{line}")),
        (None, None) => return None,
    };
    let (before, behind) = source.split_at(at as usize);
    Some(format!("{before}{inserted}{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_goes_among_its_own_kind() {
        let source = "package a;\n\nimport static a.B.c;\n\nimport java.util.List;\nimport org.junit.Test;\n\nclass A {}\n";
        let check = |import: &str, expected: &str| {
            let text = with_import(source, import).expect("there are imports");
            assert!(text.contains(expected), "{text}");
        };
        check("static a.B.d", "import static a.B.c;\nimport static a.B.d;\n\n");
        check(
            "java.util.stream.Stream",
            "import java.util.List;\nimport java.util.stream.Stream;\nimport org",
        );
        check("org.junit.Before", "import java.util.List;\nimport org.junit.Before;\nimport org.junit.Test;");
    }
}
