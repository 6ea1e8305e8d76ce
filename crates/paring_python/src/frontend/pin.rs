//! A Hypothesis test with its failing example written down.
//!
//! Hypothesis notes the example on the exception:
//!
//! ```text
//! Falsifying example: test_sorting(
//!     numbers=[0, 1],
//! )
//! ```
//!
//! The best pinned text is a plain test, `def test_sorting(numbers=[0, 1]):`, without the decorators that made it a
//! property. Where its body needs Hypothesis around it (`note`, `assume`), the example goes into an `@example` and is the only
//! one that runs. Whether a value can be read back from how it is shown is for a run to say.

use super::cases::parametrized_names;
use super::kind::callee_name;
use super::parsed;
use super::splice::{Splice, apply};
use super::target::{self, NodeId};
use super::tree::{self, Tree, range_of};
use paring_model::{Failure, Pinned, StmtId, TargetSpec, TextRange, WorkingText};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Decorator, Expr, ParameterWithDefault, Stmt, StmtFunctionDef};
use ruff_python_parser::parse_expression;
use ruff_text_size::Ranged;

/// A decorator of Hypothesis, by its last name.
const OWN: &[&str] = &["given", "example", "settings", "seed", "reproduce_failure"];

/// A parameter and its value as source.
type Value<'a> = (&'a ParameterWithDefault, String);

pub fn pin(source: &str, target: &TargetSpec, failure: &Failure) -> Vec<Pinned> {
    let parsed = parsed(source);
    let n_bytes = u32::try_from(source.len()).expect("a source file has fewer than 2^32 bytes");
    let tree = tree::build(parsed.suite(), parsed.tokens(), n_bytes);
    let found = target::find(&tree, NodeId::new(&target.id));
    let Some(def) = found.test.and_then(|test| tree.nodes[test.idx()].function()) else { return Vec::new() };
    let Some(values) = values(&tree, &found, def, failure) else { return Vec::new() };
    let label = values.iter().map(|(parameter, value)| format!("{}={}", parameter.name(), one_line(value)));
    let label = label.collect::<Vec<_>>().join(", ");
    let plain = plain(source, def, &values);
    let texts = plain.into_iter().chain([as_example(source, &tree, def, &values)]);
    texts.map(|splices| pinned(source, splices, &label)).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn own_name(decorator: &Decorator) -> Option<&'static str> {
    let name = callee_name(&decorator.expression)?;
    let last = name.rsplit('.').next()?;
    OWN.iter().copied().find(|own| *own == last)
}

/// The values of all parameters that `@given` fills in; `None` where the test is no property, or one is not told.
fn values<'a>(
    tree: &Tree<'a>,
    found: &target::TargetStmts,
    def: &'a StmtFunctionDef,
    failure: &Failure,
) -> Option<Vec<Value<'a>>> {
    let given = def.decorator_list.iter().find(|decorator| own_name(decorator) == Some("given"))?;
    let Expr::Call(call) = &given.expression else { return None };
    if call.arguments.args.iter().any(Expr::is_starred_expr) {
        return None;
    }
    let names = call.arguments.keywords.iter().map(|keyword| Some(keyword.arg.as_ref()?.as_str()));
    let mut names: Vec<&str> = names.collect::<Option<_>>()?;
    // Positional strategies fill the parameters from the right.
    let n_positional = call.arguments.args.len();
    let rightmost = def.parameters.args.iter().rev().take(n_positional);
    names.extend(rightmost.map(|parameter| parameter.name().as_str()));
    let cases = parametrized_names(tree, found);
    let all = def.parameters.args.iter().chain(&def.parameters.kwonlyargs);
    let parameters = all.filter(|parameter| {
        let name = parameter.name().as_str();
        names.contains(&name) && !cases.contains(&name)
    });
    let shown = shown(def.name.as_str(), failure)?;
    let values = parameters.map(|parameter| {
        let value = shown.iter().find(|(name, _)| name == parameter.name().as_str())?;
        Some((parameter, value.1.clone()))
    });
    values.collect::<Option<Vec<_>>>().filter(|values| !values.is_empty())
}

/// The arguments of the failing call, as they are shown.
fn shown(function: &str, failure: &Failure) -> Option<Vec<(String, String)>> {
    let head = format!(": {function}(");
    let (_, rest) = failure.notes.iter().find_map(|note| note.split_once(&head))?;
    let mut arguments = Vec::new();
    let mut current = String::new();
    let mut lines = rest.lines();
    if let Some(only) = lines.next().map(str::trim).filter(|line| !line.is_empty()) {
        // All on one line: `test(x=1)`.
        arguments.extend(keywords(only.strip_suffix(')')?));
        return Some(arguments);
    }
    for line in lines {
        let begins = line.starts_with("    ") && !line[4..].starts_with([' ', ')', ']', '}']);
        if (begins || line.starts_with(')')) && !current.is_empty() {
            arguments.extend(keywords(&current));
            current.clear();
        }
        if line.starts_with(')') {
            return Some(arguments);
        }
        current.push_str(line);
        current.push('\n');
    }
    None
}

/// The keywords of an argument list, or nothing where it is no Python: a value shown as `<object at 0x…>`.
fn keywords(arguments: &str) -> Vec<(String, String)> {
    let text = format!("f(\n{arguments}\n)");
    let Ok(parsed) = parse_expression(&text) else { return Vec::new() };
    let Expr::Call(call) = parsed.expr() else { return Vec::new() };
    let named = call.arguments.keywords.iter().filter_map(|keyword| {
        let value = range_of(&keyword.value);
        Some((keyword.arg.as_ref()?.to_string(), readable(&text, value)))
    });
    named.collect()
}

/// A value's source, with the names that floats are shown by but do not have.
fn readable(text: &str, range: TextRange) -> String {
    let value = range.of(text);
    let Ok(parsed) = parse_expression(value) else { return value.to_owned() };
    let mut splices = Vec::new();
    let mut before = None;
    for token in parsed.tokens() {
        let word = &value[token.range().to_std_range()];
        let is_attribute = before == Some(TokenKind::Dot);
        if token.kind() == TokenKind::Name && matches!(word, "nan" | "inf") && !is_attribute {
            let range = TextRange::new(token.start().to_u32(), token.end().to_u32());
            splices.push(Splice { range, text: format!("float(\"{word}\")") });
        }
        before = Some(token.kind());
    }
    apply(value, splices)
}

/// Defaults for parameters, and no decorators of Hypothesis. `None` where the parameters are written in a way that cannot
/// take them.
fn plain(source: &str, def: &StmtFunctionDef, values: &[Value]) -> Option<Vec<Splice>> {
    let mut splices: Vec<Splice> = def
        .decorator_list
        .iter()
        .enumerate()
        .filter(|(_, decorator)| own_name(decorator).is_some())
        .map(|(position, decorator)| {
            let next = def
                .decorator_list
                .get(position + 1)
                .map_or_else(|| start_of(source, def), |next| next.start().to_u32());
            Splice::delete(decorator.start().to_u32(), next)
        })
        .collect();
    let parameters = &def.parameters;
    let value_of = |parameter: &ParameterWithDefault| {
        values.iter().find(|(pinned, _)| pinned.range() == parameter.range()).map(|(_, value)| value)
    };
    let with_default = |parameter: &ParameterWithDefault, value: &str| {
        let equals = if parameter.annotation().is_some() { " = " } else { "=" };
        format!("{}{equals}{value}", range_of(parameter).of(source))
    };
    let pinned: Vec<bool> = parameters.args.iter().map(|parameter| value_of(parameter).is_some()).collect();
    let is_in_order = pinned.is_sorted();
    if !is_in_order {
        // What has no default goes first; the framework passes by name.
        if !parameters.posonlyargs.is_empty()
            || parameters.args.iter().any(|parameter| parameter.default.is_some())
        {
            return None;
        }
        let (with, without): (Vec<_>, Vec<_>) =
            parameters.args.iter().partition(|parameter| value_of(parameter).is_some());
        let mut texts = without.into_iter().map(|parameter| range_of(parameter).of(source).to_owned()).chain(
            with.into_iter().filter_map(|parameter| Some(with_default(parameter, value_of(parameter)?))),
        );
        for parameter in &parameters.args {
            splices.push(Splice { range: range_of(parameter), text: texts.next()? });
        }
    }
    let in_place = parameters.args.iter().filter(|_| is_in_order).chain(&parameters.kwonlyargs);
    for parameter in in_place {
        if let Some(value) = value_of(parameter) {
            splices.push(Splice { range: range_of(parameter), text: with_default(parameter, value) });
        }
    }
    Some(splices)
}

/// Where `def` or `async def` stands.
fn start_of(source: &str, def: &StmtFunctionDef) -> u32 {
    let after = def.decorator_list.last().map_or(def.start(), Ranged::end).to_u32();
    let head = if def.is_async { "async" } else { "def" };
    let between = &source[after as usize..def.name.start().to_usize()];
    // A comment between may say `def` too.
    let at = between.rmatch_indices(head).next().map_or(0, |(at, _)| at);
    after + u32::try_from(at).expect("a source file has fewer than 2^32 bytes")
}

/// The example alone: an `@example`, and no other phase than that of examples.
fn as_example(source: &str, tree: &Tree, def: &StmtFunctionDef, values: &[Value]) -> Vec<Splice> {
    let mut splices = Vec::new();
    let indent_of = |offset: u32| {
        let line = source[..offset as usize].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        &source[line..offset as usize]
    };
    let arguments = values.iter().map(|(parameter, value)| format!("{}={value}", parameter.name()));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let phases = "phases=[hypothesis.Phase.explicit]";
    let first = def.decorator_list[0].start().to_u32();
    let indent = indent_of(first);
    let settings = def.decorator_list.iter().find(|decorator| own_name(decorator) == Some("settings"));
    let mut head = format!("@hypothesis.example({arguments})\n{indent}");
    match settings.map(|settings| (&settings.expression, range_of(settings).end)) {
        Some((Expr::Call(call), end)) => {
            let separator = if call.arguments.is_empty() { "" } else { ", " };
            let at = TextRange::new(end - 1, end - 1);
            splices.push(Splice { range: at, text: format!("{separator}{phases}") });
        }
        Some(_) | None => head = format!("@hypothesis.settings({phases})\n{indent}{head}"),
    }
    splices.push(Splice { range: TextRange::new(first, first), text: head });
    if let Some(at) = import_of(tree) {
        splices.push(Splice { range: TextRange::new(at, at), text: "import hypothesis\n".to_owned() });
    }
    splices
}

/// Where an `import hypothesis` can go: before the import that has something of it. `None` where there is one.
fn import_of(tree: &Tree) -> Option<u32> {
    let mut at = None;
    for id in &tree.routines[0].body {
        let id: StmtId = *id;
        match tree.nodes[id.idx()] {
            tree::Node::Stmt(Stmt::Import(import)) => {
                let is_plain = |alias: &ruff_python_ast::Alias| {
                    alias.name.as_str() == "hypothesis" && alias.asname.is_none()
                };
                if import.names.iter().any(is_plain) {
                    return None;
                }
            }
            tree::Node::Stmt(Stmt::ImportFrom(import)) => {
                let is_own =
                    import.module.as_ref().is_some_and(|module| module.as_str().starts_with("hypothesis"));
                if is_own && at.is_none() {
                    at = Some(import.start().to_u32());
                }
            }
            _ => {}
        }
    }
    at
}

/// The text, and where its lines come from.
fn pinned(source: &str, splices: Vec<Splice>, label: &str) -> Pinned {
    let splices = splices.into_iter().map(|splice| (splice.range, splice.text)).collect();
    Pinned { working: WorkingText::spliced(source, splices), label: label.to_owned() }
}
