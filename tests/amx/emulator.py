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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilewright.dialects.packed import CallOp
from tilewright.driver.module.kernels import KernelCode
from tilewright.interp import packed
from tilewright.interp.sizes import number_of
from tilewright.runtime.abi.library import Library
from tilewright.testing.kernel_calls import KernelCalls

Array = np.ndarray[Any, np.dtype[Any]]

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


class TileProgram:
    """A program whose host part is interpreted and whose kernels run in this process.

    Before: the processor has all features of the target but tiles, and an emulator is entered.
    """

    def __init__(self, code: KernelCode) -> None:
        self._code, self._calls = code, KernelCalls(code)
        self._library = Library(code.code)

    def __call__(self, *inputs: Array) -> tuple[Array, ...]:
        """Run the program; return its results."""
        return packed.run(self._code.module, *inputs, call=self._call)

    def _call(self, op: CallOp, _: packed.Kernel, arrays: Sequence[Array]) -> None:
        info = self._code.infos[op.kernel_name]
        given = self._calls.arguments(op, arrays)
        pointers = (ctypes.c_void_p * len(given))(*(array.ctypes.data for array in given))
        kernel = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
        run = kernel(self._library.address(info.symbol))
        for task in range(number_of(info.tasks_with(op.sizes))):
            run(ctypes.addressof(pointers), task, 0)
