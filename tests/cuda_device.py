"""CUDA devices without a GPU: a mock driver (mock_cuda.cpp) that runs CUDA C++ on fibers.

driver.add(mod)         the mock loads the PTX of the module as its CUDA C++, for the CPU
mod(x)                  runs on device("cuda")
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tilewright.driver.modules import CompiledModule
from tilewright.runtime import cuda_devices
from tilewright.runtime import device as device_module
from tilewright.runtime.abi import DeviceType
from tilewright.runtime.cuda import Cuda

HERE = Path(__file__).parent
SHIM, MOCK = HERE / "lowering" / "cuda_shim.hpp", HERE / "mock_cuda.cpp"
FLAGS = ("-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC")


def cpp_compiler() -> str:
    """Return the C++ compiler; skip the test without one."""
    found = shutil.which("g++") or shutil.which("clang++")
    if found is None:
        pytest.skip("needs a C++ compiler: g++ or clang++")
    return found


def compile_cpp(source: Path, made: Path, *flags: str) -> None:
    """Compile a file to a shared object."""
    command = [cpp_compiler(), *FLAGS, *flags, "-o", str(made), str(source)]
    subprocess.run(command, check=True)


class MockDriver:
    """The library of the mock driver, and the programs that it can load."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, 0
        compile_cpp(MOCK, folder / "libcuda.so", "-Wall", "-Wextra", "-Werror")
        self.library = ctypes.CDLL(str(folder / "libcuda.so"))
        self.library.mock_used.restype = ctypes.c_size_t
        self.functions = Cuda(self.library)
        self.functions.call("cuInit", 0)

    def add(self, mod: CompiledModule) -> None:
        """Let the driver load the PTX of a module."""
        self.add_source(mod.get_source("ptx"), mod.get_source("cuda"))

    def add_source(self, ptx: str, cuda: str) -> None:
        """Let the driver load a text of PTX: kernels run as CUDA C++."""
        self._count += 1
        source = self._folder / f"program{self._count}.cpp"
        names = re.findall(r"\.visible \.entry (\w+)", ptx)
        calls = [f'extern "C" void call_{n}(void **a) {{ pass({n}, a); }}' for n in names]
        source.write_text("\n".join([f'#include "{SHIM}"', cuda, *calls, ""]))
        compile_cpp(source, source.with_suffix(".so"), "-w")
        self.library.mock_register(ptx.encode(), str(source.with_suffix(".so")).encode())

    def used_bytes(self, device: int = 0) -> int:
        """Return the bytes of memory that are allocated."""
        return int(self.library.mock_used(device))

    def calls(self, function: str) -> int:
        """Return how often a function was called."""
        return int(self.library.mock_calls(function.encode()))


def mocked(driver: MockDriver | None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a test with the devices of a driver, or with none; a fixture."""
    functions = None if driver is None else driver.functions
    monkeypatch.setattr(cuda_devices, "cuda", lambda: functions)
    kinds = device_module._devices().kinds  # pyright: ignore[reportPrivateUsage]
    before = kinds.pop(DeviceType.CUDA, None)
    yield
    kinds.pop(DeviceType.CUDA, None)
    if before is not None:
        kinds[DeviceType.CUDA] = before
