//! A keeper with manifests as workers write them.

mod at_once;

use super::*;
use crate::system;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

/// A project and a cache.
struct Lab {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Lab {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().expect("it is there")).expect("UTF-8");
        fs::create_dir_all(root.join("project/data")).expect("folders");
        fs::write(root.join("project/data/one.txt"), "one\n").expect("a file");
        fs::write(root.join("project/two.txt"), "two\n").expect("a file");
        Self { _folder: folder, root }
    }

    fn path(&self, name: &str) -> Utf8PathBuf {
        self.root.join("project").join(name)
    }

    fn keeper(&self) -> Arc<Keeper> {
        let keeper = Keeper::open(&self.root.join("cache")).expect("a keeper");
        keeper.protect(&self.root.join("project"), &[]).expect("a project");
        keeper
    }

    /// All that is in the project but git's own: of a file its contents, mode and time.
    fn state(&self) -> BTreeMap<Utf8PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.root.join("project")];
        while let Some(folder) = open.pop() {
            for entry in folder.read_dir_utf8().expect("a folder") {
                let path = entry.expect("an entry").into_path();
                let metadata = path.symlink_metadata().expect("it is there");
                let mode = system::mode(&metadata);
                let text = if metadata.is_dir() {
                    open.extend((path.file_name() != Some(".git")).then(|| path.clone()));
                    format!("folder {mode:o}")
                } else if metadata.is_file() {
                    let text = fs::read_to_string(&path).expect("a text");
                    format!("file {mode:o} {} {text}", system::modified(&metadata))
                } else {
                    format!("link {}", path.read_link_utf8().expect("a link"))
                };
                found.insert(path, text);
            }
        }
        found
    }
}

fn doing(test: &str) -> Doing {
    Doing::new(test, "its text")
}

/// Saves as a worker does.
fn save(folder: &Utf8Path, path: &Utf8Path) {
    fs::create_dir_all(folder).expect("the store is there");
    let mut line = match path.symlink_metadata() {
        Err(_) => json!({"was": "absent"}),
        Ok(now) if now.is_dir() => json!({"was": "folder", "mode": system::mode(&now)}),
        Ok(now) if now.is_file() => {
            let copy = format!("{}-0", fs::read_dir(folder).expect("it was made").count());
            fs::copy(path, folder.join(&copy)).expect("a copy");
            let (mode, modified, inode) = (system::mode(&now), system::modified(&now), system::inode(&now));
            json!({"was": "file", "copy": copy, "mode": mode, "modified": modified, "inode": inode})
        }
        Ok(_) => json!({"was": "link", "target": path.read_link_utf8().expect("a link").as_str()}),
    };
    line["path"] = Value::from(path.as_str());
    write_line(folder, &line);
}

fn write_line(folder: &Utf8Path, line: &Value) {
    let mut file =
        fs::File::options().append(true).create(true).open(folder.join("manifest")).expect("a manifest");
    file.write_all(format!("{line}\n").as_bytes()).expect("a line");
}

/// What a run does to the paths it has saved is undone.
fn check(names: &[&str], act: impl Fn(&Lab)) {
    let lab = Lab::new();
    let keeper = lab.keeper();
    let before = lab.state();
    let run = keeper.begin(doing("a"));
    for name in names {
        save(run.folder(), &lab.path(name));
    }
    act(&lab);
    let folder = run.folder().to_owned();
    let ended = run.end(false);
    assert_eq!(lab.state(), before);
    assert!(!ended.changed.is_empty() && !ended.is_void, "{ended:?}");
    assert!(!folder.exists(), "nothing of the run is kept");
    assert_eq!(keeper.notes(), Vec::<String>::new());
}

#[test]
fn a_new_file_goes() {
    check(&["out.db"], |lab| fs::write(lab.path("out.db"), "rows").expect("a file"));
}

#[test]
fn a_file_that_was_written_to_has_its_contents_and_its_time_again() {
    check(&["two.txt"], |lab| fs::write(lab.path("two.txt"), "2\n").expect("a file"));
}

#[test]
fn a_file_that_was_removed_is_there_again() {
    check(&["two.txt"], |lab| fs::remove_file(lab.path("two.txt")).expect("it was there"));
}

#[test]
fn a_new_folder_goes_with_all_that_is_in_it() {
    check(&["new"], |lab| {
        fs::create_dir_all(lab.path("new/deep")).expect("folders");
        fs::write(lab.path("new/deep/file"), "").expect("a file");
        system::set_mode(&lab.path("new/deep"), 0o500).expect("it is ours");
    });
}

#[test]
fn a_folder_that_was_moved_is_back() {
    check(&["data", "data/one.txt", "moved"], |lab| {
        fs::rename(lab.path("data"), lab.path("moved")).expect("it was there");
    });
}

#[cfg(unix)]
#[test]
fn modes_and_links_are_as_they_were() {
    check(&["two.txt", "data", "data/one.txt", "link"], |lab| {
        system::set_mode(&lab.path("two.txt"), 0o400).expect("it is ours");
        fs::remove_file(lab.path("data/one.txt")).expect("it was there");
        system::link(Utf8Path::new("two.txt"), &lab.path("link")).expect("a link");
        system::link(Utf8Path::new("../two.txt"), &lab.path("data/one.txt")).expect("a link");
        system::set_mode(&lab.path("data"), 0o500).expect("it is ours");
    });
}

#[cfg(unix)]
#[test]
fn a_file_in_the_place_of_another_is_not_written_through() {
    check(&["two.txt"], |lab| {
        fs::remove_file(lab.path("two.txt")).expect("it was there");
        fs::hard_link(lab.path("data/one.txt"), lab.path("two.txt")).expect("a link");
    });
}

#[test]
fn the_first_line_of_a_path_counts_and_half_a_line_does_not() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    let before = lab.state();
    let run = keeper.begin(doing("a"));
    save(run.folder(), &lab.path("two.txt"));
    fs::write(lab.path("two.txt"), "2").expect("a file");
    save(run.folder(), &lab.path("two.txt"));
    let manifest = run.folder().join("manifest");
    let text = fs::read_to_string(&manifest).expect("lines");
    fs::write(manifest, format!("{text}{{\"path\": \"{}\", \"was\": \"abs", lab.path("data")))
        .expect("a file");
    run.end(false);
    assert_eq!(lab.state(), before);
}

#[test]
fn nothing_outside_of_the_project_or_in_gits_folder_is_touched() {
    let lab = Lab::new();
    fs::create_dir_all(lab.path(".git")).expect("a folder");
    fs::write(lab.root.join("outside"), "mine").expect("a file");
    let keeper = lab.keeper();
    let before = lab.state();
    let run = keeper.begin(doing("a"));
    fs::create_dir_all(run.folder()).expect("the store is there");
    for path in [lab.root.join("outside"), lab.path(".git"), lab.path("../outside"), lab.path("")] {
        write_line(run.folder(), &json!({"path": path.as_str(), "was": "absent"}));
    }
    assert_eq!(run.end(false).changed, Vec::<Utf8PathBuf>::new());
    assert_eq!(lab.state(), before);
    assert!(lab.root.join("outside").exists());
}

#[test]
fn what_a_worker_did_not_see_is_found_and_undone() {
    for is_repository in [false, true] {
        let lab = Lab::new();
        if is_repository {
            for args in [&["init", "-q"][..], &["add", "-A"]] {
                let git = std::process::Command::new("git").args(args).current_dir(lab.path("")).status();
                assert!(git.expect("git starts").success());
            }
        }
        let keeper = lab.keeper();
        let run = keeper.begin(doing("a"));
        let before = lab.state();
        fs::write(lab.path("two.txt"), "2\n").expect("a file");
        fs::remove_dir_all(lab.path("data")).expect("it was there");
        fs::create_dir_all(lab.path("new/deep")).expect("folders");
        let ended = run.end(true);
        assert_eq!(lab.state(), before);
        assert!(ended.changed.contains(&lab.path("new")), "{ended:?}");
        let notes = keeper.notes();
        assert!(notes.len() == 1 && notes[0].contains("child process"), "{notes:?}");
        let aside = keeper.store.replaced().join(lab.path("two.txt").as_str().trim_start_matches('/'));
        assert_eq!(fs::read_to_string(aside).expect("it was kept"), "2\n");
    }
}

#[test]
fn what_the_user_did_during_a_run_stays_and_what_the_test_does_again_goes() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    let write_log = || fs::write(lab.path("log.txt"), "of the test\n").expect("a file");
    let run = keeper.begin(doing("a"));
    write_log();
    fs::write(lab.path("two.txt"), "edited\n").expect("a file");
    fs::remove_file(lab.path("data/one.txt")).expect("it was there");
    fs::create_dir(lab.path("made")).expect("a folder");
    fs::write(lab.path("made/file"), "by hand\n").expect("a file");
    assert!(run.end(true).is_void);
    // Another text of the same test has no say.
    assert!(!keeper.begin(Doing::new("a", "another text")).end(true).is_void);
    assert_eq!(fs::read_to_string(lab.path("two.txt")).expect("a file"), "two\n");
    let again = keeper.begin_alone(doing("a"));
    write_log();
    let ended = again.end(true);
    assert_eq!((ended.is_void, ended.changed), (false, vec![lab.path("log.txt")]));
    assert_eq!(fs::read_to_string(lab.path("two.txt")).expect("a file"), "edited\n");
    assert_eq!(fs::read_to_string(lab.path("made/file")).expect("a file"), "by hand\n");
    assert!(!lab.path("data/one.txt").exists() && !lab.path("log.txt").exists());
    let notes = keeper.notes().join("\n");
    assert!(notes.contains("somebody changed files") && notes.contains("two.txt"), "{notes}");
    assert_eq!(notes.matches("two.txt").count(), 1, "{notes}");
    // From now on it is known whose they are, and a test that changes them leaves them as the user did.
    let run = keeper.begin(doing("a"));
    write_log();
    assert!(!run.end(true).is_void);
    let run = keeper.begin(doing("a"));
    fs::write(lab.path("two.txt"), "by the test\n").expect("a file");
    assert!(run.end(true).is_void);
    assert_eq!(fs::read_to_string(lab.path("two.txt")).expect("a file"), "edited\n");
}

#[test]
fn a_folder_that_paring_takes_away_itself_is_not_put_back() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    let own = lab.root.join("good");
    fs::create_dir(&own).expect("a folder");
    fs::write(own.join("file"), "good\n").expect("a file");
    keeper.protect_own(&own).expect("it is there");
    let run = keeper.begin(doing("a"));
    fs::remove_dir_all(&own).expect("it was there");
    assert_eq!(run.end(true), Ended::default());
    assert!(!own.exists() && keeper.notes().is_empty());
}

#[test]
fn what_was_edited_between_two_runs_stays() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    keeper.begin(doing("a")).end(true);
    fs::write(lab.path("two.txt"), "edited\n").expect("a file");
    let touched = system::touched(&lab.path("two.txt").metadata().expect("it is there"));
    while system::file_time() <= touched {
        std::thread::yield_now();
    }
    assert_eq!(keeper.begin(doing("a")).end(true), Ended::default());
    assert_eq!(fs::read_to_string(lab.path("two.txt")).expect("a file"), "edited\n");
    let run = keeper.begin(doing("a"));
    fs::write(lab.path("two.txt"), "of the test, and longer\n").expect("a file");
    run.end(true);
    assert_eq!(fs::read_to_string(lab.path("two.txt")).expect("a file"), "edited\n");
}

#[test]
fn what_loading_the_project_wrote_stays_until_the_keeper_is_dropped() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    let before = lab.state();
    save(&keeper.loading(), &lab.path("cache.bin"));
    fs::write(lab.path("cache.bin"), "loaded").expect("a file");
    let loaded = lab.state();
    let run = keeper.begin(doing("a"));
    save(run.folder(), &lab.path("cache.bin"));
    fs::remove_file(lab.path("cache.bin")).expect("it was there");
    run.end(false);
    assert_eq!(lab.state(), loaded);
    let store = keeper.store.folder().to_owned();
    drop(keeper);
    assert_eq!(lab.state(), before);
    assert!(!store.exists());
}

#[test]
fn what_a_killed_paring_left_is_put_back_by_the_next() {
    let lab = Lab::new();
    let before = lab.state();
    // As it is found after a kill: no lock is held, nothing was put back.
    let store = lab.root.join("cache/saved/dead");
    let temporary = lab.root.join("temporary");
    for folder in [&store, &temporary] {
        fs::create_dir_all(folder).expect("folders");
    }
    fs::write(store.join("lock"), "").expect("a file");
    fs::write(store.join("temporary"), temporary.as_str()).expect("a file");
    fs::write(store.join("roots"), json!([lab.path("").as_str().trim_end_matches('/')]).to_string())
        .expect("a file");
    save(&store.join("loading"), &lab.path("cache.bin"));
    fs::write(lab.path("cache.bin"), "loaded").expect("a file");
    save(&store.join("run-9"), &lab.path("cache.bin"));
    save(&store.join("run-9"), &lab.path("two.txt"));
    fs::write(lab.path("cache.bin"), "run").expect("a file");
    fs::write(lab.path("two.txt"), "run").expect("a file");
    let keeper = lab.keeper();
    assert_eq!(lab.state(), before);
    assert!(!store.exists() && !temporary.exists());
    let notes = keeper.notes();
    assert!(notes.len() == 1 && notes[0].contains("was killed"), "{notes:?}");
    let kept =
        lab.root.join("cache/saved/replaced/dead").join(lab.path("two.txt").as_str().trim_start_matches('/'));
    assert_eq!(fs::read_to_string(kept).expect("it was kept"), "run");
}

#[test]
fn a_keeper_that_is_in_use_is_left_alone_and_shared() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    assert!(Arc::ptr_eq(&keeper, &lab.keeper()));
    let mut reports = Reports::default();
    leftover::put_back_all(&lab.root.join("cache/saved"), &mut reports);
    assert!(keeper.store.folder().join("lock").exists());
}

#[test]
fn a_temporary_folder_goes_with_its_worker() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    let temporary = keeper.temporary().expect("a folder");
    let folder = temporary.folder().to_owned();
    fs::write(folder.join("file"), "").expect("a file");
    assert!(temporary.env().contains(&("TMPDIR".to_owned(), folder.to_string())));
    drop(temporary);
    assert!(!folder.exists());
    let around = folder.parent().expect("a parent").to_owned();
    drop(keeper);
    assert!(!around.exists());
}

#[test]
fn what_was_not_saved_and_what_lies_outside_is_told_once() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    for _ in 0..2 {
        let run = keeper.begin(doing("a"));
        fs::create_dir_all(run.folder()).expect("the store is there");
        write_line(run.folder(), &json!({"path": "/elsewhere/log", "was": "outside"}));
        let line =
            json!({"path": lab.path("huge").as_str(), "was": "unsaved", "why": "it is larger than 256 MB"});
        write_line(run.folder(), &line);
        run.end(false);
    }
    let huge =
        format!("a run changed {}, which was not put back: it is larger than 256 MB", lab.path("huge"));
    let outside = "the test writes outside of the project, where nothing is put back: /elsewhere/log";
    assert_eq!(keeper.notes(), [huge.as_str(), outside]);
    assert_eq!(keeper.notes(), Vec::<String>::new());
}
