"""Proves: a test that stays in another folder does not make the next run look for its files there."""
import os


def test_cwd(tmp_path):
    names = []
    os.chdir(tmp_path)
    names.append("a")
    with open("made.txt", "w") as file:
        file.write("made")
    assert os.listdir() == names
