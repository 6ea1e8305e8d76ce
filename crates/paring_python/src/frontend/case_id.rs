//! The ids pytest gives to the cases of `parametrize`, as far as they can be told without running anything.
//!
//! Literals are their own ids, `None` and `True` too; classes and functions go by their names; everything else by the
//! argument's name and the position: `shape2`.

use super::parametrize::{Parametrize, string};
use paring_model::StmtId;
use ruff_python_ast::{Expr, FStringPart, Number, Operator, UnaryOp};
use std::collections::BTreeMap;

/// One id a case may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub text: String,
    /// The id it has when the case stands alone.
    pub alone: String,
}

impl Choice {
    fn fixed(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { alone: text.clone(), text }
    }

    fn indexed(name: &str, index: usize) -> Self {
        Self { text: format!("{name}{index}"), alone: format!("{name}0") }
    }

    /// Whether a part of it is not known.
    pub fn is_open(&self) -> bool {
        self.text.contains(ANYTHING)
    }

    /// The id of the case alone, where this is a way to read `id`.
    pub fn read(&self, id: &str) -> Option<String> {
        let mut pieces = self.text.split(ANYTHING);
        let mut rest = id.strip_prefix(pieces.next()?)?;
        let mut filled = Vec::new();
        let mut pieces = pieces.peekable();
        while let Some(piece) = pieces.next() {
            let at =
                if pieces.peek().is_some() { rest.find(piece)? } else { rest.strip_suffix(piece)?.len() };
            filled.push(&rest[..at]);
            rest = &rest[at + piece.len()..];
        }
        let mut alone = String::new();
        for (position, piece) in self.alone.split(ANYTHING).enumerate() {
            if position > 0 {
                alone.push_str(filled[position - 1]);
            }
            alone.push_str(piece);
        }
        rest.is_empty().then_some(alone)
    }
}

/// Stands for a part of an id that only a run could tell.
const ANYTHING: char = '\u{f8ff}';

/// More than this are not told apart.
const MAX_CHOICES: usize = 64;

/// Values of module-level names, with the statements that bind them.
pub type Constants<'a> = BTreeMap<&'a str, (StmtId, &'a Expr)>;

/// The ids each value of a literal list may have; an empty list where none can be told.
pub fn choices(
    parametrize: &Parametrize,
    values: &[Expr],
    constants: &Constants,
) -> Option<Vec<Vec<Choice>>> {
    // A function that makes the ids goes on doing so; a list of them that stands elsewhere would be too long.
    let is_made = match parametrize.ids {
        Some(Expr::Name(name)) => !constants.contains_key(name.id.as_str()),
        Some(Expr::Attribute(_) | Expr::Lambda(_)) => true,
        Some(_) | None => false,
    };
    let given = match parametrize.ids {
        Some(Expr::List(list)) => Some(list.elts.as_slice()),
        Some(Expr::Tuple(tuple)) => Some(tuple.elts.as_slice()),
        Some(ids) if !is_made && !ids.is_none_literal_expr() => return None,
        Some(_) | None => None,
    };
    if given.is_some_and(|given| given.len() != values.len()) {
        return None;
    }
    let mut all: Vec<Vec<Choice>> = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let explicit = given.map(|given| &given[index]).filter(|id| !id.is_none_literal_expr());
        all.push(match (explicit, explicit_id(value)) {
            (_, Some(id)) => texts(id).into_iter().map(Choice::fixed).collect(),
            (Some(Expr::StringLiteral(id)), None) => {
                texts(id.value.to_str()).into_iter().map(Choice::fixed).collect()
            }
            (Some(id), None) => vec![Choice::fixed(literal(id).unwrap_or_else(|| ANYTHING.to_string()))],
            (None, None) => automatic(parametrize, value, index, constants),
        });
        // A function may have made another id of it.
        if is_made && let Some(choices) = all.last_mut() {
            choices.push(Choice::fixed(ANYTHING));
        }
    }
    number_duplicates(&mut all);
    Some(all)
}

/// The arguments of `pytest.param(…)`.
fn param_arguments(value: &Expr) -> Option<&[Expr]> {
    match value {
        Expr::Call(call) if super::kind::last_name(&call.func) == Some("param") => Some(&call.arguments.args),
        _ => None,
    }
}

/// `id="…"` of `pytest.param`.
fn explicit_id(value: &Expr) -> Option<&str> {
    param_arguments(value)?;
    let Expr::Call(call) = value else { return None };
    string(&call.arguments.find_keyword("id")?.value)
}

fn automatic(parametrize: &Parametrize, value: &Expr, index: usize, constants: &Constants) -> Vec<Choice> {
    let parts: Vec<&Expr> = match (param_arguments(value), value) {
        (Some(arguments), _) => arguments.iter().collect(),
        (None, value) if parametrize.single => vec![value],
        (None, Expr::Tuple(tuple)) => tuple.elts.iter().collect(),
        (None, Expr::List(list)) => list.elts.iter().collect(),
        (None, _) => return vec![Choice::fixed(ANYTHING)],
    };
    if parts.len() != parametrize.argnames.len() {
        return vec![Choice::fixed(ANYTHING)];
    }
    let mut joined: Vec<Choice> = vec![];
    for (position, (name, part)) in parametrize.argnames.iter().zip(parts).enumerate() {
        let options = value_choices(name, part, index, constants);
        joined = if position == 0 {
            options
        } else {
            let pairs = joined.iter().flat_map(|head| {
                options.iter().map(|tail| Choice {
                    text: format!("{}-{}", head.text, tail.text),
                    alone: format!("{}-{}", head.alone, tail.alone),
                })
            });
            pairs.take(MAX_CHOICES).collect()
        };
    }
    joined
}

fn value_choices(name: &str, value: &Expr, index: usize, constants: &Constants) -> Vec<Choice> {
    match value {
        Expr::StringLiteral(literal) => {
            texts(literal.value.to_str()).into_iter().map(Choice::fixed).collect()
        }
        Expr::Name(id) => {
            let mut found = vec![Choice::fixed(id.id.as_str())];
            if let Some((_, constant)) = constants.get(id.id.as_str())
                && !constant.is_name_expr()
            {
                found.splice(0..0, value_choices(name, constant, index, constants));
            }
            found.extend([Choice::indexed(name, index), Choice::fixed(ANYTHING)]);
            found
        }
        Expr::Attribute(attribute) => {
            let mut found = vec![Choice::fixed(attribute.attr.as_str())];
            found.extend(super::kind::dotted(value).map(Choice::fixed));
            found.extend([Choice::indexed(name, index), Choice::fixed(ANYTHING)]);
            found
        }
        Expr::Lambda(_) => vec![Choice::fixed("<lambda>")],
        Expr::FString(literal) => {
            let parts = literal.value.iter().map(|part| match part {
                FStringPart::Literal(text) => escaped(&text.value),
                FStringPart::FString(string) => {
                    let shown = string.elements.iter().map(|element| match element.as_literal() {
                        Some(text) => escaped(&text.value),
                        None => ANYTHING.to_string(),
                    });
                    shown.collect()
                }
            });
            vec![Choice::fixed(parts.collect::<String>())]
        }
        Expr::Call(call) if super::kind::last_name(&call.func) == Some("compile") => {
            match call.arguments.args.first().and_then(string) {
                Some(pattern) => texts(pattern).into_iter().map(Choice::fixed).collect(),
                None => vec![Choice::fixed(ANYTHING)],
            }
        }
        Expr::List(_) | Expr::Tuple(_) | Expr::Dict(_) | Expr::Set(_) => vec![Choice::indexed(name, index)],
        other => match literal(other) {
            Some(text) => vec![Choice::fixed(text)],
            None => vec![Choice::indexed(name, index), Choice::fixed(ANYTHING)],
        },
    }
}

/// The text of a literal other than a string, as Python's `str` gives it; of strings, what simple operators make.
fn literal(expr: &Expr) -> Option<String> {
    match expr {
        Expr::StringLiteral(literal) => Some(escaped(literal.value.to_str())),
        Expr::BytesLiteral(literal) => Some(escaped_bytes(literal.value.bytes())),
        Expr::BooleanLiteral(literal) => Some(if literal.value { "True" } else { "False" }.to_owned()),
        Expr::NoneLiteral(_) => Some("None".to_owned()),
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(int) => Some(int.to_string()),
            Number::Float(float) => Some(float_text(*float)),
            Number::Complex { .. } => None,
        },
        Expr::UnaryOp(operation) if operation.op == UnaryOp::USub => {
            let text = operation.operand.is_number_literal_expr().then(|| literal(&operation.operand))??;
            Some(if text == "0" { text } else { format!("-{text}") })
        }
        Expr::BinOp(operation) => {
            let (left, right) = (literal(&operation.left)?, literal(&operation.right)?);
            let is_text = |expr: &Expr| expr.is_string_literal_expr();
            match (operation.op, left.parse::<i128>(), right.parse::<i128>()) {
                (Operator::Mult, _, Ok(times)) if is_text(&operation.left) => {
                    Some(left.repeat(usize::try_from(times).ok().filter(|times| *times < 10_000)?))
                }
                (Operator::Add, _, _) if is_text(&operation.left) && is_text(&operation.right) => {
                    Some(left + &right)
                }
                (Operator::Add, Ok(a), Ok(b)) => a.checked_add(b).map(|sum| sum.to_string()),
                (Operator::Sub, Ok(a), Ok(b)) => a.checked_sub(b).map(|rest| rest.to_string()),
                (Operator::Mult, Ok(a), Ok(b)) => a.checked_mul(b).map(|product| product.to_string()),
                (Operator::Pow, Ok(a), Ok(b)) => {
                    a.checked_pow(u32::try_from(b).ok()?).map(|power| power.to_string())
                }
                (Operator::LShift, Ok(a), Ok(b)) if (0..100).contains(&b) => a
                    .checked_mul(1i128.checked_shl(u32::try_from(b).ok()?)?)
                    .map(|shifted| shifted.to_string()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A string as an id: escaped to ASCII, or as it is where the project says so.
fn texts(text: &str) -> Vec<String> {
    let ascii = escaped(text);
    if ascii == text { vec![ascii] } else { vec![ascii, text.to_owned()] }
}

/// Python's `unicode_escape`.
fn escaped(text: &str) -> String {
    let shown = text.chars().map(|c| match (c, u32::from(c)) {
        ('\\', _) => "\\\\".to_owned(),
        ('\n', _) => "\\n".to_owned(),
        ('\r', _) => "\\r".to_owned(),
        ('\t', _) => "\\t".to_owned(),
        (c, 0x20..0x7f) => c.to_string(),
        (_, code @ 0..=0xff) => format!("\\x{code:02x}"),
        (_, code @ 0x100..=0xffff) => format!("\\u{code:04x}"),
        (_, code) => format!("\\U{code:08x}"),
    });
    shown.collect()
}

fn escaped_bytes(bytes: impl Iterator<Item = u8>) -> String {
    let shown = bytes.map(|byte| match byte {
        0x20..0x7f => char::from(byte).to_string(),
        b'\n' => "\\n".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\t' => "\\t".to_owned(),
        _ => format!("\\x{byte:02x}"),
    });
    shown.collect()
}

/// Python's `repr` of a float: the shortest digits that read back, with an exponent where it is far from 0.
fn float_text(float: f64) -> String {
    let scientific = format!("{float:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{float}");
        if plain.contains('.') { plain } else { format!("{plain}.0") }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}e{sign}{:02}", exponent.abs())
    }
}

/// Equal ids get numbers, with `_` between where they end in a digit (newer pytest) or without.
fn number_duplicates(all: &mut [Vec<Choice>]) {
    let mut n_equal: BTreeMap<String, usize> = BTreeMap::new();
    for choices in all.iter() {
        if let Some(first) = choices.first().filter(|first| !first.is_open()) {
            *n_equal.entry(first.text.clone()).or_default() += 1;
        }
    }
    let mut n_seen: BTreeMap<String, usize> = BTreeMap::new();
    for choices in all {
        let Some(first) = choices.first().cloned() else { continue };
        if n_equal.get(&first.text).is_some_and(|n_equal| *n_equal > 1) {
            let seen = n_seen.entry(first.text.clone()).or_default();
            let number = *seen;
            *seen += 1;
            let separators: &[&str] =
                if first.text.ends_with(|c: char| c.is_ascii_digit()) { &["_", ""] } else { &[""] };
            let numbered = separators.iter().map(|separator| Choice {
                text: format!("{}{separator}{number}", first.text),
                alone: first.alone.clone(),
            });
            *choices = numbered.collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, float_text};

    #[test]
    fn floats_read_as_in_python() {
        for (float, text) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (1.5e300, "1.5e+300"),
        ] {
            assert_eq!(float_text(float), text);
        }
    }

    #[test]
    fn strings_are_escaped_as_pytest_does() {
        assert_eq!(escaped("a\\b\n\té€😀"), "a\\\\b\\n\\t\\xe9\\u20ac\\U0001f600");
    }
}
