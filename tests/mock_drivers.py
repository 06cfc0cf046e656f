"""Drivers of GPUs without a GPU: their libraries, from mock_cuda.cpp and mock_hip.cpp."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tilewright.runtime.abi import device as device_module
from tilewright.runtime.abi.constants import DeviceType
from tilewright.runtime.device import gpu_driver_devices
from tilewright.runtime.device.gpu_driver import GpuDriver

from .built_files import built_once

HERE = Path(__file__).parent
FLAGS = ("-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC")


def cpp_compiler() -> str:
    """Return the C++ compiler; skip the test without one."""
    found = shutil.which("g++") or shutil.which("clang++")
    if found is None:
        pytest.skip("needs a C++ compiler: g++ or clang++")
    return found


def compile_cpp(source: Path, made: Path, *flags: str) -> None:
    """Compile a file to a shared object; equal texts are compiled once.

    Each object is a copy, because a process loads a file once, with one state.
    """
    command = (cpp_compiler(), *FLAGS, *flags)
    built = built_once(
        (command, source.read_text()),
        lambda path: subprocess.run([*command, "-o", path, source], check=True),
    )
    shutil.copyfile(built, made)


class MockLibrary:
    """The library of a mock driver.

    source: its file.  driver: the class of its functions.  kind: that of its devices.  finder: the
    name of the function that finds the driver.
    """

    source: ClassVar[str]
    driver: ClassVar[type[GpuDriver]]
    kind: ClassVar[DeviceType]
    finder: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        made = folder / "driver.so"
        compile_cpp(HERE / self.source, made, "-Wall", "-Wextra", "-Werror")
        self.library = ctypes.CDLL(str(made))
        self.library.mock_used.restype = ctypes.c_size_t
        self.library.mock_graphs.restype = ctypes.c_size_t
        self.functions = self.driver(self.library)
        self.functions.call("init", 0)

    def used_bytes(self, device: int = 0) -> int:
        """Return the bytes of memory that are allocated."""
        return int(self.library.mock_used(device))

    @property
    def graphs(self) -> int:
        """The number of graphs that can be launched."""
        return int(self.library.mock_graphs())

    def calls(self, function: str) -> int:
        """Return how often a function was called."""
        return int(self.library.mock_calls(function.encode()))


def with_driver(
    kind: type[MockLibrary], driver: MockLibrary | None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Run a test with the devices of a driver, or with none; a fixture."""
    functions = None if driver is None else driver.functions
    monkeypatch.setattr(gpu_driver_devices, kind.finder, lambda: functions)
    kinds = device_module._devices().kinds  # pyright: ignore[reportPrivateUsage]
    before = kinds.pop(kind.kind, None)
    yield
    kinds.pop(kind.kind, None)
    if before is not None:
        kinds[kind.kind] = before
