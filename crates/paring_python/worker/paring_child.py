"""Runs made in child processes: started, watched, ended and cleaned up after.

The child sends lines as it goes (`ready`, `collected`, one per `item`, `end`); the parent gathers them, or hands them on at
once where the request asks for `coverage`. Nothing is awaited after `end`: threads and processes that the test left behind are
killed with it.
"""
import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback

import paring_channel

try:
    import select

    poll = select.poll
except (ImportError, AttributeError):  # not a Unix
    poll = None

START_LIMIT = 300.0
# What is handed on as it comes, where that is asked for.
STREAMED = ("collected", "begin", "file", "loaded", "item")
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def runner(start, session):
    """How this platform makes a run: a function of the channel and a request."""
    if start.get("fork", True) and hasattr(os, "fork") and poll is not None:
        become_subreaper()
        mine = set(children())

        def forked(channel, request):
            return run_forked(start, session, channel, request, mine)

        return forked

    def spawned(channel, request):
        return run_spawned(start, channel, request)

    return spawned


def work(start, session, request, send):
    """What the child does. Never returns normally: the process has no other use."""
    paring_session = paring_channel.part("paring_session")
    paring_saver = paring_channel.part("paring_saver")
    me = os.getpid()
    request.setdefault("file", start.get("file"))
    request.setdefault("scratch", start.get("scratch"))
    request.setdefault("temporary", start.get("temporary"))
    paring_saver.begin(start, request, has_native=session is not None and session.has_native)

    def send_mine(message):
        # A test that forks and forgets to exit runs on in a copy, which has nothing to say.
        if os.getpid() != me:
            os._exit(0)
        send(message)

    try:
        if session is None:
            session = paring_session.open_session(start, request)
        send_mine({"t": "ready"})
        session.run(request, send_mine)
    except paring_session.Unusable as unusable:
        send_mine({"t": "end", "error": {"code": unusable.code, "message": unusable.message}})
    except BaseException:
        send_mine({"t": "end", "error": {"code": "worker", "message": traceback.format_exc()}})


def run_forked(start, session, channel, request, mine):
    source, target = os.pipe()
    stacks = os.pipe()
    kept = set(names(start.get("temporary")))
    pid = os.fork()
    if pid == 0:
        try:
            enter_child(channel, request, source, stacks)
            lifted = paring_channel.lift(target)
            os.close(target)
            work(start, session, request, lambda message: paring_channel.write_all(lifted, paring_channel.encode(message)))
            os._exit(0)
        finally:
            os._exit(70)
    os.close(target)
    os.close(stacks[1])
    watch = Watch(request, channel, warm=session is not None)
    try:
        watch.follow(channel, pid, source, lambda: hanging_stack(pid, stacks[0]))
    finally:
        kill(pid, group=True)
        _, status = os.waitpid(pid, 0)
        os.close(source)
        os.close(stacks[0])
        reap(mine)
        shutil.rmtree(basetemp(pid), ignore_errors=True)
        clear(start.get("temporary"), kept)
    return watch.answer(how_it_ended(status))


class Watch:
    """What is known of one run from outside."""

    def __init__(self, request, channel, warm):
        self.id = request.get("id")
        self.hand_on = channel.send if request.get("coverage") else None
        self.limit = request.get("timeout") or 3600.0
        self.deadline = time.monotonic() + (self.limit if warm else START_LIMIT)
        self.items = []
        self.end = None
        self.current = None
        self.hung = False
        self.stack = []

    def follow(self, channel, pid, source, look):
        """Until the run is over, dead, or out of time. Who hangs was looked at a second earlier too."""
        glance, earlier = min(1.0, self.limit / 2), None
        poller = poll()
        poller.register(source, select.POLLIN)
        poller.register(channel.source, 0)
        pidfd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
        if pidfd is not None:
            poller.register(pidfd, select.POLLIN)
        pending = b""
        try:
            while self.end is None:
                left = self.deadline - time.monotonic()
                if left <= 0:
                    self.hung = True
                    self.stack = common(earlier, look())
                    return
                if left > glance:
                    left, earlier = left - glance, None
                elif earlier is None:
                    earlier = look()
                    continue
                ready = poller.poll(left * 1000 + 1 if pidfd is not None else min(left, 0.05) * 1000 + 1)
                events = dict(ready)
                if channel.source in events:
                    kill(pid, group=True)  # paring is gone
                    os._exit(0)
                if source in events:
                    data = os.read(source, 1 << 16)
                    pending = self.take(pending + data)
                    if not data:
                        return
                elif pidfd in events or (not ready and os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)):
                    return
        finally:
            if pidfd is not None:
                os.close(pidfd)

    def take(self, data):
        *lines, rest = data.split(b"\n")
        for line in lines:
            message = json.loads(line)
            kind = message.pop("t")
            if self.hand_on is not None and kind in STREAMED:
                self.hand_on(dict(message, op=kind))
            if kind == "begin":
                self.current = message
            elif kind == "item":
                self.current = None
                if self.hand_on is None:
                    self.items.append(message)
            elif kind == "end":
                self.end = message
            # Opening, collecting and each test have their own time.
            self.deadline = time.monotonic() + self.limit
        return rest

    def answer(self, how):
        answer = {"op": "ran", "id": self.id, "items": self.items, "ended": "done"}
        if self.end is not None:
            answer.update(self.end)
        elif self.hung:
            answer.update(ended="hung", stack=self.stack)
        else:
            answer["ended"] = how
        if self.end is None:
            answer["current"] = self.current
        return answer


def enter_child(channel, request, source, stacks):
    os.setsid()
    channel.close()
    os.close(source)
    os.close(stacks[0])
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if request.get("memory"):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (request["memory"], request["memory"]))
    if hang_signal() is not None:
        import faulthandler

        faulthandler.register(hang_signal(), file=paring_channel.lift(stacks[1]), all_threads=False)
    os.close(stacks[1])


def hang_signal():
    """A signal no program uses, on which a hanging child writes its stack."""
    return getattr(signal, "SIGRTMAX", 0) - 3 if hasattr(signal, "SIGRTMAX") else None


def hanging_stack(pid, source):
    """Frames of the hanging child, innermost last: file, line and function. Empty if it does not answer."""
    if hang_signal() is None:
        return []
    text = b""
    try:
        os.kill(pid, hang_signal())
        poller = poll()
        poller.register(source, select.POLLIN)
        # On a busy machine it takes a while to begin.
        patience = 3000
        while poller.poll(patience):
            data = os.read(source, 1 << 16)
            if not data:
                break
            text += data
            patience = 100
    except OSError:
        pass
    frames = []
    for line in text.decode("utf-8", "replace").splitlines():
        head, quote, tail = line.strip().partition('", line ')
        number, _, function = tail.partition(" in ")
        if quote and head.startswith('File "') and number.isdigit():
            frames.append([head[6:], int(number), function])
    return frames[::-1]


def common(earlier, later):
    """What two stacks have in common, from the outermost frame to the first that has gone on."""
    if not earlier or not later:
        return later or earlier or []
    frames = []
    for one, other in zip(earlier, later):
        if (one[0], one[2]) != (other[0], other[2]):
            break
        frames.append(other)
        if one[1] != other[1]:
            break
    return frames or later


def how_it_ended(status):
    if os.WIFSIGNALED(status):
        return signal_name(os.WTERMSIG(status))
    return "exit %d" % os.WEXITSTATUS(status)


def signal_name(number):
    try:
        return "signal %d (%s)" % (number, signal.Signals(number).name)
    except ValueError:  # a real-time signal has no name
        return "signal %d" % number


def run_spawned(start, channel, request):
    """Without fork: a plain subprocess per run, which opens its own session."""
    watch = Watch(request, channel, warm=False)
    child = subprocess.Popen(
        [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "paring_worker.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with contextlib.suppress(OSError):
        child.stdin.write(paring_channel.encode(dict(start, mode="child")) + paring_channel.encode(request))
        child.stdin.close()
    pieces = queue.Queue()
    threading.Thread(target=read_pieces, args=(child.stdout, pieces), daemon=True).start()
    pending = b""
    while watch.end is None:
        try:
            piece = pieces.get(timeout=max(0.0, watch.deadline - time.monotonic()))
        except queue.Empty:
            watch.hung = True
            break
        if not piece:
            break
        pending = watch.take(pending + piece)
    if watch.hung or watch.end is not None:
        child.kill()
    code = child.wait()
    shutil.rmtree(basetemp(child.pid), ignore_errors=True)
    return watch.answer("exit %d" % code if code >= 0 else signal_name(-code))


def read_pieces(pipe, pieces):
    while True:
        piece = pipe.read1(1 << 16)
        pieces.put(piece)
        if not piece:
            return


def basetemp(pid):
    """Where a run's `tmp_path` folders go: shaped like pytest's own, named by the process, removed after the run."""
    import getpass
    import tempfile

    try:
        user = getpass.getuser() or "unknown"
    except (ImportError, OSError, KeyError):
        user = "unknown"
    return os.path.join(os.path.realpath(tempfile.gettempdir()), "pytest-of-" + user, "paring-%d" % pid)


def names(folder):
    try:
        return os.listdir(folder) if folder else []
    except OSError:
        return []


def clear(folder, kept):
    """Removes what a run left in the worker's temporary folder."""
    for name in names(folder):
        if name not in kept:
            path = os.path.join(folder, name)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    os.remove(path)


def prctl(option, value):
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def become_subreaper():
    """Processes that lose their parent become ours, and can be found."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def children():
    """The processes whose parent is this one."""
    me = str(os.getpid())
    try:
        with open("/proc/self/task/%s/children" % me) as file:
            return [int(pid) for pid in file.read().split()]
    except (OSError, ValueError):
        pass
    found = []
    try:
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open("/proc/%s/stat" % name) as file:
                        if file.read().rpartition(")")[2].split()[1] == me:
                            found.append(int(name))
                except (OSError, IndexError):
                    continue
    except OSError:
        pass
    return found


def reap(mine):
    """Ends what the run left behind. The session's own processes (`mine`) stay."""
    for _ in range(50):
        try:
            while True:
                pid, _ = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
        except ChildProcessError:
            return
        left = [pid for pid in children() if pid not in mine]
        if not left:
            return
        for pid in left:
            kill(pid)
        time.sleep(0.001)


def kill(pid, group=False):
    try:
        if group:
            os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
