#!/usr/bin/env python3
"""Lines of code without tests, per crate, of two revisions: `bench/size.py [BEFORE [AFTER]]`.

A line counts that is neither blank nor a comment alone. Tests are left out: folders and files of that name, conformance suites, and in
a Rust file all from `#[cfg(test)]` before a module with a body. The workers' Python and Java count for their crates.
"""
import pathlib
import re
import subprocess
import sys

TEST_PARTS = {"tests", "tests.rs", "conformance", "conformance.rs", "testdata", "stubs", "examples", "snapshots"}
# All of it is for tests.
TESTKIT = "paring_testkit"
COMMENTS = {".rs": ("//",), ".py": ("#",), ".java": ("//", "/*", "*")}
TEST_MODULE = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{", re.MULTILINE)


def git(*args):
    return subprocess.run(["git", *args], check=True, stdout=subprocess.PIPE).stdout.decode("utf-8", "replace")


def n_lines(text, suffix):
    if suffix == ".rs":
        text = TEST_MODULE.split(text)[0]
    lines = (line.strip() for line in text.splitlines())
    return sum(1 for line in lines if line and not line.startswith(COMMENTS[suffix]))


def sizes(revision):
    found = {}
    for name in git("ls-tree", "-r", "--name-only", revision, "--", "crates").splitlines():
        path = pathlib.PurePosixPath(name)
        crate = path.parts[1]
        if path.suffix in COMMENTS and crate != TESTKIT and not TEST_PARTS.intersection(path.parts[2:]):
            found[crate] = found.get(crate, 0) + n_lines(git("show", "%s:%s" % (revision, name)), path.suffix)
    return found


def row(name, before, after):
    growth = "%+.1f %%" % (100 * (after - before) / before) if before else "new"
    return "| %s | %d | %d | %s |" % (name, before, after, growth)


def main():
    before, after = (sys.argv[1:] + ["c7f765b", "HEAD"][len(sys.argv) - 1 :])[:2]
    old, new = sizes(before), sizes(after)
    print("| crate | %s | %s | growth |\n|---|--:|--:|--:|" % (before, after))
    for crate in sorted(old.keys() | new.keys()):
        print(row("`%s`" % crate, old.get(crate, 0), new.get(crate, 0)))
    print(row("all", sum(old.values()), sum(new.values())))


if __name__ == "__main__":
    main()
