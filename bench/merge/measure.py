"""The paper's Tables 1 and 2 (Testler) on public suites: what of their tests is redundant, and what `paring merge` makes of a sample.

  measure.py PARING [--parts prevalence,reduction] [--only NAME] [--classes N] [--seed S] [--minutes M] --out TABLE.md

prevalence: `paring merge --report` on each whole suite, as far as the time goes.
reduction: of each suite a sample of classes or files, drawn by the seed, is reorganised without a limit of statements, and once more with
the defaults; the report is asked before and after, and every old and new test is run.
What is done is kept in bench/work/merge and taken up again.
"""
import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "bench" / "work" / "merge"
CENTRAL = "https://repo.maven.apache.org/maven2"
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
JUNIT_MARKS = ("@Test", "extends TestCase", "extends BulkTest", "extends Abstract", "@ParameterizedTest")


# -- subjects


def fetched(subject, folder, kind, end):
    group = subject["group"].replace(".", "/")
    name = f"{subject['artifact']}-{subject['version']}{kind}.{end}"
    path = folder / name
    if not path.exists():
        url = f"{CENTRAL}/{group}/{subject['artifact']}/{subject['version']}/{name}"
        with urllib.request.urlopen(url, timeout=60) as answer:
            path.write_bytes(answer.read())
    return path


def java(subject):
    """Where the tests of a library are, and the options that paring needs for them."""
    folder = WORK / subject["artifact"]
    folder.mkdir(parents=True, exist_ok=True)
    jar, sources, tests = (fetched(subject, folder, kind, "jar") for kind in ("", "-sources", "-test-sources"))
    for archive, to in ((sources, folder / "src"), (tests, folder / "test")):
        if not to.exists():
            zipfile.ZipFile(archive).extractall(to)
    if not (folder / "lib").exists():
        shutil.copy(fetched(subject, folder, "", "pom"), folder / "pom.xml")
        subprocess.run(["mvn", "-q", "-B", PLUGIN, "-DoutputDirectory=lib", "-DincludeScope=test"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (folder / "pom.xml").unlink()
    libraries = [str(path) for path in sorted((folder / "lib").glob("*.jar"))]
    if not any(path.name.startswith("junit-") or "vintage" in path.name or "jupiter" in path.name for path in (folder / "lib").iterdir()):
        raise RuntimeError("no JUnit among its dependencies")
    classes = folder / "classes"
    if not (classes / "complete").exists():
        try:
            built = fetched(subject, folder, "-tests", "jar")
            zipfile.ZipFile(built).extractall(classes)
        except OSError:
            files = [str(path) for path in (folder / "test").rglob("*.java")]
            classes.mkdir(exist_ok=True)
            options = ["-nowarn", "-g", "-encoding", "UTF-8", "-proc:none", "-d", str(classes), "-cp", os.pathsep.join([str(jar), *libraries])]
            (folder / "args").write_text("\n".join([*options, *files]))
            subprocess.run(["javac", f"@{folder / 'args'}"], check=True, capture_output=True)
            for path in (folder / "test").rglob("*"):
                if path.is_file() and path.suffix != ".java":
                    to = classes / path.relative_to(folder / "test")
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, to)
        (classes / "complete").touch()
    files = sorted(path for path in (folder / "test").rglob("*.java") if is_test(path))
    names = [".".join(path.relative_to(folder / "test").with_suffix("").parts) for path in files]
    options = ["--test-sources", "test", "--sources", "src"]
    return {"cwd": folder, "targets": names, "classpath": [str(classes), str(jar), *libraries], "options": options, "language": "java"}


def is_test(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    return path.stem.endswith(("Test", "TestCase")) and "abstract class " + path.stem not in text and any(mark in text for mark in JUNIT_MARKS)


def python(subject, interpreter):
    sys.path.insert(0, str(ROOT / "bench" / "localize"))
    import sdist

    sdist.WORK = WORK
    tree, executable = sdist.laid_out(subject["project"], interpreter, ["pytest>=8", "freezegun", "pyyaml"])
    where = tree / subject["tests"]
    files = sorted(str(path.relative_to(tree)) for path in where.rglob("test*.py"))
    env = {"PYTHONPATH": str(tree / "src" if (tree / "src").is_dir() else tree)}
    return {"cwd": tree, "targets": files, "options": ["--python", str(executable)], "language": "python", "env": env}


# -- runs


def run(paring, laid, targets, *more, timeout, first=()):
    """One run of paring: its JSON, its seconds, and the most memory of its processes."""
    out = WORK / f"out-{os.getpid()}.json"
    out.unlink(missing_ok=True)
    command = [paring, "merge", *targets, *laid["options"], "--json", str(out), *more]
    if laid["language"] == "java":
        command += ["--classpath", os.pathsep.join([*first, *laid["classpath"]])]
    env = {**os.environ, **laid.get("env", {}), "PARING_CACHE_DIR": str(WORK / "cache")}
    began = time.monotonic()
    try:
        done = subprocess.run(command, cwd=laid["cwd"], capture_output=True, text=True, timeout=timeout, env=env)
    except subprocess.TimeoutExpired:
        return None, timeout, f"no end within {timeout:.0f} s"
    seconds = time.monotonic() - began
    document = json.loads(out.read_text()) if out.exists() else None
    return document, seconds, "" if document is not None else (done.stdout + done.stderr).strip()[-300:]


def cpu():
    """Of all processes that have ended: on a busy machine the clock says nothing."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def plain(laid, targets, timeout):
    """The CPU seconds of the tests by their own runner; none where that is not JUnit 4 or pytest."""
    began = cpu()
    if laid["language"] == "java":
        if not any("junit-4" in path for path in laid["classpath"]):
            return None
        command = ["java", "-cp", os.pathsep.join(laid["classpath"]), "org.junit.runner.JUnitCore", *targets]
    else:
        command = [laid["options"][1], "-m", "pytest", "-q", "-p", "no:cacheprovider", *targets]
    try:
        subprocess.run(command, cwd=laid["cwd"], capture_output=True, timeout=timeout, env={**os.environ, **laid.get("env", {})})
    except subprocess.TimeoutExpired:
        return None
    return cpu() - began


def kept(key, make):
    """What was measured once."""
    path = WORK / "results" / (key.replace("/", "_").replace(" ", "_") + ".json")
    if path.exists():
        return json.loads(path.read_text())
    result = make()
    # What did not come to its end is tried again.
    if result is not None and "why" not in result:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(result))
    return result


def prevalence(paring, subject, laid, timeout, n_most):
    targets = laid["targets"]
    drawn = targets
    if n_most and len(targets) > n_most:
        drawn = sorted(random.Random(subject["name"]).sample(targets, n_most))
    began = cpu()
    found, seconds, why = run(paring, laid, drawn, "--report", timeout=timeout)
    if found is None:
        return {"why": why}
    used = cpu() - began
    keep = ("paper", "paring", "seconds", "analysis")
    row = {key: found[key] for key in keep} | {
        "tests": len(found["tests"]), "left_out": len(found["left_out"]), "duplicates": len(found["duplicates"]),
        "deletable": len(found["deletable"]), "wall": seconds, "cpu": used, "plain": plain(laid, drawn, timeout), "files": [len(drawn), len(targets)],
    }
    return row


def reduction(paring, subject, laid, target, timeout, n_mutants):
    """What becomes of one class or file."""
    before, _, why = run(paring, laid, [target], "--report", timeout=timeout)
    if before is None or not before["tests"]:
        return {"why": why or "no test passes"}
    row = {"tests": len(before["tests"]), "before": {who: before[who]["redundant_statements"] for who in ("paper", "paring")}}
    for name, options in (("reorganised", ["--how", "reorganise", "--max-statements", "0"]), ("default", [])):
        out = WORK / f"new-{os.getpid()}"
        shutil.rmtree(out, ignore_errors=True)
        merged, seconds, why = run(paring, laid, [target], *options, "--mutants", str(n_mutants), "--out", str(out), timeout=timeout)
        if merged is None:
            row[name] = {"why": why}
            continue
        groups = [group for entry in merged for group in entry["groups"]]
        mutants = [group["mutants"] for group in groups if group["mutants"]]
        reasons = {}
        for group in groups:
            if not group["merged"]:
                reasons[group["reason"]["kind"]] = reasons.get(group["reason"]["kind"], 0) + 1
        row[name] = {
            "groups": len(groups), "merged": sum(group["merged"] for group in groups), "reasons": reasons, "seconds": seconds,
            "tests": sum(entry["tests"]["after"] for entry in merged), "tests_before": sum(entry["tests"]["before"] for entry in merged),
            "caught": sum(it["caught"] for it in mutants), "checked": sum(it["checked"] for it in mutants),
            "timed_out": sum(it["timed_out"] for it in mutants), "after": after(paring, laid, target, out, timeout),
        }
        shutil.rmtree(out, ignore_errors=True)
    return row


def after(paring, laid, target, out, timeout):
    """The redundant statements of a rewritten file; null where nothing was rewritten."""
    files = [path for path in out.rglob("*") if path.is_file()] if out.exists() else []
    if not files:
        return None
    rewritten = {**laid}
    first = []
    if laid["language"] == "java":
        classes = out / "classes"
        classes.mkdir()
        command = ["javac", "-nowarn", "-g", "-proc:none", "-encoding", "UTF-8", "-d", str(classes), "-cp", os.pathsep.join(laid["classpath"]), *map(str, files)]
        if subprocess.run(command, capture_output=True).returncode:
            return {"why": "does not compile"}
        # The sources of the rewritten class come first.
        root = out
        while root and not (root / target.split(".")[0]).exists():
            inner = [path for path in root.iterdir() if path.is_dir() and path != classes]
            root = inner[0] if inner else None
        rewritten["options"] = ["--test-sources", str(root or out), *laid["options"]]
        first = [str(classes)]
        found, _, why = run(paring, rewritten, [target], "--report", timeout=timeout, first=first)
    else:
        original = laid["cwd"] / target
        text = original.read_bytes()
        try:
            shutil.copy(files[0], original)
            found, _, why = run(paring, laid, [target], "--report", timeout=timeout)
        finally:
            original.write_bytes(text)
    if found is None:
        return {"why": why}
    return {"left_out": len(found["left_out"])} | {who: found[who]["redundant_statements"] for who in ("paper", "paring")}


# -- tables


def prevalence_table(rows):
    lines = ["| subject | files | tests | partly redundant, paper's / ours | % | redundant statements, paper's / ours | of | per test: quartiles, paper's / ours | duplicates | safe to delete | analysis, CPU s | a test | the tests by their own runner, CPU s |",
             "|---|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|"]
    for name, row in rows:
        if "why" in row:
            lines.append(f"| {name} | | | not measured: {' '.join(row['why'].split())[:120]} | | | | | | | | | |")
            continue
        p, o, n = row["paper"], row["paring"], row["tests"]
        share = lambda it: f"{100 * it['partly_redundant_tests'] / max(n, 1):.0f}"
        box = lambda it: " ".join(map(str, it["quartiles"] or ["-"]))
        lines.append(
            f"| {name} | {row['files'][0]} of {row['files'][1]} | {n:,} | {p['partly_redundant_tests']:,} / {o['partly_redundant_tests']:,} | {share(p)} / {share(o)} | "
            f"{p['redundant_statements']:,} / {o['redundant_statements']:,} | {o['statements']:,} | {box(p)} / {box(o)} | {row['duplicates']} | "
            f"{row['deletable']} | {row['cpu']:.1f} | {row['cpu'] / max(n, 1):.3f} | {'' if row['plain'] is None else format(row['plain'], '.1f')} |")
    return "\n".join(lines)


def reduction_table(rows):
    lines = ["| subject | classes or files | how | tests before → after | groups, rewritten | redundant statements removed, paper's | ours | mutants caught by the old, by the new too | ended by the time limit | s a test |",
             "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|"]
    for name, found in rows:
        for how in ("reorganised", "default"):
            done = [row for row in found if how in row and "why" not in row[how]]
            if not done:
                continue
            total = lambda key: sum(row[how][key] for row in done)
            parts = []
            for who in ("paper", "paring"):
                n_before = sum(row["before"][who] for row in done)
                n_after = sum((row[how]["after"] or {}).get(who, row["before"][who]) for row in done)
                parts.append(f"{n_before - n_after} of {n_before}" + (f" ({100 * (n_before - n_after) / n_before:.0f} %)" if n_before else ""))
            lines.append(f"| {name} | {len(done)} | {how} | {total('tests_before')} → {total('tests')} | {total('groups')}, {total('merged')} | {parts[0]} | {parts[1]} | "
                         f"{total('caught')}, {total('checked')} | {total('timed_out')} | {total('seconds') / max(total('tests_before'), 1):.2f} |")
    reasons = {}
    for _, found in rows:
        for row in found:
            for how in ("reorganised", "default"):
                for kind, n in row.get(how, {}).get("reasons", {}).items():
                    reasons[kind] = reasons.get(kind, 0) + n
    if reasons:
        told = ", ".join(f"{kind} {n}" for kind, n in sorted(reasons.items(), key=lambda it: -it[1]))
        lines.append(f"\nGroups left as they were, by reason: {told}.")
    return "\n".join(lines)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("paring"), a.add_argument("--parts", default="prevalence,reduction"), a.add_argument("--only"), a.add_argument("--out", required=True)
    a.add_argument("--classes", type=int, default=4), a.add_argument("--seed", type=int, default=1), a.add_argument("--minutes", type=float, default=20)
    a.add_argument("--files", type=int, default=0, help="no more files of a suite in the first part; 0 for all")
    a.add_argument("--mutants", type=int, default=10), a.add_argument("--timeout", type=float, default=600), a.add_argument("--python", default=sys.executable)
    a = a.parse_args()
    # What the tests there change is undone, in the whole repository that they lie in: let that not be this one.
    (WORK / ".git").mkdir(parents=True, exist_ok=True)
    a.paring = os.path.abspath(a.paring)
    end = time.monotonic() + 60 * a.minutes
    subjects = json.loads((HERE / "subjects.json").read_text())
    first, second, skipped = [], [], []
    for part in a.parts.split(","):
        for language in ("java", "python"):
            for subject in subjects[language]:
                if a.only and a.only not in subject["name"]:
                    continue
                left = end - time.monotonic()
                if left < 20:
                    skipped.append(f"{subject['name']} ({part})")
                    continue
                name = subject["name"] + (" (the paper's)" if subject.get("paper") else "")
                try:
                    laid = java(subject) if language == "java" else python(subject, a.python)
                except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
                    first.append((name, {"why": f"cannot be laid out: {error}"}))
                    continue
                if part == "prevalence":
                    make = lambda: prevalence(a.paring, subject, laid, min(a.timeout, left), a.files)
                    row = kept(f"prevalence {subject['name']} {a.files}", make)
                    first.append((name, row))
                    print(name, row.get("why") or (row["tests"], row["wall"]), flush=True)
                else:
                    drawn = random.Random(a.seed).sample(laid["targets"], min(a.classes, len(laid["targets"])))
                    rows = []
                    for target in drawn:
                        if end - time.monotonic() < 20:
                            skipped.append(f"{target} (reduction)")
                            continue
                        timeout = min(a.timeout, end - time.monotonic())
                        rows.append(kept(f"reduction {subject['name']} {target} {a.mutants}", lambda: reduction(a.paring, subject, laid, target, timeout, a.mutants)))
                        print(name, target, rows[-1], flush=True)
                    second.append((name, rows))
    tables = []
    if first:
        tables.append(prevalence_table(first))
    if second:
        tables.append(reduction_table(second))
    if skipped:
        tables.append(f"No time was left for: {', '.join(skipped)}.")
    Path(a.out).write_text("\n\n".join(tables) + "\n")
    print(Path(a.out).read_text())


if __name__ == "__main__":
    main()
