//! The tests of a file: where each stands, what must be the same for others to meet it, and what forbids that.

use super::super::lines::{Lines, line_starts};
use super::super::outline::{is_class, members};
use super::super::syntax::{
    annotations, child_of_kind, field_text, is_comment, named, parsed, range_of, text, walk,
};
use super::step;
use paring_model::{Framework, Refusal, Remark, RemarkAt, Shape, Survey, TextRange};
use std::collections::BTreeSet;
use tree_sitter::Node;

pub fn survey(source: &str) -> Survey {
    let tree = parsed(source);
    let root = tree.root_node();
    let starts = line_starts(source);
    let lines = Lines::new(source, &starts, root);
    let mut file = File { source, lines, framework: framework(source, root), shapes: Vec::new() };
    if !root.has_error() {
        for class in named(root).into_iter().filter(|node| is_class(*node)) {
            file.class(class, "", None);
        }
    }
    let mut inherited: BTreeSet<&str> = BTreeSet::new();
    walk(root, &mut |node| {
        let base = field_text(node, "superclass", source).trim_start_matches("extends").trim();
        let interfaces = field_text(node, "interfaces", source).trim_start_matches("implements").split(',');
        for base in interfaces.chain([base]) {
            inherited.extend(base.trim().split(['<', ' ']).next().and_then(|name| name.rsplit('.').next()));
        }
        true
    });
    for shape in &mut file.shapes {
        let home = shape.id.split('#').next().and_then(|home| home.rsplit('$').next()).unwrap_or_default();
        if inherited.contains(home) {
            shape.refusal = Some(Refusal::new("base_class", "another class of the file inherits it"));
        }
    }
    let ids: Vec<String> = file.shapes.iter().map(|shape| shape.id.clone()).collect();
    for shape in &mut file.shapes {
        if ids.iter().filter(|id| **id == shape.id).count() > 1 {
            shape.refusal = Some(Refusal::new("own_name", "two methods have its name"));
        }
    }
    Survey { shapes: file.shapes, words: words(root, source) }
}

fn framework(source: &str, root: Node) -> Framework {
    let imports = named(root).into_iter().filter(|node| node.kind() == "import_declaration");
    let imports: Vec<&str> = imports.map(|node| text(node, source)).collect();
    let has = |name: &str| imports.iter().any(|import| import.contains(name));
    if has("org.junit.jupiter") {
        Framework::Jupiter
    } else if has("junit.framework") && !has("org.junit.Test") {
        Framework::Junit3
    } else {
        Framework::Junit4
    }
}

/// What is declared in the file, and what is called without a receiver.
fn words(root: Node, source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(root, &mut |node| {
        match node.kind() {
            "method_declaration" | "class_declaration" | "variable_declarator" | "record_declaration" => {
                found.insert(field_text(node, "name", source).to_owned());
            }
            "method_invocation" if node.child_by_field_name("object").is_none() => {
                found.insert(field_text(node, "name", source).to_owned());
            }
            "import_declaration" => {
                let name = text(node, source).trim_end_matches(';').rsplit('.').next().unwrap_or_default();
                found.insert(name.trim().to_owned());
            }
            _ => {}
        }
        true
    });
    found
}

struct File<'a> {
    source: &'a str,
    lines: Lines<'a>,
    framework: Framework,
    shapes: Vec<Shape>,
}

impl<'a> File<'a> {
    fn class(&mut self, class: Node, around: &str, refused: Option<Refusal>) {
        let name = field_text(class, "name", self.source);
        let home = if around.is_empty() { name.to_owned() } else { format!("{around}${name}") };
        let refused = refused.or_else(|| self.refused_class(class));
        let all = members(class);
        for member in &all {
            if is_class(*member) {
                self.class(*member, &home, refused.clone());
            } else if member.kind() == "method_declaration"
                && self.is_test(*member, class)
                && let Some(shape) = self.shape(*member, class, &home, refused.clone())
            {
                self.shapes.push(shape);
            }
        }
    }

    /// Why no test of a class may be merged.
    fn refused_class(&self, class: Node) -> Option<Refusal> {
        for (name, node) in annotations(class, self.source) {
            match name {
                "RunWith" => {
                    let text = format!("its class has a runner of its own: {}", text(node, self.source));
                    return Some(Refusal::new("runner", text));
                }
                "TestMethodOrder" | "FixMethodOrder" => {
                    return Some(Refusal::new(
                        "order",
                        "an annotation of its class says in which order tests run",
                    ));
                }
                _ => {}
            }
        }
        let modifiers = child_of_kind(class, "modifiers").map_or("", |it| text(it, self.source));
        let is_abstract = modifiers.split_whitespace().any(|word| word == "abstract");
        is_abstract.then(|| Refusal::new("base_class", "other classes inherit it"))
    }

    fn is_test(&self, method: Node, class: Node) -> bool {
        if annotations(method, self.source).iter().any(|(name, _)| *name == "Test") {
            return true;
        }
        let base = field_text(class, "superclass", self.source);
        self.framework == Framework::Junit3
            && base.contains("TestCase")
            && field_text(method, "name", self.source).starts_with("test")
    }

    fn shape(&self, method: Node, class: Node, home: &str, refused: Option<Refusal>) -> Option<Shape> {
        let source = self.source;
        let block = method.child_by_field_name("body")?;
        let stmts = named(block);
        let (range, inner) = (range_of(method), range_of(block));
        let (open, close) = (self.lines.of(inner.start), self.lines.of(inner.end - 1));
        let first_line = self.lines.of(range_of(*stmts.first()?).start);
        let last_line = self.lines.of(range_of(*stmts.last()?).end - 1);
        if first_line <= open || last_line >= close || !self.lines.begins_line(range.start) {
            return None;
        }
        let statement = self.lines.of(range.start);
        let mut first = statement;
        while first > 0 && self.lines.is_comment(first - 1) {
            first -= 1;
        }
        let name = field_text(method, "name", source).to_owned();
        let shown = self.shown(method);
        let mut shape = Shape {
            id: format!("{home}#{name}"),
            framework: self.framework,
            whole: TextRange::new(self.lines.start(first), self.lines.content_end(close)),
            body: TextRange::new(self.lines.start(open + 1), self.lines.content_end(close - 1)),
            indent: self.lines.indent(statement).to_owned(),
            body_indent: self.lines.indent(first_line).to_owned(),
            header: self.header(method, home),
            shown,
            head_start: range.start,
            has_parameters: method.child_by_field_name("parameters").is_some_and(|it| !named(it).is_empty()),
            expects: self.expected(method).map(str::to_owned),
            steps: step::steps(source, method, &stmts),
            remarks: Vec::new(),
            solid: step::solid(source, method),
            refusal: None,
            name,
        };
        shape.remarks = self.remarks(&shape, class, range);
        shape.refusal = refused.or_else(|| self.refusal(method, class, &shape));
        Some(shape)
    }

    /// The text of a display name that is a plain literal, as it is written between its quotes.
    fn shown(&self, method: Node) -> Option<String> {
        let all = annotations(method, self.source);
        let (_, node) = all.iter().find(|(name, _)| *name == "DisplayName")?;
        let list = node.child_by_field_name("arguments").map(named).unwrap_or_default();
        match list.as_slice() {
            [only] if only.kind() == "string_literal" && !text(*only, self.source).starts_with("\"\"\"") => {
                Some(text(*only, self.source).trim_matches('"').to_owned())
            }
            _ => None,
        }
    }

    /// What `@Test(expected = …)` names, where it says nothing else.
    fn expected(&self, method: Node) -> Option<&'a str> {
        let all = annotations(method, self.source);
        let (_, node) = all.iter().find(|(name, _)| *name == "Test")?;
        let list = node.child_by_field_name("arguments").map(named).unwrap_or_default();
        match list.as_slice() {
            [pair] if field_text(*pair, "key", self.source) == "expected" => {
                Some(field_text(*pair, "value", self.source))
            }
            _ => None,
        }
    }

    fn header(&self, method: Node, home: &str) -> String {
        let source = self.source;
        let mut header = format!("{home}\n");
        let plain = ["@Test", "@Test()"];
        for (name, node) in annotations(method, source) {
            let own = text(node, source);
            let is_shown = name == "DisplayName" && self.shown(method).is_some();
            let is_expecting = name == "Test" && self.expected(method).is_some();
            if !plain.contains(&own) && !is_shown && !is_expecting {
                header.push_str(own);
                header.push('\n');
            }
        }
        let modifiers = child_of_kind(method, "modifiers").map(|it| text(it, source)).unwrap_or_default();
        let words = ["public", "protected", "private", "static", "final", "synchronized"];
        header.extend(modifiers.split_whitespace().filter(|word| words.contains(word)));
        for field in ["type_parameters", "type", "parameters"] {
            header.push_str(field_text(method, field, source));
            header.push(' ');
        }
        header.push_str(child_of_kind(method, "throws").map_or("", |it| text(it, source)));
        header
    }

    fn refusal(&self, method: Node, class: Node, shape: &Shape) -> Option<Refusal> {
        let source = self.source;
        let own = shape.whole.of(source);
        if own.contains("paring: keep") {
            return Some(Refusal::new("kept", "a comment says to keep it"));
        }
        let all = annotations(method, source);
        if all.iter().any(|(name, _)| matches!(*name, "Order" | "DependsOn")) {
            return Some(Refusal::new("order", "an annotation says when it runs"));
        }
        let many =
            ["RepeatedTest", "ParameterizedTest", "TestFactory", "TestTemplate", "Parameters", "Theory"];
        if all.iter().any(|(name, _)| many.contains(name)) {
            return Some(Refusal::new("parametrised", "it has cases already"));
        }
        if [
            "TestInfo",
            "TestReporter",
            "RepetitionInfo",
            "getMethodName",
            "getStackTrace",
            "getEnclosingMethod",
        ]
        .iter()
        .any(|word| own.contains(word))
        {
            return Some(Refusal::new("own_name", "it may know its own name"));
        }
        let mut is_called = false;
        walk(class, &mut |node| {
            let object = field_text(node, "object", source);
            is_called |= node.kind() == "method_invocation"
                && field_text(node, "name", source) == shape.name
                && matches!(object, "" | "this");
            is_called |= node.kind() == "method_reference"
                && text(node, source).ends_with(&format!("::{}", shape.name));
            !is_called
        });
        is_called.then(|| Refusal::new("own_name", "another method calls it"))
    }

    fn remarks(&self, shape: &Shape, class: Node, method: TextRange) -> Vec<Remark> {
        let mut remarks = Vec::new();
        walk(class, &mut |node| {
            let range = range_of(node);
            if is_comment(node) && shape.whole.covers(range) {
                let (first, last) =
                    (self.lines.of(range.start), self.lines.of(range.end.max(range.start + 1) - 1));
                let is_whole = self.lines.is_comment(first);
                let before = &self.source[..range.start as usize];
                let code = u32::try_from(before.trim_end_matches([' ', '\t']).len()).unwrap_or(range.start);
                let cut = if is_whole {
                    TextRange::new(
                        self.lines.start(first),
                        self.lines.start(last + 1).min(shape.whole.end.max(range.end)),
                    )
                } else {
                    TextRange::new(code, range.end)
                };
                let at = self.place(shape, method, range, is_whole);
                remarks.push(Remark { range: cut, lines: comment_lines(range.of(self.source)), at });
            }
            range.start < shape.whole.end && range.end > shape.whole.start
        });
        remarks
    }

    fn place(&self, shape: &Shape, method: TextRange, comment: TextRange, is_whole: bool) -> RemarkAt {
        if comment.start < method.start || comment.start < shape.body.start || comment.start > shape.body.end
        {
            return RemarkAt::Test;
        }
        if let Some(within) = shape.steps.iter().position(|step| step.range.covers(comment)) {
            return RemarkAt::Within(within);
        }
        if is_whole {
            let next = shape.steps.iter().position(|step| step.range.start > comment.start);
            return RemarkAt::Over(next.unwrap_or(shape.steps.len()));
        }
        let line = self.lines.of(comment.start);
        let own = shape.steps.iter().rposition(|step| self.lines.of(step.range.end - 1) == line);
        own.map_or(RemarkAt::Test, RemarkAt::Behind)
    }
}

/// The lines of a comment without its signs.
fn comment_lines(comment: &str) -> Vec<String> {
    let inner = comment.trim_start_matches("//").trim_start_matches("/*").trim_end_matches("*/");
    let lines = inner.lines().map(|line| line.trim().trim_start_matches('*').trim());
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
