//! [`FaultRank`]: where the lines of a known fault come in the order, by every formula and every use of pared tests.

use super::evidence::evidence;
use super::lines::Lines;
use super::order::order;
use super::{Combine, Plan, PureTest};
use camino::Utf8PathBuf;
use paring_model::Covered;
use paring_spectrum::effort::{exam, wasted_effort};
use paring_spectrum::{Formula, Tally};

/// What one way of ranking is worth where the fault is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultRank {
    pub formula: Formula,
    pub way: Way,
    /// The lines to look at until the first faulty one, itself included.
    pub rank: f64,
    /// The share of all lines that are.
    pub exam: f64,
}

/// What a rank is by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The failing tests as they are.
    AsTheyAre,
    /// The same, with ties told apart: what `Settle` is worth without pared tests.
    Untied,
    Pared(Combine),
}

impl Way {
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::AsTheyAre, Self::Untied].into_iter().chain(Combine::ALL.into_iter().map(Self::Pared))
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::AsTheyAre => "none",
            Self::Untied => "untied",
            Self::Pared(combine) => combine.word(),
        }
    }

    fn combine(self) -> Combine {
        match self {
            Self::AsTheyAre => Combine::Replace,
            Self::Untied => Combine::Settle,
            Self::Pared(combine) => combine,
        }
    }

    fn needs_pared(self) -> bool {
        match self {
            Self::AsTheyAre | Self::Untied => false,
            Self::Pared(_) => true,
        }
    }
}

/// Ranks of the best-ranked faulty line; nothing where no faulty line was ranked. Ways that need pared tests are left out
/// where there are none.
pub fn fault_ranks(
    covered: &Covered,
    pure: &[PureTest],
    plan: Plan,
    faulty: &[(Utf8PathBuf, u32)],
) -> Vec<FaultRank> {
    let lines = Lines::of(&covered.files, plan.tests);
    let faulty: Vec<_> = faulty.iter().filter_map(|(path, line)| lines.holding(path, *line)).collect();
    let n_lines = u32::try_from(lines.n_lines()).unwrap_or(u32::MAX);
    let mut ranks = Vec::new();
    for way in Way::all().filter(|way| !way.needs_pared() || !pure.is_empty()) {
        let pure = if way.needs_pared() { pure } else { &[] };
        let combine = way.combine();
        let evidence = evidence(covered, pure, &lines, combine);
        let tally = Tally::with_pure(lines.n_lines(), &evidence.counted, plan.equal, &evidence.pure);
        for formula in Formula::ALL {
            let ranking =
                order(&lines, &tally, &tally.scores(formula), combine, &evidence.ran_without_effect);
            if let Some(rank) = wasted_effort(&ranking, faulty.iter().copied()) {
                ranks.push(FaultRank { formula, way, rank, exam: exam(rank, n_lines) });
            }
        }
    }
    ranks
}
