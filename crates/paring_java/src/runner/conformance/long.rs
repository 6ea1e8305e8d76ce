//! Files of hundreds of tests, as generators write them.

use super::*;
use crate::frontend::JavaFrontend;
use paring_model::Frontend;

/// A file that is long by tests nobody asked for, which would not even compile.
fn long(members: &str) -> String {
    let sum = "1 + ".repeat(40) + "1";
    let others = |idx| format!("@Test void other{idx}() {{\nint unknown = neither + nor + {sum};\n}}\n");
    let others: Vec<String> = (0..400).map(others).collect();
    let text = junit5(&(others.concat() + members));
    assert!(text.len() > 50_000, "{}", text.len());
    text
}

#[test]
fn tests_that_nobody_asked_for_are_not_compiled() {
    let members = "@Test void test() throws Exception {\nhelps();\ngetClass().getDeclaredMethod(\"isNamed\").invoke(this);\nassertEquals(3, sum);\n}\nint sum;\n@Test void helps() {\nsum++;\n}\n@Test void isNamed() {\nsum++;\n}";
    let text = long(members);
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "junit5", &[]);
        let runner = lab.runner();
        for heat in [Heat::Warm, Heat::Fresh] {
            let seen = failure(see(&runner, &text, TARGET, heat));
            assert!(seen.exception().message.contains("expected: <3> but was: <2>"), "{seen:?}");
            let line = text.lines().position(|line| line.starts_with("assertEquals(3")).expect("a line") + 1;
            assert_eq!(seen.site().map(|site| site.line as usize), Some(line));
        }
        let (unit, _) =
            JavaFrontend.parse(&lab.root().join("src/shop/CartTest.java"), &text, &TargetSpec::new(TARGET));
        let facts = runner.facts(&unit, &candidate(&text, TARGET)).expect("facts");
        let ran = unit.ids().filter(|id| unit.stmt(*id).range.of(&text) == "sum++;");
        assert_eq!(ran.map(|id| facts.hits.get(&id).copied()).collect::<Vec<_>>(), [Some(1), Some(1)]);
    }
}

#[test]
fn a_whole_class_is_compiled_as_it_is() {
    let lab = Lab::new(&jdks()[0], "junit5", &[]);
    let seen = see(
        &lab.runner(),
        &long("@Test void test() { }"),
        TARGET.split('#').next().expect("a class"),
        Heat::Warm,
    );
    assert!(matches!(&seen, Observation::Broken { message, .. } if message.contains("neither")), "{seen:?}");
}
