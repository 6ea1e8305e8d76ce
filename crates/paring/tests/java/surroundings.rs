//! What is wrong around the test: no JDK, no class path, classes and sources that do not go together.

use crate::trial::Trial;

#[test]
fn without_maven_and_class_path_the_user_is_told_what_to_give() {
    let ran = Trial::on("junit5").plain(&["shop.CartTest#removes", "--test-sources", "tests"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_classpath", "{ran}");
    ran.says(&["--classpath"]);
}

#[test]
fn a_folder_without_java_is_no_jdk() {
    let trial = Trial::compiled("junit5");
    let empty = trial.outside("home");
    let ran = trial.minimize(&["shop.CartTest#removes", "--java-home", empty.as_str()]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_jdk", "{ran}");
    ran.says(&["next: install a JDK"]);
}

#[test]
fn a_class_path_without_junit_is_told() {
    let trial = Trial::compiled("junit5");
    let (tests, lib) = (trial.outside("tests"), trial.outside("lib"));
    let class_path = format!("{tests}:{lib}");
    let ran = trial.plain(&["shop.CartTest#removes", "--classpath", &class_path, "--test-sources", "tests"]);
    assert_ne!(ran.code, 0, "{ran}");
    ran.only(ran.code, "error");
}

#[test]
fn a_source_that_does_not_compile_is_told_with_the_compilers_words() {
    let trial = Trial::compiled("junit4");
    let text =
        trial.project.read("tests/bank/AccountTest.java").replace("account.charge(5);", "account.fee(5);");
    trial.project.write("tests/bank/AccountTest.java", &text);
    let ran = trial.minimize(&["bank.AccountTest#feesAreTaken"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "collection", "{ran}");
    ran.says(&["fee", "must compile"]);
}
