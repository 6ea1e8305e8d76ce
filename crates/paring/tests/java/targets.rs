//! Ways to name a Java test: methods, classes, nested and inherited ones, reports, whole folders.

use crate::trial::Trial;

#[test]
fn an_inherited_test_is_pared_in_the_file_it_is_written_in() {
    let ran = Trial::compiled("junit5").minimize(&["shop.ContractTest#isEmptyInTheEnd"]);
    let result = ran.only(0, "minimized");
    assert_eq!(result["file"]["path"], "shop/Contract.java", "{ran}");
    assert_eq!(result["file"]["target"], "shop.ContractTest#isEmptyInTheEnd", "{ran}");
    assert!(!result["test"].as_str().expect("a test").contains("name"), "{ran}");
}

#[test]
fn a_test_of_a_nested_class_is_pared() {
    let ran = Trial::compiled("junit5").minimize(&["shop.CartTest$WhenFull#removesTheFirst"]);
    assert!(!ran.only(0, "minimized")["test"].as_str().expect("a test").contains("unused"), "{ran}");
}

#[test]
fn a_parametrised_test_is_pared_in_its_first_failing_case() {
    let ran = Trial::compiled("junit5").minimize(&["shop.CartTest#removesAll"]);
    let result = ran.only(0, "minimized");
    assert!(result["target"].as_str().expect("an id").starts_with("shop.CartTest#removesAll["), "{ran}");
    ran.says(&["stands for 3 cases; pared the first that fails"]);
}

#[test]
fn a_class_stands_for_its_first_failing_test_and_needs_no_package() {
    let ran = Trial::compiled("junit4").minimize(&["AccountTest"]);
    let target = ran.only(0, "minimized")["target"].as_str().expect("an id");
    assert!(target.starts_with("bank.AccountTest#"), "{ran}");
}

#[test]
fn every_failure_of_a_surefire_report_is_pared() {
    let trial = Trial::compiled("junit5");
    let report = r#"<testsuite name="shop.CartTest"><testcase classname="shop.CartTest" name="counts"/>
        <testcase classname="shop.CartTest" name="removes"><failure/></testcase>
        <testcase classname="shop.CartTest" name="removesAll(int)[2]"><failure/></testcase></testsuite>"#;
    trial.project.write("reports/TEST-shop.CartTest.xml", report);
    let ran = trial.minimize(&["--junit-xml", "reports"]);
    let targets: Vec<&str> = ran.results.iter().filter_map(|result| result["target"].as_str()).collect();
    assert_eq!(targets, ["shop.CartTest#removes", "shop.CartTest#removesAll[2]"], "{ran}");
    assert_eq!(ran.code, 0, "{ran}");
}

#[test]
fn every_failing_test_of_a_folder_is_pared() {
    let ran = Trial::compiled("junit4").minimize(&["--failing", "tests"]);
    let mut targets: Vec<&str> = ran.results.iter().filter_map(|result| result["target"].as_str()).collect();
    targets.sort_unstable();
    assert_eq!(targets, ["bank.AccountTest#feesAreTaken", "bank.AccountTest#overdraftIsRefused"], "{ran}");
}

#[test]
fn a_name_that_is_nearly_right_is_told_with_the_right_one() {
    let trial = Trial::compiled("junit5");
    let ran = trial.minimize(&["shop.CartTest#remove"]);
    ran.only(6, "not_found");
    ran.says(&["shop.CartTest has no method remove; did you mean shop.CartTest#removes?"]);
    let ran = trial.minimize(&["shop.CardTest#removes"]);
    ran.only(6, "not_found");
    ran.says(&["there is no test class shop.CardTest: no source of it in tests"]);
}

#[test]
fn a_test_that_passes_is_told_so() {
    Trial::compiled("junit5").minimize(&["shop.CartTest#counts"]).only(4, "passing");
}
