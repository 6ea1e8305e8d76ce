"""Runs tests in forks of a process that has pytest loaded, for whoever asks how one ends.

    PYTHON probe.py SECONDS NAME...

Prints the port it listens on; 0 where pytest itself has loaded one of the named packages, which are to be loaded anew for each question. A
question is a line of JSON, the working directory, the environment, where the package lies, and pytest's arguments; the answer a line, what pytest ended with. The
standard library and pytest only.
"""
import json
import os
import select
import signal
import socket
import sys

import pytest


def main():
    seconds, *names = sys.argv[1:]
    if any(name in sys.modules for name in names):
        print(0, flush=True)
        return
    with socket.create_server(("127.0.0.1", 0)) as server:
        print(server.getsockname()[1], flush=True)
        while True:
            asking, _ = server.accept()
            with asking:
                question = json.loads(asking.makefile(encoding="utf-8").readline())
                asking.sendall(b"%d\n" % answer(question, float(seconds)))


def answer(question, seconds):
    child = os.fork()
    if child == 0:
        os.setsid()
        try:
            os._exit(run(**question))
        finally:
            os._exit(3)
    watched = os.pidfd_open(child)
    over, _, _ = select.select([watched], [], [], seconds)
    os.close(watched)
    if not over:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def run(cwd, env, roots, arguments):
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    os.chdir(cwd)
    os.environ.update(env)
    # As `python -m pytest` has it.
    sys.path[0:1] = [cwd, *roots]
    return int(pytest.main(arguments))


if __name__ == "__main__":
    main()
