//! Outcomes as `JUnit` XML: a testcase per target, whose failure is the preserved one with the pared test as its body.

use crate::words;
use paring_tasks::{Outcome, Status};
use std::fmt::Write;
use std::time::Duration;

/// A complete report, one testcase per outcome.
pub fn junit_out(outcomes: &[Outcome]) -> String {
    let elements: Vec<Option<Element>> = outcomes.iter().map(element).collect();
    let n_of = |tag: &str| elements.iter().flatten().filter(|element| element.tag == tag).count();
    let totals = format!(
        "name=\"paring\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{}\"",
        outcomes.len(),
        n_of("failure"),
        n_of("error"),
        seconds(outcomes.iter().map(|outcome| outcome.elapsed).sum()),
    );
    let mut xml =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {totals}>\n<testsuite {totals}>\n");
    for (outcome, element) in outcomes.iter().zip(&elements) {
        write_case(&mut xml, outcome, element.as_ref());
    }
    xml.push_str("</testsuite>\n</testsuites>\n");
    xml
}

/// What stands in a testcase that did not pass.
struct Element {
    tag: &'static str,
    kind: String,
    message: String,
    body: String,
}

fn element(outcome: &Outcome) -> Option<Element> {
    let failure = outcome.failure.as_ref().map(paring_model::Failure::exception);
    match (outcome.status, &outcome.pared, failure) {
        (Status::Minimized | Status::Unchanged | Status::Interrupted, Some(pared), Some(exception)) => {
            Some(Element {
                tag: "failure",
                kind: exception.type_name.clone(),
                message: exception.message.clone(),
                body: format!("pared: {}\n\n{}", words::headline(outcome, "->"), pared.test),
            })
        }
        (Status::Passing, _, _) => None,
        (
            Status::Minimized
            | Status::Unchanged
            | Status::Flaky
            | Status::NotGood
            | Status::NotFound
            | Status::Interrupted
            | Status::Error,
            _,
            _,
        ) => {
            let code = outcome.error.as_ref().map_or(outcome.status.word(), |error| error.code.word());
            let (message, help) = words::advice(outcome).map(|it| (it.message, it.help)).unwrap_or_default();
            Some(Element { tag: "error", kind: format!("paring.{code}"), message, body: help })
        }
    }
}

fn write_case(xml: &mut String, outcome: &Outcome, element: Option<&Element>) {
    let (classname, name, file) = names(&outcome.target);
    write!(xml, "<testcase classname=\"{}\" name=\"{}\"", attribute(&classname), attribute(&name))
        .expect(INFALLIBLE);
    if let Some(file) = file {
        write!(xml, " file=\"{}\"", attribute(&file)).expect(INFALLIBLE);
    }
    if let Some(line) = words::failing_line(outcome) {
        write!(xml, " line=\"{line}\"").expect(INFALLIBLE);
    }
    write!(xml, " time=\"{}\"", seconds(outcome.elapsed)).expect(INFALLIBLE);
    let Some(Element { tag, kind, message, body }) = element else {
        xml.push_str("/>\n");
        return;
    };
    let (kind, message, body) = (attribute(kind), attribute(message), escape(body, false));
    writeln!(xml, ">\n<{tag} type=\"{kind}\" message=\"{message}\">{body}</{tag}>\n</testcase>")
        .expect(INFALLIBLE);
}

const INFALLIBLE: &str = "writing to a string does not fail";

/// Class name, test name and file, as pytest would put them: `tests/test_a.py::TestB::test_c` is `test_c` of
/// `tests.test_a.TestB`; as Surefire would, `com.acme.CartTest#total` is `total` of `com.acme.CartTest`.
fn names(target: &str) -> (String, String, Option<String>) {
    // The brackets of a parametrised test may hold `::`.
    let (base, case) = target.split_at(target.find('[').unwrap_or(target.len()));
    if let Some((class, method)) = base.split_once('#').filter(|_| !base.contains("::")) {
        return (class.to_owned(), format!("{method}{case}"), None);
    }
    let mut parts: Vec<&str> = base.split("::").collect();
    let file = (parts.len() > 1).then(|| parts.remove(0));
    let name = format!("{}{case}", parts.pop().unwrap_or_default());
    let module = file.map(|file| file.strip_suffix(".py").unwrap_or(file).replace(['/', '\\'], "."));
    let classname: Vec<&str> = module.as_deref().into_iter().chain(parts).collect();
    (classname.join("."), name, file.map(str::to_owned))
}

fn seconds(elapsed: Duration) -> String {
    format!("{:.3}", elapsed.as_secs_f64())
}

fn attribute(text: &str) -> String {
    escape(text, true)
}

/// Escapes markup, and what XML 1.0 cannot hold at all, the latter as pytest does: `#x1B`.
fn escape(text: &str, in_attribute: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' if in_attribute => escaped.push_str("&quot;"),
            '\n' | '\t' if !in_attribute => escaped.push(c),
            // A bare one of these would be read back as a space or a newline.
            '\n' | '\t' | '\r' => write!(escaped, "&#{};", u32::from(c)).expect(INFALLIBLE),
            '\0'..='\x1f' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                write!(escaped, "#x{:02X}", u32::from(c)).expect(INFALLIBLE);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::junit::tests_in;
    use crate::sample;

    #[test]
    fn every_status_is_a_testcase() {
        insta::assert_snapshot!(junit_out(&sample::every_status()));
    }

    #[test]
    fn what_is_written_can_be_read_back() {
        let mut outcome = sample::minimized();
        outcome.target = "tests/test_a.py::TestB::test_c[<a & \"b\">-x::y\n\x1b]".to_owned();
        let failures = tests_in(&junit_out(&[outcome])).unwrap();
        assert_eq!(failures.len(), 1);
        assert_eq!(failures[0].classname, "tests.test_a.TestB");
        assert_eq!(failures[0].name, "test_c[<a & \"b\">-x::y\n#x1B]");
        assert_eq!(failures[0].file.as_deref(), Some("tests/test_a.py"));
    }

    #[test]
    fn names_are_those_the_framework_gives() {
        let names = |target| {
            let (classname, name, file) = names(target);
            format!("{classname} {name} {file:?}")
        };
        assert_eq!(names("tests/a.py::test_b"), "tests.a test_b Some(\"tests/a.py\")");
        assert_eq!(names("a.py::T::U::test_b[x::y]"), "a.T.U test_b[x::y] Some(\"a.py\")");
        assert_eq!(names("pkg.mod.Case.test_b"), " pkg.mod.Case.test_b None");
        assert_eq!(names("com.acme.Cart$Full#total[2: x#y]"), "com.acme.Cart$Full total[2: x#y] None");
    }
}
