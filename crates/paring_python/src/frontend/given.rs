//! The names that a statement gives while its file is loaded.
//!
//! ```text
//! LIMIT = 3                  LIMIT
//! low, (high, *rest) = all   low, high, rest
//! TABLE["a"] = 1             TABLE: it has another value for whoever reads it
//! names.append("x")          names
//! register(Cart)             nothing that anybody could read by its name
//! ```

use ruff_python_ast::{Expr, Stmt};

/// Of a statement that defines a function, a class or a module nothing: what those do runs when they are used.
pub fn given(stmt: &Stmt) -> Vec<&str> {
    let mut names = Vec::new();
    match stmt {
        Stmt::Assign(assign) => assign.targets.iter().for_each(|target| add(target, &mut names)),
        Stmt::AnnAssign(assign) if assign.value.is_some() => add(&assign.target, &mut names),
        Stmt::AugAssign(assign) => add(&assign.target, &mut names),
        Stmt::Expr(stmt) => {
            if let Expr::Call(call) = &*stmt.value
                && let Expr::Attribute(method) = &*call.func
            {
                add(&method.value, &mut names);
            }
        }
        _ => {}
    }
    names
}

fn add<'a>(target: &'a Expr, names: &mut Vec<&'a str>) {
    match target {
        Expr::Name(name) => names.push(name.id.as_str()),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|each| add(each, names)),
        Expr::List(list) => list.elts.iter().for_each(|each| add(each, names)),
        Expr::Starred(starred) => add(&starred.value, names),
        Expr::Attribute(attribute) => add(&attribute.value, names),
        Expr::Subscript(subscript) => add(&subscript.value, names),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let parsed = super::super::parsed(source);
        assert_eq!(given(&parsed.syntax().body[0]), expected, "{source}");
    }

    #[test]
    fn targets_give_names_and_so_does_what_is_changed() {
        check("LIMIT = 3", &["LIMIT"]);
        check("a = b = 3", &["a", "b"]);
        check("low, (high, *rest) = all", &["low", "high", "rest"]);
        check("limit: int = 3", &["limit"]);
        check("total += 1", &["total"]);
        check("TABLE['a'].b = 1", &["TABLE"]);
        check("names.append('x')", &["names"]);
    }

    #[test]
    fn what_gives_no_value_gives_no_name() {
        check("limit: int", &[]);
        check("register(Cart)", &[]);
        check("def f(): pass", &[]);
        check("class A: pass", &[]);
        check("import os", &[]);
    }
}
