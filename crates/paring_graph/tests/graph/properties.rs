//! What holds for every program.

use crate::notation::unit;
use paring_graph::{Level, NodeId, Reason, Strength, cfg, dependence, slice};
use paring_model::{Facts, How, Op, PlaceId, Resource, StmtId, StmtKind, Unit};
use proptest::prelude::*;

/// A block of statements over four names, nested at most `depth` times.
fn block(depth: u32, in_loop: bool) -> BoxedStrategy<Vec<String>> {
    prop::collection::vec(stmt(depth, in_loop), 1..5).prop_map(|stmts| stmts.concat()).boxed()
}

fn stmt(depth: u32, in_loop: bool) -> BoxedStrategy<Vec<String>> {
    let name = || prop::sample::select(vec!["a", "b", "c", "d"]);
    let simple = (name(), name(), 0..8u32).prop_map(|(x, y, form)| {
        vec![match form {
            0 => format!("{x} = A()"),
            1 => format!("{x} = {y}"),
            2 => format!("{x} = B({y})"),
            3 => format!("{x} = {y}.get({x})"),
            4 => format!("{x}.put({y})"),
            5 => format!("{x}.field = {y}"),
            6 => format!("assert {x} == {y}"),
            _ => format!("f({x}, {y})"),
        }]
    });
    if depth == 0 {
        return simple.boxed();
    }
    let jump =
        prop::sample::select(if in_loop { vec!["break", "continue", "raise E"] } else { vec!["raise E"] });
    let jump = jump.prop_map(|jump| vec![jump.to_owned()]);
    let branch = (name(), block(depth - 1, in_loop), block(depth - 1, in_loop))
        .prop_map(|(x, yes, no)| [nest(format!("if {x}:"), yes), nest("else:".into(), no)].concat());
    let repeat = (name(), block(depth - 1, true)).prop_map(|(x, body)| nest(format!("while {x}:"), body));
    let attempt = (block(depth - 1, in_loop), block(depth - 1, in_loop), block(depth - 1, false)).prop_map(
        |(body, handler, finally)| {
            let clauses = [nest("except E as d:".into(), handler), nest("finally:".into(), finally)];
            [nest("try:".into(), body), clauses.concat()].concat()
        },
    );
    let with = block(depth - 1, in_loop).prop_map(|body| nest("with raises(E):".into(), body));
    prop_oneof![6 => simple, 1 => jump, 2 => branch, 2 => repeat, 1 => attempt, 1 => with].boxed()
}

fn nest(header: String, body: Vec<String>) -> Vec<String> {
    std::iter::once(header).chain(body.into_iter().map(|line| format!("    {line}"))).collect()
}

fn program() -> impl Strategy<Value = Unit> {
    block(3, false).prop_map(|lines| unit(&format!("{}\nassert a == b", lines.join("\n"))))
}

fn last(unit: &Unit) -> StmtId {
    StmtId::from_idx(unit.stmts.len() - 1)
}

/// What was drawn, spread over a walk through the program that takes the first way on that leads to a new place.
fn in_time(unit: &Unit, touched: &[(usize, u32, u32)]) -> Vec<(StmtId, u32, u32)> {
    let cfg = cfg(unit, &Facts::default());
    let mut walk = vec![NodeId::ENTRY];
    while let Some(&(next, _)) = cfg
        .successors(walk[walk.len() - 1])
        .iter()
        .find(|(next, kind)| kind.carries_data() && !walk.contains(next))
    {
        walk.push(next);
    }
    let at = |idx: usize| walk.iter().filter_map(|&node| cfg.stmt(node)).nth(idx % walk.len());
    let mut found: Vec<(usize, StmtId, u32, u32)> = touched
        .iter()
        .filter_map(|&(idx, resource, how)| Some((idx % walk.len(), at(idx)?, resource, how)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, id, resource, how)| (id, resource, how)).collect()
}

fn all_levels() -> [Level; 4] {
    [Level::Observed, Level::Zero, Level::One, Level::Leitner]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_slice_is_closed_and_every_node_in_it_was_asked_for(unit in program()) {
        for level in all_levels() {
            let dependence = dependence(&unit, &Facts::default(), level);
            let slice = slice(&unit, &dependence, &[last(&unit)]);
            for id in slice.kept.iter() {
                for edge in dependence.edges(id) {
                    prop_assert!(slice.kept.contains(edge.on));
                    prop_assert!(slice.why[&edge.on].contains(&(id, edge.reason)));
                }
                prop_assert!(unit.ancestors(id).all(|up| slice.kept.contains(up)));
                prop_assert!(id == last(&unit) || !slice.why[&id].is_empty());
            }
            prop_assert!(slice.strong.is_subset(&slice.kept));
            prop_assert!(slice.control.is_subset(&slice.kept));
        }
    }

    #[test]
    fn one_keeps_all_that_zero_and_leitner_keep(unit in program()) {
        let [zero, one, leitner] = [Level::Zero, Level::One, Level::Leitner]
            .map(|level| slice(&unit, &dependence(&unit, &Facts::default(), level), &[last(&unit)]).kept);
        prop_assert!(zero.is_subset(&one));
        prop_assert!(leitner.is_subset(&one));
    }

    #[test]
    fn seeing_more_changes_only_adds(unit in program(), seen in prop::collection::vec((0..40usize, 0..4usize), 0..6)) {
        let mut facts = Facts::default();
        let without = slice(&unit, &dependence(&unit, &facts, Level::Zero), &[last(&unit)]).kept;
        for (stmt_idx, place_idx) in seen {
            let id = StmtId::from_idx(stmt_idx % unit.stmts.len());
            let place = PlaceId::from_idx(place_idx % unit.places.len());
            facts.changed.entry(id).or_default().insert(place);
            facts.resources.touch(id, 1, Resource::Unknown, How::Define);
        }
        let with = slice(&unit, &dependence(&unit, &facts, Level::Observed), &[last(&unit)]).kept;
        prop_assert!(without.is_subset(&with));
    }

    #[test]
    fn named_resources_keep_more_than_none_and_less_than_one_place_for_all(
        unit in program(),
        touched in prop::collection::vec((0..40usize, 0..3u32, 0..4u32), 0..12),
        is_complete in prop::collection::vec(any::<bool>(), 40),
    ) {
        let kept = |facts: &Facts| slice(&unit, &dependence(&unit, facts, Level::Observed), &[last(&unit)]).kept;
        let calls = |id: &StmtId| unit.stmt(*id).ops.iter().any(|op| matches!(op, Op::Call(_)));
        let (mut named, mut nameless) = (Facts::default(), Facts::default());
        unit.ids().filter(|id| is_complete[id.idx() % 40]).for_each(|id| named.resources.complete(id));
        let without = kept(&named);
        for (id, resource, how) in in_time(&unit, &touched).into_iter().filter(|(id, ..)| calls(id)) {
            let how = [How::Use, How::Define, How::Kill, How::Clear][how as usize];
            named.resources.touch(id, 1, Resource::Env(resource.to_string()), how);
            if how != How::Use {
                nameless.resources.touch(id, 1, Resource::Unknown, How::Define);
            }
        }
        let (named, nameless) = (kept(&named), kept(&nameless));
        prop_assert!(without.is_subset(&named));
        prop_assert!(named.is_subset(&nameless));
    }

    #[test]
    fn thinned_edges_give_the_slices_of_a_plain_analysis(unit in program()) {
        let dependence = dependence(&unit, &Facts::default(), Level::Zero);
        let plain = plain::plain(&unit);
        for id in unit.ids() {
            let thinned = slice(&unit, &dependence, &[id]).strong;
            prop_assert_eq!(thinned, plain.data_slice(&unit, id), "from {:?} in\n{}", id, unit.source);
        }
    }

    #[test]
    fn thinned_control_edges_lead_to_all_that_the_definition_names(unit in program()) {
        let dependence = dependence(&unit, &Facts::default(), Level::Zero);
        let thinned = |id: StmtId| {
            let edges = dependence.edges(id).iter().filter(|edge| edge.reason == Reason::Control);
            edges.map(|edge| edge.on).collect::<Vec<_>>()
        };
        let by_definition = plain::control(&unit);
        for id in unit.ids() {
            let expected = plain::closure(id, |id| by_definition[id.idx()].clone());
            prop_assert_eq!(plain::closure(id, thinned), expected, "from {:?} in\n{}", id, unit.source);
        }
    }

    #[test]
    fn hidden_state_is_the_only_data_that_is_not_strong(unit in program()) {
        let mut facts = Facts::default();
        unit.ids().take(3).for_each(|id| facts.resources.touch(id, 1, Resource::Unknown, How::Define));
        let dependence = dependence(&unit, &facts, Level::Observed);
        for edge in unit.ids().flat_map(|id| dependence.edges(id)) {
            if let Reason::Data { place, strength } = edge.reason {
                let is_hidden = place == paring_graph::hidden_place(&unit);
                prop_assert_eq!(is_hidden, strength == Strength::Hidden);
            }
        }
    }
}

/// Reaching definitions by the book, statement by statement, with weak definitions that do not kill.
mod plain {
    use super::{StmtId, StmtKind, Unit};
    use paring_graph::{Cfg, NodeId, cfg};
    use paring_model::{CallResult, Op, PlaceId, StmtSet};
    use std::collections::BTreeSet;

    struct Effect {
        uses: BTreeSet<PlaceId>,
        strong: BTreeSet<PlaceId>,
        weak: BTreeSet<PlaceId>,
    }

    fn effect(unit: &Unit, id: StmtId) -> Effect {
        let mut effect = Effect { uses: BTreeSet::new(), strong: BTreeSet::new(), weak: BTreeSet::new() };
        for op in &unit.stmt(id).ops {
            match op {
                Op::Use(place) => _ = effect.uses.insert(*place),
                Op::Define(place) => _ = effect.strong.insert(*place),
                Op::Mutate(place) | Op::MayDefine(place) => _ = effect.weak.insert(*place),
                Op::Call(call) => {
                    effect.uses.extend(call.receiver.iter().chain(&call.args).chain(&call.callee));
                    let is_void =
                        call.result == CallResult::Dropped && unit.stmt(id).kind != StmtKind::Assert;
                    let receiver = call.receiver.iter().filter(|_| is_void);
                    effect
                        .weak
                        .extend(receiver.chain(call.args.iter().filter(|_| is_void || call.constructs)));
                }
            }
        }
        effect.uses.extend(&effect.weak);
        effect
    }

    pub struct Plain {
        cfg: Cfg,
        /// By node: the definitions alive before it.
        ins: Vec<BTreeSet<(PlaceId, StmtId)>>,
    }

    pub fn plain(unit: &Unit) -> Plain {
        let cfg = cfg(unit, &paring_model::Facts::default());
        let mut ins: Vec<BTreeSet<(PlaceId, StmtId)>> = vec![BTreeSet::new(); cfg.n_nodes()];
        let mut changed = true;
        while changed {
            changed = false;
            for node in cfg.node_ids() {
                let mut out = ins[node.idx()].clone();
                if let Some(id) = cfg.stmt(node) {
                    let Effect { strong, weak, .. } = effect(unit, id);
                    out.retain(|(place, _)| !strong.contains(place));
                    out.extend(strong.iter().chain(&weak).map(|&place| (place, id)));
                }
                for &(next, kind) in cfg.successors(node) {
                    let n_before = ins[next.idx()].len();
                    if kind.carries_data() {
                        ins[next.idx()].extend(&out);
                    }
                    changed |= ins[next.idx()].len() > n_before;
                }
            }
        }
        Plain { cfg, ins }
    }

    impl Plain {
        pub fn data_slice(&self, unit: &Unit, criterion: StmtId) -> StmtSet {
            closure(criterion, |id| {
                let uses = effect(unit, id).uses;
                let ins = self.cfg.node(id).map(|node| &self.ins[node.idx()]);
                let seen = ins.into_iter().flatten().filter(|(place, _)| uses.contains(place));
                seen.map(|&(_, definer)| definer).collect()
            })
        }
    }

    pub fn closure(start: StmtId, next: impl Fn(StmtId) -> Vec<StmtId>) -> StmtSet {
        let mut found = StmtSet::default();
        let mut waiting = vec![start];
        while let Some(id) = waiting.pop() {
            if found.insert(id) {
                waiting.extend(next(id));
            }
        }
        found
    }

    /// Control dependence by its definition: one way out is post-dominated, another is not.
    pub fn control(unit: &Unit) -> Vec<Vec<StmtId>> {
        let cfg = cfg(unit, &paring_model::Facts::default());
        let next = |node: NodeId| {
            let carrying = cfg.successors(node).iter().filter(|(_, kind)| kind.carries_control());
            carrying.map(|&(next, _)| next)
        };
        let all: BTreeSet<NodeId> = cfg.node_ids().collect();
        let mut dominators = vec![all; cfg.n_nodes()];
        dominators[NodeId::EXIT.idx()] = BTreeSet::from([NodeId::EXIT]);
        let mut changed = true;
        while changed {
            changed = false;
            for node in cfg.node_ids().filter(|&node| node != NodeId::EXIT) {
                let sets = next(node).map(|next| dominators[next.idx()].clone());
                let mut meet = sets.reduce(|a, b| &a & &b).unwrap_or_default();
                meet.insert(node);
                changed |= meet != dominators[node.idx()];
                dominators[node.idx()] = meet;
            }
        }
        let mut found = vec![Vec::new(); unit.stmts.len()];
        for (branch, on) in cfg.node_ids().filter_map(|node| Some((node, cfg.stmt(node)?))) {
            for (node, id) in cfg.node_ids().filter_map(|node| Some((node, cfg.stmt(node)?))) {
                let is_on = |next: NodeId| dominators[next.idx()].contains(&node);
                let is_always = node != branch && dominators[branch.idx()].contains(&node);
                if next(branch).any(is_on) && !is_always {
                    found[id.idx()].push(on);
                }
            }
        }
        found
    }
}
