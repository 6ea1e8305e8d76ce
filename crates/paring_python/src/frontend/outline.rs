//! What of a file can run while a test does: statements by their first lines, and the functions they are in.
//!
//! ```text
//!  1  LIMIT = 3                 loaded once, for no test in particular: known by the name it gives
//!  2  class Cart:               loaded once: left out
//!  3      @cached               the same
//!  4      def total(self):
//!  5          "All prices."     a constant: nothing runs
//!  6          return sum(       a statement of `Cart.total`, lines 6 to 8
//!  7              self.prices,
//!  8          )
//! ```

use super::given::given;
use super::lines::line_starts;
use super::scope::{ImportKind, MODULE, ScopeKind};
use super::tree::{self, Node, Tree};
use paring_model::{
    CodeLine, FunctionSpan, NameScope, Outline, RoutineKind, StmtId, StmtKind, Taken, TextRange, When,
};
use ruff_python_ast::Stmt;
use ruff_text_size::Ranged;
use std::collections::BTreeMap;

/// Outlines a source text, broken or not.
pub fn outline(source: &str) -> Outline {
    let parsed = super::parsed(source);
    let n_bytes = u32::try_from(source.len()).expect("a source file has fewer than 2^32 bytes");
    let tree = tree::build(&parsed.syntax().body, parsed.tokens(), n_bytes);
    let starts = line_starts(source);
    let line_of = |at: u32| u32::try_from(starts.partition_point(|&start| start <= at)).unwrap_or(u32::MAX);
    let tokens: Vec<u32> = parsed
        .tokens()
        .iter()
        .filter(|token| super::counts(token.kind()))
        .map(|token| token.start().to_u32())
        .collect();
    let n_tokens = |range: TextRange| {
        let before = |at: u32| tokens.partition_point(|&start| start < at);
        u32::try_from(before(range.end) - before(range.start)).unwrap_or(u32::MAX)
    };
    let mut outline = Outline::default();
    outline.taken = taken(&tree);
    // A routine stands before the statements in it.
    let mut function_of: BTreeMap<usize, usize> = BTreeMap::new();
    for (idx, stmt) in tree.stmts.iter().enumerate() {
        let (line, last_line) = (line_of(stmt.range.start), line_of(stmt.header.end.saturating_sub(1)));
        if let Some(routine) = tree.defines[idx] {
            function_of.insert(routine.idx(), outline.functions.len());
            outline.functions.push(FunctionSpan {
                name: qualified(&tree, StmtId::from_idx(idx)),
                first_line: line,
                last_line: line_of(stmt.range.end.saturating_sub(1)),
            });
        }
        if !runs(stmt.kind, tree.nodes[idx]) {
            continue;
        }
        let is_loaded = tree.routines[stmt.routine.idx()].kind == RoutineKind::Module;
        let function = function_of.get(&stmt.routine.idx()).copied();
        let when = if is_loaded { When::Loaded } else { When::Called };
        let n_tokens = n_tokens(TextRange::new(stmt.range.start, stmt.header.end));
        outline.add(CodeLine { line, last_line, function, n_tokens }, last_line, when);
        if let Node::Stmt(node) = tree.nodes[idx]
            && is_loaded
            && !is_in_handler(&tree, idx)
        {
            let scope = match tree.scopes.all[tree.scope[idx]].kind {
                ScopeKind::Class => NameScope::Member,
                ScopeKind::Module | ScopeKind::Function(_) => NameScope::File,
            };
            for name in given(node) {
                outline.give(line, name, scope);
            }
        }
    }
    outline
}

/// Whether a statement only runs where loading goes another way than usual: `except ImportError: json = None`.
fn is_in_handler(tree: &Tree<'_>, idx: usize) -> bool {
    let mut around = std::iter::successors(tree.stmts[idx].parent, |up| tree.stmts[up.idx()].parent);
    around.any(|up| tree.stmts[up.idx()].kind == StmtKind::Handler)
}

/// What is imported by name; under another name it cannot be told.
fn taken(tree: &Tree<'_>) -> Taken {
    if tree.scopes.star {
        return Taken::Any;
    }
    let mut taken = Taken::default();
    for (name, kind) in &tree.scopes.all[MODULE].imports {
        match kind {
            ImportKind::Name => taken.add(name),
            ImportKind::Module => {}
        }
    }
    taken
}

/// Whether an interpreter tells of the statement when it runs.
fn runs(kind: StmtKind, node: Node<'_>) -> bool {
    match node {
        Node::Stmt(stmt) => {
            kind != StmtKind::Docstring
                && !matches!(stmt, Stmt::Global(_) | Stmt::Nonlocal(_))
                && !super::kind::is_constant(stmt)
        }
        Node::Branch(clause) => clause.test.is_some(),
        Node::Handler(_) | Node::Case(_) => true,
        Node::Plain => false,
    }
}

/// The name of a function with those of the classes and functions around it.
fn qualified(tree: &Tree<'_>, def: StmtId) -> String {
    let mut names = Vec::new();
    let mut at = Some(def);
    while let Some(id) = at {
        let node = tree.nodes[id.idx()];
        names.extend(node.function().map(|function| function.name.as_str()));
        names.extend(node.class().map(|class| class.name.as_str()));
        at = tree.stmts[id.idx()].parent;
    }
    names.reverse();
    names.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each statement as `first-last function`.
    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let outline = outline(source);
        let found: Vec<String> = outline
            .statements
            .values()
            .map(|line| {
                let name = line.function.map_or("", |function| outline.functions[function].name.as_str());
                format!("{}-{} {name}", line.line, line.last_line)
            })
            .collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn statements_of_functions_are_told_by_their_first_lines() {
        check(
            "LIMIT = 3\nclass Cart:\n    @cached\n    def total(self):\n        \"All.\"\n        return sum(\n            \
             self.prices,\n        )\n",
            &["6-8 Cart.total"],
        );
    }

    #[test]
    fn clauses_that_decide_something_count_and_those_that_do_not_do_not() {
        check(
            "def f(x):\n    global G\n    if x:\n        a()\n    elif y:\n        b()\n    else:\n        c()\n    try:\n        \
             d()\n    except E:\n        e()\n    finally:\n        g()\n",
            &[
                "3-3 f", "4-4 f", "5-5 f", "6-6 f", "8-8 f", "9-9 f", "10-10 f", "11-11 f", "12-12 f",
                "14-14 f",
            ],
        );
    }

    #[test]
    fn an_inner_function_owns_its_statements() {
        check(
            "def outer():\n    def inner():\n        return 1\n    return inner\n",
            &["2-2 outer", "3-3 outer.inner", "4-4 outer"],
        );
    }

    #[test]
    fn lines_go_to_the_innermost_statement_they_are_part_of() {
        let outline =
            outline("def f():\n    g(\n        1,\n    )\n    with a, \\\n            b:\n        c()\n");
        assert_eq!(outline.starts(&[3, 4, 6, 7, 99, 0]), [2, 5, 7]);
    }

    #[test]
    fn a_lambda_outside_of_functions_counts_once_it_has_run() {
        let mut outline = outline("KEY = lambda row: row[0]\nLIMIT = 3\n");
        assert!(outline.statements.is_empty());
        let starts = outline.starts(&[1]);
        outline.admit(&starts);
        assert_eq!(outline.statements.keys().copied().collect::<Vec<u32>>(), [1]);
    }

    #[test]
    fn what_is_loaded_is_known_by_the_names_it_gives() {
        let outline = outline(
            "from .shop import Cart\nimport os\nLIMIT = 3\nregister(Cart)\nclass Cart:\n    rate = 2\n\n    def total(self):\n        tax = 1\n",
        );
        let constants = outline.constants();
        let found: Vec<(u32, &str, NameScope)> = constants
            .iter()
            .flat_map(|it| it.given.iter().map(|given| (it.code.line, given.name.as_str(), given.scope)))
            .collect();
        assert_eq!(found, [(3, "LIMIT", NameScope::File), (6, "rate", NameScope::Member)]);
        assert!(outline.taken.contains("Cart") && !outline.taken.contains("os"));
    }

    #[test]
    fn what_a_handler_gives_is_not_what_readers_have() {
        let outline =
            outline("try:\n    import json\n    KIND = dict\nexcept ImportError:\n    KIND = list\n");
        assert_eq!(outline.constants().iter().map(|it| it.code.line).collect::<Vec<u32>>(), [3]);
    }

    #[test]
    fn the_tokens_of_a_statement_are_those_of_its_own_text() {
        let outline = outline(
            "def f(x):\n    if x > 1:  # more\n        return g(\n            x, 'two words',\n        )\n",
        );
        let found: Vec<u32> = outline.statements.values().map(|it| it.n_tokens).collect();
        assert_eq!(found, [5, 8]);
    }

    #[test]
    fn broken_text_has_an_outline_too() {
        check("def f(:\n    return 1\n)\n", &["2-2 f"]);
    }
}
