//! Where the parts of a statement lie that a unit does not say: braces, what follows a block, commas.

use paring_model::TextRange;

/// How the body of a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Body {
    /// It has none.
    #[default]
    None,
    /// Offsets of `{` and `}`.
    Braced { open: u32, close: u32 },
    /// One statement without braces: after `if (…)`, `else`, a loop, a label.
    Bare,
    /// One statement or expression behind the `->` of a `case`.
    Arrow,
    /// Statements behind the `:` of a `case`.
    Group,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shape {
    pub body: Body,
    /// What follows the body and is no clause: `while (x);` of a `do`, `);` of a call that runs a lambda.
    pub tail: TextRange,
    /// Offsets of the commas between the variables of a declaration.
    pub commas: Vec<u32>,
    /// The children in the header are the variables of one declaration.
    pub is_list: bool,
    /// The block of a `case` that gives a value: something must stand there.
    pub is_rule: bool,
    /// A `try` that opens something.
    pub has_resources: bool,
    /// Names of the variables that the node itself declares, for clashes after unwrapping.
    pub declares: Vec<String>,
}
