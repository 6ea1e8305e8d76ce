//! JDKs other than the one on the path: those of `PARING_TEST_JAVA_HOMES`, or those that lie where Linux systems keep them.

use crate::trial::{Trial, cart_test};
use camino::{Utf8Path, Utf8PathBuf};
use std::process::Command;

const TARGET: &str = "shop.CartTest#test";

/// Of the JDKs at hand the one with the highest version, if that is not the path's own.
fn newer_jdk() -> Option<Utf8PathBuf> {
    let named = std::env::var("PARING_TEST_JAVA_HOMES").unwrap_or_default();
    let named: Vec<Utf8PathBuf> =
        std::env::split_paths(&named).filter_map(|home| Utf8PathBuf::from_path_buf(home).ok()).collect();
    let usual = Utf8Path::new("/usr/lib/jvm").read_dir_utf8().into_iter().flatten().flatten();
    let homes = named.into_iter().chain(usual.map(|entry| entry.path().to_owned()));
    let newest = homes.filter_map(|home| Some((version(&home)?, home))).max()?;
    let output = Command::new("java").args(["-XshowSettings:properties", "-version"]).output().ok()?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let own =
        told.lines().find_map(|line| line.trim().strip_prefix("java.specification.version = ")?.parse().ok());
    let found = (Some(newest.0) > own).then_some(newest.1);
    if found.is_none() {
        eprintln!("skipped: no JDK newer than the path's; name one by PARING_TEST_JAVA_HOMES");
    }
    found
}

/// The release of a JDK, `25` of `25.0.1`.
fn version(home: &Utf8Path) -> Option<u32> {
    let release =
        std::fs::read_to_string(home.join("release")).ok().filter(|_| home.join("bin/javac").is_file())?;
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    version.split(['.', '"', '-']).next()?.parse().ok()
}

#[test]
fn a_test_in_a_newer_java_is_pared_with_the_jdk_that_is_named() {
    let Some(home) = newer_jdk() else { return };
    // Records, patterns and text blocks are newer than the oldest sources; the pattern is newer than JDK 17.
    let trial = Trial::with_members(
        "record Row(String name, int price) {}\n\
         static int price(Object row) { return switch (row) { case Row(var name, var price) -> price; default -> 0; }; }\n\
         @Test void test() {\nString note = \"\"\"\n  a note\n  \"\"\";\nObject row = new Row(\"a\", 3);\n\
         note += row;\nint price = price(row);\nassertEquals(4, price);\n}",
    );
    let ran = trial.minimize(&[TARGET, "--java-home", home.as_str()]);
    ran.keeps(&["Object row = new Row(\"a\", 3);", "int price = price(row);", "assertEquals(4, price);"]);
    assert_eq!(ran.stderr, "", "the JVM's own warnings are not for the user\n{ran}");
    // The one of the path does not know the pattern.
    let ran = trial.minimize(&[TARGET]);
    assert_eq!(ran.only(1, "error")["error"]["code"], "collection", "{ran}");
    ran.says(&["the test file does not compile", "line 10:"]);
}

#[test]
fn a_death_and_a_hang_are_seen_on_a_newer_jdk_too() {
    let Some(home) = newer_jdk() else { return };
    let trial = Trial::with_members(
        "@Test void test() {\nint note = 1;\nint code = 7;\nSystem.exit(code);\n}\n\
         @Test void sleeps() throws Exception {\nThread.sleep(1000000);\n}",
    )
    .env("JAVA_HOME", home.as_str());
    let ran = trial.minimize(&[TARGET, "shop.CartTest#sleeps", "--baseline", "2", "--timeout", "5"]);
    assert_eq!(ran.results[0]["statements"]["after"], 2, "{ran}");
    ran.says(&["failure: died: exit 7", "failure: hang: the test does not end, line 15"]);
}

#[test]
fn classes_of_a_newer_jdk_are_told_with_both_versions() {
    let trial =
        Trial::with_members("@Test void test() {\nint note = 1;\nassertEquals(0, new Cart().total());\n}");
    trial.project.write(
        "lib/shop/Cart.java",
        "package shop;\n\npublic class Cart {\n    public int total() { return 1; }\n}\n",
    );
    trial.compile();
    let class = trial.outside("lib/shop/Cart.class");
    let mut bytes = std::fs::read(&class).expect("it was just compiled");
    // The version of the class file: that of Java 99.
    bytes[6..8].copy_from_slice(&143_u16.to_be_bytes());
    std::fs::write(&class, bytes).expect("the folder is ours");
    let ran = trial.minimize(&[TARGET]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "old_jdk", "{ran}");
    ran.says(&[
        "Cart.class was compiled for Java 99, and ",
        "next: name a JDK of version 99 or newer with --java-home",
    ]);
}

#[test]
fn sources_of_an_old_release_are_compiled_as_such() {
    let body = |first: &str| {
        cart_test(&format!("@Test void test() {{\n{first}\nint two = 2;\nassertEquals(3, two);\n}}"))
    };
    let trial = Trial::with_members("");
    let level = ["--javac-arg", "--release", "--javac-arg", "8"];
    trial.project.write(crate::trial::CART_TEST, &body("int one = 1;"));
    let ran = trial.minimize(&[&[TARGET], &level[..]].concat());
    ran.keeps(&["int two = 2;", "assertEquals(3, two);"]);
    trial.project.write(crate::trial::CART_TEST, &body("var one = 1;"));
    let ran = trial.minimize(&[&[TARGET], &level[..]].concat());
    assert_eq!(ran.only(1, "error")["error"]["code"], "collection", "{ran}");
    ran.says(&["line 10:", "var"]);
    let ran = trial.minimize(&[TARGET, "--javac-arg=--release=99"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "javac_args", "{ran}");
    ran.says(&["javac refuses its arguments", "99", "next: check --javac-arg"]);
}
