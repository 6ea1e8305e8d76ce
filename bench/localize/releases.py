"""A failing test of the corpora on the older release of its library, with parts of the newer one put in."""
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import hunks

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "java"))
from layout import Jars  # noqa: E402  (it stands in a folder of its own)

SECONDS = 60
# Asked by pytest when it ends: where the modules came from.
PLUGIN = """
import json, os, sys
def pytest_sessionfinish(session):
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    with open(os.environ["LOADED"], "w") as file:
        json.dump([name for name in files if isinstance(name, str)], file)
"""


def of(language, case):
    return LANGUAGES[language](case)


class PythonRelease:
    def __init__(self, case):
        self.case = case
        self.older, self.newer = (Path(case[env]["PYTHONPATH"]) for env in ("env", "good_env"))

    def loaded(self, scratch):
        """The library's files that are loaded with the test, on either release."""
        (scratch / "loaded_files.py").write_text(PLUGIN, encoding="utf-8")
        found = set()
        for root, cwd in ((self.older, self.case["cwd"]), (self.newer, self.case.get("good_cwd", self.case["cwd"]))):
            env = self.env([root, scratch])
            self.pytest(cwd, {**env, "LOADED": str(scratch / "loaded")}, ["-p", "loaded_files"])
            names = json.loads((scratch / "loaded").read_text())
            found.update(os.path.relpath(name, root) for name in names if Path(name).is_relative_to(root) and name.endswith(".py"))
        return found

    def passes(self, chosen, scratch):
        """Whether the test passes on the older release with these hunks."""
        patched = Path(scratch, "patched")
        subprocess.run(["rm", "-rf", str(patched)], check=True)
        subprocess.run(["cp", "-r", str(self.older), str(patched)], check=True)
        for file, text in hunks.applied(self.older, chosen).items():
            write(patched / file, text)
        return self.pytest(self.case["cwd"], self.env([patched]), []) == 0

    def env(self, roots):
        return {**os.environ, **self.case["env"], "PYTHONPATH": os.pathsep.join(map(str, roots))}

    def pytest(self, cwd, env, options):
        command = [self.case["python"], "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", *options, self.case["target"]]
        try:
            return subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS).returncode
        except subprocess.TimeoutExpired:
            return None


class JavaRelease:
    def __init__(self, case):
        self.case = case
        name, old, new = case["id"].split("/")[:3]
        library, *self.rest = case["classpath"].split(os.pathsep)
        self.library = library
        jars = Jars(Path(library).parent.parent)
        self.older, self.newer = (unpacked(jars, f"{name}:{version}:sources") for version in (old, new))

    def loaded(self, scratch):
        """The library's files of which a class is loaded with the test, on either release."""
        found = set()
        for class_path in (self.case["classpath"], self.case["good_classpath"]):
            log = Path(scratch, "loaded")
            self.run(class_path, ["--jvm-arg=-Xlog:class+load:file=%s" % log])
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []:
                words = line.split("] ")[-1].split()
                if words:
                    found.add(words[0].split("$")[0].replace(".", "/") + ".java")
        return {file for file in found if (self.older / file).exists() or (self.newer / file).exists()}

    def passes(self, chosen, scratch):
        """Whether the test passes on the older release with these hunks; only the files that they touch are compiled."""
        sources, classes = Path(scratch, "sources"), Path(scratch, "classes")
        subprocess.run(["rm", "-rf", str(sources), str(classes)], check=True)
        classes.mkdir()
        files = hunks.applied(self.older, chosen)
        for file, text in files.items():
            write(sources / file, text)
        if files:
            command = ["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-proc:none", "-implicit:none", "-encoding", "UTF-8", "-d", str(classes)]
            command += ["-sourcepath", str(classes), "-cp", self.case["classpath"], *(str(sources / file) for file in files if files[file].strip())]
            if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
                return False
        return self.run(os.pathsep.join([str(classes), self.case["classpath"]]), []) == 4

    def run(self, class_path, options):
        """What paring says of the test: 4 is that it passes."""
        case = self.case
        command = [os.environ["PARING"], "minimize", case["target"], "--classpath", class_path, "--test-sources", case["test_sources"], "--quiet"]
        command += ["--baseline", "1", "--budget", "1runs", "--jobs", "1", *(f"--jvm-arg={arg}" for arg in case["jvm_args"]), *options]
        if case.get("release"):
            command += ["--javac-arg=--release", f"--javac-arg={case['release']}"]
        try:
            return subprocess.run(command, cwd=case["cwd"], env={**os.environ, **case["env"]}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS).returncode
        except subprocess.TimeoutExpired:
            return None


LANGUAGES = {"python": PythonRelease, "java": JavaRelease}


def unpacked(jars, coordinate):
    jars.fetch([coordinate])
    jar = jars.path(coordinate)
    folder = jar.with_suffix("")
    if not folder.exists():
        with zipfile.ZipFile(jar) as archive:
            archive.extractall(folder)
    return folder


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
