//! A good version is found without being asked for, and nothing of the search is left in the repository.

use crate::history::{
    FAULTY, GOOD, PARED, TARGET, TEST, cart, commit, dirty, environment, git, git_in, init, project,
};
use crate::trial::{Ran, Trial};
use std::fmt::Write;

/// Good code, so many harmless commits, then the fault, and so many more.
fn history(place: &str, n_after: usize) -> Trial {
    let trial = project(place, GOOD);
    init(&trial);
    commit(&trial, "good");
    trial.project.write(place, &cart(FAULTY));
    commit(&trial, "faulty");
    for n in 0..n_after {
        trial.project.write("other.py", &format!("x = {n}\n"));
        commit(&trial, "more");
    }
    trial
}

/// What the guide says is what users see.
const PAGE: &str = include_str!("../../../../docs/good.md");

fn says_as_the_page(ran: &Ran, line: &str) {
    assert!(PAGE.lines().any(|told| told == line), "docs/good.md has no line {line}");
    ran.says(&[line]);
}

/// The machine may be busy.
const BUDGET: &str = "--good-budget=10m";

fn search(trial: &Trial, args: &[&str]) -> Ran {
    trial.minimize(&[&[TARGET, BUDGET], args].concat())
}

#[track_caller]
fn finds(ran: &Ran, n_ago: u64) {
    let result = ran.only(0, "minimized");
    assert_eq!(result["good"]["commits_ago"], n_ago, "{ran}");
    assert_eq!(result["verified"]["passes_on_good"], true, "{ran}");
    assert_eq!(ran.pared(), PARED, "{ran}");
}

#[track_caller]
fn finds_none(ran: &Ran) {
    let result = ran.only(3, "unchanged");
    assert!(result["verified"]["passes_on_good"].is_null(), "{ran}");
    assert!(result["good"].is_null() || result["good"]["version"].is_null(), "{ran}");
}

#[test]
fn the_last_commit_is_good_where_the_work_tree_broke_it() {
    let trial = dirty("cart.py");
    git(&trial, &["tag", "v1.0"]);
    let ran = search(&trial, &[]);
    finds(&ran, 0);
    ran.says(&["good: the pared test passes at v1.0, without the changes of the work tree"]);
    finds_none(&search(&trial, &["--good", "none"]));
    trial.project.write("paring.toml", "good = \"none\"\n");
    finds_none(&search(&trial, &[]));
    finds(&search(&trial, &["--good", "auto"]), 0);
}

#[test]
fn older_commits_are_tried_in_growing_steps_and_the_version_is_named() {
    let trial = history("cart.py", 2);
    git(&trial, &["tag", "v1.4", "HEAD~3"]);
    let ran = search(&trial, &[]);
    // 1 and 2 commits back fail too.
    finds(&ran, 3);
    let tried = ran.results[0]["good"]["tried"].as_array().expect("a list");
    assert_eq!(
        tried.iter().map(|it| it["why"].as_str().unwrap_or_default()).collect::<Vec<_>>(),
        ["fails there too"; 2]
    );
    says_as_the_page(&ran, "good: the pared test passes at v1.4, 3 commits ago");
}

#[test]
fn an_editable_install_with_src_is_pared_on_what_was_found() {
    let trial = environment(history("src/cart.py", 0), &[("cart.pth", "PROJECT/src\n")]);
    finds(&search(&trial, &[]), 1);
}

#[test]
fn a_detached_head_has_older_commits_too() {
    let trial = history("cart.py", 1);
    git(&trial, &["checkout", "--quiet", "--detach"]);
    finds(&search(&trial, &[]), 2);
}

#[test]
fn where_a_branch_began_is_tried_before_older_commits() {
    let trial = project("cart.py", GOOD);
    init(&trial);
    commit(&trial, "good");
    git(&trial, &["checkout", "--quiet", "-b", "topic"]);
    trial.project.write("cart.py", &cart(FAULTY));
    for n in 0..5 {
        trial.project.write("other.py", &format!("x = {n}\n"));
        commit(&trial, "faulty");
    }
    let ran = search(&trial, &[]);
    finds(&ran, 5);
    assert_eq!(ran.results[0]["good"]["tried"], serde_json::json!([]), "{ran}");
}

#[test]
fn ci_names_the_base_of_the_change() {
    let trial = history("cart.py", 6);
    let base = git(&trial, &["rev-parse", "HEAD~7"]);
    git(&trial, &["branch", "release", "HEAD~7"]);
    for (name, value) in [
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.as_str()),
        ("CI_COMMIT_BEFORE_SHA", &base),
        ("GIT_PREVIOUS_SUCCESSFUL_COMMIT", &base),
        ("GITHUB_BASE_REF", "release"),
        ("CHANGE_TARGET", "release"),
    ] {
        let fresh = Trial::with_file("x", "");
        git_in(fresh.project.root(), &["clone", "--quiet", trial.project.root().as_str(), "clone"], "");
        let root = fresh.project.root().join("clone");
        git_in(&root, &["branch", "release", "origin/release"], "");
        let command = std::process::Command::new(env!("CARGO_BIN_EXE_paring"))
            .args(["minimize", TARGET, BUDGET, "--json", fresh.outside("result.json").as_str()])
            .args(["--python", paring_testkit::python().as_str()])
            .current_dir(&root)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", fresh.outside("home"))
            .env("TMPDIR", fresh.outside("tmp"))
            .env("PARING_CACHE_DIR", fresh.outside("cache"))
            .env(name, value)
            .output()
            .expect("the binary starts");
        let ran = fresh.over(&command);
        finds(&ran, 7);
        assert_eq!(ran.results[0]["good"]["tried"], serde_json::json!([]), "{name}\n{ran}");
    }
}

#[test]
fn a_shallow_clone_says_what_it_lacks() {
    let trial = history("cart.py", 0);
    let shallow = Trial::with_file("x", "");
    let from = format!("file://{}", trial.project.root());
    std::fs::remove_file(shallow.project.root().join("x")).expect("the file is there");
    git_in(shallow.project.root(), &["clone", "--quiet", "--depth", "1", &from, "."], "");
    let ran = search(&shallow, &[]);
    finds_none(&ran);
    ran.says(&["the clone is shallow"]);
}

#[test]
fn without_git_or_commits_it_is_searched_as_without_a_good_version() {
    let trial = project("cart.py", FAULTY);
    let ran = search(&trial, &[]);
    finds_none(&ran);
    assert!(ran.results[0]["good"].is_null() && !ran.stdout.contains("no version that passes"), "{ran}");
    init(&trial);
    git(&trial, &["add", "."]);
    let ran = search(&trial, &[]);
    finds_none(&ran);
    ran.says(&["no version that passes was looked for: the repository has no commits"]);
    let trial = dirty("cart.py").env("PATH", "/nowhere");
    finds_none(&search(&trial, &[]));
}

#[test]
fn a_submodule_is_as_the_commit_has_it_or_that_is_told() {
    let inner = Trial::with_file("price.py", "def price():\n    return 1\n");
    init(&inner);
    commit(&inner, "first");
    let trial = project("cart.py", &format!("import price\n        {GOOD}"));
    trial.project.write(
        "conftest.py",
        "import os, sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'lib'))\n",
    );
    init(&trial);
    git(&trial, &["submodule", "--quiet", "add", inner.project.root().as_str(), "lib"]);
    commit(&trial, "good");
    trial.project.write("cart.py", &cart(&format!("import price\n        {FAULTY}")));
    finds(&search(&trial, &[]), 0);
    // The folder without its repository has nothing of what the commit names.
    std::fs::remove_file(trial.project.root().join("lib/.git")).expect("the file is there");
    let ran = search(&trial, &[]);
    finds_none(&ran);
    ran.says(&["the submodule lib is not here as that commit has it"]);
}

#[test]
fn a_revision_that_does_not_load_is_passed_over() {
    let trial = project("cart.py", GOOD);
    init(&trial);
    commit(&trial, "good");
    trial.project.write("cart.py", "class Cart(:\n");
    commit(&trial, "broken");
    trial.project.write("cart.py", &cart(FAULTY));
    commit(&trial, "faulty");
    let ran = search(&trial, &[]);
    finds(&ran, 2);
    let why = ran.results[0]["good"]["tried"][0]["why"].as_str().unwrap_or_default();
    assert!(why.contains("SyntaxError"), "{ran}");
}

#[test]
fn where_the_test_never_passed_one_line_says_where_it_was_looked() {
    let trial = project("cart.py", FAULTY);
    init(&trial);
    commit(&trial, "faulty");
    trial.project.write("cart.py", &format!("# more\n{}", cart(FAULTY)));
    commit(&trial, "more");
    let ran = search(&trial, &[]);
    finds_none(&ran);
    let line =
        "note: no version that passes was found at 1 commit back (fails there too); --good REV names one";
    says_as_the_page(&ran, line);
}

#[test]
fn commits_that_change_tests_and_prose_alone_are_not_tried() {
    let trial = project("cart.py", FAULTY);
    init(&trial);
    commit(&trial, "faulty");
    trial.project.write("README.md", "A cart.\n");
    trial.project.write("tests/test_other.py", "");
    commit(&trial, "prose");
    let ran = search(&trial, &[]);
    finds_none(&ran);
    assert!(ran.results[0]["good"].is_null(), "{ran}");
    assert_eq!(ran.results[0]["runs_by"]["good"], 0, "{ran}");
}

#[test]
fn a_long_history_is_looked_at_in_a_few_places() {
    let trial = project("cart.py", FAULTY);
    init(&trial);
    let text = |pop: &str| {
        let text = cart(pop);
        format!("M 644 inline cart.py\ndata {}\n{text}\n", text.len())
    };
    let mut stream = String::new();
    for n in 0..100_000 {
        write!(stream, "commit refs/heads/main\ncommitter a <a@b.c> {n} +0000\ndata 1\nx\n")
            .expect("a string");
        match n {
            0 => stream.push_str(&text(GOOD)),
            99_990 => stream.push_str(&text(FAULTY)),
            n => write!(stream, "M 644 inline other.py\ndata 7\nx={n:05}\n").expect("a string"),
        }
    }
    git_in(trial.project.root(), &["fast-import", "--quiet"], &stream);
    git(&trial, &["reset", "--quiet", "main"]);
    trial.project.write("other.py", "x=99999");
    let ran = search(&trial, &[]);
    finds(&ran, 16);
    assert_eq!(ran.results[0]["good"]["tried"].as_array().map(Vec::len), Some(4), "{ran}");
}

#[test]
fn targets_of_one_run_share_what_was_found() {
    let trial = history("cart.py", 2);
    trial.project.write("tests/test_more.py", &TEST.replace("test_pop", "test_again"));
    let ran = trial.minimize(&["--failing", "tests", BUDGET]);
    assert_eq!(ran.results.len(), 2, "{ran}");
    let tried: Vec<usize> =
        ran.results.iter().map(|it| it["good"]["tried"].as_array().map_or(9, Vec::len)).collect();
    assert_eq!(tried, [2, 0], "{ran}");
    assert!(ran.results.iter().all(|it| it["good"]["commits_ago"] == 3), "{ran}");
}

#[test]
fn purified_tests_pass_on_it_too() {
    let trial = dirty("cart.py");
    trial.project.write("tests/test_cart.py", &format!("{TEST}    assert len(cart.items) == 0\n"));
    let ran = trial.purify(&[TARGET, BUDGET]);
    assert_eq!(ran.results.len(), 2, "{ran}");
    assert!(ran.results.iter().all(|it| it["verified"]["passes_on_good"] == true), "{ran}");
}

#[test]
fn a_resumed_search_does_not_take_one_version_for_another() {
    let trial = history("cart.py", 0);
    let ran = search(&trial, &["--budget", "2runs"]);
    assert_eq!(ran.results[0]["good"]["commits_ago"], 1, "{ran}");
    finds(&search(&trial, &["--resume"]), 1);
}

#[test]
fn what_git_was_told_not_to_look_at_is_not_taken_for_unchanged() {
    let trial = history("cart.py", 0);
    git(&trial, &["reset", "--quiet", "--hard", "HEAD~1"]);
    git(&trial, &["update-index", "--assume-unchanged", "cart.py"]);
    trial.project.write("cart.py", &cart(FAULTY));
    finds(&search(&trial, &[]), 0);
}
