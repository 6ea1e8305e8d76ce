//! What every tracer has to hold to: what ran, in which order, and who used and changed which resource.

use camino::Utf8Path;
use paring_model::{
    Candidate, Facts, Form, Frontend, How, Resource, Runner, StmtId, TargetSpec, Touch, Unit,
};

/// A failing test in which each of these statements runs once, in this order. All but the first are told by how they begin.
pub struct FactsCases<'a> {
    pub path: &'a str,
    pub source: &'a str,
    pub target: &'a str,
    /// The file that the test makes, by its name.
    pub file: &'a str,
    pub makes: &'a str,
    /// Adds to the file; stands in a loop and runs three times.
    pub appends: &'a str,
    pub reads: &'a str,
    /// The attribute of the code under test, by its name.
    pub attribute: &'a str,
    pub sets: &'a str,
    /// Calls code under test that reads the attribute.
    pub gets: &'a str,
    /// Sleeps; from then on the clock counts.
    pub waits: &'a str,
    pub asks_the_clock: &'a str,
    /// Touches nothing, and runs no code under test.
    pub plain: &'a str,
    /// Stands in a branch that is not taken.
    pub never: &'a str,
    pub removes: &'a str,
}

/// Traces the test once.
pub fn facts(frontend: &dyn Frontend, runner: &dyn Runner, cases: &FactsCases<'_>) {
    let target = TargetSpec::new(cases.target);
    let (unit, problems) = frontend.parse(Utf8Path::new(cases.path), cases.source, &target);
    assert!(problems.is_empty(), "{problems:?}");
    let candidate =
        Candidate::single(cases.path.into(), cases.source.to_owned(), cases.target, Form::Blanked);
    let facts = runner.facts(&unit, &candidate).expect("facts");
    assert!(facts.observed, "a tracer has looked");
    let traced = Traced { cases, unit: &unit, facts: &facts };
    traced.what_ran_is_counted();
    traced.files_are_followed();
    traced.attributes_are_followed();
    traced.the_rest();
}

struct Traced<'a> {
    cases: &'a FactsCases<'a>,
    unit: &'a Unit,
    facts: &'a Facts,
}

impl Traced<'_> {
    /// The innermost statement whose text begins like this.
    fn stmt(&self, text: &str) -> StmtId {
        let begins = |id: &StmtId| self.unit.stmt(*id).range.of(&self.unit.source).starts_with(text);
        self.unit.ids().rfind(begins).unwrap_or_else(|| panic!("no statement {text}"))
    }

    /// In order of time, with the place in it.
    fn touches(&self, text: &str) -> Vec<(usize, Touch, Resource)> {
        let id = self.stmt(text);
        let all = self.facts.resources.touches().enumerate();
        all.filter(|(_, (touch, _))| touch.stmt == id)
            .map(|(idx, (touch, resource))| (idx, touch, resource.clone()))
            .collect()
    }

    /// What a statement did to that resource.
    fn how(&self, text: &str, resource: &Resource) -> Vec<How> {
        let touches = self.touches(text).into_iter().filter(|(_, _, other)| other == resource);
        touches.map(|(_, touch, _)| touch.how).collect()
    }

    fn what_ran_is_counted(&self) {
        let FactsCases { makes, appends, reads, sets, gets, waits, asks_the_clock, plain, removes, .. } =
            self.cases;
        let in_order = [makes, appends, reads, sets, gets, waits, asks_the_clock, plain, removes];
        let places = in_order.map(|text| {
            let id = self.stmt(text);
            let n_expected = if text == appends { 3 } else { 1 };
            assert_eq!(self.facts.hits.get(&id), Some(&n_expected), "{text}");
            self.facts.order.iter().position(|other| *other == id).unwrap_or_else(|| panic!("{text} ran"))
        });
        assert!(places.is_sorted(), "first runs are in order: {places:?}");
        let never = self.stmt(self.cases.never);
        assert_eq!(self.facts.hits.get(&never), None, "{} did not run", self.cases.never);
        assert!(!self.facts.order.contains(&never));
        assert!(!self.facts.threads, "no thread was started");
    }

    fn files_are_followed(&self) {
        let FactsCases { file, makes, appends, reads, removes, .. } = self.cases;
        let is_it = |resource: &Resource| matches!(resource, Resource::File(path) if path.ends_with(file));
        let made = self.touches(makes).into_iter().find(|(_, _, resource)| is_it(resource));
        let (_, _, made) = made.unwrap_or_else(|| panic!("{makes} touches {file}"));
        assert_eq!(self.how(makes, &made).first(), Some(&How::Kill), "what was there is gone");
        assert!(self.how(appends, &made).contains(&How::Define), "{appends}");
        assert!(!self.how(appends, &made).contains(&How::Kill), "{appends}: what was there stays");
        assert!(self.how(reads, &made).contains(&How::Use), "{reads}");
        assert!(!self.facts.resources.changes(self.stmt(reads)), "{reads} changes nothing");
        assert!(self.how(removes, &made).contains(&How::Kill), "{removes}");
        let first = |text: &str| self.touches(text).first().map(|(idx, ..)| *idx);
        let in_time = [makes, appends, reads, removes].map(|text| first(text));
        assert!(in_time.is_sorted(), "touches are in order of time: {in_time:?}");
        let nth = self.touches(appends).into_iter().filter(|(_, touch, _)| touch.how == How::Define);
        let mut nth: Vec<u32> = nth.map(|(_, touch, _)| touch.nth).collect();
        nth.dedup();
        assert_eq!(nth, [1, 2, 3], "{appends}: a touch of each execution");
    }

    fn attributes_are_followed(&self) {
        let FactsCases { attribute, sets, gets, plain, .. } = self.cases;
        let is_it =
            |resource: &Resource| matches!(resource, Resource::Attribute { name, .. } if name == attribute);
        let set = self.touches(sets).into_iter().find(|(_, _, resource)| is_it(resource));
        let (_, _, set) = set.unwrap_or_else(|| panic!("{sets} touches {attribute}"));
        assert_eq!(self.how(sets, &set), [How::Kill], "{sets}");
        assert!(self.how(gets, &set).contains(&How::Use), "{gets}");
        assert!(self.facts.resources.runs_code(self.stmt(gets)), "{gets} runs code under test");
        assert!(!self.facts.resources.runs_code(self.stmt(plain)), "{plain} runs none");
    }

    fn the_rest(&self) {
        let FactsCases { waits, asks_the_clock, plain, .. } = self.cases;
        assert!(!self.how(waits, &Resource::Clock).is_empty(), "{waits}");
        assert!(self.how(asks_the_clock, &Resource::Clock).contains(&How::Use), "{asks_the_clock}");
        assert_eq!(self.touches(plain), [], "{plain} touches nothing");
        assert!(self.facts.resources.is_complete(self.stmt(plain)), "{plain}: all its uses are known");
        let unknown = self.facts.resources.touches().find(|(_, resource)| **resource == Resource::Unknown);
        assert_eq!(unknown, None, "everything has a name");
    }
}
