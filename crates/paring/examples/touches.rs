//! Traces one test and prints what each of its statements did to resources, and for each assertion the statements that it
//! depends on, with the reason.
//!
//! `cargo run -p paring --example touches -- [--python PROGRAM | --classpath PATH --sources ROOT] FILE TARGET`
//!
//! The current folder is the project. The environment is that of the caller, such as `PYTHONPATH`.

use camino::{Utf8Path, Utf8PathBuf};
use paring_graph::{Dependence, Level, Reason, Strength, dependence, slice};
use paring_java::frontend::JavaFrontend;
use paring_java::runner::{JavaProject, Jdk, JunitRunner, Jvms, find_java};
use paring_model::{Candidate, Facts, Form, Frontend, Runner, StmtId, StmtKind, TargetSpec, Unit};
use paring_python::frontend::PythonFrontend;
use paring_python::runner::{Project, PytestRunner};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_mins(1);
/// Longer texts of statements are cut.
const N_SHOWN: usize = 70;

/// What the command line says.
struct Asked {
    cwd: Utf8PathBuf,
    python: Utf8PathBuf,
    classpath: Vec<Utf8PathBuf>,
    sources: Utf8PathBuf,
    file: Utf8PathBuf,
    target: String,
}

fn main() {
    let asked = asked();
    let cache = tempfile::tempdir().expect("a folder for the worker");
    let cache = Utf8Path::from_path(cache.path()).expect("a path in UTF-8");
    let (unit, facts) = if asked.file.extension() == Some("java") {
        trace(&asked, &JavaFrontend, &java(&asked, cache))
    } else {
        trace(&asked, &PythonFrontend, &python(&asked, cache))
    };
    print_touches(&unit, &facts);
    let dependence = dependence(&unit, &facts, Level::Passing);
    for assertion in unit.test_body().into_iter().filter(|&id| unit.stmt(id).kind == StmtKind::Assert) {
        print_slice(&unit, &facts, &dependence, assertion);
    }
}

fn asked() -> Asked {
    let cwd = Utf8PathBuf::try_from(std::env::current_dir().expect("a current folder")).expect("UTF-8");
    let mut options: BTreeMap<String, String> = BTreeMap::new();
    let mut plain = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.strip_prefix("--") {
            Some(option) => _ = options.insert(option.to_owned(), words.next().unwrap_or_default()),
            None => plain.push(word),
        }
    }
    let [file, target] = <[String; 2]>::try_from(plain).expect("a file and the id of a test");
    let option = |name: &str| options.get(name).cloned().unwrap_or_default();
    Asked {
        python: options.get("python").map_or("python3", String::as_str).into(),
        classpath: option("classpath").split(':').map(|entry| cwd.join(entry)).collect(),
        sources: cwd.join(option("sources")),
        file: cwd.join(file),
        cwd,
        target,
    }
}

fn python(asked: &Asked, cache: &Utf8Path) -> PytestRunner {
    let project = Project {
        cwd: asked.cwd.clone(),
        python: asked.python.clone(),
        pytest_args: Vec::new(),
        env: Vec::new(),
        good: None,
        jobs: 1,
        memory_limit: None,
        cache_dir: cache.to_owned(),
        listening: paring_model::Listening::default(),
    };
    PytestRunner::start(project, &asked.file, &TargetSpec::new(asked.target.as_str()), TIMEOUT)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn java(asked: &Asked, cache: &Utf8Path) -> JunitRunner {
    let jdk: Jdk = find_java(None, &asked.cwd, &|name| std::env::var(name).ok()).expect("a JDK");
    let project = JavaProject {
        cwd: asked.cwd.clone(),
        jdk,
        classpath: asked.classpath.clone(),
        extra_classpath: Vec::new(),
        good: None,
        test_source_roots: vec![asked.sources.clone()],
        compiles_other_sources: false,
        jvm_args: Vec::new(),
        javac_args: Vec::new(),
        env: Vec::new(),
        jobs: 1,
        memory_limit: None,
        cache_dir: cache.to_owned(),
    };
    let jvms = Jvms::start(project.clone()).unwrap_or_else(|error| panic!("{error}"));
    JunitRunner::new(Arc::new(jvms), &project, &asked.file, TIMEOUT)
}

fn trace(asked: &Asked, frontend: &dyn Frontend, runner: &dyn Runner) -> (Unit, Facts) {
    let source = std::fs::read_to_string(&asked.file).expect("a test file");
    let target = TargetSpec::new(asked.target.as_str());
    let (unit, problems) = frontend.parse(&asked.file, &source, &target);
    assert!(problems.is_empty(), "{problems:?}");
    let candidate = Candidate::single(&asked.file, source, asked.target.as_str(), Form::Blanked);
    let facts = runner.facts(&unit, &candidate).unwrap_or_else(|error| panic!("{error}"));
    assert!(facts.observed, "the runner told nothing");
    (unit, facts)
}

fn print_touches(unit: &Unit, facts: &Facts) {
    println!("resources, in order of time{}", if facts.threads { " (the test starts threads)" } else { "" });
    let mut last = None;
    for (touch, resource) in facts.resources.touches() {
        if last != Some((touch.stmt, touch.nth)) {
            println!("  {} #{}", shown(unit, touch.stmt), touch.nth);
            last = Some((touch.stmt, touch.nth));
        }
        println!("          {:?} {resource}", touch.how);
    }
    let incomplete = facts.hits.keys().filter(|&&id| !facts.resources.is_complete(id));
    for &id in incomplete {
        println!("  not all uses known: {}", shown(unit, id));
    }
}

fn print_slice(unit: &Unit, facts: &Facts, dependence: &Dependence, assertion: StmtId) {
    println!("\n{}", shown(unit, assertion));
    let slice = slice(unit, dependence, &[assertion]);
    for id in unit.test_body().into_iter().filter(|&id| id != assertion && slice.kept.contains(id)) {
        let why = slice.why.get(&id).into_iter().flatten();
        let mut why: Vec<String> = why
            .map(|&(user, reason)| {
                format!("{} {}", unit.line_of(unit.stmt(user).range.start), worded(unit, facts, reason))
            })
            .collect();
        why.dedup();
        println!("  {}\n          for {}", shown(unit, id), why.join(", "));
    }
}

fn worded(unit: &Unit, facts: &Facts, reason: Reason) -> String {
    let name = |place: paring_model::PlaceId| {
        unit.places.get(place.idx()).map_or("hidden state", |place| place.name.as_str()).to_owned()
    };
    match reason {
        Reason::Data { place, strength: Strength::Convention } => name(place),
        Reason::Data { place, strength: Strength::Observed } => format!("{} (seen)", name(place)),
        Reason::Data { strength: Strength::Hidden, .. } => "hidden state".to_owned(),
        Reason::Potential { place } => format!("{} (had it run)", name(place)),
        Reason::Through { resource } => facts.resources.resource(resource).to_string(),
        Reason::Control => "control".to_owned(),
        Reason::Handler => "handler".to_owned(),
        Reason::Resource => "with".to_owned(),
        Reason::Parent => "nesting".to_owned(),
        Reason::Binding => "binding".to_owned(),
    }
}

/// The line and the first line of the text.
fn shown(unit: &Unit, id: StmtId) -> String {
    let stmt = unit.stmt(id);
    let text = stmt.header.of(&unit.source).lines().next().unwrap_or_default();
    let text: String = text.chars().take(N_SHOWN).collect();
    format!("{:>4} {text}", unit.line_of(stmt.range.start))
}
