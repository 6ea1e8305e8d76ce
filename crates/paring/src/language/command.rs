//! A file of any language, with a command that fails on it in the place of a test framework.

use super::{FoundTest, Language, Running, Seen};
use crate::cli::lang_of;
use crate::code::Root;
use crate::options::Options;
use crate::target::Target;
use crate::value;
use camino::{Utf8Path, Utf8PathBuf};
use paring_engine::Same;
use paring_model::{ErrorCode, Frontend, Observation, Problem, Runner, RunnerError, TargetSpec};
use paring_report::Reported;
use paring_tasks::OutcomeError;
use paring_tasks::minimize::{Hints, Instead, Words};
use paring_tree::Lang;
use paring_tree::runner::{Command, CommandRunner};
use std::time::Duration;

const HINTS: Hints = Hints {
    list_tests: "check the name of the file",
    must_load: "run the command by hand to see",
    fails_to_load: "",
    no_source: "",
    member: "",
    instead: Some(Instead {
        passes: Words {
            message: "the command passes on the file as it is, so there is no failure to keep",
            help: "a failing command ends with another exit code than 0, or prints what --match names; run it by hand in this \
                   folder to see",
        },
        other: Words {
            message: "the command fails on the file as it is, but not in the way that --match names",
            help: "run the command by hand, and match something that it prints",
        },
        flaky: Words {
            message: "the command does not end the same way every time on the same file",
            help: "take out what differs from run to run (time, order, randomness), name what stays the same with --match, or go \
                   on with --allow-flaky; --baseline says how often to look",
        },
        hangs: Words {
            message: "the command does not end within the time limit",
            help: "raise --timeout, or put a limit into the command: timeout 5 … ends with exit code 124, which counts as a \
                   failure",
        },
        ignores: Words {
            message: "the command fails the same way on an empty file: it does not look at this one, or fails before it does",
            help: "without {} the command runs in a private copy of the folder: name the file by a relative path, or write {} for \
                   it; --match says which failure is meant",
        },
    }),
};

/// A command with the settings of this invocation.
pub struct CommandLanguage {
    cwd: Utf8PathBuf,
    cache: Utf8PathBuf,
    text: String,
    lang: Lang,
    pattern: Option<String>,
    n_jobs: usize,
    memory: Option<u64>,
}

impl CommandLanguage {
    /// `None` where no command is given.
    pub fn of(options: &Options, cwd: &Utf8Path, cache: &Utf8Path) -> Option<Self> {
        let text = options.command.clone()?;
        // The command line was checked: one of the two is there.
        let named = options.targets.first().and_then(|file| lang_of(file));
        let lang = match (options.lang, named) {
            (Some(Lang::Typescript), Some(Lang::Tsx)) => Lang::Tsx,
            (Some(lang), _) => lang,
            (None, named) => named?,
        };
        Some(Self {
            cache: cwd.join(cache.canonicalize_utf8().unwrap_or_else(|_| cache.to_owned())),
            cwd: cwd.canonicalize_utf8().unwrap_or_else(|_| cwd.to_owned()),
            text,
            lang,
            pattern: options.pattern.clone(),
            n_jobs: options.n_jobs(),
            memory: options.memory,
        })
    }

    /// What the parser makes of the file: what to tell the user, or that there is no use in going on.
    fn look(&self, file: &Utf8Path) -> Result<Option<String>, OutcomeError> {
        let Some(source) = std::fs::read(file).ok().and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return Ok(None);
        };
        let (unit, problems) = self.lang.frontend().parse(file, &source, &TargetSpec::new(""));
        let Some(first) = problems.first() else { return Ok(None) };
        let place = format!("line {}: {}", unit.line_of(first.range.start), first.message);
        let name = self.short_path(file);
        if is_hopeless(self.lang, &problems, source.len()) {
            return Err(OutcomeError {
                code: ErrorCode::SyntaxError,
                message: format!("{name} does not parse as {} ({place})", self.lang.word()),
                help: "say which language it is with --lang, or mend the syntax first".to_owned(),
            });
        }
        Ok(Some(format!(
            "{name} does not parse all the way ({place}): what is around such places goes whole or not at all"
        )))
    }
}

/// Grammars do not know every dialect and macro; a file of another language is mostly errors.
fn is_hopeless(lang: Lang, problems: &[Problem], n_bytes: usize) -> bool {
    let n_wrong: usize =
        problems.iter().map(|problem| (problem.range.end - problem.range.start) as usize).sum();
    lang == Lang::Autotest || 2 * n_wrong > n_bytes
}

impl Language for CommandLanguage {
    fn frontend(&self) -> &'static dyn Frontend {
        self.lang.frontend()
    }

    fn hints(&self) -> &'static Hints {
        &HINTS
    }

    fn find(&self, given: &str, _after: &[String]) -> Result<FoundTest, OutcomeError> {
        let file = self.cwd.join(given).canonicalize_utf8().ok().filter(|file| file.is_file());
        let Some(file) = file else {
            return Err(OutcomeError {
                code: ErrorCode::NotFound,
                message: format!("there is no file {given} here"),
                help: HINTS.list_tests.to_owned(),
            });
        };
        Ok(FoundTest { id: given.to_owned(), after: Vec::new(), file })
    }

    fn reported(&self, _test: &Reported) -> Option<String> {
        None
    }

    fn names_a_test(&self, _id: &str) -> bool {
        true
    }

    fn decode(&self, bytes: &[u8]) -> Result<String, String> {
        String::from_utf8(bytes.to_vec()).map_err(|_| "the text is not UTF-8".to_owned())
    }

    fn encode(&self, text: &str, _so_far: &[u8]) -> Result<Vec<u8>, String> {
        Ok(text.as_bytes().to_vec())
    }

    fn may_stand_for_several(&self, _id: &str, _source: &str) -> bool {
        false
    }

    fn in_file<'a>(&self, id: &'a str) -> &'a str {
        id
    }

    fn run_all(&self, _what: &[String]) -> Result<Vec<Seen>, RunnerError> {
        Ok(Vec::new())
    }

    fn start(&self, target: &Target, _timeout: Duration) -> Result<Box<dyn Running>, OutcomeError> {
        let remark = self.look(&target.file)?;
        let pattern = self.pattern.as_ref().and_then(|pattern| value::regex(pattern).ok());
        let runner = CommandRunner::start(Command {
            text: self.text.clone(),
            file: target.file.clone(),
            cwd: self.cwd.clone(),
            cache: self.cache.clone(),
            pattern,
            n_jobs: self.n_jobs,
            memory: self.memory,
        });
        let runner = runner?;
        Ok(Box::new(Started { runner, remark }))
    }

    fn file_for(&self, _id: &str, test_file: &str) -> String {
        test_file.to_owned()
    }

    fn run_alone(&self, _file: &Utf8Path, _id: &str) -> Option<Observation> {
        None
    }

    fn short_path(&self, file: &Utf8Path) -> String {
        file.strip_prefix(&self.cwd).unwrap_or(file).to_string()
    }

    /// The exit code alone; what else must be the same is for `--match` to say, and a run without a match is another failure.
    fn same(&self, _asked: Same) -> Same {
        Same { exception: true, message: false, frames: false, statement: false }
    }

    /// A command may look at anything in the folder it runs in.
    fn code(&self) -> Vec<Root> {
        vec![Root::Project(self.cwd.clone())]
    }

    fn settings(&self) -> String {
        format!("{:?} {:?} {:?} {:?}", self.text, self.lang, self.pattern, self.memory)
    }
}

struct Started {
    runner: CommandRunner,
    remark: Option<String>,
}

impl Running for Started {
    fn runner(&self) -> &dyn Runner {
        &self.runner
    }

    fn remarks(&self) -> Vec<String> {
        let written = self.runner.written().map(|written| {
            format!("the command writes into its folder ({written}): that was a private copy, put back after each run")
        });
        self.remark.clone().into_iter().chain(written).collect()
    }
}
