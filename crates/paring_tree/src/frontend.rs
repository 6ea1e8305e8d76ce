//! A front end over any tree-sitter grammar.
//!
//! Modules stand in the order of the work: `grammar` parses, `structure` makes a unit of the tree, with `name` for what is
//! read and defined, `piece` cuts a unit's text into what stays or goes as a whole, and `layout` puts kept pieces
//! together again as a person would.

mod grammar;
mod layout;
mod name;
mod piece;
mod structure;

#[cfg(test)]
mod tests;

use crate::lang::Lang;
use camino::Utf8Path;
use paring_model::{
    Candidate, Draft, EditSet, Form, Frontend, Grain, Problem, Spot, TargetSpec, TestWriter, Token, Unit,
    Unused, Unwritable, Written,
};

/// The front end of one language.
#[derive(Clone, Copy, Debug)]
pub struct TreeFrontend {
    pub lang: Lang,
}

impl Frontend for TreeFrontend {
    fn parse(&self, path: &Utf8Path, source: &str, target: &TargetSpec) -> (Unit, Vec<Problem>) {
        let tree = grammar::parse(self.lang, source);
        let unit = structure::unit(self.lang, path, source, &target.id, tree.root_node());
        (unit, grammar::problems(tree.root_node()))
    }

    fn write(&self, units: &[&Unit], draft: &Draft, form: Form) -> Result<Written, Unwritable> {
        paring_model::write(self, units, draft, form)
    }

    fn test_text(&self, unit: &Unit) -> String {
        unit.source.clone()
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        grammar::tokens(grammar::parse(self.lang, text).root_node(), text)
    }

    fn grain(&self) -> Grain {
        let unused = if self.lang == Lang::Go { Unused::Refused } else { Unused::Allowed };
        Grain::Tree { unused }
    }

    fn is_well_formed(&self, unit: &Unit, candidate: &Candidate) -> bool {
        let n_problems = |text: &str| grammar::problems(grammar::parse(self.lang, text).root_node()).len();
        let found = n_problems(candidate.text());
        found == 0 || found <= n_problems(&unit.source)
    }

    fn control(&self, unit: &Unit) -> Option<Candidate> {
        Some(crate::whole_file::empty(unit))
    }
}

impl TestWriter for TreeFrontend {
    /// Both forms are the compact one: a command tells no positions that would have to stay comparable, and what is run is
    /// what the user gets.
    fn render(&self, unit: &Unit, edits: &EditSet, form: Form) -> Candidate {
        let text = layout::text(unit, edits, grammar::filler(self.lang));
        unit.candidate(text, form)
    }

    fn spot(&self, unit: &Unit) -> Option<Spot> {
        Some(crate::whole_file::spot(unit))
    }
}
