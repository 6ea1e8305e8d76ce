"""Saves files of the project before the test touches them, so that paring can put them back after the run.

What is written down, and why the first line of a path is the right one, is in `paring_worker/src/keeper/manifest.rs`. An audit hook
is called before a file is opened for writing, renamed or removed. Child processes and native code pass it by: whether there were any
(`hides`) is part of the answer, and paring then compares the project's files with a list.
"""
import _thread
import hashlib
import itertools
import json
import os
import stat
import sys

import paring_moved

# A test may put others in the place of these: here they are the system's.
_close, _getcwd, _getpid, _link, _lstat, _mkdir, _open, _read, _readlink, _scandir, _write, _exit = (
    os.close, os.getcwd, os.getpid, os.link, os.lstat, os.mkdir, os.open, os.read, os.readlink, os.scandir, os.write, os._exit,
)  # fmt: skip
_encode = json.JSONEncoder().encode
_thread_id = _thread.get_ident
_real_path = os.path.realpath

WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
MOST_BYTES = 256 << 20
MOST_LINKS = 40
# What is no file, or the system's own.
NOT_FILES = ("/dev/", "/proc/", "/sys/")

# Of an event's arguments: the path, the folder it is relative to, whether the end of a link is meant.
TOUCHES = {
    "os.chflags": ((0, None, True),),
    "os.chmod": ((0, 2, True),),
    "os.chown": ((0, 3, True),),
    "os.link": ((0, 2, True), (1, 3, False)),
    "os.mkdir": ((0, 2, False),),
    "os.remove": ((0, 1, False),),
    "os.removexattr": ((0, None, True),),
    "os.rename": ((0, 2, False), (1, 3, False)),
    "os.rmdir": ((0, 1, False),),
    "os.setxattr": ((0, None, True),),
    "os.symlink": ((1, 2, False),),
    "os.truncate": ((0, None, True),),
    "os.utime": ((0, 3, True),),
    "shutil.rmtree": ((0, None, False),),
}
# After these a whole folder may be elsewhere, or gone.
WHOLE = {"os.rename", "shutil.rmtree"}
STARTS = {"os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.system", "pty.spawn", "subprocess.Popen"}
# They start processes, or write, and raise no event.
HIDING_MODULES = {"_dbm", "_gdbm", "multiprocessing.popen_forkserver", "multiprocessing.popen_spawn_posix"}

# Whom to tell that the calls of this thread are paring's own from here on, or no longer: who watches system calls.
MUTING = None


class Saver:
    """What the files were, for one run, or for loading the project."""

    def __init__(self, given, folder):
        self.roots = tuple(given["roots"])
        self.excepted = tuple(given["except"])
        self.claims = None
        self.folder = folder
        self.saved = set()
        # Whatever is made below these goes with them.
        self.absent = set()
        self.numbers = itertools.count()
        # Whether native code is loaded, or a process was started, that may write what nobody sees.
        self.has_native = False
        self.has_child = False
        self.is_ready = False
        self.busy = set()

    def begin(self, folder, claims):
        """From here on files are saved for one run."""
        self.folder, self.claims, self.has_child = folder, claims, False
        self.saved, self.absent, self.is_ready = set(), set(), False

    def hear(self, event, args):
        me = _thread_id()
        if me in self.busy:
            return
        self.busy.add(me)
        muting = MUTING
        if muting is not None:
            muting(True)
        try:
            self.handle(event, args)
        except BaseException:
            # The test goes on, whatever happens here: paring will look for itself.
            self.has_child = True
        finally:
            if muting is not None:
                muting(False)
            self.busy.discard(me)

    def handle(self, event, args):
        if event == "open":
            if isinstance(args[2], int) and args[2] & WRITES:
                self.touch(args[0], None, True, False)
            else:
                paring_moved.hear_open(args[0])
        elif event == "import":
            self.has_native = self.has_native or args[0] in HIDING_MODULES or is_native(args[1])
        elif event == "sqlite3.connect":
            # It may attach another database, of which nobody hears.
            self.has_native = True
            path = database(args[0])
            for suffix in ("", "-journal", "-wal", "-shm") if path else ():
                self.touch(path + suffix, None, True, False)
        elif event == "ctypes.dlopen":
            self.has_native = True
        elif event in STARTS:
            self.has_child = True
            paring_moved.hear_start(args)
        else:
            for place, folder, follows in TOUCHES[event]:
                relative_to = args[folder] if folder is not None and folder < len(args) else None
                self.touch(args[place], relative_to, follows, event in WHOLE)

    def touch(self, path, folder, follows, whole):
        path = absolute(path, folder)
        if path is None:
            return
        path = real(path, follows)
        if self.may_save(path):
            self.save(path, whole)

    def may_save(self, path):
        if path in self.saved or path.startswith(NOT_FILES):
            return False
        root = innermost(self.roots, path)
        # A good version may be laid out in paring's own folder: the innermost folder decides.
        if len(innermost(self.excepted, path) or "") > len(root or ""):
            return False
        inside = path[len(root) + 1 :] if root is not None else None
        if inside is None:
            # While the project is loaded, it is pytest and its plugins that write.
            # In a folder that is not there nothing is written.
            is_file = not os.path.isdir(path) and os.path.isdir(os.path.dirname(path))
            if self.claims is not None and len(self.saved) < 1000 and is_file:
                self.saved.add(path)
                self.tell({"path": path, "was": "outside"})
            return False
        if not inside or inside == ".git" or inside.startswith(".git" + os.sep):
            return False
        return not (self.absent and any(above in self.absent for above in parents(path)))

    def save(self, path, whole):
        if not self.is_ready:
            self.make_ready()
        self.claim(path)
        line = self.look(path)
        self.tell(dict(line, path=path))
        # Only now: until here another thread has to save for itself.
        self.saved.add(path)
        if line["was"] == "absent":
            self.absent.add(path)
        if whole and line["was"] == "folder":
            with _scandir(path) as entries:
                names = [entry.name for entry in entries]
            for name in names:
                inner = path + os.sep + name
                if self.may_save(inner):
                    self.save(inner, True)

    def look(self, path):
        try:
            status = _lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return {"was": "absent"}
        except OSError as error:
            return {"was": "unsaved", "why": error.strerror or "it cannot be read"}
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISDIR(status.st_mode):
            return {"was": "folder", "mode": mode}
        if stat.S_ISLNK(status.st_mode):
            return {"was": "link", "target": _readlink(path)}
        if not stat.S_ISREG(status.st_mode):
            return {"was": "unsaved", "why": "it is no file"}
        if status.st_size > MOST_BYTES:
            return {"was": "unsaved", "why": "it is larger than %d MB" % (MOST_BYTES >> 20)}
        name = "%d-%d" % (_getpid(), next(self.numbers))
        try:
            copy(path, self.folder + os.sep + name)
        except OSError as error:
            return {"was": "unsaved", "why": error.strerror or "it cannot be copied"}
        return {"was": "file", "copy": name, "mode": mode, "modified": status.st_mtime_ns, "inode": status.st_ino}

    def make_ready(self):
        try:
            _mkdir(self.folder)
        except FileExistsError:
            pass
        if self.claims is not None:
            # Several threads may come here: each writes the same over what the others wrote.
            put(self.folder + os.sep + "name", os.path.basename(self.folder).encode(), os.O_TRUNC)
        put("%s%spid-%d" % (self.folder, os.sep, _getpid()), b"")
        self.is_ready = True

    def claim(self, path):
        """Two runs never write the same file, nor one in a folder that the other makes: this one ends where another does."""
        if self.claims is None:
            return
        own = self.folder + os.sep + "name"
        try:
            _link(own, self.claim_of(path))
        except FileExistsError:
            self.give_way_at(path, own)
        for above in parents(path):
            self.give_way_at(above, own)

    def claim_of(self, path):
        return self.claims + os.sep + hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def give_way_at(self, path, own):
        try:
            holder = get(self.claim_of(path))
        except FileNotFoundError:
            return
        if holder != get(own):
            put(self.folder + os.sep + "met", b"")
            _exit(0)

    def tell(self, line):
        if not self.is_ready:
            self.make_ready()
        try:
            line["path"].encode()
            line.get("target", "").encode()
        except UnicodeEncodeError:
            line = {"path": line["path"].encode("utf-8", "replace").decode(), "was": "unsaved", "why": "its name is not UTF-8"}
        put(self.folder + os.sep + "manifest", _encode(line).encode() + b"\n")


def is_native(path):
    """Whether a module that is loaded from there is not Python, and not of the standard library."""
    if not isinstance(path, str):
        return False
    own = is_within(path, os.path.dirname(os.__file__)) or "lib-dynload" in path
    return not own or "site-packages" in path or "dist-packages" in path


def absolute(path, folder):
    """None for what is no path."""
    if isinstance(path, int):
        return descriptor(path)
    if isinstance(path, os.PathLike):
        path = path.__fspath__()
    if isinstance(path, bytes):
        path = path.decode(sys.getfilesystemencoding(), "surrogateescape")
    if not isinstance(path, str) or not path:
        return None
    if os.path.isabs(path):
        return path
    base = descriptor(folder) if isinstance(folder, int) and folder >= 0 else _getcwd()
    return None if base is None else base + os.sep + path


def descriptor(number):
    """The path of an open file; None for pipes, and where the system does not tell."""
    try:
        path = _readlink("/proc/self/fd/%d" % number)
    except OSError:
        return None
    return path if path.startswith("/") and not path.startswith("/memfd:") else None


def real(path, follows):
    """The path without links in it, but for its last part unless that is to be followed."""
    if os.sep != "/":
        return _real_path(path)
    rest, done, n_links = path.split("/")[::-1], "", 0
    while rest:
        part = rest.pop()
        if part in ("", "."):
            continue
        if part == "..":
            done = done.rpartition("/")[0]
            continue
        there = done + "/" + part
        if follows or any(left not in ("", ".") for left in rest):
            try:
                target = _readlink(there)
            except OSError:
                done = there
                continue
            n_links += 1
            if n_links > MOST_LINKS:
                return path
            rest.extend(target.split("/")[::-1])
            if target.startswith("/"):
                done = ""
        else:
            done = there
    return done or "/"


def parents(path):
    while True:
        path, _, last = path.rpartition(os.sep)
        if not path or not last:
            return
        yield path


def innermost(folders, path):
    return max((folder for folder in folders if is_within(path, folder)), key=len, default=None)


def is_within(path, folder):
    return path == folder or path.startswith(folder + os.sep)


def database(name):
    """The file of a database; None for one in memory."""
    if isinstance(name, os.PathLike):
        name = name.__fspath__()
    if isinstance(name, bytes):
        name = name.decode(sys.getfilesystemencoding(), "surrogateescape")
    if not isinstance(name, str) or name in ("", ":memory:"):
        return None
    if name.startswith("file:"):
        from urllib.parse import unquote

        name = unquote(name[5:].partition("?")[0].partition("#")[0])
        if name.startswith("//"):
            name = "/" + name[2:].partition("/")[2]
    return name if name not in ("", ":memory:") else None


def copy(source, target):
    reading = _open(source, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        writing = _open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            piece = _read(reading, 1 << 20)
            while piece:
                write_all(writing, piece)
                piece = _read(reading, 1 << 20)
        finally:
            _close(writing)
    finally:
        _close(reading)


def put(path, data, how=os.O_APPEND):
    """Adds to a file, or replaces what is in it, at once."""
    writing = _open(path, os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_BINARY", 0), 0o600)
    try:
        write_all(writing, data)
    finally:
        _close(writing)


def get(path):
    reading = _open(path, os.O_RDONLY)
    try:
        return _read(reading, 4096)
    finally:
        _close(reading)


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[_write(fd, view) :]


SAVER = None


def install(start):
    """Saves from here on, at first what loading the project changes. Audit hooks cannot be removed."""
    global SAVER
    given = start.get("saves")
    if given is None or SAVER is not None:
        return
    SAVER = Saver(given, given["loading"])
    heard = {"open", "import", "sqlite3.connect", "ctypes.dlopen"} | STARTS | set(TOUCHES)
    hear = SAVER.hear

    def hook(event, args):
        if event in heard:
            hear(event, args)

    sys.addaudithook(hook)


def begin(start, request, has_native):
    """Saves for a run."""
    install(start)
    if SAVER is not None and request.get("saves"):
        SAVER.begin(request["saves"], start["saves"]["claims"])
        # What the worker itself loaded since hides nothing.
        SAVER.has_native = has_native


def is_busy():
    """Whether this thread is saving."""
    return SAVER is not None and _thread_id() in SAVER.busy


def has_native():
    return SAVER is not None and SAVER.has_native


def hides():
    """Whether what was seen may not be all there is."""
    return SAVER is not None and (SAVER.has_native or SAVER.has_child)
