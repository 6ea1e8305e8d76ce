"""What logs tell of resources, by templates such as `read file {file}`.

Messages of Python's `logging` are heard as they are made, whatever handlers do with them. Files that something else appends to are read
at the end of every statement: what is new was written during it. What comes late, after the test is over, belongs to the statement
that ran at its time, where it carries one.
"""
import datetime
import logging
import os
import re

STAMP = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?\s*(Z|[+-]\d\d:?\d\d)?")
EPOCH = re.compile(r"^\W?(\d{10}(?:\.\d+)?|\d{13})\b")
HOLE = re.compile(r"\{(\w+)\}")


class Logs:
    def __init__(self, request):
        self.templates = [(pattern(text), how) for text, how in request["templates"]]
        self.files = {path: size(path) for path in request["files"]}
        self.pending = {path: b"" for path in self.files}
        self.n_found = 0

    def begin(self, log):
        """Hears what Python's own loggers are told. Never undone: this process makes one run."""
        handle = logging.Logger.handle
        logs = self

        def heard(logger, record):
            if not log.busy:
                log.busy = True
                try:
                    logs.message(log, record.getMessage())
                except Exception:
                    # The test's own mistake, which its handlers will meet.
                    pass
                finally:
                    log.busy = False
            return handle(logger, record)

        logging.Logger.handle = heard

    def drain(self, log):
        for path in self.files:
            for line in self.lines(path):
                self.message(log, line)

    def lines(self, path):
        """The whole lines that were appended since the last time."""
        now = size(path)
        if now == self.files[path]:
            return []
        # What has become shorter began anew.
        start = self.files[path] if now > self.files[path] else 0
        self.files[path] = now
        with open(path, "rb") as file:
            file.seek(start)
            data = self.pending[path] + file.read(now - start)
        *whole, self.pending[path] = data.split(b"\n")
        return [line.decode("utf-8", "replace") for line in whole]

    def message(self, log, text):
        for how, resource in self.found(text):
            log.add(how, resource)

    def found(self, text):
        for template, how in self.templates:
            match = template.search(text)
            if match is not None:
                self.n_found += 1
                kind, name = next(iter(match.groupdict().items()))
                yield how, resource(kind, name.strip("'\""))

    def late(self):
        """What was written after the last statement: moments in seconds, and what happened then."""
        for path in self.files:
            for line in self.lines(path):
                moment = stamp(line)
                for how, each in self.found(line) if moment is not None else ():
                    yield moment, how, each


def size(path):
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def pattern(text):
    """A name runs up to what follows it in the template, or to the next blank."""
    parts = HOLE.split(text)
    found = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            found += r"\s+".join(re.escape(word) for word in re.split(r"\s+", part))
        elif "(?P<%s>" % part in found:
            found += r"\S+?" if place < len(parts) - 2 or parts[place + 1] else r"\S+"
        else:
            found += r"(?P<%s>\S+?)" % part if parts[place + 1] else r"(?P<%s>\S+)" % part
    return re.compile(found + (r"(?!\w)" if parts[-1] else ""))


def resource(kind, name):
    if kind in ("file", "folder", "path"):
        head, tail = os.path.split(os.path.abspath(name))
        return "file", os.path.join(os.path.realpath(head), tail)
    if kind == "env":
        return "env", name
    return "logged", kind, name


def stamp(line):
    """When a line says that it was written, in seconds."""
    found = STAMP.search(line)
    if found is None:
        found = EPOCH.search(line)
        return None if found is None else float(found.group(1)) / (1000 if len(found.group(1)) == 13 else 1)
    day, time, part, zone = found.groups()
    text = "%sT%s.%s" % (day, time, (part or "0").ljust(6, "0"))
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f")
    if zone:
        offset = "+0000" if zone == "Z" else zone.replace(":", "")
        moment = datetime.datetime.strptime(text + offset, "%Y-%m-%dT%H:%M:%S.%f%z")
    return moment.timestamp()
