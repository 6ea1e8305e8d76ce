//! Elements of literals that loops go through, and cases of parametrised tests.

use super::*;
use paring_model::TrimId;

/// The labels of all trims, and what the body looks like without the elements at these positions of all offered.
#[track_caller]
fn check(body: &str, removed: &[u32], compact: &str) {
    let unit = unit_of(body);
    let mut edits = EditSet::all(&unit);
    edits.trims.extend(removed.iter().map(|&position| TrimId(position)));
    for form in [Form::Compact, Form::Blanked] {
        let text = JavaFrontend.edited(&unit, &edits, form).into_text();
        let problems = syntax::problems(syntax::parsed(&text).root_node());
        assert!(problems.is_empty(), "{form:?} does not parse:\n{text}");
        let written = &text[HEAD.len()..text.len() - TAIL.len()];
        match form {
            Form::Compact => assert_eq!(written, compact),
            Form::Blanked => {
                let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(without_spaces(written), without_spaces(compact));
                assert_eq!(written.lines().count(), body.lines().count());
            }
        }
    }
}

fn n_trims(body: &str) -> usize {
    unit_of(body).trims.len()
}

#[test]
fn elements_of_an_iterated_array_go_one_by_one() {
    let body = "for (int n : new int[] {1, 2, 3}) f(n);";
    let with = |elements: &str| body.replace("{1, 2, 3}", elements);
    check(body, &[0], &with("{2, 3}"));
    check(body, &[1], &with("{1, 3}"));
    check(body, &[2], &with("{1, 2}"));
    check(body, &[1, 2], &with("{1}"));
    check(body, &[0, 2], &with("{2}"));
    check(body, &[0, 1, 2], &with("{}"));
}

#[test]
fn elements_of_an_iterated_list_go_without_commas_left_over() {
    let body = "for (String s : Arrays.asList(\"a\", g(1, 2), \"c\")) f(s);";
    let with = |elements: &str| body.replace("\"a\", g(1, 2), \"c\"", elements);
    check(body, &[2], &with("\"a\", g(1, 2)"));
    check(body, &[0, 1], &with("\"c\""));
    check(
        "for (String s : List.of(\n    \"a\", // first\n    \"b\"\n)) f(s);",
        &[1],
        "for (String s : List.of(\n    \"a\" // first\n)) f(s);",
    );
}

#[test]
fn comments_over_an_element_go_with_it() {
    let body = "int[] ns = {\n    // one\n    1,\n    // two\n    2,\n    3,\n};\nfor (int n : ns) f(n);";
    check(body, &[1], &body.replace("    // two\n    2,\n", ""));
    check(body, &[0], &body.replace("    // one\n    1,\n", ""));
    check(body, &[1, 2], &body.replace("    // two\n    2,\n    3,\n", ""));
}

#[test]
fn elements_of_the_only_value_of_a_name_are_offered_however_it_is_gone_through() {
    assert_eq!(n_trims("int[] ns = {1, 2}; for (int n : ns) f(n);"), 2);
    assert_eq!(n_trims("int[] ns = {1, 2}; for (int i = 0; i < ns.length; i++) f(ns[i]);"), 2);
    assert_eq!(n_trims("List<Integer> ns = new ArrayList<>(List.of(1, 2)); for (int n : ns) f(n);"), 2);
    assert_eq!(n_trims("int[] ns = {1, 2}; ns = g(); for (int n : ns) f(n);"), 0);
    assert_eq!(n_trims("int[] ns = {1, 2}; f(ns);"), 0);
    assert_eq!(n_trims("for (int n : new int[] {1}) f(n);"), 0);
    assert_eq!(n_trims("for (Object o : Map.of(1, 2)) f(o);"), 0);
}

/// A class with one parametrised test, whose first statement is removed.
#[track_caller]
fn taken_out(annotation: &str, target: &str) -> (String, String) {
    let source = parametrised(annotation);
    let unit = test_unit(&source, &format!("t.HalfTest#{target}"));
    let mut edits = EditSet::all(&unit);
    edits.remove(&unit, node(&unit, "a();"));
    let draft = Draft::of(vec![TestDraft::edited(0, edits)]);
    let candidate = JavaFrontend.write(&[&unit], &draft, Form::Compact).expect("a text").candidate;
    (candidate.text().to_owned(), candidate.target().to_owned())
}

fn parametrised(annotation: &str) -> String {
    format!(
        "package t;\nimport org.junit.jupiter.params.ParameterizedTest;\nclass HalfTest {{\n    @ParameterizedTest\n    \
         {annotation}\n    void half(int n) {{\n        a();\n        b(n);\n    }}\n}}\n"
    )
}

#[test]
fn the_failing_case_gets_a_method_of_its_own() {
    let (text, target) = taken_out("@ValueSource(ints = {1, 2, 3})", "half[2]");
    let own = "\n    @ParameterizedTest\n    @ValueSource(ints = {2})\n    void halfCase2(int n) {\n        b(n);\n    }\n}\n";
    let rest = parametrised("@ValueSource(ints = {1, 3})");
    assert_eq!(text, format!("{}{own}", rest.strip_suffix("}\n").expect("the class ends")));
    assert_eq!(target, "t.HalfTest#halfCase2[1]");
    let (text, _) = taken_out("@CsvSource({\"1\", \"2\"})", "half(int)[2]");
    assert!(text.contains("@CsvSource({\"1\"})") && text.contains("@CsvSource({\"2\"})"), "{text}");
}

#[test]
fn cases_from_elsewhere_stay_in_both() {
    let (text, target) = taken_out("@MethodSource(\"ns\")", "half[2]");
    assert_eq!(text.matches("@MethodSource(\"ns\")").count(), 2, "{text}");
    assert!(
        text.contains("        a();") && text.contains("void halfCase2(int n) {\n        b(n);"),
        "{text}"
    );
    assert_eq!(target, "t.HalfTest#halfCase2[2]");
}

#[test]
fn a_test_with_one_case_or_none_is_rewritten_where_it_stands() {
    for (annotation, target) in
        [("@ValueSource(ints = { 1 })", "half[1]"), ("@ValueSource(ints = {1, 2})", "half")]
    {
        let expected = parametrised(annotation).replace("        a();\n", "");
        assert_eq!(taken_out(annotation, target), (expected, format!("t.HalfTest#{target}")));
    }
}
