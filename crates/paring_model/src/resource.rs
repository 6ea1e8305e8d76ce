//! State that statements share without a name of the test: files, the environment, tables, attributes of modules.
//!
//! A run tells which statement used or changed which resource, in order of time. In
//!
//! ```python
//! out = open("a.csv", "w")   # s0: Kill File(a.csv)
//! out.write("1;2")           # s1: Define File(a.csv)
//! out.close()                # s2: Define File(a.csv)
//! rows = load("a.csv")       # s3: Use File(a.csv)
//! ```
//!
//! s3 reads what s2 made visible, s2 what s1 wrote, s1 writes to what s0 opened. A change that is seen and cannot be named
//! is a change of [`Resource::Unknown`], on which all that runs later may depend.

use crate::unit::StmtId;
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A resource of one traced run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// A file or folder, by its real path.
    File(Utf8PathBuf),
    /// The working directory.
    Cwd,
    /// A variable of the environment.
    Env(String),
    /// A table of a database; of the database as a whole, with an empty name.
    Table {
        db: String,
        name: String,
    },
    /// An attribute of a module or class, a static field; the owner with its full name.
    Attribute {
        owner: String,
        name: String,
    },
    /// The settings of a logger.
    Logger(String),
    /// What is written to a stream of the process, such as `stdout`.
    Output(String),
    /// An address.
    Socket(String),
    Clock,
    Random,
    /// What a log tells of.
    Logged {
        kind: String,
        name: String,
    },
    /// All that is known to be hidden and has no name.
    Unknown,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "file {path}"),
            Self::Cwd => f.write_str("working directory"),
            Self::Env(name) => write!(f, "env {name}"),
            Self::Table { db, name } if name.is_empty() => write!(f, "database {db}"),
            Self::Table { db, name } => write!(f, "table {db} {name}"),
            Self::Attribute { owner, name } => write!(f, "attribute {owner}.{name}"),
            Self::Logger(name) => write!(f, "logger {name}"),
            Self::Output(name) => write!(f, "output {name}"),
            Self::Socket(address) => write!(f, "socket {address}"),
            Self::Clock => f.write_str("clock"),
            Self::Random => f.write_str("random numbers"),
            Self::Logged { kind, name } => write!(f, "{kind} {name}"),
            Self::Unknown => f.write_str("unknown state"),
        }
    }
}

/// What a statement did to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// It depends on what was there.
    Use,
    /// It changed what was there, which shines through: appended to a file, put something into a registry.
    Define,
    /// Nothing of what was there is left: deleted, truncated, given a new value.
    Kill,
    /// Nothing of what was there is left, and nobody can tell that anything ever was: printed text was read and is gone. What
    /// comes later needs it only where what it took away stays.
    Clear,
    /// It is as it was before this execution of the statement began: a `with` has put back what it replaced.
    Undo,
}

/// One statement, at one of its executions, and one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    pub stmt: StmtId,
    /// Counted from 1.
    pub nth: u32,
    pub resource: ResourceId,
    pub how: How,
}

/// What a traced run saw of resources.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// By id; each once.
    names: Vec<Resource>,
    ids: BTreeMap<Resource, ResourceId>,
    touches: Vec<Touch>,
    changing: BTreeSet<StmtId>,
    changing_unknown: BTreeSet<StmtId>,
    /// Statements all of whose uses are among the touches.
    complete: BTreeSet<StmtId>,
    /// Statements in which code under test ran.
    running_code: BTreeSet<StmtId>,
}

impl Resources {
    /// Adds what happened next.
    pub fn touch(&mut self, stmt: StmtId, nth: u32, resource: Resource, how: How) {
        if how != How::Use {
            self.changing.insert(stmt);
            if resource == Resource::Unknown {
                self.changing_unknown.insert(stmt);
            }
        }
        let resource = self.id(resource);
        self.touches.push(Touch { stmt, nth, resource, how });
    }

    /// As if some statements had touched nothing.
    #[must_use]
    pub fn without(&self, is_gone: impl Fn(StmtId) -> bool) -> Self {
        let mut left = Self {
            complete: self.complete.clone(),
            running_code: self.running_code.clone(),
            ..Self::default()
        };
        for (touch, resource) in self.touches().filter(|(touch, _)| !is_gone(touch.stmt)) {
            left.touch(touch.stmt, touch.nth, resource.clone(), touch.how);
        }
        left
    }

    /// Says of a statement that every use of a resource by it was told, in all its executions. A call in any other may have
    /// used them all.
    pub fn complete(&mut self, stmt: StmtId) {
        self.complete.insert(stmt);
    }

    /// Says that code under test ran in the statement. Where the test fails, that it used no more may be the fault.
    pub fn ran_code(&mut self, stmt: StmtId) {
        self.running_code.insert(stmt);
    }

    fn id(&mut self, resource: Resource) -> ResourceId {
        let next = u32::try_from(self.names.len()).expect("a run has fewer than 2^32 resources");
        *self.ids.entry(resource).or_insert_with_key(|resource| {
            self.names.push(resource.clone());
            ResourceId(next)
        })
    }

    pub fn resource(&self, id: ResourceId) -> &Resource {
        &self.names[id.0 as usize]
    }

    /// In order of time.
    pub fn touches(&self) -> impl Iterator<Item = (Touch, &Resource)> {
        self.touches.iter().map(|touch| (*touch, self.resource(touch.resource)))
    }

    /// Whether the statement changed any resource, named or not.
    pub fn changes(&self, stmt: StmtId) -> bool {
        self.changing.contains(&stmt)
    }

    /// Whether it changed something that has no name.
    pub fn changes_unknown(&self, stmt: StmtId) -> bool {
        self.changing_unknown.contains(&stmt)
    }

    /// Whether code under test ran in it.
    pub fn runs_code(&self, stmt: StmtId) -> bool {
        self.running_code.contains(&stmt)
    }

    /// Whether all its uses are known.
    pub fn is_complete(&self, stmt: StmtId) -> bool {
        self.complete.contains(&stmt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_has_one_id_and_touches_keep_their_order() {
        let mut resources = Resources::default();
        let file = || Resource::File("/a".into());
        resources.touch(StmtId(1), 1, file(), How::Define);
        resources.touch(StmtId(2), 1, Resource::Cwd, How::Use);
        resources.touch(StmtId(0), 3, file(), How::Use);
        let told: Vec<(u32, u32, &Resource)> =
            resources.touches().map(|(touch, name)| (touch.stmt.0, touch.resource.0, name)).collect();
        assert_eq!(told, [(1, 0, &file()), (2, 1, &Resource::Cwd), (0, 0, &file())]);
    }

    #[test]
    fn without_a_statement_the_others_keep_what_they_did() {
        let mut resources = Resources::default();
        resources.touch(StmtId(0), 1, Resource::Cwd, How::Define);
        resources.touch(StmtId(1), 1, Resource::Cwd, How::Use);
        resources.complete(StmtId(0));
        let left = resources.without(|id| id == StmtId(0));
        let told: Vec<u32> = left.touches().map(|(touch, _)| touch.stmt.0).collect();
        assert_eq!((told, left.changes(StmtId(0)), left.is_complete(StmtId(0))), (vec![1], false, true));
    }

    #[test]
    fn who_only_reads_changes_nothing() {
        let mut resources = Resources::default();
        resources.touch(StmtId(0), 1, Resource::Unknown, How::Use);
        resources.touch(StmtId(1), 1, Resource::Unknown, How::Define);
        resources.touch(StmtId(2), 1, Resource::Clock, How::Kill);
        let changes = |id| (resources.changes(StmtId(id)), resources.changes_unknown(StmtId(id)));
        assert_eq!([changes(0), changes(1), changes(2)], [(false, false), (true, true), (true, false)]);
    }
}
