//! Another text in the place of a file of the code under test: the run has its classes, the file on disk stays as it is.

use super::*;
use paring_model::CodeText;

const CART: &str = "\
package shop;
import java.util.function.IntUnaryOperator;
public class Cart {
    static class Rate { int of(int n) { return n * 2; } }
    private final IntUnaryOperator rebate = new IntUnaryOperator() {
        public int applyAsInt(int n) { return n - 1; }
    };
    public int total(int n) { return rebate.applyAsInt(new Rate().of(n)); }
    public static boolean isFree(int n) { return n == 0; }
}
";

const TESTS: &str = "@Test public void test() { assertEquals(5, new Cart().total(3)); }\n@Test public void free() { assertTrue(Cart.isFree(0)); }";

fn code(lab: &Lab, from: &str, to: &str) -> CodeText {
    assert!(CART.contains(from));
    CodeText { path: lab.root().join("main/shop/Cart.java"), text: CART.replace(from, to) }
}

#[test]
fn a_run_has_the_classes_of_a_mutant_nested_ones_too() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "junit4", &[("shop/Cart.java", CART)]);
        let runner = lab.runner();
        let see = |code: Option<CodeText>, heat: Heat| {
            let candidate = candidate(&junit4(TESTS), TARGET)
                .with_targets(["shop.CartTest#test", "shop.CartTest#free"].map(str::to_owned));
            let job = Job { code, ..Job::new(candidate, heat, None) };
            let seen = runner.observe(&[job]).expect("an observation").remove(0);
            seen.iter().map(|seen| *seen == Observation::Passed).collect::<Vec<bool>>()
        };
        for heat in [Heat::Warm, Heat::Apart, Heat::Cold] {
            assert_eq!(see(Some(code(&lab, "n * 2", "n + 2")), heat), [false, true], "{heat:?}");
            assert_eq!(see(Some(code(&lab, "n - 1", "n + 1")), heat), [false, true], "{heat:?}");
            assert_eq!(see(Some(code(&lab, "n == 0", "n != 0")), heat), [true, false], "{heat:?}");
            assert_eq!(see(None, heat), [true, true], "{heat:?}");
        }
    }
}

#[test]
fn what_javac_refuses_is_no_fault() {
    let lab = Lab::new(&jdks()[0], "junit4", &[("shop/Cart.java", CART)]);
    let runner = lab.runner();
    let refused =
        runner.refused_code(&[code(&lab, "n == 0", "n"), code(&lab, "n == 0", "n != 0")]).expect("an answer");
    let [Some(why), None] = refused.as_slice() else { panic!("{refused:?}") };
    assert!(why.starts_with("line 9: incompatible types"), "{why}");
    let job = Job {
        code: Some(code(&lab, "n == 0", "n")),
        ..Job::new(candidate(&junit4(TESTS), TARGET), Heat::Warm, None)
    };
    let seen = observe_single(&runner, &[job]).expect("an observation").remove(0);
    assert!(matches!(seen, Observation::Broken { .. }), "{seen:?}");
}
