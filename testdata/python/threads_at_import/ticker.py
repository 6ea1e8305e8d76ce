"""Starts a thread when it is imported: a process that has it loaded must not be forked."""
import threading
import time

ticks = []


def tick():
    while True:
        ticks.append(time.monotonic())
        time.sleep(0.01)


threading.Thread(target=tick, daemon=True).start()


def wait_for_tick():
    seen = len(ticks)
    deadline = time.monotonic() + 5
    while len(ticks) == seen:
        if time.monotonic() > deadline:
            raise RuntimeError("no tick: the thread is gone")
        time.sleep(0.005)
    # How many there are by now depends on how busy the machine is.
    return 1
