#!/usr/bin/env python3
"""Lays the corpus out: for every case the code of the older release with the tests of the newer one, and the newer with its own.

    layout.py [--corpus corpus.json] [--out ../work/python] [--python PYTHON] [--packages a,b] [--only TEXT]
              [--min-statements N] [--missing-api] [--limit N]

Writes OUT/cases.jsonl in the format of `paring evaluate`. Releases are fetched by name and version from the package index
that pip is set up for; everything is kept under OUT and used again. The cases were confirmed with CPython 3.11: --python
names it where it is not the one that runs this. Standard library and pip only.
"""
import argparse
import html
import io
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

HERE = Path(__file__).resolve().parent
ENVIRONMENT = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}

TEST_FOLDERS = {"tests", "test", "testing", "testsuite", "test_suite", "unittests", "_tests"}
TEST_FILE = re.compile(r"(test[^/]*|[^/]*_tests?)\.py$", re.I)
SOURCE_ROOTS = ((), ("src",), ("lib",), ("lib3",), ("python",))
NO_SOURCES = {"build", "dist", ".git", "__pycache__"}
NO_PACKAGES = TEST_FOLDERS | {
    "docs", "doc", "examples", "example", "scripts", "tools", "benchmarks", "bin", "__pycache__", "share", "etc",
}  # fmt: skip
ARCHIVE = re.compile(r"(?P<name>.+?)-(?P<version>\d[^/]*?)\.(?:tar\.gz|tgz|tar\.bz2|tar\.xz|zip)$")


class Workshop:
    """The folder everything is kept in. What is complete carries a mark; what is not is made anew."""

    def __init__(self, root, python):
        self.root, self.python = root, python
        root.mkdir(parents=True, exist_ok=True)

    def made(self, folder, make):
        mark = folder / ".complete"
        if not mark.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            make(folder)
            mark.touch()
        return folder

    def environment(self, package, requirements):
        """A virtual environment with what the package's tests need, the package itself not."""

        def make(folder):
            subprocess.run([self.python, "-m", "venv", str(folder)], check=True)
            self.pip(folder / "bin" / "python", "install", "--no-deps", *requirements)

        return self.made(self.root / "environments" / package, make) / "bin" / "python"

    def code(self, package, version, python):
        """One release of the package, installed into a folder of its own."""

        def make(folder):
            self.pip(python, "install", "--no-deps", "--target", str(folder), f"{package}=={version}")

        return self.made(self.root / "code" / package / version, make)

    def sources(self, package, version):
        """The unpacked source distribution, in which the tests are."""
        folder = self.made(
            self.root / "sources" / package / version, lambda folder: unpack(*fetch(package, version), folder)
        )
        return next(entry for entry in sorted(folder.iterdir()) if entry.is_dir())

    def project(self, package, code_of, tests_of, python):
        """The tests of one release over the code of another -> (folder, PYTHONPATH)."""
        code = self.code(package, code_of, python)
        ours = names(code) | names(self.code(package, tests_of, python))
        sources = self.sources(package, tests_of)
        folder = self.made(
            self.root / "projects" / package / f"code-{code_of}-tests-{tests_of}",
            lambda folder: assemble(folder, sources, code, ours),
        )
        inside = (folder / ".tests-inside").exists()
        return folder, folder if inside else code

    def pip(self, python, *arguments):
        command = [str(python), "-m", "pip", "--disable-pip-version-check", arguments[0], "--quiet", *arguments[1:]]
        again(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))


def again(action, times=3):
    """Networks fail; not for long, mostly."""
    for left in reversed(range(times)):
        try:
            return action()
        except (OSError, subprocess.CalledProcessError):
            if not left:
                raise
            time.sleep(3)


def index_url():
    """The index pip would use: from the environment, its configuration, or its own default."""
    if os.environ.get("PIP_INDEX_URL"):
        return os.environ["PIP_INDEX_URL"]
    configured = pip_setting("global.index-url")
    if configured:
        return configured
    from pip._internal.models.index import PyPI

    return PyPI.simple_url


def pip_setting(name):
    command = [sys.executable, "-m", "pip", "config", "get", name]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def read_url(url):
    authorities = os.environ.get("PIP_CERT") or pip_setting("global.cert") or None
    context = ssl.create_default_context(cafile=authorities if authorities and os.path.exists(authorities) else None)
    with urlopen(url, timeout=180, context=context) as answer:
        return answer.read()


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def fetch(package, version):
    """Name and content of a release's source distribution."""
    page_url = index_url().rstrip("/") + f"/{canonical(package)}/"
    page = again(lambda: read_url(page_url)).decode()
    for address, text in re.findall(r'<a\b[^>]*?href="([^"]+)"[^>]*>([^<]+)</a>', page):
        name = html.unescape(text).strip()
        found = ARCHIVE.fullmatch(name)
        if found and canonical(found["name"]) == canonical(package) and found["version"] == version:
            url = urljoin(page_url, html.unescape(address).partition("#")[0])
            return name, again(lambda: read_url(url))
    raise LookupError(f"no source distribution of {package} {version}")


def unpack(name, content, folder):
    if name.endswith(".zip"):
        zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
        return
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        if hasattr(tarfile, "data_filter"):
            archive.extractall(folder, filter="data")
        else:
            archive.extractall(folder)


def names(code):
    """Top-level modules and packages of an installed release."""
    found = set()
    for entry in code.iterdir():
        name = entry.name
        if name.startswith(".") or name.lower() in NO_PACKAGES or name.endswith((".dist-info", ".egg-info", ".pth", ".data")):
            continue
        if entry.is_dir() or name.endswith((".py", ".so")):
            found.add(name)
    return found


def assemble(folder, sources, code, ours):
    """Lays the newer release's files beside (or its tests inside) the older release's code."""
    inner, outer = {}, {}
    for path in sorted(sources.rglob("*")):
        parts = path.relative_to(sources).parts
        if not path.is_file() or any(part in NO_SOURCES or part.endswith(".egg-info") for part in parts[:-1]):
            continue
        place = within(parts, ours)
        if place is None:
            outer["/".join(parts)] = path
        else:
            inner[place] = path
    for place, path in outer.items():
        put(path, folder / place)
    tests = [place for place in inner if is_inner_test(place)]
    if not tests:
        return
    # The tests are part of the package: the code moves in with them, without the tests it came with.
    for entry in code.iterdir():
        there = folder / entry.name
        if entry.name in (".complete", "bin", "__pycache__") or there.exists():
            continue
        if entry.is_dir():
            shutil.copytree(entry, there)
        else:
            shutil.copy2(entry, there)
    folders = {top for top in map(test_folder, tests) if top}
    for top in folders:
        shutil.rmtree(folder / top, ignore_errors=True)
    for place, path in inner.items():
        in_tests = any(place.startswith(top + "/") for top in folders)
        if in_tests or place in tests or place.endswith("conftest.py"):
            put(path, folder / place)
    (folder / ".tests-inside").touch()


def within(parts, ours):
    """Where a file of the sources lies as seen from sys.path, if it belongs to the package; the deepest root counts."""
    place = None
    for root in SOURCE_ROOTS:
        if parts[: len(root)] == root and len(parts) > len(root) and parts[len(root)] in ours:
            place = "/".join(parts[len(root) :])
    return place


def is_inner_test(place):
    if not TEST_FILE.fullmatch(place.rpartition("/")[2]):
        return False
    return bool(test_folder(place)) or place.endswith("_test.py") or "/test_" in place


def test_folder(place):
    """The outermost folder of tests a file lies in, or None."""
    parts = place.split("/")
    for depth, part in enumerate(parts[:-1]):
        if part.lower() in TEST_FOLDERS:
            return "/".join(parts[: depth + 1])
    return None


def put(path, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(path, to)


def case_line(workshop, case, requirements):
    package, test = case["package"], case["test"]
    python = workshop.environment(package, requirements)
    cwd, path = workshop.project(package, case["code_of"], case["tests_of"], python)
    good_cwd, good_path = workshop.project(package, case["tests_of"], case["tests_of"], python)
    return {
        "id": f"{package}-{case['code_of']}-{case['tests_of']}::{test}",
        "target": test,
        "cwd": str(cwd),
        "python": str(python),
        "env": {**ENVIRONMENT, "PYTHONPATH": str(path)},
        "good_cwd": str(good_cwd),
        "good_env": {**ENVIRONMENT, "PYTHONPATH": str(good_path)},
        "package": package,
        "kind": case["kind"],
        "category": case["category"],
        "exception_type": case["exception"],
        "line": case["line"],
        "statements": case["statements"],
    }


def selected(corpus, options):
    packages = set(options.packages.split(",")) if options.packages else None
    cases = [
        case
        for case in corpus["cases"]
        if (packages is None or case["package"] in packages)
        and (options.missing_api or case["category"] != "missing-api")
        and case["statements"] >= options.min_statements
        and options.only in f"{case['package']}-{case['code_of']}-{case['tests_of']}::{case['test']}"
    ]
    return cases[: options.limit]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=HERE / "corpus.json")
    parser.add_argument("--out", type=Path, default=HERE.parent / "work" / "python")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--packages")
    parser.add_argument("--only", default="")
    parser.add_argument("--min-statements", type=int, default=0)
    parser.add_argument("--missing-api", action="store_true", help="also the cases that only miss a new name")
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    corpus = json.loads(options.corpus.read_text(encoding="utf-8"))
    workshop = Workshop(options.out.resolve(), options.python)
    cases, failed, n_lines = selected(corpus, options), {}, 0
    with open(workshop.root / "cases.jsonl.new", "w", encoding="utf-8") as out:
        for number, case in enumerate(cases, 1):
            pair = (case["package"], case["code_of"], case["tests_of"])
            if pair in failed:
                continue
            try:
                line = case_line(workshop, case, corpus["requirements"][case["package"]])
            except Exception as error:  # one release that cannot be had must not cost the others
                failed[pair] = error
                print("left out:", *pair, repr(error)[:200], file=sys.stderr)
                continue
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            n_lines += 1
            if sys.stderr.isatty():
                print(f"\r{number}/{len(cases)}", end="", file=sys.stderr)
    os.replace(workshop.root / "cases.jsonl.new", workshop.root / "cases.jsonl")
    print(f"{n_lines} of {len(cases)} cases laid out in {workshop.root}")
    sys.exit(0 if n_lines else 1)


if __name__ == "__main__":
    main()
