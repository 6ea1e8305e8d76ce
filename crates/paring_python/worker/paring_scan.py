"""Compares the files of the folders that a test has to do with, between statements, by size and time.

It sees what changed, not who reads: the files that native code or a child process uses are not known.
"""
import os

from paring_inotify import SKIPPED

MOST_FILES = 3000


class Scan:
    name = "scan"
    sees_children = False

    def __init__(self, watch):
        self.remarks = watch.why
        # What is below each folder, and those with too much below them to look deeper.
        self.before = {}
        self.large = set()
        for folder in {os.getcwd(), *watch.folders}:
            self.heed(folder)

    def heed(self, path):
        """From here on; what is there already is as it was."""
        path = os.path.realpath(path)
        if path not in self.before:
            self.before[path] = self.below(path)

    def below(self, folder):
        found = {}
        is_large = folder in self.large
        waiting = [folder]
        while waiting:
            try:
                entries = list(os.scandir(waiting.pop()))
            except OSError:
                continue
            for each in entries:
                if len(found) >= MOST_FILES and not is_large:
                    self.large.add(folder)
                    self.remarks.append("scan: of %s only the first level, there is too much below it" % folder)
                    return self.below(folder)
                try:
                    if not each.is_dir(follow_symlinks=False):
                        state = each.stat(follow_symlinks=False)
                        found[each.path] = state.st_ino, state.st_size, state.st_mtime_ns
                    elif each.name not in SKIPPED:
                        found[each.path] = None
                        if not is_large:
                            waiting.append(each.path)
                except OSError:
                    continue
        return found

    def drain(self, log):
        self.heed(os.getcwd())
        told = set()
        for folder, before in sorted(self.before.items()):
            now = self.before[folder] = self.below(folder)
            for path in sorted(before.keys() | now.keys()):
                if path in told or before.get(path, 0) == now.get(path, 0):
                    continue
                told.add(path)
                is_other = path not in before or path not in now
                log.seen("kill" if is_other and now.get(path, 0) is not None else "define", path)

    def close(self):
        """Nothing is open."""
