//! From a module's effective model to how Surefire runs its tests and how the compiler plugin compiles them.

use super::Module;
use super::call::Answer;
use super::xml::Element;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::{ErrorCode, RunnerError};
use std::collections::BTreeMap;

/// Puts class path and model together. `args` are the user's own for Maven: a property given there counts.
pub fn module(answer: &Answer, folder: &Utf8Path, args: &[String]) -> Result<Module, RunnerError> {
    let model = Model::new(&answer.model, args);
    let build = answer.model.child("build").ok_or_else(|| RunnerError {
        code: ErrorCode::Maven,
        message: format!("Maven's model of {folder} has no build"),
        help: "this is a fault of paring: please report it".to_owned(),
    })?;
    let path = |name: &str, default: &str| {
        build.text_of(name).map_or_else(|| folder.join(default), |text| folder.join(text))
    };
    let surefire = model.configuration("maven-surefire-plugin", "default-test");
    let compiler = model.configuration("maven-compiler-plugin", "default-testCompile");
    let mut dependencies = answer.class_path.clone();
    dependencies
        .extend(surefire.list("additionalClasspathElements").into_iter().map(|entry| folder.join(entry)));
    let mut test_sources = vec![path("testSourceDirectory", "src/test/java")];
    test_sources.extend(model.added_sources("add-test-source", folder));
    let mut sources = vec![path("sourceDirectory", "src/main/java")];
    sources.extend(model.added_sources("add-source", folder));
    let cwd = surefire.text("workingDirectory").map_or_else(|| folder.to_owned(), |text| folder.join(text));
    let mut jvm_args = vec![format!("-Dbasedir={folder}")];
    jvm_args.extend(model.jvm_args(&surefire, &answer.class_path));
    let encoding = compiler.text("encoding").or_else(|| model.property("project.build.sourceEncoding"));
    Ok(Module {
        cwd,
        test_classes: path("testOutputDirectory", "target/test-classes"),
        classes: path("outputDirectory", "target/classes"),
        dependencies,
        launcher: Vec::new(),
        remarks: remarks(&surefire, &sources),
        test_sources,
        sources,
        jvm_args,
        javac_args: model.javac_args(&compiler),
        env: surefire.pairs("environmentVariables"),
        encoding,
    })
}

/// What a user who compares with Surefire should know.
fn remarks(surefire: &Configuration<'_>, sources: &[Utf8PathBuf]) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(jvm) = surefire.text("jvm") {
        remarks.push(format!(
            "Surefire is told to use {jvm}; --java-home names another JDK than the one in use"
        ));
    }
    if sources.iter().any(|root| root.join("module-info.java").is_file()) {
        remarks.push("the project is a module; its tests run on the class path here".to_owned());
    }
    remarks
}

/// The model, with the properties it and the command line set.
struct Model<'a> {
    plugins: Vec<&'a Element>,
    properties: BTreeMap<String, String>,
    /// Those of the command line, which Surefire hands on to the tests.
    given: Vec<(String, String)>,
}

impl<'a> Model<'a> {
    fn new(model: &'a Element, args: &[String]) -> Self {
        let plugins = model.at(&["build", "plugins"]).map(|plugins| plugins.children.iter().collect());
        let declared = model.child("properties").into_iter().flat_map(|properties| &properties.children);
        let mut properties: BTreeMap<String, String> =
            declared.map(|property| (property.name.clone(), property.text.clone())).collect();
        let given: Vec<(String, String)> = args
            .iter()
            .filter_map(|arg| arg.strip_prefix("-D"))
            .map(|given| given.split_once('=').unwrap_or((given, "true")))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        properties.extend(given.iter().cloned());
        Self { plugins: plugins.unwrap_or_default(), properties, given }
    }

    fn property(&self, name: &str) -> Option<String> {
        self.properties.get(name).filter(|value| !value.is_empty()).cloned()
    }

    fn plugin(&self, artifact: &str) -> Option<&'a Element> {
        self.plugins.iter().copied().find(|plugin| plugin.text_of("artifactId") == Some(artifact))
    }

    /// What a plugin is told for one execution: what stands there, then what stands at the plugin.
    fn configuration(&self, artifact: &str, execution: &str) -> Configuration<'a> {
        let plugin = self.plugin(artifact);
        let executions = plugin.and_then(|plugin| plugin.child("executions"));
        let own = executions
            .into_iter()
            .flat_map(|executions| &executions.children)
            .find(|it| it.text_of("id") == Some(execution));
        let layers = [own, plugin].into_iter().flatten().filter_map(|it| it.child("configuration"));
        Configuration { layers: layers.collect() }
    }

    /// Folders that the build helper adds.
    fn added_sources(&self, goal: &str, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
        let helper = self.plugin("build-helper-maven-plugin").and_then(|plugin| plugin.child("executions"));
        let executions = helper.into_iter().flat_map(|executions| &executions.children);
        executions
            .filter(|it| {
                it.child("goals").is_some_and(|goals| goals.children.iter().any(|it| it.text == goal))
            })
            .filter_map(|it| it.at(&["configuration", "sources"]))
            .flat_map(|sources| sources.children.iter().map(|source| folder.join(&source.text)))
            .collect()
    }

    /// Surefire's arguments for the JVM and the properties it sets.
    fn jvm_args(&self, surefire: &Configuration<'_>, class_path: &[Utf8PathBuf]) -> Vec<String> {
        let line = surefire.text("argLine").or_else(|| self.property("argLine")).unwrap_or_default();
        let mut args: Vec<String> = words(&line).iter().map(|word| self.late(word, class_path)).collect();
        args.retain(|arg| !arg.is_empty());
        let properties = ["systemProperties", "systemPropertyVariables"].map(|name| surefire.pairs(name));
        for (key, value) in properties.into_iter().flatten().chain(self.given.iter().cloned()) {
            args.push(format!("-D{key}={value}"));
        }
        if surefire.text("enableAssertions").as_deref() == Some("false") {
            args.push("-da".to_owned());
        }
        args
    }

    /// A word with the properties that Maven only knows late: `@{argLine}`, `${org.mockito:mockito-core:jar}`.
    fn late(&self, word: &str, class_path: &[Utf8PathBuf]) -> String {
        let mut done = String::new();
        let mut rest = word;
        while let Some(at) = ["@{", "${"].into_iter().filter_map(|mark| rest.find(mark)).min() {
            let Some(end) = rest[at..].find('}') else { break };
            done.push_str(&rest[..at]);
            let name = &rest[at + 2..at + end];
            let jar = || {
                let artifact = name.strip_suffix(":jar")?.rsplit(':').next()?;
                let is_it = |path: &&Utf8PathBuf| {
                    let version =
                        path.file_name().and_then(|name| name.strip_prefix(artifact)?.strip_prefix('-'));
                    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
                };
                class_path.iter().find(is_it).map(ToString::to_string)
            };
            done.push_str(&self.property(name).or_else(jar).unwrap_or_default());
            rest = &rest[at + end + 1..];
        }
        done + rest
    }

    fn javac_args(&self, compiler: &Configuration<'_>) -> Vec<String> {
        let told = |names: [&str; 2]| {
            let own = names.into_iter().find_map(|name| compiler.text(name));
            own.or_else(|| {
                names.into_iter().find_map(|name| self.property(&format!("maven.compiler.{name}")))
            })
        };
        let mut args = Vec::new();
        if let Some(release) = told(["testRelease", "release"]) {
            args.extend(["--release".to_owned(), release]);
        } else {
            for (option, names) in
                [("-source", ["testSource", "source"]), ("-target", ["testTarget", "target"])]
            {
                args.extend(told(names).into_iter().flat_map(|level| [option.to_owned(), level]));
            }
        }
        if told(["parameters", "parameters"]).as_deref() == Some("true") {
            args.push("-parameters".to_owned());
        }
        if told(["enablePreview", "enablePreview"]).as_deref() == Some("true") {
            args.push("--enable-preview".to_owned());
        }
        let own = compiler.list("testCompilerArgs");
        args.extend(if own.is_empty() { compiler.list("compilerArgs") } else { own });
        // Warnings are no errors in a candidate that was left half empty.
        args.retain(|arg| arg != "-Werror" && !arg.starts_with("-Xlint") && !arg.starts_with("-Xplugin"));
        args
    }
}

struct Configuration<'a> {
    layers: Vec<&'a Element>,
}

impl Configuration<'_> {
    fn element(&self, name: &str) -> Option<&Element> {
        self.layers.iter().find_map(|layer| layer.child(name))
    }

    /// A plain value that Maven could fill in.
    fn text(&self, name: &str) -> Option<String> {
        let text = self.element(name).map(|element| element.text.clone());
        text.filter(|text| !text.is_empty() && (name == "argLine" || !text.contains("${")))
    }

    fn list(&self, name: &str) -> Vec<String> {
        let children = self.element(name).into_iter().flat_map(|element| &element.children);
        children.map(|child| child.text.clone()).filter(|text| !text.is_empty()).collect()
    }

    /// `<key>value</key>`, or `<property><name>key</name><value>value</value></property>`.
    fn pairs(&self, name: &str) -> Vec<(String, String)> {
        let children = self.element(name).into_iter().flat_map(|element| &element.children);
        children
            .map(|child| match (child.text_of("name"), child.child("value")) {
                (Some(key), value) => (key.to_owned(), value.map(|it| it.text.clone()).unwrap_or_default()),
                (None, _) => (child.name.clone(), child.text.clone()),
            })
            .collect()
    }
}

/// A line of arguments as a shell would split it.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            Some(_) | None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::super::xml;
    use super::*;

    fn check(model: &str, args: &[&str], expected: impl Fn(&Module)) {
        let class_path = vec!["/r/mockito-core-5.1.jar".into()];
        let answer = Answer { class_path, model: xml::parse(model).unwrap() };
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        expected(&module(&answer, Utf8Path::new("/p"), &args).unwrap());
    }

    const SUREFIRE: &str = "<project><properties><argLine>-Xss1m</argLine></properties><build>
        <testOutputDirectory>/p/out</testOutputDirectory><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
        <configuration><argLine>@{argLine} -Dx='a b' -javaagent:${org.mockito:mockito-core:jar}</argLine>
        <systemPropertyVariables><k>v</k></systemPropertyVariables><workingDirectory>run</workingDirectory>
        <environmentVariables><E>f</E></environmentVariables>
        <systemProperties><property><name>n</name><value>w</value></property></systemProperties></configuration>
        </plugin></plugins></build></project>";

    #[test]
    fn surefires_settings_become_arguments_and_environment() {
        check(SUREFIRE, &["-Dgiven=1", "-Pfast"], |module| {
            assert_eq!(
                module.jvm_args,
                [
                    "-Dbasedir=/p",
                    "-Xss1m",
                    "-Dx=a b",
                    "-javaagent:/r/mockito-core-5.1.jar",
                    "-Dn=w",
                    "-Dk=v",
                    "-Dgiven=1"
                ]
            );
            assert_eq!(module.env, [("E".to_owned(), "f".to_owned())]);
            assert_eq!((module.cwd.as_str(), module.test_classes.as_str()), ("/p/run", "/p/out"));
            assert_eq!(module.class_path()[1], "/p/target/classes");
        });
    }

    #[test]
    fn a_release_is_over_source_and_target() {
        let model =
            |properties: &str| format!("<project><properties>{properties}</properties><build/></project>");
        let level = "<maven.compiler.source>8</maven.compiler.source><maven.compiler.target>9</maven.compiler.target>";
        check(&model(level), &[], |it| assert_eq!(it.javac_args, ["-source", "8", "-target", "9"]));
        let release = format!("{level}<maven.compiler.release>11</maven.compiler.release>");
        check(&model(&release), &[], |it| assert_eq!(it.javac_args, ["--release", "11"]));
        check(&model(&release), &["-Dmaven.compiler.release=17"], |it| assert_eq!(it.javac_args[1], "17"));
    }
}
