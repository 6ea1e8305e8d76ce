#!/usr/bin/env python3
"""Two builds of paring on a sample of the corpora that a seed draws: same failure, valid, reduction, runs, and each text that changed.

    before_after.py draw   [--out DIR] [--seed 23] [--python PYTHON311]      draws 200 Python and 100 Java cases and lays them out
    before_after.py run    LANGUAGE --before FILE --after FILE [--out DIR] [--limit N] [--until HH:MM] [--batch 5]
    before_after.py tables [--out DIR]                                       Markdown, and DIR/changed/ with the texts that differ

`run` goes through the cases in the drawn order in small batches: before and after without the good version, then with it. So what
is done is complete for a first part of the order whenever it stops; started again, it goes on there. Each build has a cache of its
own, and files that a batch left in the projects are removed after it. A case is stopped after 300 seconds, with either build.
The cases drawn are those that `make bench-python` and `make bench-java` take. Standard library only.
"""
import argparse
import datetime
import json
import os
import random
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from statistics import mean

HERE = Path(__file__).resolve().parent
N_CASES = {"python": 200, "java": 100}
NAMES = {"python": "Python", "java": "Java"}
MODES = {"alone": [], "good": ["--good"]}
BUILDS = ("before", "after")
CASE_TIMEOUT = 300


def draw(a):
    for language, n_cases in N_CASES.items():
        folder = a.out / language
        folder.mkdir(parents=True, exist_ok=True)
        corpus = json.loads((HERE.parent / language / "corpus.json").read_text(encoding="utf-8"))
        cases = [case for case in corpus["cases"] if case.get("category") != "missing-api"]
        corpus["cases"] = random.Random(a.seed).sample(cases, n_cases)
        (folder / "corpus.json").write_text(json.dumps(corpus, indent=1), encoding="utf-8")
        command = [sys.executable, HERE.parent / language / "layout.py", "--corpus", folder / "corpus.json", "--out", folder]
        subprocess.run([*command, *(["--python", a.python] if language == "python" else [])], check=True)


def drawn(folder):
    """The cases in the drawn order; lines that the layout had to leave out are missing."""
    return [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]


def run(a):
    folder, until = a.out / a.language, end_of(a.until)
    cases = drawn(folder)[: a.limit]
    for start in range(0, len(cases), a.batch):
        batch = cases[start : start + a.batch]
        for mode in MODES:
            for build in BUILDS:
                if not evaluate(a, folder, batch, mode, build, until):
                    sys.exit(f"stopped by the clock in {a.language} cases {start + 1} to {start + len(batch)}, {mode}, {build}")
        print(f"{a.language}: {start + len(batch)} of {len(cases)}", flush=True)


def end_of(clock):
    """The next time the clock shows this, or None."""
    if not clock:
        return None
    now = datetime.datetime.now()
    hour, minute = map(int, clock.split(":"))
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return then if then > now - datetime.timedelta(hours=6) else then + datetime.timedelta(days=1)


def evaluate(a, folder, batch, mode, build, until):
    """One batch with one build; False if the clock stopped it."""
    out = folder / f"{mode}-{build}"
    done = results(out)
    batch = [case for case in batch if case["id"] not in done]
    if not batch:
        return True
    left = (until - datetime.datetime.now()).total_seconds() if until else None
    if left is not None and left <= 0:
        return False
    lines = folder / "batch.jsonl"
    lines.write_text("".join(json.dumps(case) + "\n" for case in batch), encoding="utf-8")
    command = [getattr(a, build).resolve(), "evaluate", lines, "--out-dir", out, "--jobs", "1", "-q"]
    command += ["--case-timeout", str(CASE_TIMEOUT), *MODES[mode]]
    environment = os.environ | {"PARING_CACHE_DIR": str(folder / f"cache-{build}")}
    before = files(batch)
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        process.wait(left)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        return False
    finally:
        clear(folder, before, files(batch), f"{mode} {build} {batch[0]['id']}")
    if process.returncode:
        sys.exit(f"{build} failed to evaluate {lines}: exit code {process.returncode}")
    return True


def files(batch):
    """Size and time of every file in the projects of these cases."""
    found = {}
    for top in {case[key] for case in batch for key in ("cwd", "good_cwd") if case.get(key)}:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                stat = os.lstat(path)
                found[path] = (stat.st_size, stat.st_mtime_ns)
    return found


def clear(folder, before, after, batch):
    """Removes what is new, so that no batch profits from another; says what is new or another."""
    with open(folder / "litter.txt", "a", encoding="utf-8") as log:
        for path in sorted(before.keys() | after.keys()):
            if path not in before:
                os.remove(path)
            if before.get(path) != after.get(path):
                word = "new" if path not in before else "gone" if path not in after else "changed"
                print(f"{batch}: {word} {path}", file=log)


def results(out):
    """The last line of each case in results.jsonl."""
    path = out / "results.jsonl"
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            judged = json.loads(line)
        except ValueError:  # cut off by an interruption
            continue
        found[judged["id"]] = judged
    return found


def tables(a):
    rows, differences, stopped = [], [], []
    for language in N_CASES:
        folder = a.out / language
        cases = drawn(folder)
        for mode in MODES:
            by_build = [results(folder / f"{mode}-{build}") for build in BUILDS]
            pairs = [tuple(judged[case["id"]] for judged in by_build) for case in cases if all(case["id"] in it for it in by_build)]
            late = [pair for pair in pairs if any(judged["seconds"] >= CASE_TIMEOUT for judged in pair)]
            stopped += [f"- {NAMES[language]}, {mode}: `{pair[0]['id']}`: {seconds(pair)}" for pair in late]
            pairs = [pair for pair in pairs if pair not in late]
            texts = [tuple(text(folder / f"{mode}-{build}", pair[0]["id"]) for build in BUILDS) for pair in pairs]
            rows.append(row(language, mode, len(cases), pairs, texts))
            differences += told(a.out / "changed", language, mode, pairs, texts)
    head = ("cases", "mode", "done of", "same failure", "valid", "mean reduction", "runs at the median", "at 90 %", "time to a cold run, median")
    print_row(head + ("texts that changed", "cases with another number of runs"))
    print_row(["---"] * 2 + ["--:"] * 9)
    for it in rows:
        print_row(it)
    print("\nBefore / after.", *(["Stopped after 300 s and not counted:\n", *stopped] if stopped else []), sep="\n")
    print("\nCases that differ, before → after:\n", *(differences or ["none"]), sep="\n")


def print_row(cells):
    print("|", " | ".join(map(str, cells)), "|")


def row(language, mode, n_cases, pairs, texts):
    def both(figure):
        return " / ".join(figure([pair[side] for pair in pairs]) for side in (0, 1)) if pairs else "-"

    runs = lambda at: lambda side: f"{quantile([it['runs'] for it in side if it['runs'] is not None], at):g}"
    sized = [pair for pair in pairs if all(judged["statements"] for judged in pair)]
    smaller = [f"{100 * mean(1 - pair[side]['statements']['after'] / pair[side]['statements']['before'] for pair in sized):.1f} %" for side in (0, 1)] if sized else ["-"]
    times = lambda side: f"{quantile([it['seconds'] / it['cold_seconds'] for it in side if it.get('cold_seconds')], 0.5):.1f}"
    return (
        NAMES[language], mode, f"{len(pairs)} of {n_cases}",
        both(lambda side: str(sum(it["same"] is True for it in side))), both(lambda side: str(sum(it["valid"] is True for it in side))),
        " / ".join(smaller), both(runs(0.5)), both(runs(0.9)), both(times),
        sum(one != other for one, other in texts), sum(one["runs"] != other["runs"] for one, other in pairs),
    )  # fmt: skip


def quantile(values, at):
    """Between two values in proportion, as in the tables of `paring evaluate`."""
    values = sorted(values)
    if not values:
        return float("nan")
    position = at * (len(values) - 1)
    below = int(position)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (position - below)


def text(out, case_id):
    """The text of the result, from the document whose name `paring evaluate` gave the case."""
    plain = "".join(c if c.isascii() and c.isalnum() or c == "." else "-" for c in case_id[:100])
    path = out / "documents" / f"{plain}-{sha256(case_id.encode()).hexdigest()[:12]}.json"
    return ((json.loads(path.read_text(encoding="utf-8")).get("file") or {}).get("text")) if path.exists() else None


def seconds(pair):
    return " → ".join(f"{judged['seconds']:.0f} s" for judged in pair)


def told(changed, language, mode, pairs, texts):
    """A line for each case that differs; what differs of the texts is written out."""
    lines = []
    for (one, other), (old, new) in zip(pairs, texts):
        parts = [f"{key} {one[key]} → {other[key]}" for key in ("status", "same", "valid", "runs") if one[key] != other[key]]
        if one["runs"] != other["runs"]:
            kinds = sorted(one["runs_by"].keys() | other["runs_by"].keys())
            counts = [(kind, one["runs_by"].get(kind, 0), other["runs_by"].get(kind, 0)) for kind in kinds]
            parts[-1] += " (" + ", ".join(f"{kind} {a} → {b}" for kind, a, b in counts if a != b) + ")"
        if old != new:
            sizes = [judged["statements"]["after"] if judged["statements"] else "?" for judged in (one, other)]
            parts.append(f"text changed, statements {sizes[0]} → {sizes[1]}")
            changed.mkdir(parents=True, exist_ok=True)
            for side, content in (("before", old), ("after", new)):
                (changed / f"{language}-{mode}-{one['id'][-80:].replace('/', '_')}.{side}").write_text(content or "", encoding="utf-8")
        if parts:
            lines.append(f"- {NAMES[language]}, {mode}: `{one['id']}`: {'; '.join(parts)}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("draw", "run", "tables"))
    parser.add_argument("language", nargs="?", choices=tuple(N_CASES))
    parser.add_argument("--out", type=Path, default=HERE.parent / "work" / "engine")
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--python", default=sys.executable, help="CPython 3.11, with which the corpus was confirmed")
    parser.add_argument("--before", type=Path), parser.add_argument("--after", type=Path)
    parser.add_argument("--limit", type=int), parser.add_argument("--batch", type=int, default=5)
    parser.add_argument("--until", help="stop at this time of the clock")
    a = parser.parse_args()
    a.out = a.out.resolve()
    if a.task == "run" and not (a.language and a.before and a.after):
        parser.error("run needs a language, --before and --after")
    {"draw": draw, "run": run, "tables": tables}[a.task](a)


if __name__ == "__main__":
    main()
