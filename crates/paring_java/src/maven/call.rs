//! One call of the user's Maven, and what it means when that fails.

use super::xml::{self, Element};
use super::{Compile, Layout, Request};
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{ErrorCode, RunnerError};
use paring_worker::Patience;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Named with their versions, so that what a project pins for itself does not matter.
const DEPENDENCY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";
const HELP: &str = "org.apache.maven.plugins:maven-help-plugin:3.4.0";
/// How many errors of a compiler are shown.
const SHOWN: usize = 5;

/// What Maven wrote down.
pub struct Answer {
    /// Dependencies of the module's tests, without its own folders.
    pub class_path: Vec<Utf8PathBuf>,
    /// The module's effective model.
    pub model: Element,
}

/// Builds the module and what it needs, and asks for class path and model.
pub fn resolve(layout: &Layout, module: &Utf8Path, request: &Request<'_>) -> Result<Answer, RunnerError> {
    let folder = tempfile::tempdir().map_err(|error| trouble(&format!("no temporary folder: {error}")))?;
    let folder = Utf8Path::from_path(folder.path())
        .ok_or_else(|| trouble("the temporary folder's path is not UTF-8"))?
        .to_owned();
    let (class_path, model) = (folder.join("class-path"), folder.join("model.xml"));
    let mut args: Vec<String> = Vec::new();
    if module != layout.root {
        let relative = module.strip_prefix(&layout.root).unwrap_or(module);
        args.extend(["-pl".to_owned(), relative.to_string(), "-am".to_owned()]);
    }
    args.push(match request.compile {
        Compile::Main => "compile".to_owned(),
        Compile::Tests => "test-compile".to_owned(),
    });
    args.extend([
        format!("{DEPENDENCY}:build-classpath"),
        format!("{HELP}:effective-pom"),
        format!("-Dmdep.outputFile={class_path}"),
        "-Dmdep.includeScope=test".to_owned(),
        format!("-Dmdep.pathSeparator={SEPARATOR}"),
        format!("-Doutput={model}"),
    ]);
    run(layout, &layout.root.join("pom.xml"), &args, request)?;
    let lines =
        std::fs::read_to_string(&class_path).map_err(|error| trouble(&format!("no class path: {error}")))?;
    let model = std::fs::read_to_string(&model).map_err(|error| trouble(&format!("no model: {error}")))?;
    let model = xml::parse(&model).and_then(|model| of_module(model, module));
    let model = model.ok_or_else(|| trouble(&format!("Maven's model does not have the module {module}")))?;
    Ok(Answer { class_path: entries(&lines), model })
}

/// The class path of a pom that stands alone.
pub fn class_path(
    layout: &Layout,
    pom: &Utf8Path,
    request: &Request<'_>,
) -> Result<Vec<Utf8PathBuf>, RunnerError> {
    let out = pom.with_file_name("class-path");
    let args = [
        format!("{DEPENDENCY}:build-classpath"),
        format!("-Dmdep.outputFile={out}"),
        format!("-Dmdep.pathSeparator={SEPARATOR}"),
    ];
    run(layout, pom, &args, request)?;
    let lines = std::fs::read_to_string(&out).map_err(|error| trouble(&format!("no class path: {error}")))?;
    Ok(entries(&lines))
}

const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

fn entries(text: &str) -> Vec<Utf8PathBuf> {
    text.trim().split(SEPARATOR).filter(|entry| !entry.is_empty()).map(Utf8PathBuf::from).collect()
}

/// Of the models of a whole reactor the one whose folders are the module's.
fn of_module(model: Element, module: &Utf8Path) -> Option<Element> {
    if model.name == "project" {
        return Some(model);
    }
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let module = real(module);
    let folder = |project: &Element| {
        let build = project.child("build")?;
        // The folder of what is built lies in the module but for odd settings; sources then decide.
        let path = ["directory", "testSourceDirectory", "sourceDirectory"].map(|name| build.text_of(name));
        path.into_iter()
            .flatten()
            .map(Utf8Path::new)
            .find(|path| real(path.parent().unwrap_or(path)) == module || path.starts_with(&module))
            .map(|path| path.components().count())
    };
    let mut projects: Vec<Element> = model.children.into_iter().filter(|it| it.name == "project").collect();
    // Modules may lie in one another: the one with the shortest way down is it.
    projects.sort_by_key(|project| folder(project).unwrap_or(usize::MAX));
    projects.into_iter().find(|project| folder(project).is_some())
}

/// The program, as the project's wrapper or as found on the path.
pub fn program(layout: &Layout) -> Result<Utf8PathBuf, RunnerError> {
    let wrapper = if cfg!(windows) { "mvnw.cmd" } else { "mvnw" };
    let wrapper = layout.root.join(wrapper);
    if wrapper.is_file() {
        return Ok(wrapper);
    }
    let names = if cfg!(windows) { ["mvn.cmd", "mvn.bat"] } else { ["mvn", "mvnd"] };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .filter_map(|folder| Utf8PathBuf::from_path_buf(folder).ok())
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file());
    found.ok_or_else(|| RunnerError {
        code: ErrorCode::NoMaven,
        message: format!("{} is a Maven project, and there is no Maven", layout.root),
        help:
            "install Maven, add its wrapper (mvnw), or say what Maven would: --classpath and --test-sources"
                .to_owned(),
    })
}

fn run(layout: &Layout, pom: &Utf8Path, args: &[String], request: &Request<'_>) -> Result<(), RunnerError> {
    let program = program(layout)?;
    let output = tempfile::NamedTempFile::new().map_err(|error| trouble(&error.to_string()))?;
    let out = output.reopen().map_err(|error| trouble(&error.to_string()))?;
    let err = out.try_clone().map_err(|error| trouble(&error.to_string()))?;
    let mut command = if program.file_name() == Some("mvnw") {
        // A checkout may have lost the bit that makes it a program.
        let mut command = Command::new("sh");
        command.arg(&program);
        command
    } else {
        Command::new(&program)
    };
    command.args(["-B", "-q", "-f", pom.as_str()]).args(args).args(request.args);
    command.current_dir(&layout.root).stdin(Stdio::null()).stdout(out).stderr(err);
    if let Some(java_home) = request.java_home {
        command.env("JAVA_HOME", java_home);
    }
    let mut child = command.spawn().map_err(|error| RunnerError {
        code: ErrorCode::NoMaven,
        message: format!("cannot start {program}: {error}"),
        help: "check that Maven runs in the project's folder".to_owned(),
    })?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| trouble(&error.to_string()))? {
            break status;
        }
        if Patience::Heed.is_over() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(interrupted());
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if status.success() {
        return Ok(());
    }
    if Patience::Heed.is_over() {
        return Err(interrupted());
    }
    let said = std::fs::read(output.path()).unwrap_or_default();
    Err(explain(&String::from_utf8_lossy(&said), layout))
}

fn interrupted() -> RunnerError {
    RunnerError {
        code: ErrorCode::Interrupted,
        message: "stopped while Maven was running".to_owned(),
        help: "the same command starts again".to_owned(),
    }
}

fn trouble(message: &str) -> RunnerError {
    RunnerError {
        code: ErrorCode::Maven,
        message: format!("Maven ended well and left something out: {message}"),
        help: "run `mvn test-compile` by hand; where that works, this is a fault of paring: please report it"
            .to_owned(),
    }
}

/// What Maven said, in the words that matter.
fn explain(said: &str, layout: &Layout) -> RunnerError {
    let said = without_escapes(said);
    let errors: Vec<&str> = said
        .lines()
        .filter_map(|line| {
            line.trim().strip_prefix("[ERROR]").or_else(|| line.trim().strip_prefix("[FATAL]"))
        })
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("->") && !line.starts_with("[Help"))
        .collect();
    if let Some(at) = errors.iter().position(|line| line.starts_with("COMPILATION ERROR")) {
        let mut shown: Vec<String> = Vec::new();
        for line in &errors[at + 1..] {
            if line.starts_with("Failed to execute goal") {
                break;
            }
            shown.push(
                line.strip_prefix(layout.root.as_str()).unwrap_or(line).trim_start_matches('/').to_owned(),
            );
        }
        let n_errors = shown.len();
        shown.truncate(SHOWN);
        if n_errors > SHOWN {
            shown.push(format!("and {} more lines", n_errors - SHOWN));
        }
        return RunnerError {
            code: ErrorCode::DoesNotCompile,
            message: format!("the project does not compile:\n{}", shown.join("\n")),
            help: "mend that first: a test must compile before it can be pared".to_owned(),
        };
    }
    let level = ["release version ", "invalid target release: ", "invalid source release: "]
        .iter()
        .find_map(|words| said.split(words).nth(1))
        .map(|rest| rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect::<String>());
    if let Some(level) = level.filter(|level| !level.is_empty()) {
        return RunnerError {
            code: ErrorCode::OldJdk,
            message: format!(
                "the project is written for Java {level}, which the JDK that Maven uses does not compile"
            ),
            help: "name another JDK with --java-home or JAVA_HOME".to_owned(),
        };
    }
    let first = errors.first().map_or_else(|| last_words(&said), |line| (*line).to_owned());
    let offline =
        ["offline mode", "Could not transfer", "Could not resolve", "Unknown host", "was not found in"];
    if offline.iter().any(|words| said.contains(words)) {
        return RunnerError {
            code: ErrorCode::Maven,
            message: format!("Maven cannot get what the project needs: {first}"),
            help: "check the network and Maven's settings, run `mvn test-compile` once while online, or say what Maven \
                   would: --classpath and --test-sources"
                .to_owned(),
        };
    }
    RunnerError {
        code: ErrorCode::Maven,
        message: format!("Maven failed: {first}"),
        help: "run `mvn test-compile` by hand: it should succeed; arguments for Maven go after --".to_owned(),
    }
}

fn last_words(said: &str) -> String {
    said.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing").to_owned()
}

fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        let end = rest[at..].find('m').map_or(rest.len(), |end| at + end + 1);
        rest = &rest[end..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout { root: "/p".into(), modules: vec!["/p".into()] }
    }

    #[test]
    fn of_a_failed_compilation_the_compilers_errors_are_told() {
        let said = "[ERROR] COMPILATION ERROR : \n[ERROR] /p/src/A.java:[3,5] cannot find symbol\n  symbol: x\n\
                    [ERROR] Failed to execute goal x\n[ERROR] -> [Help 1]\n";
        let error = explain(said, &layout());
        assert_eq!(error.code, ErrorCode::DoesNotCompile);
        assert_eq!(error.message, "the project does not compile:\nsrc/A.java:[3,5] cannot find symbol");
    }

    #[test]
    fn being_offline_is_told_apart_from_other_trouble() {
        let said = "\u{1b}[1;31m[ERROR]\u{1b}[m Failed: Cannot access central in offline mode\n";
        assert!(
            explain(said, &layout()).message.starts_with("Maven cannot get what the project needs: Failed")
        );
        assert_eq!(
            explain("[ERROR] Unknown lifecycle phase x", &layout()).message,
            "Maven failed: Unknown lifecycle phase x"
        );
    }

    #[test]
    fn a_release_that_the_jdk_does_not_know_is_told_with_what_to_name() {
        let said = "[ERROR] Failed to execute goal x: Fatal error compiling: error: release version 25 not supported -> [Help 1]";
        let error = explain(said, &layout());
        assert_eq!(error.code, ErrorCode::OldJdk);
        assert!(error.message.contains("written for Java 25"), "{}", error.message);
    }

    #[test]
    fn of_a_reactor_the_modules_own_model_is_taken() {
        let model = |path: &str| {
            format!(
                "<project><build><directory>{path}/target</directory></build><name>{path}</name></project>"
            )
        };
        let text = format!("<projects>{}{}{}</projects>", model("/p"), model("/p/a"), model("/p/a/b"));
        let found = of_module(xml::parse(&text).unwrap(), Utf8Path::new("/p/a")).unwrap();
        assert_eq!(found.text_of("name"), Some("/p/a"));
    }
}
