//! What tests of each framework look like to the runner.

use super::*;
use paring_model::{FailureKind, Phase};
use paring_testkit::conformance::{RunnerCases, SeveralCases, runner, several};

/// Runs the suite that every runner has to pass, on every JDK.
fn check(set: &str, file: fn(&str) -> String, test: &str) {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, set, &[]);
        let case = |body: &str| candidate(&file(&format!("{test} {{ {body} }}")), TARGET);
        let cases = RunnerCases {
            passing: case("assertEquals(4, 2 + 2);"),
            failing: case("assertEquals(5, 2 + 2);"),
            broken: case("assertEquals(5, 2 + ;"),
            hanging: case("while (true) { Math.abs(1); }"),
            dying: case("System.exit(3);"),
        };
        let target = RunnerCases {
            passing: cases.passing.with_target("shop.CartTest#testOne"),
            failing: cases.failing.with_target("shop.CartTest#testOne"),
            broken: cases.broken.with_target("shop.CartTest#testOne"),
            hanging: cases.hanging.with_target("shop.CartTest#testOne"),
            dying: cases.dying.with_target("shop.CartTest#testOne"),
        };
        runner(&lab.runner(), &target);
        let tests = |second: &str, third: &str| {
            let (mark, late, last) =
                (test, test.replace("testOne", "testTwo"), test.replace("testOne", "testThree"));
            let source = file(&format!(
                "static int marks; {mark} {{ marks++; }} {late} {{ {second} }} {last} {{ {third} }}"
            ));
            let ids = ["testOne", "testTwo", "testThree"].map(|name| format!("shop.CartTest#{name}"));
            candidate(&source, TARGET).with_targets(ids)
        };
        let cases = SeveralCases {
            marking: tests("assertEquals(1, marks);", "assertEquals(5, 2 + 2);"),
            dying: tests("System.exit(3);", ""),
        };
        several(&lab.runner(), &cases);
    }
}

#[test]
fn junit_3_conforms() {
    check("junit3", junit3, "public void testOne()");
}

#[test]
fn junit_3_on_4_conforms() {
    check("junit4", junit3, "public void testOne()");
}

#[test]
fn junit_4_conforms() {
    check("junit4", junit4, "@Test public void testOne()");
}

#[test]
fn junit_5_conforms() {
    check("junit5", junit5, "@Test void testOne()");
}

/// Kind, phase, and the lines of the stack.
fn seen(lab: &JunitRunner, text: &str) -> (FailureKind, Phase, Vec<u32>) {
    let warm = failure(see(lab, text, TARGET, Heat::Warm));
    assert_eq!(warm, failure(see(lab, text, TARGET, Heat::Cold)), "warm and cold differ on {text}");
    (warm.kind, warm.phase, warm.stack.iter().map(|position| position.line).collect())
}

#[test]
fn junit_4_failures_have_kind_phase_and_lines() {
    use FailureKind::{Assertion, Exception, Omission};
    use Phase::{Call, SetUp, TearDown};
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "junit4", &[]);
        let runner = lab.runner();
        let check = |members: &str, expected: (FailureKind, Phase, Vec<u32>)| {
            assert_eq!(seen(&runner, &junit4(members)), expected, "{members}");
        };
        check("@Test public void test() {\nassertEquals(1, 2); }", (Assertion, Call, vec![7]));
        check(
            "@Test public void test() {\nhelp(); }\nvoid help() {\nassertTrue(false); }",
            (Assertion, Call, vec![7, 9]),
        );
        check("@Test public void test() {\nfail(\"no\"); }", (Omission, Call, vec![7]));
        check(
            "@Test(expected = IllegalStateException.class) public void test() {\n}",
            (Omission, Call, vec![]),
        );
        check("@Test public void test() {\nnew ArrayList<String>().get(0); }", (Exception, Call, vec![7]));
        check(
            "@Test public void test() {\nthrow new AssertionError(\"mine\"); }",
            (Assertion, Call, vec![7]),
        );
        check(
            "@Before public void before() {\nassertTrue(false); }\n@Test public void test() { }",
            (Assertion, SetUp, vec![7]),
        );
        check(
            "@After public void after() {\nassertTrue(false); }\n@Test public void test() { }",
            (Assertion, TearDown, vec![7]),
        );
        check(
            "@BeforeClass public static void before() {\nassertTrue(false); }\n@Test public void test() { }",
            (Assertion, SetUp, vec![7]),
        );
        check(
            "Object o = Collections.emptyList().get(0);\n@Test public void test() { }",
            (Exception, SetUp, vec![6]),
        );
        check("@Test(timeout = 5000) public void test() {\nassertTrue(false); }", (Assertion, Call, vec![7]));
        check(
            "@Test public void test() {\nRunnable r = () -> {\nassertTrue(false); };\nr.run(); }",
            (Assertion, Call, vec![9, 8]),
        );
    }
}

#[test]
fn junit_5_failures_have_kind_phase_and_lines() {
    use FailureKind::{Assertion, Exception, Omission};
    use Phase::{Call, SetUp, TearDown};
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "junit5", &[]);
        let runner = lab.runner();
        let check = |members: &str, expected: (FailureKind, Phase, Vec<u32>)| {
            assert_eq!(seen(&runner, &junit5(members)), expected, "{members}");
        };
        check("@Test void test() {\nassertEquals(1, 2); }", (Assertion, Call, vec![7]));
        check(
            "@Test void test() {\nassertThrows(IllegalStateException.class, () -> {\n}); }",
            (Omission, Call, vec![7]),
        );
        check(
            "@Test void test() {\nassertAll(() -> assertEquals(1, 2), () -> assertEquals(3, 4)); }",
            (Assertion, Call, vec![7]),
        );
        check("@Test void test() {\nfail(); }", (Omission, Call, vec![7]));
        check("@Test void test() {\nList.of().get(0); }", (Exception, Call, vec![7]));
        check(
            "@BeforeEach void before() {\nassertTrue(false); }\n@Test void test() { }",
            (Assertion, SetUp, vec![7]),
        );
        check(
            "@BeforeAll static void before() {\nassertTrue(false); }\n@Test void test() { }",
            (Assertion, SetUp, vec![7]),
        );
        check(
            "@AfterEach void after() {\nassertTrue(false); }\n@Test void test() { }",
            (Assertion, TearDown, vec![7]),
        );
        check("static int n = Integer.parseInt(\"x\");\n@Test void test() { }", (Exception, SetUp, vec![6]));
    }
}

#[test]
fn skipped_tests_and_missing_ones_are_told_apart() {
    let jdk = jdks().remove(0);
    let lab = Lab::new(&jdk, "junit5", &[]);
    let runner = lab.runner();
    for heat in [Heat::Warm, Heat::Cold] {
        let see = |members: &str| see(&runner, &junit5(members), TARGET, heat);
        assert_eq!(
            see("@Disabled(\"later\") @Test void test() { }"),
            Observation::Skipped { reason: "later".into() }
        );
        assert!(matches!(
            see("@Test void test() { Assumptions.assumeTrue(false); }"),
            Observation::Skipped { .. }
        ));
        assert!(matches!(see("@Test void other() { }"), Observation::Broken { .. }));
        assert!(matches!(see("void test() { }"), Observation::Broken { .. }));
    }
    let lab = Lab::new(&jdk, "junit4", &[]);
    let runner = lab.runner();
    for heat in [Heat::Warm, Heat::Cold] {
        let see = |members: &str| see(&runner, &junit4(members), TARGET, heat);
        assert_eq!(
            see("@Ignore @Test public void test() { }"),
            Observation::Skipped { reason: "ignored".into() }
        );
        assert!(matches!(
            see("@Test public void test() { Assume.assumeTrue(false); }"),
            Observation::Skipped { .. }
        ));
        assert!(matches!(see("@Test public void other() { }"), Observation::Broken { .. }));
        assert!(matches!(see("@Test void test() { }"), Observation::Broken { .. }));
    }
}

#[test]
fn one_case_of_a_parametrised_test_is_run_alone() {
    let text = "package shop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.*;
class CartTest {
  static int n;
  @ParameterizedTest @ValueSource(ints = {1, 2, 3})
  void test(int i) { n++; assertEquals(1, i, \"run \" + n); }
}
";
    let lab = Lab::new(&jdks().remove(0), "junit5", &[("shop/CartTest.java", text)]);
    let runner = lab.runner();
    let message = |target: &str, heat| failure(see(&runner, text, target, heat)).exception().message.clone();
    for heat in [Heat::Warm, Heat::Cold] {
        assert_eq!(message("shop.CartTest#test", heat), "run 2 ==> expected: <1> but was: <2>");
        assert_eq!(message("shop.CartTest#test[3]", heat), "run 1 ==> expected: <1> but was: <3>");
        assert_eq!(message("shop.CartTest#test(int)[3]", heat), "run 1 ==> expected: <1> but was: <3>");
        assert_eq!(see(&runner, text, "shop.CartTest#test[1]", heat), Observation::Passed);
    }
    let found =
        super::super::list_failures(&lab.project(), &["shop.CartTest#test".to_owned()]).expect("a run");
    let failing: Vec<&str> = found
        .iter()
        .filter(|test| matches!(test.observation, Observation::Failed(_)))
        .map(|test| test.id.as_str())
        .collect();
    assert_eq!(failing, ["shop.CartTest#test[2]", "shop.CartTest#test[3]"]);
}

#[test]
fn an_inherited_test_runs_in_the_class_that_is_named() {
    let base = |number: u32| {
        format!(
            "package shop;\nimport org.junit.*;\npublic abstract class CartTest {{\n  abstract int n();\n  @Test public void test() {{ Assert.assertEquals({number}, n()); }}\n}}\n"
        )
    };
    let below = "package shop;\npublic class BigCartTest extends CartTest { int n() { return 7; } }\n";
    let sources = [("shop/CartTest.java", base(7)), ("shop/BigCartTest.java", below.to_owned())];
    let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let lab = Lab::new(&jdks().remove(0), "junit4", &sources);
    let runner = lab.runner();
    for heat in [Heat::Warm, Heat::Cold] {
        assert_eq!(see(&runner, &base(7), "shop.BigCartTest#test", heat), Observation::Passed);
        let failure = failure(see(&runner, &base(8), "shop.BigCartTest#test", heat));
        assert_eq!(failure.exception().message, "expected:<8> but was:<7>");
        assert_eq!(failure.stack.len(), 1);
    }
}
