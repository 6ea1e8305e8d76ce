//! What comes out, and where: a file of its own, a patch, the test itself, reports, reasons.

use crate::trial::Trial;
use std::process::Command;

const TARGET: &str = "bank.AccountTest#feesAreTaken";
const FILE: &str = "tests/bank/AccountTest.java";

#[test]
fn one_run_writes_file_patch_report_and_reasons() {
    let trial = Trial::compiled("junit4");
    let before = trial.project.read(FILE);
    let [out, patch, report] =
        ["out/AccountTest.java", "pared.patch", "junit.xml"].map(|name| trial.outside(name));
    let written = ["--out", out.as_str(), "--patch", patch.as_str(), "--junit-out", report.as_str()];
    let ran = trial.minimize(&[&[TARGET, "--explain"], &written[..]].concat());
    ran.only(0, "minimized");
    assert_eq!(trial.project.read(FILE), before, "the user's file stays\n{ran}");
    ran.says(&[
        "kept: line 22 `account.deposit(100);`: ",
        "kept: line 26 `assertEquals(95, account.balance());`: the test fails here",
    ]);

    let xml = std::fs::read_to_string(&report).expect("the report is written");
    assert!(xml.contains("<testcase classname=\"bank.AccountTest\" name=\"feesAreTaken\""), "{xml}");
    assert!(xml.contains("but was:&lt;100&gt;") && xml.contains("account.charge(5);\n"), "{xml}");

    let alone = std::fs::read_to_string(&out).expect("the file is written");
    assert!(!alone.contains("overdraftIsRefused") && !alone.contains("other"), "{alone}");
    trial.project.write(FILE, &alone);
    trial.compile();

    trial.project.write(FILE, &before);
    let git = Command::new("git")
        .args(["apply", patch.as_str()])
        .current_dir(trial.project.root())
        .env("GIT_CEILING_DIRECTORIES", trial.project.root().parent().expect("it has a folder"))
        .status();
    assert!(git.is_ok_and(|status| status.success()), "{ran}");
    let after = trial.project.read(FILE);
    let gone = ["other.deposit(1);", "int before = account.balance();", "other.withdraw(1);"];
    let (test, rest) = before.split_once("@Test(expected").expect("the other test is there");
    let test: String = test.split_inclusive('\n').filter(|line| !gone.contains(&line.trim())).collect();
    assert_eq!(after, format!("{test}@Test(expected{rest}"), "{ran}");
    trial.compile();
}

#[test]
fn apply_rewrites_the_test_and_nothing_else() {
    let trial = Trial::compiled("junit5");
    let file = "tests/shop/CartTest.java";
    let (before, files) = (trial.project.read(file), trial.project.files());
    let ran = trial.minimize(&["shop.CartTest#removes", "--apply"]);
    ran.only(0, "minimized");
    let after = trial.project.read(file);
    let (shared, own) = before.split_once("    @Test\n    void removes").expect("the test is there");
    let (_, rest) = own.split_once("    @Test\n    void counts").expect("the other test is there");
    assert!(after.ends_with(rest) && !after.contains("log"), "{after}");
    let is_import = |line: &&str| line.starts_with("import ");
    let kept: String = shared.lines().filter(|line| !is_import(line)).collect();
    assert!(after.lines().filter(|line| !is_import(line)).collect::<String>().starts_with(&kept), "{after}");
    assert_eq!(files.keys().collect::<Vec<_>>(), trial.project.files().keys().collect::<Vec<_>>());
    trial.compile();
    let ran = trial.minimize(&["shop.CartTest#removes"]);
    ran.only(3, "unchanged");
}

#[test]
fn nothing_is_written_where_nothing_was_found() {
    let trial = Trial::compiled("junit5");
    let before = trial.project.files();
    let ran = trial.minimize(&["shop.CartTest#counts", "--apply", "--out", "Pared.java"]);
    ran.only(4, "passing");
    assert_eq!(trial.project.files(), before, "{ran}");
}
