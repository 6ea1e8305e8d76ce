"""Starts a thread when it is imported: a process that has it loaded must not be forked."""
import threading
import time

# It ticks when it is asked to: one that went on by itself would change the state while any statement runs.
asked = threading.Event()
ticks = []


def tick():
    while True:
        asked.wait()
        asked.clear()
        ticks.append(time.monotonic())


threading.Thread(target=tick, daemon=True).start()


def wait_for_tick():
    seen = len(ticks)
    asked.set()
    deadline = time.monotonic() + 5
    while len(ticks) == seen:
        if time.monotonic() > deadline:
            raise RuntimeError("no tick: the thread is gone")
        time.sleep(0.005)
    return len(ticks)
