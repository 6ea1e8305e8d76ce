//! Whether a statement reads all it names whenever it runs.

use super::parsed;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt};

/// Of the text of one simple statement.
pub fn reads_all(text: &str) -> bool {
    let mut choices = Choices(false);
    for stmt in &parsed(text).syntax().body {
        choices.visit_stmt(stmt);
    }
    !choices.0
}

/// Whether something was met that may be left out when it is evaluated.
struct Choices(bool);

impl<'a> Visitor<'a> for Choices {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        // Its message is only for who fails.
        self.0 |= matches!(stmt, Stmt::Assert(assert) if assert.msg.is_some());
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0 |= match expr {
            Expr::BoolOp(_)
            | Expr::If(_)
            | Expr::Lambda(_)
            | Expr::ListComp(_)
            | Expr::SetComp(_)
            | Expr::DictComp(_)
            | Expr::Generator(_)
            | Expr::Await(_)
            | Expr::Yield(_)
            | Expr::YieldFrom(_) => true,
            Expr::Compare(compare) => compare.ops.len() > 1,
            _ => false,
        };
        walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::reads_all;

    #[test]
    fn short_circuits_lambdas_and_messages_may_leave_names_unread() {
        for text in ["x = f(a, b[c])", "assert a.b == [c]", "f(*a, **b)", "x += f'{a}'"] {
            assert!(reads_all(text), "{text}");
        }
        for text in [
            "x = a or b",
            "x = a if b else c",
            "f(lambda: a)",
            "assert a, b",
            "x = [a for b in c]",
            "assert a < b < c",
        ] {
            assert!(!reads_all(text), "{text}");
        }
    }
}
