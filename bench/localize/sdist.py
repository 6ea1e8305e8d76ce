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


def laid_out(project, interpreter, needed):
    """The tree, and an interpreter in which `needed` is installed; the project itself is to be found in the tree."""
    folder = WORK / project
    done = folder / "complete"
    python = folder / "venv" / "bin" / "python"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        subprocess.run([interpreter, "-m", "venv", str(folder / "venv")], check=True)
        pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        # For what the project needs itself.
        subprocess.run(pip + ["install", *needed, project], check=True)
        subprocess.run(pip + ["uninstall", "-y", project.split("==")[0]], check=True)
        subprocess.run(pip + ["download", "--no-deps", "--no-binary", ":all:", "-d", str(folder), project], check=True)
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder / "sdist", filter="data")
        done.touch()
    return next((folder / "sdist").iterdir()), python
