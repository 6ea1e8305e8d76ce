#!/usr/bin/env python3
"""Splits the tests of JSBSim with each watcher, and says which slices pass alone.

    simulator.py --paring PROGRAM [--watch auto,off,…] [--python PYTHON]

The environment (`jsbsim` and pytest from the user's index) is made once, below bench/work/split. Standard library only.
"""
import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE.parent / "work" / "split"


def environment(interpreter):
    folder = WORK / "venv-jsbsim"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        subprocess.run([interpreter, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "jsbsim", "pytest"], check=True)
        (folder / "complete").touch()
    return python


def split(options, python, watch):
    """The outcomes, and where the paper's way (slices that nothing is run to check) left them."""
    found = {}
    tests = WORK / "jsbsim-tests"
    # paring takes the nearest repository for the project.
    (tests / ".git").mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "jsbsim" / "test_simulator.py", tests)
    for strategy in ("ds3", "auto"):
        out = WORK / "jsbsim" / watch / strategy
        out.mkdir(parents=True, exist_ok=True)
        command = [options.paring, "split", "test_simulator.py", "--python", str(python), "--watch", watch, "--strategy", strategy]
        command += ["--json", str(out / "result.json"), "--out", str(out), "--mutants", "0"]
        subprocess.run(command, cwd=tests, check=False, stdout=subprocess.DEVNULL)
        found[strategy] = json.loads((out / "result.json").read_text(encoding="utf-8")), out / "test_simulator.py"
    return found


def passing_alone(python, file, ids):
    """How many tests pass in a process of their own."""
    n_passed = 0
    for each in ids:
        name = each.partition("::")[2]
        command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{file}::{name}"]
        n_passed += subprocess.run(command, capture_output=True, check=False).returncode == 0
    return n_passed


def row(options, python, watch):
    cells = []
    for strategy, (outcomes, file) in split(options, python, watch).items():
        ids = [each for outcome in outcomes for each in outcome["tests"]]
        n_split = sum(outcome["status"] == "split" for outcome in outcomes)
        alone = passing_alone(python, file, ids) if ids else 0
        by = sorted({(outcome.get("watch") or {}).get("by") or "nobody" for outcome in outcomes})
        runs = [outcome["runs"] for outcome in outcomes if outcome["status"] == "split"]
        mean = f"{sum(runs) / len(runs):.1f}" if runs else "–"
        cells += [f"{n_split} of {len(outcomes)}", str(len(ids)), f"{alone}", mean]
    return f"| {watch} | {', '.join(by)} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paring", required=True)
    parser.add_argument("--watch", default="off,scan,inotify,strace,auto")
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    python = environment(options.python)
    print("| `--watch` | relied on | ds3: split | slices | pass alone | runs | auto: split | slices | pass alone | runs |")
    print("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    for watch in options.watch.split(","):
        print(row(options, python, watch), flush=True)


if __name__ == "__main__":
    main()
