"""What a run does to the world outside its process, as audit events tell it.

It tells whether two such runs at once could disturb each other (`shares`), and hands the events of a traced run on to its log of
resources.
"""
import os
import sys

import paring_child
import paring_resources
import paring_saver

WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
# Of an event's arguments: the path, and the folder it is relative to.
CHANGES = {
    "os.chmod": (0, 2),
    "os.link": (1, 3),
    "os.mkdir": (0, 2),
    "os.remove": (0, 1),
    "os.rename": (1, 3),
    "os.rmdir": (0, 1),
    "os.symlink": (1, 2),
    "os.truncate": (0, None),
    "os.utime": (0, 3),
    "shutil.rmtree": (0, None),
    "shutil.copyfile": (1, None),
    "shutil.move": (1, None),
    "sqlite3.connect": (0, None),
}
LIMIT = 5


class Effects:
    def __init__(self, private):
        self.private = [os.path.realpath(path) for path in private]
        self.found = []
        # What a traced run does to resources.
        self.log = None
        self.busy = False

    def shares(self):
        return self.found[:LIMIT]

    def share(self, what):
        if len(self.found) < LIMIT and what not in self.found:
            self.found.append(what)

    def hear(self, event, args):
        if event == "open":
            path, mode, flags = args
            # A folder is opened to make a file without a name in it, which nobody else can open.
            if isinstance(flags, int) and flags & WRITES and not is_folder(path):
                self.touch(path)
        elif event in CHANGES:
            place, folder = CHANGES[event]
            self.touch(args[place], args[folder] if folder is not None and folder < len(args) else None)
        elif event in ("tempfile.mkstemp", "tempfile.mkdtemp"):
            self.private.append(os.path.realpath(args[0]))
        elif event in ("socket.bind", "socket.connect"):
            self.meet(event, args[1])

    def touch(self, path, folder=None):
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, (str, os.PathLike)) or str(path) in ("", ":memory:"):
            return
        path = paring_saver.absolute(path, folder)
        if path is None:
            return
        real = os.path.realpath(path)
        if isinstance(real, str) and not real.startswith(("/dev/", "/proc/")):
            if not any(real == own or real.startswith(own + os.sep) for own in self.private):
                self.share("writes " + real)

    def meet(self, event, address):
        if isinstance(address, (str, bytes)):
            self.touch(address)
        elif isinstance(address, tuple) and len(address) >= 2 and isinstance(address[1], int):
            port = address[1]
            if event == "socket.bind" and port != 0:
                self.share("listens on port %d" % port)
            elif event == "socket.connect" and port < 32768:
                self.share("connects to port %d" % port)


def is_folder(path):
    return isinstance(path, (str, bytes, os.PathLike)) and os.path.isdir(path)


def watch(*private):
    """Listens from now on. Audit hooks cannot be removed: this is for a process that makes one run."""
    own = paring_child.basetemp(os.getpid())
    effects = Effects([own] + [folder for folder in private if folder])

    def hook(event, args):
        # What is done to save a file is not the test's doing.
        if effects.busy or paring_saver.is_busy():
            return
        log = effects.log
        if log is not None and event in paring_resources.HEARS and not log.busy:
            log.busy = effects.busy = True
            muting = paring_saver.MUTING
            if muting is not None:
                muting(True)
            try:
                log.hear(event, args)
            except Exception:
                log.unseen()
            finally:
                if muting is not None:
                    muting(False)
                log.busy = effects.busy = False
        if event == "open" or event in CHANGES or event[:6] in ("tempfi", "socket"):
            effects.busy = True
            muting = paring_saver.MUTING
            if muting is not None:
                muting(True)
            try:
                effects.hear(event, args)
            except Exception:
                pass
            finally:
                if muting is not None:
                    muting(False)
                effects.busy = False

    sys.addaudithook(hook)
    return effects
