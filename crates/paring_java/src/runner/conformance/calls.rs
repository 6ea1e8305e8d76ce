//! What the statements of tests call and assert.

use super::*;
use crate::runner::list_calls;
use paring_model::{CallFact, Called, Fact};

const CART: &str = "\
package shop;
import java.util.*;
import java.util.function.*;
public class Cart extends AbstractList<Object> {
    public final List<Object> rows = new ArrayList<>();
    public Cart put(Object... more) { rows.addAll(Arrays.asList(more)); return this; }
    public Object get(int at) { return rows.get(at); }
    public int size() { return rows.size(); }
    public void each(Consumer<Object> act) { rows.forEach(act); }
    public static double twice(double n) { return n * 2; }
    public static long twice(long n) { if (n < 0) throw new IllegalArgumentException(); return n * 2; }
}
";

/// What tests with these bodies call, in the order of their names.
#[track_caller]
fn called(bodies: &[&str]) -> Vec<Called> {
    let members: Vec<String> = (0..)
        .zip(bodies)
        .map(|(at, body)| format!("@Test public void test{at}() throws Exception {{\n{body}\n}}"))
        .collect();
    let jdk = &jdks()[0];
    let lab = Lab::new(jdk, "junit4", &[]);
    let classes = lab.root().join("classes");
    compile(jdk, &lab.root().join("main"), &classes, &lab.classpath, &[("shop/Cart.java", CART)]);
    let test = junit4(&members.join("\n"));
    compile(jdk, &lab.root().join("src"), &classes, &lab.classpath, &[("shop/CartTest.java", &test)]);
    let mut found =
        list_calls(&lab.project(), &["shop.CartTest".to_owned()], &[lab.root().join("main")]).expect("tests");
    found.sort_by(|one, other| one.id.cmp(&other.id));
    for test in &found {
        assert_eq!(test.observation, Observation::Passed, "{}", test.id);
    }
    found
}

fn facts(test: &Called) -> &[CallFact] {
    &test.calls.as_ref().expect("its calls were followed").facts
}

#[test]
fn calls_are_equal_where_their_inputs_are() {
    let last =
        |test: &Called| facts(test).iter().rfind(|fact| fact.what == Fact::Call).cloned().expect("a call");
    let pairs = [
        ("Cart.twice(1L);", "long n = 0 + 1L;\nCart.twice(n);", (true, true)),
        ("Cart.twice(0.0);", "Cart.twice(-0.0);", (false, false)),
        ("new Cart().put(1);", "new Cart().put(1L);", (false, false)),
        (
            "Object a = new int[] {1};\nnew Cart().put(a, a);",
            "new Cart().put(new int[] {1}, new int[] {1});",
            (true, false),
        ),
        ("new Cart().put(\"a\");", "Cart c = new Cart();\nc.rows.add(1);\nc.put(\"a\");", (false, false)),
        (
            "List<Object> c = new Cart();\nc.size();",
            "Cart c = new Cart();\n((List<Object>) c).size();",
            (true, true),
        ),
        ("new Cart().each(it -> { });", "new Cart().each(it -> { });", (false, false)),
        (
            "new Cart().put(Thread.currentThread());",
            "new Cart().put(Thread.currentThread());",
            (false, false),
        ),
    ];
    let bodies: Vec<&str> = pairs.iter().flat_map(|(one, other, _)| [*one, *other]).collect();
    // The order of their names is that of the bodies for ten tests only.
    for (pairs, bodies) in pairs.chunks(4).zip(bodies.chunks(8)) {
        let found = called(bodies);
        for ((one, other, expected), tests) in pairs.iter().zip(found.chunks(2)) {
            let (a, b) = (last(&tests[0]), last(&tests[1]));
            assert_eq!(a.callee, b.callee, "{one}\n{other}");
            let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
            assert_eq!((same(&a.value, &b.value), same(&a.inputs, &b.inputs)), *expected, "{one}\n{other}");
        }
    }
}

#[test]
fn every_execution_of_a_statement_is_told_and_what_is_asserted() {
    let found = called(&[
        "Cart cart = new Cart();\nfor (int n = 0; n < 2; n++)\ncart.put(\n\"a\", n);\nassertEquals(\n4, cart.size());\nint free = cart.isEmpty() ? 1 : cart.size();\nassertTrue(free > 2);",
        "try {\nCart.twice(-1L);\nfail();\n} catch (IllegalArgumentException e) {\nassertNull(e.getMessage());\n}",
    ]);
    let told = |test: &Called| -> Vec<(u32, u32, String)> {
        let first = test.calls.as_ref().expect("calls").first_line;
        let name = |callee: &str| callee.split('(').next().unwrap_or_default().to_owned();
        facts(test).iter().map(|it| (it.line.saturating_sub(first), it.nth, name(&it.callee))).collect()
    };
    let named = |line: u32, nth: u32, name: &str| (line, nth, name.to_owned());
    assert_eq!(
        told(&found[0]),
        [
            named(1, 1, "shop.Cart.<init>"),
            named(3, 1, "shop.Cart.put"),
            named(3, 2, "shop.Cart.put"),
            named(5, 1, "shop.Cart.size"),
            named(5, 1, "org.junit.Assert.assertEquals"),
            named(7, 1, "shop.Cart.isEmpty"),
            named(7, 1, "shop.Cart.size"),
            named(8, 1, "org.junit.Assert.assertTrue"),
        ]
    );
    assert_eq!(
        told(&found[1]),
        [
            named(0, 0, "a verdict of its own"),
            named(2, 1, "shop.Cart.twice"),
            named(5, 1, "org.junit.Assert.assertNull")
        ]
    );
    assert!(facts(&found[1])[0].inputs.is_none() && facts(&found[1])[1].after.is_some());
}
