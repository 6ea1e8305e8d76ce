"""Watches system calls by an `strace` that is attached to this process.

Each time it is asked it makes a call that no program makes, the marker, and reads what `strace` wrote until that shows up: what comes
before it happened before it. Calls of child processes are told too, under the folder that each of them is in.

    77 openat(AT_FDCWD</tmp/t>, "out.csv", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</tmp/t/out.csv>
    77 write(3</tmp/t/out.csv>, ""..., 5) = 5
    77 access("paring:12", F_OK) = -1 ENOENT (No such file or directory)
"""
import ctypes
import os
import re
import shutil
import subprocess
import time

import paring_child
import paring_saver

PR_SET_PTRACER = 0x59616D61
ATTACH_LIMIT = 10.0
ANSWER_LIMIT = 30.0
OPENS = ("open", "openat", "openat2", "creat")
WRITES = ("write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "fallocate", "sendfile", "copy_file_range", "splice")
COPIES = ("sendfile", "copy_file_range", "splice")
SENDS = ("sendto", "sendmsg", "recvfrom", "recvmsg", "read", "readv")
LOOKS = ("access", "faccessat", "faccessat2", "stat", "lstat", "newfstatat", "statx", "readlink", "readlinkat")
MAKES = ("mkdir", "mkdirat", "mknod", "mknodat", "chmod", "fchmodat", "utimensat")
ENDS = ("unlink", "unlinkat", "rmdir")
RENAMES = ("rename", "renameat", "renameat2")
LINKS = ("link", "linkat", "symlink", "symlinkat")
MEETS = ("bind", "connect")
CALLS = OPENS + WRITES + SENDS[:4] + LOOKS + MAKES + ENDS + RENAMES + LINKS + MEETS + ("truncate", "getdents64", "execve", "chdir", "fchdir")

LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?: resumed>|\()(.*)$", re.S)
RESULT = re.compile(r"^(.*)\) += (-?\d+|\?)(.*)$", re.S)
STRING = r'"((?:[^"\\]|\\.)*)"'
PATH = re.compile(r"(?:(AT_FDCWD|\d+)(?:<((?:[^<>\\]|\\.)*)>)?, )?" + STRING)
DESCRIPTOR = re.compile(r"^(\d+)<((?:[^<>\\]|\\.)*|(?:TCP|UDP|TCPv6|UDPv6|UNIX)[^>]*(?:->[^>]*)?)>(\(deleted\))?")
BEHIND = re.compile(r"\d+<(/(?:[^<>\\]|\\.)*)>")
ADDRESS = re.compile(r'htons\((\d+)\), (?:sin_addr=inet_addr\("([^"]*)"\)|.*?inet_pton\(AF_INET6, "([^"]*)")')
ESCAPE = re.compile(rb"\\(x[0-9a-f]{2}|[0-7]{1,3}|.)", re.S)
ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b"}

MUTE = '"paring:mute-'
ON, OFF = "paring:mute-on", "paring:mute-off"
_access = os.access


class Strace:
    name = "strace"
    sees_children = True

    def __init__(self, watch):
        program = shutil.which("strace")
        if program is None:
            raise OSError("is not installed")
        self.path = os.path.join(watch.scratch or "/tmp", "strace-%d" % os.getpid())
        self.me = str(os.getpid())
        self.n_marks = 0
        self.is_on = False
        self.rest = b""
        self.unfinished = {}
        self.folders = {}
        # The marker before which a process was first seen; whether it is a thread of this one.
        self.born = {}
        self.own = {self.me: True}
        self.is_late = False
        # How deep each thread is in paring's own code.
        self.muted = {}
        open(self.path, "wb").close()
        self.file = open(self.path, "rb", buffering=0)
        paring_child.prctl(PR_SET_PTRACER, ctypes.c_ulong(-1))
        command = [program, "-f", "-yy", "-s", "0", "-qq", "-A", "-e", "signal=none", "-e", "trace=" + ",".join("?" + call for call in CALLS)]
        self.process = subprocess.Popen(
            command + ["-o", self.path, "-p", self.me], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self.read_to_mark(ATTACH_LIMIT)
        paring_saver.MUTING = mute

    def heed(self, path):
        """All folders are watched."""

    def read_to_mark(self, limit):
        """What was written up to a marker that is made now."""
        self.n_marks += 1
        mark = b'"paring:%d"' % self.n_marks
        if self.is_on:
            _access("paring:%d" % self.n_marks, os.F_OK)
        until = time.monotonic() + limit
        data = self.rest
        while mark not in data:
            if not self.is_on:
                # It is not attached yet, and misses some.
                _access("paring:%d" % self.n_marks, os.F_OK)
            read = self.file.read(1 << 20)
            data += read or b""
            if not read:
                self.wait(until)
        self.is_on = True
        place = data.rfind(b"\n", 0, data.index(mark)) + 1
        told, rest = data[:place], data[place:]
        self.rest = rest.partition(b"\n")[2]
        return told.decode("utf-8", "surrogateescape")

    def wait(self, until):
        if self.process.poll() is not None:
            said = self.process.stderr.read().decode("utf-8", "replace").strip().splitlines()
            raise OSError(said[-1] if said else "ended")
        if time.monotonic() > until:
            raise OSError("does not answer")
        time.sleep(0.0001)

    def drain(self, log):
        self.is_late = False
        for line in self.read_to_mark(ANSWER_LIMIT).split("\n"):
            found = LINE.match(line)
            if found is not None:
                self.line(log, *found.groups())
        if self.is_late:
            # What an earlier statement started went on during this one.
            log.unseen()
        # What was read is of no more use.
        if self.file.tell() > 1 << 22:
            os.truncate(self.path, 0)
            self.file.seek(0)

    def line(self, log, pid, call, text):
        if text.endswith("<unfinished ...>"):
            self.unfinished[pid] = text[: -len("<unfinished ...>")]
            return
        if pid in self.unfinished:
            text = self.unfinished.pop(pid) + text
        found = RESULT.match(text)
        if found is not None and "(deleted)" not in text:
            self.called(log, pid, call, found.group(1), found.group(2), found.group(3))

    def is_own(self, pid):
        if pid not in self.own:
            self.own[pid] = os.path.exists("/proc/self/task/" + pid)
        return self.own[pid]

    def called(self, log, pid, call, args, result, behind):
        if MUTE in args or self.muted.get(pid):
            change = 1 if MUTE + 'on"' in args else -1 if MUTE + 'off"' in args else 0
            self.muted[pid] = max(self.muted.get(pid, 0) + change, 0)
            return
        failed = result.startswith("-") or result == "?"
        if not self.is_own(pid) and self.born.setdefault(pid, self.n_marks) != self.n_marks:
            self.is_late = True
        if call in WRITES or call in SENDS or call == "getdents64":
            self.through(log, call, args, failed)
        elif call in MEETS:
            address = ADDRESS.search(args)
            if address is not None and not failed:
                log.seen_socket("%s:%s" % (address.group(2) or address.group(3), address.group(1)))
        elif call in ("chdir", "fchdir"):
            path = self.path_of(pid, args) if call == "chdir" else descriptor(args)
            if path and not failed:
                self.folders[pid] = path
        elif call in OPENS:
            self.opened(log, pid, args, behind, failed)
        else:
            paths = [self.joined(pid, *each) for each in PATH.findall(args)]
            if not paths or paths[0] is None:
                return
            self.named(log, call, paths, failed)

    def opened(self, log, pid, args, behind, failed):
        path = descriptor(behind.strip() and "0" + behind.strip()) if not failed else None
        path = path or self.path_of(pid, args)
        if path is None:
            return
        writes = "O_WRONLY" in args or "O_RDWR" in args
        if not writes or failed:
            log.seen("use", path)
        elif "O_TRUNC" in args or "O_EXCL" in args:
            log.seen("kill", path)
        else:
            log.seen("define", path) if "O_CREAT" in args else log.seen("use", path)

    def through(self, log, call, args, failed):
        if call in COPIES and not failed:
            ends = [unescape(path) for path in BEHIND.findall(args)][:: 1 if call != "sendfile" else -1]
            if len(ends) == 2:
                log.seen("use", ends[0])
                log.seen("define", ends[1])
            return
        found = DESCRIPTOR.match(args)
        if found is None or failed:
            return
        path = unescape(found.group(2))
        if path.startswith(("TCP", "UDP")):
            for address in re.findall(r"((?:\d+\.){3}\d+|\[[0-9a-f:]+\]):(\d+)", path):
                log.seen_socket("%s:%s" % (address[0].strip("[]"), address[1]), is_met=False)
            address = ADDRESS.search(args)
            if address is not None:
                log.seen_socket("%s:%s" % (address.group(2) or address.group(3), address.group(1)))
        elif path.startswith("/"):
            log.seen("list" if call == "getdents64" else "define" if call in WRITES else "use", path)

    def named(self, log, call, paths, failed):
        if failed or call in LOOKS or call == "execve":
            log.seen("use", paths[0])
        elif call in MAKES or call == "truncate":
            log.seen("define", paths[0])
        elif call in ENDS:
            log.seen("kill", paths[0])
        elif call in RENAMES and len(paths) > 1:
            log.seen("use", paths[0])
            log.seen("kill", paths[0])
            log.seen("kill", paths[1])
        elif call in LINKS and len(paths) > 1:
            log.seen("use", paths[0])
            log.seen("define", paths[1])

    def path_of(self, pid, args):
        found = PATH.search(args)
        return self.joined(pid, *found.groups("")) if found is not None else None

    def joined(self, pid, folder, folder_path, name):
        if folder == "AT_FDCWD" and folder_path:
            self.folders[pid] = unescape(folder_path)
        base = unescape(folder_path) if folder_path else self.folders.get(pid) or self.folders.get(self.me) or os.getcwd()
        name = unescape(name)
        return os.path.normpath(os.path.join(base, name)) if name else None

    def close(self):
        paring_saver.MUTING = None
        self.file.close()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        try:
            os.remove(self.path)
        except OSError:
            pass


def mute(is_on):
    """The calls of this thread between the two are paring's own."""
    _access(ON if is_on else OFF, os.F_OK)


def descriptor(text):
    """The path behind a descriptor, as in `3</tmp/a>`."""
    found = DESCRIPTOR.match(text)
    return unescape(found.group(2)) if found is not None and found.group(2).startswith("/") else None


def unescape(text):
    if "\\" not in text:
        return text
    raw = text.encode("utf-8", "surrogateescape")
    return ESCAPE.sub(lambda found: meant(found.group(1)), raw).decode("utf-8", "surrogateescape")


def meant(escaped):
    if escaped[:1] == b"x" and len(escaped) == 3:
        return bytes([int(escaped[1:], 16)])
    return bytes([int(escaped, 8) & 255]) if escaped.isdigit() else ESCAPED.get(escaped, escaped)
