#!/usr/bin/env python3
"""Runs paring, its strategies alone, and public reducers on the same failing tests with the same oracle.

    peers.py CASES.jsonl --paring BIN [--python312 PYTHON] [--out DIR] [--cases N] [--only TEXT] [--tools a,b] [--cap SECONDS]

The oracle is the judge of `paring evaluate`: a cold pytest run in a copy of the project, and the same exception type, message,
failing statement and functions below it. All get the same text to begin with: the test file without its other tests (where
the failure stays the same without them), or the reducers would spend their time on those first. Each is stopped after the
cap, and the smallest text that it has shown to fail the same way counts. All results are then judged on both releases.
Started again it goes on where it stopped; tools are fetched into .tools/peers.
"""
import argparse
import ast
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JUDGE = ROOT / "crates" / "paring" / "src" / "command" / "evaluate"
sys.path.insert(0, str(JUDGE))
import judge  # noqa: E402

STRATEGIES = {"paring": [], "paring --good": ["--good"]}
STRATEGIES.update({f"paring --strategy {name}": ["--strategy", name] for name in ("ssmin", "ddmin", "sdmin")})
REDUCERS = ("picire", "treereduce", "shrinkray")
# The last Shrink Ray that does not bring a language model along.
FROM_INDEX = ["shrinkray==26.7.3.0", "picire==21.8", "setuptools<81"]
CANNOT_FAIL_ALIKE = 1


class Toolbox:
    """The public reducers, installed when they are first asked for."""

    def __init__(self, python):
        self.folder, self.python = ROOT / ".tools" / "peers", python

    def from_index(self, name):
        environment = self.folder / "venv"
        if not (environment / ".complete").exists():
            shutil.rmtree(environment, ignore_errors=True)
            subprocess.run([self.python, "-m", "venv", str(environment)], check=True)
            pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", "--prefer-binary", *FROM_INDEX]
            subprocess.run(pip, check=True)
            (environment / ".complete").touch()
        return str(environment / "bin" / name)

    def treereduce(self):
        program = self.folder / "bin" / "treereduce-python"
        if not program.exists():
            source = ROOT / "bench" / "peers" / "treereduce-python"
            built = {**os.environ, "CARGO_TARGET_DIR": str(self.folder / "target")}
            subprocess.run(["cargo", "install", "--quiet", "--path", str(source), "--root", str(self.folder)], check=True, env=built)
        return str(program)

    def command(self, tool, test, file, folder):
        if tool == "picire":
            return [self.from_index("picire"), "--input", file, "--test", test, "--out", f"{folder}/out", "--quiet", "--encoding", "utf-8"]
        if tool == "shrinkray":
            return [self.from_index("shrinkray"), "--ui", "basic", "--volume", "quiet", "--input-type", "arg", "--timeout", "60", test, file]
        if tool == "treereduce":
            return [self.treereduce(), "--quiet", "--source", file, "--output", f"{folder}/out.py", "--", test, "@@.py"]
        raise ValueError(tool)


# ---- the oracle, as a program: exit 0 where the text fails as the original does ----


def interesting(folder, path):
    folder = Path(folder)
    with open(folder / "runs", "a") as runs:
        runs.write(".")
    try:
        text = Path(path).read_bytes().decode("utf-8")
        compile(text, path, "exec")
    except (UnicodeDecodeError, SyntaxError, ValueError):
        return CANNOT_FAIL_ALIKE
    order = json.loads((folder / "order.json").read_text(encoding="utf-8"))
    # In a folder that goes with the reducer: it may be stopped at any time.
    with judge.Tree(order["case"], "faulty", order["timeout"], beside=folder) as tree:
        tree.options = order["options"]
        found = tree.observe(text)
    if judge.difference(order["base"], found) is not None:
        return CANNOT_FAIL_ALIKE
    best = folder / "best.py"
    if not best.exists() or len(text) < best.stat().st_size:
        whole = folder / f"best-{os.getpid()}"
        whole.write_text(text, encoding="utf-8", newline="")
        os.replace(whole, best)
    return 0


def run_reducer(tool, toolbox, case, beginning, cap):
    """-> the smallest text it has shown to fail the same way, runs, seconds, and whether it was stopped."""
    with tempfile.TemporaryDirectory(prefix="paring-peers-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        base, text = beginning["base"], beginning["text"]
        order = {"case": case, "base": base, "options": beginning["options"], "timeout": max(30.0, 10 * base["seconds"])}
        (folder / "order.json").write_text(json.dumps(order), encoding="utf-8")
        test = folder / "test.sh"
        test.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" --interesting "{scratch}" "$1"\n')
        test.chmod(0o755)
        file = folder / Path(case["target"].split("::")[0]).name
        file.write_text(text, encoding="utf-8", newline="")
        command = toolbox.command(tool, str(test), str(file), scratch)
        started = time.monotonic()
        with open(folder / "log", "wb") as log:
            child = subprocess.Popen(command, cwd=scratch, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
            try:
                stopped = wait(child, cap, end)
            finally:
                end(child)
        seconds = time.monotonic() - started
        runs = folder / "runs"
        best = folder / "best.py"
        trouble = "" if runs.exists() else (folder / "log").read_text(errors="replace").strip()[-300:]
        found = best.read_bytes().decode("utf-8") if best.exists() else None
        return {"text": found, "runs": runs.stat().st_size if runs.exists() else 0, "seconds": seconds, "stopped": stopped, "trouble": trouble}


def wait(child, cap, stop):
    """Waits for a process, and has it stopped after the cap; -> whether it was. (`Popen.wait` with a limit looks only twenty times a second.)"""
    timer = threading.Timer(cap, stop, [child])
    timer.start()
    started = time.monotonic()
    child.wait()
    timer.cancel()
    return time.monotonic() - started >= cap


def end(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def run_paring(options, arguments, case, text, cap):
    with judge.Tree(case) as tree:
        judge.replace(tree.file, judge.encode(text))
        return run_paring_in(tree, options, arguments, case, cap)


def run_paring_in(tree, options, arguments, case, cap):
    arguments = list(arguments)
    if "--good" in arguments:
        arguments += [case["good_cwd"]]
        for key, value in case["good_env"].items():
            arguments += ["--good-env", f"{key}={value}"]
    with tempfile.TemporaryDirectory(prefix="paring-peers-") as scratch:
        out = Path(scratch, "result.json")
        command = [options.paring, "minimize", case["target"], "--python", case["python"], "--json", str(out), *arguments]
        started = time.monotonic()
        with open(Path(scratch, "log"), "wb") as log:
            environment = {key: value.replace(case["cwd"], tree.root) for key, value in case["env"].items()}
            child = subprocess.Popen(command, cwd=tree.root, env={**os.environ, **environment}, stdout=log, stderr=log)
            stopped = wait(child, cap, subprocess.Popen.terminate)
        seconds = time.monotonic() - started
        try:
            result = json.loads(out.read_text(encoding="utf-8"))[0]
        except (OSError, ValueError, IndexError):
            log = Path(scratch, "log").read_text(errors="replace").strip()[-300:]
            return {"text": None, "runs": 0, "seconds": seconds, "stopped": stopped, "trouble": log or "no result"}
        file = result.get("file") or {}
        trouble = "" if file else f"{result['status']}: {(result.get('error') or {}).get('message', '')}"
        return {
            "text": file.get("text"),
            "target": file.get("target"),
            "runs": result.get("runs") or 0,
            "seconds": seconds,
            "stopped": stopped,
            "trouble": trouble,
        }


# ---- the cases ----


def choose(cases, n, only):
    """Cases of at least 8 statements, the packages in turn, so that no package speaks for all."""
    by_package = {}
    for case in cases:
        if case.get("statements", 0) >= 8 and only in case["id"]:
            package = case.get("package") or case["id"].split("-")[0]
            by_package.setdefault(package, []).append(case)
    chosen, depth = [], 0
    while len(chosen) < n and any(len(group) > depth for group in by_package.values()):
        for package in sorted(by_package):
            # From the middle of each package's cases, which are sorted by file.
            group = by_package[package]
            if len(group) > depth and len(chosen) < n:
                chosen.append(group[(len(group) // 2 + depth) % len(group)])
        depth += 1
    return chosen


def without_other_tests(text, target):
    """The file without the tests that are not asked for."""
    wanted = target.partition("::")[2].partition("[")[0].split("::")
    gone = []

    def look(body, names):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
                if names is None or node.name != names[-1]:
                    gone.append(node)
            elif isinstance(node, ast.ClassDef) and node.name.lower().startswith("test"):
                if names is not None and len(names) > 1 and node.name == names[0]:
                    look(node.body, names[1:])
                elif not names or node.name != names[0]:
                    gone.append(node)

    look(ast.parse(text).body, wanted)
    lines = text.splitlines(keepends=True)
    for node in gone:
        first = min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])
        for number in range(first - 1, node.end_lineno):
            lines[number] = ""
    return "".join(lines)


def start(case):
    """The failure to keep, the text that all begin with, and the options pytest needs here."""
    with judge.Tree(case) as tree:
        base = tree.observe()
        text = judge.decode(tree.original)
        try:
            alone = without_other_tests(text, case["target"])
            if judge.difference(base, tree.observe(alone)) is None:
                text = alone
        except SyntaxError:
            pass
    return {"base": base, "text": text, "options": tree.options}


def one(options, toolbox, tool, case, beginning):
    if tool in STRATEGIES:
        found = run_paring(options, STRATEGIES[tool], case, beginning["text"], options.cap)
    else:
        found = run_reducer(tool, toolbox, case, beginning, options.cap)
    row = {"id": case["id"], "tool": tool, "runs": found["runs"], "seconds": round(found["seconds"], 2)}
    row.update(stopped=found["stopped"], trouble=found["trouble"], same=False, valid=False)
    if found["text"] is not None:
        target = found.get("target") or case["target"]
        answer = judge.judge(case, {"text": found["text"], "target": target})
        row.update(same=answer["same"], valid=bool(answer.get("valid")), sizes=answer.get("statements"))
        row["trouble"] = answer.get("difference") or row["trouble"]
        row["text"] = found["text"]
    return row


# ---- the table ----


def table(rows, tools):
    tried = [tool for tool in tools if any(row["tool"] == tool for row in rows)]
    shared = set.intersection(*({row["id"] for row in rows if row["tool"] == tool} for tool in tried)) if tried else set()
    lines = [f"{len(shared)} cases of at least 8 statements, the same for all.\n"]
    head = ["", "same failure", "valid", "statements before", "after, mean", "after among valid", "runs, median", "seconds, median", "mean", "stopped"]
    lines += [f"| {' | '.join(head)} |", "|---|" + "--:|" * (len(head) - 1)]
    for tool in tried:
        mine = [row for row in rows if row["tool"] == tool and row["id"] in shared]
        sized = [row for row in mine if row.get("sizes") and row["sizes"].get("after") is not None]
        valid = [row for row in sized if row["valid"]]
        mean = lambda values: f"{statistics.mean(values):.1f}" if values else "–"  # noqa: E731
        cells = [
            tool,
            f"{sum(row['same'] for row in mine)}/{len(mine)}",
            f"{sum(row['valid'] for row in mine)}/{len(mine)}",
            mean([row["sizes"]["before"] for row in sized]),
            mean([row["sizes"]["after"] for row in sized]),
            mean([row["sizes"]["after"] for row in valid]),
            f"{statistics.median(row['runs'] for row in mine):.0f}" if mine else "–",
            f"{statistics.median(row['seconds'] for row in mine):.1f}" if mine else "–",
            mean([row["seconds"] for row in mine]),
            f"{sum(row['stopped'] for row in mine)}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", f"| case (statements) | {' | '.join(tried)} |", "|---|" + "--:|" * len(tried)]
    for case_id in sorted(shared):
        found = {row["tool"]: row for row in rows if row["id"] == case_id}
        before = next((row["sizes"]["before"] for row in found.values() if row.get("sizes")), "?")
        lines.append(f"| `{case_id}` ({before}) | {' | '.join(cell(found[tool]) for tool in tried)} |")
    lines.append("\nA cell: statements after, runs, seconds. *slipped*: the same failure, also on the newer release. *–*: no text with the same failure.")
    return "\n".join(lines)


def cell(row):
    after = (row.get("sizes") or {}).get("after")
    if after is None or not row["same"]:
        return f"–, {row['runs']}, {row['seconds']:.0f} s"
    word = "" if row["valid"] else " *slipped*"
    return f"{after}{word}, {row['runs']}, {row['seconds']:.0f} s"


def main():
    if sys.argv[1:2] == ["--interesting"]:
        sys.exit(interesting(*sys.argv[2:4]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", type=Path)
    parser.add_argument("--paring", required=True)
    parser.add_argument("--python312", default=sys.executable, help="for Shrink Ray, which needs 3.12")
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "work" / "results" / "peers")
    parser.add_argument("--cases", type=int, default=16)
    parser.add_argument("--only", default="")
    parser.add_argument("--tools", default="all")
    parser.add_argument("--cap", type=float, default=300.0)
    options = parser.parse_args()
    options.paring = str(Path(options.paring).resolve())
    tools = [*STRATEGIES, *REDUCERS]
    if options.tools != "all":
        tools = [tool for tool in tools if any(word.strip() in tool for word in options.tools.split(","))]
    options.out.mkdir(parents=True, exist_ok=True)
    kept = options.out / "results.jsonl"
    rows = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()] if kept.exists() else []
    done = {(row["id"], row["tool"]) for row in rows}
    toolbox = Toolbox(options.python312)
    with open(options.collection, encoding="utf-8") as lines:
        cases = choose([json.loads(line) for line in lines], options.cases, options.only)
    for case in cases:
        missing = [tool for tool in tools if (case["id"], tool) not in done]
        beginning = start(case) if missing else None
        for tool in missing:
            row = one(options, toolbox, tool, case, beginning)
            rows.append(row)
            with open(kept, "a", encoding="utf-8") as out:
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{case['id']}  {tool}: {cell(row)} {row['trouble'][:120]}", file=sys.stderr, flush=True)
    chosen = {case["id"] for case in cases}
    text = table([row for row in rows if row["id"] in chosen], [*STRATEGIES, *REDUCERS])
    (options.out / "tables.md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
