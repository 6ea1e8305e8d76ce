//! What a line of the toy language reads, defines and calls, from its words.

use crate::line_parse::{Parser, Word, offset};
use paring_model::{Call, CallResult, Op, PlaceId, RoutineId, TextRange};

pub fn ops(parser: &mut Parser, routine: RoutineId, words: &[Word<'_>]) -> Vec<Op> {
    let mut line = Line { parser, routine, ops: Vec::new() };
    let texts: Vec<&str> = words.iter().map(|(_, word)| *word).collect();
    match texts.as_slice() {
        [to, "?", receiver, "=", ..] => {
            line.marked_call(receiver, &words[4..], CallResult::Used);
            line.define(to);
        }
        [receiver, "!", ..] => line.marked_call(receiver, &words[2..], CallResult::Dropped),
        [to, "=", ..] => {
            line.read(&words[2..]);
            line.define(to);
        }
        [to, "+=", ..] => {
            line.read(&words[2..]);
            line.read(&words[..1]);
            let place = line.place(to);
            line.ops.push(Op::Mutate(place));
        }
        ["for", to, "in", ..] => {
            line.read(&words[3..]);
            line.define(to);
        }
        ["catch" | "use", names @ ..] => names.iter().for_each(|name| line.define(name)),
        ["break" | "continue" | "else" | "try" | "finally" | "block"] => {}
        [
            "assert" | "assert!" | "if" | "elif" | "loop" | "with" | "expect" | "return" | "yield" | "raise",
            ..,
        ] => line.read(&words[1..]),
        [call] if is_call(call) => line.call(words[0], CallResult::Dropped),
        _ => line.read(words),
    }
    line.ops
}

/// What stands in a word `{a,b}`.
pub fn braced(word: &str) -> Option<&str> {
    word.strip_prefix('{')?.strip_suffix('}')
}

fn is_call(word: &str) -> bool {
    is_name(word) && word.ends_with(')') && word.contains('(')
}

fn is_name(word: &str) -> bool {
    word.strip_prefix('@').unwrap_or(word).starts_with(char::is_alphabetic)
}

struct Line<'p> {
    parser: &'p mut Parser,
    routine: RoutineId,
    ops: Vec<Op>,
}

impl Line<'_> {
    fn place(&mut self, name: &str) -> PlaceId {
        self.parser.place(self.routine, name)
    }

    fn define(&mut self, name: &str) {
        let place = self.place(name);
        self.ops.push(Op::Define(place));
    }

    /// Reads the names among the words, makes the calls, looks into braces.
    fn read(&mut self, words: &[Word<'_>]) {
        for &(at, word) in words {
            if is_call(word) {
                self.call((at, word), CallResult::Used);
            } else {
                self.read_all(braced(word).unwrap_or(word));
            }
        }
    }

    /// Reads the names of a list `a,b`.
    fn read_all(&mut self, list: &str) {
        for name in list.split(',').map(str::trim).filter(|name| is_name(name)) {
            let place = self.place(name);
            self.ops.push(Op::Use(place));
        }
    }

    /// `b ! a` and `c ? b = a`: calls whose names do not matter.
    fn marked_call(&mut self, receiver: &str, args: &[Word<'_>], result: CallResult) {
        let receiver = is_name(receiver).then(|| self.place(receiver));
        self.ops.extend(receiver.map(Op::Use));
        let n_before = self.ops.len();
        self.read(args);
        let args = self.ops[n_before..].iter().filter_map(used).collect();
        let range = TextRange::default();
        self.ops.push(Op::Call(Call { range, receiver, args, result, constructs: false, callee: None }));
    }

    /// `b.take(a)`, `check(a)` and `Box(a)`: calls of a method, of a function, of a constructor.
    fn call(&mut self, (at, word): Word<'_>, result: CallResult) {
        let (callee, args) = word.split_once('(').expect("a call has a bracket");
        let receiver = callee.split_once('.').map(|(receiver, _)| self.place(receiver));
        self.ops.extend(receiver.map(Op::Use));
        let n_before = self.ops.len();
        self.read_all(args.trim_end_matches(')'));
        let args = self.ops[n_before..].iter().filter_map(used).collect();
        let constructs = receiver.is_none() && callee.starts_with(char::is_uppercase);
        let callee = receiver.is_none().then(|| self.place(callee));
        let range = TextRange::new(offset(at), offset(at + word.len()));
        self.ops.push(Op::Call(Call { range, receiver, args, result, constructs, callee }));
    }
}

fn used(op: &Op) -> Option<PlaceId> {
    match op {
        Op::Use(place) => Some(*place),
        Op::Define(_) | Op::MayDefine(_) | Op::Mutate(_) | Op::Call(_) => None,
    }
}
