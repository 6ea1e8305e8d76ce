"""What a log of resources takes in that no audit event tells: from a watcher of files, and from logs of the system under test."""
import os
import time

import paring_saver

UNEXPLAINED_LIMIT = 20
DATABASE_SIDES = ("-journal", "-wal", "-shm")


class Below:
    """The part of a log that is below the interpreter."""

    def __init__(self):
        self.watch = None
        self.logs = None
        # Files that the test read and nobody was seen to write.
        self.unexplained = set()
        self.began = time.time()
        # What the watcher told last: it often says one thing several times.
        self.last_seen = None
        # Folders of paring's own.
        self.own = ()

    def heed(self, folder):
        if self.watch is not None and folder is not None:
            self.watch.heed(folder)

    def watched(self):
        """Takes in what the watcher saw since it was last asked."""
        self.last_seen = None
        if self.watch is not None and self.watch.watcher is not None:
            self.watch.drain(self)
        if self.logs is not None:
            self.busy = True
            try:
                self.logs.drain(self)
            finally:
                self.busy = False

    def seen(self, how, path):
        """A watcher saw a file used or changed."""
        path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if path.startswith(self.own):
            return
        if path.endswith(DATABASE_SIDES) or path in self.databases:
            # Of databases the tables are known.
            return
        if (how, path) == self.last_seen:
            return
        self.last_seen = how, path
        if how == "list":
            for inner in self.below(path):
                self.add("use", inner)
        if how in ("define", "kill") or ("file", path) in self.changed:
            self.file("use" if how == "list" else how, path)

    def sees_looks(self):
        """Whether it is seen which files are looked at, and what goes through sockets, so that nobody has to guess."""
        return self.watch is not None and self.watch.sees_children()

    def seen_socket(self, address, is_met=True):
        """A watcher saw something sent, or an address bound or connected to."""
        if address.endswith(":0"):
            # Bound to any free port: it is known which at the end of the statement.
            return
        resource = ("socket", address)
        if is_met or resource in self.changed:
            self.add("define", resource)

    def started(self, *_):
        """Another program starts. What it does is seen, or nobody knows what it may do."""
        if self.watch is not None and not self.watch.is_off:
            self.watch.start(self)
        if self.watch is None or not self.watch.sees_children():
            self.unseen()
            return
        for resource in sorted(self.changed, key=repr):
            if resource[0] in ("env", "cwd"):
                self.add("use", resource)

    def explain(self, path):
        """Notes a file that was written since the run began, if nobody was seen to write it."""
        found = state_of(path)
        is_known = ("file", path) in self.changed or path in self.written or path in self.databases
        is_news = found is not None and not is_known and found[2] >= self.began * 1e9
        if is_news and not path.startswith(paring_saver.NOT_FILES) and len(self.unexplained) < UNEXPLAINED_LIMIT:
            self.unexplained.add(path)


def state_of(path):
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
