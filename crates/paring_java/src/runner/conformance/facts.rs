//! What a traced run tells of a unit.

use super::*;
use crate::frontend::JavaFrontend;
use paring_model::{Facts, Frontend, StmtId, Unit};

const LIB: (&str, &str) = (
    "shop/Cart.java",
    "package shop;\nimport java.util.*;\npublic class Cart {\n  static int made;\n  final List<String> rows = new ArrayList<>();\n  public Cart() { made++; }\n  public Cart add(String row) { rows.add(row); return this; }\n  public int size() { return rows.size(); }\n  public String first() { return rows.get(0); }\n}\n",
);

/// The statement whose text begins like this.
pub(super) fn stmt(unit: &Unit, text: &str) -> StmtId {
    let found = unit.ids().rfind(|&id| unit.stmt(id).range.of(&unit.source).starts_with(text));
    found.unwrap_or_else(|| panic!("no statement {text}"))
}

fn names(unit: &Unit, facts: &Facts, text: &str) -> Vec<String> {
    let changed = facts.changed.get(&stmt(unit, text));
    changed.into_iter().flatten().map(|&place| unit.place(place).name.clone()).collect()
}

/// Traces a `JUnit` 5 test with the given members on every JDK.
fn check(members: &str, look: impl Fn(&Unit, &Facts)) {
    trace(&[LIB], &[], members, look);
}

/// The same with other sources beside it, and more jars.
pub(super) fn trace(sources: &[(&str, &str)], sets: &[&str], members: &str, look: impl Fn(&Unit, &Facts)) {
    for jdk in jdks() {
        let mut lab = Lab::new(&jdk, "junit5", sources);
        lab.classpath.extend(sets.iter().flat_map(|set| jars(set)));
        let runner = lab.runner();
        let text = junit5(members);
        let target = TargetSpec::new(TARGET);
        let (unit, problems) = JavaFrontend.parse(&lab.root().join("src/shop/CartTest.java"), &text, &target);
        assert!(problems.is_empty(), "{problems:?}");
        let facts = runner.facts(&unit, &candidate(&text, TARGET)).expect("facts");
        assert!(facts.observed, "{text}");
        look(&unit, &facts);
    }
}

#[test]
fn what_ran_is_counted_in_its_order() {
    check(
        "@BeforeEach void open() { sum = 1; }\nint sum;\n@Test void test() {\nfor (int i = 0; i < 3; i++) sum += help(i);\nif (sum > 100) { sum = 0; } else if (sum == 7) sum = 8;\nint a = 1, b = 2;\nassertEquals(0, sum + a + b); }\nint help(int i) { return i + 1; }",
        |unit, facts| {
            let hits = |text: &str| facts.hits.get(&stmt(unit, text)).copied();
            assert_eq!(hits("sum = 1"), Some(1));
            assert_eq!(hits("for (int"), Some(1));
            assert_eq!(hits("sum += help"), Some(3));
            assert_eq!(hits("return i + 1"), Some(3));
            assert_eq!(hits("sum = 0"), None);
            assert_eq!(hits("sum = 8"), Some(1));
            assert_eq!(hits("int a = 1"), Some(1));
            assert_eq!(hits("assertEquals"), Some(1));
            assert_eq!(facts.order.first(), Some(&stmt(unit, "sum = 1")));
            let routines: Vec<&str> =
                facts.routines.iter().map(|&routine| unit.routine(routine).name.as_str()).collect();
            assert_eq!(routines, ["open", "test", "help"]);
        },
    );
}

#[test]
fn what_changed_is_told_through_every_alias() {
    check(
        "Cart member = new Cart();\n@Test void test() {\nCart cart = new Cart();\nCart same = cart;\nString row = \"x\";\nCart more = cart.add(row);\nint n = more.size();\nmember.add(\"y\");\nassertEquals(0, n); }",
        |unit, facts| {
            assert_eq!(names(unit, facts, "Cart more"), ["cart", "same"]);
            assert!(names(unit, facts, "int n").is_empty());
            assert_eq!(names(unit, facts, "member.add"), ["member"]);
            assert!(facts.resources.changes(stmt(unit, "Cart cart")));
            assert!(!facts.resources.changes(stmt(unit, "Cart more")));
            let is_immutable =
                |name: &str| facts.immutable.iter().any(|&place| unit.place(place).name == name);
            assert!(is_immutable("row") && is_immutable("n") && !is_immutable("cart"));
            let pair = |inner: &str, outer: &str| {
                facts.reaches.iter().any(|&(a, b)| unit.place(a).name == inner && unit.place(b).name == outer)
            };
            assert!(pair("cart", "same") && pair("more", "cart"));
        },
    );
}

#[test]
fn what_threw_into_which_handler_is_told() {
    check(
        "@Test void test() {\nString first = null;\nint n;\ntry {\nCart cart = new Cart();\nfirst = cart.first();\nn = 1;\n} catch (IndexOutOfBoundsException e) {\nfirst = \"none\";\nn = 2;\n}\nassertEquals(\"\", first + n); }",
        |unit, facts| {
            let transfer = facts.transfers.iter().next().expect("a transfer");
            assert_eq!(transfer.from, stmt(unit, "first = cart"));
            assert_eq!(transfer.handler, stmt(unit, "catch"));
            assert_eq!(facts.hits.get(&stmt(unit, "n = 1")), None);
            assert_eq!(facts.hits.get(&stmt(unit, "n = 2")), Some(&1));
        },
    );
}

#[test]
fn threads_that_a_test_starts_are_told() {
    check("@Test void test() { assertEquals(1, 2); }", |_, facts| assert!(!facts.threads));
    check(
        "@Test void test() throws Exception {\nThread thread = new Thread(() -> new Cart());\nthread.start();\nthread.join();\nassertEquals(1, 2); }",
        |_, facts| assert!(facts.threads),
    );
}
