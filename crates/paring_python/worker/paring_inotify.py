"""Watches the folders that a test has to do with by inotify, whoever changes or reads something there.

It tells names, not doers: what another process does in the same folder at the same time counts as the statement's doing.
"""
import ctypes
import errno
import os
import struct

IN_ACCESS, IN_MODIFY, IN_ATTRIB, IN_CLOSE_WRITE, IN_CLOSE_NOWRITE = 0x1, 0x2, 0x4, 0x8, 0x10
IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE, IN_DELETE = 0x40, 0x80, 0x100, 0x200
IN_Q_OVERFLOW, IN_IGNORED, IN_ISDIR, IN_ONLYDIR = 0x4000, 0x8000, 0x40000000, 0x1000000
HEEDED = IN_ACCESS | IN_MODIFY | IN_CLOSE_NOWRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE
EVENT = struct.Struct("iIII")
MOST_FOLDERS = 500
# Caches of tools, and what nobody reads back.
SKIPPED = frozenset(["__pycache__", ".git", ".hg", ".pytest_cache", ".mypy_cache", ".tox", ".venv", "node_modules"])


class Inotify:
    name = "inotify"
    sees_children = False

    def __init__(self, watch):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self.libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.fd < 0:
            raise OSError(os.strerror(ctypes.get_errno()))
        self.paths = {}
        self.remarks = watch.why
        self.is_full = False
        # Folders that are not there yet, and files that were made in a folder before that was watched.
        self.awaited = set()
        self.found = []
        for folder in sorted(watch.folders):
            self.heed(folder)

    def heed(self, folder):
        """Watches a folder with all below it, from when it is there."""
        if os.path.isdir(folder):
            self.watch(folder)
            self.found.clear()
        else:
            self.awaited.add(folder)

    def watch(self, folder):
        waiting = [os.path.realpath(folder)]
        while waiting:
            path = waiting.pop()
            if path in self.paths.values() or os.path.basename(path) in SKIPPED:
                continue
            if len(self.paths) >= MOST_FOLDERS:
                return self.fill(path)
            number = self.libc.inotify_add_watch(self.fd, os.fsencode(path), HEEDED | IN_ONLYDIR)
            if number < 0:
                if ctypes.get_errno() == errno.ENOSPC:
                    return self.fill(path)
                continue
            self.paths[number] = path
            try:
                entries = list(os.scandir(path))
            except OSError:
                continue
            self.found.extend(each.path for each in entries)
            waiting.extend(each.path for each in entries if each.is_dir(follow_symlinks=False))

    def drain(self, log):
        folder = os.getcwd()
        if folder not in self.paths.values():
            self.heed(folder)
        for folder in [each for each in sorted(self.awaited) if os.path.isdir(each)]:
            self.awaited.discard(folder)
            self.watch(folder)
        self.tell_found(log)
        while True:
            try:
                data = os.read(self.fd, 1 << 16)
            except BlockingIOError:
                break
            place = 0
            while place < len(data):
                number, mask, _, length = EVENT.unpack_from(data, place)
                place += EVENT.size + length
                self.event(log, number, mask, os.fsdecode(data[place - length : place].rstrip(b"\0")))

    def fill(self, path):
        if not self.is_full:
            self.remarks.append("inotify: not all folders are watched, such as %s" % path)
        self.is_full = True

    def tell_found(self, log):
        for path in self.found:
            log.seen("kill", path)
        self.found.clear()

    def event(self, log, number, mask, name):
        if mask & IN_Q_OVERFLOW:
            log.unseen()
            return
        folder = self.paths.get(number)
        if mask & IN_IGNORED:
            self.paths.pop(number, None)
        if folder is None or not name or name in SKIPPED:
            return
        path = os.path.join(folder, name)
        if mask & (IN_CREATE | IN_MOVED_TO):
            log.seen("kill" if not mask & IN_ISDIR else "define", path)
            if mask & IN_ISDIR:
                self.watch(path)
                self.tell_found(log)
        elif mask & (IN_DELETE | IN_MOVED_FROM):
            log.seen("kill", path)
        elif mask & IN_MODIFY:
            log.seen("define", path)
        else:
            log.seen("list" if mask & IN_ISDIR else "use", path)

    def close(self):
        os.close(self.fd)
