"""The loop of a worker: one request after the other, each run in a process of its own.

A warm worker holds a pytest session that has loaded everything but the test module, and forks it per run. A cold
one holds pytest and nothing of the project, and opens the session in the child. What the child does to itself (dies, hangs, leaves
processes behind) is part of the answer.
"""
import os
import platform
import threading
import traceback

import paring_channel
import paring_child
import paring_moved
import paring_preload
import paring_saver
import paring_session
import paring_surroundings


def serve(channel):
    try:
        serve_requests(channel)
    except BaseException:
        channel.send(fault("worker", traceback.format_exc()))
    os._exit(1)


def serve_requests(channel):
    start = channel.receive()
    if start is None:
        os._exit(0)
    if start.get("protocol") != paring_channel.PROTOCOL:
        channel.send(fault("protocol", "the worker speaks protocol %d" % paring_channel.PROTOCOL))
        os._exit(0)
    paring_moved.install(start)
    if start.get("mode") == "child":
        serve_once(channel, start)
    session = None
    if start["mode"] == "warm":
        session = open_session(channel, start)
    else:
        paring_preload.load_pytest()
    channel.send(dict(hello(session), surroundings=paring_surroundings.digest()))
    make = paring_child.runner(start, session)
    while True:
        request = channel.receive()
        if request is None or request["op"] == "quit":
            break
        channel.send(make(channel, request))
    if session is not None:
        session.close()
    os._exit(0)


def open_session(channel, start):
    paring_saver.install(start)
    try:
        session = paring_session.open_session(start)
        session.preload(start)
        return session
    except paring_session.Unusable as unusable:
        channel.send(fault(unusable.code, unusable.message))
        os._exit(0)


def serve_once(channel, start):
    """The far end of a plain subprocess: where processes cannot fork, each run is one of these."""
    request = channel.receive()
    if request is not None:
        paring_child.work(start, None, request, channel.send)
    os._exit(0)


def hello(session):
    message = {
        "op": "hello",
        "protocol": paring_channel.PROTOCOL,
        "python": platform.python_version(),
        "can_fork": hasattr(os, "fork"),
        "threads": threading.active_count() - 1,
        "colder": None,
    }
    if session is not None:
        message.update(session.describe())
    return message


def fault(code, message):
    return {"op": "error", "code": code, "message": message}
