//! GitHub Actions: an annotation at the failing line, and a summary of the job, by themselves there.

use camino::{Utf8Path, Utf8PathBuf};
use paring_report::{first_line, headline};
use paring_tasks::{Outcome, Status};
use std::fs::OpenOptions;
use std::io::Write;

/// What the runner says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitHub {
    /// Annotations name files from here.
    workspace: Option<Utf8PathBuf>,
    summary: Option<Utf8PathBuf>,
}

impl GitHub {
    /// Present where `GITHUB_ACTIONS` is `true`.
    pub fn of_environment(env: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        if env("GITHUB_ACTIONS").as_deref() != Some("true") {
            return None;
        }
        let path = |name| env(name).filter(|value| !value.is_empty()).map(Utf8PathBuf::from);
        Some(Self { workspace: path("GITHUB_WORKSPACE"), summary: path("GITHUB_STEP_SUMMARY") })
    }

    /// The workflow command for an outcome, ending in a newline.
    pub fn annotation(&self, outcome: &Outcome) -> String {
        let level = match outcome.status {
            Status::Minimized | Status::Unchanged | Status::NotGood | Status::NotFound | Status::Error => {
                "error"
            }
            Status::Flaky | Status::Interrupted => "warning",
            Status::Passing => "notice",
        };
        let mut properties = Vec::new();
        if let Some(pared) = &outcome.pared {
            properties.push(format!("file={}", property(&self.relative(&pared.path))));
            properties.extend(pared.failing_line.map(|line| format!("line={line}")));
        }
        properties.push(format!("title={}", property(&format!("paring: {}", outcome.status.word()))));
        format!("::{level} {}::{}\n", properties.join(","), data(&message(outcome)))
    }

    /// Appends an outcome to the summary of the job. A summary that cannot be written does not change the result.
    pub fn summarise(&self, outcome: &Outcome) {
        let Some(path) = &self.summary else { return };
        if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
            let _ = file.write_all(summary(outcome).as_bytes());
        }
    }

    fn relative(&self, path: &str) -> String {
        let path = Utf8Path::new(path);
        let within = self.workspace.as_ref().and_then(|workspace| path.strip_prefix(workspace).ok());
        within.unwrap_or(path).to_string()
    }
}

fn message(outcome: &Outcome) -> String {
    let mut lines = vec![format!("{}: {}", outcome.target, headline(outcome, "->"))];
    if let Some(failure) = &outcome.failure {
        let exception = failure.exception();
        lines.push(format!("{}: {}", exception.type_name, first_line(&exception.message)));
    }
    lines.extend(outcome.error.as_ref().map(|error| format!("{}; {}", error.message, error.help)));
    lines.extend(outcome.pared.as_ref().map(|pared| format!("\n{}", pared.test.trim_end())));
    lines.join("\n")
}

/// Markdown: what came of it, and the pared test.
fn summary(outcome: &Outcome) -> String {
    let title =
        format!("### `{}`\n\n**{}**, {}", outcome.target, outcome.status.word(), headline(outcome, "→"));
    let mut blocks = vec![title];
    if let Some(failure) = &outcome.failure {
        let exception = failure.exception();
        blocks.push(fenced("text", &format!("{}: {}", exception.type_name, first_line(&exception.message))));
    }
    blocks.extend(outcome.error.iter().flat_map(|error| [error.message.clone(), error.help.clone()]));
    blocks.extend(outcome.pared.as_ref().map(|pared| fenced(tag(&pared.path), pared.test.trim_end())));
    blocks.push(remarks(outcome).join("\n"));
    format!("{}\n\n", blocks.join("\n\n").trim_end())
}

fn remarks(outcome: &Outcome) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(pared) = &outcome.pared {
        let suspects = pared.suspects.iter();
        remarks
            .extend(suspects.map(|suspect| format!("- suspect: line {}: {}", suspect.line, suspect.reason)));
        remarks.extend(pared.doubts.iter().map(|doubt| format!("- doubt: {}", doubt.reason)));
    }
    remarks.extend(outcome.notes.iter().map(|note| format!("- note: {note}")));
    remarks
}

/// What a code block of a file is tagged with.
fn tag(path: &str) -> &str {
    match Utf8Path::new(path).extension() {
        Some("py") | None => "python",
        Some(extension) => extension,
    }
}

/// A code block whose fence is longer than any run of backticks in it.
fn fenced(language: &str, code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

/// The text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use paring_model::{Exception, Failure, FailureKind, Phase};
    use paring_tasks::{Doubt, Pared, RunsBy, Size, Verified};
    use std::time::Duration;

    fn outcome() -> Outcome {
        let pared = Pared {
            path: "/w/tests/a,b.py".to_owned(),
            short_path: "tests/a,b.py".to_owned(),
            original: String::new(),
            text: String::new(),
            target: String::new(),
            test: "def test_b():\n    assert f('```') == 50 %\n".to_owned(),
            original_test: String::new(),
            alone: String::new(),
            first_line: None,
            in_place: None,
            in_place_target: None,
            shape: String::new(),
            statements: Size { before: 9, after: 1 },
            fixtures: Size::default(),
            tokens: Size::default(),
            trace: Size::default(),
            verified: Verified::default(),
            kept: Vec::new(),
            removed: Vec::new(),
            suspects: Vec::new(),
            doubts: vec![Doubt { line: None, reason: "the clock was read".to_owned() }],
            is_bold: false,
            failing_line: Some(12),
            phase: Phase::Call,
        };
        let exception =
            Exception { type_name: "AssertionError".to_owned(), message: "assert 1\nmore".to_owned() };
        Outcome {
            target: "tests/a,b.py::test_b".to_owned(),
            status: Status::Minimized,
            failure: Some(Failure {
                phase: Phase::Call,
                kind: FailureKind::Assertion,
                exceptions: vec![exception],
                stack: Vec::new(),
                below: Vec::new(),
                notes: Vec::new(),
                left: Vec::new(),
            }),
            pared: Some(pared),
            after: Vec::new(),
            strategy: "auto".to_owned(),
            level: "O".to_owned(),
            runs: RunsBy { baseline: 5, ..RunsBy::default() },
            elapsed: Duration::from_millis(900),
            notes: vec!["pared the first failing case".to_owned()],
            unfinished: false,
            error: None,
            good: None,
            group: None,
            assertion: None,
        }
    }

    fn github(summary: Option<&Utf8Path>) -> GitHub {
        GitHub { workspace: Some("/w".into()), summary: summary.map(Utf8Path::to_owned) }
    }

    #[test]
    fn an_annotation_stands_at_the_failing_line_and_escapes_what_it_says() {
        assert_eq!(
            github(None).annotation(&outcome()),
            "::error file=tests/a%2Cb.py,line=12,title=paring%3A minimized::tests/a,b.py::test_b: 9 -> 1 statement, 5 \
             runs, 0.9 s%0AAssertionError: assert 1%0A%0Adef test_b():%0A    assert f('```') == 50 %25\n"
        );
    }

    #[test]
    fn an_outcome_without_a_test_is_annotated_without_a_line() {
        let outcome = Outcome { status: Status::Passing, failure: None, pared: None, ..outcome() };
        let annotation = github(None).annotation(&outcome);
        assert!(
            annotation.starts_with("::notice title=paring%3A passing::tests/a,b.py::test_b: 5 runs"),
            "{annotation}"
        );
    }

    #[test]
    fn the_summary_grows_with_each_outcome() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("summary.md");
        std::fs::write(&path, "before\n").unwrap();
        github(Some(&path)).summarise(&outcome());
        insta::assert_snapshot!(std::fs::read_to_string(&path).unwrap());
    }

    #[test]
    fn only_github_actions_gets_them() {
        assert_eq!(GitHub::of_environment(&|_| None), None);
        assert_eq!(GitHub::of_environment(&|_| Some("false".to_owned())), None);
        let env = |name: &str| (name != "GITHUB_STEP_SUMMARY").then(|| "true".to_owned());
        assert_eq!(
            GitHub::of_environment(&env),
            Some(GitHub { workspace: Some("true".into()), summary: None })
        );
    }
}
