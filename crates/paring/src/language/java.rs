//! Java in the user's project: `com.acme.CartTest#total`, and `JUnit` on a class path that the user gives or Maven knows.
//!
//! Long because one trait is implemented for one type here, and the name of a test in Java has many forms.

mod coverage;
mod examine;
mod good;
mod recorder;
mod sources;
mod versions;

use super::{FoundTest, Language, Running, Seen};
use crate::code::Root;
use crate::config::CLASS_PATH_SEPARATOR;
use crate::finding::Finding;
use crate::good::Finder;
use crate::options::{GoodChoice, Options};
use crate::target::Target;
use camino::{Utf8Path, Utf8PathBuf};
use coverage::JavaCoverage;
use good::GoodVersion;
use paring_java::encoding;
use paring_java::frontend::{JavaFrontend, outline, split_target};
use paring_java::maven::{self, Compile, Layout, Module};
use paring_java::runner::{JavaProject, JunitRunner, Jvms, find_java, list_calls, list_failures};
use paring_model::{
    Called, Coverage, ErrorCode, Follower, Frontend, Observation, Runner, RunnerError, Versions,
};
use paring_report::Reported;
use paring_tasks::OutcomeError;
use paring_tasks::merge::Borrowed;
use paring_tasks::minimize::Hints;
use recorder::Recorder;
use sources::{Sources, Written, java_files};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use versions::{Compiled, JavaVersions};

const HINTS: Hints = Hints {
    list_tests: "check the name: com.acme.CartTest#total, com.acme.Outer$Inner#method; quote it, for the shell",
    must_load: "the test file must compile before a test in it can be pared; where packages are missing, check the class path",
    fails_to_load: "the test's class fails while it is loaded, whatever its tests do; where it should load, check the class \
                    path and --jvm-arg",
    no_source: "name the class in which the test method is written",
    member: "",
    instead: None,
};

/// Where test sources lie if nobody says so.
const USUAL_ROOTS: [&str; 5] = ["src/test/java", "src/test", "tests", "test", "."];
/// Where the code under test lies in a module of Maven's.
const USUAL_MAIN_ROOT: &str = "src/main/java";
/// How deep packages go.
const DEPTH: usize = 20;

/// Java with the settings of this invocation.
pub struct Java {
    cwd: Utf8PathBuf,
    cache: Utf8PathBuf,
    class_path: Option<Vec<Utf8PathBuf>>,
    good_class_path: Option<Vec<Utf8PathBuf>>,
    good: GoodChoice,
    good_budget: Option<Duration>,
    has_good_env: bool,
    /// What the user named.
    test_sources: Vec<Utf8PathBuf>,
    sources: Vec<Utf8PathBuf>,
    jvm_args: Vec<String>,
    javac_args: Vec<String>,
    jdk_home: Option<Utf8PathBuf>,
    maven_args: Vec<String>,
    n_jobs: usize,
    memory: Option<u64>,
    timeout: Option<Duration>,
    layout: Option<Layout>,
    /// Modules that Maven was asked about, by their folders.
    modules: RefCell<BTreeMap<Utf8PathBuf, Module>>,
    /// Good versions that were made ready, by the modules they are of.
    goods: RefCell<BTreeMap<Utf8PathBuf, Rc<GoodVersion>>>,
    /// Those of the last target: the next one is likely of the same module.
    jvms: RefCell<Option<Arc<Jvms>>>,
    finder: OnceCell<Rc<Finder>>,
    /// The version that was found last.
    found: Rc<RefCell<Option<Rc<Compiled>>>>,
}

impl Java {
    pub fn new(options: &Options, cwd: &Utf8Path, cache: &Utf8Path) -> Self {
        let split = |text: &String| -> Vec<Utf8PathBuf> {
            let entries = text.split(CLASS_PATH_SEPARATOR).filter(|entry| !entry.is_empty());
            entries.flat_map(|entry| expand(&cwd.join(entry))).collect()
        };
        let absolute = |folders: &[Utf8PathBuf]| -> Vec<Utf8PathBuf> {
            let real = |folder: &Utf8PathBuf| {
                let folder = cwd.join(folder);
                folder.canonicalize_utf8().unwrap_or(folder)
            };
            folders.iter().map(real).collect()
        };
        let class_path = options.classpath.as_ref().map(split);
        Self {
            cwd: cwd.to_owned(),
            cache: cache.to_owned(),
            layout: if class_path.is_none() { Layout::find(cwd) } else { None },
            class_path,
            good_class_path: options.good_classpath.as_ref().map(split),
            good: options.good.clone(),
            good_budget: options.good_budget,
            has_good_env: !options.good_env.is_empty(),
            test_sources: absolute(&options.test_sources),
            sources: absolute(&options.sources),
            jvm_args: options.jvm_args.clone(),
            javac_args: options.javac_args.clone(),
            jdk_home: options.java_home.clone(),
            maven_args: options.maven_args.clone(),
            n_jobs: options.n_jobs(),
            memory: options.memory,
            timeout: options.timeout,
            modules: RefCell::new(BTreeMap::new()),
            goods: RefCell::new(BTreeMap::new()),
            jvms: RefCell::new(None),
            finder: OnceCell::new(),
            found: Rc::default(),
        }
    }

    /// Whether the user stands in a Java project, or says what makes one.
    pub fn is_here(&self) -> bool {
        self.class_path.is_some() || !self.test_sources.is_empty() || self.layout.is_some()
    }

    /// Folders in which packages start, those of tests first.
    fn roots(&self) -> Sources {
        let mut roots = self.test_sources.clone();
        if let Some(layout) = self.layout.as_ref().filter(|_| roots.is_empty()) {
            roots.extend(layout.modules.iter().map(|module| module.join("src/test/java")));
            roots.extend(self.modules.borrow().values().flat_map(|module| module.test_sources.clone()));
            roots.extend(layout.modules.iter().map(|module| module.join(USUAL_MAIN_ROOT)));
        } else if roots.is_empty() {
            let usual = USUAL_ROOTS.iter().map(|root| self.cwd.join(root));
            roots.extend(usual.filter(|root| root.is_dir()));
        }
        roots.extend(self.sources.iter().cloned());
        roots.retain(|root| root.is_dir());
        Sources { roots }
    }

    /// The roots, with the one of a class that lies in no usual place.
    fn roots_for(&self, class: &str) -> Sources {
        let mut sources = self.roots();
        if sources.file_of(class).is_none()
            && let Some(place) = self.layout.as_ref().and_then(|layout| layout.place(class))
        {
            sources.roots.insert(0, place.root);
        }
        sources
    }

    /// The module whose tests include a class.
    fn module_of(&self, class: &str) -> Result<Module, RunnerError> {
        let Some(layout) = &self.layout else { return Err(no_class_path(&self.cwd)) };
        self.resolve(layout, &self.folder_of(layout, class))
    }

    /// The folder of that module.
    fn folder_of(&self, layout: &Layout, class: &str) -> Utf8PathBuf {
        let place = layout.place(class).map(|place| place.module);
        // A class without a source of its own may be one of several in a file.
        let by_file = || {
            let file = self.roots().file_of(class)?;
            layout
                .modules
                .iter()
                .filter(|module| file.starts_with(module))
                .max_by_key(|it| it.as_str().len())
                .cloned()
        };
        place.or_else(by_file).unwrap_or_else(|| layout.modules[0].clone())
    }

    fn resolve(&self, layout: &Layout, folder: &Utf8Path) -> Result<Module, RunnerError> {
        if let Some(module) = self.modules.borrow().get(folder) {
            return Ok(module.clone());
        }
        let module = maven::resolve(layout, folder, &self.request(Compile::Tests))?;
        self.modules.borrow_mut().insert(folder.to_owned(), module.clone());
        Ok(module)
    }

    fn request(&self, compile: Compile) -> maven::Request<'_> {
        maven::Request {
            args: &self.maven_args,
            java_home: self.jdk_home.as_deref(),
            cache: &self.cache,
            compile,
        }
    }

    /// What it takes to run tests of a class, and what the user should know about that.
    fn project(&self, class: &str) -> Result<(JavaProject, Vec<String>), RunnerError> {
        let env = |name: &str| std::env::var(name).ok();
        let jdk = find_java(self.jdk_home.as_ref().map(|path| path.as_str()), &self.cwd, &env)?;
        let module = match &self.class_path {
            Some(class_path) => {
                Module { dependencies: class_path.clone(), cwd: self.cwd.clone(), ..Module::default() }
            }
            None => self.module_of(class)?,
        };
        let class_path =
            if self.class_path.is_some() { module.dependencies.clone() } else { module.class_path() };
        let project = JavaProject {
            cwd: module.cwd.clone(),
            jdk,
            classpath: class_path,
            extra_classpath: module.launcher.clone(),
            good: None,
            test_source_roots: self.roots_for(class).roots,
            compiles_other_sources: false,
            jvm_args: module.jvm_args.iter().chain(&self.jvm_args).cloned().collect(),
            javac_args: module.javac_args.iter().chain(&self.javac_args).cloned().collect(),
            env: module.env.clone(),
            jobs: self.n_jobs,
            memory_limit: self.memory,
            cache_dir: self.cache.join("worker"),
        };
        Ok((project, module.remarks))
    }

    /// The good version of the module whose tests include a class.
    fn good_version(&self, class: &str) -> Result<Rc<GoodVersion>, OutcomeError> {
        let module = self.layout.as_ref().map(|layout| self.folder_of(layout, class)).unwrap_or_default();
        if let Some(good) = self.goods.borrow().get(&module) {
            return Ok(Rc::clone(good));
        }
        let good = Rc::new(GoodVersion::prepare(self, class)?);
        self.goods.borrow_mut().insert(module, Rc::clone(&good));
        Ok(good)
    }

    /// Older versions, where a good one is to be found for tests of a class.
    fn versions(&self, class: &str, jvms: &Arc<Jvms>) -> Result<Option<JavaVersions>, RunnerError> {
        let Some(layout) = self.layout.as_ref().filter(|_| self.good == GoodChoice::Auto) else {
            return Ok(None);
        };
        let finder = self.finder.get_or_init(|| Rc::new(Finder::new(&self.cwd)));
        let (finder, found) = (Rc::clone(finder), Rc::clone(&self.found));
        let (module, jvms) = (self.module_of(class)?, Arc::clone(jvms));
        Ok(Some(JavaVersions::new(finder, &module, layout, jvms, found, &self.cache, self.good_budget)))
    }

    /// JVMs for a project: those at hand, where they serve it.
    fn jvms_for(&self, project: &JavaProject) -> Result<Arc<Jvms>, RunnerError> {
        let mut at_hand = self.jvms.borrow_mut();
        match at_hand.as_ref().filter(|jvms| jvms.serve(project)) {
            Some(jvms) => Ok(Arc::clone(jvms)),
            None => Ok(Arc::clone(at_hand.insert(Arc::new(Jvms::start(project.clone())?)))),
        }
    }

    /// What javac is told of the encoding.
    fn declared_encoding(&self) -> Option<String> {
        let given = self.javac_args.iter().position(|arg| arg == "-encoding" || arg == "--encoding");
        let given = given.and_then(|at| self.javac_args.get(at + 1).cloned());
        let attached =
            || self.javac_args.iter().find_map(|arg| arg.strip_prefix("-encoding=").map(str::to_owned));
        let of_maven = || self.modules.borrow().values().find_map(|module| module.encoding.clone());
        given.or_else(attached).or_else(of_maven)
    }

    /// Class and what follows it of an id in any of its forms: with `#`, with a dot, or by the file.
    fn parts(&self, given: &str) -> (String, Option<String>) {
        let (class, method) = match given.split_once('#') {
            Some((class, method)) => (class, Some(method.to_owned())),
            None => (given, None),
        };
        if Utf8Path::new(class).extension() == Some("java")
            && let Ok(file) = self.cwd.join(class).canonicalize_utf8()
            && let Some(text) = sources::read(&file)
        {
            let stem = file.file_stem().unwrap_or_default();
            let outline = outline(&text);
            let found = outline.classes.iter().find(|class| class.name == stem).or(outline.classes.first());
            if let Some(found) = found {
                return (found.binary_name.clone(), method);
            }
        }
        let class = self.full_class(class);
        if method.is_none()
            && self.roots_for(&class).file_of(&class).is_none()
            && let Some((outer, method)) = class.rsplit_once('.')
        {
            let outer = self.full_class(outer);
            if self.roots_for(&outer).file_of(&outer).is_some() {
                return (outer, Some(method.to_owned()));
            }
        }
        (class, method)
    }

    /// `CartTest` is `com.acme.CartTest` if there is one file of that name, and `Outer.Inner` is `Outer$Inner`.
    fn full_class(&self, class: &str) -> String {
        if self.roots_for(class).file_of(class).is_some() {
            return class.to_owned();
        }
        if class.contains('.') {
            let nested = class
                .match_indices('.')
                .map(|(at, _)| format!("{}${}", &class[..at], class[at + 1..].replace('.', "$")));
            let is_class = |name: &String| {
                let file = self.roots_for(name).file_of(name);
                file.and_then(|file| sources::read(&file))
                    .is_some_and(|text| outline(&text).class(name).is_some())
            };
            return nested.into_iter().find(is_class).unwrap_or_else(|| class.to_owned());
        }
        let outer = class.split('$').next().unwrap_or(class);
        let name = format!("{outer}.java");
        let roots = self.roots().roots;
        let mut files: Vec<Utf8PathBuf> = roots.iter().flat_map(|root| java_files(root, DEPTH)).collect();
        files.retain(|file| file.file_name() == Some(name.as_str()));
        files.dedup();
        match files.as_slice() {
            [file] => {
                let package = sources::read(file).map(|text| outline(&text).package).unwrap_or_default();
                if package.is_empty() { class.to_owned() } else { format!("{package}.{class}") }
            }
            _ => class.to_owned(),
        }
    }

    /// Tests, and those of files and folders, by the module they are of: those of one run together, in the order they were asked for.
    fn by_module(&self, what: &[String]) -> Result<Vec<(JavaProject, Vec<String>)>, RunnerError> {
        let is_id = |it: &String| it.contains('#') || !self.cwd.join(it).exists();
        let ids = what.iter().flat_map(|it| if is_id(it) { vec![it.clone()] } else { self.classes_in(it) });
        let mut groups: Vec<(JavaProject, Vec<String>)> = Vec::new();
        for id in ids {
            let class = id.split('#').next().unwrap_or(&id).to_owned();
            let (project, _) = self.project(&class)?;
            match groups.iter_mut().find(|(other, _)| other.classpath == project.classpath) {
                Some((_, ids)) => ids.push(id),
                None => groups.push((project, vec![id])),
            }
        }
        Ok(groups)
    }

    /// The classes of files and folders, tests by their names or their annotations.
    fn classes_in(&self, path: &str) -> Vec<String> {
        let path = self.cwd.join(path);
        let path = path.canonicalize_utf8().unwrap_or(path);
        let files = if path.is_file() { vec![path.clone()] } else { java_files(&path, DEPTH) };
        files.iter().filter_map(|file| test_class(file, path.is_file())).collect()
    }
}

/// The class of a file, where it has tests that can be run: its own, or those of a class it derives from.
fn test_class(file: &Utf8Path, is_named: bool) -> Option<String> {
    let text = sources::read(file)?;
    let outline = outline(&text);
    let stem = file.file_stem()?;
    let class = outline.classes.iter().find(|class| class.name == stem)?;
    let is_abstract =
        text.contains(&format!("abstract class {stem}")) || text.contains(&format!("interface {stem}"));
    let has_tests = outline.classes.iter().any(|class| !class.tests.is_empty());
    let derives = class.superclass.is_some() || !class.interfaces.is_empty();
    let is_called_so =
        stem.starts_with("Test") || ["Test", "Tests", "TestCase"].iter().any(|end| stem.ends_with(end));
    let runs = !is_abstract && (has_tests || (derives && (is_named || is_called_so)));
    runs.then(|| class.binary_name.clone())
}

/// `lib/*` stands for every jar in the folder, as `java` takes it.
fn expand(entry: &Utf8Path) -> Vec<Utf8PathBuf> {
    if entry.file_name() != Some("*") {
        return vec![entry.to_owned()];
    }
    let folder = entry.parent().unwrap_or(entry);
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten().map(|entry| entry.path().to_owned());
    let mut jars: Vec<Utf8PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("jar"))).collect();
    jars.sort();
    jars
}

impl Language for Java {
    fn frontend(&self) -> &'static dyn Frontend {
        &JavaFrontend
    }

    fn hints(&self) -> &'static Hints {
        &HINTS
    }

    fn heirs(&self, id: &str, file: &Utf8Path) -> Vec<String> {
        let (class, method) = split_target(id);
        let heirs = self.roots_for(class).heirs(class, method, file);
        heirs.into_iter().map(|heir| join((heir, Some(method.to_owned())))).collect()
    }

    fn borrowed(&self, file: &Utf8Path) -> Vec<Borrowed> {
        let package = sources::read(file).map(|text| outline(&text).package).unwrap_or_default();
        let name = file.file_stem().unwrap_or_default();
        let class = if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
        let one = |(name, by): (String, Utf8PathBuf)| Borrowed {
            name: Some(name),
            by: by.strip_prefix(&self.cwd).unwrap_or(&by).to_string(),
        };
        self.roots_for(&class).borrowed(file).into_iter().map(one).collect()
    }

    fn find(&self, given: &str, after: &[String]) -> Result<FoundTest, OutcomeError> {
        let (class, method) = self.parts(given);
        let sources = self.roots_for(&class);
        let after = after.iter().map(|given| join(self.parts(given))).collect();
        let Some(method) = method else {
            let file = sources.file_of(&class).ok_or_else(|| self.no_class(&class, &sources))?;
            return Ok(FoundTest { id: class, after, file });
        };
        let id = join((class.clone(), Some(method)));
        match sources.written(&class, split_target(&id).1) {
            Some(Written::Here(file)) => {
                let file = file.canonicalize_utf8().unwrap_or(file);
                Ok(FoundTest { id, after, file })
            }
            Some(Written::Elsewhere { class: above }) => Err(OutcomeError {
                code: ErrorCode::NoSource,
                message: format!("{id} is inherited from {above}, and there is no source of that here"),
                help: "name the folder of its source too: --test-sources may be given several times"
                    .to_owned(),
            }),
            Some(Written::Nowhere { near }) => Err(no_method(&class, split_target(&id).1, &near)),
            None => Err(self.no_class(&class, &sources)),
        }
    }

    fn reported(&self, test: &Reported) -> Option<String> {
        if !self.is_here() || test.classname.is_empty() {
            return None;
        }
        let id = reported_id(&test.classname, &test.name)?;
        let class = split_target(&id).0.to_owned();
        self.roots_for(&class).file_of(&class).map(|_| id)
    }

    fn names_a_test(&self, id: &str) -> bool {
        id.contains('#')
    }

    fn decode(&self, bytes: &[u8]) -> Result<String, String> {
        Ok(encoding::decode(bytes, self.declared_encoding().as_deref()).0)
    }

    fn encode(&self, text: &str, so_far: &[u8]) -> Result<Vec<u8>, String> {
        let (_, encoding) = encoding::decode(so_far, self.declared_encoding().as_deref());
        encoding::encode(text, encoding)
    }

    fn may_stand_for_several(&self, id: &str, source: &str) -> bool {
        let (class, method) = split_target(id);
        if !id.contains('#') {
            return true;
        }
        let is_whole = id.len() == class.len() + 1 + method.len();
        let of_methods = ["@ParameterizedTest", "@RepeatedTest", "@TestFactory", "@TestTemplate"];
        let in_methods = of_methods.iter().any(|word| source.contains(word));
        let in_class = source.replace("ParameterizedTest", "").contains("Parameterized");
        // Finding out takes a run of the test.
        let is_plain = || {
            let outline = outline(source);
            let has = |names: &[String]| names.iter().any(|name| name == method);
            let declaring: Vec<_> = outline.classes.iter().filter(|class| has(&class.methods)).collect();
            !declaring.is_empty() && declaring.iter().all(|class| has(&class.plain_tests))
        };
        is_whole && (in_class || (in_methods && !is_plain()))
    }

    fn in_file<'a>(&self, id: &'a str) -> &'a str {
        id
    }

    fn run_all(&self, what: &[String]) -> Result<Vec<Seen>, RunnerError> {
        let mut seen = Vec::new();
        for (project, ids) in self.by_module(what)? {
            let found = list_failures(&project, &ids)?;
            seen.extend(found.into_iter().map(|found| Seen { id: found.id, observation: found.observation }));
        }
        Ok(seen)
    }

    fn coverage(&self) -> Option<Result<Box<dyn Coverage + '_>, RunnerError>> {
        Some(Ok(Box::new(JavaCoverage(self))))
    }

    fn follower(&self) -> Option<&dyn Follower> {
        Some(self)
    }

    fn start(&self, target: &Target, timeout: Duration) -> Result<Box<dyn Running>, OutcomeError> {
        let class = split_target(&target.spec.id).0.to_owned();
        let (mut project, mut remarks) = self.project(&class)?;
        if self.has_good_env {
            remarks.push("--good-env is for Python; --good-classpath is what Java has".to_owned());
        }
        let good = self.good_version(&class)?;
        project.good = good.class_path();
        let jvms = self.jvms_for(&project)?;
        let versions = self.versions(&class, &jvms)?;
        let recorder = Recorder::new(self, &project, Arc::clone(&jvms));
        let runner = JunitRunner::new(jvms, &project, &target.file, timeout);
        Ok(Box::new(Started { runner, recorder, remarks, versions, _good: good }))
    }

    fn retire(&self) -> bool {
        self.found.take();
        self.jvms.take().is_some()
    }

    fn file_for(&self, id: &str, test_file: &str) -> String {
        let method = id.rsplit(['#', '.']).next().unwrap_or(id);
        let method: String = method.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
        // A public class belongs into a file of its name.
        format!("{method}/{test_file}")
    }

    fn run_alone(&self, _file: &Utf8Path, _id: &str) -> Option<Observation> {
        None
    }

    fn short_path(&self, file: &Utf8Path) -> String {
        let sources = self.roots();
        let in_roots = sources.roots.iter().any(|root| file.starts_with(root));
        let class = file.file_stem().filter(|_| !in_roots).map(|stem| self.roots_for(stem));
        class.unwrap_or(sources).short_path(file)
    }

    fn code(&self) -> Vec<Root> {
        let named = self.class_path.iter().chain(&self.good_class_path).flatten();
        let named = named.map(|path| self.cwd.join(path));
        let named = named.map(|path| if path.is_dir() { Root::Project(path) } else { Root::Installed(path) });
        std::iter::once(Root::Project(self.cwd.clone())).chain(named).collect()
    }

    fn examine(&self) -> Vec<Finding> {
        examine::examine(self)
    }

    fn settings(&self) -> String {
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            self.class_path,
            self.good_class_path,
            self.good,
            self.jvm_args,
            self.javac_args,
            self.jdk_home,
            self.maven_args
        )
    }
}

impl Follower for Java {
    fn follow(&self, paths: &[String]) -> Result<Vec<Called>, RunnerError> {
        let mut called = Vec::new();
        for (project, ids) in self.by_module(paths)? {
            called.extend(list_calls(&project, &ids, &recorder::code_roots(self, &project))?);
        }
        Ok(called)
    }
}

impl Java {
    fn no_class(&self, class: &str, sources: &Sources) -> OutcomeError {
        let roots: Vec<String> = sources
            .roots
            .iter()
            .map(|root| root.strip_prefix(&self.cwd).unwrap_or(root))
            .map(|root| if root.as_str().is_empty() { ".".to_owned() } else { root.to_string() })
            .collect();
        let looked = match roots.len() {
            0 => "there is no folder of test sources here".to_owned(),
            1..=4 => format!("no source of it in {}", roots.join(", ")),
            n => format!("no source of it in the {n} source folders of the project"),
        };
        OutcomeError {
            code: ErrorCode::NotFound,
            message: format!("there is no test class {class}: {looked}"),
            help: "name the class with its package (com.acme.CartTest#total), from the project's folder; --test-sources \
                   names the folder in which packages start"
                .to_owned(),
        }
    }
}

struct Started {
    runner: JunitRunner,
    recorder: Recorder,
    remarks: Vec<String>,
    versions: Option<JavaVersions>,
    /// Lives as long as the runner runs on it.
    _good: Rc<GoodVersion>,
}

impl Running for Started {
    fn runner(&self) -> &dyn Runner {
        &self.runner
    }

    fn versions(&self) -> Option<&dyn Versions> {
        self.versions.is_some().then_some(self as &dyn Versions)
    }

    fn recorder(&self) -> Option<&dyn Coverage> {
        Some(&self.recorder)
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.iter().cloned().chain(self.runner.notes()).collect()
    }
}

fn join((class, method): (String, Option<String>)) -> String {
    match method {
        Some(method) => format!("{class}#{method}"),
        None => class,
    }
}

/// Surefire, Gradle and Ant write `total`, `total()`, `total(String)[1]`, `total{String}[1]` or `total[1]`.
fn reported_id(class: &str, name: &str) -> Option<String> {
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(name.len());
    let (method, rest) = name.split_at(end);
    let rest = match rest.chars().next() {
        Some('(') => rest.split_once(')').map_or(rest, |(_, rest)| rest),
        Some('{') => rest.split_once('}').map_or(rest, |(_, rest)| rest),
        Some(_) | None => rest,
    };
    let is_name = method.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    (is_name && (rest.is_empty() || rest.starts_with('['))).then(|| format!("{class}#{method}{rest}"))
}

fn no_method(class: &str, method: &str, near: &[String]) -> OutcomeError {
    let names: Vec<&str> = near.iter().map(String::as_str).collect();
    let close = similar::get_close_matches(method, &names, 1, 0.6);
    let meant = close.first().map(|close| format!("; did you mean {class}#{close}?")).unwrap_or_default();
    OutcomeError {
        code: ErrorCode::NotFound,
        message: format!("{class} has no method {method}{meant}"),
        help: HINTS.list_tests.to_owned(),
    }
}

fn no_class_path(cwd: &Utf8Path) -> RunnerError {
    RunnerError {
        code: ErrorCode::NoClasspath,
        message: format!("{cwd} is in no Maven project, and no class path is given"),
        help: "start paring in the folder of a Maven project, or give --classpath (test classes, code under test, JUnit \
               and all they need) and --test-sources; Gradle prints its own with a task over sourceSets.test.runtimeClasspath"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_name_tests_in_many_ways() {
        for (name, expected) in [
            ("total", Some("a.B#total")),
            ("total()", Some("a.B#total")),
            ("total(String, int)[2]", Some("a.B#total[2]")),
            ("total{String, int}[2]", Some("a.B#total[2]")),
            ("total[3: x]", Some("a.B#total[3: x]")),
            ("{0}: sums[2]", None),
            ("sums of things", None),
        ] {
            assert_eq!(reported_id("a.B", name).as_deref(), expected, "{name}");
        }
    }
}
