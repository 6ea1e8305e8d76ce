#!/usr/bin/env python3
"""Seeded faults of a Java library as flacoco localises them, beside `paring localize --no-purify`: seconds, ranks, and line by line.

    peers_java.py --paring BIN [--project ARTIFACT:VERSION] [--faults 3] [--seed 1] [--repeat 1] [--out FILE]

flacoco is fetched by its coordinates with the user's own `mvn`. Faults are drawn as seeded.py draws them. Both tools rank by Ochiai, on
the same classes and in turns, and each twice: with the tests that it finds by itself, and with the same tests named to both. Those are
the test methods that JUnit discovers, less those with parameters: flacoco cannot run these, and one of them among the names keeps it
from running any. For the named tests the scores are set side by side. An exporter by flacoco's own interface writes the
tests that it counts for a line, so a score that differs tells which are missed or counted too many. Of the lines where flacoco counts
fewer, some are held against a third: JUnit runs under `jdb`, with a breakpoint there, the tests that flacoco does not count.
The contrary cannot be asked so: the breakpoint stands at a line's first instruction, and a jump may lead behind it. A rank is the mean
of the ranks of all lines with the same score; flacoco also ranks braces and declarations, and lines of the tests, so its rank is told
with and without them. Prints markdown.
"""
import argparse
import collections
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

import java_project
import sdist
from seeded import shuffled

FLACOCO = "com.github.spoonlabs:flacoco:1.0.6:jar-with-dependencies"
# For one run of either tool.
SECONDS = 900
# Scores are the same when they are so to as many digits.
DIGITS = 6
SAME = "both: the same score"
# Of the lines of a kind of difference, so many are shown to the debugger.
ASKED = 4
# For JUnit under the debugger.
PATIENCE = 120
# A line without a statement: a brace, or what declares a class, a constructor, a method.
BARE = re.compile(r"[{}();,]*|(?!.*\b(?:if|for|while|do|switch|case|try|catch|else|finally|synchronized|return|throw|new)\b)[^=;\"]*\{")
DISCOVERED = re.compile(r"\[engine:junit-jupiter\]/\[class:([\w.$]+)\]((?:/\[nested-class:[\w$]+\])*)/\[method:(\w+)\(\)\]")
EXPORTER = """
import fr.spoonlabs.flacoco.api.result.*;
import fr.spoonlabs.flacoco.core.test.method.TestMethod;
import java.io.*;
import java.util.*;

public class Counted implements fr.spoonlabs.flacoco.cli.export.FlacocoExporter {
    @Override
    public void export(FlacocoResult result, OutputStreamWriter out) throws IOException {
        out.write("executed\\t" + names(result.getExecutedTests()) + "\\t" + names(result.getFailingTests()) + "\\n");
        for (Map.Entry<Location, Suspiciousness> line : result.getDefaultSuspiciousnessMap().entrySet()) {
            Suspiciousness found = line.getValue();
            out.write(line.getKey().getClassName() + "\\t" + line.getKey().getLineNumber() + "\\t" + found.getScore());
            out.write("\\t" + names(found.getFailingTestCases()) + "\\t" + names(found.getPassingTestCases()) + "\\n");
        }
        out.close();
    }

    private String names(Collection<TestMethod> tests) {
        StringJoiner names = new StringJoiner(",");
        for (TestMethod test : tests) {
            names.add(test.getFullyQualifiedMethodName());
        }
        return names.toString();
    }

    @Override
    public String extension() {
        return "tsv";
    }
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--project", default="commons-cli:commons-cli:1.9.0")
    parser.add_argument("--faults", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    project = java_project.JavaProject(args.project, args)
    project.pair.jars.fetch([FLACOCO])
    named = discovered(project)
    rows = []
    for path, mutant in shuffled(project, args.seed):
        if len(rows) == args.faults:
            break
        with tempfile.TemporaryDirectory(prefix="peers-") as scratch:
            folder = Path(scratch).resolve()
            seeded = project.seeded(path, mutant, folder)
            if seeded is not None:
                rows.append(Fault(project, path, mutant, folder, *seeded).compared(named, args))
                print("%d/%d %s:%d" % (len(rows), args.faults, path, mutant.line), file=sys.stderr, flush=True)
    table = tables(args, rows, named)
    print(table)
    if args.out:
        args.out.write_text(table, encoding="utf-8")


def discovered(project):
    """The test methods without parameters, also inherited ones."""
    command = ["java", *project.library["jvm_args"], "-cp", project.class_path, "org.junit.platform.console.ConsoleLauncher", "discover", "--disable-banner", "--disable-ansi-colors"]
    command += ["--details=verbose", "--details-theme=ascii", *(f"--select-class={name}" for name in project.classes)]
    told = subprocess.run(command, cwd=project.pair.folder, env=project.env(None), capture_output=True, text=True, check=True).stdout
    found = [(outer + re.sub(r"/\[nested-class:([\w$]+)\]", r"$\1", nested), method) for outer, nested, method in DISCOVERED.findall(told)]
    return sorted({f"{name}#{method}" for name, method in found})


class Found:
    """What one tool says: the tests that it ran, and of each line its score and the tests behind it."""

    def __init__(self, n_tests, failing):
        self.n_tests, self.failing = n_tests, failing
        self.scores, self.failed_by, self.n_passed, self.run_by, self.last, self.classes = {}, {}, {}, {}, {}, {}

    def add(self, place, score, failed, n_passed):
        # Two classes may have code in one line.
        if score > self.scores.get(place, 0.0):
            self.scores[place], self.failed_by[place], self.n_passed[place] = score, frozenset(failed), n_passed

    def rank(self, fault, among=lambda place: True):
        """None where the line, or the statement that it is part of, is not listed with a score above 0."""
        if fault not in self.scores:
            fault = next((at for at, last in self.last.items() if at[0] == fault[0] and at[1] <= fault[1] <= last), fault)
        if fault not in self.scores:
            return None
        scores = [score for place, score in self.scores.items() if among(place)]
        return sum(score > self.scores[fault] for score in scores) + (sum(score == self.scores[fault] for score in scores) + 1) / 2


class Fault:
    def __init__(self, project, path, mutant, folder, cwd, env, options):
        self.project, self.mutant, self.folder, self.cwd = project, mutant, folder, cwd
        self.env = {**env, "PARING_CACHE_DIR": str(sdist.WORK / "cache")}
        self.options = options[: len(options) - len(project.classes)]
        self.file, self.fault = str(path), (str(path), mutant.line)
        self.lay_out()

    def lay_out(self):
        """The project where flacoco looks for one: the release's classes and sources, those of the fault over them, and the tests."""
        tree, pair = self.folder / "project", self.project.pair
        shutil.copytree(self.project.sources, tree / "src/main/java")
        shutil.copytree(self.folder / "sources", tree / "src/main/java", dirs_exist_ok=True)
        shutil.copytree(self.project.tests, tree / "src/test/java")
        with zipfile.ZipFile(pair.jars.path(self.project.name)) as jar:
            jar.extractall(tree / "target/classes", [name for name in jar.namelist() if not name.startswith("META-INF/") and name != "module-info.class"])
        shutil.copytree(self.folder / "classes", tree / "target/classes", dirs_exist_ok=True)
        shutil.copytree(pair.folder / "classes-new", tree / "target/test-classes")
        for there in ("target/test-classes", "src/test/resources"):
            shutil.copytree(pair.resources, tree / there, dirs_exist_ok=True)
        (self.folder / "Counted.java").write_text(EXPORTER, encoding="utf-8")
        self.tree, self.sources = tree, {}

    def text(self, place):
        file, line = place
        if file not in self.sources:
            there = next((root / file for root in (self.tree / "src/main/java", self.tree / "src/test/java") if (root / file).exists()), os.devnull)
            self.sources[file] = Path(there).read_text(encoding="utf-8", errors="replace").split("\n")
        return self.sources[file][line - 1].strip() if line <= len(self.sources[file]) else ""

    def compared(self, named, args):
        ways = {
            "paring, tests it finds": lambda: self.paring(self.project.classes, args),
            "flacoco, tests it finds": lambda: self.flacoco([]),
            "paring, tests named": lambda: self.paring(named, args),
            "flacoco, tests named": lambda: self.flacoco(named),
        }
        found, seconds = {}, collections.defaultdict(list)
        for _ in range(args.repeat):
            for way, run in ways.items():
                began = time.perf_counter()
                read = run()
                seconds[way].append(time.perf_counter() - began)
                found[way] = read()
        row = {"fault": "%s:%d" % (Path(self.file).name, self.mutant.line), "operator": self.mutant.operator, "text": self.text(self.fault), "ways": []}
        for way, each in found.items():
            row["ways"].append((way, statistics.median(seconds[way]), each, each and each.rank(self.fault), each and each.rank(self.fault, self.is_statement)))
        ours, theirs = found["paring, tests named"], found["flacoco, tests named"]
        row["kinds"] = self.kinds(ours, theirs) if ours and theirs else {}
        row["asked"] = self.asked(row["kinds"], theirs, named)
        row["texts"] = {place: self.text(place) for places in row["kinds"].values() for place in places}
        row["counts"] = {place: tuple((len(it.failed_by.get(place, ())), it.n_passed.get(place, 0)) for it in (ours, theirs)) for place in row["texts"]}
        row["own_fault"] = self.fault
        return row

    def is_of_tests(self, place):
        return not (self.tree / "src/main/java" / place[0]).exists()

    def is_statement(self, place):
        return not self.is_of_tests(place) and not BARE.fullmatch(self.text(place))

    def paring(self, tests, args):
        document = self.folder / "found.json"
        document.unlink(missing_ok=True)
        command = [str(args.paring.resolve()), "localize", "--no-purify", "--fresh", "--formula", "ochiai", "--json", str(document), "--top", "1000000", *self.options, *tests]
        ran = subprocess.run(command, cwd=self.cwd, env=self.env, capture_output=True, text=True, timeout=SECONDS)

        def read():
            if ran.returncode != 0:
                # 4 is that no test fails.
                print("paring: exit %d %s" % (ran.returncode, ran.stderr[-300:]), file=sys.stderr)
                return None
            told = json.loads(document.read_text(encoding="utf-8"))
            found = Found(told["tests"]["passed"] + told["tests"]["failed"], {test["id"] for test in told["failing"]})
            for each in told["suspects"]:
                place = (os.path.relpath(each["file"], self.project.sources), each["line"])
                found.add(place, each["score"], frozenset(each["tests"]), each["counts"]["ep"])
                found.last[place] = each["end_line"]
            return found

        return read

    def flacoco(self, tests):
        table, jars = self.folder / "flacoco.tsv", self.project.pair.jars
        table.unlink(missing_ok=True)
        jar = str(jars.path(FLACOCO))
        dependencies = [str(jars.path(it)) for it in self.project.pair.dependencies]
        launcher = os.pathsep.join(it for it in dependencies if "junit" in Path(it).name)
        # It leaves files behind.
        (self.folder / "temporary").mkdir(exist_ok=True)
        command = ["java", f"-Djava.io.tmpdir={self.folder / 'temporary'}", "-jar", jar, "--projectpath", str(self.tree), "--workspace", str(self.tree), "--classpath", os.pathsep.join(dependencies)]
        command += ["--junitClasspath", launcher, "--jacocoClasspath", jar, "--testRunnerJVMArgs=" + " ".join(self.project.library["jvm_args"])]
        command += ["--formula", "OCHIAI", "--includeZeros", "--threshold", "0.0", "--formatter", str(self.folder / "Counted.java"), "--output", str(table)]
        command += [f"--junit5tests={test}" for test in tests]
        ran = subprocess.run(command, cwd=self.tree, env=self.env, capture_output=True, text=True, timeout=SECONDS)

        def read():
            n_tests = re.search(r"Tests executed: (\d+)", ran.stdout + ran.stderr)
            if ran.returncode != 0 or not n_tests or not table.exists():
                print("flacoco: exit %d %s" % (ran.returncode, (ran.stdout + ran.stderr)[-2000:]), file=sys.stderr)
                return None
            (_, _, failing), *lines = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
            found = Found(int(n_tests[1]), {it for it in failing.split(",") if it})
            for name, line, score, *tests in lines:
                place = (name.split("$")[0].replace(".", "/") + ".java", int(line))
                failed, passed = ([it for it in each.split(",") if it] for each in tests)
                found.add(place, float(score), failed, len(passed))
                found.run_by[place] = found.run_by.get(place, set()).union(failed, passed)
                found.classes[place] = name
            return found

        return read

    def kinds(self, ours, theirs):
        """The lines that either lists, by what the other says of them."""
        kinds = collections.defaultdict(list)
        inner = {(file, line) for (file, first), last in ours.last.items() for line in range(first + 1, last + 1)}
        for place in sorted(ours.scores.keys() | theirs.scores.keys()):
            if place not in theirs.scores:
                kind = "only paring: by flacoco " + ("only passing tests run it" if place in theirs.run_by else "no test runs it")
            elif place in ours.scores:
                kind = self.difference(ours, theirs, place)
            elif self.is_of_tests(place):
                kind = "only flacoco: a line of the tests"
            elif place in inner:
                kind = "only flacoco: a further line of a statement"
            else:
                kind = "only flacoco: a statement" if self.is_statement(place) else "only flacoco: a brace or a declaration"
            kinds[kind].append(place)
        return kinds

    def difference(self, ours, theirs, place):
        if round(ours.scores[place], DIGITS) == round(theirs.scores[place], DIGITS):
            return SAME
        mine, other = ours.failed_by[place], theirs.failed_by[place]
        parts = ["fewer failing tests"] * bool(mine - other) + ["more failing tests"] * bool(other - mine)
        parts += ["fewer passing tests"] * (theirs.n_passed[place] < ours.n_passed[place]) + ["more passing tests"] * (theirs.n_passed[place] > ours.n_passed[place])
        return "both: flacoco counts " + (" and ".join(parts) or "the same tests")

    def asked(self, kinds, theirs, named):
        """For some lines of which flacoco counts fewer tests: a test that it does not count and in which the debugger stops there; None where there is none."""
        told = {}
        for kind, places in kinds.items():
            if "fewer" in kind or kind.startswith("only paring"):
                for place in sorted(places, key=lambda it: (it != self.fault, it))[:ASKED]:
                    name = theirs.classes.get(place, place[0][: -len(".java")].replace("/", "."))
                    told[place] = self.stopped(name, place[1], [test for test in named if test not in theirs.run_by.get(place, ())])
        return told

    def stopped(self, name, line, tests):
        class_path = self.options[self.options.index("--classpath") + 1]
        command = ["jdb", "-classpath", class_path, "org.junit.platform.console.ConsoleLauncher", "execute", "--details=none", "--disable-banner"]
        command += [f"--select-method={test}" for test in tests]
        env = {**self.env, "JDK_JAVA_OPTIONS": " ".join(self.project.library["jvm_args"])}
        jdb = subprocess.Popen(command, cwd=self.cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        over = threading.Timer(PATIENCE, jdb.kill)
        over.start()
        methods, test = {it.rpartition("#")[2] for it in tests}, None
        jdb.stdin.write(f"stop at {name}:{line}\nrun\n")
        jdb.stdin.flush()
        for said in jdb.stdout:
            if "Breakpoint hit:" in said:
                # The frames of the stack, down to the test's own; then what is no frame.
                test = "a test"
                jdb.stdin.write("where\nthreadgroups\n")
                jdb.stdin.flush()
            frame = re.search(r"\[\d+\] ([\w.$]+)\.(\w+) \(", said) if test else None
            if frame and frame[2] in methods:
                test = frame[1].rpartition(".")[2] + "#" + frame[2]
                break
            if "java.lang.ThreadGroup" in said:
                break
        jdb.communicate("quit\n")
        over.cancel()
        return test


def tables(args, rows, named):
    lines = [f"{args.project}, seed {args.seed}; Ochiai; {len(named)} test methods without parameters are named; the median of {args.repeat} run(s) each, in turns.", ""]
    lines += ["| fault | | tests run | of them fail | seconds | lines above 0 | rank of the fault | among statements |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        for way, seconds, found, rank, among in row["ways"]:
            cells = (found.n_tests, len(found.failing), "%.1f" % seconds, len(found.scores), ranked(rank), ranked(among)) if found else ("", "none", "%.1f" % seconds, "", "", "")
            lines.append("| %s `%s` (%s) | %s | %s |" % (row["fault"], cell(row["text"]), row["operator"], way, " | ".join(map(str, cells))))
    lines += ["", "Lines with a score above 0, tests named. An example has the failing and passing tests that paring counts, then those that flacoco counts.", ""]
    lines += ["| fault | what of the line | lines | the fault's own | `jdb` stops there in a test that flacoco does not count | for example |", "|---|---|--:|:-:|--:|---|"]
    for row in rows:
        for kind, places in sorted(row["kinds"].items(), key=lambda it: (it[0] != SAME, -len(it[1]))):
            own = row["own_fault"] if row["own_fault"] in places else None
            asked = [place for place in places if place in row["asked"]]
            stopped = "%d of %d asked" % (sum(row["asked"][place] is not None for place in asked), len(asked)) if asked else ""
            lines.append("| %s | %s | %d | %s | %s | %s |" % (row["fault"], kind, len(places), "yes" if own else "", stopped, "" if kind == SAME else example(row, own or places[0])))
    return "\n".join(lines) + "\n"


def ranked(rank):
    return "not listed" if rank is None else "%.1f" % rank


def example(row, place):
    test = row["asked"].get(place)
    counts = " / ".join("%d+%d" % each for each in row["counts"][place])
    return "%s:%d `%s` %s%s" % (Path(place[0]).name, place[1], cell(row["texts"][place]), counts, f", {test}" if test else "")


def cell(text):
    return text.replace("|", "\\|").replace("`", "'")[:80]


if __name__ == "__main__":
    main()
