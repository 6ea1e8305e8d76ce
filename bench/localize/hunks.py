"""The hunks of the difference between two releases of a library, and the older release with some of them applied."""
import dataclasses
import difflib
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class Hunk:
    file: str
    # Lines of the older release, from 0, the end not included; empty where the newer one only adds.
    start: int
    end: int
    lines: tuple

    def faulty(self):
        """The lines of the older release, from 1, that stand for the fault: what is replaced, or else the two lines that the addition goes between."""
        return list(range(self.start + 1, self.end + 1)) or [max(1, self.start), self.start + 1]


def between(older, newer, files):
    """All hunks of `files`, relative to both folders; a file that only one release has is one hunk."""
    found = []
    for file in sorted(files):
        old, new = (read(Path(root, file)) for root in (older, newer))
        for tag, start, end, new_start, new_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal":
                found.append(Hunk(file, start, end, tuple(new[new_start:new_end])))
    return found


def applied(older, hunks):
    """Texts by file: the older release's with these hunks."""
    by_file = {}
    for hunk in hunks:
        by_file.setdefault(hunk.file, []).append(hunk)
    texts = {}
    for file, own in by_file.items():
        lines = read(Path(older, file))
        for hunk in sorted(own, key=lambda hunk: -hunk.start):
            lines[hunk.start : hunk.end] = hunk.lines
        texts[file] = "".join(lines)
    return texts


def read(path):
    return path.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True) if path.exists() else []
