//! What every front end's `write` has to hold to: several tests of one, one of two, a parametrised one of three, and their
//! runs in several orders.

use camino::Utf8Path;
use paring_model::{
    Body, Candidate, Case, Cases, Composed, Draft, EditSet, Form, Frontend, Heat, Job, Name, Observation,
    Param, Piece, Runner, StmtId, StmtKind, TargetSpec, TestDraft, TextRange, Token, TokenKind, Unit,
    Unwritable, Written,
};
use std::collections::BTreeSet;

/// A file with three passing tests that differ in literals alone. Each begins with a definition that the rest reads, and has at
/// least two assertions.
pub struct WriteCases<'a> {
    pub path: &'a str,
    pub source: &'a str,
    pub targets: [&'a str; 3],
    /// Whether the framework has parametrised tests.
    pub parametrises: bool,
}

/// Writes tests and runs them.
pub fn writer(frontend: &dyn Frontend, runner: &dyn Runner, cases: &WriteCases<'_>) {
    let parse =
        |target: &&str| frontend.parse(Utf8Path::new(cases.path), cases.source, &TargetSpec::new(*target)).0;
    let units: Vec<Unit> = cases.targets.iter().map(parse).collect();
    let suite = Suite { frontend, runner, cases, units: units.iter().collect() };
    suite.no_edits_give_the_source();
    suite.edits_compose();
    suite.several_of_one();
    suite.one_of_two();
    suite.with_a_set_up();
    suite.parametrised_of_three();
    suite.a_taken_name_is_refused();
}

struct Suite<'a> {
    frontend: &'a dyn Frontend,
    runner: &'a dyn Runner,
    cases: &'a WriteCases<'a>,
    units: Vec<&'a Unit>,
}

/// The statements that stand in a test, nested ones left out.
fn body(unit: &Unit) -> Vec<StmtId> {
    let test = unit.test.expect("the test is found");
    unit.stmt(unit.routine(test).def.expect("a test has a definition")).children.clone()
}

impl Suite<'_> {
    fn write(&self, n_units: usize, tests: Vec<TestDraft>) -> Result<Written, Unwritable> {
        self.frontend.write(&self.units[..n_units], &Draft::of(tests), Form::Compact)
    }

    fn no_edits_give_the_source(&self) {
        for form in [Form::Blanked, Form::Compact] {
            let draft = Draft::edited(EditSet::all(self.units[0]));
            let written = self.frontend.write(&self.units[..1], &draft, form).expect("a text");
            assert_eq!(written.candidate.text(), self.cases.source, "{form:?}");
        }
        let all = (0..3).map(|idx| TestDraft::edited(idx, EditSet::all(self.units[idx])));
        let written = self.write(3, all.collect()).expect("a text");
        assert_eq!(written.candidate.text(), self.cases.source, "three tests as they were");
        assert_eq!(written.candidate.target_ids(), self.cases.targets);
    }

    /// What is removed at once and what is removed in two steps is the same text.
    fn edits_compose(&self) {
        let unit = self.units[0];
        let stmts = body(unit);
        for (idx, &one) in stmts.iter().enumerate() {
            for (later, &other) in stmts.iter().enumerate().skip(idx + 1) {
                let both = self.removed(unit, &[one, other]);
                let first = self.removed(unit, &[one]);
                let target = TargetSpec::new(self.cases.targets[0]);
                let (between, _) = self.frontend.parse(&unit.path, &first, &target);
                let other = body(&between)[later - 1];
                assert_eq!(self.removed(&between, &[other]), both, "first {one:?}");
            }
        }
    }

    fn removed(&self, unit: &Unit, stmts: &[StmtId]) -> String {
        let mut edits = EditSet::all(unit);
        for &id in stmts {
            edits.remove(unit, id);
        }
        let written = self.frontend.write(&[unit], &Draft::edited(edits), Form::Compact);
        written.expect("a text").candidate.into_text()
    }

    fn several_of_one(&self) {
        let unit = self.units[0];
        let asserts: Vec<StmtId> =
            body(unit).into_iter().filter(|&id| unit.stmt(id).kind == StmtKind::Assert).collect();
        assert!(asserts.len() > 1, "the first test has several assertions");
        let only = |kept: &StmtId| {
            let mut edits = EditSet::all(unit);
            asserts.iter().filter(|id| *id != kept).for_each(|&id| edits.remove(unit, id));
            TestDraft::edited(0, edits)
        };
        let written = self.write(1, asserts.iter().map(only).collect()).expect("a text");
        self.check(&written, 1, asserts.len());
        for (test, &kept) in asserts.iter().enumerate() {
            let line = |id: StmtId| (0, unit.line_of(unit.stmt(id).range.start));
            let lines = (1..).take(written.candidate.text().lines().count());
            let from: BTreeSet<(usize, u32)> =
                lines.filter_map(|line| written.origins.origin(test, line)).collect();
            for &id in &asserts {
                assert_eq!(from.contains(&line(id)), id == kept, "test {test}: {from:?}");
            }
        }
    }

    fn one_of_two(&self) {
        let pieces = [0, 1]
            .iter()
            .flat_map(|&idx| body(self.units[idx]).into_iter().map(move |stmt| Piece::plain(idx, stmt)));
        let composed = Composed { pieces: pieces.collect(), ..Composed::default() };
        let written = self.composed(2, composed).expect("a text");
        self.check(&written, 2, 1);
    }

    fn with_a_set_up(&self) {
        let stmts = body(self.units[0]);
        let piece = |&stmt: &StmtId| Piece::plain(0, stmt);
        let setup = vec![piece(&stmts[0])];
        let composed =
            Composed { setup, pieces: stmts[1..].iter().map(piece).collect(), ..Composed::default() };
        let written = self.composed(1, composed).expect("a text");
        self.check(&written, 1, 1);
    }

    fn parametrised_of_three(&self) {
        let tokens: Vec<Vec<Token>> = self.units.iter().map(|unit| self.body_tokens(unit)).collect();
        assert!(
            tokens.iter().all(|other| other.len() == tokens[0].len()),
            "the tests differ in literals alone"
        );
        let text = |idx: usize, at: usize| tokens[idx][at].range.of(self.cases.source);
        let differs = |at: &usize| (1..3).any(|idx| text(idx, *at) != text(0, *at));
        let places: Vec<usize> = (0..tokens[0].len()).filter(differs).collect();
        assert!(places.iter().all(|&at| tokens[0][at].kind != TokenKind::Name), "names differ");
        // Equal columns are one parameter.
        let column = |at: &usize| (0..3).map(|idx| text(idx, *at)).collect::<Vec<_>>();
        let columns: BTreeSet<Vec<&str>> = places.iter().map(column).collect();
        let columns: Vec<Vec<&str>> = columns.into_iter().collect();
        let name = |at: &usize| {
            let number =
                columns.iter().position(|other| *other == column(at)).expect("every column is there");
            format!("given{}", number + 1)
        };
        let unit = self.units[0];
        let pieces = body(unit).into_iter().map(|stmt| {
            let range = unit.stmt(stmt).range;
            let own = places.iter().filter(|at| range.covers(tokens[0][**at].range));
            let holes: Vec<(TextRange, String)> = own.map(|at| (tokens[0][*at].range, name(at))).collect();
            Piece { holes, ..Piece::plain(0, stmt) }
        });
        let params =
            (1..=columns.len()).map(|number| Param { name: format!("given{number}"), declared: None });
        let rows = (0..3).map(|idx| Case {
            id: format!("case{idx}"),
            values: columns.iter().map(|column| column[idx].to_owned()).collect(),
        });
        let cases = Some(Cases { params: params.collect(), rows: rows.collect() });
        let composed = Composed { pieces: pieces.collect(), cases, ..Composed::default() };
        let written = self.composed(3, composed);
        if self.cases.parametrises {
            self.check(&written.expect("a text"), 3, 1);
        } else {
            assert_eq!(written, Err(Unwritable::NotSupported));
        }
    }

    fn body_tokens(&self, unit: &Unit) -> Vec<Token> {
        let tokens = self.frontend.tokens(&unit.source).into_iter();
        let ranges: Vec<TextRange> = body(unit).into_iter().map(|id| unit.stmt(id).range).collect();
        tokens.filter(|token| ranges.iter().any(|range| range.covers(token.range))).collect()
    }

    fn composed(&self, n_units: usize, composed: Composed) -> Result<Written, Unwritable> {
        self.write(n_units, vec![TestDraft { name: Name::AsItWas, body: Body::Composed(composed) }])
    }

    fn a_taken_name_is_refused(&self) {
        let taken = self.cases.targets[1].rsplit(['#', ':']).next().expect("a name").to_owned();
        let draft = |name: &str| {
            let body = Body::Edited { unit: 0, edits: EditSet::all(self.units[0]) };
            vec![TestDraft { name: Name::New(name.to_owned()), body }]
        };
        assert_eq!(self.write(1, draft(&taken)).err(), Some(Unwritable::NameTaken(taken)));
        self.check(&self.write(1, draft("test_something_new")).expect("a text"), 1, 1);
    }

    /// The written tests have names of their own, take the place of the units' tests, leave the others as they were, and pass
    /// in every order.
    fn check(&self, written: &Written, n_units: usize, n_tests: usize) {
        let candidate = &written.candidate;
        let text = candidate.text();
        let ids: BTreeSet<String> = candidate.target_ids().into_iter().collect();
        assert_eq!((ids.len(), candidate.targets.len()), (n_tests, n_tests), "{ids:?}");
        let find = |id: &str| self.frontend.parse(&self.units[0].path, text, &TargetSpec::new(id));
        for id in &ids {
            let (unit, problems) = find(id);
            assert!(problems.is_empty(), "{problems:?}:\n{text}");
            assert!(unit.test.is_some(), "{id} is not found in\n{text}");
        }
        for (idx, target) in self.cases.targets.iter().enumerate() {
            let (unit, _) = find(target);
            let stays = idx >= n_units;
            assert!(
                stays || ids.contains(*target) || unit.test.is_none(),
                "{target} is still there:\n{text}"
            );
            if stays {
                let def = |unit: &Unit| {
                    unit.stmt(unit.routine(unit.test.expect("it stays")).def.expect("a definition"))
                        .range
                        .of(&unit.source)
                        .to_owned()
                };
                assert_eq!(def(&unit), def(self.units[idx]), "{target}");
            }
        }
        let stay = self.cases.targets[n_units..].iter().map(|&id| id.to_owned());
        let whole = candidate.clone().with_targets(candidate.target_ids().into_iter().chain(stay));
        for candidate in [whole.clone(), whole.shuffled(1), whole.shuffled(2)] {
            self.passes(candidate);
        }
    }

    fn passes(&self, candidate: Candidate) {
        let n_targets = candidate.targets.len();
        let job = Job::new(candidate, Heat::Warm, None);
        let seen = self.runner.observe(std::slice::from_ref(&job)).expect("observations").remove(0);
        let passed = vec![Observation::Passed; n_targets];
        assert_eq!(seen, passed, "{:?} in\n{}", job.candidate.target_ids(), job.candidate.text());
    }
}
