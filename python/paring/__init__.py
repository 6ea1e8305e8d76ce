"""paring pares failing tests. This package finds the binary of the wheel and has the pytest plugin; all work is done by the binary."""

from ._binary import find_paring_bin

__all__ = ["find_paring_bin"]
