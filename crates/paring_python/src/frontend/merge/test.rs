//! The tests of a file: where each stands, what must be the same for others to meet it, and what forbids that.

use super::super::lines::{Lines, line_starts};
use super::super::parsed;
use super::super::tree::range_of;
use super::step;
use paring_model::{Framework, Refusal, Remark, RemarkAt, Shape, Survey, TextRange};
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::Ranged;
use std::collections::BTreeSet;

/// Parameters by which a test learns its own name, or that keep something under it.
const OF_NAME: [&str; 12] = [
    "request",
    "snapshot",
    "benchmark",
    "data_regression",
    "file_regression",
    "num_regression",
    "dataframe_regression",
    "image_regression",
    "ndarrays_regression",
    "datadir",
    "shared_datadir",
    "original_datadir",
];
/// Words by which a test learns its own name.
const WORDS_OF_NAME: [&str; 4] = ["_testMethodName", "PYTEST_CURRENT_TEST", "currentframe", "getframeinfo"];

pub fn survey(source: &str) -> Survey {
    let parsed = parsed(source);
    let starts = line_starts(source);
    let lines = Lines::new(source, &starts, parsed.tokens());
    let tokens = parsed.tokens();
    let names = tokens.iter().filter(|token| token.kind() == TokenKind::Name);
    let words = names.map(|token| range_of(token).of(source).to_owned()).collect();
    let mut file = File { source, tokens, lines, classes: Vec::new(), shapes: Vec::new() };
    if parsed.errors().is_empty() {
        file.block(parsed.suite(), &[]);
    }
    let inherited: BTreeSet<&str> = file.classes.iter().flat_map(|class| bases(source, class)).collect();
    for shape in &mut file.shapes {
        if shape.id.split("::").next().is_some_and(|home| home != shape.id && inherited.contains(home)) {
            shape.refusal = Some(Refusal::new("base_class", "another class of the file inherits it"));
        }
    }
    let ids: Vec<String> = file.shapes.iter().map(|shape| shape.id.clone()).collect();
    for shape in &mut file.shapes {
        if ids.iter().filter(|id| **id == shape.id).count() > 1 {
            shape.refusal = Some(Refusal::new("own_name", "two tests have its name"));
        }
    }
    Survey { shapes: file.shapes, words }
}

/// What a class derives from, as it is written.
fn bases<'s>(source: &'s str, class: &StmtClassDef) -> impl Iterator<Item = &'s str> {
    let all = class.arguments.iter().flat_map(|it| it.args.iter());
    all.map(|base| range_of(base).of(source))
}

struct File<'a> {
    source: &'a str,
    tokens: &'a [Token],
    lines: Lines<'a>,
    /// The classes of the file's top level.
    classes: Vec<&'a StmtClassDef>,
    shapes: Vec<Shape>,
}

impl<'a> File<'a> {
    fn block(&mut self, stmts: &'a [Stmt], around: &[&'a StmtClassDef]) {
        for stmt in stmts {
            match stmt {
                Stmt::FunctionDef(def) if def.name.starts_with("test") => {
                    if let Some(shape) = self.shape(def, around) {
                        self.shapes.push(shape);
                    }
                }
                Stmt::ClassDef(class) => {
                    if around.is_empty() {
                        self.classes.push(class);
                    }
                    let around: Vec<&StmtClassDef> = around.iter().copied().chain([class]).collect();
                    self.block(&class.body, &around);
                }
                _ => {}
            }
        }
    }

    fn text(&self, item: &impl Ranged) -> &'a str {
        range_of(item).of(self.source)
    }

    fn shape(&self, def: &'a StmtFunctionDef, around: &[&'a StmtClassDef]) -> Option<Shape> {
        let home: Vec<&str> = around.iter().map(|class| class.name.as_str()).collect();
        let range = range_of(def);
        let statement = self.lines.of(range.start);
        let has_doc = matches!(def.body.first(), Some(Stmt::Expr(it)) if it.value.is_string_literal_expr());
        let stmts = &def.body[usize::from(has_doc)..];
        let first_line = self.lines.of(def.body.first()?.start().to_u32());
        let colon_line = self.lines.of(self.colon(def)?);
        if first_line <= colon_line || stmts.is_empty() {
            return None;
        }
        let mut first = statement;
        while first > 0
            && self.lines.is_comment(first - 1)
            && self.lines.indent(first - 1) == self.lines.indent(statement)
        {
            first -= 1;
        }
        let last = self.lines.last_of_block(range);
        let body_indent = self.lines.indent(first_line);
        let end = self.lines.content_end(last);
        let whole = TextRange::new(self.lines.start(first), end);
        let taken = step::body(self.source, stmts, self.tokens);
        let framework = self.framework(around);
        let name = def.name.to_string();
        let id = home.iter().copied().chain([name.as_str()]).collect::<Vec<_>>().join("::");
        let mut shape = Shape {
            header: self.header(def, &home),
            framework: framework.clone().unwrap_or(Framework::Pytest),
            whole,
            body: TextRange::new(self.lines.start(colon_line + 1), end),
            indent: self.lines.indent(statement).to_owned(),
            body_indent: body_indent.to_owned(),
            head_start: range.start,
            has_parameters: def.parameters.iter().any(|it| !matches!(it.name().as_str(), "self" | "cls")),
            expects: None,
            shown: None,
            remarks: Vec::new(),
            solid: self.solid(whole),
            refusal: None,
            steps: taken.steps,
            id,
            name,
        };
        shape.remarks = self.remarks(&shape, def, has_doc);
        shape.refusal = framework.err().or_else(|| self.refusal(def, &shape)).or_else(|| {
            let text = "it is a generator, or its names are read while it runs";
            (taken.is_generator || taken.reads_names).then(|| Refusal::new("unsupported", text))
        });
        Some(shape)
    }

    fn colon(&self, def: &StmtFunctionDef) -> Option<u32> {
        let from = def.returns.as_ref().map_or_else(|| def.parameters.end(), |returns| (**returns).end());
        let mut behind = self.tokens.iter().filter(|token| token.start() >= from);
        behind.find(|token| token.kind() == TokenKind::Colon).map(|token| token.start().to_u32())
    }

    /// What tests that meet have in common beside their bodies.
    fn header(&self, def: &StmtFunctionDef, home: &[&str]) -> String {
        let decorators = def.decorator_list.iter().map(|it| self.text(it)).collect::<Vec<_>>().join("\n");
        let parameters: String = self.text(&*def.parameters).split_whitespace().collect();
        let returns = def.returns.as_ref().map_or("", |returns| self.text(&**returns));
        let is_async = if def.is_async { "async " } else { "" };
        format!("{}\n{decorators}\n{is_async}{parameters}{returns}", home.join("::"))
    }

    /// Whether the innermost class is a `TestCase`; an error where that cannot be told, or its cases are no plain ones.
    fn framework(&self, around: &[&StmtClassDef]) -> Result<Framework, Refusal> {
        let Some(class) = around.last() else { return Ok(Framework::Pytest) };
        let mut bases: Vec<&Expr> = class.arguments.iter().flat_map(|it| it.args.iter()).collect();
        let mut is_case = false;
        let mut known: BTreeSet<&str> = BTreeSet::new();
        while let Some(base) = bases.pop() {
            let text = self.text(base);
            let own = self.classes.iter().find(|class| class.name.as_str() == text);
            match (text, own) {
                ("object", _) => {}
                ("unittest.TestCase" | "TestCase", None) => is_case = true,
                (name, Some(own)) if known.insert(name) => {
                    bases.extend(own.arguments.iter().flat_map(|it| it.args.iter()));
                }
                (_, Some(_)) => {}
                (_, None) => {
                    let text = format!("its class derives from {text}, of another file");
                    return Err(Refusal::new("base_class", text));
                }
            }
        }
        Ok(if is_case { Framework::Unittest } else { Framework::Pytest })
    }

    fn refusal(&self, def: &StmtFunctionDef, shape: &Shape) -> Option<Refusal> {
        let source = self.source;
        let refuse = |code, text: &str| Some(Refusal::new(code, text));
        let text = shape.whole.of(source);
        if text.contains("paring: keep") {
            return refuse("kept", "a comment says to keep it");
        }
        let parameters = &def.parameters;
        let is_plain = parameters.vararg.is_none()
            && parameters.kwarg.is_none()
            && parameters.kwonlyargs.is_empty()
            && parameters.posonlyargs.is_empty()
            && parameters.args.iter().all(|it| it.default.is_none());
        if !is_plain {
            return refuse("unsupported", "its parameters have defaults, or are no plain ones");
        }
        let decorators = def.decorator_list.iter().map(|it| self.text(it));
        for decorator in decorators {
            if decorator.contains("parametrize") || decorator.contains("parameterized") {
                return refuse("parametrised", "it has cases already");
            }
            let orders = ["order", "run(", "dependency", "incremental"];
            if orders.iter().any(|word| decorator.contains(word)) {
                return refuse("order", "a decorator says when it runs");
            }
        }
        let names = parameters.args.iter().map(|it| it.parameter.name().as_str());
        let mut used = WORDS_OF_NAME.iter().filter(|word| text.contains(**word));
        if names.clone().any(|name| OF_NAME.contains(&name))
            || used.next().is_some()
            || text.contains("self.id()")
        {
            return refuse("own_name", "it may know its own name");
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut mentions = source.match_indices(shape.name.as_str()).filter(|(at, name)| {
            !source[..*at].ends_with(is_word) && !source[at + name.len()..].starts_with(is_word)
        });
        // The name of a method of another class is another name.
        let is_elsewhere = |at: usize| {
            let before = source[..at].trim_end();
            !before.ends_with("def") && !shape.whole.contains(u32::try_from(at).unwrap_or_default())
                || shape.body.contains(u32::try_from(at).unwrap_or_default())
        };
        if mentions.any(|(at, _)| is_elsewhere(at)) {
            return refuse("own_name", "the file mentions its name elsewhere");
        }
        None
    }

    /// Strings of several lines.
    fn solid(&self, whole: TextRange) -> Vec<TextRange> {
        let (first, last) = (self.lines.of(whole.start), self.lines.of(whole.end.max(whole.start + 1) - 1));
        let inside = (first..=last).filter(|&line| self.lines.begins_in_string(line));
        inside.map(|line| TextRange::new(self.lines.start(line), self.lines.content_end(line))).collect()
    }

    fn remarks(&self, shape: &Shape, def: &StmtFunctionDef, has_doc: bool) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let comments = self.tokens.iter().filter(|token| token.kind() == TokenKind::Comment);
        for comment in comments.map(range_of).filter(|at| shape.whole.covers(*at)) {
            let line = self.lines.of(comment.start);
            let text = comment.of(self.source).trim_start_matches(['#', ':']).trim().to_owned();
            let is_whole_line = self.lines.is_comment(line);
            let at = place(shape, range_of(def), comment, is_whole_line, |offset| self.lines.of(offset));
            let start = if is_whole_line { self.lines.start(line) } else { self.code_end(comment.start) };
            let end = if is_whole_line { self.lines.start(line + 1) } else { comment.end };
            let range = TextRange::new(start, end.min(shape.whole.end.max(start)));
            remarks.push(Remark { range, lines: vec![text], at });
        }
        if let Some(Stmt::Expr(doc)) = def.body.first().filter(|_| has_doc) {
            let range = range_of(doc);
            // A prefix such as `r` stands before the first quote.
            let quoted = range.of(self.source).trim_start_matches(|c: char| c.is_alphabetic());
            let inner = quoted.trim_matches(['"', '\'']);
            let lines = inner.lines().map(str::trim).filter(|line| !line.is_empty());
            let (first, last) = (self.lines.of(range.start), self.lines.of(range.end - 1));
            let mut next = last + 1;
            while next < self.lines.len() && self.lines.is_blank(next) {
                next += 1;
            }
            let cut = TextRange::new(self.lines.start(first), self.lines.start(next).min(shape.whole.end));
            remarks.push(Remark {
                range: cut,
                lines: lines.map(str::to_owned).collect(),
                at: RemarkAt::Test,
            });
        }
        remarks.sort_by_key(|remark| remark.range);
        remarks
    }

    /// The end of the code before a comment in its line.
    fn code_end(&self, at: u32) -> u32 {
        let before = &self.source[..at as usize];
        u32::try_from(before.trim_end_matches([' ', '\t']).len()).unwrap_or(at)
    }
}

/// Where a comment belongs.
fn place(
    shape: &Shape,
    def: TextRange,
    comment: TextRange,
    is_whole_line: bool,
    line_of: impl Fn(u32) -> usize,
) -> RemarkAt {
    if comment.start < def.start || comment.start < shape.body.start {
        return RemarkAt::Test;
    }
    if let Some(within) = shape.steps.iter().position(|step| step.range.covers(comment)) {
        return RemarkAt::Within(within);
    }
    let next = shape.steps.iter().position(|step| step.range.start > comment.start);
    if !is_whole_line {
        let line = line_of(comment.start);
        let own = shape.steps.iter().rposition(|step| line_of(step.range.end - 1) == line);
        return own.map_or(RemarkAt::Test, RemarkAt::Behind);
    }
    RemarkAt::Over(next.unwrap_or(shape.steps.len()))
}
