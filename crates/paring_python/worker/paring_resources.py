"""What a traced run does to files, the environment, tables and sockets, as audit events tell it, in order of time.

An entry is (how, resource), a resource a tuple: its kind and its names. `use` depends on what was there, `define` changes it,
`kill` leaves nothing of it. Who did it is for paring_trace to say: it asks, at the end of every statement, for the entries since its
beginning. A file that is written through a stream or descriptor changes without an event: `poll` finds that by its size and time.
"""
import io
import os
import sys

import paring_below
import paring_sql

UNKNOWN = ("unknown",)
CWD = ("cwd",)
CLOCK = ("clock",)
RANDOM = ("random",)
OUTPUTS = (("output", "stdout"), ("output", "stderr"))
CAPTURES = frozenset(["capsys", "capsysbinary", "capfd", "capfdbinary", "capteesys"])
UNCONNECTED = ("socket", "without an address")
ENTRY_LIMIT = 20_000
POLL_LIMIT = 50
WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
# What others may read and write unseen from here on.
UNSEEN = ("ctypes.dlopen", "ctypes.dlsym", "mmap.__new__", "os.fork", "os.forkpty")
# They start other programs, which do nothing but what a watcher of system calls sees.
STARTS = ("os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn", "subprocess.Popen")
CODE = (".py", ".pyc", ".so", ".pyd")


class Log(paring_below.Below):
    def __init__(self):
        super().__init__()
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
        # Sockets that were bound to any free port.
        self.unnamed = []
        # How often something happened that may have read anything, and how many entries there was no room for.
        self.n_unseen = 0
        self.n_lost = 0
        # Whether the test reads what was printed, how much of it there is, and whether it was just read.
        self.captures = False
        self.printed = {}
        self.was_drained = False
        # What the random numbers were like when the statement seeded them, and whether it drew none before that.
        self.seeded_at = None
        self.is_seeded = False

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
            self.explain(path)
        elif not os.path.isdir(path):
            self.heed(os.path.dirname(path))
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
        path = self.path(name, folder)
        self.heed(path)
        self.file("define", path)

    def entered(self, name):
        path = self.path(name)
        self.heed(path)
        self.file("use", path)
        self.add("kill", CWD)

    def poll(self):
        """Finds what was written to files since the last time, and which descriptors are open."""
        self.watched()
        if self.raw:
            open_paths = [descriptor_path(int(name)) for name in os.listdir("/proc/self/fd")] if os.path.isdir("/proc/self/fd") else None
            self.raw = {each for each in self.raw if open_paths is None or each[1] in open_paths}
        if self.unheard:
            self.listen(for_good=True)
            if sys.getprofile() == self.before_call:
                sys.setprofile(None)
        if self.captures:
            self.poll_output()
        for path, before in self.written.items():
            now = paring_below.state_of(path)
            if now != before:
                self.written[path] = now
                # The first look only says what it was like when it was opened.
                if before is not None and now is not None:
                    self.add("define", ("file", path))

    def poll_output(self):
        """Finds what was printed since the last time, and whether it was read and is gone."""
        was_drained, self.was_drained = self.was_drained, False
        for resource in OUTPUTS:
            stream = getattr(sys, resource[1])
            now = n_printed(stream)
            if now is None:
                continue
            same, before = self.printed.get(resource, (None, 0))
            before = before if same is stream else 0
            self.printed[resource] = stream, now
            if was_drained or now < before:
                self.add("use", resource)
                self.add("clear", resource)
                before = 0
            if now > before:
                self.add("define", resource)

    def begins_anew(self, before):
        """Whether the statement that began with these random numbers seeded them before it drew any."""
        return before is not None and self.seeded_at == before

    def drained(self):
        """What was printed is being read, and is gone then. Whoever asks depends on it even if there is nothing."""
        self.was_drained = True

    # -- tables

    def connected(self, connection):
        """A connection is not ready while this is told. Before the next call of anything in C, which may be its first `execute`, it
        is; or where nobody tells of that, at the end of the statement, which then counts as a change of the whole database."""
        database = self.opening
        if database in ("", ":memory:"):
            self.n_private += 1
            database = ":memory: %d" % self.n_private
        self.unheard.append((connection, database))
        if sys.getprofile() is None:
            sys.setprofile(self.before_call)
        else:
            self.add("define", ("table", database, ""))

    def before_call(self, frame, event, arg):
        if event != "c_call" or self.busy:
            return
        self.listen()
        if not self.unheard:
            sys.setprofile(None)

    def listen(self, for_good=False):
        import sqlite3

        self.busy = True
        waiting, self.unheard = self.unheard, []
        for connection, database in waiting:
            try:
                sqlite3.Connection.set_trace_callback(connection, Ear(self, database))
                if database in self.loose and is_plain(connection):
                    self.loose.discard(database)
            except sqlite3.ProgrammingError:
                # Not ready; or closed again, which needs no ear, or of another thread, where nothing is known anyway.
                if not for_good:
                    self.unheard.append((connection, database))
        self.busy = False

    def opens(self, database):
        database = os.fsdecode(database) if isinstance(database, (str, bytes, os.PathLike)) else ""
        if database not in ("", ":memory:") and not database.startswith("file:"):
            database = os.path.realpath(self.path(database))
            self.databases.add(database)
            self.use_folders(database)
            self.add("use", ("file", database))
            is_new = not os.path.exists(database) or not os.path.getsize(database)
            if ("table", database, "") not in self.changed and not is_new:
                self.loose.add(database)
            self.add("define" if is_new else "use", ("table", database, ""))
        self.opening = database
        if sys.version_info < (3, 10):
            # No connection is told of: what it does stays unseen.
            self.unseen()

    def executed(self, database, text, pending):
        """`pending` are the tables that the connection has changed and others do not see yet."""
        self.busy = True
        try:
            whole = ("table", database, "")
            self.add("use", whole)
            for how, table in paring_sql.tables(text):
                if (how, table) == ("use", "*"):
                    for each in sorted(self.changed | pending):
                        if each[:2] == ("table", database):
                            self.add("use", each)
                elif table == "*":
                    self.loose.add(database)
                elif table in paring_sql.ENDS:
                    for each in sorted(pending):
                        self.add("define", each)
                    pending.clear()
                else:
                    self.add(how, ("table", database, table))
                    if how == "define":
                        pending.add(("table", database, table))
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

    def meets(self, end, address):
        if isinstance(address, tuple) and len(address) >= 2 and address[1] == 0:
            # The system gives it a port of its own.
            self.unnamed.append(end)
            return
        resource = ("socket", address_text(address))
        self.add("define", resource)
        if isinstance(address, (str, bytes)) and address:
            self.file("define", self.path(address))

    def name_sockets(self):
        """Those that the last statement bound to any free port have an address now."""
        for end in self.unnamed:
            try:
                self.add("define", ("socket", address_text(end.getsockname())))
            except OSError:
                self.add("define", UNCONNECTED)
        self.unnamed.clear()

    def hear(self, event, args):
        hear = HEARS.get(event)
        if hear is not None:
            hear(self, *args)


class Ear:
    """What a connection calls; a class of its own, so that no look at the test's objects leads through it."""

    def __init__(self, log, database):
        self.log = log
        self.database = database
        self.pending = set()

    def __call__(self, text):
        self.log.executed(self.database, text, self.pending)


def is_plain(connection):
    """Whether a database has nothing that makes a statement touch tables that it does not name."""
    import sqlite3

    try:
        cursor = sqlite3.Cursor(connection)
        return cursor.execute("select count(*) from sqlite_master where type in ('trigger', 'view')").fetchone() == (0,)
    except sqlite3.Error:
        return False


def unseen(log, *_):
    log.unseen()


HEARS = {
    "open": Log.opened,
    "os.chdir": Log.entered,
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
    "socket.__new__": lambda log, *_: log.sees_looks() or log.add("define", UNCONNECTED),
    "socket.bind": Log.meets,
    "socket.connect": Log.meets,
    "socket.sendto": Log.meets,
    "socket.sendmsg": Log.meets,
    "sqlite3.connect": Log.opens,
    "sqlite3.connect/handle": Log.connected,
    "time.sleep": lambda log, *_: log.add("define", CLOCK),
    **{event: Log.started for event in STARTS},
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


def n_printed(stream):
    """How much a stream holds that pytest captures; None where it does not."""
    if type(stream).__module__ != "_pytest.capture":
        return None
    try:
        buffer = stream.buffer
        if isinstance(buffer, io.BytesIO):
            io.TextIOWrapper.flush(stream)
            return buffer.getbuffer().nbytes
        return os.fstat(buffer.fileno()).st_size
    except (AttributeError, OSError, ValueError):
        return None
