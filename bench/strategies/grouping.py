#!/usr/bin/env python3
"""How well `paring minimize --group` tells the defects of failing generated tests apart.

    grouping.py CASES RESULTS [--paring paring] [--only TEXT] [--lines] [--disagreements]

CASES is what python_suite.py or java_suite.py wrote. All tests of one library that fail on one release go to one call of paring (groups
are numbered within a call, so the faults are counted within it too); what it says and what the original tests say is kept in the folder
RESULTS and used again. What paring goes by is not looked at: the fault of a test is told from the failure of the ORIGINAL test,

- an exception from the library: its type and the deepest function of the library on the stack (of an endless recursion: those that recur);
- a broken assertion: the function of the library that gave the value it is about.

Precision: of all pairs of tests in one group, those with one fault. Standard library only.
"""
import argparse
import ast
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

JAVA_OWN = re.compile(r"(java|javax|jdk|sun|com\.sun|org\.junit|org\.hamcrest)\.")
JAVA_ASSERTIONS = ("java.lang.AssertionError", "org.junit.ComparisonFailure")


def union(paths):
    return os.pathsep.join(dict.fromkeys(part for path in paths for part in path.split(os.pathsep)))


def sites(frames, with_lines):
    """Where it broke, from frames (function, line) of the library, the deepest first."""
    many = [function for function, n in Counter(function for function, _ in frames).items() if n > 20]
    if many:
        return " ".join(sorted(many))
    function, line = frames[0]
    return f"{function}:{line}" if with_lines else function


class Java:
    """The tests of one library that fail on one of its releases."""

    def __init__(self, cases):
        self.cases, self.first = cases, cases[0]
        self.class_path = union(case["classpath"] for case in cases)

    def paring(self):
        options = ["--classpath", self.class_path]
        for folder in dict.fromkeys(case["test_sources"] for case in self.cases):
            options += ["--test-sources", folder]
        if "good_classpath" in self.first:
            options += ["--good-classpath", union(case["good_classpath"] for case in self.cases)]
        return options + [f"--jvm-arg={it}" for it in self.first["jvm_args"]]

    def run(self, report):
        """Runs the originals; what they say is the report."""
        home = os.environ.get("JAVA_HOME")
        command = [str(Path(home, "bin", "java")) if home else "java", *self.first["jvm_args"], "-cp", self.class_path]
        command += ["org.junit.runner.JUnitCore", *dict.fromkeys(case["target"].split("#")[0] for case in self.cases)]
        env = {**os.environ, **self.first["env"]}
        with open(report, "w", encoding="utf-8") as file:
            subprocess.run(command, cwd=self.first["cwd"], env=env, stdout=file, stderr=subprocess.DEVNULL, timeout=600)

    def failures(self, report):
        parts = re.split(r"^\d+\) (\w+)\((\w+)\)\n", report.read_text(encoding="utf-8", errors="replace"), flags=re.MULTILINE)
        return {f"{name}#{test}": text for test, name, text in zip(parts[1::3], parts[2::3], parts[3::3])}

    def fault(self, case, trace, with_lines):
        trace = trace.split("\nCaused by: ")[0]
        name = case["target"].split("#")[0]
        frames = re.findall(r"\n\s+at (?:[^\s/]*/)*([\w.$<>]+)\([^:)]*:?(\d*)\)", trace)
        at_test = next((idx for idx, (function, _) in enumerate(frames) if function.startswith(name + ".")), len(frames))
        kind = re.match(r"[\w.$]+", trace)[0]
        ours = [(function, line) for function, line in frames[:at_test] if not JAVA_OWN.match(function)]
        if ours:
            return f"{kind} in {sites(ours, with_lines)}"
        line = int(frames[at_test][1])
        source = Path(case["test_sources"], name.replace(".", "/") + ".java").read_text(encoding="utf-8").splitlines()
        start = max(idx for idx in range(line) if source[idx].strip() == "@Test")
        declared = dict(reversed(found.groups()) for it in source[start:line] if (found := re.match(r"\s+(\S+) (\w+) = ", it)))
        text = source[line - 1].strip()
        if kind in JAVA_ASSERTIONS:
            variable = re.search(r"(\w+)(?:, 0)?\);$", text)[1]
            text = next(it for it in source[start:line] if re.match(rf"\s+\S+ {variable} = ", it)).strip()
            kind = "wrong value"
        call = text.split(" = ")[-1]
        if call.startswith("new "):
            return f"{kind} of {call.split('(')[0]}"
        target, _, method = call.split("(")[0].rpartition(".")
        return f"{kind} of {declared.get(target, target)}.{method}"


class Python:
    """The tests of one package that fail on one of its releases."""

    def __init__(self, cases):
        self.cases, self.first = cases, cases[0]

    def paring(self):
        options = ["--python", self.first["python"]]
        return options + [f"--good-env={name}={value}" for name, value in self.first.get("good_env", {}).items()]

    def run(self, report):
        command = [self.first["python"], "-m", "pytest", "-q", "-p", "no:cacheprovider", "--assert=plain", "--tb=native"]
        command += [f"--junit-xml={report}", *(case["target"] for case in self.cases)]
        env = {**os.environ, **self.first["env"]}
        subprocess.run(command, cwd=self.first["cwd"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=900)

    def failures(self, report):
        found = {}
        for test in ElementTree.parse(report).iter("testcase"):
            for trouble in test:
                if trouble.tag in ("failure", "error"):
                    target = test.get("classname").replace(".", "/") + ".py::" + test.get("name")
                    found[target] = (trouble.get("message") or "?") + "\n" + trouble.text
        return found

    def fault(self, case, trace, with_lines):
        kind = trace.partition("\n")[0].partition(":")[0]
        trace = trace.split("\nDuring handling of the above exception")[0]
        file = str(Path(case["cwd"], case["target"].split("::")[0]))
        release = case["env"]["PYTHONPATH"] + os.sep
        frames = [(path, function, line) for path, line, function in re.findall(r'\n  File "([^"]+)", line (\d+), in (\S+)', trace)]
        at_test = max(idx for idx, frame in enumerate(frames) if frame[0] == file)
        below = [(f"{path[len(release):]}:{function}", line) for path, function, line in frames[at_test + 1 :] if path.startswith(release)]
        if below:
            return f"{kind} in {sites(below[::-1], with_lines)}"
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
        name = case["target"].split("::")[1]
        function = next(it for it in tree.body if isinstance(it, ast.FunctionDef) and it.name == name)
        line = int(frames[at_test][2])
        before = [it for it in function.body if it.lineno <= line]
        kind = "wrong value" if kind == "AssertionError" else kind
        return f"{kind} of {Maker(tree, before).of(before[-1])}"


class Maker:
    """Which function of the library gave a value, in a test of straight calls."""

    def __init__(self, tree, statements):
        imports = [alias for it in tree.body if isinstance(it, ast.Import) for alias in it.names]
        self.modules = {alias.asname or alias.name: alias.name for alias in imports}
        self.statements = statements

    def of(self, statement):
        if isinstance(statement, ast.Assert):
            names = (node.id for node in ast.walk(statement.test) if isinstance(node, ast.Name))
            return self.value(next((name for name in names if name.startswith("var_")), "?"))
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        inner = [node for it in getattr(statement, "body", []) for node in ast.walk(it) if isinstance(node, ast.Call)]
        return self.text((inner or calls)[0].func) if calls else ast.unparse(statement)

    def value(self, name):
        for it in reversed(self.statements):
            if isinstance(it, ast.Assign) and any(isinstance(at, ast.Name) and at.id == name for at in it.targets):
                return self.text(it.value.func) if isinstance(it.value, ast.Call) else type(it.value).__name__
        return self.modules.get(name, name)

    def text(self, function):
        if isinstance(function, ast.Attribute):
            return f"{self.text(function.value)}.{function.attr}"
        return self.value(function.id) if isinstance(function, ast.Name) else ast.unparse(function)


def groups_of(tests, paring, file):
    """What paring makes of the tests; kept results are used again."""
    if not file.exists():
        targets = [case["target"] for case in tests.cases]
        # Under its name only when it is whole.
        part = file.with_suffix(".part")
        command = [paring, "minimize", "--quiet", "--jobs", "1", "--group", "--json", str(part), *tests.paring(), *targets]
        subprocess.run(command, cwd=tests.first["cwd"], env={**os.environ, **tests.first["env"]}, stdout=subprocess.DEVNULL)
        part.rename(file)
    return {result["target"]: result for result in json.loads(file.read_text(encoding="utf-8"))}


def faults_of(tests, report, with_lines):
    if not report.exists():
        tests.run(report)
    found = tests.failures(report)
    return {case["target"]: tests.fault(case, found[case["target"]], with_lines) for case in tests.cases if case["target"] in found}


def row(name, calls):
    """A row of the table; a call is a list of tests, each its group and its fault."""
    pairs = [one[1] == other[1] for call in calls for one, other in combinations(call, 2) if one[0] == other[0]]
    n_faults, n_groups = (sum(len({test[idx] for test in call}) for call in calls) for idx in (1, 0))
    precision = f"{sum(pairs) / len(pairs):.3f} ({sum(pairs)} of {len(pairs)})" if pairs else "–"
    return f"| {name} | {sum(map(len, calls))} | {n_faults} | {n_groups} | {precision} | {n_groups / max(n_faults, 1):.2f} |"


def disagreements(name, results, faults):
    """Groups of several faults, and faults of several groups, with the pared tests."""
    of_group, of_fault = defaultdict(dict), defaultdict(dict)
    for target, fault in faults.items():
        of_group[results[target]["group"]["number"]].setdefault(fault, target)
        of_fault[fault].setdefault(results[target]["group"]["number"], target)
    for words, table in (("group {} has several faults", of_group), ("{} has several groups", of_fault)):
        for key, members in table.items():
            if len(members) > 1:
                yield f"\n## {name}: {words.format(key)}\n"
                for other, target in members.items():
                    result = results[target]
                    yield f"{other}, {result['failure']['type']}: {result['failure']['message']}\n```\n{result['test']}\n```"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--paring", default=os.environ.get("PARING", "paring"))
    parser.add_argument("--only", default="", help="libraries with this in their name")
    parser.add_argument("--lines", action="store_true", help="another line of one function is another fault")
    parser.add_argument("--disagreements", action="store_true", help="print them too, with the pared tests")
    options = parser.parse_args()
    results_folder = options.results.resolve()
    results_folder.mkdir(parents=True, exist_ok=True)
    batches = defaultdict(list)
    for case in map(json.loads, options.cases.read_text(encoding="utf-8").splitlines()):
        library = case.get("artifact") or case["package"]
        if options.only in library:
            batches[library, "good_classpath" in case or "good_env" in case].append(case)
    told, others, texts = defaultdict(list), Counter(), []
    for (library, has_good), cases in batches.items():
        tests = (Java if "classpath" in cases[0] else Python)(cases)
        name = f"{library.rpartition(':')[2]}-{'older' if has_good else 'newer'}"
        print(f"{name}: {len(cases)} tests", file=sys.stderr, flush=True)
        faults = faults_of(tests, results_folder / f"{name}.report", options.lines)
        results = groups_of(tests, options.paring, results_folder / f"{name}.json")
        others.update(result["status"] for result in results.values() if not result["group"])
        faults = {target: fault for target, fault in faults.items() if results.get(target, {}).get("group")}
        told[library].append([(results[target]["group"]["number"], fault) for target, fault in faults.items()])
        texts += disagreements(name, results, faults)
    print("| library | tests | faults | groups | precision | groups / faults |\n|---|---|---|---|---|---|")
    for library, calls in told.items():
        print(row(library.rpartition(":")[2], calls))
    print(row("all", [call for calls in told.values() for call in calls]))
    if others:
        print("\nIn no group: " + ", ".join(f"{n} {status}" for status, n in others.items()))
    if options.disagreements:
        print("\n".join(texts))


if __name__ == "__main__":
    main()
