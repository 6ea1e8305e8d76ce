"""Sees below the interpreter which files native code and child processes touch, for the log of a traced run.

A watcher is asked, at the beginning and end of every statement, what happened since it was last asked. `strace` knows who did what;
inotify knows what happened in some folders, whoever did it; a scan only knows what is different from before. It is started when
there is something that audit events do not tell: native code that is loaded, or the first child process. Until then a test pays
nothing.
"""
import os

import paring_inotify
import paring_saver
import paring_scan
import paring_strace

WATCHERS = {"strace": paring_strace.Strace, "inotify": paring_inotify.Inotify, "scan": paring_scan.Scan}
# A watcher that is asked more often than this would cost more than it tells.
MOST_ASKED = 50_000


class Watch:
    """The watcher of one run: the one that was asked for, or the first that can be had."""

    def __init__(self, mode, scratch, folders):
        self.names = ["strace", "inotify", "scan"] if mode == "auto" else [mode] if mode in WATCHERS else []
        self.is_off = not self.names
        self.is_auto = mode == "auto"
        self.scratch = scratch
        # Where the test is known to write.
        self.folders = set(folders)
        self.watcher = None
        self.why = []
        self.n_asked = 0
        self.is_wanted = False

    def begin(self, log):
        """A test begins."""
        if not self.is_auto or paring_saver.has_native():
            self.start(log)

    def start(self, log):
        """From here on there may be something to see."""
        self.is_wanted = True
        log.busy = True
        try:
            self.find(log)
        finally:
            log.busy = False

    def find(self, log):
        while self.watcher is None and self.names:
            name = self.names.pop(0)
            try:
                self.watcher = WATCHERS[name](self)
                self.watcher.drain(log)
            except Exception as error:
                self.end()
                self.why.append("%s: %s" % (name, error))

    def sees_children(self):
        """Whether all that a child process does to files is seen."""
        return self.watcher is not None and self.watcher.sees_children

    def heed(self, path):
        """The test has to do with a folder."""
        if path not in self.folders:
            self.folders.add(path)
            if self.watcher is not None:
                self.watcher.heed(path)

    def drain(self, log):
        """Tells the log what happened since the last time."""
        if self.watcher is None:
            return
        self.n_asked += 1
        log.busy = True
        try:
            if self.n_asked > MOST_ASKED:
                raise OSError("too many statements")
            self.watcher.drain(log)
        except Exception as error:
            self.why.append("%s: %s" % (self.watcher.name, error))
            self.end()
            log.unseen()
        finally:
            log.busy = False

    def end(self):
        watcher, self.watcher = self.watcher, None
        if watcher is not None:
            watcher.close()

    def report(self, log):
        """Who watched, why others did not, and what was written by nobody that was seen."""
        by = self.watcher.name if self.watcher else None
        return {
            "by": by,
            "why": self.why,
            "refused": by is None and bool(self.why) and not self.is_auto,
            "unexplained": sorted(log.unexplained),
            "logged": log.logs.n_found if log.logs is not None else 0,
        }

