//! The suites about lines and facts that every language has to pass.

use super::*;
use crate::frontend::JavaFrontend;
use crate::runner::JunitCoverage;
use paring_model::{Coverage, Covered, Heard, RunnerError, Spectra};
use paring_testkit::conformance_coverage::{CoverageCases, CoveredCase, coverage};
use paring_testkit::conformance_facts::{FactsCases, facts};

const SHOP: &str = "\
package lib;
public class Shop {
  public static int limit = 3;
  public static int price(String kind) {
    if (kind.equals(\"book\")) {
      return 10;
    }
    return
      0;
  }
  public static int limit() {
    return limit;
  }
}
";

/// A class of tests recorded by itself, and candidates of it in JVMs that are kept.
struct Recorder {
    coverage: JunitCoverage,
    jvms: Jvms,
}

impl Coverage for Recorder {
    fn suite(
        &self,
        paths: &[String],
        spectra: &dyn Spectra,
        tell: &dyn Fn(Heard<'_>),
    ) -> Result<Covered, RunnerError> {
        let whole = ["shop.CartTest".to_owned()];
        self.coverage.suite(if paths.is_empty() { &whole } else { paths }, spectra, tell)
    }

    fn candidate(&self, candidate: &Candidate, heat: Heat) -> Result<Covered, RunnerError> {
        self.coverage.candidate(&self.jvms, candidate, heat)
    }
}

/// A project with the shop under `lib`.
fn with_shop(jdk: &Jdk, set: &str, sources: &[(&str, &str)]) -> Lab {
    let lab = Lab::new(jdk, set, &[]);
    let classes = lab.root().join("classes");
    compile(jdk, &lab.root().join("lib"), &classes, &lab.classpath, &[("lib/Shop.java", SHOP)]);
    if !sources.is_empty() {
        compile(jdk, &lab.root().join("src"), &classes, &lab.classpath, sources);
    }
    lab
}

fn check_lines(set: &str, file: fn(&str) -> String, test: &str) {
    let calling = |called: &str| {
        file(&format!(
            "{test} testBook() {{ assertEquals(10, lib.Shop.price(\"book\")); }}\n\
             {test} testNothing() {{ assertEquals(4, 2 + 2); }}\n{test} testPen() {{ assertEquals(5, {called}); }}"
        ))
    };
    let source = calling("lib.Shop.price(\"pen\")");
    for jdk in jdks() {
        let lab = with_shop(&jdk, set, &[("shop/CartTest.java", &source)]);
        let path = lab.root().join("src/shop/CartTest.java");
        let case = |text: String| Candidate::single(&path, text, "shop.CartTest#testPen", Form::Blanked);
        let cases = CoverageCases {
            code: "Shop.java",
            tests: "CartTest.java",
            passing: CoveredCase { id: "shop.CartTest#testBook", lines: &[5, 6] },
            failing: CoveredCase { id: "shop.CartTest#testPen", lines: &[5, 8] },
            calls_nothing: CoveredCase { id: "shop.CartTest#testNothing", lines: &[] },
            candidate: case(source.clone()),
            without_call: case(calling("1")),
        };
        let recorder = Recorder {
            coverage: JunitCoverage::new(lab.project(), vec![lab.root().join("lib")], None),
            jvms: Jvms::start(lab.project()).expect("JVMs"),
        };
        coverage(&recorder, &cases);
    }
}

#[test]
fn lines_of_junit_3_conform() {
    check_lines("junit3", junit3, "public void");
}

#[test]
fn lines_of_junit_4_conform() {
    check_lines("junit4", junit4, "@Test public void");
}

#[test]
fn lines_of_junit_5_conform() {
    check_lines("junit5", junit5, "@Test void");
}

#[test]
fn facts_conform() {
    let source = junit5(
        "@Test void test(@org.junit.jupiter.api.io.TempDir java.nio.file.Path dir) throws Exception {\n\
         lib.Shop.price(\"book\"); // What runs while the class is loaded would be the setter's own doing.\n\
         Object made = java.nio.file.Files.writeString(dir.resolve(\"a.txt\"), \"\");\n\
         for (int n = 0; n < 3; n++) {\n\
         java.nio.file.Files.writeString(dir.resolve(\"a.txt\"), \"x\", java.nio.file.StandardOpenOption.APPEND);\n}\n\
         String read = java.nio.file.Files.readString(dir.resolve(\"a.txt\"));\nlib.Shop.limit = 5;\n\
         int limit = lib.Shop.limit();\nThread.sleep(1);\nlong now = System.currentTimeMillis();\nint plain = Math.max(1, 2);\n\
         if (plain > 5) {\nplain = 0;\n}\njava.nio.file.Files.delete(dir.resolve(\"a.txt\"));\n\
         assertEquals(3, limit);\n}",
    );
    for jdk in jdks() {
        let lab = with_shop(&jdk, "junit5", &[]);
        let path = lab.root().join("src/shop/CartTest.java");
        let cases = FactsCases {
            path: path.as_str(),
            source: &source,
            target: TARGET,
            file: "a.txt",
            makes: "Object made",
            appends: "java.nio.file.Files.writeString",
            reads: "String read",
            attribute: "limit",
            sets: "lib.Shop.limit =",
            gets: "int limit",
            waits: "Thread.sleep",
            asks_the_clock: "long now",
            plain: "int plain",
            never: "plain = 0",
            removes: "java.nio.file.Files.delete",
        };
        facts(&JavaFrontend, &lab.runner(), &cases);
    }
}
