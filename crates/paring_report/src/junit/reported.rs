//! The tests in a `JUnit` report that somebody else left behind, and which of them failed.
//!
//! There is no one `JUnit` format. What the writers agree on is `testcase` with `classname` and `name`, and a `failure` or
//! `error` within it; what they do not:
//!
//! | writer | beyond that |
//! |---|---|
//! | pytest, xunit2 | no file; a module that cannot be collected has an empty `classname` and its name in `name` |
//! | pytest, xunit1 | `file` and `line`, the line counted from 0 |
//! | unittest-xml-reporting | `file` and `line`; subtests in `name`; broken modules and classes under names of `unittest` |
//! | Surefire | `rerunFailure` beside `failure`; `flakyFailure` alone where a later run passed: not a failure |

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::BTreeSet;

/// A test that a report says has run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reported {
    pub classname: String,
    pub name: String,
    pub file: Option<String>,
    /// As the report has it; pytest counts from 0.
    pub line: Option<u32>,
    /// Whether it has a failure or an error.
    pub failed: bool,
}

/// Every testcase, in the order of the report, each once.
pub fn tests_in(xml: &str) -> Result<Vec<Reported>, String> {
    let mut tests = elements(xml)?;
    let mut seen = BTreeSet::new();
    tests.retain(|test| seen.insert((test.classname.clone(), test.name.clone(), test.failed)));
    Ok(tests)
}

fn elements(xml: &str) -> Result<Vec<Reported>, String> {
    let mut reader = Reader::from_str(xml.trim_start_matches('\u{feff}'));
    let mut tests: Vec<Reported> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut seen_root = false;
    loop {
        let at = reader.buffer_position();
        let event =
            reader.read_event().map_err(|error| format!("not well-formed XML at byte {at}: {error}"))?;
        let (element, closed) = match &event {
            Event::Start(element) => (element, false),
            Event::Empty(element) => (element, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Eof if !open.is_empty() => {
                return Err(format!("the report ends within `{}`", open.join(" > ")));
            }
            Event::Eof if !seen_root => return Err("the report is empty".to_owned()),
            Event::Eof => return Ok(tests),
            Event::Text(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)
            | Event::GeneralRef(_) => continue,
        };
        let tag = element.local_name().as_ref().to_owned();
        if !seen_root && !matches!(tag.as_str(), "testsuites" | "testsuite") {
            return Err(format!("this is no JUnit report: it starts with `{tag}`"));
        }
        seen_root = true;
        let in_case = open.last().is_some_and(|parent| parent == "testcase");
        if tag == "testcase" {
            tests.push(reported(element)?);
        } else if in_case
            && matches!(tag.as_str(), "failure" | "error")
            && let Some(test) = tests.last_mut()
        {
            test.failed = true;
        }
        if !closed {
            open.push(tag);
        }
    }
}

fn reported(element: &BytesStart) -> Result<Reported, String> {
    let attribute = |name: &str| -> Result<Option<String>, String> {
        let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
        let value = found.map(|attribute| attribute.normalized_value(XmlVersion::Implicit1_0)).transpose();
        Ok(value.map_err(|error| error.to_string())?.map(std::borrow::Cow::into_owned))
    };
    Ok(Reported {
        classname: attribute("classname")?.unwrap_or_default(),
        name: attribute("name")?.unwrap_or_default(),
        file: attribute("file")?.filter(|file| !file.is_empty()),
        line: attribute("line")?.and_then(|line| line.parse().ok()),
        failed: false,
    })
}

impl Reported {
    /// The pytest id of a Python test, where one of its files exists. Several subtests of a test share its id.
    pub fn node_id(&self, is_file: impl Fn(&str) -> bool) -> Option<String> {
        let (dotted, member) = self.dotted();
        let parts: Vec<&str> = dotted.split('.').filter(|part| !part.is_empty()).collect();
        let (file, classes) = self.by_file(&parts, &is_file).or_else(|| by_dots(&parts, &is_file))?;
        let ids = [file.as_str()].into_iter().chain(classes.iter().copied()).chain(member);
        Some(ids.collect::<Vec<_>>().join("::"))
    }

    /// The dotted name of module and classes, and the test in it. None of a module or class that failed as a whole.
    fn dotted(&self) -> (String, Option<&str>) {
        const NOT_LOADED: &str = "unittest.loader._FailedTest";
        if let Some(package) = self.classname.strip_prefix(NOT_LOADED) {
            return (format!("{package}.{}", self.name), None);
        }
        let fixtures = ["setUpClass", "tearDownClass", "setUpModule", "tearDownModule"];
        let of_fixture = |name: &&str| self.name.starts_with(*name) && self.name.ends_with(')');
        if let Some(fixture) = fixtures.into_iter().find(of_fixture) {
            return (self.name[fixture.len()..].trim_matches([' ', '(', ')']).to_owned(), None);
        }
        if self.classname.is_empty() {
            return (self.name.clone(), None);
        }
        (self.classname.clone(), Some(without_subtest(&self.name)))
    }

    /// By the file the report names: the classes are what follows its module in the dotted name.
    fn by_file<'a>(
        &self,
        parts: &[&'a str],
        is_file: &impl Fn(&str) -> bool,
    ) -> Option<(String, Vec<&'a str>)> {
        let file = self.file.as_ref().filter(|file| is_file(file))?.replace('\\', "/");
        let stem = file.rsplit('/').next()?.strip_suffix(".py")?;
        let module_idx = parts.iter().position(|&part| part == stem)?;
        Some((file.clone(), parts[module_idx + 1..].to_vec()))
    }
}

/// By the longest start of the dotted name that is a file.
fn by_dots<'a>(parts: &[&'a str], is_file: &impl Fn(&str) -> bool) -> Option<(String, Vec<&'a str>)> {
    (1..=parts.len()).rev().find_map(|n_module| {
        let file = format!("{}.py", parts[..n_module].join("/"));
        is_file(&file).then(|| (file, parts[n_module..].to_vec()))
    })
}

/// `test_sub [round] (i=0)` is a subtest of `test_sub`; `test_total[a (b)]` is a case of its own.
fn without_subtest(name: &str) -> &str {
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    if name[end..].starts_with(' ') { &name[..end] } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 3] = ["tests/test_cart.py", "tests/test_unit.py", "tests/test_import.py"];

    fn failures_in(xml: &str) -> Result<Vec<Reported>, String> {
        Ok(tests_in(xml)?.into_iter().filter(|test| test.failed).collect())
    }

    #[test]
    fn tests_that_passed_stand_in_the_order_they_ran_in() {
        let xml = r#"<testsuite><testcase classname="a" name="first"/><testcase classname="a" name="second">
            <failure/></testcase></testsuite>"#;
        let tests: Vec<_> = tests_in(xml).unwrap().into_iter().map(|test| (test.name, test.failed)).collect();
        assert_eq!(tests, [("first".to_owned(), false), ("second".to_owned(), true)]);
    }

    fn ids(xml: &str) -> Vec<String> {
        let failures = failures_in(xml).unwrap();
        failures
            .iter()
            .map(|failure| failure.node_id(|file| FILES.contains(&file)).unwrap_or_default())
            .collect()
    }

    const PYTEST_IDS: [&str; 8] = [
        "tests/test_import.py",
        "tests/test_cart.py::TestCart::test_total[3-x<y>&]",
        "tests/test_cart.py::TestCart::TestInner::test_deep",
        "tests/test_cart.py::test_setup",
        "tests/test_cart.py::test_both",
        "tests/test_unit.py::Totals::test_raise",
        "tests/test_unit.py::Totals::test_sum",
        "tests/test_unit.py::Broken::test_x",
    ];

    #[test]
    fn pytest_xunit1_gives_ids_files_and_lines() {
        let xml = include_str!("../../testdata/pytest-xunit1.xml");
        assert_eq!(ids(xml), PYTEST_IDS);
        let failures = failures_in(xml).unwrap();
        assert_eq!(failures[1].file.as_deref(), Some("tests/test_cart.py"));
        assert_eq!(failures[1].line, Some(4));
    }

    #[test]
    fn pytest_xunit2_gives_the_same_ids_without_files() {
        let xml = include_str!("../../testdata/pytest-xunit2.xml");
        assert_eq!(ids(xml), PYTEST_IDS);
        assert!(failures_in(xml).unwrap().iter().all(|failure| failure.file.is_none()));
    }

    #[test]
    fn unittest_xml_reporting_gives_subtests_broken_classes_and_modules() {
        assert_eq!(
            ids(include_str!("../../testdata/unittest-xml-reporting.xml")),
            [
                "tests/test_unit.py::Totals::test_sub",
                "tests/test_unit.py::Totals::test_sub",
                "tests/test_unit.py::Totals::test_sum",
                "tests/test_unit.py::Totals::test_raise",
                "tests/test_import.py",
                "tests/test_unit.py::Broken",
            ]
        );
    }

    #[test]
    fn surefire_gives_failures_that_no_rerun_fixed() {
        let failures = failures_in(include_str!("../../testdata/surefire.xml")).unwrap();
        let names: Vec<_> = failures.iter().map(|it| (it.classname.as_str(), it.name.as_str())).collect();
        assert_eq!(names, [("com.acme.CartTest", "total"), ("com.acme.CartTest", "{0}: sums[2]")]);
        assert_eq!(failures[0].node_id(|_| false), None);
    }

    #[test]
    fn what_is_no_report_is_said_so() {
        for (xml, expected) in [
            ("", "the report is empty"),
            ("<html/>", "this is no JUnit report: it starts with `html`"),
            ("<testsuite><testcase>", "the report ends within `testsuite > testcase`"),
            ("<testsuite></testcase>", "not well-formed XML at byte 11"),
            ("plain text", "the report is empty"),
        ] {
            let error = failures_in(xml).unwrap_err();
            assert!(error.starts_with(expected), "{xml}: {error}");
        }
    }

    #[test]
    fn a_report_without_failures_is_an_empty_list() {
        assert_eq!(failures_in("\u{feff}<testsuites><testsuite/></testsuites>"), Ok(Vec::new()));
    }
}
