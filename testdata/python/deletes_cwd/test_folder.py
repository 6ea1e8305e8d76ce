"""Proves: a test that changes into a folder and deletes it breaks neither the worker nor the next run."""
import os
import shutil


def test_folder(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    note = "unrelated"
    os.chdir(scratch)
    shutil.rmtree(scratch)
    note += "!"
    assert not scratch.exists() and os.path.exists("file.txt")
