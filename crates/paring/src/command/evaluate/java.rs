//! Judges a Java result by plain cold runs: `javac`, then `JUnit`'s console launcher, on the case's own class paths.
//!
//! `Judge.java` looks on in those runs and measures the sources. Nothing here knows the engine.

use super::launch::run;
use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use paring_tasks::evaluate::{Case, JavaCase};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

const JUDGE: &str = include_str!("Judge.java");
const SERVICE: &str = "META-INF/services/org.junit.platform.launcher.TestExecutionListener";

/// The options of `paring minimize` for a case.
pub fn arguments(java: &JavaCase, good: bool) -> Vec<String> {
    let mut args = vec![
        "--classpath".to_owned(),
        java.classpath.clone(),
        "--test-sources".to_owned(),
        java.test_sources.clone(),
    ];
    args.extend(java.jvm_args.iter().map(|arg| format!("--jvm-arg={arg}")));
    if let Some(release) = &java.release {
        args.extend(["--javac-arg=--release".to_owned(), format!("--javac-arg={release}")]);
    }
    if let Some(good_classpath) = java.good_classpath.as_ref().filter(|_| good) {
        args.extend(["--good-classpath".to_owned(), good_classpath.clone()]);
    }
    args
}

/// A test in a text.
struct Test<'a> {
    text: &'a str,
    /// `com.acme.CartTest#total[2]`.
    id: &'a str,
}

/// One cold run of a test, compiled before.
#[derive(Default)]
struct Seen {
    outcome: String,
    chain: Vec<(String, String)>,
    /// Lines in the test file, outermost first.
    lines: Vec<u64>,
    /// Methods of other files below the innermost of them.
    below: Vec<String>,
    /// How long javac and the run took.
    seconds: f64,
    classes: Utf8PathBuf,
}

/// Lets a JVM that lives for a second spend less of it on compiling; runs whose time is told do without.
const SHORT_LIVED: &str = "-XX:TieredStopAtLevel=1";

/// The looker-on, compiled once for each class path.
pub struct Lookers {
    folder: Utf8PathBuf,
    timeout: Duration,
    compiled: Mutex<BTreeMap<String, Utf8PathBuf>>,
}

impl Lookers {
    pub fn new(folder: Utf8PathBuf, timeout: Duration) -> Self {
        Self { folder, timeout, compiled: Mutex::default() }
    }

    /// The folder with the looker-on's classes for a case's `JUnit`.
    fn get(&self, class_path: &str) -> Result<Utf8PathBuf> {
        let mut compiled = self.compiled.lock().expect("nobody panics in here");
        if let Some(classes) = compiled.get(class_path) {
            return Ok(classes.clone());
        }
        let source = self.folder.join("Judge.java");
        std::fs::write(&source, JUDGE)?;
        let classes = self.folder.join(format!("looker-{}", compiled.len()));
        std::fs::create_dir_all(classes.join("META-INF/services"))?;
        std::fs::write(classes.join(SERVICE), "Judge\n")?;
        let mut javac = Command::new(tool("javac"));
        javac.args([format!("-J{SHORT_LIVED}").as_str(), "-nowarn", "-proc:none", "-d", classes.as_str()]);
        let ended = run(javac.args(["-cp", class_path, source.as_str()]), self.timeout)?;
        if ended.code != Some(0) {
            bail!("the judge does not compile on the case's class path: {}", ended.said.trim());
        }
        compiled.insert(class_path.to_owned(), classes.clone());
        Ok(classes)
    }
}

/// What came of the original and of the result, in the form of `judge.py`'s answer.
pub fn judge(case: &Case, java: &JavaCase, document: &Value, lookers: &Lookers) -> Result<Value> {
    let folder = tempfile::tempdir().context("failed to make a temporary folder")?;
    let folder = Utf8Path::from_path(folder.path()).context("the temporary folder is not UTF-8")?;
    let file = document.get("file").filter(|file| file.is_object());
    let class = case.target.split('#').next().unwrap_or_default();
    let declaring = java.declaring_class.as_deref().unwrap_or(class);
    let usual = format!("{}.java", declaring.split('$').next().unwrap_or_default().replace('.', "/"));
    let path = file.and_then(|file| file["path"].as_str()).unwrap_or(&usual).to_owned();
    let looker = lookers.get(&java.classpath)?;
    let judge = Judge { case, java, path, folder: folder.to_owned(), looker, timeout: lookers.timeout };
    let source = Utf8Path::new(&java.test_sources).join(&judge.path);
    let original = std::fs::read(&source).with_context(|| format!("failed to read {source}"))?;
    let original = String::from_utf8(original)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
    // The failing case of a parametrised method is named in the document.
    let target = document["target"].as_str().unwrap_or(&case.target);
    judge.answer(&Test { text: &original, id: target }, file)
}

struct Judge<'a> {
    case: &'a Case,
    java: &'a JavaCase,
    /// The test file, from where packages start.
    path: String,
    folder: Utf8PathBuf,
    /// Classes that look on.
    looker: Utf8PathBuf,
    timeout: Duration,
}

impl Judge<'_> {
    fn answer(&self, original: &Test<'_>, file: Option<&Value>) -> Result<Value> {
        let faulty = &self.java.classpath;
        let base = self.observe(original, faulty, "original", &[])?;
        let before = self.measure(original, &base)?;
        let mut answer = json!({ "base": told(&base), "cold_seconds": base.seconds });
        let Some(file) = file else {
            answer["statements"] = json!({ "before": before["statements"], "after": null });
            return Ok(answer);
        };
        let text = file["text"].as_str().context("the result has no text")?;
        let result = Test { text, id: file["target"].as_str().unwrap_or(original.id) };
        let found = self.observe(&result, faulty, "result", &[SHORT_LIVED])?;
        let after = self.measure(&result, &found)?;
        for (name, key) in [
            ("statements", "statements"),
            ("until_failing", "until"),
            ("tokens", "tokens"),
            ("instructions", "instructions"),
        ] {
            answer[name] = json!({ "before": before[key], "after": after[key] });
        }
        let mut different = difference(&base, &found);
        if different.is_none() && squeeze(&before["statement"]) != squeeze(&after["statement"]) {
            different = Some(format!("statement: {}, not {}", after["statement"], before["statement"]));
        }
        answer["same"] = json!(different.is_none());
        if different.is_some() {
            let again = self.observe(original, faulty, "again", &[SHORT_LIVED])?;
            answer["unstable"] = json!(difference(&base, &again));
        }
        answer["difference"] = json!(different);
        if let Some(good) = &self.java.good_classpath {
            let there = self.observe(&result, good, "good", &[SHORT_LIVED])?;
            answer["valid"] = json!(answer["same"] == json!(true) && there.outcome == "passed");
            answer["good"] = told(&there);
            if there.outcome != "passed" {
                answer["good_original"] =
                    told(&self.observe(original, good, "good-original", &[SHORT_LIVED])?);
            }
        }
        Ok(answer)
    }

    /// Compiles and runs a test cold.
    fn observe(&self, test: &Test<'_>, class_path: &str, name: &str, jvm_args: &[&str]) -> Result<Seen> {
        let place = self.folder.join(name);
        let (source, classes) = (place.join("src").join(&self.path), place.join("classes"));
        std::fs::create_dir_all(source.parent().context("a file has a folder")?)?;
        std::fs::create_dir_all(&classes)?;
        std::fs::create_dir_all(place.join("none"))?;
        std::fs::write(&source, test.text)?;
        let started = Instant::now();
        let mut javac = Command::new(tool("javac"));
        javac.args(jvm_args.iter().map(|arg| format!("-J{arg}")));
        javac.args([
            "-g",
            "-nowarn",
            "-proc:none",
            "-implicit:none",
            "-encoding",
            "UTF-8",
            "-d",
            classes.as_str(),
        ]);
        javac.args(["-cp", class_path, "-sourcepath", place.join("none").as_str()]);
        if let Some(release) = &self.java.release {
            javac.args(["--release", release]);
        }
        let compiled = run(javac.arg(&source), self.timeout)?;
        if compiled.code != Some(0) {
            let said = compiled.said.lines().next().unwrap_or_default().to_owned();
            let chain = vec![("does not compile".to_owned(), said)];
            return Ok(Seen { outcome: "broken".to_owned(), chain, classes, ..Seen::default() });
        }
        let out = place.join("records");
        let separator = crate::config::CLASS_PATH_SEPARATOR;
        let mut java = Command::new(tool("java"));
        java.args(jvm_args).args(&self.java.jvm_args).arg(format!("-Djudge.out={out}"));
        java.args(["-cp", &[self.looker.as_str(), classes.as_str(), class_path].join(separator)]);
        java.args(["org.junit.platform.console.ConsoleLauncher", "execute", "--details", "none"]);
        java.args(["--select-method", &self.selector(test.id)]);
        java.current_dir(&self.case.cwd).envs(&self.case.env);
        let ended = run(&mut java, self.timeout)?;
        let seconds = started.elapsed().as_secs_f64();
        let records = std::fs::read_to_string(&out).unwrap_or_default();
        let seen = self.summary(&records, ended.code, test.id);
        Ok(Seen { seconds, classes, ..seen })
    }

    fn selector(&self, id: &str) -> String {
        let (class, method) = names(id);
        if self.java.parameters.is_empty() {
            format!("{class}#{method}")
        } else {
            format!("{class}#{method}({})", self.java.parameters)
        }
    }

    /// The end of the test among all that ran: of a parametrised one, that of the case its id names.
    fn summary(&self, records: &str, code: Option<i32>, id: &str) -> Seen {
        let records: Vec<Value> =
            records.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let Some(code) = code else { return outcome("hung") };
        let ended: Vec<&Value> = records.iter().filter(|record| record["outcome"] != "started").collect();
        let started: Vec<&Value> = records.iter().filter(|record| record["outcome"] == "started").collect();
        let wanted = case_number(id).map(|number| (format!("#{number}]"), format!("[{number}")));
        let is_wanted = |record: &&&Value| {
            let unique = record["id"].as_str().unwrap_or_default();
            wanted
                .as_ref()
                .is_none_or(|(template, vintage)| unique.ends_with(template) || unique.contains(vintage))
        };
        let of_case: Vec<&Value> = ended.iter().filter(is_wanted).copied().collect();
        let of_case = if of_case.is_empty() { ended.clone() } else { of_case };
        // What fails for the whole class after the test is no failure of the test; what keeps it from running is.
        let own: Vec<&Value> = of_case
            .iter()
            .filter(|end| started.iter().any(|start| start["id"] == end["id"]))
            .copied()
            .collect();
        let of_case = if own.is_empty() { of_case } else { own };
        if started.iter().any(|start| !ended.iter().any(|end| end["id"] == start["id"])) {
            return Seen { chain: vec![(format!("exit {code}"), String::new())], ..outcome("died") };
        }
        let failed = of_case.iter().find(|record| record["outcome"] == "failed");
        let Some(failed) = failed else {
            return outcome(match of_case.first().and_then(|record| record["outcome"].as_str()) {
                Some("passed") => "passed",
                Some("skipped") => "skipped",
                _ => "not run",
            });
        };
        self.failure(failed)
    }

    fn failure(&self, record: &Value) -> Seen {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let chain = record["chain"].as_array().into_iter().flatten();
        let file = Utf8Path::new(&self.path);
        let package = file.parent().map(|it| it.as_str().replace('/', ".")).unwrap_or_default();
        let frames: Vec<(String, String, bool, u64)> = record["frames"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|frame| {
                let class = word(&frame[0]);
                let in_package = class.rsplit_once('.').map_or("", |(package, _)| package) == package;
                let is_own = in_package && Some(word(&frame[2]).as_str()) == file.file_name();
                (class, word(&frame[1]), is_own, frame[3].as_u64().unwrap_or(0))
            })
            .collect();
        let innermost = frames.iter().position(|frame| frame.2);
        let below =
            frames[..innermost.unwrap_or(0)].iter().rev().map(|(class, method, _, _)| (class, method));
        let mut below: Vec<String> = below
            .filter(|(class, _)| !is_noise(class))
            .map(|(class, method)| unnumbered(&format!("{class}.{method}")))
            .collect();
        below.dedup();
        Seen {
            chain: chain.map(|next| (word(&next["type"]), word(&next["message"]))).collect(),
            lines: frames.iter().rev().filter(|frame| frame.2).map(|frame| frame.3).collect(),
            below,
            ..outcome("failed")
        }
    }

    fn measure(&self, test: &Test<'_>, seen: &Seen) -> Result<Value> {
        let file = self.folder.join("measured.java");
        std::fs::write(&file, test.text)?;
        let (class, method) = names(test.id);
        let lines: Vec<String> = seen.lines.iter().map(ToString::to_string).collect();
        let separator = crate::config::CLASS_PATH_SEPARATOR;
        let mut java = Command::new(tool("java"));
        java.args([
            SHORT_LIVED,
            "-cp",
            &[self.looker.as_str(), &self.java.classpath].join(separator),
            "Judge",
        ]);
        java.args([class, method, &lines.join(","), file.as_str(), seen.classes.as_str()]);
        let ended = run(&mut java, self.timeout)?;
        let line = ended.said.lines().find(|line| line.starts_with('{'));
        serde_json::from_str(line.unwrap_or_default())
            .with_context(|| format!("failed to measure: {}", ended.said.trim()))
    }
}

fn outcome(word: &str) -> Seen {
    Seen { outcome: word.to_owned(), ..Seen::default() }
}

fn told(seen: &Seen) -> Value {
    let (type_name, message) = seen.chain.first().cloned().unwrap_or_default();
    json!({ "outcome": seen.outcome, "type": type_name, "message": message })
}

/// Class and method of an id.
fn names(id: &str) -> (&str, &str) {
    let (class, rest) = id.split_once('#').unwrap_or((id, ""));
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
    (class, &rest[..end])
}

/// The number in `total[2]` or `total(String)[2: x]`.
fn case_number(id: &str) -> Option<u32> {
    let rest = &id[id.rfind('[')? + 1..];
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A tool of the JDK in use.
fn tool(name: &str) -> Utf8PathBuf {
    let home = std::env::var("JAVA_HOME").ok().filter(|home| !home.is_empty());
    home.map_or_else(|| name.into(), |home| Utf8PathBuf::from(home).join("bin").join(name))
}

/// Frames that tell nothing about where it failed.
fn is_noise(class: &str) -> bool {
    let noise = [
        "java.",
        "javax.",
        "jdk.",
        "sun.",
        "com.sun.",
        "org.junit.",
        "junit.",
        "org.hamcrest.",
        "org.assertj.",
        "org.opentest4j.",
    ];
    noise.iter().any(|start| class.starts_with(start))
}

/// Names that the compiler numbers: `lambda$total$3`, `CartTest$1`.
fn unnumbered(name: &str) -> String {
    static NUMBERED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\$\d+|0x[0-9a-f]+").expect("it is a pattern"));
    NUMBERED.replace_all(name, "$").into_owned()
}

/// A message without what differs from run to run, or from line to line.
fn level(message: &str) -> String {
    static VOLATILE: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        [
            (r"@[0-9a-f]{4,}", "@HASH"),
            (r"\$\$Lambda[$/\w.]*", "LAMBDA"),
            (r"\.java:\d+", ".java"),
            (r"(?:[A-Za-z]:)?[/\\](?:tmp|var|private)[/\\][^\s'\x22>\])]*", "TMP"),
            (r"(?i)junit-?\d{3,}", "TMP"),
            (r"\d+(?:\.\d+)? ?(?:ms|milliseconds|s|seconds|ns)\b", "TIME"),
        ]
        .into_iter()
        .map(|(pattern, word)| (Regex::new(pattern).expect("it is a pattern"), word))
        .collect()
    });
    VOLATILE
        .iter()
        .fold(message.to_owned(), |text, (pattern, word)| pattern.replace_all(&text, *word).into_owned())
}

/// Layout does not make another statement.
fn squeeze(statement: &Value) -> String {
    statement.as_str().unwrap_or_default().split_whitespace().collect()
}

/// Why `other` is not the failure `one`; `None` where it is the same.
fn difference(one: &Seen, other: &Seen) -> Option<String> {
    if other.outcome != one.outcome || !["failed", "died"].contains(&other.outcome.as_str()) {
        let why = other.chain.first().map(|(kind, words)| format!(" ({kind} {words})")).unwrap_or_default();
        return Some(format!("{}{why}, not {}", other.outcome, one.outcome));
    }
    let types = |seen: &Seen| seen.chain.iter().map(|(kind, _)| kind.clone()).collect::<Vec<_>>().join(", ");
    let messages =
        |seen: &Seen| seen.chain.iter().map(|(_, words)| level(words)).collect::<Vec<_>>().join(" | ");
    let mut below = [one.below.clone(), other.below.clone()];
    // A method counts once: how deep a recursion goes before it is stopped depends on the stack above it.
    for frames in &mut below {
        let mut seen = std::collections::BTreeSet::new();
        frames.retain(|frame| seen.insert(frame.clone()));
    }
    let pairs = [
        ("type", types(one), types(other)),
        ("message", messages(one), messages(other)),
        ("below", below[0].join(" "), below[1].join(" ")),
    ];
    let differing = pairs.into_iter().find(|(_, one, other)| one != other);
    differing.map(|(what, one, other)| format!("{what}: {}, not {}", clip(&other), clip(&one)))
}

fn clip(text: &str) -> String {
    text.chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_no_difference() {
        let failed =
            |message: &str| Seen { chain: vec![("E".to_owned(), message.to_owned())], ..outcome("failed") };
        assert_eq!(difference(&failed("a.B@1f2e3d after 12 ms"), &failed("a.B@aaaa11 after 9 ms")), None);
        assert_eq!(difference(&failed("at (T.java:12)"), &failed("at (T.java:7)")), None);
        assert_eq!(difference(&failed("1"), &failed("2")).as_deref(), Some("message: 2, not 1"));
        assert_eq!(difference(&failed("1"), &outcome("passed")).as_deref(), Some("passed, not failed"));
    }

    #[test]
    fn names_and_numbers_are_taken_from_ids() {
        assert_eq!(names("a.B$C#total(int)[2]"), ("a.B$C", "total"));
        assert_eq!((case_number("a.B#t[12]"), case_number("a.B#t")), (Some(12), None));
        assert_eq!(unnumbered("a.B$1.lambda$x$12"), "a.B$.lambda$x$");
    }
}
