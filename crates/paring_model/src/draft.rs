//! Edits against units, and the tests they make.

use crate::text::TextRange;
use crate::unit::{PlaceId, StmtId, TrimId, Unit};
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

macro_rules! id_set {
    ($(#[$doc:meta])* $name:ident of $id:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(FixedBitSet);

        impl $name {
            pub fn contains(&self, id: $id) -> bool {
                self.0.contains(id.idx())
            }

            /// Whether it was not there before.
            pub fn insert(&mut self, id: $id) -> bool {
                self.0.grow_and_insert_new(id.idx())
            }

            pub fn remove(&mut self, id: $id) {
                if id.idx() < self.0.len() {
                    self.0.set(id.idx(), false);
                }
            }

            pub fn iter(&self) -> impl DoubleEndedIterator<Item = $id> + '_ {
                self.0.ones().map($id::from_idx)
            }

            pub fn len(&self) -> usize {
                self.0.count_ones(..)
            }

            pub fn is_empty(&self) -> bool {
                self.0.is_clear()
            }

            pub fn union_with(&mut self, other: &Self) {
                self.0.union_with(&other.0);
            }

            pub fn is_subset(&self, other: &Self) -> bool {
                self.0.is_subset(&other.0)
            }
        }

        impl FromIterator<$id> for $name {
            fn from_iter<I: IntoIterator<Item = $id>>(ids: I) -> Self {
                let mut set = Self::default();
                set.extend(ids);
                set
            }
        }

        impl Extend<$id> for $name {
            fn extend<I: IntoIterator<Item = $id>>(&mut self, ids: I) {
                for id in ids {
                    self.insert(id);
                }
            }
        }
    };
}

trait GrowAndInsert {
    fn grow_and_insert_new(&mut self, idx: usize) -> bool;
}

impl GrowAndInsert for FixedBitSet {
    fn grow_and_insert_new(&mut self, idx: usize) -> bool {
        self.grow(idx + 1);
        !self.put(idx)
    }
}

id_set!(
    /// Statements and clauses of one unit.
    StmtSet of StmtId
);
id_set!(
    /// Trims of one unit.
    TrimSet of TrimId
);

/// What becomes of one unit.
///
/// Invariant: a kept node's parent is kept. The front end's rendering makes the rest well formed (an emptied block gets
/// its filler, a `try` that lost every handler and its `finally` gives way to its body).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EditSet {
    pub kept: StmtSet,
    /// Kept compound statements whose header is left out: their kept children stand in their place.
    pub unwrapped: StmtSet,
    pub trims: TrimSet,
}

impl EditSet {
    /// Nothing edited.
    pub fn all(unit: &Unit) -> Self {
        Self { kept: unit.ids().collect(), unwrapped: StmtSet::default(), trims: TrimSet::default() }
    }

    /// The kept nodes whose own text is there: not those whose header is left out.
    pub fn written(&self) -> StmtSet {
        self.kept.iter().filter(|&id| !self.unwrapped.contains(id)).collect()
    }

    /// Removes a node with everything below it.
    pub fn remove(&mut self, unit: &Unit, id: StmtId) {
        self.kept.remove(id);
        self.unwrapped.remove(id);
        for below in unit.descendants(id) {
            self.kept.remove(below);
            self.unwrapped.remove(below);
        }
    }

    /// The same edits within the test, and nothing else touched.
    #[must_use]
    pub fn only_in_test(&self, unit: &Unit) -> Self {
        let Some(def) = unit.test.and_then(|test| unit.routine(test).def) else { return Self::all(unit) };
        let within: StmtSet = unit.descendants(def).into_iter().collect();
        let is_own = |trim: &TrimId| within.contains(unit.trim(*trim).stmt) || unit.trim(*trim).stmt == def;
        Self {
            kept: unit.ids().filter(|&id| !within.contains(id) || self.kept.contains(id)).collect(),
            unwrapped: self.unwrapped.iter().filter(|&id| within.contains(id)).collect(),
            trims: self.trims.iter().filter(is_own).collect(),
        }
    }

    /// The same edits with every kept mask as it was: its header and its clauses.
    #[must_use]
    pub fn with_whole_masks(&self, unit: &Unit) -> Self {
        let mut edits = self.clone();
        for id in unit.masks.iter().filter(|&id| self.kept.contains(id)) {
            edits.unwrapped.remove(id);
            let children = unit.stmt(id).children.iter().copied();
            edits.kept.extend(children.filter(|&child| unit.stmt(child).kind.is_clause()));
        }
        edits
    }

    /// The same edits with every literal as it was.
    #[must_use]
    pub fn without_literals(&self, unit: &Unit) -> Self {
        let mut edits = self.clone();
        for &id in unit.literals.iter().flat_map(|literal| &literal.trims) {
            edits.trims.remove(id);
        }
        edits
    }

    /// Keeps a node and the nodes around it.
    pub fn keep(&mut self, unit: &Unit, id: StmtId) {
        self.kept.insert(id);
        for up in unit.ancestors(id) {
            self.kept.insert(up);
        }
    }
}

/// Tests to write: the front end's `write` makes files of them. They take the place of the tests of the units that are given
/// to it. Minimising makes one of one unit; purifying and splitting, several of one; merging, one of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub tests: Vec<TestDraft>,
    pub reach: Reach,
}

/// How much of a file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All that the edits name, as a search needs it. Invariant: the draft is of one edited test, under its own name, of the
    /// only unit.
    File,
    /// The tests alone, and the imports that they need. Other cases of a parametrised test stay.
    Test,
}

impl Draft {
    /// Tests in the place of those of the units.
    pub fn of(tests: Vec<TestDraft>) -> Self {
        Self { tests, reach: Reach::Test }
    }

    /// The same tests with every kept mask as it was.
    #[must_use]
    pub fn with_whole_masks(mut self, units: &[&Unit]) -> Self {
        for test in &mut self.tests {
            if let Body::Edited { unit, edits } = &mut test.body {
                *edits = edits.with_whole_masks(units[*unit]);
            }
        }
        self
    }

    /// The only unit's file with its edits.
    pub fn edited(edits: EditSet) -> Self {
        Self { tests: vec![TestDraft::edited(0, edits)], reach: Reach::File }
    }
}

/// One test to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestDraft {
    pub name: Name,
    pub body: Body,
}

impl TestDraft {
    /// An edited test under its own name.
    pub fn edited(unit: usize, edits: EditSet) -> Self {
        Self { name: Name::AsItWas, body: Body::Edited { unit, edits } }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// That of its unit's test. Where several tests of a draft ask for the same one, they get free names made from it.
    AsItWas,
    New(String),
}

/// What a test does. Units are told by their index among those of the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// What edits leave of a unit.
    Edited {
        unit: usize,
        edits: EditSet,
    },
    /// The same, with loops whose rounds are told apart.
    Rounds {
        unit: usize,
        edits: EditSet,
        rounds: Vec<Rounds>,
    },
    Composed(Composed),
}

impl Body {
    /// The unit that the test is an edited one of, with its edits.
    pub fn edited(&self) -> Option<(usize, &EditSet)> {
        match self {
            Body::Edited { unit, edits } | Body::Rounds { unit, edits, .. } => Some((*unit, edits)),
            Body::Composed(_) => None,
        }
    }
}

/// A loop with the values that it goes through written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    pub stmt: StmtId,
    /// The statement of the test that gives the values, where they stand in a variable.
    pub given_by: Option<StmtId>,
    /// What it goes through, round by round.
    pub elements: Vec<String>,
    /// The variables of the loop, and their values in each round.
    pub cases: Cases,
    /// All values in one text, where that is as good as a list of the cases.
    pub values: Option<String>,
    /// Whether each round becomes a case with a set-up of its own. Else they stay in one test, which says of each how it went.
    pub apart: bool,
    /// The only round that is written, to see whether it needs others.
    pub only: Option<usize>,
}

/// A test made of statements of several units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Composed {
    /// The unit in the place of whose test it stands, and from which it has its decorators and parameters.
    pub host: usize,
    /// What runs before the test, in a fixture or set-up of its own.
    pub setup: Vec<Piece>,
    /// The statements of its body, in order.
    pub pieces: Vec<Piece>,
    /// The cases of a parametrised test; none of a plain one.
    pub cases: Option<Cases>,
}

/// A statement of a unit with all that is nested in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub unit: usize,
    pub stmt: StmtId,
    /// What variables are called in the written test. One that is not named here keeps its name, or gets a free one where
    /// another unit's variable has it. To let two units share a variable, both (or the later one) name it.
    pub renames: BTreeMap<PlaceId, String>,
    /// Parts of the statement that give way to a text: to the name of a parameter.
    pub holes: Vec<(TextRange, String)>,
}

impl Piece {
    /// The statement as it is.
    pub fn plain(unit: usize, stmt: StmtId) -> Self {
        Self { unit, stmt, renames: BTreeMap::new(), holes: Vec::new() }
    }
}

/// The parameters of a parametrised test, and their values in each case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    pub params: Vec<Param>,
    pub rows: Vec<Case>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: String,
    /// Its type, for a language that declares one. Of literals it is found from their texts.
    pub declared: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What a reader knows it by, where the framework has room for that.
    pub id: String,
    /// A text per parameter.
    pub values: Vec<String>,
}
