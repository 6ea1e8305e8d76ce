//! Composed tests in Python's syntax.
//!
//! ```python
//! @pytest.fixture
//! def cart():                       # what runs before, in a fixture (of a TestCase: a method that is called)
//!     cart = Cart()
//!     return cart
//!
//! @pytest.mark.parametrize("n", [pytest.param(1, id="one"), pytest.param(2, id="two")])
//! def test_put(cart, n):            # decorators and parameters of the host, then what the others need
//!     cart.put(n)
//! ```

use super::lines::{Lines, line_starts};
use super::parsed;
use super::rename::renamed;
use super::target::{self, NodeId};
use super::tree::{self, range_of};
use paring_model::write::{Names, called, given, params};
use paring_model::{Cases, Composed, Op, Piece, TestText, TextRange, Unit, Unwritable};
use ruff_python_ast::token::TokenKind;

pub fn compose(
    units: &[&Unit],
    composed: &Composed,
    names: &Names,
    name: &str,
) -> Result<TestText, Unwritable> {
    let host = Host::of(units[composed.host]).ok_or(Unwritable::NotSupported)?;
    let mut writer = Writer { units, names, host, composed };
    writer.test(name)
}

/// What the place of the test asks for.
struct Host {
    /// The header, in three parts: before the name, from behind it to the closing bracket of the parameters, and the rest.
    header: [String; 3],
    indent: String,
    body_indent: String,
    line_end: &'static str,
    /// Whether it is a method of a `unittest.TestCase`.
    is_case: bool,
    has_params: bool,
}

impl Host {
    fn of(unit: &Unit) -> Option<Self> {
        let def = unit.stmt(unit.routine(unit.test?).def?);
        let source = &unit.source;
        let parsed = parsed(source);
        let lines = Lines::new(source, &unit.line_starts, parsed.tokens());
        let (name, close) = signature(unit)?;
        let line = lines.of(def.range.start);
        let first =
            def.children.first().map(|&id| unit.stmt(id).range.start).filter(|&at| lines.begins_line(at));
        let indent = lines.indent(line).to_owned();
        let step = if indent.contains('\t') { "\t" } else { "    " };
        // A comment behind the colon stays with the header.
        let end = match first {
            Some(_) => lines.content_end(lines.of(def.header.end - 1)),
            None => def.header.end,
        };
        let params = TextRange::new(name.end, close).of(source);
        Some(Self {
            header: [
                TextRange::new(def.range.start, name.start).of(source).to_owned(),
                params.trim_end().trim_end_matches(',').to_owned(),
                TextRange::new(close, end).of(source).to_owned(),
            ],
            body_indent: first
                .map_or_else(|| format!("{indent}{step}"), |at| lines.indent(lines.of(at)).to_owned()),
            indent,
            line_end: lines.line_end(line),
            is_case: is_case(unit),
            has_params: !params.trim_matches(['(', ' ', ',', '\n', '\r', '\t']).is_empty(),
        })
    }
}

/// The name of the test, and where the bracket behind its parameters stands.
pub fn signature(unit: &Unit) -> Option<(TextRange, u32)> {
    let def = unit.stmt(unit.routine(unit.test?).def?);
    let parsed = parsed(&unit.source);
    let all = parsed.tokens().iter().map(|token| (token.kind(), range_of(token)));
    let tokens: Vec<(TokenKind, TextRange)> = all.filter(|(_, range)| def.header.covers(*range)).collect();
    let at = tokens.iter().position(|(kind, _)| *kind == TokenKind::Def)?;
    let (_, name) = tokens.get(at + 1)?;
    let mut depth = 0_u32;
    for (kind, range) in tokens.iter().skip(at + 2) {
        match kind {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && *kind == TokenKind::Rpar {
            return Some((*name, range.start));
        }
    }
    None
}

/// Whether the test's class, or one of the file that it derives from, is a `TestCase`.
pub fn is_case(unit: &Unit) -> bool {
    let parsed = parsed(&unit.source);
    let n_bytes = u32::try_from(unit.source.len()).expect("a source file has fewer than 2^32 bytes");
    let tree = tree::build(parsed.suite(), parsed.tokens(), n_bytes);
    let classes = target::find(&tree, NodeId::new(&unit.target)).classes;
    classes.iter().any(|class| tree.stmts[class.idx()].header.of(&unit.source).contains("TestCase"))
}

struct Writer<'a> {
    units: &'a [&'a Unit],
    names: &'a Names,
    host: Host,
    composed: &'a Composed,
}

impl Writer<'_> {
    fn test(&mut self, name: &str) -> Result<TestText, Unwritable> {
        let mut written = TestText::default();
        let mut more = self.params_of_others()?;
        let end = self.host.line_end;
        let mut body = String::new();
        if !self.composed.setup.is_empty() {
            let (unit, place) = given(self.units, self.composed)?;
            let given = called(self.units, self.names, unit, place);
            let maker = if self.host.is_case { format!("make_{given}_of_{name}") } else { given.clone() };
            written.before.push(self.set_up(&maker, &given)?);
            if self.host.is_case {
                body = format!("{}{given} = self.{maker}(){end}", self.host.body_indent);
            } else {
                written.imports.push("pytest".to_owned());
                more.push(given);
            }
        }
        let mut above = String::new();
        let mut indent = self.host.body_indent.clone();
        if let Some(cases) = &self.composed.cases {
            if self.host.is_case {
                let (loops, deeper) = self.sub_tests(cases);
                body.push_str(&loops);
                indent = deeper;
            } else {
                written.imports.push("pytest".to_owned());
                above = format!("{}{end}{}", parametrize(cases), self.host.indent);
                more.extend(cases.params.iter().map(|param| param.name.clone()));
            }
        }
        body.push_str(&self.pieces(&self.composed.pieces, &indent)?);
        let [before, params, behind] = &self.host.header;
        let comma = if self.host.has_params && !more.is_empty() { ", " } else { "" };
        let header = format!("{above}{before}{name}{params}{comma}{}{behind}", more.join(", "));
        written.text = format!("{header}{end}{}", body.trim_end_matches(['\n', '\r']));
        Ok(written)
    }

    /// Parameters of the other tests that the host's does not have.
    fn params_of_others(&self) -> Result<Vec<String>, Unwritable> {
        let own = params(self.units, [self.composed.host]);
        let pieces = self.composed.setup.iter().chain(&self.composed.pieces);
        let mut more = params(self.units, pieces.clone().map(|piece| piece.unit));
        more.retain(|name| !own.contains(name));
        let is_object = |name: &String| name == "self" || name == "cls";
        match (more.iter().any(is_object), pieces.clone().find(|piece| piece.unit != self.composed.host)) {
            (true, Some(piece)) => Err(Unwritable::NoHome(piece.stmt)),
            (true | false, _) => Ok(more),
        }
    }

    /// What runs before the test, as a fixture or a method.
    fn set_up(&self, maker: &str, given: &str) -> Result<String, Unwritable> {
        let Host { indent, body_indent, line_end: end, is_case, .. } = &self.host;
        let is_taken = self.units.iter().any(|unit| {
            let is_it = |place: &paring_model::Place| {
                place.name == maker && !matches!(place.scope, paring_model::PlaceScope::Local(_))
            };
            unit.places.iter().any(is_it)
        });
        if is_taken {
            return Err(Unwritable::NameTaken(maker.to_owned()));
        }
        let mut needs: Vec<String> = Vec::new();
        for piece in &self.composed.setup {
            let unit = self.units[piece.unit];
            let own = unit.test.map(|test| unit.routine(test).params.clone()).unwrap_or_default();
            for id in std::iter::once(piece.stmt).chain(unit.descendants(piece.stmt)) {
                for op in &unit.stmt(id).ops {
                    if let Op::Use(place) = op
                        && own.contains(place)
                        && !needs.contains(&unit.place(*place).name)
                    {
                        needs.push(unit.place(*place).name.clone());
                    }
                }
            }
        }
        let is_method = self.host.header[1].trim_start_matches(['(', ' ']).starts_with("self");
        if is_method {
            needs.retain(|name| name != "self");
            needs.insert(0, "self".to_owned());
        }
        if *is_case && needs.len() > 1 {
            return Err(Unwritable::NotSupported);
        }
        let decorator = if *is_case { String::new() } else { format!("@pytest.fixture{end}{indent}") };
        let body = self.pieces(&self.composed.setup, body_indent)?;
        Ok(format!("{decorator}def {maker}({}):{end}{body}{body_indent}return {given}", needs.join(", ")))
    }

    /// A loop over the cases of a method of a `TestCase`, and the indentation in it.
    fn sub_tests(&self, cases: &Cases) -> (String, String) {
        let Host { body_indent, line_end: end, .. } = &self.host;
        let step = if body_indent.contains('\t') { "\t" } else { "    " };
        let names: Vec<&str> = cases.params.iter().map(|param| param.name.as_str()).collect();
        let rows: Vec<String> = cases
            .rows
            .iter()
            .map(|row| match row.values.as_slice() {
                [only] => only.clone(),
                several => format!("({})", several.join(", ")),
            })
            .collect();
        let told: Vec<String> = names.iter().map(|name| format!("{name}={name}")).collect();
        let loops = format!(
            "{body_indent}for {} in [{}]:{end}{body_indent}{step}with self.subTest({}):{end}",
            names.join(", "),
            rows.join(", "),
            told.join(", ")
        );
        (loops, format!("{body_indent}{}", step.repeat(2)))
    }

    fn pieces(&self, pieces: &[Piece], indent: &str) -> Result<String, Unwritable> {
        let mut text = String::new();
        for (idx, piece) in pieces.iter().enumerate() {
            let (unit, names) = (self.units[piece.unit], &self.names[piece.unit]);
            let source = renamed(unit, piece, names)?;
            let grown = i64::try_from(source.len()).unwrap_or(i64::MAX)
                - i64::try_from(unit.source.len()).unwrap_or(i64::MAX);
            let range = unit.stmt(piece.stmt).range;
            let end =
                u32::try_from(i64::from(range.end) + grown).expect("a source file has fewer than 2^32 bytes");
            text.push_str(&self.lines(&source, TextRange::new(range.start, end), indent, idx > 0));
        }
        if text.is_empty() {
            text = format!("{indent}pass{}", self.host.line_end);
        }
        Ok(text)
    }

    /// The lines of a statement at another indentation, with the comments above it and behind it, and the blank line before it.
    fn lines(&self, source: &str, range: TextRange, indent: &str, is_later: bool) -> String {
        let parsed = parsed(source);
        let starts = line_starts(source);
        let lines = Lines::new(source, &starts, parsed.tokens());
        let end = self.host.line_end;
        if !lines.begins_line(range.start) {
            return format!("{indent}{}{end}", range.of(source));
        }
        let (statement, last) = (lines.of(range.start), lines.of(range.end.max(range.start + 1) - 1));
        let mut first = statement;
        while first > 0 && lines.is_comment(first - 1) && lines.indent(first - 1) == lines.indent(statement) {
            first -= 1;
        }
        let behind = source[range.end as usize..lines.content_end(last).max(range.end) as usize].trim();
        let is_whole = behind.is_empty() || behind.starts_with('#');
        let old = lines.indent(statement);
        let mut text = String::new();
        if is_later && first > 0 && lines.is_blank(first - 1) && !lines.begins_in_string(first - 1) {
            text.push_str(end);
        }
        for line in first..=last {
            let limit = if line == last && !is_whole { range.end } else { lines.content_end(line) };
            let content = &source[lines.start(line) as usize..limit as usize];
            if lines.begins_in_string(line) {
                text.push_str(content);
            } else if !lines.is_blank(line) {
                text.push_str(indent);
                text.push_str(content.strip_prefix(old).unwrap_or(content.trim_start()));
            }
            let ends_in_string = line < last && lines.begins_in_string(line + 1);
            text.push_str(if ends_in_string { lines.line_end(line) } else { end });
        }
        text
    }
}

/// The decorator of a parametrised function.
fn parametrize(cases: &Cases) -> String {
    let names: Vec<&str> = cases.params.iter().map(|param| param.name.as_str()).collect();
    let row = |row: &paring_model::Case| {
        let id: String =
            row.id.chars().map(|c| if c == '"' || c == '\\' || c.is_control() { '_' } else { c }).collect();
        format!("pytest.param({}, id=\"{id}\")", row.values.join(", "))
    };
    let rows: Vec<String> = cases.rows.iter().map(row).collect();
    format!("@pytest.mark.parametrize(\"{}\", [{}])", names.join(", "), rows.join(", "))
}
