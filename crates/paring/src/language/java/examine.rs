//! What `JUnit` tests need, for `paring doctor`: a JDK, and Maven or a class path.

use super::Java;
use crate::finding::Finding;
use paring_java::maven;
use paring_java::runner::find_java;

pub fn examine(java: &Java) -> Vec<Finding> {
    let env = |name: &str| std::env::var(name).ok();
    let home = java.jdk_home.as_ref().map(|path| path.as_str());
    let jdk = match find_java(home, &java.cwd, &env) {
        Ok(jdk) => Finding::works("jdk", format!("{} ({})", jdk.version, jdk.home)),
        Err(error) => Finding::of_error("jdk", error),
    };
    let mut findings = vec![jdk];
    match (&java.class_path, &java.layout) {
        (Some(class_path), _) => {
            let missing: Vec<&str> =
                class_path.iter().filter(|entry| !entry.exists()).map(|entry| entry.as_str()).collect();
            findings.push(match missing.as_slice() {
                [] => Finding::works("class path", format!("{} entries", class_path.len())),
                missing => Finding::broken(
                    "class path",
                    format!("not there: {}", missing.join(", ")),
                    "compile the project, and check --classpath",
                ),
            });
        }
        (None, Some(layout)) => {
            findings.push(match maven::program(layout) {
                Ok(program) => Finding::works("maven", program.as_str()),
                Err(error) => Finding::of_error("maven", error),
            });
            let n_modules = layout.modules.len();
            let modules = if n_modules == 1 { "1 module".to_owned() } else { format!("{n_modules} modules") };
            findings.push(Finding::works("project", format!("{}, {modules}", layout.root.join("pom.xml"))));
        }
        (None, None) => findings.push(Finding::broken(
            "project",
            "there is no pom.xml here, and no class path was given",
            "go to the folder of the Maven project, or use --classpath and --test-sources",
        )),
    }
    findings
}
