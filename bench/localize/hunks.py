"""The hunks of the difference between two releases of a library, and the older release with some of them applied."""
import dataclasses
import difflib
import re
from pathlib import Path

# Lines that run nothing: empty ones, comments, lone brackets.
IDLE = {".py": re.compile(r"\s*(#.*)?$"), ".java": re.compile(r"\s*(//.*|/?\*.*)?$")}
BRACKETS = re.compile(r"[\s(){}\[\];,]*$")


@dataclasses.dataclass(frozen=True)
class Hunk:
    file: str
    # Lines of the older release, from 0, the end not included; empty where the newer one only adds.
    start: int
    end: int
    lines: tuple

    def faulty(self, older):
        """The lines of the older release, from 1, that stand for the fault: what is replaced, or else the nearest code on both sides of an addition.

        What was only indented anew is no part of it."""
        lines = read(Path(older, self.file))
        runs = [not is_idle(self.file, line) and not BRACKETS.match(line) for line in lines]
        old, new = ([" ".join(line.split()) for line in part] for part in (lines[self.start : self.end], self.lines))
        found = set()
        for tag, start, end, _, _ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            start, end = self.start + start, self.start + end
            replaced = {idx + 1 for idx in range(start, end) if runs[idx]}
            if tag != "equal" and not replaced:
                before = next((idx + 1 for idx in reversed(range(start)) if runs[idx]), None)
                after = next((idx + 1 for idx in range(end, len(lines)) if runs[idx]), None)
                replaced = {line for line in (before, after) if line}
            found |= replaced if tag != "equal" else set()
        return found


def files(older, newer):
    """The sources of both folders, relative to them."""
    found = {file.relative_to(root) for root in (older, newer) for file in Path(root).rglob("*") if file.suffix in IDLE}
    return {str(file) for file in found if file.name != "module-info.java"}


def between(older, newer, chosen):
    """All hunks of the chosen files, relative to both folders, but for those of comments; a file that only one release has is one hunk."""
    found = []
    for file in sorted(chosen):
        old, new = (read(Path(root, file)) for root in (older, newer))
        for tag, start, end, new_start, new_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal" and not all(is_idle(file, line) for line in old[start:end] + new[new_start:new_end]):
                found.append(Hunk(file, start, end, tuple(new[new_start:new_end])))
    return found


def is_idle(file, line):
    return bool(IDLE[Path(file).suffix].match(line))


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
