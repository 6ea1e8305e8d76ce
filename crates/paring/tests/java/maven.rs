//! Maven projects need no options: class path, settings and compilation come from the user's own Maven.

use crate::trial::Trial;
use std::process::Command;

const TARGET: &str = "shop.PageTest#rowGoes";

#[test]
fn a_test_in_a_reactor_is_pared_from_any_folder_and_maven_is_asked_once() {
    let trial = Trial::on("maven");
    let ran = trial.plain(&[TARGET]);
    let result = ran.only(0, "minimized");
    assert_eq!(result["file"]["path"], "shop/PageTest.java", "{ran}");
    let test = result["test"].as_str().expect("a test");
    assert!(test.contains("cart.remove(row);") && !test.contains("log"), "{ran}");
    // Whatever Maven there is now would fail: its answer is still known.
    trial.project.write("mvnw", "echo '[ERROR] not again'; exit 1\n");
    trial.plain(&[TARGET]).only(0, "minimized");
    let changed = trial.project.read("web/src/test/java/shop/PageTest.java").replace("log = ", "notes = ");
    trial.project.write("web/src/test/java/shop/PageTest.java", &changed);
    let ran = trial.plain(&[TARGET]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "maven", "{ran}");
    ran.says(&["Maven failed: not again"]);
}

#[test]
fn a_project_that_does_not_compile_is_told_with_the_compilers_words() {
    let trial = Trial::on("maven");
    let text =
        trial.project.read("core/src/main/java/shop/Cart.java").replace("return total;", "return totle;");
    trial.project.write("core/src/main/java/shop/Cart.java", &text);
    let ran = trial.plain(&[TARGET]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "does_not_compile", "{ran}");
    ran.says(&["core/src/main/java/shop/Cart.java", "cannot find symbol"]);
}

#[test]
fn without_maven_the_user_is_told_what_to_give_instead() {
    let trial = Trial::on("maven").env("PATH", "/nowhere");
    let ran = trial.plain(&[TARGET]);
    let code = ran.only(7, "error")["error"]["code"].as_str().expect("a code").to_owned();
    assert!(["no_maven", "no_jdk"].contains(&code.as_str()), "{ran}");
}

#[test]
fn a_folder_with_the_fixed_project_is_compiled_as_the_good_version() {
    let trial = Trial::on("maven");
    let good = Trial::on("maven");
    let fixed = good
        .project
        .read("core/src/main/java/shop/Cart.java")
        .replace("remove(int row) {", "remove(int row) { prices.remove(row);");
    good.project.write("core/src/main/java/shop/Cart.java", &fixed);
    let ran = trial.plain(&[TARGET, "--good", good.project.root().as_str()]);
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
}

#[test]
fn a_revision_is_checked_out_apart_and_compiled_as_the_good_version() {
    let trial = Trial::on("maven");
    let git = |args: &[&str]| {
        let status = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"])
            .args(args)
            .current_dir(trial.project.root())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status();
        assert!(status.is_ok_and(|status| status.success()), "git {args:?}");
    };
    let (cart, test) = ("core/src/main/java/shop/Cart.java", "web/src/test/java/shop/PageTest.java");
    let (faulty, current) = (trial.project.read(cart), trial.project.read(test));
    trial.project.write(cart, &faulty.replace("remove(int row) {", "remove(int row) { prices.remove(row);"));
    // The good version has neither this test nor a test that compiles: the current ones are run on it.
    trial.project.write(test, "package shop;\n\nclass PageTest extends Nowhere {}\n");
    trial.project.write(".gitignore", "target\n");
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "good"]);
    git(&["tag", "v1"]);
    trial.project.write(cart, &faulty);
    trial.project.write(test, &current);
    git(&["commit", "--quiet", "-a", "-m", "faulty"]);
    let ran = trial.plain(&[TARGET, "--good", "v1"]);
    let result = ran.only(0, "minimized");
    assert_eq!(result["verified"]["passes_on_good"], true, "{ran}");
    assert_eq!(result["doubts"], serde_json::json!([]), "{ran}");
    ran.says(&["good: the pared test passes on the good version", "cart.remove(row);"]);
    let ran = trial.plain(&[TARGET, "--good", "v9"]);
    assert_eq!(ran.results[0]["error"]["code"], "good", "{ran}");
    ran.says(&["--good v9 is neither a folder nor a git revision here"]);
}

#[test]
fn a_project_that_is_a_module_is_pared_on_the_class_path_and_that_is_told() {
    let ran = Trial::on("modules").plain(&["shop.CartTest#rowGoes"]);
    ran.keeps(&[
        "Cart cart = new Cart();",
        "cart.add(3);",
        "cart.remove(0);",
        "assertEquals(0, cart.prices.size());",
    ]);
    ran.says(&["note: the project is a module; its tests run on the class path here"]);
}

#[test]
fn a_release_that_the_jdk_does_not_know_is_told_with_what_to_name() {
    let trial = Trial::on("modules");
    trial.project.write("pom.xml", &trial.project.read("pom.xml").replace(">11<", ">99<"));
    let ran = trial.plain(&["shop.CartTest#rowGoes"]);
    assert_eq!(ran.only(7, "error")["error"]["code"], "old_jdk", "{ran}");
    ran.says(&["the project is written for Java 99", "next: name another JDK with --java-home or JAVA_HOME"]);
}
