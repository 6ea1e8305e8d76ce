#!/usr/bin/env python3
"""Puts a table into its section of RESULTS.md, with the date, the machine and the commit it was measured on.

    results.py SECTION --table FILE [--python PYTHON] [--jobs N]
"""
import argparse
import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
SECTIONS = {
    "python": "Real failing tests, without a good version",
    "python-good": "Real failing tests, with the newer release as the good version",
    "java": "Real failing JUnit tests, without a good version",
    "java-good": "Real failing JUnit tests, with the newer release as the good version",
    "java-ssmin": "Real failing JUnit tests, a static slice alone",
    "java-batch": "Many JUnit tests of one project with one call",
    "java-baselines": "The largest JUnit tests beside experiments alone",
    "java-largest": "The largest JUnit tests",
    "java-largest-ddmin": "The largest JUnit tests, experiments alone",
    "peers": "The strategies alone, and public reducers",
    "strategies-python": "Generated Python tests, each strategy alone",
    "strategies-java": "Generated JUnit tests, each strategy alone",
    "command": "Small programs in other languages, and public reducers",
    "localize-overhead-python": "What recording the lines of each pytest test costs",
    "localize-overhead-java": "What recording the lines of each JUnit test costs",
    "localize-peers-python": "Seeded faults in Python packages beside FauxPy",
    "localize-peers-java": "Seeded faults in a Java library beside flacoco",
    "localize-seeded-python": "Seeded faults in Python packages, localised",
    "localize-seeded-java": "Seeded faults in Java libraries, localised",
    "localize-real-python": "Real faults of Python packages, localised",
    "localize-real-java": "Real faults of Java libraries, localised",
    "localize-several-python": "Real faults of Python packages, localised among others",
    "localize-several-java": "Real faults of Java libraries, localised among others",
    "merge": "Tests that repeat each other, and what becomes of them",
    "split": "Tests split by three splitters",
    "scale": "Analysis of large tests",
}
HEAD = """# Results

Measured by `make bench-python`, `make bench-java`, `make bench-strategies` and the others that `make help` lists; what the columns mean is told in
`docs/evaluate.md`. Every section says when and on what it was measured.
"""


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=HERE).stdout.strip()
    except OSError:
        return ""


def cpu():
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        found = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    except OSError:
        found = None
    return found.group(1) if found else output("sysctl", "-n", "machdep.cpu.brand_string") or platform.processor()


def provenance(section, python, jobs):
    commit = output("git", "rev-parse", "--short", "HEAD") or "unknown"
    changed = " with local changes" if output("git", "status", "--porcelain", "--untracked-files=no", "../crates") else ""
    interpreter = output(python, "--version") if python else f"Python {platform.python_version()}"
    if "java" in section:
        interpreter = output("java", "--version").partition("\n")[0]
    at_once = f"; {jobs} cases at once" if jobs and jobs > 1 else ""
    return (
        f"{datetime.date.today().isoformat()}; {os.cpu_count()} cores, {cpu()}; {platform.system()} {platform.machine()}; "
        f"{interpreter}; commit {commit}{changed}{at_once}."
    )


def keep(section, table, python=None, jobs=None):
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else HEAD
    body = f"<!-- {section} -->\n## {SECTIONS[section]}\n\n{provenance(section, python, jobs)}\n\n{table.strip()}\n<!-- end {section} -->\n"
    old = re.compile(rf"<!-- {section} -->\n.*?<!-- end {section} -->\n", re.S)
    if old.search(text):
        text = old.sub(lambda _: body, text)
    else:
        text = text.rstrip() + "\n\n" + body
    RESULTS.write_text(text, encoding="utf-8")
    print(f"kept in {RESULTS.relative_to(Path.cwd()) if RESULTS.is_relative_to(Path.cwd()) else RESULTS}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("section", choices=SECTIONS)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--python")
    parser.add_argument("--jobs", type=int)
    options = parser.parse_args()
    keep(options.section, options.table.read_text(encoding="utf-8"), options.python, options.jobs)


if __name__ == "__main__":
    main()
