#!/usr/bin/env python3
"""Failing JUnit tests of random calls: generated over one release of a library, failing on it or on an older one.

    java_suite.py [--out ../work/strategies/java] [--libraries a,b] [--per-library 40] [--calls 40] [--seed 1]

Writes OUT/cases.jsonl in the format of `paring evaluate`. A test that blunders on the release it was made from (an index out of bounds,
a null nobody gave) is a case without a good version; one whose assertions an older release breaks has the newer as its good one.
Jars are fetched by their coordinates with the user's own `mvn`. Standard library, a JDK and Maven only.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "java"))
from layout import ENVIRONMENT, Jars  # noqa: E402  (it stands in a folder of its own)

LAUNCHER = "org.junit.platform:junit-platform-console-standalone:1.13.4"
JUNIT = ["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3", LAUNCHER]
# A library: the older release, the newer, its packages, and what it needs.
LIBRARIES = {
    "commons-codec:commons-codec": ("1.10", "1.15", "org.apache.commons.codec.", []),
    "org.apache.commons:commons-lang3": ("3.8", "3.14.0", "org.apache.commons.lang3.", []),
    "org.apache.commons:commons-text": ("1.3", "1.12.0", "org.apache.commons.text.", ["org.apache.commons:commons-lang3:3.14.0"]),
    "org.apache.commons:commons-collections4": ("4.1", "4.4", "org.apache.commons.collections4.", []),
    "org.apache.commons:commons-csv": ("1.4", "1.10.0", "org.apache.commons.csv.", []),
}
TESTS_AT_ONCE = 60
JVM_ARGS = ["-ea", "-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC", "-Dfile.encoding=UTF-8"]


def tool(name):
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", name)) if home else name


class Round:
    """One generated class, on two releases."""

    def __init__(self, folder, older, newer, jar, prefix):
        self.folder, self.older, self.newer, self.jar, self.prefix = folder, older, newer, jar, prefix
        self.sources = folder / "src"
        self.file = self.sources / "GeneratedTest.java"

    def generate(self, seed, n_calls):
        self.sources.mkdir(parents=True, exist_ok=True)
        command = [tool("java"), *JVM_ARGS, "-cp", self.newer, str(HERE / "Generate.java"), str(self.jar), self.prefix]
        command += ["GeneratedTest", str(seed), str(TESTS_AT_ONCE), str(n_calls), str(self.sources), self.older]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)

    def compile(self, class_path, name):
        """Compiles the tests, without those that the release has no methods for."""
        classes = self.folder / name
        for _ in range(20):
            command = [tool("javac"), "-g", "-nowarn", "-proc:none", "-Xmaxerrs", "10000", "-encoding", "UTF-8"]
            ran = subprocess.run([*command, "-d", str(classes), "-cp", class_path, str(self.file)], capture_output=True, text=True)
            if ran.returncode == 0:
                return classes
            self.drop({int(line) for line in re.findall(r"GeneratedTest\.java:(\d+): error", ran.stderr)})
        raise RuntimeError("the generated tests do not compile")

    def drop(self, lines):
        text = self.file.read_text(encoding="utf-8").splitlines()
        starts = [idx for idx, line in enumerate(text) if line.strip() == "@Test"] + [len(text) - 1]
        gone = set()
        for start, end in zip(starts, starts[1:]):
            if any(start < line - 1 < end for line in lines):
                gone.update(range(start, end))
        kept = [line for idx, line in enumerate(text) if idx not in gone]
        self.file.write_text("\n".join(kept) + "\n", encoding="utf-8")

    def failures(self, class_path, classes):
        """The tests that fail, with the type of what they fail with; None where the run did not come to its end."""
        reports = self.folder / f"reports-{classes.name}"
        command = [tool("java"), *JVM_ARGS, "-cp", os.pathsep.join([str(classes), class_path])]
        command += ["org.junit.platform.console.ConsoleLauncher", "execute", "--details", "none", "--select-class", "GeneratedTest"]
        command += ["--reports-dir", str(reports)]
        env = {**os.environ, **ENVIRONMENT}
        subprocess.run(command, cwd=self.folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        found, passed = {}, set()
        for report in reports.glob("*.xml"):
            for case in ElementTree.parse(report).iter("testcase"):
                name = case.get("name").split("(")[0]
                trouble = next((child for child in case if child.tag in ("failure", "error")), None)
                if trouble is None:
                    passed.add(name)
                else:
                    found[name] = trouble.get("type")
        return found, passed

    def n_calls(self, name):
        text = self.file.read_text(encoding="utf-8")
        body = text.split(f"void {name}() ")[1].split("\n    }\n")[0]
        return sum("(" in line and "assertEquals(" not in line for line in body.splitlines()[1:])


def cases_of(round_, library, versions):
    """The cases of one round: stable failures only, each seen twice."""
    old, new = versions
    classes = round_.compile(round_.newer, "classes-new")
    classes = round_.compile(round_.older, "classes-old")
    on_old = [round_.failures(round_.older, classes) for _ in range(2)]
    classes_new = round_.compile(round_.newer, "classes-new")
    on_new = [round_.failures(round_.newer, classes_new) for _ in range(2)]
    for name in sorted(set(on_old[0][0]) | set(on_new[0][0])):
        both_old = {failures.get(name) for failures, _ in on_old}
        both_new = {failures.get(name) for failures, _ in on_new}
        passes_on_new = all(name in passed for _, passed in on_new)
        if len(both_old) > 1 or len(both_new) > 1:
            continue
        case = {"target": f"GeneratedTest#{name}", "cwd": str(round_.folder), "test_sources": str(round_.sources), "junit": 4}
        case.update(env=ENVIRONMENT, jvm_args=JVM_ARGS, calls=round_.n_calls(name), artifact=library)
        if passes_on_new:
            case.update(classpath=os.pathsep.join([str(classes), round_.older]))
            case.update(good_classpath=os.pathsep.join([str(classes_new), round_.newer]), fault=both_old.pop())
        else:
            case.update(classpath=os.pathsep.join([str(classes_new), round_.newer]), fault=both_new.pop())
        # An assertion that fails where it was made saw something that is different each time.
        if case["fault"] and ("good_classpath" in case or "junit" not in case["fault"] and "AssertionError" not in case["fault"]):
            case["id"] = f"{library}/{old}/{new}/{round_.folder.name}#{name}"
            yield case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=HERE.parent / "work" / "strategies" / "java")
    parser.add_argument("--libraries", default=",".join(LIBRARIES))
    parser.add_argument("--per-library", type=int, default=40)
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=8, help="classes generated for a library at most")
    options = parser.parse_args()
    out = options.out.resolve()
    jars = Jars(out / "jars")
    chosen = {name: LIBRARIES[name] for name in options.libraries.split(",")}
    coordinates = [f"{name}:{version}" for name, library in chosen.items() for version in library[:2]]
    jars.fetch(coordinates + JUNIT + [it for library in chosen.values() for it in library[3]])
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "cases.jsonl", "w", encoding="utf-8") as file:
        for name, (old, new, prefix, needs) in chosen.items():
            rest = [str(jars.path(it)) for it in needs + JUNIT]
            older, newer = (os.pathsep.join([str(jars.path(f"{name}:{version}")), *rest]) for version in (old, new))
            n_cases = 0
            for round_idx in range(options.rounds):
                folder = out / name.split(":")[1] / f"round-{round_idx}"
                round_ = Round(folder, older, newer, jars.path(f"{name}:{new}"), prefix)
                round_.generate(options.seed + round_idx, options.calls)
                for case in cases_of(round_, name, (old, new)):
                    if n_cases < options.per_library:
                        print(json.dumps(case), file=file, flush=True)
                        n_cases += 1
                print(f"{name} round {round_idx}: {n_cases} cases", file=sys.stderr, flush=True)
                if n_cases >= options.per_library:
                    break


if __name__ == "__main__":
    main()
