//! `paring purify` on `JUnit` tests.

use crate::trial::{CART_TEST, Trial};
use serde_json::json;

const LISTS: &str = "    static int size(List<String> list) { return list.size() + 1; }

    static void check(List<String> list, int n) { assertEquals(n, size(list)); }

    @Test
    void several() {
        List<String> log = new ArrayList<>();
        Deque<Integer> stack = new ArrayDeque<>();
        log.add(\"a\");
        stack.push(1);
        stack.push(2);
        assertEquals(1, size(log), \"first\");
        assertEquals(2, stack.pop().intValue());
        assertTrue(log.contains(\"a\"));
        assertEquals(
            9,
            stack.pop().intValue());
    }

    @Test
    void all() {
        List<String> log = new ArrayList<>();
        log.add(\"a\");
        assertAll(\"both\", () -> assertEquals(1, size(log)), () -> assertEquals(\"b\", log.get(0)));
    }

    @Test
    void breaks() {
        List<String> log = new ArrayList<>();
        check(log, 0);
        log.add(\"x\");
        assertThrows(IllegalStateException.class, () -> {
            log.get(0);
        });
        log.get(17);
        assertEquals(4, log.size());
    }

    @Test
    void reached() {
        List<String> log = new ArrayList<>();
        try {
            log.size();
            fail(\"should throw\");
        } catch (IllegalStateException expected) {
        }
        assertEquals(4, log.size());
    }";

#[test]
fn assertions_behind_the_first_that_fails_come_to_light() {
    let ran = Trial::with_members(LISTS).purify(&["shop.CartTest#several"]);
    assert_eq!(ran.code, 0, "{ran}");
    let stack = ["Deque<Integer> stack = new ArrayDeque<>();", "stack.push(1);", "stack.push(2);"];
    let log = [
        "List<String> log = new ArrayList<>();",
        "log.add(\"a\");",
        "assertEquals(1, size(log), \"first\");",
    ];
    let last = "assertEquals(\n            9,\n            stack.pop().intValue());";
    let off = "assertEquals(2, stack.pop().intValue());";
    assert_eq!(ran.purified(), [(20, log.to_vec()), (23, [&stack[..], &[off, last]].concat())], "{ran}");
    let second = ran.results[1]["test"].as_str().expect("a test");
    assert!(
        second
            .contains("try { assertEquals(2, stack.pop().intValue()); } catch (AssertionError ignored) { }")
    );
    assert_eq!(ran.results[1]["statements"], json!({ "before": 9, "after": 5 }), "{ran}");
    ran.says(&["note: 2 of 4 assertions fail by themselves"]);
}

#[test]
fn what_assert_all_is_given_is_taken_apart() {
    let ran = Trial::with_members(LISTS).purify(&["shop.CartTest#all"]);
    let lines: Vec<(u64, usize)> = ran.purified().iter().map(|(line, kept)| (*line, kept.len())).collect();
    assert_eq!(lines, [(32, 3), (32, 3)], "{ran}");
    let texts: Vec<&str> = ran.results.iter().filter_map(|it| it["assertion"]["text"].as_str()).collect();
    assert_eq!(texts, ["assertEquals(1, size(log))", "assertEquals(\"b\", log.get(0))"], "{ran}");
    assert!(
        ran.results.iter().all(|it| !it["test"].as_str().expect("a test").contains("assertAll")),
        "{ran}"
    );
}

#[test]
fn helpers_expectations_and_what_breaks_give_a_test_each() {
    let ran = Trial::with_members(LISTS).purify(&["shop.CartTest#breaks"]);
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [38, 40, 0], "{ran}");
    let broken = &ran.results[2];
    assert_eq!(broken["failure"]["type"], "java.lang.IndexOutOfBoundsException", "{ran}");
    assert_eq!(broken["failure"]["line"], 43, "{ran}");
    assert!(!broken["test"].as_str().expect("a test").contains("assert"), "{ran}");
}

#[test]
fn a_fail_that_is_reached_is_a_verdict() {
    let ran = Trial::with_members(LISTS).purify(&["shop.CartTest#reached"]);
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [52, 55], "{ran}");
}

#[test]
fn apply_puts_the_purified_tests_in_the_place_of_the_test() {
    let trial = Trial::with_members(LISTS);
    let ran = trial.purify(&["shop.CartTest#several", "--apply"]);
    assert_eq!(ran.code, 0, "{ran}");
    let after = trial.project.read(CART_TEST);
    assert!(
        after.contains("    @Test\n    void several_1() {")
            && after.contains("    @Test\n    void several_2() {")
    );
    assert!(!after.contains("void several()") && after.contains("void all()"), "{after}");
    // What was written is run as any test is.
    trial.minimize(&["shop.CartTest#several_1"]).only(3, "unchanged");
}

const FOUR: &str = "import static org.hamcrest.CoreMatchers.is;
import static org.junit.Assert.*;

import java.util.*;
import org.junit.Before;
import org.junit.Test;

public class FourTest {
    private List<String> list;

    @Before
    public void fill() {
        list = new ArrayList<>();
        list.add(\"x\");
    }

    @Test
    public void several() {
        int unrelated = 3;
        assertThat(list.size(), is(4));
        list.add(\"y\");
        assertEquals(\"x\", list.remove(0));
        assertThat(list, is(Arrays.asList(\"x\")));
        assert list.isEmpty();
    }
}
";

#[test]
fn hamcrest_and_plain_asserts_of_a_junit_4_test_are_taken_apart() {
    let trial = Trial::with_test("junit4", "tests/FourTest.java", FOUR);
    let ran = trial.purify(&["FourTest#several"]);
    let taken = ["list.add(\"y\");", "assertEquals(\"x\", list.remove(0));"];
    assert_eq!(
        ran.purified(),
        [
            (20, vec!["assertThat(list.size(), is(4));"]),
            (23, [&taken[..], &["assertThat(list, is(Arrays.asList(\"x\")));"]].concat()),
            (24, [&taken[..], &["assert list.isEmpty();"]].concat()),
        ],
        "{ran}"
    );
    let second = ran.results[1]["test"].as_str().expect("a test");
    assert!(second.contains("catch (AssertionError ignored)"), "what holds is turned off too\n{ran}");
}

const THREE: &str = "import java.util.*;
import junit.framework.TestCase;

public class OldTest extends TestCase {
    private List<String> list;

    protected void setUp() {
        list = new ArrayList<String>();
    }

    public void testSeveral() {
        int unrelated = 3;
        assertEquals(1, list.size());
        assertNull(\"not null\", list.add(\"b\") ? \"x\" : null);
        assertEquals(\"sizes\", 5, list.size());
    }
}
";

#[test]
fn a_junit_3_test_is_taken_apart() {
    let ran = Trial::with_test("junit3", "tests/OldTest.java", THREE).purify(&["OldTest#testSeveral"]);
    assert_eq!(ran.purified().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [13, 14, 15], "{ran}");
    assert!(ran.results[2]["test"].as_str().expect("a test").contains("list.add(\"b\")"), "{ran}");
}
