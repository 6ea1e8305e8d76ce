//! What only trimmed text read goes too.

use crate::trial::{Trial, asserts, check, unless_good};
use paring_engine::passes::unread::without_unread;
use paring_model::{EditSet, Form, Frontend, TargetSpec, TrimKind};
use paring_testkit::LineFrontend;

#[test]
fn what_only_trimmed_text_read_goes_too() {
    let source = "test:\n  jam = 1\n  tea = 2\n  for v in {jam,tea}:\n    assert v\n";
    check(
        &Trial {
            has_good: true,
            ..Trial::new(source, |text, version| unless_good(version, asserts(text, "assert v")))
        },
        "test:\n  jam = 1\n  for v in {jam,}:\n    assert v\n",
    );
}

/// What is left of a file whose test lost all elements of its list, where nothing is run.
#[track_caller]
fn check_file(source: &str, expected: &str) {
    let unit = LineFrontend::unit(source);
    let mut draft = EditSet::all(&unit);
    draft.trims.extend(unit.trim_ids().filter(|&id| unit.trim(id).kind == TrimKind::Element));
    let text = |draft: &EditSet| LineFrontend.edited(&unit, draft, Form::Compact).into_text();
    let target = TargetSpec::new("test.lines::test");
    let (written, _) = LineFrontend.parse(&unit.path, &text(&draft), &target);
    let left = without_unread(&unit, &written, &draft).unwrap_or(draft);
    assert_eq!(text(&left), expected);
}

#[test]
fn imports_functions_and_constants_of_the_file_go_with_the_text_that_read_them() {
    check_file("use tea\ntest:\n  b = {tea}\n", "test:\n  b = {}\n");
    check_file("use tea jam\ntest:\n  b = {tea}\n  c = jam\n", "use jam\ntest:\n  b = {}\n  c = jam\n");
    check_file("tea = 1\ntest:\n  b = {tea}\n", "test:\n  b = {}\n");
    check_file("helper tea:\n  return 1\ntest:\n  b = {tea}\n", "test:\n  b = {}\n");
}

#[test]
fn calls_protected_lines_and_what_nobody_ever_read_stay_in_the_file() {
    for line in ["tea = make()", "tea = 1 # keep", "jam = 1", "use jam"] {
        check_file(&format!("{line}\ntest:\n  b = {{tea}}\n"), &format!("{line}\ntest:\n  b = {{}}\n"));
    }
    check_file("use tea\ntest:\n  b = {tea}\n  c = tea\n", "use tea\ntest:\n  b = {}\n  c = tea\n");
}
