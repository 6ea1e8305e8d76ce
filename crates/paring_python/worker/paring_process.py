"""The settings of the whole process: what a test may change, and should put back.

A pared test that leaves behind what the original cleaned up spoils the tests after it, and the runner itself.
"""
import os
import signal

try:
    import resource
except ImportError:  # not a Unix
    resource = None

SIGNALS = ("SIGINT", "SIGTERM", "SIGALRM")
# pytest's own word on where it is.
IGNORED = "PYTEST_"


def settings():
    """The settings by name."""
    found = {"environment " + name: value for name, value in os.environ.items() if not name.startswith(IGNORED)}
    found["working directory"] = working_directory()
    found["file mask"] = file_mask()
    for name in SIGNALS:
        if hasattr(signal, name):
            found["handler of " + name] = signal.getsignal(getattr(signal, name))
    if resource is not None:
        for name in dir(resource):
            if name.startswith("RLIMIT_"):
                found["limit " + name] = limit(getattr(resource, name))
    return found


def working_directory():
    try:
        return os.getcwd()
    except OSError:
        return None


def file_mask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def limit(kind):
    try:
        return resource.getrlimit(kind)
    except (OSError, ValueError):
        return None


def changed(before, after):
    """The names of the settings that are not what they were."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
