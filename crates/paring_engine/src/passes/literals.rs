//! Smaller literals in what a search left: the last step, and only where the user asks for it.
//!
//! Lists lose elements first, the largest first, so that no run is spent on what stands in them and goes. Then texts become
//! empty and numbers 0, all that can at once; then each of those that matter is tried for itself, a text without words and
//! characters of it, a number with others in its place. What the failure's message has in it is not tried beyond that: it
//! would have to stay.
//!
//! ```python
//! rows = parse("id;name\n1;Ann;x\n2;Bob", limit=5000)     # fails on a line with three fields
//! rows = parse("\n;;", limit=0)
//! ```
//!
//! Literals of the test itself come before those of what runs before it. So what is left of them holds without the others too,
//! and can be put into the file alone.

use crate::lab::Stop;
use crate::search::Search;
use paring_model::literal::cuts;
use paring_model::{EditSet, Event, FailureKind, Literal, LiteralKind, StmtKind, TextRange, TrimId, Unit};
use std::cmp::Reverse;
use std::ops::Range;

/// So many pieces that are all needed are enough to know that little would come of trying smaller ones: there are at least as
/// many places that matter. Where fewer matter, all others go.
const ENOUGH: usize = 16;
/// With more, trying each for itself would cost more runs than they are worth.
const MAX_EACH: usize = 64;

/// Trims that are tried together.
type Part = Vec<TrimId>;

/// Makes the literals of the current draft smaller.
pub fn literals(search: &mut Search<'_>) -> Result<(), Stop> {
    let unit = search.unit;
    if unit.literals.is_empty() {
        return Ok(());
    }
    search.lab.bench.runs.tell(Event::Stage { name: "shrinking literals" });
    let test = unit.test.and_then(|test| unit.routine(test).def);
    let is_own = |literal: &&Literal| unit.ancestors(literal.stmt).any(|up| Some(up) == test);
    let (own, around): (Vec<&Literal>, Vec<&Literal>) =
        unit.literals.iter().filter(|literal| may_change(search, literal)).partition(is_own);
    for mut literals in [own, around] {
        literals.sort_by_key(|literal| (Reverse(literal.range.end - literal.range.start), literal.range));
        lists(search, &literals)?;
        at_once(search, &literals)?;
        each(search, &literals)?;
    }
    Ok(())
}

/// What a failed assertion expects is no input: with another expectation it fails on correct code too. A run on a good version
/// would tell.
fn may_change(search: &Search<'_>, literal: &Literal) -> bool {
    let lab = &search.lab;
    let is_crash = lab.oracle.failure().is_none_or(|failure| failure.kind == FailureKind::Exception);
    lab.bench.use_good || is_crash || lab.unit.stmt(literal.stmt).kind != StmtKind::Assert
}

/// Whether the literal is still there.
fn is_there(search: &Search<'_>, literal: &Literal) -> bool {
    let current = search.current();
    current.kept.contains(literal.stmt)
        && !current.unwrapped.contains(literal.stmt)
        && !cuts(search.unit, current).iter().any(|cut| cut.covers(literal.range))
}

fn lists(search: &mut Search<'_>, literals: &[&Literal]) -> Result<(), Stop> {
    let mut n_tried = 0;
    for list in literals.iter().filter(|literal| literal.kind == LiteralKind::List) {
        if n_tried == MAX_EACH || !is_there(search, list) {
            continue;
        }
        n_tried += 1;
        let gone = cuts(search.unit, search.current());
        let is_left = |id: &TrimId| !gone.iter().any(|cut| cut.covers(search.unit.trim(*id).edits[0].0));
        let left: Vec<Part> = list.trims.iter().copied().filter(is_left).map(|id| vec![id]).collect();
        // An empty list is another test, as far as nobody checks it.
        let keeps_one = list.keeps_one || !search.lab.bench.use_good;
        let n_left = left.len();
        take_away(search, left, keeps_one, n_left)?;
    }
    Ok(())
}

/// Texts to nothing and numbers to 0, as many of them as can.
fn at_once(search: &mut Search<'_>, literals: &[&Literal]) -> Result<(), Stop> {
    let is_open = |literal: &&&Literal| {
        literal.kind != LiteralKind::List && is_there(search, literal) && !is_in_message(search, literal)
    };
    let mut open: Vec<&Literal> = literals.iter().filter(is_open).copied().collect();
    // In the order of the text: what is passed together often goes together.
    open.sort_by_key(|literal| literal.range);
    let parts: Vec<Part> = open.iter().map(|literal| literal.trims.clone()).collect();
    let n_parts = parts.len();
    take_away(search, parts, false, n_parts)?;
    Ok(())
}

fn each(search: &mut Search<'_>, literals: &[&Literal]) -> Result<(), Stop> {
    let is_open = |literal: &&&Literal| {
        literal.kind != LiteralKind::List
            && is_there(search, literal)
            && !literal.trims.iter().all(|&id| search.current().trims.contains(id))
    };
    let open: Vec<&Literal> = literals.iter().filter(is_open).take(MAX_EACH).copied().collect();
    for literal in open {
        if hold(search, &literal.trims)? || is_in_message(search, literal) {
            continue;
        }
        match literal.kind {
            LiteralKind::Text => text(search, literal)?,
            LiteralKind::Number => number(search, literal)?,
            LiteralKind::List => unreachable!("lists are left out above"),
        }
    }
    Ok(())
}

/// Whether the draft holds with these trims too; if so they are taken.
fn hold(search: &mut Search<'_>, trims: &[TrimId]) -> Result<bool, Stop> {
    let draft = with(search.current(), trims);
    search.take(&draft)
}

fn with(current: &EditSet, trims: &[TrimId]) -> EditSet {
    let mut edits = current.clone();
    edits.trims.extend(trims.iter().copied());
    edits
}

/// Whether the failure speaks of what is in the literal.
fn is_in_message(search: &Search<'_>, literal: &Literal) -> bool {
    let lab = &search.lab;
    let edits = |id: &TrimId| lab.unit.trim(*id).edits[0].0;
    let (Some(first), Some(last)) = (literal.trims.first().map(edits), literal.trims.last().map(edits))
    else {
        return false;
    };
    let content = TextRange::new(first.start, last.end).of(&lab.unit.source);
    let exceptions = lab.oracle.failure().into_iter().flat_map(|failure| &failure.exceptions);
    exceptions.into_iter().any(|exception| exception.message.contains(content))
}

/// A text without lines, then without words, then without characters.
fn text(search: &mut Search<'_>, literal: &Literal) -> Result<(), Stop> {
    let mut left = literal.trims.clone();
    let mut n_before = 1;
    let mut is_enough = false;
    for grain in [Grain::Lines, Grain::Words, Grain::Characters] {
        let parts = parts(search.unit, &left, grain);
        if parts.len() <= n_before && grain != Grain::Characters {
            continue;
        }
        // What the coarser pieces told needs no second run.
        let n_pieces = if is_enough { 2 * ENOUGH } else { 2 };
        let size = parts.len().div_ceil(n_pieces);
        n_before = parts.len();
        let stop = take_away(search, parts, false, size)?;
        left = stop.left.into_iter().flatten().collect();
        is_enough = stop.is_enough;
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grain {
    Lines,
    Words,
    Characters,
}

fn parts(unit: &Unit, trims: &[TrimId], grain: Grain) -> Vec<Part> {
    let text = |id: TrimId| unit.trim(id).edits[0].0.of(&unit.source);
    let is_word = |id: TrimId| text(id).chars().all(|c| c.is_alphanumeric() || c == '_');
    let ends_line = |id: TrimId| text(id).contains('\n') || text(id) == "\\n";
    let goes_on = |one: &TrimId, next: &TrimId| match grain {
        Grain::Lines => !ends_line(*one),
        Grain::Words => is_word(*one) == is_word(*next),
        Grain::Characters => false,
    };
    trims.chunk_by(goes_on).map(<[TrimId]>::to_vec).collect()
}

/// The smallest number that holds, taking it that what holds for one holds for all above it. 0 and 1 are tried in any case.
fn number(search: &mut Search<'_>, literal: &Literal) -> Result<(), Stop> {
    let trims = &literal.trims;
    // The first one was tried before.
    if trims.len() < 2 || hold(search, &trims[1..])? {
        return Ok(());
    }
    let (mut least, mut holding) = (2, trims.len());
    let mut next = trims.len() - 1;
    while least < holding {
        if hold(search, &trims[next..])? {
            holding = next;
        } else {
            least = next + 1;
        }
        next = usize::midpoint(least, holding - 1);
    }
    Ok(())
}

/// What could not go, and whether that is because too much is needed.
struct Stopped {
    left: Vec<Part>,
    is_enough: bool,
}

/// Takes as many parts as can go, in pieces of `size` parts, then of half as many, down to one. With several workers the next
/// pieces are run at once, each against the same draft, and the first that holds is taken: as with one worker.
fn take_away(
    search: &mut Search<'_>,
    mut left: Vec<Part>,
    keeps_one: bool,
    mut size: usize,
) -> Result<Stopped, Stop> {
    loop {
        size = size.min(left.len());
        if size == 0 {
            return Ok(Stopped { left, is_enough: false });
        }
        let n_before = left.len();
        let mut at = 0;
        while at < left.len() {
            let n_ahead = search.lab.n_ahead();
            let end_of = |start: usize| (start + size).min(left.len());
            let ahead: Vec<Range<usize>> =
                (at..left.len()).step_by(size).take(n_ahead).map(|start| start..end_of(start)).collect();
            let may_go = |piece: &Range<usize>| !keeps_one || piece.len() < left.len();
            let pieces: Vec<Range<usize>> = ahead.iter().filter(|piece| may_go(piece)).cloned().collect();
            let drafts: Vec<EditSet> =
                pieces.iter().map(|piece| with(search.current(), &left[piece.clone()].concat())).collect();
            match search.lab.first_same(&drafts)? {
                Some(idx) => {
                    search.take(&drafts[idx])?;
                    at = pieces[idx].start;
                    left.drain(pieces[idx].clone());
                }
                None => at = ahead.last().map_or(left.len(), |piece| piece.end),
            }
        }
        let is_enough = left.len() == n_before && n_before.div_ceil(size) >= ENOUGH;
        if is_enough || size == 1 {
            return Ok(Stopped { left, is_enough });
        }
        size = size.div_ceil(2);
    }
}
