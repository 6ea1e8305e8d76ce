#!/usr/bin/env python3
"""What purification is worth for localising seeded faults: Tables 4 to 7 of the purification paper.

    seeded.py python|java --paring BIN [--python PYTHON] [--faults 100] [--seed 1] [--jobs 2] [--pare 24] [--projects NAME...] [--out DIR]

Projects are fetched by name: sdists, or the newer releases of the Java corpus with their sources. Mutants by the paper's six operators
(mutants.py, Mutate.java) are drawn at random with a seed that is kept; those that no test kills, and those that break the whole
suite, are discarded and drawn anew. A fault is localised by `paring localize --fault`, which tells its rank by every formula, for the
failing tests as they are and for pared ones. Prints the tables; DIR keeps a line for each mutant, null for those
that were discarded, and a run that was stopped goes on there.
"""
import argparse
import concurrent.futures
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import java_project
import python_project
import sdist

LANGUAGES = {"python": (python_project.PythonProject, python_project.PROJECTS), "java": (java_project.JavaProject, java_project.PROJECTS)}
FORMULAS = ["tarantula", "sbi", "ochiai", "jaccard", "ochiai2", "kulczynski2", "dstar", "op2"]
# "untied" is the tests as they are with ties told apart: what "settle" is worth without pared tests.
WAYS = ["untied", "refine", "replace", "both", "clear", "settle"]
# For one fault.
SECONDS = 900


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--faults", type=int, default=100, help="of each project")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pare", type=int, default=24, help="failing tests of a fault to pare at most")
    parser.add_argument("--projects", nargs="+")
    parser.add_argument("--out", type=Path, default=sdist.WORK / "seeded")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    project, names = LANGUAGES[args.language]
    rows = []
    for name in args.projects or names:
        rows += faults(project(name, args), args)
    table = tables(rows, args.seed)
    (args.out / f"{args.language}.md").write_text(table, encoding="utf-8")
    print(table)


def shuffled(project, seed):
    """All mutants of a project, each with its file, in the order in which they are drawn."""
    mutants = list(project.mutants())
    random.Random("%s %d" % (project.name, seed)).shuffle(mutants)
    return mutants


def faults(project, args):
    """The first so many that tests kill, in the order in which they were drawn. What was tried before with this seed is not tried again."""
    drawn = shuffled(project, args.seed)
    kept = args.out / ("%s-%d.jsonl" % (project.name.replace(":", "_"), args.seed))
    tried = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()] if kept.exists() else []
    rows = [row for row in tried if row is not None][: args.faults]
    drawn = iter(drawn[len(tried) :])
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, open(kept, "a", encoding="utf-8") as out:
        waiting = [pool.submit(localized, project, args, *each) for each in take(drawn, args.jobs if len(rows) < args.faults else 0)]
        while waiting and len(rows) < args.faults:
            row = waiting.pop(0).result()
            waiting += [pool.submit(localized, project, args, *each) for each in take(drawn, 1)]
            print(json.dumps(row), file=out, flush=True)
            if row is not None:
                rows.append(row)
                print("%s %d/%d %s:%d" % (project.name, len(rows), args.faults, row["file"], row["line"]), file=sys.stderr, flush=True)
        for each in waiting:
            each.cancel()
    return rows


def localized(project, args, path, mutant):
    with tempfile.TemporaryDirectory(prefix="seeded-") as scratch:
        folder = Path(scratch).resolve()
        seeded = project.seeded(path, mutant, folder)
        if seeded is None:
            return None
        cwd, env, options = seeded
        document = folder / "found.json"
        command = [str(args.paring.resolve()), "localize", "--json", str(document), "--top", "1", "--timeout", "20", "--combine", "refine", "--pare", str(args.pare), *options]
        began = time.perf_counter()
        try:
            ran = subprocess.run(command, cwd=cwd, env={**env, "PARING_CACHE_DIR": str(sdist.WORK / "cache")}, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None
        seconds = time.perf_counter() - began
        if ran.returncode != 0:
            # 4 is that no test fails.
            if ran.returncode != 4:
                print("%s:%d %s: exit %d %s" % (path, mutant.line, mutant.operator, ran.returncode, ran.stderr[-300:]), file=sys.stderr)
            return None
        found = json.loads(document.read_text(encoding="utf-8"))
    n_failed, n_passed = found["tests"]["failed"], found["tests"]["passed"]
    ranks = {"%s %s" % (rank["formula"], rank["combine"]): rank["rank"] for rank in found["fault"]}
    if not ranks or sdist.breaks_all(n_failed, n_passed):
        return None
    return {
        "project": project.name, "file": str(path), "line": mutant.line, "operator": mutant.operator, "failed": n_failed, "passed": n_passed,
        "pared": sum(len(test["pared"]) for test in found["failing"]), "statements": found["ranked"], "suspects": found["n_suspects"], "ranks": ranks, "seconds": seconds, "phases": found["seconds"], "suite_seconds": project.seconds,
        "notes": found["notes"],
    }


def take(iterator, n):
    return [each for _, each in zip(range(n), iterator)]


def is_run(row):
    """Whether a failing test runs the line. What takes effect while a module is loaded is run by none, and no formula can tell it from the rest."""
    return row["ranks"]["tarantula none"] <= row["suspects"]


def tables(all_rows, seed):
    rows = [row for row in all_rows if is_run(row)]
    projects = list(dict.fromkeys(row["project"] for row in rows))
    own = {name: [row for row in rows if row["project"] == name] for name in projects}
    lines = ["%d faults, drawn with seed %d: %s." % (len(rows), seed, ", ".join("%s %d" % (name, len(own[name])) for name in projects))]
    if len(rows) < len(all_rows):
        lines += ["", "Not among them: %d whose line no failing test runs or reads, for it takes effect while a file is loaded; their mean rank by Tarantula is %.1f." % (len(all_rows) - len(rows), mean(row["ranks"]["tarantula none"] for row in all_rows if not is_run(row)))]
    lines += ["", *changes(rows), "", *efforts(own), "", *best(rows), "", *by_difficulty(own), "", *seconds(own), "", *later(rows)]
    return "\n".join(lines) + "\n"


def changes(rows):
    """The paper's Table 4, with the mean effort."""
    yield "Faults that come earlier (positive), later (negative) or at the same rank with pared tests, by how those are used; mean effort without and with."
    yield from ("", "| formula | way | positive | negative | neutral | effort, tests as they are | pared | saved |", "|---|---|--:|--:|--:|--:|--:|--:|")
    for formula in FORMULAS:
        for way in WAYS:
            pairs = pairs_of(rows, formula, way)
            positive, negative = sum(b < a for a, b in pairs), sum(b > a for a, b in pairs)
            before, after = mean(a for a, _ in pairs), mean(b for _, b in pairs)
            yield "| %s | %s | %s | %s | %s | %.2f | %.2f | %.1f %% |" % (formula, way, share(positive, pairs), share(negative, pairs), share(len(pairs) - positive - negative, pairs), before, after, 100 * (1 - after / before) if before else 0)


def efforts(own):
    """The paper's Table 5."""
    yield "Mean effort, project by project: tests as they are / `refine`, the paper's way / `settle`, the default, ties told apart."
    yield from ("", "| project | %s |" % " | ".join(FORMULAS), "|---|%s" % ("--:|" * len(FORMULAS)))
    for name, rows in [*own.items(), ("all", [row for rows in own.values() for row in rows])]:
        cells = [" / ".join("%.2f" % mean(rank for _, rank in pairs_of(rows, formula, way)) for way in ("none", "refine", "settle")) for formula in FORMULAS]
        yield "| %s | %s |" % (name, " | ".join(cells))


def best(rows):
    """The best of all ways beside the best formula alone."""
    def effort(formula, way):
        return mean(rank for _, rank in pairs_of(rows, formula, way))

    plain = min(FORMULAS, key=lambda formula: effort(formula, "none"))
    yield "- best formula alone: %s, %.2f." % (plain, effort(plain, "none"))
    for way in WAYS:
        formula = min(FORMULAS, key=lambda formula: effort(formula, way))
        yield "- best with `%s`: %s, %.2f, %.1f %% less." % (way, formula, effort(formula, way), 100 * (1 - effort(formula, way) / effort(plain, "none")))


def by_difficulty(own):
    """The paper's Table 6."""
    yield "By how hard a fault is to find with the tests as they are (way `refine`): positive / negative / all, and statements saved on average."
    yield from ("", "| project | formula | rank 1: the same / all | 2 to 10 | saved | above 10 | saved | all | saved |", "|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for name, rows in [*own.items(), ("all", [row for rows in own.values() for row in rows])]:
        for formula in FORMULAS:
            pairs = pairs_of(rows, formula, "refine")
            first = [(a, b) for a, b in pairs if a == 1]
            cells = ["%d / %d" % (sum(a == b for a, b in first), len(first))]
            for low, high in ((1, 10), (10, float("inf")), (0, float("inf"))):
                part = [(a, b) for a, b in pairs if low < a <= high]
                cells += ["%d / %d / %d" % (sum(b < a for a, b in part), sum(b > a for a, b in part), len(part)), "%.2f" % mean(a - b for a, b in part)]
            yield "| %s | %s | %s |" % (name, formula, " | ".join(cells))


def seconds(own):
    """The paper's Table 7."""
    yield "Seconds on average; ranking itself takes none worth telling."
    yield from ("", "| project | faults | suite alone | suite with lines recorded | paring | recording pared tests | `paring localize` in all | failing tests | pared to |", "|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, rows in own.items():
        phases = ["%.1f" % mean(row["phases"][phase] for row in rows) for phase in ("suite", "paring", "recording")]
        yield "| %s | %d | %.1f | %s | %.1f | %.1f | %.1f |" % (name, len(rows), rows[0]["suite_seconds"], " | ".join(phases), mean(row["seconds"] for row in rows), mean(row["failed"] for row in rows), mean(row["pared"] for row in rows))


def later(rows):
    """Every fault that pared tests bring later, by the paper's formula."""
    yield "Later by Tarantula with `refine`:"
    yield ""
    worse = [row for row in rows for a, b in pairs_of([row], "tarantula", "refine") if b > a]
    for row in worse:
        (a, b), = pairs_of([row], "tarantula", "refine")
        yield "- %s %s:%d (%s): %.1f to %.1f, %d failing tests, pared to %d%s" % (row["project"], row["file"], row["line"], row["operator"], a, b, row["failed"], row["pared"], "; " + "; ".join(row["notes"]) if row["notes"] else "")
    if not worse:
        yield "- none"


def pairs_of(rows, formula, way):
    """Ranks without and with pared tests (the way "none" is without); where none could be pared, nothing changes."""
    return [(row["ranks"][formula + " none"], row["ranks"].get("%s %s" % (formula, way), row["ranks"][formula + " none"])) for row in rows]


def share(n, pairs):
    return "%d (%.1f %%)" % (n, 100 * n / len(pairs) if pairs else 0)


def mean(values):
    values = list(values)
    return statistics.mean(values) if values else 0.0


if __name__ == "__main__":
    main()
