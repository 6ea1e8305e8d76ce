"""Entry of paring's pytest worker: takes the protocol off the standard streams, then serves it.

Started as `PYTHON <folder>/paring_worker.py`. Only the standard library and the user's own pytest (7 and up) are
used. The parts are imported from this folder, which then leaves `sys.path`: the user's code sees the path that
`python -m pytest` would give it.
"""
import os
import sys


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    if here not in sys.path:
        sys.path.insert(0, here)
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    import paring_channel
    import paring_server

    sys.dont_write_bytecode = written
    sys.path.remove(here)
    # `python -m pytest` puts the working directory first, unless the interpreter is told to be safe.
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, os.getcwd())
    paring_server.serve(paring_channel.take_over())


# A test that spawns processes imports the main module again: that must not start a second worker.
if __name__ == "__main__":
    main()
