//! What the end of a command says about the candidate.
//!
//! | exit | output matches | seen |
//! |---|---|---|
//! | 0 | nothing to match | passed |
//! | not 0 | nothing to match | failed |
//! | any | yes | failed |
//! | 0 | no | passed |
//! | not 0 | no | neither: another failure than the one asked for |
//! | too late | | hung |

use paring_model::{Exception, Failure, FailureKind, Frame, Observation, Phase};
use paring_worker::{End, Ran};
use regex::Regex;

pub fn observation(ran: &Ran, pattern: Option<&Regex>) -> Observation {
    let end = match &ran.end {
        End::TimedOut => return Observation::Hung { stack: Vec::new(), below: Vec::new() },
        End::Code(code) => format!("exit {code}"),
        End::Killed(how) => how.clone(),
    };
    let passed = ran.end == End::Code(0);
    let Some(pattern) = pattern else {
        return if passed { Observation::Passed } else { failed(end, last_line(ran)) };
    };
    match matching_line(ran, pattern) {
        Some(line) => failed(end, line),
        None if passed => Observation::Passed,
        None => Observation::Skipped {
            reason: format!(
                "it ends with {end}, and its output does not match `{pattern}`: {}",
                last_line(ran)
            ),
        },
    }
}

fn failed(end: String, message: String) -> Observation {
    // What failed is somewhere below the text that is pared.
    let below = Frame { file: "command".to_owned(), function: String::new(), line: 0, runtime: false };
    Observation::Failed(Failure {
        phase: Phase::Call,
        kind: FailureKind::Exception,
        exceptions: vec![Exception { type_name: end, message }],
        stack: Vec::new(),
        below: vec![below],
        notes: Vec::new(),
        left: Vec::new(),
    })
}

/// The line on which the first match begins; standard error after standard output.
fn matching_line(ran: &Ran, pattern: &Regex) -> Option<String> {
    let output = format!("{}{}", ran.stdout, ran.stderr);
    let found = pattern.find(&output)?;
    let start = output[..found.start()].rfind('\n').map_or(0, |at| at + 1);
    Some(output[start..].lines().next().unwrap_or_default().trim().to_owned())
}

/// The last thing it said: of most tools the reason.
fn last_line(ran: &Ran) -> String {
    let mut lines = ran.stdout.lines().chain(ran.stderr.lines()).map(str::trim);
    lines.rfind(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(end: End, output: &str, pattern: Option<&str>, expected: &str) {
        let ran = Ran { end, stdout: output.to_owned(), stderr: "more\n".to_owned() };
        let pattern = pattern.map(|pattern| Regex::new(pattern).unwrap());
        let found = match observation(&ran, pattern.as_ref()) {
            Observation::Passed => "passed".to_owned(),
            Observation::Failed(failure) => {
                format!("{}: {}", failure.exception().type_name, failure.exception().message)
            }
            Observation::Skipped { .. } => "neither".to_owned(),
            Observation::Hung { .. } => "hung".to_owned(),
            other => panic!("{other:?}"),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn the_table_holds() {
        check(End::Code(0), "", None, "passed");
        check(End::Code(3), "said\n", None, "exit 3: more");
        check(End::Killed("signal 11 (SIGSEGV)".to_owned()), "", None, "signal 11 (SIGSEGV): more");
        check(End::Code(3), "a\n  bad: 4\nb\n", Some(r"bad: \d"), "exit 3: bad: 4");
        check(End::Code(0), "bad: 4\n", Some(r"bad: \d"), "exit 0: bad: 4");
        check(End::Code(0), "fine\n", Some(r"bad: \d"), "passed");
        check(End::Code(3), "fine\n", Some(r"bad: \d"), "neither");
        check(End::TimedOut, "bad: 4", Some(r"bad: \d"), "hung");
    }
}
