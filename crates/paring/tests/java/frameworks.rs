//! Tests of `JUnit` 3, 4 and 5 are pared, each with the `JUnit` on the class path.

use crate::trial::Trial;

#[test]
fn a_junit_5_test_is_pared_and_its_set_up_stays() {
    let ran = Trial::compiled("junit5").minimize(&["shop.CartTest#removes"]);
    let result = ran.only(0, "minimized");
    assert_eq!(result["file"]["path"], "shop/CartTest.java", "{ran}");
    assert_eq!(result["failure"]["type"], "org.opentest4j.AssertionFailedError", "{ran}");
    let text = result["file"]["text"].as_str().expect("a text");
    assert!(text.contains("cart = new Cart();") && !text.contains("ArrayList"), "{text}");
    assert!(text.contains("cart.remove(0);"), "the call under test stays\n{text}");
    assert!(!result["test"].as_str().expect("a test").contains("log"), "{ran}");
}

#[test]
fn a_junit_4_test_is_pared() {
    let trial = Trial::compiled("junit4");
    let ran = trial.minimize(&["bank.AccountTest#feesAreTaken"]);
    ran.keeps(&["account.deposit(100);", "account.charge(5);", "assertEquals(95, account.balance());"]);
    let result = ran.only(0, "minimized");
    let text = result["file"]["text"].as_str().expect("a text");
    assert!(!text.contains("other"), "set-up is pared too\n{text}");
}

#[test]
fn where_an_exception_does_not_come_the_call_that_should_throw_stays() {
    let ran = Trial::compiled("junit4").minimize(&["bank.AccountTest#overdraftIsRefused"]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("account.withdraw(20);") && !test.contains("other"), "{ran}");
}

#[test]
fn a_junit_3_test_is_pared() {
    let ran = Trial::compiled("junit3").minimize(&["bank.AccountTest#testFees"]);
    let test = ran.only(0, "minimized")["test"].as_str().expect("a test");
    assert!(test.contains("account.charge(5);") && test.contains("\"Gebühren\", 95"), "{ran}");
    assert!(!test.contains("name") && !test.contains("before"), "{ran}");
}

#[test]
fn with_a_good_class_path_the_result_passes_there() {
    let trial = Trial::compiled("junit5");
    let good = trial.class_path("good");
    let ran = trial.minimize(&["shop.CartTest#removes", "--good-classpath", &good]);
    let result = ran.only(0, "minimized");
    assert_eq!(result["verified"]["passes_on_good"], true, "{ran}");
    assert_eq!(result["doubts"], serde_json::json!([]), "{ran}");
}
