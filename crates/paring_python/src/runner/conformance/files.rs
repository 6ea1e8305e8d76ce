//! Files of the project outlive no run: what a test writes, changes or removes is undone before the next.

use super::{Lab, job, warm};
use camino::Utf8PathBuf;
use paring_model::{Heat, Observation, Runner, TargetSpec};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

/// Every entry of the project: mode, time where it is a file, and contents or target.
fn state(lab: &Lab) -> BTreeMap<Utf8PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![lab.root().join("project")];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir_utf8().expect("a folder") {
            let path = entry.expect("an entry").into_path();
            let metadata = path.symlink_metadata().expect("it is there");
            let text = if metadata.is_dir() {
                open.push(path.clone());
                String::new()
            } else if metadata.is_file() {
                let bytes = std::fs::read(&path).expect("it can be read");
                format!("{} {} {bytes:?}", metadata.mtime(), metadata.mtime_nsec())
            } else {
                path.read_link_utf8().expect("a link").into_string()
            };
            found.insert(path, format!("{:o} {text}", metadata.mode()));
        }
    }
    found
}

/// A test with these lines sees the project as it was, run after run, in every kind of process, and leaves it so.
fn check(lines: &[&str]) -> Vec<String> {
    let text = format!("import os, pathlib, shutil\ndef test_a():\n    {}\n", lines.join("\n    "));
    let lab = Lab::new(&[("test_a.py", &text), ("data/one.txt", "one\n"), ("data/two.txt", "two\n")]);
    std::os::unix::fs::symlink("data/two.txt", lab.root().join("project/link")).expect("a link");
    let before = state(&lab);
    let mut project = lab.project();
    project.jobs = 2;
    let runner = lab.start(project, &TargetSpec::new("test_a.py::test_a")).expect("a runner");
    let mut first = None;
    for (heat, n_runs) in [(Heat::Fresh, 2), (Heat::Warm, 2), (Heat::Cold, 1)] {
        let jobs = vec![job(&text, "test_a.py::test_a", heat); n_runs];
        for seen in runner.observe(&jobs).expect("observations").concat() {
            assert_eq!(first.get_or_insert(seen.clone()), &seen, "{heat:?}");
        }
        assert_eq!(state(&lab), before, "{heat:?}");
    }
    let notes = runner.notes();
    drop(runner);
    assert_eq!(state(&lab), before);
    assert!(std::fs::read_dir(lab.root().join("cache/saved")).expect("a folder").count() <= 1);
    let passes = matches!(first, Some(Observation::Passed | Observation::Died { .. }));
    assert!(passes, "{first:?}");
    notes
}

#[test]
fn a_file_that_a_test_makes_is_not_there_for_the_next() {
    let none: Vec<String> = Vec::new();
    assert_eq!(check(&["assert not os.path.exists('out.txt')", "open('out.txt', 'w').write('x')"]), none);
    assert_eq!(check(&["os.makedirs('out/deep')", "pathlib.Path('out/deep/x').write_text('x')"]), none);
    assert_eq!(check(&["os.symlink('data', 'other')", "open('other/new', 'w').close()"]), none);
}

#[test]
fn a_file_that_a_test_changes_is_as_it_was() {
    let none: Vec<String> = Vec::new();
    let one = "assert open('data/one.txt').read() == 'one\\n'";
    for change in [
        "open('data/one.txt', 'a').write('more')",
        "open('data/one.txt', 'r+').truncate(1)",
        "os.truncate('data/one.txt', 1)",
        "os.remove('data/one.txt')",
        "os.rename('data/one.txt', 'data/three.txt')",
        "os.replace('data/two.txt', 'data/one.txt')",
        "os.rename('data', 'moved')",
        "shutil.rmtree('data')",
        "shutil.move('data', 'moved')",
        "shutil.copy('data/two.txt', 'data/one.txt')",
        "os.chmod('data/one.txt', 0o400)",
        "os.utime('data/one.txt', (1, 1))",
        "os.chdir('data'); open('one.txt', 'w').close()",
        "os.remove('data/one.txt'); os.link('data/two.txt', 'data/one.txt'); open('data/one.txt', 'a').write('x')",
    ] {
        assert_eq!(check(&[one, change]), none, "{change}");
    }
    let two = "assert open('link').read() == 'two\\n'";
    assert_eq!(check(&[two, "open('link', 'w').close()", "os.remove('link')"]), none);
}

#[test]
fn a_database_is_not_there_for_the_next() {
    check(&[
        "import sqlite3",
        "base = sqlite3.connect('out.db')",
        "base.execute('pragma journal_mode=wal')",
        "base.execute('create table t (x)')",
        "base.execute(\"attach 'other.db' as other\")",
        "base.execute('create table other.t (x)')",
        "base.commit()",
    ]);
}

#[test]
fn what_a_test_wrote_before_it_was_killed_is_undone() {
    let notes = check(&[
        "assert not os.path.exists('out.txt')",
        "open('out.txt', 'w').write('x')",
        "open('data/one.txt', 'a').write('x')",
        "os.kill(os.getpid(), 9)",
    ]);
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn what_child_processes_write_is_undone_and_told() {
    let notes = check(&[
        "assert not os.path.exists('out.txt')",
        "assert open('data/one.txt').read() == 'one\\n'",
        "os.system('echo x > out.txt; echo x >> data/one.txt; rm data/two.txt')",
    ]);
    assert!(
        notes.len() == 1 && notes[0].contains("child process") && notes[0].contains("out.txt"),
        "{notes:?}"
    );
    // Forks of the process itself save for themselves.
    let fork = ["if os.fork() == 0:", "    open('out.txt', 'w').close(); os._exit(0)", "os.wait()"];
    assert_eq!(check(&fork), Vec::<String>::new());
}

#[test]
fn what_two_threads_write_is_undone() {
    check(&[
        "import threading",
        "write = lambda name: [open('%s%d' % (name, n), 'w').write('x') for n in range(20)] and open('data/one.txt', 'a').write(name)",
        "threads = [threading.Thread(target=write, args=(name,)) for name in 'ab']",
        "[thread.start() for thread in threads]",
        "[thread.join() for thread in threads]",
    ]);
}

#[test]
fn a_test_that_replaces_functions_of_the_system_is_seen_all_the_same() {
    check(&[
        "from unittest import mock",
        "with mock.patch('os.readlink', side_effect=OSError), mock.patch('os.lstat', side_effect=OSError):",
        "    open('data/one.txt', 'w').close()",
    ]);
}

#[test]
fn what_a_run_writes_outside_is_told_once() {
    let outside = tempfile::tempdir().expect("a folder");
    let path = outside.path().canonicalize().expect("it is there").join("log");
    let text = format!("open({:?}, 'w').close()", path.display().to_string());
    let told =
        format!("the test writes outside of the project, where nothing is put back: {}", path.display());
    assert_eq!(check(&[&text]), [told]);
}

#[test]
fn each_run_has_a_temporary_folder_that_is_empty_at_first_and_goes() {
    let text = "import os, tempfile\ndef test_a(tmp_path):\n    open(os.path.join(tempfile.gettempdir(), 'mark'), 'x').close()\n    assert False, '<%s>' % tempfile.gettempdir()\n";
    let lab = Lab::new(&[("test_a.py", text)]);
    let runner = lab.runner("test_a.py::test_a");
    let mut folders = Vec::new();
    for heat in [Heat::Warm, Heat::Warm, Heat::Cold] {
        let failure = super::failure(super::see(&runner, text, "test_a.py::test_a", heat));
        let message = &failure.exceptions[0].message;
        assert!(failure.exceptions[0].type_name == "AssertionError", "{failure:?}");
        let (_, folder) = message.split_once('<').expect("a folder");
        folders.push(Utf8PathBuf::from(folder.split_once('>').expect("a folder").0));
    }
    assert_eq!(folders[0], folders[1]);
    assert_ne!(folders[0], folders[2]);
    assert!(!folders[2].exists());
    drop(runner);
    assert!(!folders[0].exists() && !folders[0].parent().expect("a parent").exists());
}

#[test]
fn what_is_written_while_the_project_is_loaded_stays_for_the_runs_and_goes_with_the_runner() {
    let conftest = "import os\nos.makedirs('made', exist_ok=True)\nopen('log.txt', 'a').write('x')\n";
    let text = "import os\ndef test_a():\n    assert os.path.isdir('made')\n";
    let lab = Lab::new(&[("test_a.py", text), ("conftest.py", conftest), ("log.txt", "")]);
    let before = state(&lab);
    let runner = lab.runner("test_a.py::test_a");
    assert_eq!(warm(&runner, text), Observation::Passed);
    assert_ne!(state(&lab), before);
    drop(runner);
    assert_eq!(state(&lab), before);
}

#[test]
fn the_good_versions_files_are_as_they_were_too() {
    let text = "import lib\ndef test_a():\n    open('data.txt', 'a').write('x')\n    assert open('data.txt').read() == 'x'\n    assert lib.x\n";
    let lab = Lab::new(&[
        ("test_a.py", text),
        ("lib.py", "x = 0\n"),
        ("data.txt", ""),
        ("../good/lib.py", "x = 1\n"),
    ]);
    for name in ["../good/test_a.py", "../good/data.txt"] {
        lab.write(name, if name.ends_with("py") { text } else { "" });
    }
    let mut project = lab.project();
    let good = lab.root().join("good");
    project.good = Some(super::super::GoodVersion { cwd: good.clone(), env: Vec::new(), tree: None });
    let runner = lab.start(project, &TargetSpec::new("test_a.py::test_a")).expect("a runner");
    let mut jobs = vec![job(text, "test_a.py::test_a", Heat::Warm); 4];
    jobs[1].version = paring_model::Version::Good;
    jobs[3].version = paring_model::Version::Good;
    let seen = runner.observe(&jobs).expect("observations").concat();
    assert!(matches!(seen[0], Observation::Failed(_)) && seen[0] == seen[2], "{seen:?}");
    assert!(seen[1] == Observation::Passed && seen[3] == Observation::Passed, "{seen:?}");
    assert_eq!(std::fs::read_to_string(good.join("data.txt")).expect("it is there"), "");
}

#[test]
fn a_whole_suite_leaves_nothing_behind() {
    let text = "def test_a():\n    open('a.txt', 'x').close()\n\ndef test_b():\n    open('a.txt').close()\n    import os\n    os.kill(os.getpid(), 9)\n";
    let lab = Lab::new(&[("test_a.py", text)]);
    let before = state(&lab);
    for _ in 0..2 {
        let found = super::super::list_failures(&lab.project(), &["test_a.py".to_owned()]).expect("tests");
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].observation, Observation::Passed, "{found:?}");
        assert_eq!(state(&lab), before);
    }
}
