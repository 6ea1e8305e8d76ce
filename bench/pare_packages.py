#!/usr/bin/env python3
"""`pytest --pare` as a user meets it: a wheel in a fresh environment, a PATH without cargo, public packages with a fault in each.

Usage: bench/pare_packages.py --wheel WHEEL --work FOLDER CASES.jsonl

CASES.jsonl has a failing test a line, with the folder of the package as it is with the fault (`cwd`, `env`) and without (`good_cwd`,
`good_env`), and the interpreter of an environment with what its tests need (`python`). Prints a row of a table for each case: whether the
pared test stands in the output, what it does on the package without the fault, and the seconds with `--pare` as a multiple of those of
the failing test alone.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import time


def run(*command, **more):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def environment(case, wheel, work, name):
    """A fresh environment with what the case's has, and the wheel."""
    folder = work / ("venv-" + name)
    own = folder / "bin" / "python"
    if not own.exists():
        frozen = run(case["python"], "-m", "pip", "freeze", "--exclude-editable").stdout
        wanted = [line for line in frozen.splitlines() if "==" in line]
        base = run(case["python"], "-c", "import sys; print(sys.base_prefix)").stdout.strip()
        run(pathlib.Path(base) / "bin" / "python3", "-m", "venv", folder)
        run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", *wanted, wheel)
    return own


def pytest(python, case, cwd, env, *args):
    """How long it took, its exit code and what it said."""
    plain = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CARGO_HOME", "RUSTUP_HOME")}
    # No cargo, and no other paring.
    plain.update(env, PATH="%s:/usr/bin:/bin" % python.parent)
    began = time.monotonic()
    done = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *args, cwd=cwd, env=plain)
    return time.monotonic() - began, done.returncode, done.stdout


def row(case, wheel, work):
    name = case["id"].split(" ")[0]
    python = environment(case, wheel, work, name)
    alone, code, _ = pytest(python, case, case["cwd"], case["env"], case["target"])
    out = work / "pared" / name
    shutil.rmtree(out, ignore_errors=True)
    took, pared_code, said = pytest(python, case, case["cwd"], case["env"], "--pare-out", out, case["target"])
    title = re.search(r"- pared test \((.*?)\) -", said)
    (work / (name + ".txt")).write_text(said)
    files = [path for path in out.rglob("*.py")] if out.exists() else []
    on_good = "-"
    if files:
        # In the place of the test file, where its neighbours are.
        beside = pathlib.Path(case["good_cwd"]) / case["target"].split("::")[0]
        here = beside.with_name("test_paring_result.py")
        here.write_text(files[0].read_text())
        try:
            _, good_code, _ = pytest(python, case, case["good_cwd"], case["good_env"], here)
        finally:
            here.unlink()
        on_good = "passes" if good_code == 0 else "exit %d" % good_code
    kept = "same" if code == pared_code else "%d, %d" % (code, pared_code)
    return "| %s | %s | %s | %s | %s | %.1f |" % (name, case["target"].rpartition("::")[2], title.group(1) if title else "no", on_good, kept, took / alone)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("cases", type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print("| package | test | pared test in the output | without the fault | exit code | time, of the failing test's |\n|---|---|---|---|---|--:|")
    for line in options.cases.read_text().splitlines():
        print(row(json.loads(line), options.wheel.resolve(), options.work.resolve()), flush=True)


if __name__ == "__main__":
    main()
