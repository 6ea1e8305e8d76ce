//! A common beginning as a fixture of pytest, or as the `setUp` of a `TestCase`.
//!
//! ```python
//! @pytest.fixture                     def setUp(self):
//! def cart():                             self.cart = Cart()
//!     cart = Cart()
//!     return cart
//! ```

use super::head::{Head, name_of, unsupported};
use paring_model::{AtomKind, Beginning, Framework, Refusal, SetUp, Shape, TextRange};

pub fn set_up(source: &str, host: &Shape, beginning: &Beginning) -> Result<SetUp, Refusal> {
    if host.header.contains("async ") {
        return Err(Refusal::new("unsupported", "it is asynchronous"));
    }
    match host.framework {
        Framework::Unittest => method(source, host, beginning),
        _ => fixture(source, host, beginning),
    }
}

fn fixture(source: &str, host: &Shape, beginning: &Beginning) -> Result<SetUp, Refusal> {
    let [variable] = beginning.variables.as_slice() else {
        let text = "a fixture gives one value, and what they share gives several";
        return Err(Refusal::new("several_variables", text));
    };
    if is_known(source, host, variable) {
        return Err(Refusal::new("names", format!("{variable} means something else in the file")));
    }
    let head = Head::of(source, host).ok_or_else(unsupported)?;
    let steps = &host.steps[..beginning.n_steps];
    let reads =
        |name: &str| steps.iter().flat_map(|step| &step.atoms).any(|atom| atom.range.of(source) == name);
    let params =
        head.all_params().into_iter().filter(|param| name_of(param) == "self" || reads(name_of(param)));
    let params = params.collect::<Vec<_>>().join(", ");
    let Shape { indent, body_indent, .. } = host;
    let lines = beginning.lines.of(source);
    let gap = if indent.is_empty() { "\n\n" } else { "\n" };
    let text = format!(
        "{indent}@pytest.fixture\n{indent}def {variable}({params}):\n{lines}{body_indent}return {variable}\n{gap}"
    );
    Ok(SetUp {
        text,
        called: vec![variable.clone()],
        parameter: Some(variable.clone()),
        imports: vec!["pytest".to_owned()],
    })
}

/// Whether a name of the file's top level, or of a parameter, has that name.
fn is_known(source: &str, host: &Shape, variable: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let top = source.lines().filter(|line| !line.starts_with([' ', '\t', '#']));
    let mut defines = top.filter(|line| {
        let is_import = line.starts_with("import ") || line.starts_with("from ");
        let names = if is_import { line.split("import").last().unwrap_or_default() } else { line };
        let names = if line.starts_with("def ") || line.starts_with("class ") || is_import {
            names
        } else {
            names.split('=').next().unwrap_or_default()
        };
        names.split(|c| !is_word(c)).any(|word| word == variable)
    });
    defines.next().is_some() || host.header.split(|c| !is_word(c)).any(|word| word == variable)
}

fn method(source: &str, host: &Shape, beginning: &Beginning) -> Result<SetUp, Refusal> {
    if source.contains("def setUp") || source.contains("def asyncSetUp") {
        return Err(Refusal::new("set_up", "there is a set-up already"));
    }
    let called: Vec<String> = beginning.variables.iter().map(|name| format!("self.{name}")).collect();
    let mut text = String::new();
    let mut at = beginning.lines.start;
    for atom in host.steps[..beginning.n_steps].iter().flat_map(|step| &step.atoms) {
        let own = beginning.variables.iter().position(|name| name == atom.range.of(source));
        if let (AtomKind::Variable, Some(own)) = (&atom.kind, own) {
            text.push_str(TextRange::new(at, atom.range.start).of(source));
            text.push_str(&called[own]);
            at = atom.range.end;
        }
    }
    text.push_str(TextRange::new(at, beginning.lines.end).of(source));
    let indent = &host.indent;
    Ok(SetUp { text: format!("{indent}def setUp(self):\n{text}\n"), called, ..SetUp::default() })
}

pub fn with_parameter(
    source: &str,
    shape: &Shape,
    name: &str,
    is_used: &dyn Fn(&str) -> bool,
) -> Option<(TextRange, String)> {
    let head = Head::of(source, shape)?;
    let kept =
        head.all_params().into_iter().filter(|param| name_of(param) == "self" || is_used(name_of(param)));
    let all: Vec<&str> = kept.chain([name]).collect();
    Some((head.brackets, format!("({})", all.join(", "))))
}
