//! Defaults from the project: `[tool.paring]` of `pyproject.toml`, or `paring.toml`, whichever is nearest upward.
//!
//! Every setting is also a flag of the same name, and the flag wins. A key nobody knows is an error: a typo that silently
//! does nothing is worse than a message.

use crate::template;
use crate::value::{self, ColorWhen};
use camino::{Utf8Path, Utf8PathBuf};
use paring_engine::{Budget, Same, Strategy};
use paring_model::LogTemplate;
use std::fmt;
use std::time::Duration;
use toml::{Table, Value};

/// What a file sets. Everything may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The file it comes from.
    pub file: Option<Utf8PathBuf>,
    pub python: Option<Utf8PathBuf>,
    pub good: Option<String>,
    pub good_budget: Option<Duration>,
    pub good_env: Vec<(String, String)>,
    pub strategy: Option<Strategy>,
    pub baseline: Option<usize>,
    pub same: Option<Same>,
    pub allow_flaky: Option<bool>,
    pub literals: Option<bool>,
    pub bold: Option<bool>,
    pub timeout: Option<Duration>,
    pub budget: Option<Budget>,
    pub jobs: Option<usize>,
    pub seed: Option<u64>,
    pub explain: Option<bool>,
    pub memory: Option<u64>,
    pub quiet: Option<bool>,
    pub color: Option<ColorWhen>,
    pub pytest_args: Option<Vec<String>>,
    pub maven_args: Option<Vec<String>>,
    pub classpath: Option<String>,
    pub test_sources: Option<Vec<Utf8PathBuf>>,
    pub sources: Option<Vec<Utf8PathBuf>>,
    pub good_classpath: Option<String>,
    pub jvm_args: Option<Vec<String>>,
    pub javac_args: Option<Vec<String>>,
    pub java_home: Option<Utf8PathBuf>,
    /// Messages of logs that tell of resources.
    pub log: Vec<LogTemplate>,
}

/// A configuration that cannot be used: a usage error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    pub file: Utf8PathBuf,
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)
    }
}

impl std::error::Error for ConfigError {}

/// Every key, as it is written.
pub const KEYS: [&str; 27] = [
    "python",
    "good",
    "good-budget",
    "good-env",
    "strategy",
    "baseline",
    "same",
    "allow-flaky",
    "literals",
    "bold",
    "timeout",
    "budget",
    "jobs",
    "seed",
    "explain",
    "memory",
    "quiet",
    "color",
    "pytest-args",
    "maven-args",
    "classpath",
    "test-sources",
    "sources",
    "good-classpath",
    "jvm-arg",
    "javac-arg",
    "java-home",
];

/// Flags of one run that would be a trap as a lasting setting.
const ONLY_FLAGS: [&str; 15] = [
    "group",
    "failing",
    "junit-xml",
    "ran",
    "after",
    "command",
    "lang",
    "match",
    "out",
    "apply",
    "patch",
    "json",
    "junit-out",
    "resume",
    "total-time",
];

/// The nearest settings from `cwd` upward, up to the root of its git repository; none are an empty `Config`.
pub fn load(cwd: &Utf8Path) -> Result<Config, ConfigError> {
    for folder in cwd.ancestors() {
        for name in ["paring.toml", "pyproject.toml"] {
            let file = folder.join(name);
            let text = match std::fs::read_to_string(&file) {
                Ok(text) => text,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(ConfigError { file, message: format!("cannot be read: {error}") }),
            };
            if let Some(config) = parse(&file, &text)? {
                return Ok(config);
            }
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    Ok(Config::default())
}

/// The settings in a file's text; `None` where a `pyproject.toml` has none.
fn parse(file: &Utf8Path, text: &str) -> Result<Option<Config>, ConfigError> {
    let fail = |message: String| ConfigError { file: file.to_owned(), message };
    let mut table: Table = toml::from_str(text).map_err(|error| fail(format!("is not TOML: {error}")))?;
    if file.file_name() == Some("pyproject.toml") {
        let section = table.get_mut("tool").and_then(|tool| tool.get_mut("paring"));
        match section.map(|section| std::mem::replace(section, Value::Boolean(false))) {
            None => return Ok(None),
            Some(Value::Table(section)) => table = section,
            Some(_) => return Err(fail("`tool.paring` is not a table".to_owned())),
        }
    }
    let mut config = Config { file: Some(file.to_owned()), ..Config::default() };
    for (key, value) in &table {
        config.set(&key.replace('_', "-"), value).map_err(&fail)?;
    }
    config.resolve_paths(file.parent().unwrap_or(Utf8Path::new("")));
    Ok(Some(config))
}

impl Config {
    fn set(&mut self, key: &str, value: &Value) -> Result<(), String> {
        let named = |message: String| format!("`{key}`: {message}");
        match key {
            "python" => self.python = Some(string(value).map_err(named)?.into()),
            "good" => self.good = Some(string(value).map_err(named)?),
            "good-budget" => self.good_budget = Some(read(value, value::duration).map_err(named)?),
            "good-env" => self.good_env = variables(value).map_err(named)?,
            "strategy" => self.strategy = Some(read(value, value::strategy).map_err(named)?),
            "baseline" => self.baseline = Some(positive(value).map_err(named)?),
            "same" => self.same = Some(read(value, value::same).map_err(named)?),
            "allow-flaky" => self.allow_flaky = Some(boolean(value).map_err(named)?),
            "bold" => self.bold = Some(boolean(value).map_err(named)?),
            "literals" => self.literals = Some(boolean(value).map_err(named)?),
            "timeout" => self.timeout = Some(read(value, value::duration).map_err(named)?),
            "budget" => self.budget = Some(read(value, value::budget).map_err(named)?),
            "jobs" => self.jobs = Some(positive(value).map_err(named)?),
            "seed" => {
                self.seed =
                    Some(read(value, |text| text.parse().map_err(|_| NO_NUMBER.into())).map_err(named)?);
            }
            "explain" => self.explain = Some(boolean(value).map_err(named)?),
            "memory" => self.memory = Some(read(value, value::memory).map_err(named)?),
            "quiet" => self.quiet = Some(boolean(value).map_err(named)?),
            "color" => self.color = Some(read(value, color).map_err(named)?),
            "pytest-args" => self.pytest_args = Some(strings(value).map_err(named)?),
            "maven-args" => self.maven_args = Some(strings(value).map_err(named)?),
            "classpath" => self.classpath = Some(class_path(value).map_err(named)?),
            "test-sources" => self.test_sources = Some(folders(value).map_err(named)?),
            "sources" => self.sources = Some(folders(value).map_err(named)?),
            "good-classpath" => self.good_classpath = Some(class_path(value).map_err(named)?),
            "jvm-arg" => self.jvm_args = Some(one_or_more(value).map_err(named)?),
            "javac-arg" => self.javac_args = Some(one_or_more(value).map_err(named)?),
            "java-home" => self.java_home = Some(string(value).map_err(named)?.into()),
            "log" => self.log = template::templates(value).map_err(named)?,
            _ => return Err(unknown(key)),
        }
        Ok(())
    }

    /// What the file says of paths is seen from the file, not from where paring was started.
    fn resolve_paths(&mut self, folder: &Utf8Path) {
        // A bare name such as `python3.12` is looked up on the PATH.
        if let Some(python) = self.python.take_if(|python| python.as_str().contains(['/', '\\'])) {
            self.python = Some(folder.join(python));
        }
        for path in self.test_sources.iter_mut().chain(&mut self.sources).flatten().chain(&mut self.java_home)
        {
            *path = folder.join(&path);
        }
        for class_path in self.classpath.iter_mut().chain(&mut self.good_classpath) {
            let entries = class_path.split(CLASS_PATH_SEPARATOR).filter(|entry| !entry.is_empty());
            let entries: Vec<String> = entries.map(|entry| folder.join(entry).into_string()).collect();
            *class_path = entries.join(CLASS_PATH_SEPARATOR);
        }
        // Anything that is no directory is a revision, but for two words.
        let is_folder =
            |good: &mut String| !["auto", "none"].contains(&good.as_str()) && folder.join(&good).is_dir();
        if let Some(good) = self.good.take_if(is_folder) {
            self.good = Some(folder.join(good).into_string());
        }
    }
}

fn unknown(key: &str) -> String {
    if ONLY_FLAGS.contains(&key) {
        return format!("`{key}` can only be given on the command line, as --{key}");
    }
    let close = similar::get_close_matches(key, &KEYS, 1, 0.6);
    let suggestion = close.first().map(|close| format!("; did you mean `{close}`?"));
    format!("unknown key `{key}`{}", suggestion.unwrap_or_else(|| format!("; known are {}", KEYS.join(", "))))
}

/// What stands between the entries of a class path here.
pub const CLASS_PATH_SEPARATOR: &str = if cfg!(windows) { ";" } else { ":" };

const NO_NUMBER: &str = "not a number from 0 up";

/// A value through the parser of its flag: a string, a number, or a list of strings (as if joined by commas).
fn read<T>(value: &Value, parser: impl Fn(&str) -> Result<T, String>) -> Result<T, String> {
    match value {
        Value::Integer(number) => parser(&number.to_string()),
        Value::Float(number) => parser(&number.to_string()),
        Value::Array(_) => parser(&strings(value)?.join(",")),
        Value::String(_) | Value::Boolean(_) | Value::Datetime(_) | Value::Table(_) => {
            parser(&string(value)?)
        }
    }
}

fn string(value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("a string is expected, not {}", kind(value)))
}

fn strings(value: &Value) -> Result<Vec<String>, String> {
    let list =
        value.as_array().ok_or_else(|| format!("a list of strings is expected, not {}", kind(value)))?;
    list.iter().map(string).collect()
}

/// A list, or the one that would be in it.
fn one_or_more(value: &Value) -> Result<Vec<String>, String> {
    if value.is_str() { string(value).map(|one| vec![one]) } else { strings(value) }
}

fn folders(value: &Value) -> Result<Vec<Utf8PathBuf>, String> {
    Ok(one_or_more(value)?.into_iter().map(Utf8PathBuf::from).collect())
}

fn class_path(value: &Value) -> Result<String, String> {
    Ok(one_or_more(value)?.join(CLASS_PATH_SEPARATOR))
}

fn boolean(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("true or false is expected, not {}", kind(value)))
}

fn positive(value: &Value) -> Result<usize, String> {
    let number = value.as_integer().and_then(|number| usize::try_from(number).ok());
    number.filter(|&number| number > 0).ok_or_else(|| "a number from 1 up is expected".to_owned())
}

fn color(text: &str) -> Result<ColorWhen, String> {
    clap::ValueEnum::from_str(text, false).map_err(|_| format!("`{text}` is none of auto, always, never"))
}

/// A table of variables, or a list of `KEY=VALUE`.
fn variables(value: &Value) -> Result<Vec<(String, String)>, String> {
    match value {
        Value::Table(table) => table.iter().map(|(key, value)| Ok((key.clone(), string(value)?))).collect(),
        _ => strings(value)?.iter().map(|text| value::key_value(text)).collect(),
    }
}

fn kind(value: &Value) -> String {
    format!("a value of type {}", value.type_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn check(text: &str) -> Result<Config, String> {
        let config = parse(Utf8Path::new("/p/paring.toml"), text).map_err(|error| error.to_string())?;
        Ok(config.expect("paring.toml always counts"))
    }

    #[test]
    fn every_key_can_be_set() {
        let config = check(
            "python = './env/bin/python'\ngood = 'v1'\ngood-env = { A = 'b' }\nstrategy = 'fit'\nbaseline = 3\n\
             same = ['type', 'frames']\nallow_flaky = true\ntimeout = 2.5\nbudget = '200runs'\njobs = 2\nseed = 7\n\
             explain = true\nmemory = '1G'\nquiet = false\ncolor = 'never'\npytest-args = ['-x']\n",
        )
        .unwrap();
        let Config { same, good_env, .. } = &config;
        assert_eq!(config.python, Some("/p/./env/bin/python".into()));
        assert_eq!(config.good.as_deref(), Some("v1"));
        assert_eq!(good_env, &[("A".to_owned(), "b".to_owned())]);
        assert_eq!(config.timeout, Some(Duration::from_millis(2500)));
        assert!(same.unwrap().exception && !same.unwrap().message);
        assert_eq!((config.baseline, config.jobs, config.seed), (Some(3), Some(2), Some(7)));
        assert_eq!(
            (config.allow_flaky, config.quiet, config.color),
            (Some(true), Some(false), Some(ColorWhen::Never))
        );
    }

    #[test]
    fn every_key_is_a_flag_and_documented() {
        let mut root = crate::cli::Cli::command();
        root.build();
        let minimize = root.find_subcommand("minimize").unwrap();
        let flags: Vec<&str> = minimize.get_arguments().filter_map(|arg| arg.get_long()).collect();
        let page = include_str!("../../../docs/configuration.md");
        for key in KEYS {
            assert!(["pytest-args", "maven-args"].contains(&key) || flags.contains(&key), "{key}");
            assert!(page.contains(&format!("| `{key}` |")), "{key} is not documented");
        }
        for flag in flags {
            let known =
                KEYS.contains(&flag) || ONLY_FLAGS.contains(&flag) || ["help", "version"].contains(&flag);
            assert!(known, "--{flag} is neither a setting nor a flag only");
        }
    }

    #[test]
    fn a_typo_is_told_with_the_key_that_was_meant() {
        let error = check("bugdet = '3s'").unwrap_err();
        assert_eq!(error, "/p/paring.toml: unknown key `bugdet`; did you mean `budget`?");
        assert!(check("xyzzy = 1").unwrap_err().contains("known are python, good"));
        assert!(check("apply = true").unwrap_err().contains("only be given on the command line"));
    }

    #[test]
    fn a_value_of_the_wrong_kind_names_its_key() {
        for text in [
            "jobs = 0",
            "jobs = 'two'",
            "strategy = 'best'",
            "explain = 'yes'",
            "same = 'kind'",
            "seed = -1",
            "color = 1",
        ] {
            let key = text.split(' ').next().unwrap();
            let error = check(text).unwrap_err();
            assert!(error.starts_with(&format!("/p/paring.toml: `{key}`: ")), "{error}");
        }
    }

    #[test]
    fn the_nearest_file_with_settings_counts() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let deep = root.join("repo/a/b");
        std::fs::create_dir_all(&deep).unwrap();
        let put = |path: &str, text: &str| std::fs::write(root.join(path), text).unwrap();
        put("paring.toml", "seed = 1");
        assert_eq!(load(&deep).unwrap().seed, Some(1));
        put("repo/pyproject.toml", "[tool.paring]\nseed = 2");
        put("repo/a/pyproject.toml", "[project]\nname = 'x'");
        assert_eq!(load(&deep).unwrap().seed, Some(2));
        put("repo/paring.toml", "seed = 3");
        assert_eq!(load(&deep).unwrap().seed, Some(3));
        assert_eq!(load(&deep).unwrap().file, Some(root.join("repo/paring.toml")));
    }

    #[test]
    fn the_search_ends_at_the_root_of_the_repository() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        std::fs::create_dir_all(root.join("repo/.git")).unwrap();
        std::fs::write(root.join("paring.toml"), "seed = 1").unwrap();
        assert_eq!(load(&root.join("repo")).unwrap(), Config::default());
    }

    #[test]
    fn what_is_not_toml_is_an_error_with_its_file() {
        assert!(check("seed = ").unwrap_err().starts_with("/p/paring.toml: is not TOML"));
        let error = parse(Utf8Path::new("/p/pyproject.toml"), "[tool]\nparing = 3").unwrap_err();
        assert_eq!(error.message, "`tool.paring` is not a table");
    }

    #[test]
    fn a_good_directory_is_seen_from_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        std::fs::create_dir_all(root.join("good")).unwrap();
        std::fs::create_dir_all(root.join("sub/.git")).unwrap();
        std::fs::write(root.join("paring.toml"), "good = 'good'").unwrap();
        assert_eq!(load(root).unwrap().good, Some(root.join("good").into_string()));
    }
}
