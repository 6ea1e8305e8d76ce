//! Pictures of the graphs, as Mermaid text: for snapshots, and for reports that show their work.

use crate::cfg::{Cfg, FlowKind, NodeId};
use crate::def_use::Strength;
use crate::dependence::{Dependence, Reason};
use paring_model::{PlaceId, StmtId, StmtSet, Unit};
use std::fmt::Write;

/// Longer labels are cut.
const N_LABEL: usize = 40;

/// The control flow: regular edges solid, exceptional ones dotted, fall-through ones with a cross.
pub fn mermaid(unit: &Unit, cfg: &Cfg) -> String {
    let mut text = String::from("flowchart TD\n");
    for node in cfg.node_ids() {
        let label = match cfg.stmt(node) {
            Some(id) => format!("[\"{}\"]", label(unit, id)),
            None if node == NodeId::ENTRY => "([entry])".to_owned(),
            None => "([exit])".to_owned(),
        };
        line(&mut text, format_args!("n{}{label}", node.idx()));
    }
    for node in cfg.node_ids() {
        for &(next, kind) in cfg.successors(node) {
            let arrow = match kind {
                FlowKind::Regular => "-->",
                FlowKind::Exceptional => "-.->",
                FlowKind::FallThrough => "--x",
            };
            line(&mut text, format_args!("n{} {arrow} n{}", node.idx(), next.idx()));
        }
    }
    text
}

/// What depends on what: from each statement to those it needs. Statements without edges are left out.
pub fn mermaid_dependence(unit: &Unit, dependence: &Dependence) -> String {
    let users = unit.ids().filter(|&id| !dependence.edges(id).is_empty());
    let needed = unit.ids().flat_map(|id| dependence.edges(id)).map(|edge| edge.on);
    let drawn: StmtSet = users.chain(needed).collect();
    let mut text = String::from("flowchart BT\n");
    for id in drawn.iter() {
        line(&mut text, format_args!("s{}[\"{}\"]", id.0, label(unit, id)));
    }
    for id in unit.ids() {
        for edge in dependence.edges(id) {
            line(&mut text, format_args!("s{} {} s{}", id.0, arrow(unit, edge.reason), edge.on.0));
        }
    }
    text
}

fn arrow(unit: &Unit, reason: Reason) -> String {
    match reason {
        Reason::Data { place, strength: Strength::Convention } => format!("-->|{}|", place_name(unit, place)),
        Reason::Data { place, strength: Strength::Observed } => {
            format!("-->|{} seen|", place_name(unit, place))
        }
        Reason::Data { strength: Strength::Hidden, .. } => "-->|hidden|".to_owned(),
        Reason::Potential { place } => format!("-.->|{} otherwise|", place_name(unit, place)),
        Reason::Control => "==>|control|".to_owned(),
        Reason::Handler => "-.->|handler|".to_owned(),
        Reason::Through { resource } => format!("-->|resource {}|", resource.0),
        Reason::Resource => "-.->|resource|".to_owned(),
        Reason::Parent => "-.->|parent|".to_owned(),
        Reason::Binding => "-.->|binding|".to_owned(),
    }
}

/// The hidden place may be one past the unit's own.
fn place_name(unit: &Unit, place: PlaceId) -> &str {
    unit.places.get(place.idx()).map_or("hidden", |place| place.name.as_str())
}

/// The first line of the statement's header, made safe for a quoted Mermaid label.
fn label(unit: &Unit, id: StmtId) -> String {
    let header = unit.stmt(id).header.of(&unit.source);
    let first = header.lines().next().unwrap_or_default();
    let mut label: String = first.chars().take(N_LABEL).collect();
    if label.len() < header.len() {
        label.push('…');
    }
    label.replace('#', "#35;").replace('"', "#quot;").replace('<', "#lt;").replace('>', "#gt;")
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "    {content}").expect("writing to a string never fails");
}
