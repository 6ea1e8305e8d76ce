//! Every error of the environment ends with 7 and says its word. Interpreters, JDKs and Maven are small scripts here; real ones
//! are in the tests of pytest and of Java.

use crate::trial::{Ran, Trial};
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

const PAGE: &str = include_str!("../../../../docs/exit-codes.md");
/// What a JDK that paring runs on says of itself.
const JDK: &str = "JAVA_VERSION=\"17.0.2\"\nMODULES=\"java.base jdk.compiler\"\n";
const ON_CLASS_PATH: [&str; 5] = ["shop.CartTest#adds", "--classpath", "classes", "--test-sources", "tests"];
const BY_MAVEN: [&str; 1] = ["shop.CartTest#adds"];

/// A situation: the word that paring has to say, and how to get there.
struct Situation {
    word: &'static str,
    arrange: fn(&'static str) -> Ran,
}

const SITUATIONS: [Situation; 14] = [
    Situation { word: "broken_environment", arrange: pytest_says },
    Situation {
        word: "cache",
        arrange: |_| python("exit 0", |it| it.env("PARING_CACHE_DIR", "/dev/null/x")),
    },
    Situation {
        word: "does_not_compile",
        arrange: |_| maven(Some("echo '[ERROR] COMPILATION ERROR :'; exit 1")),
    },
    Situation { word: "javac_args", arrange: junit_says },
    Situation {
        word: "jre_only",
        arrange: |_| java("exit 1", "JAVA_VERSION=\"17.0.2\"\nMODULES=\"java.base\"\n"),
    },
    Situation { word: "maven", arrange: |_| maven(Some("echo '[ERROR] out of order'; exit 1")) },
    Situation { word: "no_classpath", arrange: |_| java_project(|it| it.minimize(&BY_MAVEN)) },
    Situation { word: "no_interpreter", arrange: |_| python("exit 1", |it| it) },
    Situation { word: "no_jdk", arrange: |_| java("exit 1", "") },
    Situation { word: "no_junit", arrange: junit_says },
    Situation { word: "no_launcher", arrange: junit_says },
    Situation { word: "no_maven", arrange: |_| maven(None) },
    Situation { word: "no_pytest", arrange: pytest_says },
    Situation { word: "old_jdk", arrange: |_| java("exit 1", "JAVA_VERSION=\"1.8.0_402\"\n") },
];

/// Words that a script cannot bring about: they take a traced run of a real test. `split_report` has that one.
const ELSEWHERE: [&str; 1] = ["no_trace"];

#[test]
fn every_error_of_the_environment_has_its_word_and_ends_with_7() {
    for Situation { word, arrange } in SITUATIONS {
        let ran = arrange(word);
        assert_eq!(ran.only(7, "error")["error"]["code"], word, "{ran}");
    }
}

#[test]
fn the_page_has_under_7_what_was_brought_about_here() {
    let row = PAGE.lines().find(|line| line.starts_with("| 7 | `")).expect("a row of words");
    let documented: BTreeSet<&str> = row.split('`').skip(1).step_by(2).collect();
    let arranged: BTreeSet<&str> =
        SITUATIONS.iter().map(|situation| situation.word).chain(ELSEWHERE).collect();
    assert_eq!(documented, arranged);
}

#[test]
fn a_word_of_a_worker_that_nobody_knows_is_a_fault_of_paring() {
    for ran in [pytest_says("no_such_word"), junit_says("no_such_word")] {
        assert_eq!(ran.only(1, "error")["error"]["code"], "worker", "{ran}");
        ran.says(&["error: in so many words", "please report it"]);
    }
}

/// A worker that answers its first message with this error.
fn worker(word: &str) -> String {
    format!(r#"read start; echo '{{"op": "error", "code": "{word}", "message": "in so many words"}}'"#)
}

/// On a Python project, with a script as its interpreter.
fn python(script: &str, change: impl Fn(Trial) -> Trial) -> Ran {
    let trial = Trial::with_file("test_a.py", "def test_a():\n    assert 0\n");
    let program = trial.outside("python");
    write_program(&program, script);
    change(trial.python(program)).minimize(&["test_a.py::test_a"])
}

fn pytest_says(word: &str) -> Ran {
    python(&worker(word), |it| it)
}

/// On a Java project.
fn java_project(minimize: impl Fn(Trial) -> Ran) -> Ran {
    let test = "package shop;\nclass CartTest {\n  @org.junit.jupiter.api.Test void adds() { throw new Error(); }\n}\n";
    let trial = Trial::with_file("tests/shop/CartTest.java", test).without_python();
    let home = trial.outside("jdk");
    lay_out_jdk(&home, "exit 1", JDK);
    minimize(trial.env("JAVA_HOME", home))
}

/// The same with a class path, and a JDK whose `java` is a script and whose `release` file has this text.
fn java(script: &str, release: &str) -> Ran {
    java_project(|trial| {
        lay_out_jdk(&trial.outside("jdk"), script, release);
        trial.minimize(&ON_CLASS_PATH)
    })
}

fn junit_says(word: &str) -> Ran {
    // The first start is to compile the worker: there its jar is the last argument.
    let install = "for last; do :; done; case \"$last\" in *.jar) : > \"$last\"; exit 0;; esac";
    java(&format!("{install}\n{{ {}; }} <&4 >&3", worker(word)), JDK)
}

/// On a Maven project, with a script as its wrapper, or without any Maven.
fn maven(wrapper: Option<&str>) -> Ran {
    java_project(|trial| {
        trial.project.write("pom.xml", "<project><modelVersion>4.0.0</modelVersion></project>");
        let test = trial.project.read("tests/shop/CartTest.java");
        trial.project.write("src/test/java/shop/CartTest.java", &test);
        match wrapper {
            Some(script) => {
                trial.project.write("mvnw", script);
                trial.minimize(&BY_MAVEN)
            }
            None => trial.env("PATH", "/nowhere").minimize(&BY_MAVEN),
        }
    })
}

fn lay_out_jdk(home: &Utf8Path, script: &str, release: &str) {
    std::fs::create_dir_all(home.join("bin")).expect("the folder is ours");
    write_program(&home.join("bin/java"), script);
    std::fs::write(home.join("release"), release).expect("the folder is ours");
}

fn write_program(path: &Utf8Path, script: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{script}\n")).expect("the folder is ours");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
}
