"""Proves: a failure whose message differs in each run in a way no rule levels is flaky, not "another failure"."""
import os


def test_stamp():
    label = "order"
    stamp = os.urandom(4).hex()
    assert label == "invoice-" + stamp
