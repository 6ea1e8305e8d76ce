//! Dependences in words: why a statement is there.

use crate::minimize::Hints;
use crate::outcome::ReasonKind;
use paring_graph::{Reason as Why, Strength};
use paring_model::{Facts, Op, PlaceId, PlaceScope, Resource, StmtId, Unit};

/// What words are taken from.
#[derive(Clone, Copy)]
pub struct Wording<'a> {
    pub unit: &'a Unit,
    pub facts: &'a Facts,
    pub hints: &'a Hints,
}

impl Wording<'_> {
    /// Why `from` depends on `id`, from the side of `id`.
    pub fn why(self, id: StmtId, from: StmtId, why: Why) -> (ReasonKind, String) {
        let Self { unit, .. } = self;
        let at = unit.line_of(unit.stmt(from).range.start);
        match why {
            Why::Data { place, strength } => self.data(id, place, strength, at),
            Why::Control => (ReasonKind::Control, format!("decides whether line {at} runs")),
            Why::Handler => (ReasonKind::Handler, format!("part of the exception handling around line {at}")),
            Why::Through { resource } => {
                let name = resource_name(unit, self.facts.resources.resource(resource));
                (ReasonKind::Resource, format!("changes {name}, which line {at} uses"))
            }
            Why::Resource => (ReasonKind::Resource, format!("line {at} runs inside it")),
            // A function or class outside the sequence is kept whole.
            Why::Parent if unit.ancestors(id).any(|up| up == from) => {
                (ReasonKind::WellFormed, format!("part of what line {at} defines"))
            }
            Why::Parent => (ReasonKind::WellFormed, format!("line {at} stands in it")),
            Why::Potential { place } => {
                let name = self.place_name(place);
                (ReasonKind::Data, format!("did not run, and would have changed `{name}`, used on line {at}"))
            }
            Why::Binding => (ReasonKind::WellFormed, format!("line {at} needs the name")),
        }
    }

    fn data(self, id: StmtId, place: PlaceId, strength: Strength, at: u32) -> (ReasonKind, String) {
        // The place of hidden state has no name to look up.
        if strength == Strength::Hidden {
            let text = format!("was seen to change state of the program that line {at} may read");
            return (ReasonKind::Observed, text);
        }
        let name = self.place_name(place);
        let defines = self.unit.stmt(id).ops.contains(&Op::Define(place));
        match strength {
            Strength::Convention if defines => {
                (ReasonKind::Data, format!("defines `{name}`, used on line {at}"))
            }
            Strength::Convention => (ReasonKind::Data, format!("may change `{name}`, used on line {at}")),
            Strength::Observed | Strength::Hidden => {
                (ReasonKind::Observed, format!("was seen to change `{name}`, used on line {at}"))
            }
        }
    }

    fn place_name(self, place: PlaceId) -> String {
        let place = self.unit.place(place);
        match place.scope {
            PlaceScope::Member => format!("{}{}", self.hints.member, place.name),
            PlaceScope::Global | PlaceScope::Local(_) | PlaceScope::Hidden => place.name.clone(),
        }
    }
}

/// A resource as a reader knows it; a file from the folder of the test file on, where it lies below that.
fn resource_name(unit: &Unit, resource: &Resource) -> String {
    match resource {
        Resource::File(path) => {
            let folder = unit.path.parent();
            let below = folder.and_then(|folder| path.strip_prefix(folder).ok());
            format!(
                "`{}`",
                below.map_or_else(|| path.file_name().unwrap_or(path.as_str()), |path| path.as_str())
            )
        }
        Resource::Cwd => "the working directory".to_owned(),
        Resource::Env(name) => format!("`{name}` of the environment"),
        Resource::Table { db, name } if name.is_empty() => {
            format!("the database `{}`", db.rsplit('/').next().unwrap_or(db))
        }
        Resource::Table { name, .. } => format!("the table `{name}`"),
        Resource::Attribute { owner, name } => format!("`{owner}.{name}`"),
        Resource::Logger(name) => format!("the logger `{name}`"),
        Resource::Output(name) => format!("what was written to {name}"),
        Resource::Socket(address) => format!("the socket {address}"),
        Resource::Clock => "the clock".to_owned(),
        Resource::Logged { kind, name } => format!("{kind} {name}"),
        Resource::Random => "the random numbers".to_owned(),
        Resource::Unknown => "state of the program".to_owned(),
    }
}
