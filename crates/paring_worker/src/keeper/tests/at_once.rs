//! Several runs at once.

use super::*;

#[test]
fn a_run_that_is_void_says_so_and_lets_go_of_its_paths() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    let run = keeper.begin(doing("a"));
    save(run.folder(), &lab.path("out.db"));
    fs::write(run.folder().join("met"), "").expect("a file");
    let name = run.folder().file_name().expect("it has a name").to_owned();
    fs::write(keeper.claims().join("mine"), name).expect("a file");
    fs::write(keeper.claims().join("other"), "run-77").expect("a file");
    assert!(run.end(false).is_void);
    assert!(!keeper.claims().join("mine").exists() && keeper.claims().join("other").exists());
}

#[test]
fn a_run_beside_one_that_writes_shows_nothing() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    for writer_ends_first in [true, false] {
        let (writer, reader) = (keeper.begin(doing("a")), keeper.begin(doing("b")));
        save(writer.folder(), &lab.path("out.db"));
        let (writer, reader) = if writer_ends_first {
            let writer = writer.end(false);
            (writer, reader.end(false))
        } else {
            let reader = reader.end(false);
            (writer.end(false), reader)
        };
        assert!(reader.is_void && !writer.is_void);
    }
    let elsewhere = keeper.begin(doing("a"));
    fs::create_dir_all(elsewhere.folder()).expect("the store is there");
    write_line(elsewhere.folder(), &json!({"path": "/elsewhere", "was": "outside"}));
    assert!(!keeper.begin(doing("b")).end(false).is_void);
}

/// Two runs at once that may hide something, ended at once by two threads.
fn end_both(keeper: &Arc<Keeper>, before_the_end: impl FnOnce()) -> Vec<Ended> {
    let runs = [keeper.begin(doing("a")), keeper.begin(doing("a"))];
    before_the_end();
    let threads = runs.map(|run| std::thread::spawn(move || run.end(true)));
    threads.map(|thread| thread.join().expect("no panic")).into()
}

#[test]
fn of_runs_at_once_that_hid_what_they_wrote_none_shows_anything() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    // What was seen to hide nothing is not waited for; as long as that is so.
    assert!(end_both(&keeper, || {}).iter().all(|ended| !ended.is_void));
    let (one, other) = (keeper.begin(doing("a")), keeper.begin(doing("a")));
    assert!(!one.end(true).is_void);
    other.end(true);
    let alone = keeper.begin_alone(doing("a"));
    fs::write(lab.path("two.txt"), "2\n").expect("a file");
    assert!(alone.end(true).is_void, "somebody else may have written it");
    let ended = end_both(&keeper, || fs::write(lab.path("two.txt"), "3\n").expect("a file"));
    assert!(ended.iter().all(|ended| ended.is_void), "{ended:?}");
    assert_eq!(ended.iter().filter(|ended| !ended.changed.is_empty()).count(), 1);
}

#[test]
fn a_run_that_wants_to_be_alone_is() {
    let lab = Lab::new();
    let keeper = lab.keeper();
    let first = keeper.begin(doing("a"));
    let (sender, receiver) = std::sync::mpsc::channel();
    let other = Arc::clone(&keeper);
    let thread = std::thread::spawn(move || {
        let alone = other.begin_alone(doing("a"));
        sender.send("alone").expect("it is listened to");
        alone.end(false);
    });
    assert!(receiver.recv_timeout(std::time::Duration::from_millis(50)).is_err(), "the first is under way");
    first.end(false);
    assert_eq!(receiver.recv().expect("its turn comes"), "alone");
    thread.join().expect("no panic");
    keeper.begin(doing("a")).end(false);
}
