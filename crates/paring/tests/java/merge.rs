//! `paring merge` on `JUnit`: the examples of the guide page, and what one `JUnit` has and another has not.

use crate::trial::Trial;

const PAGE: &str = include_str!("../../../../docs/merge.md");

const CART: &str = "\
package shop;

public class Cart {
    private int total;
    private int size;

    public void add(int price) {
        if (price < 0) {
            throw new IllegalArgumentException(\"negative\");
        }
        total += price;
        size++;
    }

    public int total() {
        return total;
    }

    public int size() {
        return size;
    }
}
";

/// Merges the tests of one class, and gives the file as it was written.
fn merge(junit: &'static str, library: &str, test: &str, args: &[&str]) -> (String, String) {
    let class = args[0].rsplit('.').next().expect("a class has a name");
    let trial = Trial::with_test(junit, &format!("tests/shop/{class}.java"), test);
    trial.project.write("lib/shop/Cart.java", library);
    trial.compile();
    let (found, ran) = trial.merge(args);
    (found[0]["file"]["text"].as_str().unwrap_or_default().to_owned(), ran.stdout)
}

#[test]
fn the_java_examples_of_the_guide_are_what_comes_out() {
    let parts = PAGE.split("```").skip(1).step_by(2);
    let fences: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once('\n')).collect();
    let library = fences.iter().find(|(language, _)| *language == "java").expect("there is a library").1;
    let mut n_seen = 0;
    for example in fences.windows(3) {
        let [("java", before), ("sh", command), ("java", after)] = example else { continue };
        let args: Vec<&str> = command.split_whitespace().skip(2).collect();
        let (text, said) = merge("junit5", library, before, &args);
        assert_eq!(text, *after, "{command}{said}");
        n_seen += 1;
    }
    assert_eq!(n_seen, 2, "rows and joined tests have an example");
}

fn junit4(members: &str) -> String {
    format!(
        "package shop;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class CartTest {{\n{members}}}\n"
    )
}

#[test]
fn in_junit_4_an_expected_exception_is_asserted_and_messages_stay_apart() {
    let members = junit4(
        "    @Test(expected = IllegalArgumentException.class)\n    public void negative() {\n        Cart cart = new Cart();\n        \
         cart.add(2);\n        cart.add(-1);\n    }\n\n    @Test\n    public void total() {\n        Cart own = new Cart();\n        \
         own.add(2);\n        assertEquals(\"total\", 2, own.total());\n    }\n\n    @Test\n    public void size() {\n        Cart cart = new \
         Cart();\n        cart.add(2);\n        assertEquals(\"size\", 1, cart.size());\n    }\n",
    );
    let (text, said) = merge("junit4", CART, &members, &["shop.CartTest", "--how", "reorganise"]);
    let joined = "
    @Test
    public void totalAndNegative() {
        Cart own = new Cart();
        own.add(2);
        assertEquals(\"total\", 2, own.total());
        assertThrows(IllegalArgumentException.class, () -> own.add(-1));
    }

    @Test
    public void size() {
";
    assert!(
        text.contains(joined) && text.contains("import static org.junit.Assert.assertThrows;"),
        "{text}{said}"
    );
}

#[test]
fn junit_4_has_no_rows_within_a_class() {
    let members = junit4(
        "    @Test\n    public void two() {\n        Cart cart = new Cart();\n        cart.add(2);\n        assertEquals(2, cart.total());\n    \
         }\n\n    @Test\n    public void three() {\n        Cart cart = new Cart();\n        cart.add(3);\n        assertEquals(3, \
         cart.total());\n    }\n",
    );
    let (text, said) = merge("junit4", CART, &members, &["shop.CartTest", "--how", "parametrise"]);
    assert!(text.is_empty() && said.contains("(framework)"), "{text}{said}");
}

/// Tests that differ in a value, in a class which that of another file may derive from.
const BASE: &str = "\
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

public class BaseTest {
    int before() {
        return 0;
    }

    @Test
    void two() {
        Cart cart = new Cart();
        cart.add(2);
        assertEquals(2, before() + cart.total());
    }

    @Test
    void three() {
        Cart cart = new Cart();
        cart.add(3);
        assertEquals(3, before() + cart.total());
    }
}
";

#[test]
fn tests_that_a_class_of_another_file_inherits_are_named() {
    let merged = |other: &str| {
        let trial = Trial::with_test("junit5", "tests/shop/BaseTest.java", BASE);
        trial.project.write("lib/shop/Cart.java", CART);
        trial.project.write("tests/shop/MoreTest.java", other);
        trial.compile();
        let args = ["shop.BaseTest", "--how", "parametrise", "--mutants", "0"];
        trial.merge(&args).0[0].clone()
    };
    let heir = "package shop;\n\nclass MoreTest extends BaseTest {\n}\n";
    let found = merged(heir);
    let told = found["alone"].to_string();
    assert!(told.contains("base_class") && told.contains("tests/shop/MoreTest.java"), "{found:#}");
    assert!(found["file"].is_null(), "{found:#}");
    let stranger = "package shop;\n\nclass MoreTest {\n    // no BaseTest extends it\n}\n";
    assert!(merged(stranger)["file"]["text"].as_str().is_some_and(|text| text.contains("CsvSource")));
}

/// Merges tests of a `JUnit` 4 class in the way that shares steps, and gives what is written and what is told.
fn junit4_reorganised(members: &str) -> (String, String) {
    let test = junit4(members)
        .replace("import org.junit.Test;", "import static org.junit.Assert.fail;\n\nimport org.junit.Test;");
    merge("junit4", CART, &test, &["shop.CartTest", "--how", "reorganise", "--mutants", "0"])
}

const TWO: &str = "    @Test\n    public void total() {\n        Cart cart = new Cart();\n        cart.add(2);\n        \
                   assertEquals(2, cart.total());\n    }\n\n    @Test\n    public void size() {\n        Cart cart = new Cart();\n        \
                   cart.add(2);\n        assertEquals(1, cart.size());\n    }\n";

#[test]
fn a_runner_of_its_own_is_named() {
    let runner = "@org.junit.runner.RunWith(org.junit.runners.JUnit4.class)\n";
    let test = junit4(TWO).replace("public class", &format!("{runner}public class"));
    let trial = Trial::with_test("junit4", "tests/shop/CartTest.java", &test);
    trial.project.write("lib/shop/Cart.java", CART);
    trial.compile();
    let (found, _) = trial.merge(&["shop.CartTest", "--how", "reorganise", "--mutants", "0"]);
    let alone = found[0]["alone"].to_string();
    assert!(found[0]["file"].is_null() && alone.contains("its class has a runner of its own"), "{found:#}");
}

#[test]
fn a_call_that_fails_the_test_comes_along() {
    let failing = TWO.replace(
        "        assertEquals(1, cart.size());\n",
        "        try {\n            cart.add(-1);\n            fail();\n        } catch (IllegalArgumentException expected) {\n            \
         assertEquals(1, cart.size());\n        }\n",
    );
    let (text, said) = junit4_reorganised(&failing);
    assert!(text.contains("public void totalAndSize() {"), "{text}{said}");
    assert!(text.contains("            cart.add(-1);\n            fail();\n        } catch"), "{text}{said}");
}

#[test]
fn tests_of_two_classes_do_not_meet() {
    let nested = |name: &str, check: &str| {
        format!(
            "    @Nested\n    class {name} {{\n        @Test\n        void it() {{\n            Cart cart = new Cart();\n            \
             cart.add(2);\n            {check}\n        }}\n    }}\n"
        )
    };
    let members =
        nested("Small", "assertEquals(2, cart.total());") + &nested("Large", "assertEquals(1, cart.size());");
    let text = format!(
        "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Nested;\nimport \
         org.junit.jupiter.api.Test;\n\nclass CartTest {{\n{members}}}\n"
    );
    let args = ["shop.CartTest", "--how", "parametrise,reorganise,extract", "--mutants", "0"];
    let (text, said) = merge("junit5", CART, &text, &args);
    assert!(text.is_empty() && said.contains("nothing to merge"), "{text}{said}");
}

#[test]
fn junit_4_is_merged_in_a_maven_project_too() {
    let trial = Trial::on("maven");
    let jupiter = "<groupId>org.junit.jupiter</groupId>\n      <artifactId>junit-jupiter</artifactId>\n      <version>5.10.5</version>";
    let junit =
        "<groupId>junit</groupId>\n      <artifactId>junit</artifactId>\n      <version>4.13.2</version>";
    let pom = trial.project.read("web/pom.xml");
    assert!(pom.contains(jupiter), "{pom}");
    trial.project.write("web/pom.xml", &pom.replace(jupiter, junit));
    std::fs::remove_file(trial.project.root().join("web/src/test/java/shop/PageTest.java"))
        .expect("it is ours");
    trial.project.write("web/src/test/java/shop/CartTest.java", &junit4(TWO));
    let (found, ran) = trial.merge_plain(&["shop.CartTest", "--how", "reorganise", "--mutants", "2"]);
    let text = found[0]["file"]["text"].as_str().unwrap_or_default();
    assert!(text.contains("    public void totalAndSize() {"), "{ran}");
    assert!(found[0]["groups"][0]["mutants"]["caught"].as_u64().is_some_and(|n| n > 0), "{found:#}");
}

#[test]
fn in_java_too_what_changes_through_an_alias_comes_last() {
    let list = "        java.util.List<String> a = new java.util.ArrayList<>();\n        a.add(\"x\");\n        java.util.List<String> b = \
                a;\n";
    let members = format!(
        "    @Test\n    public void grows() {{\n{list}        b.add(\"y\");\n        assertEquals(2, a.size());\n    }}\n\n    @Test\n    \
         public void same() {{\n{list}        org.junit.Assert.assertSame(a, b);\n        assertEquals(1, a.size());\n    }}\n"
    );
    let args = ["shop.CartTest", "--how", "reorganise", "--mutants", "0"];
    let (text, said) = merge("junit4", CART, &junit4(&members), &args);
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}{said}"));
    assert!(place("assertSame(a, b)") < place("b.add(\"y\")"), "{text}{said}");
    assert!(place("assertEquals(1, a.size())") < place("b.add(\"y\")"), "{text}{said}");
    // Two objects that are alike are not one.
    let copy = members.replacen("b = a;", "b = new java.util.ArrayList<>(a);", 1).replacen("2, a", "1, a", 1);
    let (text, said) = merge("junit4", CART, &junit4(&copy), &args);
    assert!(
        text.contains("> b = new ") && text.contains("> b2 = a;\n") && text.contains("assertSame(a, b2)"),
        "{text}{said}"
    );
}
