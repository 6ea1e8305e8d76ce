#!/usr/bin/env python3
"""What recording the lines of each test costs a JUnit suite, beside the suite alone and JaCoCo, which keeps no test apart.

    overhead_java.py --paring BIN [--project ARTIFACT:VERSION] [--repeat 5] [--out FILE]

The project is a release of the Java corpus with its own tests. All ways run the same test classes in one JVM; they take turns, and each
figure is the median of its runs.
"""
import argparse
import os
import subprocess
import time
from pathlib import Path

import sdist
from java_project import JavaProject
from overhead import tables

JACOCO = "org.jacoco:org.jacoco.agent:0.8.13:runtime"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paring", required=True, type=Path)
    parser.add_argument("--project", default="org.apache.commons:commons-text:1.9")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    project = JavaProject(args.project, args)
    project.pair.jars.fetch([JACOCO])
    agent = project.pair.jars.path(JACOCO)
    env = {**project.env(None), "PARING_CACHE_DIR": str(sdist.WORK / "cache")}
    console = ["-cp", project.class_path, "org.junit.platform.console.ConsoleLauncher", "execute", "--details=none", "--disable-banner"]
    console += [f"--select-class={name}" for name in project.classes]
    java = ["java", *project.library["jvm_args"]]
    ways = {
        "JUnit's console alone": [*java, *console],
        "`paring localize --no-purify`": [str(args.paring.resolve()), "localize", "--no-purify", "--fresh", "--classpath", project.class_path, *project.options, *project.classes],
        "JaCoCo, all tests together": [*java, f"-javaagent:{agent}=destfile={os.devnull}", *console],
    }
    seconds, said = {way: [] for way in ways}, {}
    for _ in range(args.repeat):
        for way, command in ways.items():
            began = time.perf_counter()
            ran = subprocess.run(command, cwd=project.pair.folder, env=env, capture_output=True, text=True)
            seconds[way].append(time.perf_counter() - began)
            lines = [line.strip(" []") for line in (ran.stdout + ran.stderr).splitlines()]
            said[way] = next((line for line in lines if "tests successful" in line or " ran" in line), "exit %d" % ran.returncode)
    table = tables(args.project, seconds, said)
    print(table)
    if args.out:
        args.out.write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main()
