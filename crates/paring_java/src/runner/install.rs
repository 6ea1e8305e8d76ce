//! The worker's Java sources, embedded, and compiled with the user's JDK into the cache, under the hash of both.

use super::error;
use super::jdk::Jdk;
use camino::{Utf8Path, Utf8PathBuf};
use paring_model::RunnerError;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../worker/", $name)))),*]
    };
}

const JAR: &str = "worker.jar";

const SOURCES: &[(&str, &str)] = sources![
    "Install.java",
    "paring/Main.java",
    "paring/Server.java",
    "paring/Saving.java",
    "paring/HookedClasses.java",
    "paring/Channel.java",
    "paring/Json.java",
    "paring/Compiler.java",
    "paring/Loaders.java",
    "paring/TestRun.java",
    "paring/TestId.java",
    "paring/Items.java",
    "paring/Surroundings.java",
    "paring/Frameworks.java",
    "paring/Framework.java",
    "paring/Listener.java",
    "paring/Failure.java",
    "paring/Stack.java",
    "paring/IdleTests.java",
    "paring/Instrument.java",
    "paring/Instrumented.java",
    "paring/Probe.java",
    "paring/Trace.java",
    "paring/Look.java",
    "paring/Heap.java",
    "paring/Hidden.java",
    "paring/Mocks.java",
    "paring/Agent.java",
    "paring/Rewrite.java",
    "paring/LineProbes.java",
    "paring/Hits.java",
    "paring/Calls.java",
    "paring/CallAgent.java",
    "paring/CallProbes.java",
    "paring/Print.java",
    "paring/Hook.java",
    "paring/Hooks.java",
    "paring/TouchProbes.java",
    "paring/TouchWatcher.java",
    "paring/TouchLog.java",
    "paring/FileTouches.java",
    "paring/Databases.java",
    "paring/Drivers.java",
    "paring/Statics.java",
    "paring/Resource.java",
    "paring/boot/Touches.java",
    "paring/adapter/Junit3.java",
    "paring/adapter/Junit4.java",
    "paring/adapter/Platform.java",
    "stubs/junit/framework/AssertionFailedError.java",
    "stubs/junit/framework/Test.java",
    "stubs/junit/framework/TestCase.java",
    "stubs/junit/framework/TestListener.java",
    "stubs/junit/framework/TestResult.java",
    "stubs/junit/framework/TestSuite.java",
    "stubs/org/junit/platform/engine/DiscoverySelector.java",
    "stubs/org/junit/platform/engine/TestExecutionResult.java",
    "stubs/org/junit/platform/engine/TestSource.java",
    "stubs/org/junit/platform/engine/discovery/ClassSelector.java",
    "stubs/org/junit/platform/engine/discovery/DiscoverySelectors.java",
    "stubs/org/junit/platform/engine/discovery/MethodSelector.java",
    "stubs/org/junit/platform/engine/discovery/UniqueIdSelector.java",
    "stubs/org/junit/platform/engine/support/descriptor/MethodSource.java",
    "stubs/org/junit/platform/launcher/Launcher.java",
    "stubs/org/junit/platform/launcher/LauncherDiscoveryRequest.java",
    "stubs/org/junit/platform/launcher/TestExecutionListener.java",
    "stubs/org/junit/platform/launcher/TestIdentifier.java",
    "stubs/org/junit/platform/launcher/TestPlan.java",
    "stubs/org/junit/platform/launcher/core/LauncherDiscoveryRequestBuilder.java",
    "stubs/org/junit/platform/launcher/core/LauncherFactory.java",
    "stubs/org/junit/runner/Description.java",
    "stubs/org/junit/runner/JUnitCore.java",
    "stubs/org/junit/runner/Request.java",
    "stubs/org/junit/runner/Result.java",
    "stubs/org/junit/runner/Runner.java",
    "stubs/org/junit/runner/manipulation/Filter.java",
    "stubs/org/junit/runner/notification/Failure.java",
    "stubs/org/junit/runner/notification/RunListener.java",
];

/// The worker's jar, made unless an earlier paring with the same sources and JDK did.
pub fn install(cache: &Utf8Path, jdk: &Jdk) -> Result<Utf8PathBuf, RunnerError> {
    let folder = cache.join(format!("java-worker-{}", digest(jdk)));
    let jar = folder.join(JAR);
    if !jar.is_file() {
        make(cache, &folder, jdk)?;
    }
    Ok(jar)
}

/// Made aside and renamed: another paring never sees half of it.
fn make(cache: &Utf8Path, folder: &Utf8Path, jdk: &Jdk) -> Result<(), RunnerError> {
    let failed = |io: std::io::Error| error::cache(cache, &io);
    fs::create_dir_all(cache).map_err(failed)?;
    let aside = tempfile::Builder::new().prefix(".java-worker-").tempdir_in(cache).map_err(failed)?;
    let root = Utf8Path::from_path(aside.path())
        .ok_or_else(|| error::worker(format!("{} is not UTF-8", aside.path().display())))?;
    for (name, text) in SOURCES {
        let file = root.join(name);
        let parent = file.parent().expect("a file has a folder");
        fs::create_dir_all(parent).and_then(|()| fs::write(&file, text)).map_err(failed)?;
    }
    compile(root, jdk)?;
    match fs::rename(root, folder) {
        Ok(()) => {
            // It has another name now.
            let _ = aside.keep();
            Ok(())
        }
        Err(_) if folder.join(JAR).is_file() => Ok(()),
        Err(io) => Err(failed(io)),
    }
}

fn compile(root: &Utf8Path, jdk: &Jdk) -> Result<(), RunnerError> {
    let output = Command::new(&jdk.java)
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"])
        .arg(root.join("Install.java"))
        .args([root.to_owned(), root.join("classes"), root.join(JAR)])
        .stdin(Stdio::null())
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("JDK_JAVA_OPTIONS")
        .output();
    let output = output.map_err(|io| error::no_jdk(format!("cannot start {}: {io}", jdk.java)))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(());
    }
    if said.contains("jdk.compiler") {
        return Err(error::jre_only(&jdk.home));
    }
    Err(error::worker(format!("the worker does not compile with {}\n{}", jdk.home, said.trim())))
}

fn digest(jdk: &Jdk) -> String {
    let mut hasher = Sha256::new();
    let own = [(jdk.home.as_str(), jdk.version.as_str())];
    for (name, text) in SOURCES.iter().copied().chain(own) {
        hasher.update(name);
        hasher.update([0]);
        hasher.update(text);
        hasher.update([0]);
    }
    let hash = hasher.finalize();
    hash.iter().take(8).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}
