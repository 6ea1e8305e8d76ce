"""What a traced run does to files, the environment, tables and sockets, as audit events tell it, in order of time.

An entry is (how, resource), a resource a tuple: its kind and its names. `use` depends on what was there, `define` changes it,
`kill` leaves nothing of it. Who did it is for paring_trace to say: it asks, at the end of every statement, for the entries since its
beginning. A file that is written through a stream or descriptor changes without an event: `poll` finds that by its size and time.
"""
import os
import sys

import paring_sql

UNKNOWN = ("unknown",)
CWD = ("cwd",)
CLOCK = ("clock",)
RANDOM = ("random",)
UNCONNECTED = ("socket", "without an address")
ENTRY_LIMIT = 20_000
POLL_LIMIT = 50
WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
# What others may read and write unseen from here on.
UNSEEN = (
    "ctypes.dlopen", "ctypes.dlsym", "mmap.__new__", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system",
    "pty.spawn", "subprocess.Popen",
)  # fmt: skip
CODE = (".py", ".pyc", ".so", ".pyd")


class Log:
    def __init__(self):
        self.entries = []
        # While paring's own code runs in the place of the test's.
        self.busy = False
        # Resources that statements of the test file have changed so far: only their uses matter.
        self.changed = set()
        # Real path of a file opened for writing -> what it looked like last.
        self.written = {}
        # Paths behind descriptors that no stream object shows.
        self.raw = set()
        # The database that is being connected to, and those whose statements touch tables they do not name.
        self.opening = ""
        self.databases = set()
        self.unheard = []
        self.loose = set()
        self.n_private = 0
        self.prefixes = tuple({os.path.realpath(each) + os.sep for each in (sys.prefix, sys.base_prefix)})
        self.is_full = False
        # How often something happened that may have read anything, and how many entries there was no room for.
        self.n_unseen = 0
        self.n_lost = 0

    def add(self, how, resource):
        if len(self.entries) >= ENTRY_LIMIT:
            self.is_full = True
            self.n_lost += how != "use"
        else:
            self.entries.append((how, resource))

    def unseen(self):
        self.n_unseen += 1
        self.add("define", UNKNOWN)

    # -- files

    def path(self, name, folder=None):
        """The real path; that the name is relative is a use of the working directory."""
        if isinstance(name, int):
            return descriptor_path(name)
        name = os.fsdecode(name)
        if not os.path.isabs(name):
            if isinstance(folder, int) and folder >= 0:
                name = os.path.join(descriptor_path(folder) or "", name)
            else:
                self.add("use", CWD)
        head, tail = os.path.split(os.path.abspath(name))
        return os.path.join(os.path.realpath(head), tail)

    def file(self, how, path):
        if path is None or path.startswith(("/dev/", "/proc/", "/sys/")):
            return
        if how == "use" and ("file", path) not in self.changed and path.endswith(CODE) and path.startswith(self.prefixes):
            return
        self.use_folders(path)
        self.add(how, ("file", path))
        if path in self.databases:
            # Who takes the file of a database takes all its tables.
            for each in sorted(self.changed):
                if each[:2] == ("table", path):
                    self.add(how, each)

    def use_folders(self, path):
        while os.path.dirname(path) != path:
            path = os.path.dirname(path)
            if ("file", path) in self.changed:
                self.add("use", ("file", path))

    def below(self, path):
        inner = path.rstrip(os.sep) + os.sep
        return [each for each in sorted(self.changed) if each[0] == "file" and each[1].startswith(inner)]

    def opened(self, name, mode, flags):
        if isinstance(name, int):
            return
        path = os.path.realpath(self.path(name))
        if not isinstance(flags, int) or not flags & WRITES:
            self.file("use", path)
        elif not os.path.isdir(path):
            is_new = not os.path.exists(path)
            starts_anew = flags & os.O_TRUNC or is_new
            place = os.path.dirname(path) if is_new else path
            self.file("kill" if starts_anew and os.access(place, os.W_OK) else "define", path)
            if path not in self.written and len(self.written) < POLL_LIMIT:
                self.written[path] = None
        if mode is None:
            self.raw.add(("file", path))

    def removed(self, name, folder=None):
        path = self.path(name, folder)
        self.file("use", path)
        for inner in self.below(path):
            self.add("kill", inner)
        self.file("kill" if os.path.lexists(path) and os.access(os.path.dirname(path), os.W_OK) else "define", path)

    def renamed(self, name, target, folder=None, target_folder=None):
        path, target = self.path(name, folder), self.path(target, target_folder)
        self.file("use", path)
        how = "kill" if os.path.lexists(path) and os.access(os.path.dirname(target), os.W_OK) else "define"
        for inner in self.below(path):
            self.add("use", inner)
            self.add(how, inner)
            self.add(how, ("file", target + inner[1][len(path) :]))
        self.file(how, path)
        self.file(how, target)

    def linked(self, name, target, folder=None, target_folder=None):
        self.file("use", self.path(name, folder))
        self.file("define", self.path(target, target_folder))

    def listed(self, name=None):
        path = os.path.realpath(self.path("." if name is None else name) or "")
        self.file("use", path)
        for inner in self.below(path):
            self.add("use", inner)

    def defined(self, name, *_):
        self.file("define", self.path(name))

    def made(self, name, mode=None, folder=None):
        self.file("define", self.path(name, folder))

    def poll(self):
        """Finds what was written to files since the last time, and which descriptors are open."""
        if self.raw:
            open_paths = [descriptor_path(int(name)) for name in os.listdir("/proc/self/fd")] if os.path.isdir("/proc/self/fd") else None
            self.raw = {each for each in self.raw if open_paths is None or each[1] in open_paths}
        if self.unheard:
            self.listen()
        for path, before in self.written.items():
            now = state_of(path)
            if now != before:
                self.written[path] = now
                # The first look only says what it was like when it was opened.
                if before is not None and now is not None:
                    self.add("define", ("file", path))

    # -- tables

    def connected(self, connection):
        """A connection is not ready while this is told: what it executes is listened to from the end of the statement on. That
        changed the database as a whole (`opens`), whatever it executed."""
        database = self.opening
        if database in ("", ":memory:"):
            self.n_private += 1
            database = ":memory: %d" % self.n_private
        self.unheard.append((connection, database))

    def listen(self):
        import sqlite3

        for connection, database in self.unheard:
            try:
                sqlite3.Connection.set_trace_callback(connection, Ear(self, database))
            except sqlite3.ProgrammingError:
                # Closed again, which needs no ear, or of another thread, where nothing is known anyway.
                continue
        self.unheard.clear()

    def opens(self, database):
        database = os.fsdecode(database) if isinstance(database, (str, bytes, os.PathLike)) else ""
        if database not in ("", ":memory:") and not database.startswith("file:"):
            database = os.path.realpath(self.path(database))
            self.databases.add(database)
            self.use_folders(database)
            self.add("use", ("file", database))
            if ("table", database, "") not in self.changed and os.path.exists(database) and os.path.getsize(database):
                self.loose.add(database)
            self.add("define", ("table", database, ""))
        self.opening = database
        if sys.version_info < (3, 10):
            # No connection is told of: what it does stays unseen.
            self.unseen()

    def executed(self, database, text):
        self.busy = True
        try:
            whole = ("table", database, "")
            self.add("use", whole)
            for how, table in paring_sql.tables(text):
                if table == "*":
                    self.loose.add(database)
                else:
                    self.add(how, ("table", database, table))
            if database in self.loose:
                self.add("define", whole)
        finally:
            self.busy = False

    # -- sockets, environment, the rest

    def set_variable(self, name, *_):
        name = os.fsdecode(name)
        # pytest's own, of every phase.
        if name != "PYTEST_CURRENT_TEST":
            self.add("kill", ("env", name))

    def meets(self, _, address):
        resource = ("socket", address_text(address))
        self.add("define", resource)
        if isinstance(address, (str, bytes)) and address:
            self.file("define", self.path(address))

    def hear(self, event, args):
        hear = HEARS.get(event)
        if hear is not None:
            hear(self, *args)


class Ear:
    """What a connection calls; a class of its own, so that no look at the test's objects leads through it."""

    def __init__(self, log, database):
        self.log = log
        self.database = database

    def __call__(self, text):
        self.log.executed(self.database, text)


def unseen(log, *_):
    log.unseen()


HEARS = {
    "open": Log.opened,
    "os.chdir": lambda log, name: (log.file("use", log.path(name)), log.add("kill", CWD)),
    "os.chmod": Log.defined,
    "os.link": Log.linked,
    "os.listdir": Log.listed,
    "os.mkdir": Log.made,
    "os.putenv": Log.set_variable,
    "os.remove": Log.removed,
    "os.rename": Log.renamed,
    "os.rmdir": Log.removed,
    "os.scandir": Log.listed,
    "os.symlink": Log.linked,
    "os.truncate": Log.defined,
    "os.unsetenv": Log.set_variable,
    "os.utime": Log.defined,
    "shutil.rmtree": lambda log, name, *_: log.removed(name),
    "socket.__new__": lambda log, *_: log.add("define", UNCONNECTED),
    "socket.bind": Log.meets,
    "socket.connect": Log.meets,
    "socket.sendto": Log.meets,
    "socket.sendmsg": Log.meets,
    "sqlite3.connect": Log.opens,
    "sqlite3.connect/handle": Log.connected,
    "time.sleep": lambda log, *_: log.add("define", CLOCK),
    **{event: unseen for event in UNSEEN},
}


def address_text(address):
    if isinstance(address, tuple) and len(address) >= 2:
        return "%s:%s" % address[:2]
    return os.fsdecode(address) if isinstance(address, (str, bytes)) else repr(address)


def descriptor_path(number):
    try:
        path = os.readlink("/proc/self/fd/%d" % number)
    except OSError:
        return None
    return path if path.startswith("/") else None


def state_of(path):
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
