//! The body of a test as steps: words, variables and literals.
//!
//! A variable may be called otherwise where all that spells its name in the test is a plain use of it: no parameter of a lambda,
//! no import, no name of a nested function. A literal is as large as it can be: `[1, (2, "a")]` is one. What stands in an
//! annotation, a pattern or an f-string is no literal of its own.

use super::super::tree::range_of;
use paring_model::{Atom, AtomKind, Hint, LiteralShape, Step, TextRange};
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::visitor::source_order::{
    SourceOrderVisitor, walk_alias, walk_except_handler, walk_expr, walk_parameter, walk_stmt,
};
use ruff_python_ast::{
    self as ast, Alias, ExceptHandler, Expr, ExprContext, Number, Parameter, Pattern, Stmt, UnaryOp,
};
use ruff_text_size::Ranged;
use std::collections::{BTreeMap, BTreeSet};

/// What the test's own variables are, and what of its body is more than steps can show.
#[derive(Debug, Default)]
pub struct Body {
    pub steps: Vec<Step>,
    /// Names of functions that know names: `locals`, `eval`.
    pub reads_names: bool,
    pub is_generator: bool,
}

pub fn body(source: &str, stmts: &[Stmt], tokens: &[Token]) -> Body {
    let mut finder = Finder { source, ..Finder::default() };
    for stmt in stmts {
        finder.visit_stmt(stmt);
    }
    let variables: BTreeSet<&str> =
        finder.stored.keys().filter(|name| !finder.fixed.contains(*name)).copied().collect();
    let steps = stmts.iter().map(|stmt| finder.step(stmt, tokens, &variables)).collect();
    Body { steps, reads_names: finder.reads_names, is_generator: finder.is_generator }
}

#[derive(Default)]
struct Finder<'a> {
    source: &'a str,
    /// How often each name is given a value.
    stored: BTreeMap<&'a str, usize>,
    /// Names that have to stay as they are.
    fixed: BTreeSet<&'a str>,
    names: BTreeSet<TextRange>,
    literals: BTreeMap<TextRange, LiteralShape>,
    hints: BTreeMap<TextRange, Hint>,
    reads_names: bool,
    is_generator: bool,
}

impl<'a> SourceOrderVisitor<'a> for Finder<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => drop(self.fixed.insert(def.name.as_str())),
            Stmt::ClassDef(class) => drop(self.fixed.insert(class.name.as_str())),
            Stmt::Global(it) => self.fixed.extend(it.names.iter().map(ast::Identifier::as_str)),
            Stmt::Nonlocal(it) => self.fixed.extend(it.names.iter().map(ast::Identifier::as_str)),
            Stmt::Assign(it) => self.given(&it.targets, &it.value),
            Stmt::Assert(it) => self.compared(&it.test),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Some(shape) = literal(expr) {
            let hint = self.hints.get(&range_of(expr)).cloned().unwrap_or(Hint::None);
            self.literals.insert(range_of(expr), LiteralShape { hint, ..shape });
            return;
        }
        match expr {
            Expr::Name(name) => {
                self.names.insert(range_of(name));
                if name.ctx != ExprContext::Load {
                    *self.stored.entry(name.id.as_str()).or_default() += 1;
                }
            }
            Expr::Call(call) => self.called(call),
            Expr::Yield(_) | Expr::YieldFrom(_) => self.is_generator = true,
            Expr::FString(_) | Expr::TString(_) => {
                let mut names = Names { names: &mut self.names };
                walk_expr(&mut names, expr);
                return;
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_annotation(&mut self, expr: &'a Expr) {
        Names { names: &mut self.names }.visit_expr(expr);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.fixed.insert(parameter.name().as_str());
        walk_parameter(self, parameter);
    }

    fn visit_alias(&mut self, alias: &'a Alias) {
        let name = alias.asname.as_ref().unwrap_or(&alias.name);
        self.fixed.insert(name.as_str().split('.').next().unwrap_or_default());
        walk_alias(self, alias);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(it) = handler;
        self.fixed.extend(it.name.as_ref().map(ast::Identifier::as_str));
        walk_except_handler(self, handler);
    }

    /// What a pattern catches has the names of the pattern.
    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let text = &self.source[pattern.range().to_std_range()];
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        self.fixed.extend(words.filter(|word| !word.is_empty()));
    }
}

/// Names alone: of what is no literal.
struct Names<'n> {
    names: &'n mut BTreeSet<TextRange>,
}

impl<'a> SourceOrderVisitor<'a> for Names<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr {
            self.names.insert(range_of(name));
        }
        walk_expr(self, expr);
    }
}

impl<'a> Finder<'a> {
    /// `net = 9.95`
    fn given(&mut self, targets: &'a [Expr], value: &'a Expr) {
        if let [Expr::Name(name)] = targets {
            let hint = Hint::Given { variable: name.id.to_string(), declared: None };
            self.hints.insert(range_of(value), hint);
            // `expected = "\n".join([…])`
            if let (Expr::Call(call), true) = (value, name.id.starts_with("expect")) {
                for argument in &*call.arguments.args {
                    let noun = literal(argument).map_or("value", |shape| shape.noun);
                    self.hints.insert(range_of(argument), Hint::Named(format!("{}_{noun}", name.id)));
                }
            }
        }
    }

    /// What stands on one side of an assertion is what is expected.
    fn compared(&mut self, test: &'a Expr) {
        if let Expr::Compare(compare) = test
            && let [right] = &*compare.comparators
        {
            let is_plain = |expr: &Expr| literal(expr).is_some();
            let side = match (is_plain(&compare.left), is_plain(right)) {
                (false, true) => right,
                (true, false) => &compare.left,
                (true, true) | (false, false) => return,
            };
            self.hints.insert(range_of(side), Hint::Expected);
        }
    }

    fn called(&mut self, call: &'a ast::ExprCall) {
        for keyword in &call.arguments.keywords {
            if let Some(name) = &keyword.arg {
                self.hints.insert(range_of(&keyword.value), Hint::Named(name.to_string()));
            }
        }
        match &*call.func {
            Expr::Name(name) => {
                let knows = matches!(name.id.as_str(), "locals" | "vars" | "eval" | "exec" | "dir");
                self.reads_names |= knows;
            }
            Expr::Attribute(attribute) if attribute.attr.starts_with("assert") => {
                if let [first, second, ..] = &*call.arguments.args {
                    match (literal(first).is_some(), literal(second).is_some()) {
                        (false, true) => drop(self.hints.insert(range_of(second), Hint::Expected)),
                        (true, false) => drop(self.hints.insert(range_of(first), Hint::Expected)),
                        (true, true) | (false, false) => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn step(&self, stmt: &Stmt, tokens: &[Token], variables: &BTreeSet<&str>) -> Step {
        let range = range_of(stmt);
        let mut atoms: Vec<Atom> = Vec::new();
        let mut end = range.start;
        for token in tokens.iter().filter(|token| range.covers(range_of(*token)) && counts(token.kind())) {
            let at = range_of(token);
            if at.start < end {
                continue;
            }
            let whole = self.literals.range(at..).next().filter(|(whole, _)| whole.start == at.start);
            let atom = if let Some((whole, shape)) = whole {
                Atom { range: *whole, kind: AtomKind::Literal(self.hinted(stmt, *whole, shape)) }
            } else {
                let is_variable = self.names.contains(&at) && variables.contains(at.of(self.source));
                Atom { range: at, kind: if is_variable { AtomKind::Variable } else { AtomKind::Word } }
            };
            end = atom.range.end;
            atoms.push(atom);
        }
        Step { range, atoms, checks: checks(stmt, self.source), has_message: has_message(stmt, self.source) }
    }

    /// Only a variable that nothing else is given to, by a statement of the test's own level, may become a parameter.
    fn hinted(&self, stmt: &Stmt, range: TextRange, shape: &LiteralShape) -> LiteralShape {
        let hint = match &shape.hint {
            Hint::Given { variable, .. } => {
                let is_whole = matches!(stmt, Stmt::Assign(it) if it.targets.len() == 1 && range_of(&*it.value) == range);
                let is_only =
                    self.stored.get(variable.as_str()) == Some(&1) && !self.fixed.contains(variable.as_str());
                if is_whole && is_only { shape.hint.clone() } else { Hint::Named(variable.clone()) }
            }
            other => other.clone(),
        };
        LiteralShape { hint, ..shape.clone() }
    }
}

fn counts(kind: TokenKind) -> bool {
    !matches!(kind, TokenKind::Comment | TokenKind::NonLogicalNewline)
}

/// Whether a statement asserts: `assert`, `self.assert…`, `with pytest.raises`, at its own level.
fn checks(stmt: &Stmt, source: &str) -> bool {
    let is_check = |expr: &Expr| {
        let call = if let Expr::Await(it) = expr { &it.value } else { expr };
        let Expr::Call(call) = call else { return false };
        let name = &source[call.func.range().to_std_range()];
        let last = name.rsplit('.').next().unwrap_or_default();
        last.starts_with("assert") || matches!(name, "pytest.raises" | "pytest.warns" | "raises")
    };
    match stmt {
        Stmt::Assert(_) => true,
        Stmt::Expr(it) => is_check(&it.value),
        Stmt::With(it) => it.items.iter().any(|item| is_check(&item.context_expr)),
        _ => false,
    }
}

/// Whether a statement says something of its own where it fails, or something in it does.
fn has_message(stmt: &Stmt, source: &str) -> bool {
    let mut finder = Messages { source, found: false };
    finder.visit_stmt(stmt);
    finder.found
}

struct Messages<'s> {
    source: &'s str,
    found: bool,
}

impl<'a> SourceOrderVisitor<'a> for Messages<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.found |= match stmt {
            Stmt::Assert(it) => it.msg.is_some(),
            Stmt::Raise(it) => it.exc.is_some(),
            _ => false,
        };
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr {
            let is_message = |keyword: &ast::Keyword| {
                keyword.arg.as_ref().is_some_and(|name| matches!(name.as_str(), "msg" | "reason"))
            };
            let name = &self.source[call.func.range().to_std_range()];
            let n_args = call.arguments.args.len();
            let is_assertion = name.rsplit('.').next().is_some_and(|last| last.starts_with("assert"));
            let one_value = ["assertTrue", "assertFalse", "assertIsNone", "assertIsNotNone"];
            let n_values = if one_value.iter().any(|it| name.ends_with(it)) { 1 } else { 2 };
            self.found |= call.arguments.keywords.iter().any(is_message)
                || is_assertion && name.starts_with("self.") && n_args > n_values
                || matches!(name, "pytest.fail" | "self.fail" | "fail") && n_args > 0;
        }
        walk_expr(self, expr);
    }
}

/// A literal, or a list of literals.
fn literal(expr: &Expr) -> Option<LiteralShape> {
    let (noun, is_mutable) = match expr {
        Expr::StringLiteral(_) => ("text", false),
        Expr::BytesLiteral(_) => ("data", false),
        Expr::NumberLiteral(it) => match it.value {
            Number::Int(_) | Number::Float(_) | Number::Complex { .. } => ("number", false),
        },
        Expr::BooleanLiteral(_) => ("flag", false),
        Expr::NoneLiteral(_) => ("value", false),
        Expr::UnaryOp(it)
            if matches!(it.op, UnaryOp::USub | UnaryOp::UAdd) && it.operand.is_number_literal_expr() =>
        {
            ("number", false)
        }
        Expr::Tuple(it) if it.parenthesized && it.ctx == ExprContext::Load => {
            ("values", all_literal(&it.elts)?)
        }
        Expr::List(it) if it.ctx == ExprContext::Load => {
            all_literal(&it.elts)?;
            ("items", true)
        }
        Expr::Set(it) => {
            all_literal(&it.elts)?;
            ("items", true)
        }
        Expr::Dict(it) => {
            for item in &it.items {
                literal(item.key.as_ref()?)?;
                literal(&item.value)?;
            }
            ("mapping", true)
        }
        _ => return None,
    };
    Some(LiteralShape { class: String::new(), noun, hint: Hint::None, is_mutable })
}

/// Whether any of them is mutable, where all are literals.
fn all_literal(elements: &[Expr]) -> Option<bool> {
    let mut is_mutable = false;
    for element in elements {
        is_mutable |= literal(element)?.is_mutable;
    }
    Some(is_mutable)
}
