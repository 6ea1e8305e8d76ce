#!/usr/bin/env python3
"""Failing JUnit tests of random calls: generated over one release of a library, failing on it or on an older one.

    java_suite.py [--out ../work/strategies/java] [--libraries a,b] [--per-library 11] [--calls 28] [--seed 1]

Writes OUT/cases.jsonl in the format of `paring evaluate`. A test that blunders on the release it was made from (an index out of bounds,
a null nobody gave) is a case without a good version; one whose assertions an older release breaks has the newer as its good one.
Jars are fetched by their coordinates with the user's own `mvn`. Standard library, a JDK and Maven only.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "java"))
from layout import ENVIRONMENT, Jars  # noqa: E402  (it stands in a folder of its own)

LAUNCHER = "org.junit.platform:junit-platform-console-standalone:1.13.4"
JUNIT = ["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3", LAUNCHER]
# A library: the older release, the newer, its packages, and what it needs.
LIBRARIES = {
    "commons-codec:commons-codec": ("1.10", "1.15", "org.apache.commons.codec.", []),
    "org.apache.commons:commons-lang3": ("3.4", "3.14.0", "org.apache.commons.lang3.", []),
    "org.apache.commons:commons-text": ("1.3", "1.12.0", "org.apache.commons.text.", ["org.apache.commons:commons-lang3:3.14.0"]),
    "org.apache.commons:commons-collections4": ("4.0", "4.4", "org.apache.commons.collections4.", []),
    "org.apache.commons:commons-math3": ("3.2", "3.6.1", "org.apache.commons.math3.", []),
    "commons-beanutils:commons-beanutils": ("1.9.0", "1.9.4", "org.apache.commons.beanutils.", ["commons-logging:commons-logging:1.2", "commons-collections:commons-collections:3.2.2"]),
    "joda-time:joda-time": ("2.3", "2.12.7", "org.joda.time.", []),
    "org.jsoup:jsoup": ("1.10.2", "1.17.2", "org.jsoup.", []),
    "com.google.code.gson:gson": ("2.8.0", "2.11.0", "com.google.gson.", []),
    "org.ow2.asm:asm": ("6.0", "9.4", "org.objectweb.asm.", []),
}
TESTS_AT_ONCE = 120
JVM_ARGS = ["-ea", "-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC", "-Dfile.encoding=UTF-8"]
# Objects get other hash codes in the second run than in the first.
RUNS = ([], ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=3"])
QUICK = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def tool(name):
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", name)) if home else name


class Round:
    """One generated class, on two releases."""

    def __init__(self, folder, name, older, newer):
        self.folder, self.name, self.older, self.newer = folder, name, older, newer
        self.sources = folder / "src"
        self.file = self.sources / f"{name}.java"

    def generate(self, generator, prefix, seed, n_calls):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.sources.mkdir(parents=True)
        jar = self.newer.split(os.pathsep)[0]
        class_path = os.pathsep.join([str(generator), self.newer])
        command = [tool("java"), *JVM_ARGS, *QUICK, "-cp", class_path, "Generate", jar, prefix, self.name]
        command += [str(seed), str(TESTS_AT_ONCE), str(n_calls), str(self.sources), self.older]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)

    def compile(self, class_path, name):
        """Compiles the tests, without those that the release has no methods for."""
        classes = self.folder / name
        for _ in range(20):
            command = [tool("javac"), *(f"-J{it}" for it in QUICK), "-g", "-nowarn", "-proc:none", "-Xmaxerrs", "10000", "-encoding", "UTF-8"]
            ran = subprocess.run([*command, "-d", str(classes), "-cp", class_path, str(self.file)], capture_output=True, text=True)
            if ran.returncode == 0:
                return classes
            self.drop({int(line) for line in re.findall(r"\.java:(\d+): error", ran.stderr)})
        raise RuntimeError("the generated tests do not compile")

    def drop(self, lines):
        """Removes the tests that have one of these lines."""
        text = self.file.read_text(encoding="utf-8").splitlines()
        starts = [idx for idx, line in enumerate(text) if line.strip() == "@Test"] + [len(text) - 1]
        gone = set()
        for start, end in zip(starts, starts[1:]):
            if any(start < line - 1 < end for line in lines):
                gone.update(range(start, end))
        kept = [line for idx, line in enumerate(text) if idx not in gone]
        self.file.write_text("\n".join(kept) + "\n", encoding="utf-8")

    def keep(self, names):
        """Only these tests, compiled anew."""
        text = self.file.read_text(encoding="utf-8").splitlines()
        tests = ((idx + 1, re.search(r"void (\w+)\(\) throws", line)) for idx, line in enumerate(text))
        self.drop({line for line, found in tests if found and found[1] not in names})
        for class_path, name in ((self.older, "classes-old"), (self.newer, "classes-new")):
            shutil.rmtree(self.folder / name)
            self.compile(class_path, name)

    def failures(self, class_path, classes, more):
        """The tests that fail, with the first line of what they say, and those that pass."""
        command = [tool("java"), *JVM_ARGS, *QUICK, *more, "-cp", os.pathsep.join([str(classes), class_path])]
        env = {**os.environ, **ENVIRONMENT}
        ran = subprocess.run([*command, "org.junit.runner.JUnitCore", self.name], cwd=self.folder, env=env, capture_output=True, timeout=600)
        told = ran.stdout.decode("utf-8", "replace")
        found = {name: failure.strip() for name, failure in re.findall(rf"^\d+\) (\w+)\({self.name}\)\r?\n(.*)", told, re.MULTILINE)}
        ended = re.search(r"^(OK \(|Tests run: )", told, re.MULTILINE)
        tests = re.findall(r"void (\w+)\(\) throws", self.file.read_text(encoding="utf-8"))
        return found, {name for name in tests if name not in found} if ended else set()

    def n_calls(self, name):
        text = self.file.read_text(encoding="utf-8")
        body = text.split(f"void {name}() ")[1].split("\n    }\n")[0]
        return sum(bool(re.search(r"\w\(", line)) and "assertEquals(" not in line for line in body.splitlines()[1:])


def cases_of(round_, library, versions):
    """The cases of one round: stable failures only, each seen twice."""
    old, new = versions
    text = None
    while text != round_.file.read_text(encoding="utf-8"):
        text = round_.file.read_text(encoding="utf-8")
        classes = round_.compile(round_.older, "classes-old")
        classes_new = round_.compile(round_.newer, "classes-new")
    on_old = [round_.failures(round_.older, classes, more) for more in RUNS]
    on_new = [round_.failures(round_.newer, classes_new, more) for more in RUNS]
    for name in sorted(set(on_old[0][0]) | set(on_new[0][0])):
        both_old = {failures.get(name) for failures, _ in on_old}
        both_new = {failures.get(name) for failures, _ in on_new}
        passes_on_new = all(name in passed for _, passed in on_new)
        if len(both_old) > 1 or len(both_new) > 1:
            continue
        case = {"target": f"{round_.name}#{name}", "cwd": str(round_.folder), "test_sources": str(round_.sources), "junit": 4}
        case.update(env=ENVIRONMENT, jvm_args=JVM_ARGS, calls=round_.n_calls(name), artifact=library)
        failure = (both_old if passes_on_new else both_new).pop()
        fault = re.split("[: ]", failure or "")[0]
        if passes_on_new:
            case.update(classpath=os.pathsep.join([str(classes), round_.older]))
            case.update(good_classpath=os.pathsep.join([str(classes_new), round_.newer]))
        else:
            case.update(classpath=os.pathsep.join([str(classes_new), round_.newer]))
        # An assertion that fails where it was made saw something that is different each time.
        if fault and (passes_on_new or "junit" not in fault and "AssertionError" not in fault):
            yield {"id": f"{library}/{old}/{new}/{case['target']}", **case, "fault": fault}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=HERE.parent / "work" / "strategies" / "java")
    parser.add_argument("--libraries", default=",".join(LIBRARIES))
    parser.add_argument("--per-library", type=int, default=11)
    # With the objects that are made for them, tests have a third more: about as many as those of the paper, which have 35.
    parser.add_argument("--calls", type=int, default=28)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=6, help="classes generated for a library at most")
    options = parser.parse_args()
    out = options.out.resolve()
    jars = Jars(out / "jars")
    chosen = {name: LIBRARIES[name] for name in options.libraries.split(",")}
    coordinates = [f"{name}:{version}" for name, library in chosen.items() for version in library[:2]]
    jars.fetch(coordinates + JUNIT + [it for library in chosen.values() for it in library[3]])
    generator = out / "generator"
    subprocess.run([tool("javac"), "-nowarn", "-d", str(generator), str(HERE / "Generate.java")], check=True)
    with open(out / "cases.jsonl", "w", encoding="utf-8") as file:
        for name, (old, new, prefix, needs) in chosen.items():
            rest = [str(jars.path(it)) for it in needs + JUNIT]
            older, newer = (os.pathsep.join([str(jars.path(f"{name}:{version}")), *rest]) for version in (old, new))
            kinds = Counter()
            for round_idx in range(options.rounds):
                class_name = f"Generated{round_idx}Test"
                round_ = Round(out / name.split(":")[1] / class_name, class_name, older, newer)
                try:
                    round_.generate(generator, prefix, options.seed + round_idx, options.calls)
                    cases = list(cases_of(round_, name, (old, new)))
                except subprocess.TimeoutExpired as error:
                    print(f"{name} round {round_idx}: {error.cmd[0]} did not come to its end", file=sys.stderr, flush=True)
                    continue
                chosen_here = []
                for case in cases:
                    kind = "older" if "good_classpath" in case else "newer"
                    # Some of both.
                    if kinds.total() < options.per_library and kinds[kind] < options.per_library * 3 // 4:
                        chosen_here.append(case)
                        kinds[kind] += 1
                round_.keep({case["target"].split("#")[1] for case in chosen_here})
                for case in chosen_here:
                    print(json.dumps(case), file=file, flush=True)
                print(f"{name} round {round_idx}: {dict(kinds)} of {len(cases)}", file=sys.stderr, flush=True)
                if kinds.total() >= options.per_library:
                    break


if __name__ == "__main__":
    main()
