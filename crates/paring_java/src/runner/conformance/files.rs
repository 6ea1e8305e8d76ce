//! What a run does to files of the project is undone, however it does it and however it ends.

use super::*;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

/// Contents, mode and time of every file and folder; where a link leads to.
type Tree = BTreeMap<Utf8PathBuf, (String, u32, i64)>;

fn tree(folder: &Utf8Path) -> Tree {
    let mut found = Tree::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let now = path.symlink_metadata().expect("it is there");
        let contents = if now.is_dir() {
            open.extend(
                path.read_dir_utf8().expect("a folder").map(|entry| entry.expect("an entry").into_path()),
            );
            "folder".to_owned()
        } else if now.is_symlink() {
            format!("link to {}", path.read_link_utf8().expect("a link"))
        } else {
            String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned()
        };
        // The time of a folder changes with what is in it.
        let time = if now.is_dir() { 0 } else { now.mtime() };
        found.insert(path, (contents, now.mode(), time));
    }
    found
}

/// A project with a file, a folder with another one, and a link.
fn lab(jdk: &Jdk) -> Lab {
    let lab = Lab::new(jdk, "junit5", &[]);
    fs::create_dir_all(lab.root().join("data/deep")).expect("a folder");
    fs::create_dir_all(lab.root().join("src/shop")).expect("a folder");
    fs::write(lab.root().join("data/log.txt"), "one\n").expect("a file");
    fs::write(lab.root().join("data/deep/other.txt"), "other\n").expect("a file");
    std::os::unix::fs::symlink("data/log.txt", lab.root().join("link.txt")).expect("a link");
    lab
}

fn test(body: &str) -> String {
    let text = junit5(&format!("@Test void test() throws Exception {{\n{body}\n}}"));
    text.replace("import java.util.*;", "import java.util.*; import java.io.*; import java.nio.file.*;")
}

/// Each fails, or ends its process, if it does not find the project as it was.
const WAYS: [&str; 14] = [
    "assertFalse(new File(\"out.db\").exists()); try (FileWriter out = new FileWriter(\"out.db\")) { out.write(\"a\"); } fail(\"done\");",
    "try (FileOutputStream out = new FileOutputStream(\"data/log.txt\", true)) { out.write('x'); } assertEquals(5, Files.size(Path.of(\"data/log.txt\"))); fail(\"done\");",
    "assertTrue(new File(\"data/log.txt\").delete()); fail(\"done\");",
    "Files.writeString(Path.of(\"link.txt\"), \"through a link\"); assertEquals(\"one\\n\".length() + 10, Files.size(Path.of(\"data/log.txt\"))); fail(\"done\");",
    "assertEquals(4, new File(\"data/log.txt\").length()); try (RandomAccessFile file = new RandomAccessFile(\"data/log.txt\", \"rw\")) { file.setLength(1); } fail(\"done\");",
    "Files.move(Path.of(\"data\"), Path.of(\"moved\")); Files.writeString(Path.of(\"moved/deep/other.txt\"), \"changed\"); fail(\"done\");",
    "assertTrue(new File(\"data/deep\").renameTo(new File(\"data/other\"))); fail(\"done\");",
    "Files.delete(Path.of(\"data/deep/other.txt\")); Files.delete(Path.of(\"data/deep\")); Files.createFile(Path.of(\"data/deep\")); fail(\"done\");",
    "Files.copy(Path.of(\"data/log.txt\"), Path.of(\"data/deep/other.txt\"), StandardCopyOption.REPLACE_EXISTING); fail(\"done\");",
    "Files.createLink(Path.of(\"twin\"), Path.of(\"data/log.txt\")); Files.writeString(Path.of(\"twin\"), \"twin\"); fail(\"done\");",
    "assertTrue(new File(\"a/b/c\").mkdirs()); Files.createSymbolicLink(Path.of(\"a/link\"), Path.of(\"../data\")); Files.writeString(Path.of(\"a/link/log.txt\"), \"x\"); fail(\"done\");",
    "assertTrue(new File(\"data/log.txt\").setReadOnly()); Files.setLastModifiedTime(Path.of(\"data/deep/other.txt\"), java.nio.file.attribute.FileTime.fromMillis(5)); fail(\"done\");",
    "new ProcessBuilder(\"sh\", \"-c\", \"echo two >> data/log.txt; echo > child; rm data/deep/other.txt\").start().waitFor(); assertEquals(8, Files.size(Path.of(\"data/log.txt\"))); fail(\"done\");",
    "try (var channel = java.nio.channels.FileChannel.open(Path.of(\"data/log.txt\"), StandardOpenOption.READ, StandardOpenOption.WRITE)) { channel.map(java.nio.channels.FileChannel.MapMode.READ_WRITE, 0, 8).put(0, (byte) 'z'); } fail(\"done\");",
];

#[test]
fn whatever_a_run_does_to_files_is_undone() {
    for jdk in jdks() {
        let lab = lab(&jdk);
        let before = tree(lab.root());
        let runner = lab.runner();
        for (idx, way) in WAYS.iter().enumerate() {
            let heats: &[Heat] = if idx == 0 {
                &[Heat::Warm, Heat::Warm, Heat::Apart, Heat::Cold]
            } else {
                &[Heat::Warm, Heat::Apart]
            };
            for &heat in heats {
                let seen = failure(see(&runner, &test(way), TARGET, heat));
                assert_eq!(seen.exception().message, "done", "{way}");
                assert_eq!(tree(lab.root()), before, "{heat:?} {way}");
            }
        }
    }
}

#[test]
fn what_a_killed_run_and_one_that_hangs_did_is_undone() {
    let lab = lab(&jdks()[0]);
    let before = tree(lab.root());
    let runner = lab.runner();
    let writes =
        "Files.writeString(Path.of(\"data/log.txt\"), \"half\"); new FileWriter(\"out.db\").close();";
    for heat in [Heat::Warm, Heat::Apart, Heat::Cold] {
        let halts = test(&format!("{writes} Runtime.getRuntime().halt(3);"));
        assert_eq!(see(&runner, &halts, TARGET, heat), Observation::Died { how: "exit 3".into() });
        assert_eq!(tree(lab.root()), before, "{heat:?}");
    }
    let stays = "Thread thread = new Thread(() -> { while (true) { try { Files.writeString(Path.of(\"late\"), \"late\"); } catch (IOException e) { } } }); thread.start();";
    let hangs = test(&format!("{writes} {stays} thread.join();"));
    let job = Job { timeout: Some(Duration::from_secs(3)), ..job(&hangs, TARGET, Heat::Warm) };
    let seen = observe_single(&runner, &[job]).expect("an observation").remove(0);
    assert!(matches!(seen, Observation::Hung { .. }), "{seen:?}");
    assert_eq!(tree(lab.root()), before);
    let left = test(&format!("{writes} {stays} fail(\"done\");"));
    assert_eq!(failure(see(&runner, &left, TARGET, Heat::Warm)).exception().message, "done");
    assert_eq!(tree(lab.root()), before, "a thread that is left behind");
}

#[test]
fn runs_that_write_the_same_file_never_overlap() {
    let lab = lab(&jdks()[0]);
    let before = tree(lab.root());
    let runner = lab.start(JavaProject { jobs: 3, ..lab.project() });
    let body = "String was = Files.readString(Path.of(\"data/log.txt\")); Files.writeString(Path.of(\"data/log.txt\"), \"x\", StandardOpenOption.APPEND); Thread.sleep(200);\nassertEquals(\"\", was + Files.readString(Path.of(\"data/log.txt\")));";
    let jobs = vec![job(&test(body), TARGET, Heat::Warm); 5];
    for seen in observe_single(&runner, &jobs).expect("observations") {
        assert_eq!(failure(seen).exception().message, "expected: <> but was: <one\none\nx>");
    }
    assert_eq!(runner.n_parallel(), 1);
    assert_eq!(tree(lab.root()), before);
}

#[test]
fn what_lies_outside_is_told_once_and_temporary_files_are_not() {
    let lab = lab(&jdks()[0]);
    let outside = tempfile::tempdir().expect("a folder");
    let path = outside.path().join("log");
    let runner = lab.runner();
    let body = format!(
        "new FileWriter(\"{}\").close(); File.createTempFile(\"abc\", \"d\"); fail();",
        path.display()
    );
    for _ in 0..2 {
        failure(see(&runner, &test(&body), TARGET, Heat::Warm));
    }
    let path = path.canonicalize().expect("it was written");
    assert_eq!(
        runner.notes(),
        [format!("the test writes outside of the project, where nothing is put back: {}", path.display())]
    );
}

#[test]
fn files_of_the_good_versions_class_path_are_put_back_too() {
    let lab = lab(&jdks()[0]);
    let good = tempfile::tempdir().expect("a folder");
    let root = Utf8Path::from_path(good.path()).expect("UTF-8");
    fs::write(root.join("data.txt"), "good\n").expect("a file");
    let before = (tree(lab.root()), tree(root));
    let mut project = lab.project();
    let mut classpath = project.classpath.clone();
    classpath.insert(0, root.to_owned());
    project.good = Some(super::super::GoodClasspath { classpath, cwd: None });
    let runner = lab.start(project);
    let body = format!(
        "Files.writeString(Path.of(\"out.db\"), \"a\"); Files.writeString(Path.of(\"{root}/data.txt\"), \"more\", StandardOpenOption.APPEND); fail(\"done\");"
    );
    let job = Job { version: Version::Good, ..job(&test(&body), TARGET, Heat::Warm) };
    let seen = observe_single(&runner, &[job.clone(), job]).expect("observations");
    assert!(seen.into_iter().all(|seen| failure(seen).exception().message == "done"));
    assert_eq!((tree(lab.root()), tree(root)), before);
}
