"""ROCm devices without a GPU: a mock driver (mock_hip.cpp) whose launches run in the emulator.

driver.add(mod)         the mock loads the code object of the module
mod(x)                  runs on device("rocm"), instruction by instruction
"""

from __future__ import annotations

import ctypes
from base64 import b64decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilewright.codegen.code_object import kernels_in
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.abi.constants import DeviceType
from tilewright.runtime.device.hip import Hip

from .amd.emulator import AmdProgram, BufferPlace, own_arguments
from .mock_drivers import MockLibrary, with_driver

_LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_uint32),
    ctypes.POINTER(ctypes.c_uint32),
)
_FAILED = 719


class MockHip(MockLibrary):
    """The library of the mock driver, and the programs that it can load.

    errors: those of launches; the driver only knows that they failed.
    """

    source, driver, kind, finder = "mock_hip.cpp", Hip, DeviceType.ROCM, "hip"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.library.mock_block.restype = ctypes.c_uint64
        self.errors: list[Exception] = []
        self._alive: list[object] = []

    def add(self, mod: CompiledModule, processor: str) -> None:
        """Let the driver load the code object of a module."""
        self.add_object(b64decode(mod.get_source("hsaco")), processor)

    def add_object(self, code: bytes, processor: str) -> None:
        """Let the driver load a code object."""
        letters = _letters_of(code)
        program = AmdProgram(code, processor)

        def launch(name: bytes, values: Any, grid: Any, block: Any) -> int:
            symbol = name.decode()
            try:
                self._launch(program, symbol, letters[symbol], values, (grid[:3], block[:3]))
            except (RuntimeError, NotImplementedError) as err:
                self.errors.append(err)
                return _FAILED
            return 0

        self._alive.append(function := _LAUNCH(launch))
        lines = kernel_lines(code).encode()
        self.library.mock_register(code, ctypes.c_size_t(len(code)), lines, function)

    def _launch(
        self,
        program: AmdProgram,
        symbol: str,
        letters: str,
        values: Any,
        sizes: tuple[list[int], list[int]],
    ) -> None:
        blocks: dict[int, np.ndarray] = {}
        passed: list[int | BufferPlace] = []
        for number, letter in enumerate(letters):
            value = ctypes.c_uint64.from_address(values[number]).value
            if letter == "p":
                start, memory = self._block(value)
                blocks.setdefault(start, memory)
                passed.append(BufferPlace(list(blocks).index(start), value - start))
            else:
                passed.append(value)
        program.launch(symbol, sizes[0], sizes[1], list(blocks.values()), passed)

    def _block(self, address: int) -> tuple[int, np.ndarray]:
        """Return the start of the memory that holds an address, and its bytes."""
        size = ctypes.c_size_t()
        start = int(self.library.mock_block(ctypes.c_uint64(address), ctypes.byref(size)))
        memory = (ctypes.c_uint8 * size.value).from_address(start)
        return start, np.ctypeslib.as_array(memory)


def kernel_lines(code: bytes) -> str:
    """Return the lines by which the mock driver knows the kernels of a code object."""
    return "".join(f"{name} {types}\n" for name, types in _letters_of(code).items())


def _letters_of(code: bytes) -> Mapping[str, str]:
    kernels = {kernel[".name"]: own_arguments(kernel) for kernel in kernels_in(code)}
    return {name: "".join(map(_letter, arguments)) for name, arguments in kernels.items()}


def _letter(argument: Mapping[str, Any]) -> str:
    return "p" if argument[".value_kind"] == "global_buffer" else "n"


def mocked(driver: MockHip | None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a test with the devices of a driver, or with none; a fixture."""
    return with_driver(MockHip, driver, monkeypatch)
