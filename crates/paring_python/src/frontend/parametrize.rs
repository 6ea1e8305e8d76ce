//! `@pytest.mark.parametrize` as it is written: names, values, ids.

use super::kind::{callee_name, last_name};
use ruff_python_ast::{Decorator, Expr, ExprCall};

#[derive(Clone, Debug)]
pub struct Parametrize<'a> {
    pub argnames: Vec<&'a str>,
    /// One name given as a string: each value is the argument itself, not a tuple of one.
    pub single: bool,
    pub values: &'a Expr,
    pub ids: Option<&'a Expr>,
    /// Some of the values go to fixtures.
    pub indirect: bool,
}

fn argument<'a>(call: &'a ExprCall, name: &str, position: usize) -> Option<&'a Expr> {
    call.arguments.find_argument_value(name, position)
}

/// The text of a string literal without escapes worth speaking of.
pub fn string(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::StringLiteral(literal) => Some(literal.value.to_str()),
        _ => None,
    }
}

impl<'a> Parametrize<'a> {
    /// `None` where the decorator is another one, or its names are not literal.
    pub fn of(decorator: &'a Decorator) -> Option<Self> {
        let Expr::Call(call) = &decorator.expression else { return None };
        if last_name(&call.func) != Some("parametrize") {
            return None;
        }
        let names = argument(call, "argnames", 0)?;
        let (argnames, single): (Vec<&str>, bool) = match names {
            Expr::StringLiteral(literal) => {
                let names: Vec<&str> = literal
                    .value
                    .to_str()
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty())
                    .collect();
                let single = names.len() == 1;
                (names, single)
            }
            Expr::List(list) => (list.elts.iter().map(string).collect::<Option<_>>()?, false),
            Expr::Tuple(tuple) => (tuple.elts.iter().map(string).collect::<Option<_>>()?, false),
            _ => return None,
        };
        let indirect = argument(call, "indirect", 2)
            .is_some_and(|expr| !matches!(expr, Expr::BooleanLiteral(literal) if !literal.value));
        Some(Self {
            argnames,
            single,
            values: argument(call, "argvalues", 1)?,
            ids: argument(call, "ids", 3),
            indirect,
        })
    }
}

/// Whether a decorator is `parametrize` (or `expand`, `ddt`'s `data`), readable or not.
pub fn gives_cases(decorator: &Decorator) -> bool {
    let name = callee_name(&decorator.expression).unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    matches!(last, "parametrize" | "expand" | "data" | "file_data" | "unpack" | "ddt" | "parameterized_class")
}
