//! What new tests begin with, moved into a fixture or set-up of their own. Never for more than one test at a time.
//!
//! ```python
//! def test_total():               @pytest.fixture
//!     cart = Cart()               def cart():
//!     cart.add("tea", 4)      →       cart = Cart()
//!     assert cart.total() == 4        cart.add("tea", 4)
//!                                     return cart
//! ```

use super::Request;
use crate::merge::{extract, prefix_groups};
use paring_model::{Candidate, Shape};

/// Where set-up goes that several new tests have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SetUpStyle {
    /// It is copied.
    Inline,
    /// Into a fixture, or the set-up of the class.
    Fixture,
    /// Likewise where the file has such set-up already.
    #[default]
    Auto,
}

impl SetUpStyle {
    pub const ALL: [Self; 3] = [SetUpStyle::Inline, SetUpStyle::Fixture, SetUpStyle::Auto];

    pub fn word(self) -> &'static str {
        match self {
            SetUpStyle::Inline => "inline",
            SetUpStyle::Fixture => "fixture",
            SetUpStyle::Auto => "auto",
        }
    }
}

/// The file with what its new tests begin with in a place of its own. `None` where it stays in each of them.
pub fn moved(request: &Request<'_>, candidate: &Candidate) -> Option<Candidate> {
    let is_wanted = match request.set_up {
        SetUpStyle::Inline => false,
        SetUpStyle::Fixture => true,
        SetUpStyle::Auto => has_set_up(request.source),
    };
    let merger = request.frontend.merger().filter(|_| is_wanted)?;
    let ids = candidate.target_ids();
    let survey = merger.survey(candidate.text());
    let own: Vec<(&str, &Shape)> =
        ids.iter().filter_map(|id| Some((id.as_str(), survey.find(id)?))).collect();
    let is_own = |shape: &Shape| own.iter().any(|(_, other)| other.id == shape.id);
    let alike = prefix_groups(&survey, candidate.text(), is_own).into_iter().next()?;
    let shapes: Vec<&Shape> = alike.tests.iter().map(|&idx| &survey.shapes[idx]).collect();
    let id = |shape: &&Shape| own.iter().find(|(_, other)| other.id == shape.id).map(|(id, _)| *id);
    let ids: Vec<&str> = shapes.iter().filter_map(id).collect();
    let written = extract(merger, &survey, candidate.text(), &shapes, &ids, alike.n_steps).ok()?;
    Some(candidate.clone().with_text(written.text))
}

/// Whether a file has tests that are set up somewhere else than in themselves.
fn has_set_up(source: &str) -> bool {
    ["@pytest.fixture", "@fixture", "def setUp(", "@BeforeEach", "@Before\n", "@Before ", "void setUp("]
        .iter()
        .any(|words| source.contains(words))
}
