//! Texts of edited units: what is left is well formed, and as a person would have written it.

use super::*;

/// Edits by the beginnings of statements: `-a` removes, `^a` unwraps.
fn rendered(body: &str, script: &[&str], form: Form) -> String {
    let unit = unit_of(body);
    let mut edits = EditSet::all(&unit);
    for step in script {
        let (step, start) = step.split_at(1);
        let id = node(&unit, start);
        if step == "-" {
            edits.remove(&unit, id);
        } else {
            edits.unwrapped.insert(id);
        }
    }
    let text = JavaFrontend.edited(&unit, &edits, form).into_text();
    let problems = syntax::problems(syntax::parsed(&text).root_node());
    assert!(problems.is_empty(), "{form:?} does not parse:\n{text}");
    let end = text.len() - TAIL.len();
    text[HEAD.len()..end].to_owned()
}

#[track_caller]
fn check(body: &str, script: &[&str], blanked: &str, compact: &str) {
    assert_eq!(rendered(body, script, Form::Blanked), blanked, "blanked");
    assert_eq!(rendered(body, script, Form::Compact), compact, "compact");
}

#[test]
fn a_statement_goes_with_its_line_and_comment() {
    check("a();\n// about b\nb(); // b\nc();", &["-b"], "a();\n// about b\n     // b\nc();", "a();\nc();");
}

#[test]
fn a_body_without_braces_stays_a_statement() {
    check("if (x) a(); else b();", &["-a"], "if (x) ;    else b();", "if (x) {} else b();");
    check("while (x)\n    a();", &["-a"], "while (x)\n    ;   ", "while (x) {}");
    check(
        "switch (n) { case 1 -> a(); }",
        &["-a"],
        "switch (n) { case 1 -> {}   }",
        "switch (n) { case 1 -> {} }",
    );
}

#[test]
fn branches_go_with_their_words() {
    let body = "if (x) {\n    a();\n} else if (y) {\n    b();\n} else {\n    c();\n}";
    check(
        body,
        &["-else if"],
        "if (x) {\n    a();\n}              \n\n  else {\n    c();\n}",
        "if (x) {\n    a();\n} else {\n    c();\n}",
    );
    assert_eq!(rendered(body, &["-else if", "-else {"], Form::Compact), "if (x) {\n    a();\n}");
}

#[test]
fn a_try_without_handlers_gives_way_to_its_body() {
    check(
        "try {\n    a();\n} catch (X e) {\n    b();\n}\nc();",
        &["-catch"],
        "    {\n    a();\n}              \n\n\nc();",
        "a();\nc();",
    );
}

#[test]
fn an_opened_block_keeps_its_braces_where_names_would_clash() {
    let body = "if (x) {\n    int i = 1;\n}\nint i = 2;";
    check(body, &["^if"], "       {\n    int i = 1;\n}\nint i = 2;", "{\n    int i = 1;\n}\nint i = 2;");
}

#[test]
fn a_call_that_runs_a_block_gives_way_to_it() {
    let body = "assertTimeout(d, () -> {\n    a();\n    b();\n});";
    let open = format!("{}{{\n    a();\n\n}}  ", " ".repeat(23));
    check(body, &["^assertTimeout", "-b"], &open, "a();");
}

#[test]
fn statements_in_a_switch_that_has_a_value_go_and_its_blocks_stay_blocks() {
    let body =
        "int x = switch (n) {\n    case 1 -> {\n        a();\n        yield 2;\n    }\n    default -> 3;\n};";
    assert_eq!(rendered(body, &["-a"], Form::Compact), body.replace("        a();\n", ""));
    let emptied = body.replace("{\n        a();\n        yield 2;\n    }", "{}");
    assert_eq!(rendered(body, &["-{\n        a"], Form::Compact), emptied);
    let blanked = rendered(body, &["-{\n        a"], Form::Blanked);
    assert_eq!(blanked.lines().nth(1), Some("    case 1 -> {"), "{blanked}");
    assert_eq!(blanked.lines().nth(4), Some("    }"), "{blanked}");
}

#[test]
fn variables_go_with_their_commas() {
    check("int a = 1, b, c = 3;", &["-b"], "int a = 1   , c = 3;", "int a = 1, c = 3;");
    check("int a = 1, b;", &["-a"], "int        b;", "int b;");
}

#[test]
fn a_value_goes_without_its_variable() {
    check("int x = f();\nx = 1;", &["-= f"], "int x      ;\nx = 1;", "int x;\nx = 1;");
}

#[test]
fn tests_of_one_file_are_rendered_in_turns() {
    let text = "package t;\nclass CartTest {\n    @Test\n    void one() {\n        a();\n        b();\n    }\n    @Test\n    void two() {\n        c();\n        d();\n    }\n}\n";
    let without_first = |target: &str, start: &str| {
        let unit = test_unit(text, target);
        let mut edits = EditSet::all(&unit);
        edits.remove(&unit, node(&unit, start));
        JavaFrontend.edited(&unit, &edits, Form::Blanked).into_text()
    };
    let (one, two) = (without_first("t.CartTest#one", "a()"), without_first("t.CartTest#two", "c()"));
    assert!(!one.contains("a();") && one.contains("b();"), "{one}");
    assert!(!two.contains("c();") && two.contains("d();"), "{two}");
}
