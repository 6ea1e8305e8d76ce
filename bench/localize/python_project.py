"""A Python package with seeded faults: its sdist, and pytest."""
import os
import re
import shutil
import subprocess
import sys
import time

import mutants
import sdist

# Name, version and folders of code and tests; small suites that need nothing but pytest.
PROJECTS = {
    "toolz==1.0.0": ("toolz", "toolz/tests"),
    "more-itertools==10.5.0": ("more_itertools", "tests"),
    "portion==2.6.0": ("portion", "tests"),
}
# A mutant may loop for ever: a suite gets so many times its usual time.
PATIENCE = 5


def counted(said, word):
    found = re.search(rf"(\d+) {word}", said.splitlines()[-1])
    return int(found[1]) if found else 0


class PythonProject:
    def __init__(self, name, args):
        self.name, self.args = name, args
        self.code, self.tests = PROJECTS[name]
        self.tree, self.python = sdist.laid_out(name, args.python, ["pytest>=8"])
        began = time.perf_counter()
        ran = self.pytest(self.tree, 600)
        self.seconds = time.perf_counter() - began
        if ran is None or ran.returncode != 0:
            sys.exit("the tests of %s do not pass as they are:\n%s" % (name, ran and ran.stdout[-2000:]))

    def env(self, tree):
        return dict(os.environ, PYTHONPATH=str(tree), PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0")

    def pytest(self, tree, limit):
        command = [str(self.python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", self.tests]
        try:
            return subprocess.run(command, cwd=tree, env=self.env(tree), capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return None

    def mutants(self):
        """All mutants, each with its file."""
        tests = self.tree / self.tests
        for path in sorted((self.tree / self.code).rglob("*.py")):
            if tests not in path.parents and "_vendor" not in path.parts:
                for mutant in mutants.mutants(path.read_text(encoding="utf-8")):
                    yield path.relative_to(self.tree), mutant

    def seeded(self, path, mutant, folder):
        """Where and how `paring localize` is to run; None where no test fails, or more breaks than tests."""
        tree = folder / "tree"
        shutil.copytree(self.tree, tree)
        (tree / path).write_text(mutant.text, encoding="utf-8")
        ran = self.pytest(tree, 10 + PATIENCE * self.seconds)
        # 0 kills nothing; 1 has failing tests; all else broke the run.
        if ran is None or ran.returncode != 1 or sdist.breaks_all(*(counted(ran.stdout, word) for word in ("failed", "passed"))):
            return None
        return tree, self.env(tree), ["--python", str(self.python), "--fault", "%s:%d" % (path, mutant.line), self.tests]
