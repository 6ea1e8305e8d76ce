//! A good version of a Maven project is found in git's history without being asked for, and nothing of the search is left behind.

use crate::trial::{Ran, Trial};
use std::process::Command;

const TARGET: &str = "shop.PageTest#rowGoes";
const CART: &str = "core/src/main/java/shop/Cart.java";
const TEST: &str = "web/src/test/java/shop/PageTest.java";
/// The machine may be busy.
const BUDGET: &str = "--good-budget=10m";

fn git(trial: &Trial, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(trial.project.root())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git starts");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn commit(trial: &Trial, message: &str) {
    git(trial, &["add", "."]);
    git(trial, &["commit", "--quiet", "--allow-empty", "-m", message]);
}

fn fixed(cart: &str) -> String {
    cart.replace("remove(int row) {", "remove(int row) { prices.remove(row);")
}

/// A repository in which the fixed code is one commit, tagged `v1.0`, with no test that could run. The faulty code is in the work tree
/// only.
fn history() -> Trial {
    let trial = Trial::on("maven");
    let (faulty, test) = (trial.project.read(CART), trial.project.read(TEST));
    trial.project.write(".gitignore", "target\n");
    trial.project.write(CART, &fixed(&faulty));
    trial.project.write(TEST, "package shop;\n\nclass PageTest extends Nowhere {}\n");
    git(&trial, &["init", "--quiet"]);
    commit(&trial, "good");
    git(&trial, &["tag", "v1.0"]);
    trial.project.write(CART, &faulty);
    trial.project.write(TEST, &test);
    trial
}

#[track_caller]
fn finds(ran: &Ran, n_ago: u64) {
    let result = ran.only(0, "minimized");
    assert_eq!(result["good"]["commits_ago"], n_ago, "{ran}");
    assert_eq!(result["verified"]["passes_on_good"], true, "{ran}");
    assert_eq!(result["notes"], serde_json::json!([]), "{ran}");
    ran.says(&["cart.remove(row);"]);
    assert!(!ran.stdout.contains("log.add"), "{ran}");
}

/// What was tried, and why it was not taken.
fn tried(ran: &Ran) -> Vec<String> {
    let tried = ran.results[0]["good"]["tried"].as_array().expect("a list");
    tried.iter().map(|it| it["why"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_last_commit_is_good_where_the_work_tree_broke_it() {
    let trial = history();
    let before = git(&trial, &["status", "--porcelain", "--ignored"]);
    let ran = trial.plain(&[TARGET, BUDGET]);
    finds(&ran, 0);
    ran.says(&["good: the pared test passes at v1.0, without the changes of the work tree"]);
    let after = git(&trial, &["status", "--porcelain", "--ignored"]);
    assert_eq!(after.replace("!! core/target/\n!! web/target/\n", ""), before, "Maven's own folders at most");
    let ran = trial.plain(&[TARGET, BUDGET, "--good", "none"]);
    assert!(ran.only(0, "minimized")["good"].is_null(), "{ran}");
}

#[test]
fn older_commits_are_compiled_apart_and_one_that_does_not_compile_is_told() {
    let trial = history();
    let faulty = trial.project.read(CART);
    trial.project.write(CART, &faulty.replace("return total;", "return totle;"));
    commit(&trial, "faulty, and no program");
    trial.project.write(CART, &faulty);
    commit(&trial, "a program again");
    // No code that the tests could run.
    trial
        .project
        .write("web/pom.xml", &trial.project.read("web/pom.xml").replace("</project>", "\n</project>"));
    commit(&trial, "poms");
    let ran = trial.plain(&[TARGET, BUDGET]);
    // The tag comes after what is 1, 2 and 3 commits back; 1 has the present code.
    finds(&ran, 3);
    let tried = tried(&ran);
    assert_eq!(tried.len(), 1, "{ran}");
    assert!(tried[0].starts_with("does not compile there (Cart.java, line "), "{tried:?}");
    assert!(tried[0].contains("cannot find symbol"), "{tried:?}");
    ran.says(&["good: the pared test passes at v1.0, 3 commits ago"]);
}

#[test]
fn a_resource_of_the_code_is_as_old_as_the_code() {
    let trial = history();
    let cart =
        fixed(&trial.project.read(CART)).replace("prices.remove(row);", "if (removes()) prices.remove(row);");
    let cart = cart.replace(
        "public int size()",
        "private boolean removes() {\n        return getClass().getResource(\"/rows.txt\") != null;\n    }\n\n    public int size()",
    );
    trial.project.write(CART, &cart);
    trial.project.write("core/src/main/resources/rows.txt", "go\n");
    trial.project.write("core/src/main/resources/other.txt", "stays\n");
    commit(&trial, "good with a resource");
    git(&trial, &["rm", "--quiet", "core/src/main/resources/rows.txt"]);
    commit(&trial, "faulty");
    let ran = trial.plain(&[TARGET, BUDGET]);
    finds(&ran, 1);
    assert_eq!(tried(&ran), [""; 0]);
}

#[test]
fn a_test_that_never_passed_is_pared_without_and_one_line_says_where_it_was_looked() {
    let trial = history();
    git(&trial, &["update-ref", "-d", "HEAD"]);
    git(&trial, &["tag", "-d", "v1.0"]);
    commit(&trial, "faulty from the start");
    trial.project.write(CART, &trial.project.read(CART).replace("/** Removing", "/** That removing"));
    commit(&trial, "faulty");
    let ran = trial.plain(&[TARGET, BUDGET]);
    let result = ran.only(0, "minimized");
    assert!(result["verified"]["passes_on_good"].is_null(), "{ran}");
    ran.says(&["no version that passes was found at 1 commit back (fails there too); --good REV names one"]);
}

#[test]
fn code_that_javac_alone_does_not_compile_is_tried_once_and_the_reason_is_told() {
    let trial = history();
    let pom = trial.project.read("core/pom.xml");
    let excluding = "<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration><excludes>\
                     <exclude>**/Draft.java</exclude></excludes></configuration></plugin></plugins></build></project>";
    trial.project.write("core/pom.xml", &pom.replace("</project>", excluding));
    trial
        .project
        .write("core/src/main/java/shop/Draft.java", "package shop;\n\nclass Draft extends Nowhere {}\n");
    commit(&trial, "faulty, with a draft");
    trial
        .project
        .write("core/src/main/java/shop/Draft.java", "package shop;\n\nclass Draft extends Nobody {}\n");
    let ran = trial.plain(&[TARGET, BUDGET]);
    assert!(ran.only(0, "minimized")["verified"]["passes_on_good"].is_null(), "{ran}");
    assert_eq!(tried(&ran).len(), 1, "{ran}");
    ran.says(&["nor does the present code by javac alone (Draft.java, line 3: cannot find symbol"]);
}
