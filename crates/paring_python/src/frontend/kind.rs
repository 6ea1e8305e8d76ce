//! What a Python statement is for the control flow: the names that assert, fail and expect.
//!
//! Judged by spelling alone; nothing here resolves a name.

use paring_model::StmtKind;
use ruff_python_ast::{Expr, ExprCall, Number, Stmt, StmtWith};

/// The last component of a dotted name: `raises` of `pytest.raises`.
pub fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}

/// `a.b.c` as text, where it is nothing but names.
pub fn dotted(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => Some(format!("{}.{}", dotted(&attribute.value)?, attribute.attr)),
        _ => None,
    }
}

/// The dotted name of a decorator or context manager, called or not.
pub fn callee_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Call(call) => dotted(&call.func),
        other => dotted(other),
    }
}

/// The call that an expression statement makes, under `await` too.
pub fn statement_call(expr: &Expr) -> Option<&ExprCall> {
    match expr {
        Expr::Call(call) => Some(call),
        Expr::Await(awaited) => statement_call(&awaited.value),
        _ => None,
    }
}

/// Whether a called name asserts: `assertEqual`, `assert_called_once`, `failUnless`.
pub fn is_assertion(func: &Expr) -> bool {
    let Some(name) = last_name(func) else { return false };
    let bare = name.trim_start_matches('_');
    let follows_word = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_lowercase());
    if let Some(rest) = bare.strip_prefix("assert") {
        return follows_word(rest);
    }
    match bare.strip_prefix("fail") {
        Some(rest) => {
            matches!(func, Expr::Attribute(_)) && rest.starts_with(|c: char| c.is_ascii_uppercase())
        }
        None => bare == "raises",
    }
}

/// Whether a call always fails the test: `self.fail()`, `pytest.fail()`.
fn is_failure(call: &ExprCall) -> bool {
    match &*call.func {
        Expr::Attribute(attribute) => {
            attribute.attr.as_str() == "fail"
                && matches!(&*attribute.value, Expr::Name(name)
                    if matches!(name.id.as_str(), "self" | "cls" | "pytest" | "unittest"))
        }
        _ => false,
    }
}

/// Whether a context manager waits for something to be raised, warned or logged.
fn expects(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    last_name(&call.func).is_some_and(|name| {
        matches!(name, "raises" | "warns" | "deprecated_call" | "assertLogs" | "RaisesGroup")
            || name.starts_with("assertRaises")
            || name.starts_with("assertWarns")
    })
}

/// Whether a context manager only names a part of the test: `self.subTest(n=n)`, `subtests.test(n=n)`.
fn only_names(expr: &Expr) -> bool {
    callee_name(expr).is_some_and(|name| matches!(name.as_str(), "self.subTest" | "subtests.test"))
}

pub fn with_kind(with: &StmtWith) -> StmtKind {
    if with.items.iter().all(|item| only_names(&item.context_expr) && item.optional_vars.is_none()) {
        return StmtKind::Block;
    }
    StmtKind::With { expects: with.items.iter().any(|item| expects(&item.context_expr)) }
}

/// The truth of a literal; `None` where it is not one.
pub fn literal_truth(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::BooleanLiteral(literal) => Some(literal.value),
        Expr::NoneLiteral(_) => Some(false),
        Expr::NumberLiteral(literal) => Some(match &literal.value {
            Number::Int(int) => *int != 0u8,
            Number::Float(float) => *float != 0.0,
            Number::Complex { real, imag } => *real != 0.0 || *imag != 0.0,
        }),
        Expr::StringLiteral(literal) => Some(!literal.value.is_empty()),
        _ => None,
    }
}

/// Whether an expression statement is only a constant: what neither runs nor counts.
pub fn is_constant(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Expr(expr) if expr.value.is_literal_expr())
}

/// The kind of a statement.
pub fn stmt_kind(stmt: &Stmt) -> StmtKind {
    match stmt {
        Stmt::FunctionDef(_) => StmtKind::Def,
        Stmt::ClassDef(_) => StmtKind::Class,
        Stmt::Return(_) => StmtKind::Return,
        Stmt::For(_) => StmtKind::Loop { endless: false },
        Stmt::While(stmt) => StmtKind::Loop { endless: literal_truth(&stmt.test) == Some(true) },
        Stmt::If(_) => StmtKind::If,
        Stmt::With(with) => with_kind(with),
        Stmt::Match(_) => StmtKind::Match,
        Stmt::Raise(_) => StmtKind::Raise,
        Stmt::Try(_) => StmtKind::Try,
        Stmt::Assert(assert) if literal_truth(&assert.test) == Some(false) => StmtKind::Raise,
        Stmt::Assert(_) => StmtKind::Assert,
        Stmt::Import(_) | Stmt::ImportFrom(_) => StmtKind::Import,
        Stmt::Break(_) => StmtKind::Break { loops: 1 },
        Stmt::Continue(_) => StmtKind::Continue { loops: 1 },
        Stmt::Expr(expr) if expr.value.is_string_literal_expr() => StmtKind::Docstring,
        Stmt::Expr(expr) => match statement_call(&expr.value) {
            Some(call) if is_failure(call) => StmtKind::Raise,
            Some(call) if is_assertion(&call.func) => StmtKind::Assert,
            Some(_) | None => StmtKind::Simple,
        },
        Stmt::Delete(_)
        | Stmt::TypeAlias(_)
        | Stmt::Assign(_)
        | Stmt::AugAssign(_)
        | Stmt::AnnAssign(_)
        | Stmt::Global(_)
        | Stmt::Nonlocal(_)
        | Stmt::Pass(_)
        | Stmt::IpyEscapeCommand(_) => StmtKind::Simple,
    }
}
