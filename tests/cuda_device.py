"""CUDA devices without a GPU: a mock driver (mock_cuda.cpp) that runs CUDA C++ on fibers.

driver.add(mod)         the mock loads the PTX of the module as its CUDA C++, for the CPU
mod(x)                  runs on device("cuda")
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.lowering.simt_to_c import CUDA
from tilewright.runtime.abi.constants import DeviceType
from tilewright.runtime.device.cuda import Cuda

from .lowering.shims import DYNAMIC
from .mock_drivers import HERE, MockLibrary, compile_cpp, with_driver

SHIM = HERE / "lowering" / "cuda_shim.hpp"
PIPELINE = "#include <cuda_pipeline.h>"
"""The line of CUDA C++ that only CUDA's compiler has a file for; the shim has the functions."""


class MockDriver(MockLibrary):
    """The library of the mock driver, and the programs that it can load.

    programs: the library that runs the kernels of each text of PTX.
    """

    source, driver, kind, finder = "mock_cuda.cpp", Cuda, DeviceType.CUDA, "cuda"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._folder = folder
        self.programs: dict[str, Path] = {}

    def add(self, mod: CompiledModule) -> None:
        """Let the driver load the PTX of a module."""
        self.add_source(mod.get_source("ptx"), mod.get_source("cuda"))

    def add_source(self, ptx: str, cuda: str) -> None:
        """Let the driver load a text of PTX: kernels run as CUDA C++."""
        if ptx in self.programs:
            return
        made = self._folder / f"program{len(self.programs)}.so"
        self.programs[ptx] = made
        compile_kernels(cuda, re.findall(r"\.visible \.entry (\w+)", ptx), made)
        self.library.mock_register(ptx.encode(), str(made).encode())


def compile_kernels(cuda: str, names: Sequence[str], made: Path) -> None:
    """Compile CUDA C++ to a library whose kernels run on fibers.

    names: the symbols of the kernels.  made: the path of the library.
    """
    for spelling, other in ((PIPELINE, ""), (CUDA.dynamic.format(alignment=16), DYNAMIC)):
        cuda = cuda.replace(spelling, other)
    calls = [f'extern "C" void call_{n}(void **a) {{ pass({n}, a); }}' for n in names]
    source = made.with_suffix(".cpp")
    source.write_text("\n".join([f'#include "{SHIM}"', cuda, *calls, ""]))
    compile_cpp(source, made, "-w")


def mocked(driver: MockDriver | None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a test with the devices of a driver, or with none; a fixture."""
    return with_driver(MockDriver, driver, monkeypatch)
