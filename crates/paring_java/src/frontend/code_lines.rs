//! What of a file can run while a test does: statements by their first lines, and the methods they are in.
//!
//! ```text
//!  1  class Cart {
//!  2      static int limit = 3;       loaded once, for no test in particular: known by the name it gives
//!  3      List<Item> items = list();  runs for every cart
//!  4      int total() {
//!  5          return sum(             a statement of `Cart.total`, lines 5 to 7
//!  6              items
//!  7          );
//!  8      }                           belongs to no statement
//! ```

use super::syntax::{child_of_kind, children, field_text, parsed, simple_name, text, tokens, walk as visit};
use paring_model::{CodeLine, FunctionSpan, NameScope, Outline, Taken, When};
use tree_sitter::{Node, Point};

/// Outlines a source text, broken or not.
pub fn code_lines(source: &str) -> Outline {
    let tree = parsed(source);
    let mut outline = Outline::default();
    let around = Around { names: Vec::new(), function: None, when: When::Called };
    walk(tree.root_node(), source, &around, &mut outline);
    outline.taken = taken(tree.root_node(), source);
    outline
}

/// Static imports; a class with others above it may have any name of theirs.
fn taken(root: Node<'_>, source: &str) -> Taken {
    let mut taken = Taken::default();
    visit(root, &mut |node| {
        match node.kind() {
            "superclass" | "super_interfaces" | "extends_interfaces" => taken = Taken::Any,
            "import_declaration" if child_of_kind(node, "static").is_some() => {
                let name = child_of_kind(node, "scoped_identifier").map_or("", |name| text(name, source));
                if child_of_kind(node, "asterisk").is_some() {
                    taken = Taken::Any;
                } else {
                    taken.add(simple_name(name));
                }
            }
            _ => {}
        }
        true
    });
    taken
}

/// What a node stands in.
#[derive(Clone)]
struct Around<'s> {
    /// Classes and methods, outermost first.
    names: Vec<&'s str>,
    function: Option<usize>,
    when: When,
}

fn walk<'s>(node: Node<'_>, source: &'s str, around: &Around<'s>, outline: &mut Outline) {
    let mut around = around.clone();
    let (first, last) = (line_of(node.start_position()), line_of(node.end_position()));
    match node.kind() {
        "class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "record_declaration"
        | "annotation_type_declaration" => {
            around.names.push(field_text(node, "name", source));
            around.when = When::Called;
        }
        "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
            around.names.push(field_text(node, "name", source));
            around.function = Some(outline.functions.len());
            around.when = When::Called;
            let name = around.names.join(".");
            outline.functions.push(FunctionSpan { name, first_line: first, last_line: last });
        }
        "static_initializer" => around.when = When::Loaded,
        "field_declaration" | "constant_declaration" => {
            around.when = if is_static(node, source) { When::Loaded } else { When::Called };
            if has_value(node) {
                add(node, last, &around, outline);
                give(node, source, &around, outline);
            }
        }
        "enum_constant" => {
            around.when = When::Loaded;
            add(node, last, &around, outline);
            give(node, source, &around, outline);
        }
        // The way out of the `try` may have the line of the closing brace, and does not run the clause.
        "catch_clause" => add(node, head_end(node), &around, outline),
        kind if runs(node, kind) => {
            add(node, last, &around, outline);
            give(node, source, &around, outline);
        }
        _ => {}
    }
    for child in children(node) {
        walk(child, source, &around, outline);
    }
}

fn add(node: Node<'_>, end: u32, around: &Around<'_>, outline: &mut Outline) {
    let line = line_of(node.start_position());
    let last_line = head_end(node).max(line);
    let code = CodeLine { line, last_line, function: around.function, n_tokens: n_tokens(node) };
    outline.add(code, end, around.when);
}

/// Has what runs while the class is loaded known by the fields that it gives a value.
fn give(node: Node<'_>, source: &str, around: &Around<'_>, outline: &mut Outline) {
    if around.when == When::Loaded {
        let line = line_of(node.start_position());
        for name in given(node, source) {
            outline.give(line, name, NameScope::File);
        }
    }
}

/// Names of fields; of what a statement assigns or calls, the name it starts with.
fn given<'s>(node: Node<'_>, source: &'s str) -> Vec<&'s str> {
    match node.kind() {
        "field_declaration" | "constant_declaration" => {
            let declared = children(node).into_iter().filter(|child| child.kind() == "variable_declarator");
            declared.map(|it| field_text(it, "name", source)).collect()
        }
        "enum_constant" => vec![field_text(node, "name", source)],
        "expression_statement" => {
            node.named_child(0).and_then(|it| root_name(it, source)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// `table` of `table.row(1).put("a", 2)`, `this.table = t` and `table[1] = 2`.
fn root_name<'s>(node: Node<'_>, source: &'s str) -> Option<&'s str> {
    let field = match node.kind() {
        "identifier" => return Some(text(node, source)),
        "field_access" if field_text(node, "object", source) == "this" => {
            return Some(field_text(node, "field", source));
        }
        "assignment_expression" => "left",
        "method_invocation" | "field_access" => "object",
        "array_access" => "array",
        _ => return None,
    };
    root_name(node.child_by_field_name(field)?, source)
}

/// Those of a statement's own text, without the statements in it.
fn n_tokens(node: Node<'_>) -> u32 {
    let mut n_all = tokens(node).len();
    visit(node, &mut |inner| {
        let is_apart = inner != node && is_apart(inner);
        if is_apart {
            n_all = n_all.saturating_sub(tokens(inner).len());
        }
        !is_apart
    });
    u32::try_from(n_all).unwrap_or(u32::MAX)
}

fn is_apart(node: Node<'_>) -> bool {
    matches!(node.kind(), "block" | "class_body" | "switch_block" | "catch_clause" | "finally_clause")
        || runs(node, node.kind())
}

/// Whether the class file has a line for the statement itself.
fn runs(node: Node<'_>, kind: &str) -> bool {
    match kind {
        "expression_statement"
        | "local_variable_declaration"
        | "return_statement"
        | "throw_statement"
        | "if_statement"
        | "while_statement"
        | "do_statement"
        | "for_statement"
        | "enhanced_for_statement"
        | "assert_statement"
        | "break_statement"
        | "continue_statement"
        | "yield_statement"
        | "synchronized_statement"
        | "try_with_resources_statement"
        | "explicit_constructor_invocation" => true,
        // As a value it is part of another statement.
        "switch_expression" | "switch_statement" => node
            .parent()
            .is_some_and(|parent| matches!(parent.kind(), "block" | "switch_block_statement_group")),
        _ => false,
    }
}

/// The last line of a statement without the block that belongs to it.
fn head_end(node: Node<'_>) -> u32 {
    let body = ["body", "consequence"].iter().find_map(|name| node.child_by_field_name(name));
    // Of some, the block has no name.
    let body = body.or_else(|| child_of_kind(node, "block"));
    match body.and_then(|body| body.prev_sibling()) {
        Some(before) => line_of(before.end_position()),
        None => line_of(node.end_position()),
    }
}

/// Lines count from 1.
fn line_of(point: Point) -> u32 {
    u32::try_from(point.row + 1).expect("a source file has fewer than 2^32 lines")
}

fn is_static(node: Node<'_>, source: &str) -> bool {
    let modifiers = child_of_kind(node, "modifiers");
    // All of an interface's are.
    node.kind() == "constant_declaration"
        || modifiers.is_some_and(|it| text(it, source).split_whitespace().any(|word| word == "static"))
}

fn has_value(node: Node<'_>) -> bool {
    children(node)
        .iter()
        .any(|child| child.kind() == "variable_declarator" && child.child_by_field_name("value").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each statement as `first-last method`.
    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let outline = code_lines(source);
        let told = |line: &CodeLine| {
            let name = line.function.map_or("", |function| outline.functions[function].name.as_str());
            format!("{}-{} {name}", line.line, line.last_line).trim_end().to_owned()
        };
        let found: Vec<String> = outline.statements.values().map(told).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn statements_of_methods_are_told_by_their_first_lines() {
        check(
            "class Cart {\n  static int limit = 3;\n  List<Item> items = list();\n  int total() {\n    return sum(\n      items\n    );\n  }\n}\n",
            &["3-3", "5-7 Cart.total"],
        );
    }

    #[test]
    fn heads_of_blocks_count_and_their_braces_do_not() {
        check(
            "class A {\n  void f() {\n    if (x\n        && y) {\n      a();\n    } else {\n      b();\n    }\n    for (;;) {\n      break;\n    }\n    try {\n      \
             c();\n    } catch (E e) {\n      d();\n    } finally {\n      g();\n    }\n    do {\n      h();\n    } while (z);\n  }\n}\n",
            &[
                "3-4 A.f",
                "5-5 A.f",
                "7-7 A.f",
                "9-9 A.f",
                "10-10 A.f",
                "13-13 A.f",
                "14-14 A.f",
                "15-15 A.f",
                "17-17 A.f",
                "19-19 A.f",
                "20-20 A.f",
            ],
        );
    }

    #[test]
    fn a_lambda_and_an_inner_class_have_statements_of_their_own() {
        check(
            "class A {\n  Runnable f() {\n    run(() -> {\n      a();\n    });\n    return new Runnable() {\n      public void run() {\n        b();\n      }\n    };\n  }\n}\n",
            &["3-5 A.f", "4-4 A.f", "6-10 A.f", "8-8 A.f.run"],
        );
    }

    #[test]
    fn lines_go_to_the_innermost_statement_they_are_part_of() {
        let outline = code_lines(
            "class A {\n  void f() {\n    g(\n      1,\n      () -> h());\n    do {\n      i();\n    } while (j());\n  }\n}\n",
        );
        assert_eq!(outline.starts(&[4, 5, 7, 8, 9, 99]), [3, 6, 7]);
    }

    #[test]
    fn the_brace_of_a_catch_clause_is_no_part_of_it() {
        let outline = code_lines(
            "class A {\n  void f() {\n    try {\n      a();\n    } catch (E e) {\n      b();\n    }\n  }\n}\n",
        );
        assert_eq!(outline.starts(&[4, 7]), [4]);
        assert_eq!(outline.starts(&[5, 6, 7]), [5, 6]);
    }

    #[test]
    fn what_is_loaded_is_known_by_the_names_it_gives() {
        let outline = code_lines(
            "import static a.B.RATE;\nclass A {\n  static final int LIMIT = 3, LOW = 1;\n  static Map<String, Integer> table = new HashMap<>();\n  int own = 1;\n  static {\n    table.row(1).put(2);\n    int local = 3;\n  }\n  enum E { ONE(1), TWO }\n}\n",
        );
        let constants = outline.constants();
        let found: Vec<(u32, &str)> = constants
            .iter()
            .flat_map(|it| it.given.iter().map(|given| (it.code.line, given.name.as_str())))
            .collect();
        assert_eq!(found, [(3, "LIMIT"), (3, "LOW"), (4, "table"), (7, "table"), (10, "ONE"), (10, "TWO")]);
        assert!(outline.taken.contains("RATE") && !outline.taken.contains("B"));
        assert!(code_lines("class A extends B {}\n").taken.contains("RATE"));
    }

    #[test]
    fn the_tokens_of_a_statement_are_those_of_its_own_text() {
        let outline = code_lines(
            "class A {\n  void f() {\n    if (x > 1) { // more\n      run(() -> {\n        a(\"two words\");\n      });\n    } else\n      b();\n  }\n}\n",
        );
        let found: Vec<u32> = outline.statements.values().map(|it| it.n_tokens).collect();
        // `if (x > 1) else`, `run(() -> );`, `a("two words");`, `b();`
        assert_eq!(found, [7, 7, 5, 4]);
    }

    #[test]
    fn broken_text_has_an_outline_too() {
        check("class A {\n  void f( {\n    a();\n  }\n", &["3-3 A.f"]);
    }
}
