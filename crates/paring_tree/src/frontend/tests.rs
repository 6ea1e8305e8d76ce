//! Units of small programs, and what edits make of them.

use super::TreeFrontend;
use crate::lang::Lang;
use camino::Utf8Path;
use paring_model::{EditSet, Form, Frontend, StmtId, TargetSpec, Unit};

fn unit(lang: Lang, source: &str) -> Unit {
    let (unit, problems) = TreeFrontend { lang }.parse(Utf8Path::new("a"), source, &TargetSpec::new("a"));
    assert!(problems.is_empty(), "{problems:?}");
    unit
}

/// The outermost node with exactly this text, a statement where there is one.
#[track_caller]
fn node(unit: &Unit, text: &str) -> StmtId {
    let alike: Vec<StmtId> = unit.ids().filter(|&id| unit.stmt(id).range.of(&unit.source) == text).collect();
    let statement = alike.iter().find(|&&id| unit.stmt(id).counts);
    *statement.or(alike.first()).unwrap_or_else(|| panic!("no node is {text:?}"))
}

#[track_caller]
fn without(lang: Lang, source: &str, gone: &[&str], expected: &str) {
    let unit = unit(lang, source);
    let mut edits = EditSet::all(&unit);
    for text in gone {
        edits.remove(&unit, node(&unit, text));
    }
    let frontend = TreeFrontend { lang };
    let candidate = frontend.edited(&unit, &edits, Form::Compact);
    assert_eq!(candidate.text(), expected);
    assert!(frontend.is_well_formed(&unit, &candidate), "{}", candidate.text());
}

/// All of a node goes but what stands in these parts of it.
#[track_caller]
fn hoisted(lang: Lang, source: &str, whole: &str, part: &str, unwrap_part: bool, expected: &str) {
    let unit = unit(lang, source);
    let mut edits = EditSet::all(&unit);
    let whole = node(&unit, whole);
    let below = unit.descendants(whole).into_iter();
    let mut alike = below.filter(|&id| unit.stmt(id).range.of(&unit.source) == part);
    let part = alike.next().unwrap_or_else(|| panic!("no node is {part:?}"));
    let mut inner = part;
    for up in unit.ancestors(part).collect::<Vec<_>>() {
        for &child in unit.stmt(up).children.iter().filter(|&&child| child != inner) {
            edits.remove(&unit, child);
        }
        edits.unwrapped.insert(up);
        inner = up;
        if up == whole {
            break;
        }
    }
    if unwrap_part {
        edits.unwrapped.insert(part);
    }
    assert_eq!(TreeFrontend { lang }.edited(&unit, &edits, Form::Compact).into_text(), expected);
}

const SOURCES: [(Lang, &str); 9] = [
    (
        Lang::Python,
        "import os\n\n\ndef f(a, b=1):\n    # why\n    if a:\n        return [b, 'x  y']\n    return os.path\n",
    ),
    (Lang::Java, "class A {\n    static int f(int a) { return a + 1; }\n}\n"),
    (Lang::Javascript, "const a = [1, 2];\nfor (let i = 0; i < 2; i++) { f(`x ${a[i]}  y`); } // end\n"),
    (Lang::Typescript, "function f(a: number, b?: string): void { g<number>(a); }\n"),
    (Lang::Tsx, "const a = <b c={1}>text  here</b>;\n"),
    (
        Lang::Rust,
        "use std::fmt;\nfn main() {\n    let mut a = vec![1, 2];\n    a.push(3);\n    println!(\"{:?}\", a)\n}\n",
    ),
    (Lang::Go, "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tx, y := 1, 2\n\tfmt.Println(x, y)\n}\n"),
    (
        Lang::C,
        "#include <stdio.h>\n#define N 3\n\nint main(void) {\n    int a[N] = {1, 2};\n    return a[0];\n}\n",
    ),
    (
        Lang::Cpp,
        "#include <vector>\ntemplate <class T> struct A { T a; };\nint main() { std::vector<int> v{1}; return v[0]; }\n",
    ),
];

#[test]
fn without_edits_the_source_comes_back() {
    for (lang, source) in SOURCES {
        let unit = unit(lang, source);
        let candidate = TreeFrontend { lang }.edited(&unit, &EditSet::all(&unit), Form::Blanked);
        assert_eq!(candidate.text(), source);
        let crlf = source.replace('\n', "\r\n");
        let (unit, _) = TreeFrontend { lang }.parse(Utf8Path::new("a"), &crlf, &TargetSpec::new("a"));
        assert_eq!(
            TreeFrontend { lang }.edited(&unit, &EditSet::all(&unit), Form::Compact).into_text(),
            crlf
        );
    }
}

#[test]
fn a_text_that_ends_anywhere_is_parsed_all_the_same() {
    for (lang, source) in SOURCES {
        for (at, _) in source.char_indices() {
            let frontend = TreeFrontend { lang };
            let (unit, _) = frontend.parse(Utf8Path::new("a"), &source[..at], &TargetSpec::new("a"));
            let candidate = frontend.edited(&unit, &EditSet::all(&unit), Form::Compact);
            assert_eq!(candidate.text(), &source[..at]);
        }
    }
}

#[test]
fn no_removal_leaves_a_trailing_blank_or_more_blank_lines_than_before() {
    for (lang, source) in SOURCES {
        let unit = unit(lang, source);
        for id in unit.ids().skip(1) {
            let mut edits = EditSet::all(&unit);
            edits.remove(&unit, id);
            let text = TreeFrontend { lang }.edited(&unit, &edits, Form::Compact).into_text();
            let gone = unit.stmt(id).range.of(source);
            assert!(!text.lines().any(|line| line.ends_with([' ', '\t'])), "without {gone:?}: {text:?}");
            let n_blank = |text: &str| text.lines().filter(|line| line.is_empty()).count();
            assert!(n_blank(&text) <= n_blank(source), "without {gone:?}: {text:?}");
        }
    }
}

#[test]
fn statements_go_with_their_lines_and_elements_with_their_commas() {
    let source = "f(1);\n\ng(a, b, c);\n\nh();\n";
    without(Lang::Javascript, source, &["g(a, b, c);"], "f(1);\n\nh();\n");
    without(Lang::Javascript, source, &["a"], "f(1);\n\ng(b, c);\n\nh();\n");
    without(Lang::Javascript, source, &["b", "c"], "f(1);\n\ng(a);\n\nh();\n");
    without(Lang::Javascript, source, &["a", "b", "c"], "f(1);\n\ng();\n\nh();\n");
    without(Lang::Javascript, source, &["f(1);", "h();"], "g(a, b, c);\n");
    without(Lang::Javascript, "for (a; b; c) d;\n", &["a", "b", "c"], "for (;;) d;\n");
    without(Lang::Javascript, "x = { a: 1, b: 2 };\n", &["b: 2"], "x = { a: 1 };\n");
    without(Lang::Go, "package a\n\n// Why.\ntype b int\n", &["// Why."], "package a\n\ntype b int\n");
    without(Lang::C, "int a; /* why */\nint b;\n", &["/* why */"], "int a;\nint b;\n");
}

#[test]
fn a_block_of_python_that_lost_all_passes() {
    let source = "def f():\n    g()  # now\n    h()\n\nf()\n";
    without(Lang::Python, source, &["g()", "h()", "# now"], "def f():\n    pass\n\nf()\n");
    without(Lang::Python, "if a:\n    b()\nelse:\n    c()\n", &["b()"], "if a:\n    pass\nelse:\n    c()\n");
}

#[test]
fn what_takes_a_place_is_moved_there() {
    let source = "def f():\n    if a:\n        g()\n        if b:\n            h()\n    return 1\n";
    let whole = "if a:\n        g()\n        if b:\n            h()";
    let block = "g()\n        if b:\n            h()";
    let expected = "def f():\n    g()\n    if b:\n        h()\n    return 1\n";
    hoisted(Lang::Python, source, whole, block, true, expected);
    let source = "void f() {\n    if (a) {\n        g();\n        h();\n    } else {\n        i();\n    }\n    j();\n}\n";
    let whole = "if (a) {\n        g();\n        h();\n    } else {\n        i();\n    }";
    let expected = "void f() {\n    g();\n    h();\n    j();\n}\n";
    hoisted(Lang::C, source, whole, "{\n        g();\n        h();\n    }", true, expected);
    hoisted(Lang::C, source, whole, "{\n        i();\n    }", true, "void f() {\n    i();\n    j();\n}\n");
    hoisted(Lang::Javascript, "let x = f(g(1), 2);\n", "f(g(1), 2)", "g(1)", false, "let x = g(1);\n");
    hoisted(Lang::Javascript, "let x = f(\n  a,\n  b\n);\n", "f(\n  a,\n  b\n)", "b", false, "let x = b;\n");
    hoisted(
        Lang::C,
        "int f() {\n    int y = g(1);\n}\n",
        "int y = g(1);",
        "g(1)",
        false,
        "int f() {\n    g(1);\n}\n",
    );
    hoisted(Lang::Rust, "fn f() { return (g)(1); }\n", "(g)(1)", "g", false, "fn f() { return g; }\n");
}

#[test]
fn what_begins_on_a_line_with_keep_is_protected() {
    let unit = unit(Lang::Rust, "fn f() {\n    a(); // paring: keep\n    b();\n}\n");
    assert!(unit.stmt(node(&unit, "a();")).protected);
    assert!(!unit.stmt(node(&unit, "b();")).protected);
}

#[test]
fn statements_are_what_stands_in_a_body() {
    let unit = unit(Lang::Go, "package main\n\nfunc main() {\n\tif a {\n\t\tb()\n\t}\n}\n");
    let texts: Vec<&str> =
        unit.test_body().iter().map(|&id| unit.stmt(id).header.of(&unit.source).trim()).collect();
    assert_eq!(texts, ["package main", "func main()", "if a", "b()"]);
}

#[test]
fn tokens_are_counted_without_comments() {
    let n_tokens = |lang, text| TreeFrontend { lang }.count_tokens(text);
    assert_eq!(n_tokens(Lang::C, "int a = 1; // one\n#define N 2\n"), 8);
    assert_eq!(n_tokens(Lang::Python, "f('a b', 2)  # why\n"), 6);
}
