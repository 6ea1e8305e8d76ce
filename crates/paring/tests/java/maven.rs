//! Maven projects need no options: class path, settings and compilation come from the user's own Maven.

use crate::trial::Trial;

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
fn a_folder_with_the_mended_project_is_compiled_as_the_good_version() {
    let trial = Trial::on("maven");
    let good = Trial::on("maven");
    let mended = good
        .project
        .read("core/src/main/java/shop/Cart.java")
        .replace("remove(int row) {", "remove(int row) { prices.remove(row);");
    good.project.write("core/src/main/java/shop/Cart.java", &mended);
    let ran = trial.plain(&[TARGET, "--good", good.project.root().as_str()]);
    assert_eq!(ran.only(0, "minimized")["verified"]["passes_on_good"], true, "{ran}");
}
