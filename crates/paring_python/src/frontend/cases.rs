//! A parametrised test pared to its failing case: which elements of the lists that is, by the id in brackets.
//!
//! `test_area[2-square1]` under
//!
//! ```python
//! @pytest.mark.parametrize("shape", [Shape("a"), Shape("b")])   # …-shape1
//! @pytest.mark.parametrize("side", [1, 2, 3])                   # 2-…
//! ```
//!
//! The lowest decorator's id comes first. Parts that are not to be read here (lists made by a call, parametrised
//! fixtures) may be anything, and stay as they are.

use super::case_id::{Choice, Constants, choices};
use super::list::Items;
use super::parametrize::Parametrize;
use super::plan::Plan;
use super::target::{self, NodeId};
use super::tree::{self, Node, Tree};
use super::trim::Context;
use paring_model::{StmtId, TextRange, Trim, TrimKind};
use ruff_python_ast::token::Token;
use ruff_python_ast::{Decorator, Expr, Stmt};

/// One `parametrize` of the target.
pub struct Level<'a> {
    pub parametrize: Parametrize<'a>,
    /// The statement that holds the values, and the values; `None` where they are not a literal.
    pub values: Option<(StmtId, &'a Expr)>,
    pub choices: Vec<Vec<Choice>>,
    /// The statement of the decorator.
    pub stmt: StmtId,
}

/// What one level contributes to an id.
#[derive(Clone, Debug)]
pub struct Part {
    text: String,
    /// The element, and the text when it stands alone.
    pub element: Option<(usize, String)>,
}

pub fn elements(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::List(list) => Some(&list.elts),
        Expr::Tuple(tuple) if tuple.parenthesized => Some(&tuple.elts),
        _ => None,
    }
}

/// The values of names that the module (or the test's class) binds once, and the statements that do.
fn constants<'a>(tree: &Tree<'a>, found_in: &target::TargetStmts) -> Constants<'a> {
    let mut found = Constants::new();
    let mut twice = Vec::new();
    let of_classes = found_in.classes.iter().flat_map(|class| &tree.stmts[class.idx()].children);
    for &id in tree.routines[0].body.iter().chain(of_classes) {
        if let Node::Stmt(Stmt::Assign(assign)) = tree.nodes[id.idx()]
            && let [Expr::Name(name)] = assign.targets.as_slice()
            && found.insert(name.id.as_str(), (id, &*assign.value)).is_some()
        {
            twice.push(name.id.as_str());
        }
    }
    found.retain(|name, _| !twice.contains(name));
    found
}

/// The parameters that cases fill in.
pub fn parametrized_names<'a>(tree: &Tree<'a>, found: &target::TargetStmts) -> Vec<&'a str> {
    levels(tree, found).into_iter().flat_map(|level| level.parametrize.argnames).collect()
}

/// The levels in the order of the id's parts.
pub fn levels<'a>(tree: &Tree<'a>, found: &target::TargetStmts) -> Vec<Level<'a>> {
    let Some(test) = found.test else { return Vec::new() };
    let Some(def) = tree.nodes[test.idx()].function() else { return Vec::new() };
    let mut decorators: Vec<(StmtId, &'a Decorator)> =
        def.decorator_list.iter().rev().map(|decorator| (test, decorator)).collect();
    for &id in &found.classes {
        if let Some(class) = tree.nodes[id.idx()].class() {
            decorators.extend(class.decorator_list.iter().rev().map(|decorator| (id, decorator)));
        }
    }
    let constants = constants(tree, found);
    let readable = decorators.into_iter().filter_map(|(stmt, decorator)| {
        let parametrize = Parametrize::of(decorator)?;
        let values = match parametrize.values {
            Expr::Name(name) => constants.get(name.id.as_str()).copied(),
            literal => Some((stmt, literal)),
        };
        let values = values.filter(|(_, values)| {
            elements(values).is_some_and(|values| !values.iter().any(Expr::is_starred_expr))
        });
        let choices = values
            .and_then(|(_, values)| choices(&parametrize, elements(values)?, &constants))
            .unwrap_or_default();
        let values = values.filter(|_| !choices.is_empty());
        Some(Level { parametrize, values, choices, stmt })
    });
    readable.collect()
}

/// All ways to read an id as one part of each level. Two are enough to know that it is ambiguous.
fn read(levels: &[Level], openly: bool, rest: &str, before: &mut Vec<Part>, found: &mut Vec<Vec<Part>>) {
    const MAX_READINGS: usize = 2;
    if found.len() >= MAX_READINGS {
        return;
    }
    let Some((level, further)) = levels.split_first() else {
        let same = |known: &Vec<Part>| {
            known
                .iter()
                .zip(before.iter())
                .all(|(a, b)| a.element.as_ref().map(|e| e.0) == b.element.as_ref().map(|e| e.0))
        };
        if rest.is_empty() && !found.iter().any(same) {
            found.push(before.clone());
        }
        return;
    };
    let mut go = |text: &str, element: Option<(usize, String)>| {
        let Some(after) = rest.strip_prefix(text) else { return };
        let after = match (after.strip_prefix('-'), further.is_empty()) {
            (Some(after), false) => after,
            (None, _) if after.is_empty() => after,
            _ => return,
        };
        before.push(Part { text: text.to_owned(), element });
        read(further, openly, after, before, found);
        before.pop();
    };
    let ends = || rest.match_indices('-').map(|(at, _)| at).chain([rest.len()]);
    if level.values.is_none() {
        ends().for_each(|end| go(&rest[..end], None));
        return;
    }
    for (position, choices) in level.choices.iter().enumerate() {
        for choice in choices {
            if !choice.is_open() {
                go(&choice.text, Some((position, choice.alone.clone())));
            } else if openly {
                for end in ends() {
                    if let Some(alone) = choice.read(&rest[..end]) {
                        go(&rest[..end], Some((position, alone)));
                    }
                }
            }
        }
    }
}

/// The one way to read the case of a target, with what stands before and after the parts that are known.
pub fn reading(levels: &[Level], case: &str) -> Option<(String, Vec<Part>, String)> {
    let mut found = Vec::new();
    for openly in [false, true] {
        read(levels, openly, case, &mut Vec::new(), &mut found);
        if !found.is_empty() {
            let parts = found.pop().filter(|_| found.is_empty())?;
            return Some((String::new(), parts, String::new()));
        }
    }
    // A parametrised fixture puts its own part before or after.
    let cuts: Vec<usize> = case.match_indices('-').map(|(at, _)| at).collect();
    let mut framed = Vec::new();
    for start in std::iter::once(0).chain(cuts.iter().map(|at| at + 1)) {
        for end in cuts.iter().copied().chain([case.len()]).filter(|&end| end >= start) {
            let mut found = Vec::new();
            read(levels, false, &case[start..end], &mut Vec::new(), &mut found);
            framed.extend(
                found.into_iter().map(|parts| (case[..start].to_owned(), parts, case[end..].to_owned())),
            );
        }
    }
    if framed.len() == 1 { framed.pop() } else { None }
}

/// The trims, one for each level that has more than one element, in the order of the levels.
pub fn trims(context: Context, id: NodeId) -> Vec<Trim> {
    let levels = levels(context.tree, context.found);
    let Some((_, parts, _)) = id.case.and_then(|case| reading(&levels, case)) else { return Vec::new() };
    let offered = levels.iter().zip(&parts).filter_map(|(level, part)| {
        let (edits, stmt) = shrunk(context.source, context.tokens, level, part)?;
        let (position, _) = part.element.as_ref()?;
        let label = format!("case {} of {}", position + 1, level.choices.len());
        Some(Trim { kind: TrimKind::Cases, stmt, edits, unused: Vec::new(), label })
    });
    offered.collect()
}

type Edits = Vec<(TextRange, String)>;

/// The edits that leave one element of a level, and the statement they are in. `None` where there is nothing to leave
/// out, or ids are given elsewhere than the values.
fn shrunk(source: &str, tokens: &[Token], level: &Level, part: &Part) -> Option<(Edits, StmtId)> {
    let (position, _) = part.element.as_ref()?;
    let (stmt, values) = level.values?;
    let items = Items::of_literal(source, tokens, values)?;
    if items.len() < 2 {
        return None;
    }
    let mut edits = items.only(*position);
    if let Some(ids @ (Expr::List(_) | Expr::Tuple(_))) = level.parametrize.ids {
        if stmt != level.stmt {
            return None;
        }
        edits.extend(Items::of_literal(source, tokens, ids)?.only(*position));
        edits.sort();
    }
    Some((edits, stmt))
}

/// The id of the target in a rendered plan: that of the failing case when it stands alone.
pub fn target(plan: &Plan) -> String {
    let unit = plan.unit;
    let is_case = |kind: TrimKind| kind == TrimKind::Cases;
    if !plan.trims.iter().any(|&trim| is_case(unit.trim(trim).kind)) {
        return unit.target.clone();
    }
    let parsed = super::parsed(&unit.source);
    let n_bytes = u32::try_from(unit.source.len()).expect("a source file has fewer than 2^32 bytes");
    let tree = tree::build(parsed.suite(), parsed.tokens(), n_bytes);
    let id = NodeId::new(&unit.target);
    let levels = levels(&tree, &target::find(&tree, id));
    let Some((head, parts, tail)) = id.case.and_then(|case| reading(&levels, case)) else {
        return unit.target.clone();
    };
    let mut offered = unit.trim_ids().filter(|&trim| is_case(unit.trim(trim).kind));
    let texts = levels.iter().zip(&parts).map(|(level, part)| {
        let is_offered = shrunk(&unit.source, parsed.tokens(), level, part).is_some();
        let is_applied = is_offered && offered.next().is_some_and(|trim| plan.trims.contains(&trim));
        match &part.element {
            Some((_, alone)) if is_applied => alone.clone(),
            Some(_) | None => part.text.clone(),
        }
    });
    let case = texts.collect::<Vec<_>>().join("-");
    format!("{}[{head}{case}{tail}]", id.stem)
}
