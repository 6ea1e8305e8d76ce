"""What a run does to the world outside its process, as audit events tell it.

Two questions are answered from it: whether two such runs at once could disturb each other (`shares`), and, in a
traced run, which statement had an effect that no name shows (`n_effects` grew while it ran).
"""
import os
import sys

import paring_child
import paring_saver

WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
CHANGES = {
    "os.chdir": None,
    "os.chmod": 0,
    "os.link": 1,
    "os.mkdir": 0,
    "os.remove": 0,
    "os.rename": 1,
    "os.rmdir": 0,
    "os.symlink": 1,
    "os.truncate": 0,
    "os.utime": 0,
    "shutil.rmtree": 0,
    "shutil.copyfile": 1,
    "shutil.move": 1,
    "sqlite3.connect": 0,
}
HIDDEN_ONLY = {"os.system", "subprocess.Popen", "os.posix_spawn", "os.fork", "os.putenv", "os.unsetenv", "socket.sendto"}
LIMIT = 5


class Effects:
    def __init__(self, private):
        self.private = [os.path.realpath(path) for path in private]
        self.found = []
        self.n_effects = 0
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
                self.write(path)
        elif event in CHANGES:
            self.n_effects += 1
            place = CHANGES[event]
            if place is not None:
                self.touch(args[place])
        elif event in HIDDEN_ONLY:
            self.n_effects += 1
        elif event in ("tempfile.mkstemp", "tempfile.mkdtemp"):
            self.private.append(os.path.realpath(args[0]))
        elif event in ("socket.bind", "socket.connect"):
            self.n_effects += 1
            self.meet(event, args[1])

    def write(self, path):
        self.n_effects += 1
        self.touch(path)

    def touch(self, path):
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, (str, os.PathLike)) or str(path) in ("", ":memory:"):
            return
        real = os.path.realpath(os.fspath(path))
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
        is_heard = event == "open" or event in CHANGES or event in HIDDEN_ONLY or event[:6] in ("tempfi", "socket")
        # What is done to save a file is not the test's doing.
        if is_heard and not effects.busy and not paring_saver.is_busy():
            effects.busy = True
            try:
                effects.hear(event, args)
            except Exception:
                pass
            finally:
                effects.busy = False

    sys.addaudithook(hook)
    return effects
