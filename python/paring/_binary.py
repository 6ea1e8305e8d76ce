"""Where the binary of this package is, and which version it has."""

import os
import subprocess
import sys
import sysconfig

NAME = "paring.exe" if os.name == "nt" else "paring"


class NoBinary(FileNotFoundError):
    """There is no binary beside this package. Says where it was looked for, and what to do."""


def find_paring_bin():
    """The path of the binary: that of PARING_BINARY, else the one that was installed with this package."""
    named = os.environ.get("PARING_BINARY")
    if named:
        if os.path.isfile(named):
            return named
        raise NoBinary("PARING_BINARY names %s, and there is no such file" % named)
    folders = list(script_folders())
    for folder in folders:
        path = os.path.join(folder, NAME)
        if os.path.isfile(path):
            return path
    raise NoBinary(
        "the package paring is installed without its binary (looked in %s): run `pip install --force-reinstall paring`, or set PARING_BINARY" % ", ".join(folders)
    )


def script_folders():
    """Where installers put commands, most likely first."""
    yield sysconfig.get_path("scripts")
    here = os.path.dirname(os.path.abspath(__file__))
    # `pip install --target DIR` and `--prefix DIR`.
    yield os.path.join(os.path.dirname(here), "bin")
    yield os.path.join(here, "..", "..", "..", "..", "Scripts" if os.name == "nt" else "bin")
    # `pip install --user`.
    user = "%s_user" % os.name
    if user in sysconfig.get_scheme_names():
        yield sysconfig.get_path("scripts", scheme=user)


def version_of(binary):
    """The version that a binary says it has."""
    done = subprocess.run([binary, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30, check=False)
    words = done.stdout.decode("utf-8", "replace").split()
    if done.returncode != 0 or len(words) != 2 or words[0] != "paring":
        raise OSError("%s --version says %r" % (binary, " ".join(words)[:200]))
    return words[1]


def version_of_package():
    """The version that this package was installed with; `None` where it was not installed."""
    from importlib import metadata

    try:
        return metadata.version("paring")
    except metadata.PackageNotFoundError:
        return None


def checked_paring_bin():
    """The binary, once it is known to be of the same version as this package."""
    binary = find_paring_bin()
    found, wanted = version_of(binary), version_of_package()
    if wanted is not None and found != wanted:
        raise NoBinary("%s is paring %s, and the package is %s: install both from one wheel" % (binary, found, wanted))
    return binary


if sys.version_info < (3, 9):
    raise ImportError("paring needs Python 3.9 or newer")
