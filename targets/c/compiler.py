"""The C compiler of this machine."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from shutil import which


def c_compiler() -> list[str] | None:
    """Return the command of a C compiler for this machine; None if there is none."""
    if (found := which("cc")) is not None:
        return [found]
    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") is not None else None
