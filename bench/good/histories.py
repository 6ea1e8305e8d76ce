#!/usr/bin/env python3
"""How often a good version is found in a git history, and what that costs.

  histories.py PARING PYTHON FOLDER [--per-package 3] [--seed 1] [--seconds 600] [--only NAME]…

Makes a history of successive releases of each package (the differences of a release are cut into about 20 commits), puts a fault in at a
drawn commit, takes a test that fails since, and has it pared with `--good auto` and with `--good none`. The pared test is then run by plain
pytest on the faulty and on the fixed tree. Writes FOLDER/histories.jsonl and prints a table.
"""
import argparse
import ast
import difflib
import json
import os
import random
import shutil
import statistics
import subprocess
import tarfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PACKAGES = {
    "parse": ["1.18.0", "1.19.0", "1.20.1"],
    "inflection": ["0.4.0", "0.5.0", "0.5.1"],
    "more-itertools": ["9.1.0", "10.1.0", "10.2.0"],
    "boltons": ["21.0.0", "23.0.0", "24.0.0"],
    "tabulate": ["0.8.9", "0.8.10", "0.9.0"],
    "toolz": ["0.11.2", "0.12.0", "0.12.1"],
    "wcwidth": ["0.2.5", "0.2.6", "0.2.13"],
    "jsonpatch": ["1.31", "1.32", "1.33"],
    "python-slugify": ["6.1.2", "7.0.0", "8.0.1"],
    "sqlparse": ["0.4.3", "0.4.4", "0.5.0"],
}
N_COMMITS = 20
FURTHEST = 30
IDENTITY = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c", "GIT_CONFIG_GLOBAL": "/dev/null"}


def run(args, cwd, limit=300, **env):
    return subprocess.run(args, cwd=cwd, env={**os.environ, **IDENTITY, **env}, capture_output=True, text=True, timeout=limit)


def release(python, package, version, folder):
    """The text files of a source distribution. What builds it may be a wheel: to build that, too, takes many minutes."""
    def archives():
        return [it for it in folder.glob("*.tar.gz") if version in it.name and it.name.lower().replace("_", "-").startswith(package)]

    if not archives():
        run([python, "-m", "pip", "download", "-q", "--no-binary", package, "--no-deps", "-d", str(folder), "%s==%s" % (package, version)], folder, 60)
    texts = {}
    with tarfile.open(archives()[0]) as archive:
        for member in archive:
            path = member.name.partition("/")[2]
            if member.isfile() and path and ".egg-info" not in path:
                try:
                    texts[path] = archive.extractfile(member).read().decode()
                except UnicodeDecodeError:
                    pass
    return texts


def steps(old, new):
    """Trees from one release to the next, about N_COMMITS of them."""
    pieces = []
    for path in sorted(set(old) | set(new)):
        one, other = old.get(path, "").splitlines(True), new.get(path, "").splitlines(True)
        codes = [it for it in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes() if it[0] != "equal"]
        pieces += [(path, code) for code in codes]
    size = max(1, -(-len(pieces) // N_COMMITS))
    for end in range(size, len(pieces) + size, size):
        done, tree = pieces[:end], dict(old)
        for path in {path for path, _ in done}:
            lines, result, at = old.get(path, "").splitlines(True), [], 0
            other = new.get(path, "").splitlines(True)
            for _, (_, i, j, k, m) in sorted(((p, c) for p, c in done if p == path), key=lambda it: it[1][1]):
                result += lines[at:i] + other[k:m]
                at = j
            text = "".join(result + lines[at:])
            if path in new or text:
                tree[path] = text
            else:
                tree.pop(path, None)
        yield tree


def is_test(path):
    return "test" in path.lower()


def faults(texts, rng):
    """Lines of the library with one decision turned round, in a drawn order."""
    turned = [(" == ", " != "), (" < ", " >= "), (" + ", " - "), (" and ", " or "), ("True", "False"), (" is None", " is not None"), ("return ", "return None and ")]
    places = []
    for path, text in texts.items():
        if path.endswith(".py") and not is_test(path) and not path.startswith(("docs/", "setup")):
            for line in text.splitlines(True):
                if line.startswith("    ") and not line.lstrip().startswith(("#", '"', "'", ">>>")) and text.count(line) == 1:
                    places += [(path, line, line.replace(a, b, 1)) for a, b in turned if a in line]
    rng.shuffle(places)
    for path, line, other in places:
        try:
            ast.parse(texts[path].replace(line, other))
        except SyntaxError:
            continue
        yield path, line, other


def write(tree, folder):
    for item in folder.iterdir():
        if item.name != ".git":
            shutil.rmtree(item) if item.is_dir() else item.unlink()
    for path, text in tree.items():
        folder.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(path).write_text(text)


def suite(python, folder, more=()):
    """Outcomes by id."""
    out = folder.parent / "report.xml"
    out.unlink(missing_ok=True)
    found = {}
    try:
        run([python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1", "--junitxml=%s" % out, *more], folder, 120, PYTHONPATH=path_of(folder))
    except subprocess.TimeoutExpired:
        return found
    for case in ElementTree.parse(out).getroot().iter("testcase") if out.exists() else ():
        file = case.get("file")
        if file:
            names = case.get("classname", "").split(".")[len(Path(file).with_suffix("").parts) :]
            bad = [it.tag for it in case if it.tag in ("failure", "error", "skipped")]
            found["::".join([file, *names, case.get("name")])] = bad[0] if bad else "passed"
    return found


def path_of(folder):
    return str(folder / "src") if (folder / "src").is_dir() else str(folder)


def history(trees, fault, drawn, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run(["git", "init", "-q"], folder)
    path, line, other = fault
    for number, tree in enumerate(trees):
        if number >= drawn and path in tree:
            tree = {**tree, path: tree[path].replace(line, other)}
        write(tree, folder)
        run(["git", "add", "-A"], folder)
        run(["git", "commit", "-q", "--allow-empty", "-m", "commit %d" % number], folder)


def pare(args, folder, target, good):
    out = folder.parent / "result.json"
    out.unlink(missing_ok=True)
    began = time.monotonic()
    run([args.paring, "minimize", target, "--python", args.python, "--json", str(out), "--good", good], folder, 600, PYTHONPATH=path_of(folder), PARING_CACHE_DIR=str(folder.parent / "cache"))
    seconds = time.monotonic() - began
    return (json.loads(out.read_text())[0] if out.exists() else {}), seconds


def judged(args, result, tree, good, folder):
    """Whether the pared text fails on the faulty tree, and passes on the fixed one."""
    file = result.get("file")
    if not file:
        return None, None
    seen = []
    for texts in (tree, good):
        write({**texts, file["path"]: file["text"]}, folder)
        seen.append(suite(args.python, folder, [file["target"]]))
    return "failure" in seen[0].values() or "error" in seen[0].values(), list(seen[1].values()) == ["passed"]


def cold(args, target, repository):
    """Seconds of a plain run. The first finds files that nobody has read yet."""
    seen = []
    for _ in range(3):
        began = time.monotonic()
        run([args.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", target], repository, 120, PYTHONPATH=path_of(repository))
        seen.append(time.monotonic() - began)
    return statistics.median(seen)


def case(args, package, trees, rng, folder):
    last = trees[-1]
    work = folder / "project"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    write(last, work)
    before = suite(args.python, work)
    for path, line, other in faults(last, rng):
        drawn = max(1, len(trees) - round(2 ** rng.uniform(0, 4.9)))
        if any(tree.get(path, "").count(line) != 1 for tree in trees[drawn:]):
            continue
        faulty = {**last, path: last[path].replace(line, other)}
        write(faulty, work)
        after = suite(args.python, work)
        failing = [it for it, outcome in after.items() if outcome == "failure" and before.get(it) == "passed"]
        if not failing or len(failing) > 20:
            continue
        target = rng.choice(failing)
        repository = folder / "repository"
        history(trees, (path, line, other), drawn, repository)
        row = {"package": package, "target": target, "commits_since": len(trees) - drawn, "cold": cold(args, target, repository)}
        for good in ("auto", "none"):
            result, seconds = pare(args, repository, target, good)
            found = result.get("good") or {}
            same, valid = judged(args, result, faulty, last, work)
            row[good] = {
                "status": result.get("status"), "seconds": seconds, "found": found.get("commits_ago"), "tried": len(found.get("tried") or []),
                "good_seconds": found.get("seconds"), "statements": result.get("statements"), "same": same, "valid": valid,
            }
        row["left"] = run(["git", "status", "--porcelain"], repository).stdout
        return row
    return None


def main():
    parser = argparse.ArgumentParser()
    for name in ("paring", "python"):
        parser.add_argument(name)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--per-package", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--only", action="append", default=[])
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    began, rows = time.monotonic(), []
    for round_ in range(args.per_package):
        for package, versions in PACKAGES.items():
            if (args.only and package not in args.only) or time.monotonic() - began > args.seconds:
                continue
            rng = random.Random("%s %s %s" % (args.seed, package, round_))
            try:
                releases = [release(args.python, package, version, args.folder) for version in versions]
                trees = [releases[0]] + [tree for one, other in zip(releases, releases[1:]) for tree in steps(one, other)]
                row = case(args, package, trees, rng, args.folder / "work")
            except (OSError, IndexError, subprocess.TimeoutExpired) as error:
                print(package, "left out:", error, flush=True)
                continue
            if row is None:
                print(package, "left out: no fault that few tests see", flush=True)
                continue
            rows.append(row)
            with open(args.folder / "histories.jsonl", "a") as file:
                file.write(json.dumps(row) + "\n")
            print(json.dumps(row), flush=True)
    tell(rows)


def tell(rows):
    if not rows:
        return
    found = [row for row in rows if row["auto"]["found"] is not None]
    print("histories %d, found %d" % (len(rows), len(found)))
    print("median of versions tried %s" % statistics.median(row["auto"]["tried"] + 1 for row in found or rows))
    ratios = [(row["auto"]["good_seconds"] or 0) / row["cold"] for row in rows]
    print("looking, as a ratio to a cold run: median %.2f" % statistics.median(ratios))
    for good in ("auto", "none"):
        judged = [row[good] for row in rows if row[good]["same"] is not None]
        left = [it["statements"]["after"] / max(1, it["statements"]["before"]) for it in judged]
        print("%s: %d results, same %d, valid %d, mean left %.2f, median seconds %.1f" % (
            good, len(judged), sum(it["same"] for it in judged), sum(it["valid"] for it in judged), statistics.mean(left or [0]),
            statistics.median(it["seconds"] for it in judged) if judged else 0,
        ))


main()
