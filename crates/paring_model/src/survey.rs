//! A test file as merging sees it: each test as a row of steps, each step as words, variables and literals.
//!
//! ```text
//! def test_accents_go():                      header: what must be the same in tests that meet
//!     # not in the first draft                a remark, over step 0
//!     plain = slug("déjà vu", limit=9)        step 0: VARIABLE = slug ( LITERAL , limit = LITERAL )
//! ```
//!
//! A front end that can merge gives a [`Merger`]. It tells what stands where, and writes the parts that are not the same in all
//! languages; which tests meet, and what is written, is for a job to say.

use crate::text::TextRange;
use std::collections::BTreeSet;

/// What merging asks of a language.
pub trait Merger: Sync {
    /// The tests of a file, in source order. Of broken text, those that could be made out.
    fn survey(&self, source: &str) -> Survey;

    /// The head of a test with rows in the place of some tests, and what it needs.
    fn with_rows(&self, source: &str, host: &Shape, rows: &Rows) -> Result<Headed, Refusal>;

    /// What a common beginning becomes: a fixture, or set-up of the class.
    fn set_up(&self, source: &str, host: &Shape, beginning: &Beginning) -> Result<SetUp, Refusal>;

    /// Whether a set-up can be for some tests of a class or module alone.
    fn shares_with_some(&self, host: &Shape) -> bool;

    /// The parameters of a test with one more, and without those that its rest does not use: what is replaced by what.
    fn with_parameter(
        &self,
        source: &str,
        shape: &Shape,
        name: &str,
        is_used: &dyn Fn(&str) -> bool,
    ) -> Option<(TextRange, String)>;

    /// One test of what several did: its head, and its body from that of the host and the rest of each.
    fn joined(&self, source: &str, host: &Shape, joint: &Joint) -> Result<Headed, Refusal>;

    /// The text with imports that it does not have yet.
    fn import(&self, text: String, imports: &BTreeSet<String>) -> String;

    /// The framework's name of a test that stands where another does: `tests/test_a.py::TestB::test_new` for that of `test_old`.
    fn id(&self, old: &str, new_name: &str) -> String;
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    pub shapes: Vec<Shape>,
    /// Every identifier of the file, whatever it names.
    pub words: BTreeSet<String>,
}

impl Survey {
    /// The test that an id of the framework names. An id has the path or the package before the name within the file.
    pub fn find(&self, id: &str) -> Option<&Shape> {
        self.shapes.iter().find(|shape| {
            let before = id.strip_suffix(&shape.id);
            before.is_some_and(|before| before.is_empty() || before.ends_with([':', '.']))
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Framework {
    Pytest,
    Unittest,
    Jupiter,
    Junit4,
    Junit3,
}

/// One test of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The name within the file: `TestCart::test_put`, `CartTest$Small#put`.
    pub id: String,
    pub name: String,
    pub framework: Framework,
    /// All lines of it, with the comments right above: from the start of its first line to the end of the text of its last.
    pub whole: TextRange,
    /// The lines of its body, likewise.
    pub body: TextRange,
    pub indent: String,
    pub body_indent: String,
    /// Where its first decorator, annotation or word begins.
    pub head_start: u32,
    /// Whether something is given to it: fixtures, arguments. The test object does not count.
    pub has_parameters: bool,
    /// What must be the same in tests that meet: class, decorators, parameters, exceptions. No name, no remarks.
    pub header: String,
    /// What a reader knows it by, where that is not its name.
    pub shown: Option<String>,
    pub steps: Vec<Step>,
    pub remarks: Vec<Remark>,
    /// Parts of the text that may not be indented anew: strings of several lines.
    pub solid: Vec<TextRange>,
    /// The exception that ends it, where its framework has to see one.
    pub expects: Option<String>,
    /// Why it is left alone.
    pub refusal: Option<Refusal>,
}

/// A statement of a test's body, with all that is nested in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub range: TextRange,
    pub atoms: Vec<Atom>,
    /// Whether it checks something.
    pub checks: bool,
    /// Whether it says something of its own where it fails.
    pub has_message: bool,
}

/// The smallest part of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    pub range: TextRange,
    pub kind: AtomKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtomKind {
    /// A sign, a keyword, a name of something outside the test.
    Word,
    /// A variable of the test's own that may be called otherwise.
    Variable,
    Literal(LiteralShape),
}

/// A literal, lists of literals included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralShape {
    /// Its type, as far as tests that meet must have the same.
    pub class: String,
    /// A word for it, where nothing better is known: `text`, `number`.
    pub noun: &'static str,
    pub hint: Hint,
    /// Whether it is made anew each time it is evaluated, and may be changed.
    pub is_mutable: bool,
}

/// What tells how a literal might be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The whole step gives it to a variable that nothing else is given to, of this type where the language has one.
    Given {
        variable: String,
        declared: Option<String>,
    },
    /// A keyword says it.
    Named(String),
    /// It is what comes out, by an assertion.
    Expected,
    None,
}

/// A comment or a docstring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What is cut where it moves: whole lines, or what stands behind code.
    pub range: TextRange,
    /// Its lines, without comment signs.
    pub lines: Vec<String>,
    pub at: RemarkAt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkAt {
    /// Above the test, or its docstring.
    Test,
    /// In lines of its own before a step (or behind the last).
    Over(usize),
    /// Behind the last line of a step.
    Behind(usize),
    /// In the middle of a step.
    Within(usize),
}

/// A test with rows: what its host's head and body become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    pub name: String,
    pub params: Vec<RowParam>,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowParam {
    pub name: String,
    /// The type, where the language has one.
    pub class: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// From the old name.
    pub label: String,
    /// A text per parameter.
    pub values: Vec<String>,
    pub above: Vec<String>,
    pub behind: Vec<String>,
}

/// Steps that tests begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    pub n_steps: usize,
    /// The lines of the host that it is.
    pub lines: TextRange,
    /// The host's variables that the rest of a test reads.
    pub variables: Vec<String>,
    /// How many tests of the class have it.
    pub n_tests: usize,
}

/// Where a common beginning goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetUp {
    /// Whole lines that stand before the first test.
    pub text: String,
    /// What the variables are called in the tests, in their order.
    pub called: Vec<String>,
    /// The parameter that each test gets.
    pub parameter: Option<String>,
    pub imports: Vec<String>,
}

/// Tests to be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    pub name: String,
    /// The common beginning, as lines.
    pub beginning: String,
    pub rests: Vec<Rest>,
    /// Whether a check that fails may hide those behind it.
    pub may_hide: bool,
}

/// A stretch of what one of several tests does behind their common beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    pub label: String,
    /// Comment lines that go with it.
    pub above: Vec<String>,
    /// Its lines, with the line end of the last.
    pub lines: String,
    /// The texts of its steps.
    pub steps: Vec<String>,
    pub expects: Option<String>,
    /// Whether it says something of its own where it fails.
    pub has_message: bool,
    /// Whether what it makes or changes is used behind it, so that it can be in no block of its own.
    pub is_open: bool,
    /// Whether it may not be indented anew.
    pub is_solid: bool,
}

impl Joint {
    /// Whether one assertion that fails would hide what another says for itself; `block` are the rests that the framework can have
    /// fail one by one.
    pub fn hides(&self, block: &dyn Fn(usize) -> bool) -> bool {
        let says = |idx: &usize| self.rests[*idx].has_message;
        let last = (0..self.rests.len()).rfind(says);
        let labels = |idx: usize| &self.rests[idx].label;
        let mut before = (0..self.rests.len()).filter(says).filter(|&idx| !block(idx));
        !self.may_hide && last.is_some_and(|last| before.any(|idx| idx < last && labels(idx) != labels(last)))
    }
}

/// What stands before the body of a written test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headed {
    /// From the start of its first line, up to the end of the line before the body.
    pub head: String,
    /// What the body is indented by beyond the host's.
    pub deeper: String,
    /// What closes it: a brace. Of a joined test, the body too.
    pub foot: String,
    pub imports: Vec<String>,
    /// What the id of each row has behind the test's name.
    pub cases: Vec<String>,
}

/// Why tests are left alone: a word for programs and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    pub code: &'static str,
    pub text: String,
}

impl Refusal {
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}
