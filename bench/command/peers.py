#!/usr/bin/env python3
"""Runs paring, treereduce and Shrink Ray on one small failing program each in JavaScript, Rust, Go and C.

    peers.py --paring BIN [--python312 PYTHON] [--cases javascript,c] [--tools paring,treereduce,shrinkray] [--cap SECONDS]

The oracle is one and the same for all: the program's own tool (node, cargo, go, gcc) fails with the same exit code and prints
the same failure. It runs in a folder of its own with the candidate in the file's place, and counts its runs. paring is given that
tool as its command; the others are given a program that asks it. Each is stopped after the cap, and the smallest text that it has
shown to fail counts. Tokens are counted by the grammar of the language, as paring does. Tools are fetched into .tools/peers.
"""
import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The last Shrink Ray that does not bring a language model along.
SHRINKRAY = "shrinkray==26.7.3.0"
# What paring runs beyond the budget of its search, at most.
N_AROUND = 10
# For one candidate.
SECONDS = 30
TREEREDUCE = {"javascript": "javascript", "rust": "rust", "c": "c", "go": "go"}

CASES = {
    "javascript": {
        "file": "orders.js",
        "command": "node orders.js",
        "match": r"TypeError: Cannot read properties of undefined \(reading 'price'\)",
        "exit": 1,
    },
    "rust": {
        "file": "src/main.rs",
        "command": "cargo run --offline --quiet",
        "match": r"index out of bounds: the len is \d+ but the index is \d+",
        "exit": 101,
    },
    "go": {"file": "main.go", "command": "go run main.go", "match": r"panic: assignment to entry in nil map", "exit": 1},
    "c": {
        "file": "queue.c",
        "command": "gcc -w -fsanitize=address queue.c -o queue && ./queue",
        "match": r"AddressSanitizer: heap-buffer-overflow",
        "exit": 1,
    },
}


def environment():
    """Without what would make builds write elsewhere than into the folder of the run."""
    return {key: value for key, value in os.environ.items() if key not in ("CARGO_TARGET_DIR", "GOFLAGS")}


# ---- the oracle, as a program: exit 0 where the text fails as the original does ----


def limited():
    """What loops for ever ends, also when nobody is there any more to end it."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def interesting(name, folder, candidate):
    folder = Path(folder)
    case = CASES[name]
    with open(folder / "runs", "a") as runs:
        runs.write(".")
    text = Path(candidate).read_bytes()
    with tempfile.TemporaryDirectory(dir=folder) as place:
        place = Path(place, name)
        shutil.copytree(HERE / "cases" / name, place)
        (place / case["file"]).write_bytes(text)
        try:
            ran = subprocess.run(case["command"], shell=True, cwd=place, env=environment(), capture_output=True, timeout=SECONDS, preexec_fn=limited)
        except subprocess.TimeoutExpired:
            return 1
    output = (ran.stdout + ran.stderr).decode("utf-8", "replace")
    if ran.returncode != case["exit"] or not re.search(case["match"], output, re.MULTILINE):
        return 1
    best = folder / "best"
    if not best.exists() or len(text) < best.stat().st_size:
        whole = folder / f"best-{os.getpid()}"
        whole.write_bytes(text)
        os.replace(whole, best)
    return 0


# ---- the tools ----


class Toolbox:
    """The public reducers, installed when they are first asked for."""

    def __init__(self, python):
        self.folder, self.python = ROOT / ".tools" / "peers", python

    def shrinkray(self):
        venv = self.folder / "venv"
        if not (venv / "bin" / "shrinkray").exists():
            subprocess.run([self.python, "-m", "venv", str(venv)], check=True)
            subprocess.run([str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--prefer-binary", SHRINKRAY], check=True)
        return str(venv / "bin" / "shrinkray")

    def treereduce(self, name):
        grammar = TREEREDUCE[name]
        program = self.folder / "bin" / f"treereduce-{grammar}"
        if not program.exists():
            # The project publishes programs for some languages; for the others its library is put over the public grammar.
            own = ROOT / "bench" / "peers" / f"treereduce-{grammar}"
            source = ["--path", str(own)] if own.exists() else [f"treereduce-{grammar}"]
            built = {**os.environ, "CARGO_TARGET_DIR": str(self.folder / "target")}
            subprocess.run(["cargo", "install", "--quiet", *source, "--root", str(self.folder)], check=True, env=built)
        return str(program)

    def command(self, tool, name, test, file, folder):
        if tool == "shrinkray":
            return [self.shrinkray(), "--ui", "basic", "--volume", "quiet", "--no-clang-delta", "--input-type", "arg", "--timeout", "60", test, file]
        extension = Path(file).suffix
        return [self.treereduce(name), "--quiet", "--source", file, "--output", f"{folder}/out{extension}", "--", test, f"@@{extension}"]


def run_reducer(toolbox, tool, name, cap):
    with tempfile.TemporaryDirectory(prefix="paring-peers-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        test = folder / "test.sh"
        test.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" --interesting {name} "{scratch}" "$1"\n')
        test.chmod(0o755)
        file = folder / Path(CASES[name]["file"]).name
        shutil.copy(HERE / "cases" / name / CASES[name]["file"], file)
        command = toolbox.command(tool, name, str(test), str(file), scratch)
        started = time.monotonic()
        with open(folder / "log", "wb") as log:
            child = subprocess.Popen(command, cwd=scratch, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
            try:
                child.wait(cap)
                stopped = False
            except subprocess.TimeoutExpired:
                stopped = True
            finally:
                end(child)
        seconds = time.monotonic() - started
        runs, best = folder / "runs", folder / "best"
        return {
            "text": best.read_text(encoding="utf-8", errors="replace") if best.exists() else None,
            "runs": runs.stat().st_size if runs.exists() else 0,
            "seconds": seconds,
            "stopped": stopped,
            "trouble": "" if runs.exists() else (folder / "log").read_text(errors="replace").strip()[-300:],
        }


def end(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def run_paring(options, name, budget):
    case = CASES[name]
    with tempfile.TemporaryDirectory(prefix="paring-peers-") as scratch:
        place, out = Path(scratch, name), Path(scratch, "result.json")
        shutil.copytree(HERE / "cases" / name, place)
        command = [options.paring, "minimize", "--command", case["command"], "--match", case["match"], case["file"]]
        command += ["--jobs", str(options.jobs), "--budget", budget, "--json", str(out), "--quiet"]
        env = {**environment(), "PARING_CACHE_DIR": str(Path(scratch, "cache"))}
        started = time.monotonic()
        ran = subprocess.run(command, cwd=place, env=env, capture_output=True)
        seconds = time.monotonic() - started
        try:
            result = json.loads(out.read_text(encoding="utf-8"))[0]
        except (OSError, ValueError, IndexError):
            return {"text": None, "runs": 0, "seconds": seconds, "stopped": False, "trouble": ran.stderr.decode()[-300:]}
        return {
            "text": (result.get("file") or {}).get("text"),
            "tokens": (result.get("tokens") or {}).get("after"),
            "runs": result.get("runs") or 0,
            "seconds": seconds,
            "stopped": any("budget was spent" in note for note in result["notes"]),
            "trouble": (result.get("error") or {}).get("message", ""),
        }


def n_tokens(options, name, text):
    """By paring itself, so that all are counted alike: a command that never holds leaves the text as it is."""
    with tempfile.TemporaryDirectory(prefix="paring-peers-") as scratch:
        file = Path(scratch, Path(CASES[name]["file"]).name)
        file.write_text(text, encoding="utf-8")
        command = [options.paring, "minimize", "--command", f"[ -s {file.name} ] && exit 1; exit 0", file.name, "--quiet", "--json", "-"]
        command += ["--baseline", "1", "--budget", "1runs", "--jobs", "1"]
        env = {**environment(), "PARING_CACHE_DIR": str(Path(scratch, "cache"))}
        ran = subprocess.run(command, cwd=scratch, env=env, capture_output=True)
        return json.loads(ran.stdout)[0]["tokens"]["before"]


def table(rows):
    lines = ["| program | tool | bytes | tokens | runs | seconds | |", "|---|---|--:|--:|--:|--:|---|"]
    for row in rows:
        size = [str(row[key]) if row[key] is not None else "–" for key in ("bytes", "tokens")]
        word = "stopped" if row["stopped"] else row["trouble"][:60]
        lines.append(f"| {row['case']} | {row['tool']} | {size[0]} | {size[1]} | {row['runs']} | {row['seconds']:.0f} | {word} |")
    return "\n".join(lines)


def keep(options, rows, name, tool, found):
    """Keeps what a tool found: its text as a file, its size as a row, which is told at once."""
    text = found.pop("text")
    row = {"case": name, "tool": tool, "bytes": None, "tokens": None, **found}
    if text is not None:
        row["bytes"] = len(text.encode())
        row["tokens"] = n_tokens(options, name, text)
        file = f"{name}-{tool.replace(', ', '-').replace(' ', '-')}{Path(CASES[name]['file']).suffix}"
        (options.out / file).write_text(text, encoding="utf-8")
    rows.append(row)
    print(table([row]).splitlines()[-1], file=sys.stderr, flush=True)
    return row


def main():
    if sys.argv[1:2] == ["--interesting"]:
        sys.exit(interesting(*sys.argv[2:5]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paring", required=True)
    parser.add_argument("--python312", default=sys.executable, help="for Shrink Ray, which needs 3.12")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--tools", default="paring,treereduce,shrinkray")
    parser.add_argument("--cap", type=float, default=300.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "work" / "results" / "command")
    options = parser.parse_args()
    options.paring = str(Path(options.paring).resolve())
    options.out.mkdir(parents=True, exist_ok=True)
    toolbox = Toolbox(options.python312)
    rows = []
    for name in options.cases.split(","):
        original = (HERE / "cases" / name / CASES[name]["file"]).read_text(encoding="utf-8")
        size = {"bytes": len(original.encode()), "tokens": n_tokens(options, name, original)}
        rows.append({"case": name, "tool": "(original)", **size, "runs": 0, "seconds": 0.0, "stopped": False, "trouble": ""})
        for tool in options.tools.split(","):
            if tool == "paring":
                keep(options, rows, name, tool, run_paring(options, name, f"{options.cap:.0f}s"))
                continue
            found = keep(options, rows, name, tool, run_reducer(toolbox, tool, name, options.cap))
            if found["runs"] and not found["stopped"]:
                # Who runs longer may get smaller: no more runs than it took, the observations before and after the search included.
                as_long = run_paring(options, name, f"{max(1, found['runs'] - N_AROUND)}runs")
                keep(options, rows, name, f"paring, in no more runs than {tool}", as_long)
    text = table(rows)
    (options.out / "tables.md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
