//! The pages of `docs/`: their commands do what they are said to, their links lead somewhere, and each is in the summary.
//!
//! A runner of our own, and not trycmd: the commands need a project that has failed, a repository with tags and an interpreter with
//! pytest, and what they print has seconds in it. What is checked is that every command ends as it should.

use camino::{Utf8Path, Utf8PathBuf};
use paring_testkit::{Project, python};
use std::collections::BTreeSet;
use std::process::{Command, Output};

/// Commands that are not run here, with why. That the command line takes those of paring is checked all the same.
const NOT_RUN: [(&str, &str); 10] = [
    ("pip install", "`make wheel-tests` installs the wheel"),
    ("uvx", "it fetches what is released"),
    ("cargo install", "it builds for minutes"),
    ("paring minimize com.acme.CartTest", "the tests in `tests/java` have projects"),
    ("paring minimize --command './execute.sh", "the tests in `tests/command` have a script"),
    ("paring split", "`tests/split` has the example of its page as a project"),
    ("paring merge", "`tests/merge` has the examples of its page as projects"),
    ("paring compare", "it runs every strategy on every test: `tests/minimize/compare.rs`"),
    ("paring man", "`tests/command/doctor.rs` has them made"),
    ("paring completions", "`tests/command/doctor.rs` has them made"),
];

fn repository() -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders above").to_owned()
}

/// Every page by its path, the README included.
fn pages() -> Vec<(String, String)> {
    let root = repository();
    let listed = root.join("docs").read_dir_utf8().expect("the folder is there");
    let mut paths: Vec<String> = listed
        .filter_map(|entry| Some(format!("docs/{}", entry.ok()?.file_name())))
        .filter(|path| Utf8Path::new(path).extension() == Some("md"))
        .collect();
    paths.push("README.md".to_owned());
    paths.sort();
    let text = |path: &String| std::fs::read_to_string(root.join(path)).expect("the page is there");
    paths.iter().map(|path| (path.clone(), text(path))).collect()
}

/// What stands in blocks of shell commands, and behind `$` in blocks of a console; comments are left out.
fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut block = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), block) {
            (Some(language), None) => block = Some(language),
            (Some(_), Some(_)) => block = None,
            (None, Some("sh")) => found.push(line.trim()),
            (None, Some("console")) => found.extend(line.strip_prefix("$ ")),
            (None, Some(_) | None) => {}
        }
    }
    let without_comment = |line: &str| line.split("  #").next().unwrap_or_default().trim().to_owned();
    found.into_iter().map(without_comment).filter(|line| !line.is_empty()).collect()
}

/// A copy of `testdata/docs` as a repository, whose tags have the version without faults; another folder has that too.
fn project() -> (tempfile::TempDir, Utf8PathBuf) {
    let outside = tempfile::tempdir().expect("a temporary folder can be made");
    let root =
        Utf8PathBuf::from_path_buf(outside.path().canonicalize().expect("it is there")).expect("it is UTF-8");
    let faulty = Project::copy("docs");
    let shop = root.join("shop");
    let shell = |script: &str, folder: &Utf8Path| {
        let done =
            Command::new("sh").args(["-ec", script]).current_dir(folder).output().expect("there is a shell");
        assert!(done.status.success(), "{script}\n{}", String::from_utf8_lossy(&done.stderr));
    };
    shell(&format!("cp -R {} shop; cp -R shop faulty", faulty.root()), &root);
    for name in ["cart.py", "table.py", "importer.py", "stack.py"] {
        let path = shop.join(name);
        let text = std::fs::read_to_string(&path).expect("the file is there");
        std::fs::write(&path, text.lines().map(without_fault).collect::<String>()).expect("it is ours");
    }
    shell("cp -R shop fixed; mkdir fixed/src; mv fixed/*.py fixed/src", &root);
    let commit = "git -c user.name=a -c user.email=a@example.com commit -qm one";
    shell(
        &format!("git init -q; git add -A; {commit}; git tag v2.1; git tag v1.4; cp ../faulty/*.py ."),
        &shop,
    );
    (outside, shop)
}

/// `new  # was: old` as it was.
fn without_fault(line: &str) -> String {
    let Some((now, was)) = line.split_once("  # was: ") else { return format!("{line}\n") };
    format!("{}{was}\n", &now[..now.len() - now.trim_start().len()])
}

fn run(command: &str, folder: &Utf8Path) -> Output {
    let binary = Utf8Path::new(env!("CARGO_BIN_EXE_paring"));
    let scripts = python().parent().expect("it is in a folder").to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    let outside = folder.parent().expect("it is in a folder");
    let mut shell = Command::new("sh");
    if command.starts_with("pytest") {
        // As the wheel has them.
        shell
            .env("PARING_BINARY", binary)
            .env("PYTHONPATH", repository().join("python"))
            .env("PYTEST_ADDOPTS", "-p paring.pytest_plugin -p no:cacheprovider");
    }
    shell
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{scripts}:{path}", binary.parent().expect("it is in a folder")))
        .env("VIRTUAL_ENV", scripts.parent().expect("it is an environment"))
        .env("PARING_CACHE_DIR", outside.join("cache"))
        .output()
        .expect("there is a shell")
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn the_commands_on_the_pages_end_as_they_should() {
    let (_outside, shop) = project();
    let mut n_run = 0;
    for (page, text) in pages() {
        for command in commands(&text) {
            if NOT_RUN.iter().any(|(start, _)| command.starts_with(start)) {
                continue;
            }
            let needs_node = command.contains("'node ") && !has("node");
            if needs_node || command.contains("| jq") && !has("jq") {
                eprintln!("skipped: {page}: {command}: a program that it needs is not here");
                continue;
            }
            let done = run(&command, &shop);
            let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
            // pytest tells that tests failed, and `paring` of several targets that one of them gave nothing.
            let expected = i32::from(command.starts_with("pytest"));
            assert_eq!(done.status.code(), Some(expected), "{page}: {command}\n{said}");
            n_run += 1;
        }
    }
    assert!(n_run > 10, "only {n_run} commands stand on the pages");
}

#[test]
fn every_command_of_paring_on_the_pages_is_one_that_it_knows() {
    let nowhere = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = Utf8Path::from_path(nowhere.path()).expect("it is UTF-8").join("empty");
    std::fs::create_dir(&folder).expect("it is ours");
    for (page, text) in pages() {
        for command in commands(&text).iter().filter(|it| it.starts_with("paring ")) {
            let done = run(command.split(['|', '>']).next().unwrap_or_default(), &folder);
            let said = String::from_utf8_lossy(&done.stderr);
            assert_ne!(done.status.code(), Some(2), "{page}: {command}\n{said}");
        }
    }
}

#[test]
fn every_page_is_in_the_summary_and_every_link_leads_somewhere() {
    let root = repository();
    let pages = pages();
    let summary = &pages.iter().find(|(path, _)| path == "docs/SUMMARY.md").expect("there is one").1;
    let listed: BTreeSet<String> = links(summary).map(|link| format!("docs/{link}")).collect();
    for (page, text) in &pages {
        let is_page = page.starts_with("docs/") && page != "docs/SUMMARY.md";
        assert!(!is_page || listed.contains(page), "{page} is not in docs/SUMMARY.md");
        let folder = root.join(page).parent().expect("it is in a folder").to_owned();
        for link in links(text).filter(|link| !link.contains("://")) {
            let (path, _) = link.split_once('#').unwrap_or((link, ""));
            assert!(path.is_empty() || folder.join(path).exists(), "{page}: {link} leads nowhere");
        }
    }
    let book = std::fs::read_to_string(root.join("book.toml")).expect("it is there");
    assert!(book.contains("src = \"docs\""), "the site is made of docs/");
}

/// The targets of `[text](target)`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next())
}
