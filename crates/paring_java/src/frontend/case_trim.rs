//! The failing case of a parametrised test, where the others are written out: they may go all at once.
//!
//! ```java
//! @ParameterizedTest @CsvSource({"1, 1", "2, 4"})    // on the method
//! @ParameterizedTest @MethodSource("rows")           // or in a method of the file that only gives a list:
//! static Stream<Arguments> rows() { return Stream.of(arguments(1, 1), arguments(2, 4)); }
//! ```
//!
//! Then the case is the first of its test.

use super::element::{list, pieces};
use super::one_case;
use super::syntax::{annotations, child_of_kind, field_text, method_at, named, range_of, text, walk};
use super::target::split;
use paring_model::{EditSet, StmtId, Trim, TrimKind, Unit};
use tree_sitter::Node;

/// Adds the trim, where the target names a case.
pub fn offer(unit: &mut Unit, root: Node) {
    let Some(number) = one_case::number(&unit.target) else { return };
    let Some((stmt, list)) = on_method(unit, root).or_else(|| in_provider(unit, root)) else { return };
    let pieces = pieces(list, &unit.source);
    if pieces.len() < 2 || !(1..=pieces.len()).contains(&number) {
        return;
    }
    let others = pieces.iter().enumerate().filter(|(idx, _)| idx + 1 != number);
    unit.trims.push(Trim {
        kind: TrimKind::Cases,
        stmt,
        edits: others.map(|(_, range)| (*range, String::new())).collect(),
        unused: Vec::new(),
        label: format!("cases other than {number}"),
    });
}

/// The target of a text with these edits: of one case that is left, the first.
pub fn target(unit: &Unit, edits: &EditSet) -> Option<String> {
    let is_cases = edits.trims.iter().any(|id| unit.trim(id).kind == TrimKind::Cases);
    let at = unit.target.rfind('[').filter(|_| is_cases)?;
    Some(format!("{}[1]", &unit.target[..at]))
}

fn on_method<'t>(unit: &Unit, root: Node<'t>) -> Option<(StmtId, Node<'t>)> {
    let def = unit.routine(unit.test?).def?;
    Some((def, one_case::cases(root, unit.stmt(def).range, &unit.source)?))
}

/// What the only provider of the test returns, if that is all it does.
fn in_provider<'t>(unit: &Unit, root: Node<'t>) -> Option<(StmtId, Node<'t>)> {
    let test = method_at(root, unit.stmt(unit.routine(unit.test?).def?).range)?;
    let sources: Vec<(&str, Node)> =
        annotations(test, &unit.source).into_iter().filter(|(name, _)| name.ends_with("Source")).collect();
    let [("MethodSource", annotation)] = sources.as_slice() else { return None };
    let name = match annotation.child_by_field_name("arguments") {
        Some(arguments) => literal(arguments, &unit.source)?,
        None => split(&unit.target).1.to_owned(),
    };
    let provider = only_method(root, &name, &unit.source)?;
    let body = provider.child_by_field_name("body")?;
    let [only] = named(body)[..] else { return None };
    let value = (only.kind() == "return_statement").then(|| named(only)).filter(|it| it.len() == 1)?;
    let found = list(value[0], &unit.source)?;
    let stmt = unit.ids().find(|&id| unit.stmt(id).range == range_of(only))?;
    // What is a node of its own within a case is not taken apart from it.
    unit.inline(stmt).next().is_none().then_some((stmt, found))
}

/// The only string of an annotation.
fn literal(arguments: Node, source: &str) -> Option<String> {
    let mut found = Vec::new();
    walk(arguments, &mut |node| {
        if node.kind() == "string_literal" {
            found.push(text(node, source).trim_matches('"').to_owned());
        }
        true
    });
    if found.len() == 1 { found.pop() } else { None }
}

/// The method without parameters of that name, where there is one alone.
fn only_method<'t>(root: Node<'t>, name: &str, source: &str) -> Option<Node<'t>> {
    let mut found = Vec::new();
    walk(root, &mut |node| {
        let is_it = node.kind() == "method_declaration" && field_text(node, "name", source) == name;
        let has_none =
            || child_of_kind(node, "formal_parameters").is_some_and(|params| named(params).is_empty());
        if is_it && has_none() {
            found.push(node);
        }
        true
    });
    if found.len() == 1 { found.pop() } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::{JavaFrontend, test_unit};
    use paring_model::{EditSet, Form, Frontend, TrimKind};

    fn file(annotation: &str, provider: &str) -> String {
        format!(
            "class HalfTest {{\n    @ParameterizedTest\n    {annotation}\n    void half(int n, int m) {{\n        b(n, m);\n    }}\n{provider}}}\n"
        )
    }

    #[track_caller]
    fn check(annotation: &str, provider: &str, target: &str, expected: (&str, &str, &str)) {
        let unit = test_unit(&file(annotation, provider), &format!("HalfTest#{target}"));
        let mut edits = EditSet::all(&unit);
        let cases = |id| unit.trim(id).kind == TrimKind::Cases;
        edits.trims.extend(unit.trim_ids().filter(|&id| cases(id)));
        for form in [Form::Blanked, Form::Compact] {
            let candidate = JavaFrontend.edited(&unit, &edits, form);
            assert_eq!(candidate.target(), format!("HalfTest#{}", expected.2));
            if form == Form::Compact {
                assert_eq!(candidate.text(), file(expected.0, expected.1));
            }
        }
    }

    #[test]
    fn the_failing_case_of_a_list_on_the_method_is_left() {
        let all = r#"@CsvSource({"1, 2", "3, 4", "5, 6"})"#;
        check(all, "", "half(int, int)[2]", (r#"@CsvSource({"3, 4"})"#, "", "half(int, int)[1]"));
        check(all, "", "half[3]", (r#"@CsvSource({"5, 6"})"#, "", "half[1]"));
        check("@ValueSource(ints = {1, 2})", "", "half[1]", ("@ValueSource(ints = {1})", "", "half[1]"));
    }

    #[test]
    fn and_of_a_list_that_a_method_of_the_file_returns() {
        let provider = |rows: &str| {
            format!("    static Stream<Arguments> rows() {{\n        return Stream.of({rows});\n    }}\n")
        };
        check(
            "@MethodSource(\"rows\")",
            &provider("arguments(1, 2), arguments(3, 4)"),
            "half[2]",
            ("@MethodSource(\"rows\")", &provider("arguments(3, 4)"), "half[1]"),
        );
    }

    #[test]
    fn what_is_not_written_out_is_left_alone() {
        let made = "    static Stream<Arguments> rows() {\n        int n = 1;\n        return Stream.of(arguments(n), arguments(2));\n    }\n";
        for (annotation, provider, target) in [
            ("@MethodSource(\"rows\")", made, "half[2]"),
            ("@MethodSource(\"elsewhere\")", "", "half[2]"),
            ("@ValueSource(ints = {1, 2})", "", "half"),
            ("@ValueSource(ints = {1, 2})", "", "half[3]"),
        ] {
            let unit = test_unit(&file(annotation, provider), &format!("HalfTest#{target}"));
            assert!(unit.trims.is_empty(), "{annotation} {provider} {target}");
        }
    }
}
