"""Runs machine code with x86's tile instructions (AMX) on any processor of x86; see emulator.c.

with TileEmulator(folder) as tiles:
    run(code)
assert tiles.count("multiplied") == 4
"""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "emulator.c"
KINDS = ("configured", "released", "zeroed", "loaded", "stored", "multiplied")


class TileEmulator:
    """The emulator of all threads of this process; while it is entered, tile instructions run.

    Errors: AssertionError at the exit for an instruction that the hardware would refuse.
    """

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("gcc") or shutil.which("clang")
        if compiler is None or platform.machine() != "x86_64":
            pytest.skip("needs x86-64 and a C compiler: gcc or clang")
        made = folder / "tiles.so"
        flags = ("-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
        subprocess.run([compiler, *flags, "-o", str(made), str(SOURCE)], check=True)
        self._library = ctypes.CDLL(str(made))
        self._library.emulator_error.restype = ctypes.c_char_p
        self._library.emulator_count.restype = ctypes.c_long

    def __enter__(self) -> TileEmulator:
        assert self._library.emulator_start() == 0, "no handler of the signal"
        return self

    def __exit__(self, *_: object) -> None:
        self._library.emulator_stop()
        error = self._library.emulator_error().decode()
        assert not error, error

    def count(self, kind: str) -> int:
        """Return how many instructions of a kind have run since the emulator was entered."""
        return int(self._library.emulator_count(KINDS.index(kind)))
