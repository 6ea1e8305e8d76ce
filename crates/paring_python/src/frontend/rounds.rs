//! What a loop of the test goes through, where that is written out.
//!
//! ```python
//! cases = [("A b", "a-b"), (" c", "c")]     # the statement that gives the values
//! for text, wanted in cases:                # two rounds: text "A b" and wanted "a-b", text " c" and wanted "c"
//!     assert slug(text) == wanted
//! ```
//!
//! The values are to be read where the file is loaded, so they name nothing that only the test knows.

use super::compose::is_case;
use super::tree::{self, Node, Tree, range_of};
use super::{case_words, parsed};
use paring_model::{Case, Cases, Op, Param, PlaceId, PlaceScope, Rounds, StmtId, StmtKind, Unit};
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::{Expr, ExprCall, Number, Stmt, StmtFor, UnaryOp};

/// More rounds than anybody would list are no table.
const MAX_ROUNDS: usize = 200;

pub fn rounds(unit: &Unit, stmt: StmtId) -> Option<Rounds> {
    let parsed = parsed(&unit.source);
    let n_bytes = u32::try_from(unit.source.len()).ok()?;
    let tree = tree::build(parsed.suite(), parsed.tokens(), n_bytes);
    let Node::Stmt(Stmt::For(it)) = *tree.nodes.get(stmt.idx())? else { return None };
    if it.is_async || !it.orelse.is_empty() || leaves(unit, stmt) {
        return None;
    }
    Reader { unit, tree: &tree, tokens: parsed.tokens(), stmt }.rounds(it)
}

/// Whether something in the loop ends it, or the whole test, before its time.
fn leaves(unit: &Unit, stmt: StmtId) -> bool {
    let ends = |&id: &StmtId| matches!(unit.stmt(id).kind, StmtKind::Break { .. } | StmtKind::Return);
    let continues = |&id: &StmtId| matches!(unit.stmt(id).kind, StmtKind::Continue { .. });
    unit.descendants(stmt).iter().any(|id| ends(id) || continues(id))
}

/// A value that is written out.
#[derive(Clone, Debug)]
struct Value {
    text: String,
    /// What stands in it, if it is a tuple or a list.
    parts: Option<Vec<Value>>,
    /// A number, a text and the like: what pytest makes an id of.
    is_plain: bool,
}

/// What a loop goes through.
struct Values {
    all: Vec<Value>,
    given_by: Option<StmtId>,
    /// One text for all of it, that makes the same list.
    text: Option<String>,
}

struct Reader<'t, 'a> {
    unit: &'t Unit,
    tree: &'t Tree<'a>,
    tokens: &'t Tokens,
    stmt: StmtId,
}

impl<'a> Reader<'_, 'a> {
    fn rounds(&self, it: &'a StmtFor) -> Option<Rounds> {
        let values = self.values(&it.iter)?;
        let names = names(&it.target)?;
        let mut rows: Vec<Vec<&Value>> = Vec::new();
        for value in &values.all {
            let mut row = Vec::new();
            take_apart(&it.target, value, &mut row)?;
            rows.push(row);
        }
        let apart = !is_case(self.unit);
        let is_taken = |name: &String| name == "request" || self.params().contains(name);
        let is_twice = names.iter().enumerate().any(|(idx, name)| names[..idx].contains(name));
        if rows.len() > MAX_ROUNDS || apart && (is_twice || names.iter().any(is_taken)) {
            return None;
        }
        let is_plain = rows.iter().flatten().all(|value| value.is_plain);
        let is_flat = matches!(&*it.target, Expr::Name(_)) || is_pair(&it.target);
        let texts: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|value| value.text.clone()).collect()).collect();
        let ids = case_words::ids(&texts);
        let case = |(id, values)| Case { id, values };
        Some(Rounds {
            stmt: self.stmt,
            given_by: values.given_by,
            elements: values.all.iter().map(|value| value.text.clone()).collect(),
            cases: Cases {
                params: names.into_iter().map(|name| Param { name, declared: None }).collect(),
                rows: ids.into_iter().zip(texts).map(case).collect(),
            },
            values: values.text.filter(|_| is_plain && is_flat),
            apart,
            only: None,
        })
    }

    fn params(&self) -> Vec<String> {
        let params = self.unit.test.map(|test| &self.unit.routine(test).params);
        params.into_iter().flatten().map(|&place| self.unit.place(place).name.clone()).collect()
    }

    fn values(&self, iter: &'a Expr) -> Option<Values> {
        if let Expr::Name(name) = iter {
            let (given_by, value) = self.given(name.id.as_str())?;
            let is_local = given_by.is_some();
            let mut values = self.values(value).filter(|values| values.given_by.is_none())?;
            values.given_by = given_by;
            if !is_local && matches!(value, Expr::List(_) | Expr::Tuple(_)) {
                values.text = Some(name.id.to_string());
            }
            return Some(values);
        }
        let all = match iter {
            Expr::Call(call) => return self.of_call(call),
            Expr::StringLiteral(text) => text.value.to_str().chars().map(character).collect(),
            Expr::Dict(dict) => {
                dict.items.iter().map(|item| self.value(item.key.as_ref()?)).collect::<Option<_>>()?
            }
            other => elements(other)?.iter().map(|each| self.value(each)).collect::<Option<_>>()?,
        };
        let is_list =
            matches!(iter, Expr::List(_)) || matches!(iter, Expr::Tuple(tuple) if tuple.parenthesized);
        let text = is_list.then(|| self.text(iter));
        Some(Values { all, given_by: None, text })
    }

    /// The value of a variable that has only one, and the statement that gives it, where that is one of the test.
    fn given(&self, name: &str) -> Option<(Option<StmtId>, &'a Expr)> {
        let (scope, _) = self.tree.scopes.resolve(self.tree.scope[self.stmt.idx()], name)?;
        let assigns = |&id: &StmtId| match self.tree.nodes[id.idx()] {
            Node::Stmt(Stmt::Assign(assign)) => match assign.targets.as_slice() {
                [Expr::Name(target)] if target.id.as_str() == name => Some((id, &*assign.value)),
                _ => None,
            },
            _ => None,
        };
        let (stmts, is_own): (Vec<StmtId>, bool) = match scope {
            PlaceScope::Local(routine) if Some(routine) == self.unit.test => (self.unit.test_body(), true),
            PlaceScope::Global => (self.tree.routines[0].body.clone(), false),
            PlaceScope::Local(_) | PlaceScope::Member | PlaceScope::Hidden => return None,
        };
        let mut found = stmts.iter().filter_map(assigns);
        let (id, value) = found.next().filter(|_| found.next().is_none())?;
        let places = self.unit.places.iter().position(|place| place.name == name && place.scope == scope)?;
        let place = PlaceId::from_idx(places);
        let is_constant = self.unit.ids().all(|other| other == id || !changes(self.unit, other, place));
        (is_constant && id < self.stmt).then_some((is_own.then_some(id), value))
    }

    /// `range(3)`, `enumerate("ab")`, `zip([1, 2], "ab")`, `{"a": 1}.items()`.
    fn of_call(&self, call: &'a ExprCall) -> Option<Values> {
        let args = &*call.arguments.args;
        if !call.arguments.keywords.is_empty() {
            return None;
        }
        let made = |all| Values { all, given_by: None, text: None };
        match &*call.func {
            Expr::Name(name) => match (name.id.as_str(), args) {
                ("range", [..]) => Some(made(numbers(args)?.into_iter().map(number).collect())),
                ("enumerate", [list]) => {
                    let values = self.values(list)?;
                    let pairs =
                        values.all.into_iter().zip(0..).map(|(value, idx)| pair(vec![number(idx), value]));
                    Some(Values { all: pairs.collect(), text: None, ..values })
                }
                ("zip", [first, second]) => {
                    let (first, second) = (self.values(first)?, self.values(second)?);
                    let is_plain = first.given_by.is_none() && second.given_by.is_none();
                    let pairs = first.all.into_iter().zip(second.all).map(|(one, two)| pair(vec![one, two]));
                    is_plain.then(|| made(pairs.collect()))
                }
                _ => None,
            },
            Expr::Attribute(attribute) if args.is_empty() => {
                let (given_by, value) = match &*attribute.value {
                    Expr::Name(name) => self.given(name.id.as_str())?,
                    other => (None, other),
                };
                let Expr::Dict(dict) = value else { return None };
                let item = |item: &'a ruff_python_ast::DictItem| {
                    let (key, value) = (self.value(item.key.as_ref()?)?, self.value(&item.value)?);
                    match attribute.attr.as_str() {
                        "items" => Some(pair(vec![key, value])),
                        "keys" => Some(key),
                        "values" => Some(value),
                        _ => None,
                    }
                };
                let all = dict.items.iter().map(item).collect::<Option<_>>()?;
                Some(Values { all, given_by, text: None })
            }
            _ => None,
        }
    }

    /// A value that can be made where the file is loaded.
    fn value(&self, expr: &'a Expr) -> Option<Value> {
        let range = range_of(expr);
        let within = self.tokens.iter().filter(|token| range.covers(range_of(*token)));
        let scope = self.tree.scope[self.stmt.idx()];
        for token in within {
            let text = range_of(token).of(&self.unit.source);
            let is_of_test = || {
                let found = self.tree.scopes.resolve(scope, text);
                matches!(found, Some((PlaceScope::Local(_) | PlaceScope::Member, _)))
            };
            match token.kind() {
                TokenKind::Await | TokenKind::Yield | TokenKind::ColonEqual => return None,
                TokenKind::Name if is_of_test() => return None,
                _ => {}
            }
        }
        if expr.is_starred_expr() {
            return None;
        }
        let parts = match expr {
            Expr::List(_) | Expr::Tuple(_) => elements(expr)
                .and_then(|all| all.iter().map(|each| self.value(each)).collect::<Option<Vec<_>>>()),
            _ => None,
        };
        Some(Value { text: self.text(expr), is_plain: is_plain(expr), parts })
    }

    /// A text as it stands at the beginning of a line.
    fn text(&self, expr: &Expr) -> String {
        let range = range_of(expr);
        let text = range.of(&self.unit.source);
        let line = self.unit.line_starts[self.unit.line_of(range.start) as usize - 1] as usize;
        let indent: String =
            self.unit.source[line..].chars().take_while(|c| [' ', '\t'].contains(c)).collect();
        if text.contains("\"\"\"") || text.contains("'''") {
            return text.to_owned();
        }
        let lines = text.split('\n').map(|line| line.strip_prefix(indent.as_str()).unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn elements(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::List(list) => Some(&list.elts),
        Expr::Set(set) => Some(&set.elts),
        Expr::Tuple(tuple) => Some(&tuple.elts),
        _ => None,
    }
}

/// Whether a statement may change the object behind a name, or the name.
fn changes(unit: &Unit, id: StmtId, place: PlaceId) -> bool {
    unit.stmt(id).ops.iter().any(|op| match op {
        Op::Define(other) | Op::MayDefine(other) | Op::Mutate(other) => *other == place,
        Op::Call(call) => call.receiver == Some(place) && call.result == paring_model::CallResult::Dropped,
        Op::Use(_) => false,
    })
}

/// The variables of a loop, in the order of the text.
fn names(target: &Expr) -> Option<Vec<String>> {
    match target {
        Expr::Name(name) => Some(vec![name.id.to_string()]),
        Expr::Tuple(_) | Expr::List(_) => {
            let all = elements(target)?.iter().map(names).collect::<Option<Vec<_>>>()?;
            Some(all.into_iter().flatten().collect())
        }
        _ => None,
    }
}

/// Whether the loop has a flat list of several variables.
fn is_pair(target: &Expr) -> bool {
    elements(target).is_some_and(|all| all.len() > 1 && all.iter().all(Expr::is_name_expr))
}

/// What each variable is in one round.
fn take_apart<'v>(target: &Expr, value: &'v Value, row: &mut Vec<&'v Value>) -> Option<()> {
    if target.is_name_expr() {
        row.push(value);
        return Some(());
    }
    let (targets, parts) = (elements(target)?, value.parts.as_ref()?);
    if targets.len() != parts.len() {
        return None;
    }
    for (target, part) in targets.iter().zip(parts) {
        take_apart(target, part, row)?;
    }
    Some(())
}

fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::StringLiteral(_) | Expr::NumberLiteral(_) | Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) => {
            true
        }
        Expr::UnaryOp(unary) => unary.op == UnaryOp::USub && unary.operand.is_number_literal_expr(),
        _ => false,
    }
}

fn number(value: i64) -> Value {
    Value { text: value.to_string(), parts: None, is_plain: true }
}

fn character(c: char) -> Value {
    let text = match c {
        '"' | '\\' => format!("\"\\{c}\""),
        '\n' => "\"\\n\"".to_owned(),
        '\r' => "\"\\r\"".to_owned(),
        '\t' => "\"\\t\"".to_owned(),
        c => format!("\"{c}\""),
    };
    Value { text, parts: None, is_plain: true }
}

fn pair(parts: Vec<Value>) -> Value {
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    Value { text: format!("({})", texts.join(", ")), is_plain: false, parts: Some(parts) }
}

/// What `range` counts to.
fn numbers(args: &[Expr]) -> Option<Vec<i64>> {
    let number = |expr: &Expr| match expr {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(int) => int.as_i64(),
            Number::Float(_) | Number::Complex { .. } => None,
        },
        _ => None,
    };
    let given = args.iter().map(number).collect::<Option<Vec<_>>>()?;
    let (start, end) = match given.as_slice() {
        [end] => (0, *end),
        [start, end] => (*start, *end),
        _ => return None,
    };
    let n_rounds = usize::try_from(end.checked_sub(start)?).ok()?;
    (n_rounds <= MAX_ROUNDS).then(|| (start..end).collect())
}
