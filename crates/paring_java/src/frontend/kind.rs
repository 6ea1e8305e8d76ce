//! What a Java method or statement is for the test framework: the names that assert, fail, expect, set up.
//!
//! Judged by spelling alone; nothing here resolves a name.

use super::outline::Import;
use super::syntax::{annotations, field_text, has_modifier, named, simple_name, text};
use paring_model::StmtKind;
use tree_sitter::Node;

/// How tests are told in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// By annotations: `JUnit` 4, 5, `TestNG`.
    Annotated,
    /// By names: `JUnit` 3.
    Named,
}

/// What a method is for the framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Test,
    /// Runs once before all tests of the class.
    BeforeAll,
    BeforeEach,
    AfterEach,
    AfterAll,
    /// Called by nobody but the class itself, as far as names tell.
    Helper,
    /// A helper that carries some other annotation: whoever reads that may call it.
    Annotated,
}

/// Files that import no annotation of a framework are of `JUnit` 3, or inherit their tests.
pub fn style(imports: &[Import]) -> Style {
    let is_framework = |import: &Import| {
        let name = import.name.as_str();
        !import.is_static
            && (name == "org.junit" && import.on_demand
                || matches!(
                    name,
                    "org.junit.Test" | "org.junit.Before" | "org.junit.experimental.theories.Theory"
                )
                || name.starts_with("org.junit.jupiter.")
                || name.starts_with("org.testng.annotations"))
    };
    if imports.iter().any(is_framework) { Style::Annotated } else { Style::Named }
}

pub fn role(method: Node, source: &str, style: Style) -> Role {
    let mut has_other = false;
    for (name, _) in annotations(method, source) {
        match name {
            "Test" | "ParameterizedTest" | "RepeatedTest" | "TestFactory" | "TestTemplate" | "Theory"
            | "Property" | "FuzzTest" => return Role::Test,
            "BeforeAll" | "BeforeClass" => return Role::BeforeAll,
            "Before" | "BeforeEach" | "BeforeMethod" => return Role::BeforeEach,
            "After" | "AfterEach" | "AfterMethod" => return Role::AfterEach,
            "AfterAll" | "AfterClass" => return Role::AfterAll,
            "Override" | "SuppressWarnings" | "Deprecated" | "SafeVarargs" | "Nullable" | "Nonnull"
            | "Ignore" | "Disabled" => {}
            _ => has_other = true,
        }
    }
    if style == Style::Named {
        let n_parameters =
            method.child_by_field_name("parameters").map_or(0, |parameters| named(parameters).len());
        let name = field_text(method, "name", source);
        match name {
            "setUp" if n_parameters == 0 => return Role::BeforeEach,
            "tearDown" if n_parameters == 0 => return Role::AfterEach,
            _ if n_parameters == 0 && name.starts_with("test") && !has_modifier(method, "private") => {
                return Role::Test;
            }
            _ => {}
        }
    }
    if has_other { Role::Annotated } else { Role::Helper }
}

/// The calls along a chain, the outermost first: `isEqualTo`, `assertThat` of `assertThat(x).isEqualTo(y)`.
pub fn chain(call: Node<'_>) -> Vec<Node<'_>> {
    std::iter::successors(Some(call), |call| {
        call.child_by_field_name("object").filter(|object| object.kind() == "method_invocation")
    })
    .collect()
}

fn follows_word(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Whether a method of that name asserts.
pub fn asserts(name: &str) -> bool {
    ["assert", "verify"].iter().any(|word| name.strip_prefix(word).is_some_and(follows_word))
        || matches!(name, "failNotEquals" | "failSame" | "failNotSame" | "thenThrownBy" | "catchThrowable")
        || name.strip_prefix("assume").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether a call as a statement asserts: itself, or the call its chain begins with.
pub fn is_assertion(call: Node, source: &str) -> bool {
    chain(call).into_iter().any(|call| asserts(field_text(call, "name", source)))
}

/// Whether a call always fails the test: `fail()`, `Assert.fail()`.
pub fn is_failure(call: Node, source: &str) -> bool {
    field_text(call, "name", source) == "fail"
        && call.child_by_field_name("object").is_none_or(|object| {
            let root = simple_name(text(object, source));
            matches!(root, "this" | "super") || root.starts_with(|c: char| c.is_ascii_uppercase())
        })
}

/// What a call that runs a lambda's block as part of the test does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// It waits for something to happen in the block.
    pub expects: bool,
}

/// Whether a call runs the lambda it is given, once and at once, as part of the test.
pub fn runs_block(name: &str) -> Option<Runs> {
    match name {
        "assertThrows"
        | "assertThrowsExactly"
        | "expectThrows"
        | "assertThatThrownBy"
        | "assertThatCode"
        | "assertThatExceptionOfType"
        | "isThrownBy"
        | "catchThrowable"
        | "catchThrowableOfType"
        | "thenThrownBy"
        | "catchException"
        | "assertTimeout"
        | "assertTimeoutPreemptively" => Some(Runs { expects: true }),
        "assertDoesNotThrow" => Some(Runs { expects: false }),
        _ => None,
    }
}

/// The call in an expression statement whose lambda's block is part of the test, and that lambda.
pub fn run_block<'t>(expr: Node<'t>, source: &str) -> Option<(Runs, Node<'t>)> {
    if expr.kind() != "method_invocation" {
        return None;
    }
    chain(expr).into_iter().find_map(|call| {
        let runs = runs_block(field_text(call, "name", source))?;
        let arguments = named(call.child_by_field_name("arguments")?);
        let is_block = |node: &Node| {
            node.kind() == "lambda_expression"
                && node.child_by_field_name("body").is_some_and(|body| body.kind() == "block")
        };
        let mut lambdas = arguments.into_iter().filter(is_block);
        let lambda = lambdas.next()?;
        lambdas.next().is_none().then_some((runs, lambda))
    })
}

/// The kind of an expression statement.
pub fn expression_kind(expr: Node, source: &str) -> StmtKind {
    match expr.kind() {
        "method_invocation" if is_failure(expr, source) => StmtKind::Raise,
        "method_invocation" if is_assertion(expr, source) => StmtKind::Assert,
        _ => StmtKind::Simple,
    }
}

/// Whether a condition is literally true, or left out.
pub fn is_endless(condition: Option<Node>, source: &str) -> bool {
    condition.is_none_or(|condition| text(condition, source).trim_matches(['(', ')', ' ']) == "true")
}

/// Static methods that change state of the whole program.
pub fn changes_program(class: &str, method: &str) -> bool {
    matches!(
        (class, method),
        (
            "System",
            "setProperty"
                | "setProperties"
                | "clearProperty"
                | "setOut"
                | "setErr"
                | "setIn"
                | "setSecurityManager"
        ) | ("Locale" | "TimeZone" | "DateTimeZone", "setDefault")
            | ("Thread", "setDefaultUncaughtExceptionHandler")
    )
}
