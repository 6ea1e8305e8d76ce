"""What a test depends on beside files of the project: the interpreter, what is installed, variables of the environment."""
import hashlib
import os
import sys

INSTALLED = (".dist-info", ".egg-info", ".egg-link", ".pth")
# Of the many variables there are, those that interpreters and pytest themselves look at.
PREFIXES = ("PY", "LC_")
NAMES = ("LANG", "TZ")


def digest():
    """Changes with any of it."""
    parts = [sys.version, sys.executable, sys.platform]
    for folder in sys.path:
        parts += sorted(installed(folder))
    parts += sorted("%s=%s" % pair for pair in os.environ.items() if pair[0].startswith(PREFIXES) or pair[0] in NAMES)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def installed(folder):
    """Packages of a folder by name and version, with the time at which they were put there."""
    try:
        with os.scandir(folder or os.curdir) as entries:
            return ["%s %d" % (entry.path, entry.stat().st_mtime) for entry in entries if entry.name.endswith(INSTALLED)]
    except OSError:
        return []
