#!/usr/bin/env python3
"""Lays the corpus out: for every case the older release of a library under the tests of the newer one, and the newer under its own.

    layout.py [--corpus corpus.json] [--out ../work/java] [--libraries a,b] [--only TEXT] [--min-statements N] [--limit N]

Writes OUT/cases.jsonl in the format of `paring evaluate`. Jars and published test sources are fetched by their coordinates with
the user's own `mvn`; everything is kept under OUT and used again. What of the tests needs more than the older release has is left
out, as corpus.json says: whole files, or members whose lines are blanked so that all others keep their numbers. The cases were
confirmed with JDK 17. Standard library, a JDK and Maven only.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
AT_ONCE = 100
ENVIRONMENT = {"TZ": "UTC"}
TOLD = ("declaring_class", "junit", "kind", "statements", "parameters")


class Jars:
    """The folder of jars, by group and file name."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, coordinate):
        group, *name = coordinate.split(":")
        return self.folder / group / ("-".join(name) + ".jar")

    def fetch(self, coordinates):
        missing = sorted({it for it in coordinates if not self.path(it).exists()})
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            print(f"fetching {len(some)} of {len(missing)} jars", file=sys.stderr)
            pom = self.folder / "pom.xml"
            self.folder.mkdir(parents=True, exist_ok=True)
            pom.write_text(self.pom(some), encoding="utf-8")
            subprocess.run(["mvn", "-B", "-q", "-f", str(pom), COPY], check=True, stdout=sys.stderr)

    def pom(self, coordinates):
        def item(coordinate):
            names = zip(("groupId", "artifactId", "version", "classifier"), coordinate.split(":"))
            fields = "".join(f"<{tag}>{escape(value)}</{tag}>" for tag, value in names)
            folder = escape(str(self.path(coordinate).parent))
            return f"<artifactItem>{fields}<outputDirectory>{folder}</outputDirectory></artifactItem>"

        plugin, version = COPY.split(":")[1:3]
        items = "".join(map(item, coordinates))
        return (
            "<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>jars</artifactId><version>1</version>"
            f"<packaging>pom</packaging><build><plugins><plugin><artifactId>{plugin}</artifactId><version>{version}</version>"
            f"<configuration><artifactItems>{items}</artifactItems></configuration></plugin></plugins></build></project>"
        )


class Pair:
    """One library in two releases: its folder, and the class paths of both sides."""

    def __init__(self, root, jars, pair, library):
        self.pair, self.library = pair, library
        self.name, self.old, self.new = pair["artifact"], pair["lib_version"], pair["test_version"]
        self.folder = root / "pairs" / self.name.split(":")[1] / f"{self.old}_{self.new}"
        self.sources = self.folder / "src/test/java"
        self.resources = self.folder / "src/test/resources"
        self.test_jar = f"{self.name}:{self.new}:test-sources"
        self.dependencies = library["deps"][self.new]
        self.jars = jars

    def coordinates(self):
        return [f"{self.name}:{self.old}", f"{self.name}:{self.new}", self.test_jar, *self.dependencies]

    def class_path(self, side, own=True):
        library = self.jars.path(f"{self.name}:{self.old if side == 'old' else self.new}")
        classes = [self.folder / f"classes-{side}"] if own else []
        parts = [library, *classes, self.resources, *map(self.jars.path, self.dependencies)]
        return os.pathsep.join(map(str, parts))

    def lay_out(self):
        mark = self.folder / ".complete"
        if mark.exists():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.resources.mkdir(parents=True)
        # Tests that look for their resources where Maven puts them find them.
        (self.folder / "target").mkdir()
        (self.folder / "target/test-classes").symlink_to(self.resources)
        newer = self.folder / "sources-new"
        self.unpack(self.sources, self.resources, self.pair["dropped_files"], self.pair["blanked_lines"])
        self.unpack(newer, None, self.pair["new_dropped_files"], self.pair["new_blanked_lines"])
        self.compile(self.sources, "old")
        self.compile(newer, "new")
        mark.touch()

    def unpack(self, sources, resources, dropped, blanked):
        with zipfile.ZipFile(self.jars.path(self.test_jar)) as jar:
            for entry in jar.infolist():
                name = entry.filename
                root = sources if name.endswith(".java") else resources
                if entry.is_dir() or root is None or name in dropped or name.startswith("META-INF/maven/"):
                    continue
                target = root / name
                if ".." in target.parts:
                    continue
                content = jar.read(entry)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(blank(content, blanked[name]) if name in blanked else content)

    def compile(self, sources, side):
        classes, nothing = self.folder / f"classes-{side}", self.folder / "no-sources"
        classes.mkdir()
        nothing.mkdir(exist_ok=True)
        files = sorted(it for it in sources.rglob("*.java") if it.name != "module-info.java")
        listed = self.folder / f"files-{side}"
        listed.write_text("".join('"%s"\n' % str(it).replace("\\", "\\\\") for it in files), encoding="utf-8")
        command = ["javac", "-J-Xmx2g", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-proc:none", "-implicit:none", "-encoding", "UTF-8"]
        command += ["--release", self.pair["release"], "-d", str(classes), "-cp", self.class_path(side, own=False)]
        # Nothing that is on no class path is to be compiled on the side.
        command += ["-sourcepath", str(nothing), f"@{listed}"]
        subprocess.run(command, check=True, stdout=sys.stderr, stderr=subprocess.PIPE)

    def case(self, case):
        target = f"{case['class']}#{case['method']}"
        return {
            "id": "/".join([self.name, self.old, self.new, target]),
            "package": self.name,
            "target": target,
            "cwd": str(self.folder),
            "classpath": self.class_path("old"),
            "good_classpath": self.class_path("new"),
            "test_sources": str(self.sources),
            "env": ENVIRONMENT,
            "release": self.pair["release"],
            "jvm_args": self.library["jvm_args"],
            **{name: case[name] for name in TOLD},
        }


def blank(content, ranges):
    """The text without some lines, the others where they were."""
    lines = content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for first, last in ranges:
        lines[first - 1 : last] = [""] * (last - first + 1)
    return "\n".join(lines).encode("utf-8")


def key(of):
    return of["artifact"], of["lib_version"], of["test_version"]


def wanted(corpus, options):
    libraries = set(options.libraries.split(",")) if options.libraries else None
    for case in corpus["cases"]:
        named = not libraries or libraries & {case["artifact"], case["artifact"].split(":")[1]}
        text = "/".join([*key(case), f"{case['class']}#{case['method']}"])
        if named and case["statements"] >= options.min_statements and options.only in text:
            yield case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=HERE / "corpus.json")
    parser.add_argument("--out", type=Path, default=HERE.parent / "work/java")
    parser.add_argument("--libraries")
    parser.add_argument("--only", default="")
    parser.add_argument("--min-statements", type=int, default=0)
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    root = options.out.resolve()
    root.mkdir(parents=True, exist_ok=True)
    corpus = json.loads(options.corpus.read_text(encoding="utf-8"))
    cases = list(wanted(corpus, options))[: options.limit]
    jars = Jars(root / "jars")
    needed = {key(case) for case in cases}
    pairs = {key(it): Pair(root, jars, it, corpus["artifacts"][it["artifact"]]) for it in corpus["pairs"] if key(it) in needed}
    jars.fetch([coordinate for pair in pairs.values() for coordinate in pair.coordinates()])
    for pair in list(pairs.values()):
        try:
            pair.lay_out()
            print("laid out", pair.name, pair.old, pair.new, file=sys.stderr)
        except (subprocess.CalledProcessError, OSError) as error:
            said = (getattr(error, "stderr", None) or b"")[-500:].decode("utf-8", "replace")
            print("left out", pair.name, pair.old, pair.new, error, said, file=sys.stderr)
            del pairs[key(pair.pair)]
    with open(root / "cases.jsonl", "w", encoding="utf-8") as out:
        for case in cases:
            if key(case) in pairs:
                out.write(json.dumps(pairs[key(case)].case(case)) + "\n")


if __name__ == "__main__":
    main()
