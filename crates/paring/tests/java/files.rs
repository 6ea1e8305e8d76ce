//! Files outlive no run: a test that writes into the project is pared as if each run were the first, and both the project and the
//! folders of the good version are as they were afterwards, whatever was killed meanwhile.

use crate::trial::{Ran, Trial};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

const TARGET: &str = "shop.CartTest#test";

/// A project in a git repository, and beside it the classes of its good version.
fn project(statements: &[&str]) -> Trial {
    let members = format!(
        "@Test void test() throws Exception {{\nList<String> unused = new ArrayList<>();\n{}\n}}",
        statements.join("\n")
    );
    let trial = Trial::with_members(&members);
    let file = trial.project.read(crate::trial::CART_TEST);
    trial.project.write(
        crate::trial::CART_TEST,
        &file.replace("import java.util.*;", "import java.nio.file.*;\nimport java.util.*;"),
    );
    for (folder, is_good) in [("lib", false), ("good", true)] {
        let text = format!(
            "package shop;\n\npublic class Shop {{\n    public static boolean isGood() {{\n        return {is_good};\n    }}\n}}\n"
        );
        trial.project.write(&format!("{folder}/shop/Shop.java"), &text);
    }
    trial.project.write("data.txt", "one\n");
    trial.compile();
    let root = trial.project.root();
    git(root, &["init", "-q"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "as it is"]);
    trial
}

fn git(folder: &Utf8Path, args: &[&str]) -> String {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    let output =
        Command::new("git").args(identity).args(args).current_dir(folder).output().expect("git starts");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What is in a folder, but for git's own, whose index may be refreshed by those who look at the status.
fn tree(folder: &Utf8Path) -> BTreeMap<Utf8PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = path.read_dir_utf8().expect("a folder").map(|entry| entry.expect("an entry"));
            open.extend(
                entries.filter(|entry| entry.file_name() != ".git").map(camino::Utf8DirEntry::into_path),
            );
            found.insert(path, None);
        } else {
            let contents = std::fs::read(&path).expect("a file");
            found.insert(path, Some(contents));
        }
    }
    found
}

/// Pares with these arguments: the project, and the classes of both versions, are as they were.
fn pare(trial: &Trial, args: &[&str]) -> Ran {
    let trees = || ["lib", "good", "tests"].map(|folder| trial.outside(folder)).map(|folder| tree(&folder));
    let (root, before) = (trial.project.root(), trees());
    let project = tree(root);
    let ran = trial.minimize(&[&[TARGET], args].concat());
    assert_eq!(tree(root), project, "{ran}");
    assert_eq!(trees(), before, "{ran}");
    assert_eq!(git(root, &["status", "--porcelain"]), "", "{ran}");
    ran
}

/// Alone and with the good version, the statements that write stay where they are needed.
fn check(statements: &[&str], kept: &[&str]) {
    let trial = project(statements);
    let good = trial.class_path("good");
    for args in [&[][..], &["--good-classpath", &good]] {
        let ran = pare(&trial, args);
        ran.keeps(kept);
        assert!(!ran.stdout.contains("put back"), "the agent has seen all\n{ran}");
    }
}

#[test]
fn a_database_that_the_test_makes_is_made_by_every_candidate() {
    let writes = "Files.writeString(Path.of(\"out.db\"), \"1\", StandardOpenOption.CREATE, StandardOpenOption.APPEND);";
    let read = "String read = Files.readString(Path.of(\"out.db\"));";
    let asserts = "assertEquals(Shop.isGood() ? read : \"2\", read);";
    check(&[writes, "unused.add(\"x\");", read, asserts], &[writes, read, asserts]);
}

#[test]
fn what_a_test_appends_to_a_file_is_appended_by_every_candidate() {
    let writes = "Files.writeString(Path.of(\"data.txt\"), \"two\", StandardOpenOption.APPEND);";
    let read = "String read = Files.readString(Path.of(\"data.txt\"));";
    let asserts = "assertEquals(Shop.isGood() ? read : \"one\", read);";
    check(&[writes, "unused.add(\"x\");", read, asserts], &[writes, read, asserts]);
}

#[test]
fn a_file_that_the_test_removes_is_there_for_every_candidate() {
    let removes = "Files.delete(Path.of(\"data.txt\"));";
    let asserts = "assertTrue(Shop.isGood() || Files.exists(Path.of(\"data.txt\")));";
    check(&[removes, "unused.add(\"x\");", asserts], &[removes, asserts]);
}

#[test]
fn a_test_that_is_killed_in_the_middle_leaves_nothing_behind() {
    let writes = "Files.writeString(Path.of(\"signal\"), \"9\", StandardOpenOption.CREATE, StandardOpenOption.APPEND);";
    let truncates = "Files.writeString(Path.of(\"data.txt\"), \"\");";
    let read = "String signal = \"-\" + (Shop.isGood() ? \"0\" : Files.readString(Path.of(\"signal\")));";
    let kills =
        "new ProcessBuilder(\"kill\", signal, \"\" + ProcessHandle.current().pid()).start().waitFor();";
    check(&[writes, truncates, "unused.add(\"x\");", read, kills], &[writes, read, kills]);
}

#[test]
fn after_a_kill_of_paring_the_next_start_puts_everything_back() {
    let trial = project(&[
        "Files.writeString(Path.of(\"mark\"), \"x\");",
        "Files.writeString(Path.of(\"data.txt\"), \"\");",
        "Files.delete(Path.of(\"good/shop/Shop.java\"));",
        "Thread.sleep(Long.parseLong(System.getenv(\"LASTS\")));",
        "assertEquals(1, unused.size());",
    ]);
    let root = trial.project.root().to_owned();
    let before = tree(&root);
    // Others start meanwhile and would put it back from the cache that all share.
    let cache = trial.outside("cache");
    let trial = trial.env("PARING_CACHE_DIR", cache).env("LASTS", "600000");
    let mut child = trial.start(&[TARGET]);
    let deadline = Instant::now() + Duration::from_mins(4);
    while root.join("good/shop/Shop.java").exists() {
        assert!(Instant::now() < deadline, "the test does not write");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    trial.over(&child.wait_with_output().expect("it was killed"));
    assert_ne!(tree(&root), before, "nothing puts it back by itself");
    let trial = trial.env("LASTS", "0");
    let ran = trial.minimize(&[TARGET]);
    assert_eq!(tree(&root), before, "{ran}");
    assert_eq!(git(&root, &["status", "--porcelain"]), "", "{ran}");
    ran.keeps(&["List<String> unused = new ArrayList<>();", "assertEquals(1, unused.size());"]);
    ran.says(&["an earlier paring was killed and had left files of a run behind; put back:"]);
}
