//! What is wrong around the test: no JDK, no class path, classes and sources that do not go together.

use crate::trial::{Ran, Trial};
use std::os::unix::fs::PermissionsExt;

const TARGET: &str = "shop.CartTest#removes";

/// Runs with a home whose `bin/java` is this script, and whose `release` file has these lines.
fn with_home(script: &str, release: &str) -> Ran {
    let trial = Trial::on("junit5");
    let home = trial.outside("jdk");
    std::fs::create_dir_all(home.join("bin")).expect("the folder is ours");
    std::fs::write(home.join("bin/java"), format!("#!/bin/sh\n{script}\n")).expect("the folder is ours");
    std::fs::set_permissions(home.join("bin/java"), std::fs::Permissions::from_mode(0o755))
        .expect("it is ours");
    if !release.is_empty() {
        std::fs::write(home.join("release"), release).expect("the folder is ours");
    }
    trial.env("JAVA_HOME", home.as_str()).plain(&[
        TARGET,
        "--classpath",
        "classes",
        "--test-sources",
        "tests",
    ])
}

#[test]
fn a_machine_without_java_is_told_to_get_a_jdk() {
    let trial = Trial::on("junit5").env("PATH", "/nowhere");
    let ran = trial.plain(&[TARGET, "--classpath", "classes", "--test-sources", "tests"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_jdk", "{ran}");
    ran.says(&["no Java was found", "next: install a JDK", "--java-home or JAVA_HOME"]);
    let ran = Trial::on("junit5").env("JAVA_HOME", "/nowhere").plain(&[TARGET, "--classpath", "classes"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_jdk", "{ran}");
    ran.says(&["JAVA_HOME is /nowhere, and there is no bin/java in it"]);
}

#[test]
fn a_runtime_without_a_compiler_is_told_apart() {
    // One tells its modules, the other has to be asked for its version.
    for (script, release) in [
        ("exit 1", "JAVA_VERSION=\"21.0.2\"\nMODULES=\"java.base java.logging\"\n"),
        ("echo 'openjdk version \"21.0.2\" 2024-01-16' >&2", ""),
    ] {
        let ran = with_home(script, release);
        assert_eq!(ran.only(7, "error")["error"]["code"], "jre_only", "{ran}");
        ran.says(&["is a Java runtime without a compiler", "next: install the JDK of the same version"]);
    }
}

#[test]
fn a_jdk_that_is_too_old_is_told_with_its_version() {
    for (script, release) in
        [("exit 1", "JAVA_VERSION=\"1.8.0_402\"\n"), ("echo 'openjdk version \"1.8.0_402\"' >&2", "")]
    {
        let ran = with_home(script, release);
        assert_eq!(ran.only(7, "error")["error"]["code"], "old_jdk", "{ran}");
        ran.says(&[
            "is Java 1.8.0_402, and paring needs 17 or newer",
            "next: name a newer JDK with --java-home",
        ]);
    }
}

#[test]
fn a_java_that_does_not_run_is_told_by_name() {
    let ran = with_home("exit 1", "");
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_jdk", "{ran}");
    ran.says(&["bin/java -version` tells no version"]);
}

#[test]
fn an_argument_that_the_jvm_refuses_is_told_with_its_words() {
    let ran = Trial::with_members("@Test void test() { fail(); }")
        .minimize(&["shop.CartTest#test", "--jvm-arg=-XX:+NoSuchOption"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "broken_environment", "{ran}");
    ran.says(&["NoSuchOption", "next: check the JVM's arguments"]);
}

#[test]
fn a_cache_in_a_folder_with_spaces_and_one_that_cannot_be_written() {
    let trial =
        Trial::with_members("@Test void test() {\nint one = 1;\nassertEquals(2, \"two\".length());\n}");
    let cache = trial.outside("a cache");
    let trial = trial.env("PARING_CACHE_DIR", cache.as_str());
    let ran = trial.minimize(&["shop.CartTest#test", "--strategy", "ssmin"]);
    ran.keeps(&["assertEquals(2, \"two\".length());"]);
    // Without the worker's own classes at hand there is no trace.
    assert_ne!(ran.results[0]["trace"]["before"], 0, "{ran}");
    std::fs::write(trial.outside("file"), "").expect("the folder is ours");
    let cache = trial.outside("file/cache");
    let ran = trial.env("PARING_CACHE_DIR", cache.as_str()).minimize(&["shop.CartTest#test"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "cache", "{ran}");
    ran.says(&["cannot write to the cache", "PARING_CACHE_DIR"]);
}

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
    let ran = trial.plain(&["shop.CartTest", "--classpath", &class_path, "--test-sources", "tests"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_junit", "{ran}");
    ran.says(&["there is no JUnit on the class path", "next: add JUnit 3.8, 4 or 5 to --classpath"]);
    // A plain test meets the compiler first.
    let trial = Trial::with_members("@Test void test() { fail(); }");
    let ran = trial.plain(&["shop.CartTest#test", "--classpath", "classes", "--test-sources", "tests"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "no_junit", "{ran}");
    ran.says(&[
        "org.junit.jupiter.api is not on the class path",
        "next: add JUnit 3.8, 4 or 5 to --classpath",
    ]);
}

#[test]
fn a_source_that_does_not_compile_is_told_with_the_compilers_words() {
    let trial = Trial::compiled("junit4");
    let text =
        trial.project.read("tests/bank/AccountTest.java").replace("account.charge(5);", "account.fee(5);");
    trial.project.write("tests/bank/AccountTest.java", &text);
    let ran = trial.minimize(&["bank.AccountTest#feesAreTaken"]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "collection", "{ran}");
    ran.says(&["the test file does not compile", "line 24: cannot find symbol", "fee", "must compile"]);
    assert!(!ran.stdout.contains("compiler.err"), "{ran}");
}
