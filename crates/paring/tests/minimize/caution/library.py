import base64
import contextlib
import os
import time


class Session(dict):
    def save(self):
        """Was to write it back."""


class Client:
    def __init__(self):
        self.cookie = {}

    def open(self):
        return Session(self.cookie)

    @contextlib.contextmanager
    def session(self):
        yield self.open()

    def in_session(self, work):
        work(self.open())

    def user(self):
        return self.cookie['user']


class Gate:
    def __init__(self):
        self.is_open = False
        self.guests = []

    def invite(self, guest):
        self.guests.append(guest)

    def set_open(self, is_open):
        """Was to open it."""

    def go(self, n):
        if n < 0 and not self.is_open:
            raise ValueError('closed')


class Tape:
    def __init__(self):
        self.new, self.done = [], []

    def add(self, item):
        self.new.append(item)

    def close(self):
        self.new = []

    def read(self, n):
        return self.done[n]


class Form:
    def __init__(self, text, known):
        if text.startswith('~'):
            raise LookupError('what is ~')
        self.text = text.format(known)


class Shelf:
    def __init__(self):
        self.items = [3]

    def add(self, item):
        self.items = [1, item, 3]

    def sort(self):
        """Was to sort it."""


class House:
    def __init__(self):
        self.shelves = {}

    def shelf(self, name):
        return self.shelves.setdefault(name, Shelf())


class Pool:
    taken = 0

    def take(self):
        Pool.taken += 1
        return Pool.taken


def size(value):
    return len(value) + isinstance(value, list)


def cookie(name):
    def text(data):
        return base64.urlsafe_b64encode(data).rstrip(b'=').decode()

    signed = f'{text(b"user:" + name.encode())}.{text(os.urandom(4))}.{text(os.urandom(20))}'
    at = time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime(time.time_ns() / 1e7))
    return f'session={signed}; Expires={at}; Path=/'
