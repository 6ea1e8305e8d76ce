import pytest

from library import Client, Form, Gate, House, Pool, Shelf, Tape, cookie, size


def test_block():
    noise = [1]
    client = Client()
    with client.session() as session:
        session['user'] = 1
    assert noise
    assert client.user() == 1


def test_callback():
    noise = [1]
    client = Client()

    def fill(session):
        session['user'] = 1

    client.in_session(fill)
    assert noise
    client.user()


def test_name():
    noise = [1]
    client = Client()
    session = client.open()
    session['user'] = 1
    session.save()
    assert noise
    client.user()


def test_refusal():
    noise = [1]
    gate = Gate()
    gate.set_open(True)
    assert noise
    gate.go(-1)


def test_absence():
    noise = [1]
    tape = Tape()
    tape.add('one')
    tape.close()
    assert noise
    tape.read(0)


def test_unread_input():
    noise = [1]
    known = {}
    known['name'] = 'Ann'
    assert noise
    Form('~ name', known)


def test_both():
    noise = [1]
    shelf = Shelf()
    shelf.add(2)
    shelf.sort()
    assert noise
    assert shelf.items == [1, 2]


def test_overwritten():
    shelf = Shelf()
    shelf.add(5)
    shelf.add(6)
    shelf.add(7)
    shelf.add(8)
    shelf.sort()
    shelf.add(2)
    assert shelf.items == [1, 2]


def test_shelves():
    noise = [1]
    assert noise
    house = House()
    other = house.shelf('b')
    other.add(3)
    shelf = house.shelf('a')
    shelf.add(2)
    shelf.sort()
    assert shelf.items == [1, 2]


@pytest.mark.parametrize('n', [1, 2])
def test_cases(n):
    noise = [n]
    taken = Pool().take()
    assert noise
    assert n == 1 or taken == 1, 'taken twice'
    assert n == 1, 'alone'


class Base:
    def test_size(self):
        noise = [1]
        noise.append(2)
        if isinstance(self.value, str):
            return
        assert size(self.value) == 2


class TestList(Base):
    value = [1, 2]


class TestText(Base):
    value = 'abcd'


class TestAlone:
    def test_size(self):
        noise = [1]
        noise.append(2)
        assert size([1, 2]) == 2


def test_cookie():
    noise = [1]
    assert noise
    assert cookie('ann') == ''
