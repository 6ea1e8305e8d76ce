"""Proves: processes a test leaves running (one of them deaf to SIGTERM, one that holds standard output) end with the run."""
import subprocess
import sys

SLEEPER = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


def test_children():
    names = ["a"]
    child = subprocess.Popen([sys.executable, "-c", SLEEPER])
    names.append("b")
    assert child.poll() == 0
