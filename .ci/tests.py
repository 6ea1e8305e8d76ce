#!/usr/bin/env python3
"""Runs the workspace's test binaries side by side: cargo runs them one after the other, and most of them wait for interpreters and JVMs.

Usage: .ci/tests.py [--quick] [--at-once N]

cargo builds them and says where they are. A binary that passes has its `test result:` line printed, one that fails all that it said.
Those that took longest the last time start first. With --quick only what needs neither a virtual environment nor a JVM runs.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

# Tests of the program on real interpreters and JVMs, by the names of their binaries, and those of the runners in the language crates.
SLOW_BINARIES = {"java", "localize", "minimize", "split"}
SLOW_OF = "paring"
SLOW_TESTS = "runner::conformance"
# A test that needs one of them, and is not named above, fails in a quick run on any machine.
NOWHERE = {
    # For commands that need no more than an interpreter.
    "PARING_TEST_PYTHON": sys.executable,
    "PARING_TEST_PYTHON_OLDEST": "/nowhere/python",
    "PARING_TEST_PYTHON_MONITORING": "/nowhere/python",
    "PARING_TEST_JARS": "/nowhere/jars",
    "JAVA_HOME": "/nowhere/jdk",
}


class Binary:
    def __init__(self, message, folder):
        self.package = pathlib.Path(message["manifest_path"]).parent
        self.target = message["target"]["name"]
        self.executable = message["executable"]
        source = pathlib.Path(message["target"]["src_path"])
        self.name = str(source.relative_to(folder))

    def is_slow(self):
        return self.package.name == SLOW_OF and "/tests/" in self.name and self.target in SLOW_BINARIES

    def run(self, args, env):
        """How long it took, its exit code, and what it said."""
        began = time.monotonic()
        env = {**os.environ, **env, "CARGO_MANIFEST_DIR": str(self.package)}
        done = subprocess.run(
            [self.executable, *args], cwd=self.package, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return time.monotonic() - began, done.returncode, done.stdout.decode("utf-8", "replace")


def build(folder):
    command = ["cargo", "test", "--workspace", "--all-targets", "--locked", "--no-run", "--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE)
    if built.returncode != 0:
        sys.exit(built.returncode)
    messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith(b"{")]
    tests = [it for it in messages if it["reason"] == "compiler-artifact" and it["profile"]["test"] and it["executable"]]
    return [Binary(message, folder) for message in tests]


def seconds_file(binaries):
    return pathlib.Path(binaries[0].executable).parents[2] / "test-seconds.json"


def read_seconds(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


def show(binary, took, code, said):
    print("     Running %s (%.1f s)" % (binary.name, took))
    if code == 0:
        print("\n".join(line for line in said.splitlines() if line.startswith("test result:")))
    else:
        print(said.rstrip())
        print("error: %s ended with %d" % (binary.name, code))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only what needs neither a virtual environment nor a JVM")
    parser.add_argument("--at-once", type=int, default=max(2, os.cpu_count() or 1), help="binaries at once; each has as many threads as there are cores")
    options = parser.parse_args()
    folder = pathlib.Path(__file__).resolve().parent.parent
    binaries = build(folder)
    path = seconds_file(binaries)
    seconds = read_seconds(path)
    missing = SLOW_BINARIES - {binary.target for binary in binaries if binary.is_slow()}
    if missing:
        sys.exit("error: no test binary of %s is called %s any more" % (SLOW_OF, ", ".join(sorted(missing))))
    if options.quick:
        binaries = [binary for binary in binaries if not binary.is_slow()]
    args, env = (["--skip", SLOW_TESTS], NOWHERE) if options.quick else ([], {})
    # What nobody knows of comes first: it may be long.
    binaries.sort(key=lambda binary: -seconds.get(binary.name, float("inf")))
    began = time.monotonic()
    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        running = {pool.submit(binary.run, args, env): binary for binary in binaries}
        for done in concurrent.futures.as_completed(running):
            binary = running[done]
            took, code, said = done.result()
            show(binary, took, code, said)
            if code != 0:
                failed.append(binary.name)
            elif not options.quick:
                seconds[binary.name] = took
    path.write_text(json.dumps(seconds, indent=1, sort_keys=True) + "\n")
    print("\n%d test binaries in %.0f s, %d failed" % (len(binaries), time.monotonic() - began, len(failed)))
    for name in sorted(failed):
        print("failed: %s" % name)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
