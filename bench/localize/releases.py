"""A failing test of the corpora on the older release of its library, with parts of the newer one put in."""
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import hunks

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "java"))
from layout import Jars  # noqa: E402  (it stands in a folder of its own)

SECONDS = 60
# What pytest ends with where it does not know an option, or the test.
USAGE_ERROR = 4
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
            self.pytest(cwd, [root, scratch], ["-p", "loaded_files"], env={"LOADED": str(scratch / "loaded")})
            # Nothing is written where pytest does not even start.
            names = json.loads((scratch / "loaded").read_text()) if (scratch / "loaded").exists() else []
            found.update(os.path.relpath(name, root) for name in names if Path(name).is_relative_to(root) and name.endswith(".py"))
        return found

    @contextlib.contextmanager
    def warm(self):
        """The port of a process that has pytest loaded (probe.py)."""
        names = [file.stem for file in self.older.iterdir()]
        with served([self.case["python"], str(HERE / "probe.py"), str(SECONDS), *names], self.case, self.env([])) as port:
            yield port

    def passes(self, chosen, scratch, port=None):
        """Whether the test passes on the older release with these hunks."""
        patched = Path(scratch, "patched")
        shutil.rmtree(patched, ignore_errors=True)
        shutil.copytree(self.older, patched, symlinks=True, copy_function=linked)
        for file, text in hunks.applied(self.older, chosen).items():
            write(patched / file, text)
        # Tests that are part of the package lie in it.
        cwd = patched if self.older == Path(self.case["cwd"]) else self.case["cwd"]
        return self.pytest(cwd, [patched], [], port=port) == 0

    def env(self, roots):
        return {**os.environ, **self.case["env"], "PYTHONPATH": os.pathsep.join(map(str, roots))}

    def pytest(self, cwd, roots, options, env=None, port=None):
        """What pytest ends with. What the project asks for may be options of plugins that are not installed here; that is found out once."""
        for more in [self.case["options"]] if "options" in self.case else ([], ["-o", "addopts="]):
            arguments = ["-q", "-p", "no:cacheprovider", "--tb=no", *options, *more, self.case["target"]]
            # Nobody reads what an assertion says; to have it said, pytest would write the whole file anew.
            code = self.asked(port, cwd, roots, ["--assert=plain", *arguments]) if port else self.cold(cwd, {**self.env(roots), **(env or {})}, arguments)
            if code != USAGE_ERROR:
                self.case["options"] = more
                break
        return code

    def cold(self, cwd, env, arguments):
        try:
            command = [self.case["python"], "-m", "pytest", *arguments]
            return subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS).returncode
        except subprocess.TimeoutExpired:
            return None

    def asked(self, port, cwd, roots, arguments):
        env = {**self.case["env"], "PYTHONPATH": os.pathsep.join(map(str, roots))}
        return int(ask(port, json.dumps({"cwd": str(cwd), "env": env, "roots": list(map(str, roots)), "arguments": arguments})))


class JavaRelease:
    def __init__(self, case):
        self.case = case
        name, old, new = case["id"].split("/")[:3]
        # Library, classes of the tests, their resources; then what they depend on.
        parts = case["classpath"].split(os.pathsep)
        self.own, self.rest = os.pathsep.join(parts[:3]), os.pathsep.join(parts[3:])
        jars = Jars(Path(parts[0]).parent.parent)
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

    @contextlib.contextmanager
    def warm(self):
        """The port of a JVM that answers at once (Probe.java)."""
        command = ["java", *self.case["jvm_args"], "-XX:+UseSerialGC", "-cp", self.rest, str(HERE / "Probe.java"), str(SECONDS)]
        with served(command, self.case, {**os.environ, **self.case["env"]}) as port:
            yield port

    def passes(self, chosen, scratch, port=None):
        """Whether the test passes on the older release with these hunks; only the files that they touch are compiled."""
        sources, classes = Path(scratch, "sources"), Path(scratch, "classes")
        for folder in (sources, classes):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        for file, text in hunks.applied(self.older, chosen).items():
            if text.strip():
                write(sources / file, text)
        if port:
            return self.asked(port, sources, classes) == "passes"
        files = [str(file) for file in sources.rglob("*.java")]
        command = ["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-proc:none", "-implicit:none", "-encoding", "UTF-8", "-d", str(classes)]
        command += ["-sourcepath", str(classes), "-cp", self.case["classpath"], *files]
        if files and subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            return False
        return self.run(os.pathsep.join([str(classes), self.case["classpath"]]), []) == 4

    def asked(self, port, sources, classes):
        method = self.case["target"].split("[")[0]
        if self.case.get("parameters"):
            method += "(%s)" % self.case["parameters"]
        return ask(port, "\n".join(map(str, (sources, classes, self.own, method))))

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


@contextlib.contextmanager
def served(command, case, env):
    """The port that a process listens on while it is needed; 0 where it does not."""
    server = subprocess.Popen(command, cwd=case["cwd"], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield int(server.stdout.readline() or 0)
    finally:
        server.kill()
        server.wait()


def ask(port, question):
    with socket.create_connection(("127.0.0.1", port), SECONDS + 30) as asking:
        asking.sendall((question + "\n").encode())
        answer = asking.makefile(encoding="utf-8").readline().strip()
    if not answer:
        raise ConnectionError("no answer")
    return answer


def unpacked(jars, coordinate):
    jars.fetch([coordinate])
    jar = jars.path(coordinate)
    folder = jar.with_suffix("")
    if not folder.exists():
        with zipfile.ZipFile(jar) as archive:
            archive.extractall(folder)
    return folder


def linked(source, target):
    """A second name for a file is made sooner than a copy."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    # It may be another name of a file that is to stay as it is.
    path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
