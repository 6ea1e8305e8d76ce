"""A project's sdist from the package index, unpacked, with an environment for its tests: made once, and kept."""
import shutil
import subprocess
import tarfile
from pathlib import Path

# More failing tests than this share of the suite is no fault that anybody would look for by lines.
BREAKS_ALL = 0.5
WORK = Path(__file__).resolve().parent.parent / "work" / "localize"


def breaks_all(n_failed, n_passed):
    return n_failed > BREAKS_ALL * (n_failed + n_passed)


def environment(folder, project, interpreter, needed):
    """An interpreter with `needed` and what the project needs itself; the project is to be found in its tree."""
    done = folder / "complete"
    python = folder / "bin" / "python"
    if not done.exists():
        subprocess.run([interpreter, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run(pip(python) + ["install", *needed, project], check=True)
        subprocess.run(pip(python) + ["uninstall", "-y", project.split("==")[0]], check=True)
        done.touch()
    return python


def pip(python):
    return [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]


def laid_out(project, interpreter, needed):
    """The tree, and an interpreter for its tests."""
    folder = WORK / project
    done = folder / "complete"
    python = environment(folder / "venv", project, interpreter, needed)
    if not done.exists():
        shutil.rmtree(folder / "sdist", ignore_errors=True)
        subprocess.run(pip(python) + ["download", "--no-deps", "--no-binary", ":all:", "-d", str(folder), project], check=True)
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder / "sdist", filter="data")
        done.touch()
    return next((folder / "sdist").iterdir()), python
