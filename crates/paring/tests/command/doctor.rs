//! `paring doctor`, `paring completions` and `paring man`: interpreters and JDKs are small scripts here.

use camino::{Utf8Path, Utf8PathBuf};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

/// A folder to stand in, and beside it what the command may use.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a temporary folder can be made") };
        for folder in ["project", "tools"] {
            std::fs::create_dir(place.at(folder)).expect("the folder is ours");
        }
        for (name, text) in files {
            let path = place.at("project").join(name);
            std::fs::create_dir_all(path.parent().expect("it is in the project"))
                .expect("the folder is ours");
            std::fs::write(path, text).expect("the folder is ours");
        }
        place
    }

    fn at(&self, name: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.folder.path()).expect("temporary folders have UTF-8 names").join(name)
    }

    fn program(&self, path: &str, script: &str) -> Utf8PathBuf {
        let path = self.at("tools").join(path);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder is ours");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("the folder is ours");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        path
    }

    fn run(&self, args: &[&str], path: &str) -> (i32, String) {
        let output: Output = Command::new(env!("CARGO_BIN_EXE_paring"))
            .args(args)
            .current_dir(self.at("project"))
            .env_clear()
            .env("PATH", path)
            .env("PARING_CACHE_DIR", self.at("cache"))
            .output()
            .expect("the binary starts");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8(said).expect("it is UTF-8"))
    }
}

/// Each of these stands in the output.
#[track_caller]
fn says(said: &str, words: &[&str]) {
    for word in words {
        assert!(said.contains(word), "nothing says {word:?}\n{said}");
    }
}

/// An interpreter that answers the probe so, and collects so.
fn interpreter(place: &Place, pytest: &str, collects: &str) -> Utf8PathBuf {
    let probe = format!(
        r#"{{"python": [3, 11, 4], "pytest": {pytest}, "plugins": ["pytest-xdist 3.5"], "can_fork": true, "has_monitoring": false, "paring": null}}"#
    );
    place.program("python", &format!("if [ \"$1\" = -c ]; then echo '{probe}'; else {collects}; fi"))
}

#[test]
fn a_place_where_tests_can_be_pared_is_told_with_what_was_found() {
    let place = Place::new(&[("test_a.py", "")]);
    let python = interpreter(&place, r#""8.3.2""#, "echo; echo '12 tests collected in 0.1s'");
    let (code, said) = place.run(&["doctor", "--python", python.as_str()], "/nowhere");
    says(&said, &["3.11.4", "8.3.2", "pytest-xdist 3.5", "12 tests collected", "Tests can be pared here."]);
    says(&said, &["note    pytest --pare", "-m pip install paring=="]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_is_broken_is_told_with_what_to_do() {
    let place = Place::new(&[("test_a.py", "")]);
    let python = interpreter(&place, "null", "exit 1");
    let (code, said) = place.run(&["doctor", "--python", python.as_str()], "/nowhere");
    says(&said, &["broken  pytest", "next: ", "-m pip install 'pytest>=7'", "Broken: pytest."]);
    assert_eq!(code, 7, "{said}");
    let python = interpreter(&place, r#""6.2.5""#, "exit 1");
    let (code, said) = place.run(&["doctor", "--python", python.as_str()], "/nowhere");
    says(&said, &["6.2.5 is older than 7"]);
    assert_eq!(code, 7, "{said}");
    let python = interpreter(&place, r#""8.0""#, "echo 'E   KeyError: x'; exit 4");
    let (code, said) = place.run(&["doctor", "--python", python.as_str()], "/nowhere");
    says(&said, &["broken  tests        KeyError: x"]);
    assert_eq!(code, 7, "{said}");
}

#[test]
fn what_is_no_python_and_no_cache_are_told() {
    let place = Place::new(&[("test_a.py", "")]);
    std::fs::write(place.at("cache"), "").expect("the folder is ours");
    let program = place.program("ls", "echo a b c");
    let (code, said) = place.run(&["doctor", "--python", program.as_str()], "/nowhere");
    says(
        &said,
        &["is no Python", "name the project's interpreter", "PARING_CACHE_DIR", "Broken: cache, python."],
    );
    assert_eq!(code, 7, "{said}");
}

#[test]
fn a_maven_project_needs_a_jdk_and_maven() {
    let place = Place::new(&[("pom.xml", "<project><modelVersion>4.0.0</modelVersion></project>")]);
    place.program("jdk/bin/java", "exit 1");
    std::fs::write(
        place.at("tools/jdk/release"),
        "JAVA_VERSION=\"17.0.2\"\nMODULES=\"java.base jdk.compiler\"\n",
    )
    .expect("the folder is ours");
    let home = place.at("tools/jdk");
    let (code, said) = place.run(&["doctor", "--java-home", home.as_str()], "/nowhere");
    says(&said, &["ok      jdk          17.0.2", "broken  maven", "install Maven", "1 module"]);
    assert_eq!(code, 7, "{said}");
    let maven = place.program("maven/mvn", "exit 0");
    let path = maven.parent().expect("it is in a folder").as_str();
    let (code, said) = place.run(&["doctor", "--java-home", home.as_str()], path);
    says(&said, &["ok      maven", "Tests can be pared here."]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn each_shell_gets_its_script_and_each_command_its_page() {
    let place = Place::new(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, script) = place.run(&["completions", shell], "/nowhere");
        assert!(
            code == 0 && script.contains("minimize") && script.contains("junit-xml"),
            "{shell}: {script}"
        );
    }
    let (code, said) = place.run(&["completions", "cmd"], "/nowhere");
    assert!(code == 2 && said.contains("powershell"), "{said}");
    let (code, said) = place.run(&["man", "pages"], "/nowhere");
    assert_eq!(code, 0, "{said}");
    for page in ["paring.1", "paring-minimize.1", "paring-localize.1", "paring-doctor.1"] {
        let text = std::fs::read_to_string(place.at("project/pages").join(page)).expect("the page is there");
        assert!(text.contains(".TH"), "{page}");
    }
}
