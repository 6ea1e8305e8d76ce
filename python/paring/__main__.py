"""`python -m paring`: the binary, with the arguments as they are."""

import os
import subprocess
import sys

from ._binary import NoBinary, find_paring_bin


def main():
    try:
        binary = find_paring_bin()
    except NoBinary as error:
        print("error: %s" % error, file=sys.stderr)
        return 1
    command = [binary, *sys.argv[1:]]
    if os.name == "posix":
        os.execv(binary, command)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
