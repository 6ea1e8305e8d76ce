//! Files outlive no run: a test that writes into the project is pared as if each run were the first, and the project is as it was
//! afterwards, whatever was killed meanwhile.

use crate::trial::{Ran, Trial, changes, everything};
use camino::{Utf8Path, Utf8PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const TARGET: &str = "test_files.py::test_files";

/// A project in a git repository, and the folder of its good version.
fn project(body: &str) -> Trial {
    let test = format!(
        "import os\nimport sqlite3\n\nimport lib\n\n\ndef test_files():\n    unused = []\n    {}\n",
        body.replace('\n', "\n    ")
    );
    let trial = Trial::with_file("test_files.py", &test);
    trial.project.write("lib.py", "GOOD = True\n");
    trial.project.write("data.txt", "one\n");
    git(trial.project.root(), &["init", "-q"]);
    commit(trial.project.root());
    trial.project.write("lib.py", "GOOD = False\n");
    commit(trial.project.root());
    trial
}

fn git(folder: &Utf8Path, args: &[&str]) -> String {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    let output =
        Command::new("git").args(identity).args(args).current_dir(folder).output().expect("git starts");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn commit(folder: &Utf8Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "as it is"]);
}

/// All but git's own folder: its index may be refreshed by those who look at the status.
fn tree(folder: &Utf8Path) -> std::collections::BTreeMap<Utf8PathBuf, Vec<u8>> {
    let mut found = everything(folder);
    found.retain(|path, _| !path.starts_with(folder.join(".git")));
    found
}

/// Pares with these arguments: the project, and the other folder, are as they were.
fn pare(trial: &Trial, args: &[&str], other: &Utf8Path) -> Ran {
    let root = trial.project.root();
    let before = (tree(root), tree(other));
    let all: Vec<&str> = [TARGET].iter().chain(args).copied().collect();
    let ran = trial.minimize_in_place(&all);
    assert_eq!(changes(&before.0, &tree(root)), Vec::<Utf8PathBuf>::new(), "{ran}");
    assert_eq!(changes(&before.1, &tree(other)), Vec::<Utf8PathBuf>::new(), "{ran}");
    assert_eq!(git(root, &["status", "--porcelain"]), "", "{ran}");
    ran
}

/// Alone, with the last revision and with a folder as the good version, the statements that write stay where they are needed.
fn check(body: &str, expected: &str) {
    let trial = project(body);
    let good = trial.outside("good");
    git(trial.project.root(), &["worktree", "add", "-q", good.as_str(), "HEAD~1"]);
    for args in [&[][..], &["--good", "HEAD~1"], &["--good", good.as_str()]] {
        let ran = pare(&trial, args, &good);
        let expected = format!("def test_files():\n    {}", expected.replace('\n', "\n    "));
        assert_eq!(ran.pared(), expected, "{args:?}\n{ran}");
        assert!(!ran.stdout.contains("put back"), "the hook has seen all\n{ran}");
    }
    assert_eq!(git(&good, &["status", "--porcelain"]), "");
}

#[test]
fn a_database_that_the_test_makes_is_made_by_every_candidate() {
    check(
        "base = sqlite3.connect('out.db')\nbase.execute('create table if not exists t (x)')\nunused.append(1)\n\
         rows = base.execute('select * from t').fetchall()\nassert lib.GOOD or rows == [1]",
        "base = sqlite3.connect('out.db')\nbase.execute('create table if not exists t (x)')\n\
         rows = base.execute('select * from t').fetchall()\nassert lib.GOOD or rows == [1]",
    );
}

#[test]
fn what_a_test_appends_to_a_file_is_appended_by_every_candidate() {
    check(
        "with open('data.txt', 'a') as data:\n    data.write('two\\n')\nunused.append(1)\nlines = open('data.txt').read()\n\
         assert lib.GOOD or 'two' not in lines",
        "with open('data.txt', 'a') as data:\n    data.write('two\\n')\nlines = open('data.txt').read()\n\
         assert lib.GOOD or 'two' not in lines",
    );
}

#[test]
fn a_file_that_the_test_removes_is_there_for_every_candidate() {
    check(
        "os.remove('data.txt')\nunused.append(1)\nassert lib.GOOD or os.path.exists('data.txt')",
        "os.remove('data.txt')\nassert lib.GOOD or os.path.exists('data.txt')",
    );
}

#[test]
fn a_test_that_is_killed_in_the_middle_leaves_nothing_behind() {
    check(
        "with open('signal', 'a') as file:\n    file.write('9')\nopen('data.txt', 'w').close()\nunused.append(1)\n\
         os.kill(os.getpid(), 0 if lib.GOOD else int(open('signal').read()))",
        "with open('signal', 'a') as file:\n    file.write('9')\n\
         os.kill(os.getpid(), 0 if lib.GOOD else int(open('signal').read()))",
    );
}

#[test]
fn a_test_that_kills_its_worker_leaves_nothing_behind() {
    check(
        "open('data.txt', 'w').close()\nopen('mark', 'w').close()\nunused.append(1)\nos.kill(os.getppid(), 0 if lib.GOOD else 9)",
        "os.kill(os.getppid(), 0 if lib.GOOD else 9)",
    );
}

#[test]
fn what_child_processes_write_is_undone_and_told() {
    let trial =
        project("os.system('echo two >> data.txt; touch new')\nassert 'two' not in open('data.txt').read()");
    let ran = pare(&trial, &["--jobs", "2"], trial.project.root());
    assert!(ran.pared().contains("os.system"), "{ran}");
    ran.says(&["a child process or native code changed files while a run was made; put back:", "data.txt"]);
}

#[test]
fn what_somebody_else_changes_while_the_test_runs_stays() {
    // A child that does so only once: whoever looks from outside sees what an editor does.
    let once = "mkdir $HOME/done && { echo mine >> data.txt; echo mine > note; }";
    let trial = project(&format!("os.system('{once}')\nos.system('touch log')\nassert unused"));
    let ran = trial.minimize_in_place(&[TARGET, "--jobs", "2"]);
    ran.only(0, "minimized");
    let read = |name: &str| std::fs::read_to_string(trial.project.root().join(name)).unwrap_or_default();
    assert_eq!((&*read("data.txt"), &*read("note")), ("one\nmine\n", "mine\n"), "{ran}");
    assert!(!trial.project.root().join("log").exists(), "{ran}");
    ran.says(&["somebody changed files while the test ran", "data.txt"]);
}

#[test]
fn what_is_written_elsewhere_is_told_once() {
    let trial = project("open(os.path.expanduser('~/log'), 'a').close()\nassert unused");
    let ran = pare(&trial, &[], trial.project.root());
    let told = format!("outside of the project, where nothing is put back: {}", trial.outside("home/log"));
    assert_eq!(ran.stdout.matches(&told).count(), 1, "{ran}");
    let trial = project("try:\n    open('/nowhere/log', 'a')\nexcept OSError:\n    pass\nassert unused");
    let ran = pare(&trial, &[], trial.project.root());
    assert!(!ran.stdout.contains("outside of the project"), "{ran}");
}

/// Starts paring, and kills it once the test has removed this file.
fn kill_when_gone(trial: &Trial, args: &[&str], file: &Utf8Path) {
    let mut child = trial.start(args);
    let deadline = Instant::now() + Duration::from_mins(4);
    while file.exists() {
        assert!(Instant::now() < deadline, "the test does not write");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    child.wait().expect("it was killed");
}

#[test]
fn after_a_kill_of_paring_the_good_version_is_put_back_too() {
    let trial = project(
        "unused.append(1)\nassert os.remove('data.txt') or lib.GOOD and not __import__('time').sleep(float(os.environ['LASTS']))",
    );
    let good = trial.outside("good");
    git(trial.project.root(), &["worktree", "add", "-q", good.as_str(), "HEAD~1"]);
    let before = tree(&good);
    let args = [TARGET, "--good", good.as_str()];
    let trial = trial.env("LASTS", "600");
    kill_when_gone(&trial, &args, &good.join("data.txt"));
    assert_ne!(tree(&good), before, "nothing puts it back by itself");
    let trial = trial.env("LASTS", "0");
    let ran = pare(&trial, &[], trial.project.root());
    assert_eq!(changes(&before, &tree(&good)), Vec::<Utf8PathBuf>::new(), "{ran}");
    ran.says(&["an earlier paring was killed and had left files of a run behind; put back:"]);
}

#[test]
fn after_a_kill_of_paring_the_next_start_puts_everything_back() {
    let trial = project(
        "open('mark', 'w').close()\nopen('data.txt', 'w').close()\nos.remove('lib.py')\nimport time\ntime.sleep(float(os.environ.get('LASTS', '60')))\nassert unused",
    );
    let root = trial.project.root();
    let before = tree(root);
    kill_when_gone(&trial, &[TARGET], &root.join("lib.py"));
    assert_ne!(tree(root), before, "nothing puts it back by itself");
    let trial = trial.env("LASTS", "0");
    let ran = trial.minimize_in_place(&[TARGET]);
    assert_eq!(changes(&before, &tree(trial.project.root())), Vec::<Utf8PathBuf>::new(), "{ran}");
    assert_eq!(git(trial.project.root(), &["status", "--porcelain"]), "", "{ran}");
    assert_eq!(ran.pared(), "def test_files():\n    unused = []\n    assert unused", "{ran}");
    ran.says(&[
        "an earlier paring was killed and had left files of a run behind; put back:",
        "(what was there is kept for a week in",
    ]);
}
