//! Assertions that are turned off, and tests side by side.

use super::*;
use paring_testkit::origins;

fn assertions(body: &str) -> Vec<String> {
    let unit = unit_of(body);
    JavaFrontend.assertions(&unit).iter().map(|range| range.of(&unit.source).to_owned()).collect()
}

/// The body with these of its assertions turned off, and the line each of the text's lines comes from.
fn turned_off(body: &str, which: &[usize]) -> Option<(String, Vec<u32>)> {
    let unit = unit_of(body);
    let all = JavaFrontend.assertions(&unit);
    let off: Vec<TextRange> = which.iter().map(|&idx| all[idx]).collect();
    let found = JavaFrontend.turned_off(&unit, &off)?;
    let problems = syntax::problems(syntax::parsed(&found.text).root_node());
    assert!(problems.is_empty(), "{}", found.text);
    Some((found.text[HEAD.len()..found.text.len() - TAIL.len()].to_owned(), origins(&found)))
}

#[test]
fn every_way_to_assert_is_found_and_nothing_else() {
    for (statement, is_assertion) in [
        ("assertEquals(1, n);", true),
        ("Assert.assertTrue(n > 0);", true),
        ("assertThat(n, is(1));", true),
        ("assertThat(cart).extracting(c -> c.n).isEqualTo(1).isNotNull();", true),
        ("assertThatThrownBy(() -> cart.add(1)).isInstanceOf(E.class);", true),
        ("Assertions.assertThat(n).isEqualTo(1);", true),
        ("MatcherAssert.assertThat(n, is(1));", true),
        ("assertThrows(E.class, () -> { cart.add(1); });", true),
        ("verify(cart).add(1);", true),
        ("fail(\"no\");", true),
        ("assert n > 0;", true),
        ("assumeTrue(n > 0);", false),
        ("cart.add(1);", false),
        ("throw new E();", false),
        ("E e = assertThrows(E.class, () -> cart.add(1));", false),
        ("asserted(n);", false),
    ] {
        let expected = if is_assertion { vec![statement.to_owned()] } else { Vec::new() };
        assert_eq!(assertions(statement), expected, "{statement}");
    }
}

#[test]
fn an_assertion_that_is_turned_off_runs_and_its_verdict_does_not_count() {
    let (text, lines) = turned_off("assertEquals(\n  1, n);\nassertEquals(2, n);", &[0]).unwrap();
    assert_eq!(
        text,
        "try { assertEquals(\n  1, n); } catch (AssertionError ignored) { }\nassertEquals(2, n);"
    );
    let n_lines = u32::try_from(lines.len()).unwrap();
    assert_eq!(lines, (1..=n_lines).collect::<Vec<_>>());
}

#[test]
fn blocks_and_their_own_assertions_are_turned_off_alike() {
    let (text, _) = turned_off("assertThrows(E.class, () -> { assertEquals(1, n); });", &[0, 1]).unwrap();
    let inner = "try { assertEquals(1, n); } catch (AssertionError ignored) { }";
    assert_eq!(
        text,
        format!("try {{ assertThrows(E.class, () -> {{ {inner} }}); }} catch (AssertionError ignored) {{ }}")
    );
}

#[test]
fn what_assert_all_is_given_is_written_out_a_line_each() {
    let body = "        assertAll(\"both\", () -> assertEquals(1, n),\n            () -> { f(); assertEquals(2, n); }, () -> g(n));";
    assert_eq!(assertions(body), ["assertEquals(1, n)", "assertEquals(2, n);", "g(n)"]);
    let (text, lines) = turned_off(body, &[1, 2]).unwrap();
    let expected = "        assertEquals(1, n);\n        { f(); try { assertEquals(2, n); } catch (AssertionError ignored) { } }\n        \
                    try { g(n); } catch (AssertionError ignored) { }";
    assert_eq!(text, expected);
    assert_eq!(lines[9..12], [10, 11, 11]);
}

#[test]
fn failures_of_junit_3_are_no_assertion_errors() {
    let source = "import junit.framework.TestCase;\nclass T extends TestCase {\n  public void testIt() {\n    assertTrue(a);\n    assert b;\n  }\n}\n";
    let unit = test_unit(source, "T#testIt");
    let off = JavaFrontend.assertions(&unit);
    let text = JavaFrontend.turned_off(&unit, &off).unwrap().text;
    assert!(
        text.contains("assertTrue(a); } catch (junit.framework.AssertionFailedError ignored) { }"),
        "{text}"
    );
    assert!(text.contains("assert b; } catch (AssertionError ignored) { }"), "{text}");
    let off = test_unit(&text, "T#testIt");
    assert_eq!(off.ids().filter(|&id| JavaFrontend.turns_off(&off, id)).count(), 2);
}

#[test]
fn a_try_of_the_users_own_turns_nothing_off() {
    let unit = unit_of("try { f(); } catch (AssertionError e) { }\ntry { f(); } finally { }");
    assert_eq!(unit.ids().filter(|&id| JavaFrontend.turns_off(&unit, id)).count(), 0);
}

/// The source with tests in the place of one: each from a text of its own, without one of its statements.
fn side_by_side(source: &str, target: &str, tests: &[(&str, &str)]) -> (String, Vec<String>) {
    let copies: Vec<Unit> = tests.iter().map(|(text, _)| test_unit(text, target)).collect();
    let original = test_unit(source, target);
    let units: Vec<&Unit> = std::iter::once(&original).chain(&copies).collect();
    let draft = |(idx, (_, gone)): (usize, &(&str, &str))| {
        let mut edits = EditSet::all(units[idx]);
        edits.remove(units[idx], node(units[idx], gone));
        TestDraft::edited(idx, edits)
    };
    let draft = Draft::of((1..).zip(tests).map(draft).collect());
    let written = JavaFrontend.write(&units, &draft, Form::Compact).unwrap();
    (written.candidate.text().to_owned(), written.candidate.target_ids())
}

#[test]
fn tests_stand_side_by_side_under_names_that_are_free() {
    let class = |body: &str| {
        format!("class T {{\n  @Test\n  void it() {{ {body} }} // end\n  void it_2() {{ }}\n}}\n")
    };
    let source = class("a(); b();");
    let copy = class("off(); a(); b();");
    let (text, targets) = side_by_side(&source, "T#it", &[(&source, "b();"), (&copy, "off();")]);
    let expected = "class T {\n  @Test\n  void it_1() { a(); } // end\n\n  @Test\n  void it_3() { a(); b(); } // end\n  \
                    void it_2() { }\n}\n";
    assert_eq!((text.as_str(), targets), (expected, vec!["T#it_1".to_owned(), "T#it_3".to_owned()]));
}

#[test]
fn the_other_cases_of_a_test_are_as_they_were() {
    let method = |name: &str, cases: &str, body: &str| {
        format!("  @ParameterizedTest @ValueSource(ints = {{{cases}}})\n  void {name}(int n) {{ {body} }}\n")
    };
    let source = format!("class T {{\n{}}}\n", method("it", "1, 2", "a(); b();"));
    let copy = format!("class T {{\n{}}}\n", method("it", "1, 2", "off(); b();"));
    let (text, targets) = side_by_side(&source, "T#it(int)[2]", &[(&copy, "off();")]);
    let other = method("it", "1", "a(); b();");
    assert_eq!(text, format!("class T {{\n{other}\n{}}}\n", method("itCase2", "2", "b();")));
    assert_eq!(targets, ["T#itCase2[1]"]);
    let (text, targets) = side_by_side(&source, "T#it(int)[2]", &[(&copy, "off();"), (&copy, "b();")]);
    let (first, second) = (method("itCase2_1", "2", "b();"), method("itCase2_2", "2", "off();"));
    assert_eq!(text, format!("class T {{\n{other}\n{first}\n{second}}}\n"));
    assert_eq!(targets, ["T#itCase2_1[1]", "T#itCase2_2[1]"]);
}
