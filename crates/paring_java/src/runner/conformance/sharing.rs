//! Test files that share JVMs.

use super::*;

const CART: &str =
    "package shop;\npublic class Cart {\n  static int made;\n  public final int number = ++made;\n}\n";

/// A file of the package with one test, which fails with a number.
fn file(class: &str, number: &str) -> String {
    format!(
        "package shop;\nimport org.junit.jupiter.api.*;\npublic class {class} {{\n  @Test void test() {{ Assertions.fail(\"\" + ({number})); }}\n  static int other() {{ return 2; }}\n}}\n"
    )
}

fn message(runner: &JunitRunner, class: &str, text: &str, heat: Heat) -> String {
    failure(see(runner, text, &format!("shop.{class}#test"), heat)).exception().message.clone()
}

/// Two files with the same JVMs below them, the classes of both on the class path.
fn pair(lab: &Lab) -> [JunitRunner; 2] {
    let project = lab.project();
    let jvms = Arc::new(Jvms::start(project.clone()).expect("JVMs"));
    ["OneTest", "TwoTest"].map(|class| {
        let path = lab.root().join(format!("src/shop/{class}.java"));
        JunitRunner::new(Arc::clone(&jvms), &project, &path, Duration::from_secs(30))
    })
}

#[test]
fn files_that_share_jvms_do_not_see_each_other() {
    for jdk in jdks() {
        let one = file("OneTest", "new Cart().number");
        let two = file("TwoTest", "new Cart().number + OneTest.other()");
        let sources = [
            ("shop/Cart.java", CART),
            ("shop/OneTest.java", one.as_str()),
            ("shop/TwoTest.java", two.as_str()),
        ];
        let lab = Lab::new(&jdk, "junit5", &sources);
        let [first, second] = pair(&lab);
        // A candidate of one file has lost what the other one uses: that one still sees the class on the class path.
        let pared = one.replace("static int other() { return 2; }", "");
        for heat in [Heat::Fresh, Heat::Warm, Heat::Apart, Heat::Cold, Heat::Warm] {
            assert_eq!(message(&first, "OneTest", &pared, heat), "1", "{heat:?}");
            assert_eq!(message(&second, "TwoTest", &two, heat), "3", "{heat:?}");
        }
    }
}

#[test]
fn only_the_same_project_is_served() {
    let lab = Lab::new(&jdks()[0], "junit5", &[]);
    let jvms = Jvms::start(lab.project()).expect("JVMs");
    let elsewhere = JavaProject { test_source_roots: Vec::new(), ..lab.project() };
    assert!(jvms.serve(&elsewhere), "where test files lie does not matter");
    assert!(!jvms.serve(&JavaProject {
        test_source_roots: Vec::new(),
        compiles_other_sources: true,
        ..lab.project()
    }));
    assert!(!jvms.serve(&JavaProject { jvm_args: vec!["-Da=b".to_owned()], ..lab.project() }));
    assert!(!jvms.serve(&JavaProject { classpath: Vec::new(), ..lab.project() }));
}
