"""A Java library with seeded faults: the newer release of a pair of the corpus, its published sources, and its own tests."""
import dataclasses
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import releases
import sdist

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "java"))
from layout import Jars, Pair  # noqa: E402  (it stands in a folder of its own)

# Artifact and the release whose tests are laid out; suites of some seconds.
PROJECTS = ["commons-cli:commons-cli:1.9.0", "org.apache.commons:commons-numbers-fraction:1.1", "commons-validator:commons-validator:1.7"]


# A mutant may loop for ever: a suite gets so many times its usual time.
PATIENCE = 5


@dataclasses.dataclass(frozen=True)
class Mutant:
    operator: str
    line: int
    text: str


class JavaProject:
    def __init__(self, name, args):
        self.name, self.args = name, args
        artifact, _, version = name.rpartition(":")
        corpus = json.loads((HERE.parent / "java" / "corpus.json").read_text(encoding="utf-8"))
        pair = next(it for it in corpus["pairs"] if (it["artifact"], it["test_version"]) == (artifact, version))
        root = sdist.WORK.parent / "java"
        self.library = corpus["artifacts"][artifact]
        self.pair = Pair(root, Jars(root / "jars"), pair, self.library)
        self.pair.jars.fetch(self.pair.coordinates())
        self.pair.lay_out()
        self.sources = releases.unpacked(self.pair.jars, f"{name}:sources")
        self.class_path, self.tests = self.pair.class_path("new"), self.pair.folder / "sources-new"
        self.options = ["--test-sources", str(self.tests), "--sources", str(self.sources), *(f"--jvm-arg={arg}" for arg in self.library["jvm_args"])]
        self.classes = self.passing()

    def passing(self):
        """The test classes of which no test fails as they are."""
        found = sdist.WORK / "as-it-is.json"
        classes = [str(file.relative_to(self.tests).with_suffix("")).replace("/", ".") for file in sorted(self.tests.rglob("*Test.java"))]
        began = time.perf_counter()
        command = [str(self.args.paring.resolve()), "localize", "--no-purify", "--fresh", "--classpath", self.class_path, *self.options, "--json", str(found), *classes]
        ran = subprocess.run(command, cwd=self.pair.folder, env=self.env(None), capture_output=True, text=True)
        self.seconds = time.perf_counter() - began
        self.failing = set()
        if ran.returncode == 4:
            return classes
        if ran.returncode != 0:
            sys.exit("the tests of %s cannot be run: %s" % (self.name, ran.stderr[-2000:]))
        self.failing = {test["id"] for test in json.loads(found.read_text(encoding="utf-8"))["failing"]}
        failing = {name.split("#")[0].split("$")[0] for name in self.failing}
        print("%s: left out, for they fail as they are: %s" % (self.name, ", ".join(sorted(failing))), file=sys.stderr)
        return [name for name in classes if name not in failing]

    def env(self, tree):
        return {**os.environ, "TZ": "UTC"}

    def mutants(self):
        """All mutants, each with its file."""
        files = sorted(str(file) for file in self.sources.rglob("*.java") if file.name not in ("module-info.java", "package-info.java"))
        printed = subprocess.run(["java", str(HERE / "Mutate.java"), *files], capture_output=True, text=True, check=True, encoding="utf-8").stdout
        texts = {}
        for row in printed.splitlines():
            file, line, operator, start, end, text = row.split("\t")
            units = texts.setdefault(file, Path(file).read_bytes().decode("utf-8", "replace").encode("utf-16-le"))
            changed = units[: 2 * int(start)] + text.encode("utf-16-le") + units[2 * int(end) :]
            yield Path(file).relative_to(self.sources), Mutant(operator, int(line), changed.decode("utf-16-le"))

    def seeded(self, path, mutant, folder):
        """Where and how `paring localize` is to run; None where the mutant does not compile, no test fails, or nearly all do."""
        sources, classes = folder / "sources", folder / "classes"
        classes.mkdir()
        releases.write(sources / path, mutant.text)
        command = ["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-proc:none", "-implicit:none", "-encoding", "UTF-8"]
        command += ["-d", str(classes), "-sourcepath", str(classes), "-cp", self.class_path, str(sources / path)]
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            return None
        class_path = os.pathsep.join([str(classes), self.class_path])
        found = folder / "as-it-is.json"
        command = [str(self.args.paring.resolve()), "localize", "--no-purify", "--timeout", "20", "--classpath", class_path, *self.options, "--json", str(found), *self.classes]
        # What it keeps is used when the mutant is localised: of its suite only what fails is run again.
        env = {**self.env(None), "PARING_CACHE_DIR": str(sdist.WORK / "cache")}
        try:
            ran = subprocess.run(command, cwd=self.pair.folder, env=env, capture_output=True, timeout=60 + PATIENCE * self.seconds)
        except subprocess.TimeoutExpired:
            return None
        document = json.loads(found.read_text(encoding="utf-8")) if ran.returncode == 0 else {"failing": []}
        # JUnit 3 makes a test, without a class of its own, of a complaint about a class.
        killing = [test for test in document["failing"] if test["id"] not in self.failing]
        tests = document.get("tests")
        if not killing or sdist.breaks_all(tests["failed"], tests["passed"]):
            return None
        # The line stands where it stood: the published sources are shown.
        fault = "%s:%d" % (self.sources / path, mutant.line)
        return self.pair.folder, env, ["--classpath", class_path, *self.options, "--fault", fault, *self.classes]
