"""The binary as a child process: what it is given, how long it may take, and what it wrote."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from ._arguments import forwarded
from ._binary import checked_paring_bin

# What the binary may take beyond the budget to verify what it has.
GRACE = 20.0


class Child:
    def __init__(self, config, environ):
        self.config = config
        self.environ = environ
        self.troubles = []

    def pare(self, targets, ran):
        """The results of the targets by their ids: of as many as there was time for. `ran` are all tests that ran, in order."""
        binary = checked_paring_bin()
        folder = tempfile.mkdtemp(prefix="paring-")
        try:
            return self.pare_in(folder, binary, targets, ran)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def pare_in(self, folder, binary, targets, ran):
        path = os.path.join(folder, "run.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"schema": "paring.run/1", "failed": targets, "ran": ran}, file)
        result = os.path.join(folder, "result.json")
        with open(os.path.join(folder, "said"), "w+b") as said:
            code = self.run(self.command(binary, path, result), said)
            said.seek(0)
            words = said.read().decode("utf-8", "replace").strip()
        if not os.path.exists(result):
            self.troubles.append(trouble(code, words))
            return {}
        with open(result, encoding="utf-8") as file:
            return {found["target"]: found for found in json.load(file)}

    def command(self, binary, run, result):
        option = self.config.option
        command = [binary, "minimize", "--ran", run, "--json", result, "--python", sys.executable, "--quiet", "--total-time", "%gs" % option.pare_budget]
        if option.pare_apply:
            command.append("--apply")
        if option.pare_out:
            command += ["--out", os.path.join(option.pare_out, "")]
        return [*command, "--", *forwarded(self.config)]

    def run(self, command, said):
        """The exit code. Ctrl-C reaches both processes: the binary is given time to end what it does."""
        child = subprocess.Popen(
            command, cwd=str(self.config.invocation_params.dir), env=self.environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said
        )
        deadline = time.monotonic() + self.config.option.pare_budget + GRACE
        try:
            return child.wait(deadline - time.monotonic())
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
            self.troubles.append("the binary took longer than it may and was stopped")
        except KeyboardInterrupt:
            self.troubles.append("stopped by Ctrl-C")
        try:
            return child.wait(GRACE)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            child.kill()
            return child.wait()


def trouble(code, words):
    """What to say of a binary that wrote no result."""
    lines = [line for line in words.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("error")]
    said = (errors or lines or ["no word"])[0]
    return "the binary ended with %d: %s" % (code, said)
