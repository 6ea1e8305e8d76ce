"""Proves: a candidate that crashes the interpreter (without the line that sets the buffer) does not end the search."""
import ctypes


def test_pointer():
    noise = [1, 2]
    address = 0
    buffer = ctypes.create_string_buffer(b"abc")
    address = ctypes.addressof(buffer)
    noise.append(3)
    text = ctypes.string_at(address)
    assert text == b"abd"
