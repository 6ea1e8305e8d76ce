//! Lines of single tests, recorded in a JVM that is kept for them.

use super::*;
use crate::runner::JunitCoverage;
use paring_model::{ErrorCode, Unkept};

#[test]
fn the_sources_that_are_asked_for_are_recorded() {
    let lab = Lab::new(&jdks()[0], "junit5", &[("shop/CartTest.java", &junit5("@Test void test() { }"))]);
    for name in ["one", "other"] {
        let text = format!(
            "package {name};\npublic class Sum {{\npublic static int of(int n) {{\nreturn n;\n}}\n}}\n"
        );
        let file = format!("{name}/Sum.java");
        compile(
            &lab.jdk,
            &lab.root().join(name),
            &lab.root().join("classes"),
            &lab.classpath,
            &[(&file, &text)],
        );
    }
    let text = junit5("@Test void test() { assertEquals(3, one.Sum.of(1) + other.Sum.of(1)); }");
    let jvms = Jvms::start(lab.project()).expect("JVMs");
    for name in ["one", "other", "one"] {
        let coverage = JunitCoverage::new(lab.project(), vec![lab.root().join(name)], None);
        let file = lab.root().join("src/shop/CartTest.java");
        let candidate = Candidate::single(&file, text.clone(), TARGET, Form::Blanked);
        let covered = coverage.candidate(&jvms, &candidate, Heat::Warm).expect("lines");
        let files = covered.files.iter().filter(|file| file.path.ends_with("Sum.java"));
        let expected = lab.root().join(name).join(name).join("Sum.java");
        assert_eq!(files.map(|file| &file.path).collect::<Vec<_>>(), [&expected]);
    }
}

#[test]
fn what_an_earlier_text_of_the_test_initialised_is_forgotten() {
    let lab = Lab::new(&jdks()[0], "junit5", &[("shop/CartTest.java", &junit5("@Test void test() { }"))]);
    let (library, classes) = (lab.root().join("lib"), lab.root().join("classes"));
    let sum = "package lib;\npublic class Sum {\npublic static int of(int n) {\nreturn n;\n}\n}\n";
    compile(&lab.jdk, &library, &classes, &lab.classpath, &[("lib/Sum.java", sum)]);
    let coverage = JunitCoverage::new(lab.project(), vec![library], None);
    let jvms = Jvms::start(lab.project()).expect("JVMs");
    let file = lab.root().join("src/shop/CartTest.java");
    for (field, runs_library) in
        [("static int made = lib.Sum.of(1);", true), ("", false), ("static int made = lib.Sum.of(1);", true)]
    {
        let text = junit5(&format!("{field} @Test void test() {{ assertEquals(3, 4); }}"));
        let candidate = Candidate::single(&file, text.clone(), TARGET, Form::Blanked);
        let covered = coverage.candidate(&jvms, &candidate, Heat::Warm).expect("lines");
        let ran = covered.tests[0]
            .ran
            .iter()
            .flatten()
            .filter(|ran| covered.files[ran.file_idx].path.ends_with("Sum.java"));
        assert_eq!(ran.flat_map(|ran| &ran.lines).next().is_some(), runs_library, "{field:?}");
    }
}

#[test]
fn a_class_path_without_the_tests_is_no_fault_of_paring() {
    let lab = Lab::new(&jdks()[0], "junit5", &[]);
    let coverage = JunitCoverage::new(lab.project(), Vec::new(), None);
    let error = coverage.suite(&["shop.Nowhere".to_owned()], &Unkept, &|_| ()).expect_err("no class");
    assert_eq!(error.code, ErrorCode::BrokenEnvironment);
    assert_eq!(error.message, "there is no class shop.Nowhere");
}
