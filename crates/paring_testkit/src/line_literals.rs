//! Literals of the toy language: `'text'`, `[a,b,c]` without spaces, and numbers.

use paring_model::literal::{cuts, padded, replacements};
use paring_model::{EditSet, Form, TextRange, Unit, smaller_numbers};

pub fn offer(mut unit: Unit) -> Unit {
    let source = unit.source.clone();
    let mut at = 0;
    while let Some(found) = source[at..].find(|c: char| c == '\'' || c == '[' || c.is_ascii_digit()) {
        let start = at + found;
        let is_word = source[..start].ends_with(|c: char| c.is_alphanumeric());
        at = start + 1;
        match source.as_bytes()[start] {
            b'\'' => {
                let Some(length) = source[at..].find('\'') else { break };
                let parts: Vec<TextRange> = (at..at + length).map(|at| range(at, at + 1)).collect();
                unit.offer_text(range(start, at + length + 1), &parts);
                at += length + 1;
            }
            b'[' => {
                let Some(length) = source[at..].find(']') else { break };
                let mut from = at;
                let elements = source[at..at + length].split_inclusive(',').map(|element| {
                    let cut = range(from, from + element.len());
                    from += element.len();
                    vec![(cut, String::new())]
                });
                let elements = elements.collect();
                unit.offer_list(range(start, at + length + 1), elements, false);
            }
            _ if is_word => {}
            _ => {
                let digits = source[start..].bytes().take_while(u8::is_ascii_digit).count();
                let number = range(start, start + digits);
                unit.offer_number(number, smaller_numbers(number.of(&source)));
                at = start + digits;
            }
        }
    }
    unit
}

/// The text of a line with the edits of its literals.
pub fn line(unit: &Unit, edits: &EditSet, whole: TextRange, form: Form) -> String {
    let gone = cuts(unit, edits).into_iter().map(|cut| (cut, String::new()));
    let smaller = replacements(unit, edits).into_iter().map(|(_, range, text)| (range, text));
    let mut splices: Vec<(TextRange, String)> =
        gone.chain(smaller).filter(|(range, _)| whole.covers(*range)).collect();
    splices.sort();
    let mut text = String::new();
    let mut at = whole.start;
    for (range, new) in splices {
        text.push_str(TextRange::new(at, range.start).of(&unit.source));
        match form {
            Form::Blanked => text.push_str(&padded(range.of(&unit.source), &new, "\n")),
            Form::Compact => text.push_str(&new),
        }
        at = range.end;
    }
    text.push_str(TextRange::new(at, whole.end).of(&unit.source));
    text
}

fn range(start: usize, end: usize) -> TextRange {
    let offset = |at: usize| u32::try_from(at).expect("a test's text is short");
    TextRange::new(offset(start), offset(end))
}
