# -*- coding: latin-1 -*-
"""Proves: a file in another encoding is read, pared and written back in it."""


def test_umlauts():
    name = "Müller"
    street = "Grüne Straße"
    upper = name.upper()
    assert street
    assert upper == "MULLER"
