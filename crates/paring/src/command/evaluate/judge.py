"""Judges a pared test by plain, cold pytest runs, without a line of the engine's code. Standard library only, Python 3.9 on.

As a program: a JSON request on standard input, {"case": …, "result": {"text", "target"} or null, "timeout": seconds}, and
the judgement as JSON on standard output. As a module: `judge`, or `Tree` and `difference` for an oracle of one's own.

The user's files are never written: every version runs in a copy of its folder, in which the test file is replaced.
"""
import ast
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tokenize

HERE = os.path.dirname(os.path.abspath(__file__))

# Not sources, and large: the copy refers to them.
REFERRED = {".git", ".hg", ".venv", "venv", ".tox", ".nox", "node_modules", "target"}
LINKED_FROM = 1 << 20

USAGE_ERROR = 4  # pytest's exit code

# What differs between two runs of one failure, in the order in which it is levelled.
VOLATILE = [
    (re.compile(r"0x[0-9a-fA-F]{4,}"), "<address>"),
    # What unittest and pytest cut out of long representations may cut an address.
    (re.compile(r"\[\d+ chars\][0-9a-f]*"), "<cut>"),
    (re.compile(r"(?<=\.\.\.)[0-9a-f]{4,}"), "<cut>"),
    # Values of id() and of thread identifiers.
    (re.compile(r"\b\d{14,16}\b"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?"), "<time>"),
    (re.compile(r"\b\d+(\.\d+)? ?(ms|us|µs|ns|s|sec|secs|seconds)\b"), "<duration>"),
    (re.compile(r"\bpid[ =:]*\d+", re.I), "<pid>"),
    (re.compile(r"\bid='\d+'"), "<id>"),
    (re.compile(r"(?<![\w.])/(?:[^\s'\"/]+/)+"), "<folder>/"),
]
# Only then words may change places.
HAS_SET = re.compile(r"\{|set but not the|items in the (left|right) set")
CUT_SET = re.compile(r"\{[^{}:\n]*\.\.\.[^{}:\n]*\}")


class Tree:
    """A copy of one version of a case's folder, to run texts of the test file in."""

    def __init__(self, case, side="faulty", timeout=120.0, beside=None):
        good = side == "good"
        self.target, self.timeout = case["target"], timeout
        self.python = (case.get("good_python") if good else None) or case["python"]
        self.cwd = (case.get("good_cwd") if good else None) or case["cwd"]
        self.env = dict((case.get("good_env") if good else None) or case.get("env") or {})
        self.options = []
        # Beside the original: large files can be linked, and folders above it stay what they are.
        self.beside = beside or os.path.dirname(self.cwd)

    def __enter__(self):
        try:
            self.scratch = tempfile.mkdtemp(prefix=".paring-judge-", dir=self.beside)
        except OSError:
            self.scratch = tempfile.mkdtemp(prefix="paring-judge-")
        self.root = os.path.join(self.scratch, os.path.basename(self.cwd))
        copy(self.cwd, self.root)
        self.file = os.path.join(self.root, self.target.split("::", 1)[0])
        with open(self.file, "rb") as file:
            self.original = file.read()
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def observe(self, text=None, target=None):
        """One cold run -> the first failure, or {"outcome": passed, skipped, died, hung or "not run"}; with `seconds`."""
        seen = self.run(text, target)
        if seen["outcome"] == "not run" and seen["code"] == USAGE_ERROR and not self.options:
            # The project's configuration may ask for options of plugins that are not installed here.
            self.options = ["-o", "addopts="]
            seen = self.run(text, target)
            if seen["outcome"] == "not run":
                self.options = []
        return seen

    def run(self, text, target):
        replace(self.file, self.original if text is None else encode(text))
        name, _, rest = (target or self.target).partition("::")
        node = self.target.split("::", 1)[0] + "::" + rest if rest else name
        out = os.path.join(self.scratch, "records")
        if os.path.exists(out):
            os.unlink(out)
        environment = {key: value.replace(self.cwd, self.root) for key, value in self.env.items()}
        environment = {**os.environ, **environment, "PARING_JUDGE_OUT": out}
        paths = [environment.get("PYTHONPATH"), HERE]
        environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        command = [self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "judge_plugin"]
        command += self.options + ["--basetemp", os.path.join(self.scratch, "base"), node]
        started = time.monotonic()
        code = run(command, self.root, environment, self.timeout)
        seconds = time.monotonic() - started
        return {**summary(records(out), code), "seconds": round(seconds, 3)}


def copy(source, to):
    os.makedirs(to)
    for entry in os.scandir(source):
        there = os.path.join(to, entry.name)
        if entry.is_symlink():
            os.symlink(absolute_link(entry), there)
        elif entry.is_dir():
            if entry.name in REFERRED:
                os.symlink(entry.path, there)
            elif not entry.name.startswith(".paring"):
                copy(entry.path, there)
        elif entry.is_file():
            if entry.stat().st_size >= LINKED_FROM:
                try:
                    os.link(entry.path, there)
                    continue
                except OSError:
                    pass
            shutil.copy2(entry.path, there)


def absolute_link(entry):
    goal = os.readlink(entry.path)
    return goal if os.path.isabs(goal) else os.path.join(os.path.dirname(entry.path), goal)


def replace(path, content):
    """Never through a link: the file may share its content with the user's."""
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "wb") as file:
        file.write(content)


def encode(text):
    found = re.search(r"coding[:=]\s*([-\w.]+)", "\n".join(text.splitlines()[:2]))
    try:
        return text.encode(found.group(1) if found else "utf-8")
    except (LookupError, UnicodeEncodeError):
        return text.encode("utf-8")


def run(command, cwd, environment, timeout):
    """The exit code, or None after the time limit. What it left running in its session ends with it."""
    quiet = subprocess.DEVNULL
    try:
        child = subprocess.Popen(
            command, cwd=cwd, env=environment, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
    except OSError:
        return 127
    late = threading.Event()

    def stop():
        late.set()
        end(child)

    # A timer and a plain wait: wait with a time limit looks only every 50 ms, and seconds are measured here.
    timer = threading.Timer(timeout, stop)
    timer.start()
    try:
        code = child.wait()
        return None if late.is_set() else code
    finally:
        timer.cancel()
        end(child)
        child.wait()


def end(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (OSError, AttributeError):
        child.kill()


def records(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def summary(seen, code):
    if code is None:
        return {"outcome": "hung"}
    for record in seen:
        if record["outcome"] == "failed":
            return record
    if not seen:
        return {"outcome": "not run", "message": "exit %d" % code, "code": code}
    if not any(record.get("when") == "teardown" for record in seen):
        how = "signal %d" % -code if code < 0 else "exit %d" % code
        return {"outcome": "died", "type": how, "message": "", "statement": "", "below": [], "lines": []}
    called = [record for record in seen if record.get("when") == "call"]
    ended = [record for record in seen if record["outcome"] != "started"]
    return (called or ended)[0]


def level(message):
    for pattern, word in VOLATILE:
        message = pattern.sub(word, message)
    return in_any_order(message) if HAS_SET.search(message) else message


def in_any_order(message):
    """The words of a message with a set in it, whose order differs from process to process; of one that was cut, none."""
    return sorted(re.split(r"[\s,{}]+", CUT_SET.sub("<cut>", message)))


def squeeze(statement):
    """Layout and kind of quotes do not make another statement."""
    return re.sub(r"[\s\\]+", "", statement).replace('"', "'")


def difference(one, other):
    """Why `other` is not the failure `one`, or None where it is the same."""
    if other["outcome"] not in ("failed", "died"):
        return other["outcome"]
    if one["outcome"] != other["outcome"]:
        return "%s, not %s" % (other["outcome"], one["outcome"])
    # A function counts once: how deep a recursion goes before it is stopped depends on the stack above it.
    for field, same in (("when", str), ("type", str), ("message", level), ("statement", squeeze), ("below", unique)):
        if same(one.get(field)) != same(other.get(field)):
            return "%s: %.300r, not %.300r" % (field, other.get(field), one.get(field))
    return None


def unique(items):
    return list(dict.fromkeys(items))


def test_node(source, target):
    """The function that the last part of a node id names, or None. A method may come from a class above it."""
    names = re.sub(r"\[.*", "", target.partition("::")[2], flags=re.S).split("::")
    module = ast.parse(source)
    scope, found = module, None
    for name in names:
        found = defined(scope, name) or inherited(module, scope, name, set())
        if found is None:
            return None
        scope = found
    return found if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) else None


def defined(scope, name):
    """The last definition of a name directly in a scope, `if` and `try` looked into."""
    found = None
    for node in scope.body:
        if getattr(node, "name", None) == name and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found = node
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            for block in ("body", "orelse", "finalbody"):
                inner = ast.Module(body=getattr(node, block, []), type_ignores=[])
                found = defined(inner, name) or found
    return found


def inherited(module, scope, name, seen):
    for base in getattr(scope, "bases", []):
        above = defined(module, base.id) if isinstance(base, ast.Name) and base.id not in seen else None
        if isinstance(above, ast.ClassDef):
            found = defined(above, name) or inherited(module, above, name, seen | {base.id})
            if found is not None:
                return found
    return None


def size(source, target, failing_lines):
    """Statements of the test's body (nested ones too, docstrings not), those up to the failing one, and tokens."""
    node = test_node(source, target)
    if node is None:
        return None
    inner = [x for top in node.body for x in ast.walk(top) if isinstance(x, ast.stmt)]
    body = [x for x in inner if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]
    own = [line for line in failing_lines if node.lineno <= line <= node.end_lineno]
    last = max([own[-1]] + [x.end_lineno for x in body if at_with(x, own[-1])]) if own else node.end_lineno
    until = sum(x.lineno <= last for x in body)
    return {"statements": len(body), "until": until, "tokens": tokens(source, node)}


def at_with(node, line):
    """Whether a failure on this line is that of leaving the block: what stands in it has run."""
    return isinstance(node, (ast.With, ast.AsyncWith)) and node.lineno <= line < node.body[0].lineno


def tokens(source, node):
    first = min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])
    text = "".join(source.splitlines(keepends=True)[first - 1 : node.end_lineno])
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    count = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            count += token.type not in blank
    except (tokenize.TokenError, IndentationError):
        pass  # a method's text ends in a dedent to a level it never had; what came before is counted
    return count


def decode(content):
    name, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    return content.decode(name)


def sizes(original, base, result, found):
    before = size(decode(original), base["target"], base.get("lines", []))
    after = size(result["text"], result["target"], found.get("lines", [])) if result else None
    return {
        name: {"before": before[key], "after": after[key] if after else None}
        for name, key in (("statements", "statements"), ("until_failing", "until"), ("tokens", "tokens"))
        if before
    }


def judge(case, result, timeout=120.0):
    answer = {}
    with Tree(case, "faulty", timeout) as faulty:
        base = faulty.observe()
        answer["base"], answer["cold_seconds"] = base, base["seconds"]
        found = {}
        if result:
            result = {"text": result["text"], "target": result.get("target") or case["target"]}
            found = faulty.observe(result["text"], result["target"])
            answer["difference"] = difference(base, found)
            answer["same"] = answer["difference"] is None
            if not answer["same"]:
                answer["unstable"] = difference(base, faulty.observe())
        try:
            answer.update(sizes(faulty.original, {**base, "target": case["target"]}, result, found))
        except (SyntaxError, ValueError, RecursionError) as error:
            answer["unsized"] = repr(error)
    if result and (case.get("good_cwd") or case.get("good_env")):
        with Tree(case, "good", timeout) as good:
            there = good.observe(result["text"], result["target"])
            answer["valid"] = answer["same"] and there["outcome"] == "passed"
            answer["good"] = there
            if there["outcome"] != "passed":
                answer["good_original"] = good.observe(decode(faulty.original), case["target"])
    return answer


if __name__ == "__main__":
    request = json.load(sys.stdin)
    json.dump(judge(request["case"], request.get("result"), request.get("timeout") or 120.0), sys.stdout)
