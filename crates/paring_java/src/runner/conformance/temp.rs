//! Temporary files: each JVM has a folder of its own for them, which nothing outlives.

use super::*;

/// Fails with the folder's path, once it has left files there in all ways.
const LEAVES: &str = "java.nio.file.Path temp = java.nio.file.Path.of(System.getProperty(\"java.io.tmpdir\"));
    java.io.File.createTempFile(\"abc\", \"d\"); java.nio.file.Files.createDirectories(temp.resolve(\"deep/er\"));
    new ProcessBuilder(\"sh\", \"-c\", \"echo > $TMPDIR/child\").start().waitFor();
    org.mockito.Mockito.mock(Runnable.class);
    String left = Arrays.stream(temp.toFile().list()).map(name -> name.replaceAll(\"\\\\d+\", \"\")).sorted().collect(java.util.stream.Collectors.joining(\" \"));";

fn leaves(end: &str) -> String {
    junit5(&format!("@Test void test() throws Exception {{ {LEAVES} {end} }}"))
}

/// The folder that a test says it has, and what it found there at its end.
fn told(runner: &JunitRunner, heat: Heat) -> (Utf8PathBuf, String) {
    let message =
        failure(see(runner, &leaves("fail(temp + \";\" + left);"), TARGET, heat)).exception().message.clone();
    let (folder, left) = message.split_once(';').expect("two parts");
    (folder.into(), left.to_owned())
}

#[test]
fn temporary_files_outlive_no_run_and_their_folder_no_jvm() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "junit5", &[]);
        let runner = lab.runner();
        let mut folders = Vec::new();
        for heat in [Heat::Warm, Heat::Warm, Heat::Apart, Heat::Cold] {
            let (folder, left) = told(&runner, heat);
            assert_ne!(folder, std::env::temp_dir(), "{heat:?}");
            let names: Vec<&str> = left.split(' ').filter(|name| !name.starts_with("mockito")).collect();
            assert_eq!(names, ["abcd", "child", "deep"], "{heat:?}");
            folders.push(folder);
        }
        assert!(!folders[3].exists(), "of a cold run");
        drop(runner);
        assert!(folders.iter().all(|folder| !folder.exists()), "{folders:?}");
    }
}

#[test]
fn the_folder_of_a_jvm_that_is_killed_is_removed() {
    let lab = Lab::new(&jdks()[0], "junit5", &[]);
    let runner = lab.runner();
    // What is written into the project is put back.
    let outside = tempfile::tempdir().expect("a folder");
    let told = outside.path().join("told");
    let end = format!(
        "java.nio.file.Files.writeString(java.nio.file.Path.of(\"{}\"), temp.toString()); Runtime.getRuntime().halt(3);",
        told.display()
    );
    for heat in [Heat::Warm, Heat::Apart, Heat::Cold] {
        assert_eq!(see(&runner, &leaves(&end), TARGET, heat), Observation::Died { how: "exit 3".into() });
        let folder = Utf8PathBuf::from(fs::read_to_string(&told).expect("it was written"));
        assert_ne!(folder, std::env::temp_dir(), "{heat:?}");
        // A JVM of a pool is ended in the background.
        let deadline = std::time::Instant::now() + Duration::from_mins(2);
        while folder.exists() {
            assert!(std::time::Instant::now() < deadline, "{heat:?}: {folder} is still there");
            std::thread::yield_now();
        }
    }
}
