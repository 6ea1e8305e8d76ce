//! Several tests as one: the steps of a path as text, with variables that have one name each.

use super::duplicates::deduplicate;
use super::naming;
use super::prefix::outside;
use super::reorganise::{Chosen, Member};
use super::schedule::Placed;
use super::style::Style;
use super::text::{Splice, all, spliced, whole_lines, with_blank_before};
use super::written::Rewritten;
use paring_model::{Atom, AtomKind, Joint, Merger, Refusal, RemarkAt, Rest, Shape, Survey, TextRange};
use std::collections::{BTreeMap, BTreeSet};

/// Writes the file with one test in the place of several.
pub fn join(
    merger: &dyn Merger,
    survey: &Survey,
    source: &str,
    chosen: &Chosen<'_>,
    may_hide: bool,
) -> Result<Rewritten, Refusal> {
    let Chosen { members, path, contained } = chosen;
    if let [only] = members.as_slice() {
        let shapes: Vec<&Shape> =
            std::iter::once(only.shape).chain(contained.iter().map(|it| it.0)).collect();
        let ids: Vec<&str> = std::iter::once(only.id).chain(contained.iter().map(|it| it.1)).collect();
        return Ok(deduplicate(merger, source, &shapes, &ids));
    }
    let ordered = ordered(members, path);
    let host =
        members.iter().map(|it| it.shape).min_by_key(|it| it.whole.start).expect("a group has members");
    let named = naming::joined(survey, &ordered.iter().map(|&it| members[it].shape).collect::<Vec<_>>());
    let renamed = Names::of(members, path, source)?;
    let labels: BTreeMap<usize, &String> = ordered.iter().copied().zip(&named.labels).collect();
    let (beginning, runs) = runs(path);
    let mut writer = Writer { members, path, source, names: &renamed, host, told: BTreeSet::new() };
    let first = writer.lines(&beginning);
    let mut rests: Vec<Rest> =
        runs.iter().map(|run| writer.rest(run, labels[&path[run[0]].member].clone())).collect();
    if let Some(last) = rests.last_mut() {
        last.above.extend(contained.iter().flat_map(|(shape, _)| writer.remarks_of(shape)));
    }
    let joint = Joint { name: named.name.clone(), beginning: first, rests, may_hide };
    let headed = merger.joined(source, host, &joint)?;
    let text = format!("{}{}", headed.head, headed.foot);
    let mut splices = vec![Splice { range: replaced(host), text }];
    let gone = members.iter().map(|it| it.shape).chain(contained.iter().map(|it| it.0));
    for shape in gone.filter(|shape| *shape != host) {
        splices.push(Splice { range: with_blank_before(source, shape.whole), text: String::new() });
    }
    let imports: BTreeSet<String> = headed.imports.into_iter().collect();
    let text = merger.import(spliced(source, all(source), splices), &imports);
    let new = merger.id(members[0].id, &named.name);
    let ids = members.iter().map(|it| it.id).chain(contained.iter().map(|it| it.1));
    let map = ids.map(|id| (id.to_owned(), vec![new.clone()])).collect();
    Ok(Rewritten { text, tests: vec![new], map })
}

/// The members, by the first step that is theirs alone.
fn ordered(members: &[Member<'_>], path: &[Placed]) -> Vec<usize> {
    let first = |member: usize| {
        path.iter().position(|it| it.member == member && it.n_tests == 1).unwrap_or(path.len())
    };
    let mut all: Vec<usize> = (0..members.len()).collect();
    all.sort_by_key(|&it| (first(it), it));
    all
}

/// All of the host but the comments above it.
fn replaced(host: &Shape) -> TextRange {
    let above = host.remarks.iter().filter(|it| it.at == RemarkAt::Test && it.range.end <= host.head_start);
    let start = above.map(|it| it.range.end).max().unwrap_or(host.whole.start);
    TextRange::new(start.max(host.whole.start), host.whole.end)
}

/// What the path begins with that is shared, and then stretches of one test each, or of what is shared: as indices into the path.
fn runs(path: &[Placed]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let n_first = path.iter().take_while(|it| it.n_tests > 1).count();
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for it in n_first..path.len() {
        let goes_on = runs.last().is_some_and(|run| {
            let last = path[run[run.len() - 1]];
            last.member == path[it].member && (last.n_tests > 1) == (path[it].n_tests > 1)
        });
        if goes_on {
            runs.last_mut().expect("there is one").push(it);
        } else {
            runs.push(vec![it]);
        }
    }
    ((0..n_first).collect(), runs)
}

/// What the variables are called that the steps of a path read and make: per step, by their old names.
struct Names {
    steps: Vec<BTreeMap<String, String>>,
    /// The steps whose variables a step reads.
    makers: Vec<BTreeSet<usize>>,
}

impl Names {
    fn of(members: &[Member<'_>], path: &[Placed], source: &str) -> Result<Self, Refusal> {
        let outside: BTreeSet<&str> = members.iter().flat_map(|it| outside(it.shape, source)).collect();
        let mut called: BTreeMap<u32, (String, usize)> = BTreeMap::new();
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let mut names = Self { steps: Vec::new(), makers: Vec::new() };
        for (at, placed) in path.iter().enumerate() {
            let member = &members[placed.member];
            let step = &member.numbers.steps[placed.step];
            let atoms = &member.shape.steps[placed.step].atoms;
            let variables: BTreeSet<&str> = variables(atoms).map(|atom| atom.range.of(source)).collect();
            let read = step.needs.iter().filter_map(|version| called.get(version));
            let makers = read.map(|(_, maker)| *maker).collect();
            let mut own: BTreeMap<String, String> = BTreeMap::new();
            for name in variables {
                let known = step.before.get(name).and_then(|version| called.get(version));
                let new = match known {
                    Some((name, _)) => name.clone(),
                    None => free(name, &taken, &outside, Style::of(member.shape.framework)),
                };
                taken.insert(new.clone());
                own.insert(name.to_owned(), new);
            }
            // What else knows the step has its versions by the same numbers, or by those of its own aliases.
            for (it, other) in members.iter().enumerate() {
                let twin = other.numbers.steps.iter().find(|twin| twin.key == step.key);
                let Some(twin) = twin.filter(|_| placed.n_tests > 1 || it == placed.member) else { continue };
                for (name, old, new) in &twin.makes {
                    let inherited = old.and_then(|old| called.get(&old)).map(|(name, _)| name.clone());
                    let made = own.get(name).cloned().filter(|_| it == placed.member);
                    if let Some(name) = made.or(inherited) {
                        called.entry(*new).or_insert((name, at));
                    }
                }
            }
            names.steps.push(own);
            names.makers.push(makers);
        }
        // A variable of another test would hide what the name means here.
        match outside.iter().find(|name| taken.contains(**name)) {
            Some(name) => {
                let text = format!("{name} is a variable in one of them, and none in another");
                Err(Refusal::new("names", text))
            }
            None => Ok(names),
        }
    }
}

fn variables(atoms: &[Atom]) -> impl Iterator<Item = &Atom> {
    atoms.iter().filter(|atom| atom.kind == AtomKind::Variable)
}

fn free(name: &str, taken: &BTreeSet<String>, outside: &BTreeSet<&str>, style: Style) -> String {
    let numbered = (2..).map(|n: u32| format!("{name}{}", style.number(n)));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    let is_free = |name: &String| !taken.contains(name) && !outside.contains(name.as_str());
    all.find(is_free).expect("there is always another number")
}

struct Writer<'a> {
    members: &'a [Member<'a>],
    path: &'a [Placed],
    source: &'a str,
    names: &'a Names,
    host: &'a Shape,
    /// The tests whose remarks at steps that they share were told.
    told: BTreeSet<usize>,
}

impl Writer<'_> {
    /// The lines of some steps of the path, with the remarks among them.
    fn lines(&self, run: &[usize]) -> String {
        let mut text = String::new();
        for (nth, &at) in run.iter().enumerate() {
            let Placed { member, step, .. } = self.path[at];
            let shape = self.members[member].shape;
            let follows = nth > 0
                && self.path[run[nth - 1]].member == member
                && self.path[run[nth - 1]].step + 1 == step;
            let range = self.range(shape, step, follows);
            let lines = spliced(self.source, range, self.splices(at));
            let lines = if nth == 0 { lines.trim_start_matches(['\n', '\r']) } else { lines.as_str() };
            text.push_str(lines);
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        let text = text.trim_end();
        if text.is_empty() { String::new() } else { format!("{text}\n") }
    }

    /// The lines of a step: with the remarks over it, from where the step before it ends.
    fn range(&self, shape: &Shape, step: usize, follows: bool) -> TextRange {
        let own = whole_lines(self.source, shape.steps[step].range);
        let is_over = |it: &&paring_model::Remark| it.at == RemarkAt::Over(step);
        let over = shape.remarks.iter().filter(is_over).map(|it| it.range.start).min();
        let start = if follows {
            whole_lines(self.source, shape.steps[step - 1].range).end
        } else {
            over.map_or(own.start, |over| over.min(own.start))
        };
        let is_last = step + 1 == shape.steps.len();
        let end = if is_last { shape.body.end.max(own.start) } else { own.end };
        TextRange::new(start, end.max(start))
    }

    fn splices(&self, at: usize) -> Vec<Splice> {
        let Placed { member, step, .. } = self.path[at];
        let own = variables(&self.members[member].shape.steps[step].atoms);
        let splice = |atom: &Atom| {
            let text = self.names.steps[at].get(atom.range.of(self.source))?;
            Some(Splice { range: atom.range, text: text.clone() })
        };
        own.filter_map(splice).collect()
    }

    fn rest(&mut self, run: &[usize], label: String) -> Rest {
        let Placed { member, .. } = self.path[run[0]];
        let shape = self.members[member].shape;
        let is_shared = self.path[run[0]].n_tests > 1;
        let above = if is_shared { Vec::new() } else { self.above(member) };
        let steps = run.iter().map(|&at| &shape.steps[self.path[at].step]);
        let text =
            |&at: &usize| spliced(self.source, shape.steps[self.path[at].step].range, self.splices(at));
        let last = run[run.len() - 1];
        let ends = self.path[last].step + 1 == shape.steps.len();
        let is_read = |later: &usize| self.names.makers[*later].iter().any(|maker| run.contains(maker));
        Rest {
            label,
            above,
            lines: self.lines(run),
            steps: run.iter().map(text).collect(),
            expects: shape.expects.clone().filter(|_| ends),
            has_message: steps.clone().any(|step| step.has_message),
            is_open: is_shared || (last + 1..self.path.len()).any(|later| is_read(&later)),
            is_solid: shape.solid.iter().any(|solid| {
                steps.clone().any(|it| it.range.start < solid.end && solid.start < it.range.end)
            }),
        }
    }

    /// Remarks of a test that no line of the merged one has: those about it as a whole, and those at steps that another makes.
    fn above(&mut self, member: usize) -> Vec<String> {
        let shape = self.members[member].shape;
        if !self.told.insert(member) {
            return Vec::new();
        }
        let written: BTreeSet<usize> =
            self.path.iter().filter(|it| it.member == member).map(|it| it.step).collect();
        let is_elsewhere = |at: RemarkAt| match at {
            RemarkAt::Test => shape != self.host,
            RemarkAt::Over(step) if step >= shape.steps.len() => false,
            RemarkAt::Over(step) | RemarkAt::Behind(step) | RemarkAt::Within(step) => {
                !written.contains(&step)
            }
        };
        let shown = shape.shown.iter().filter(|_| shape != self.host).cloned();
        let theirs: BTreeSet<&String> = self.path.iter().flat_map(|it| self.at_step(it)).collect();
        let own = shape.remarks.iter().filter(|it| is_elsewhere(it.at)).flat_map(|it| &it.lines);
        shown.chain(own.filter(|line| !theirs.contains(line)).cloned()).collect()
    }

    /// Remarks of a test none of whose lines is written.
    fn remarks_of(&self, shape: &Shape) -> Vec<String> {
        let theirs: BTreeSet<&String> = self.path.iter().flat_map(|it| self.at_step(it)).collect();
        let all = shape.remarks.iter().flat_map(|it| &it.lines).chain(&shape.shown);
        all.filter(|line| !theirs.contains(line)).cloned().collect()
    }

    /// The remarks at a step of the path.
    fn at_step(&self, placed: &Placed) -> Vec<&String> {
        let remarks = &self.members[placed.member].shape.remarks;
        let is_own = |at: RemarkAt| match at {
            RemarkAt::Over(step) | RemarkAt::Behind(step) | RemarkAt::Within(step) => step == placed.step,
            RemarkAt::Test => false,
        };
        remarks.iter().filter(|it| is_own(it.at)).flat_map(|it| &it.lines).collect()
    }
}
