"""CUDA C++ and Metal on the CPU: their text, compiled with the threads of a block as fibers.

ShimProgram("cuda", mod.get_source("cuda"), ["tw_k0"], folder)   one valid file, for this compiler
program.run("tw_k0", launch, arrays, sizes)                      a launch, in place

A barrier that not all threads of a block reach is a `RuntimeError` that says where they wait.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from tilewright.dialects.packed import CallOp
from tilewright.dialects.simt import Launch, launch_of
from tilewright.interp import packed
from tilewright.interp.kernels import Kernel
from tilewright.interp.sizes import number_of
from tilewright.lowering.simt_to_c import CUDA, METAL, CDialect
from tilewright.support.entry import kernel_functions

from ..cuda_device import compile_cpp

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Shim:
    """How a language runs on the CPU.

    without: its first line that this compiler does not have.  replaced: spellings by those here.
    barrier: its call.
    """

    dialect: CDialect
    file: str
    without: str
    replaced: tuple[tuple[str, str], ...]
    barrier: str


SHIMS = {
    "cuda": Shim(CUDA, "cuda_shim.hpp", "", (), "__syncthreads();"),
    "metal": Shim(
        METAL,
        "metal_shim.hpp",
        "#include <metal_stdlib>",
        (("alignas(16) threadgroup ", "alignas(16) static "),),
        "threadgroup_barrier(mem_flags::mem_threadgroup);",
    ),
}


class ShimProgram:
    """The kernels of a source file in a language of GPUs, compiled for the CPU."""

    def __init__(self, language: str, source: str, symbols: Sequence[str], folder: Path) -> None:
        shim = SHIMS[language]
        text = source.replace(shim.without, "") if shim.without else source
        for spelling, other in shim.replaced:
            text = text.replace(spelling, other)
        calls = [f'extern "C" void call_{s}(void **a) {{ pass({s}, a); }}' for s in symbols]
        file = folder / "kernels.cpp"
        file.write_text("\n".join([f'#include "{HERE / shim.file}"', text, *calls, ""]))
        compile_cpp(file, file.with_suffix(".so"), "-w")
        self._library = ctypes.CDLL(str(file.with_suffix(".so")))
        self._library.launch_error.restype = ctypes.c_char_p

    def run(
        self,
        symbol: str,
        launch: Launch,
        arrays: Sequence[np.ndarray],
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """Run a kernel on arrays, in place; sizes: its symbolic sizes, in order.

        Errors: RuntimeError for a barrier that only some threads of a block reach.
        """
        there = [aligned(array) for array in arrays]
        numbers = dict(sizes or {})
        values = [
            *(ctypes.c_void_p(array.ctypes.data) for array in there),
            *map(ctypes.c_int64, numbers.values()),
        ]
        passed = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        grid = (ctypes.c_uint32 * 3)(*(n.evaluate(numbers) for n in launch.grid))
        block = (ctypes.c_uint32 * 3)(*launch.block)
        body = getattr(self._library, f"call_{symbol}")
        if self._library.launch(body, passed, grid, block):
            raise RuntimeError(f"{symbol}: {self._library.launch_error().decode()}")
        for array, made in zip(arrays, there, strict=True):
            if array.flags.writeable:
                array[...] = made


class ShimModule:
    """A module of a GPU's last level: Python runs main, the source runs the kernels.

    source: `get_source` of the language.
    """

    def __init__(self, module: ModuleOp, language: str, source: str, folder: Path) -> None:
        self._module, functions = module, kernel_functions(module)
        self._symbols = {f.sym_name.data: f"tw_k{number}" for number, f in enumerate(functions)}
        self._program = ShimProgram(language, source, list(self._symbols.values()), folder)

    def __call__(self, *inputs: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the results of main."""
        return packed.run(self._module, *inputs, call=self._call)

    def _call(self, op: CallOp, kernel: Kernel, arrays: Sequence[np.ndarray]) -> None:
        launch = launch_of(kernel)
        assert launch is not None, "a kernel of the simt level"
        sizes = {str(number): number_of(size) for number, size in enumerate(op.sizes)}
        self._program.run(self._symbols[op.kernel_name], launch, arrays, sizes)


def aligned(array: np.ndarray) -> np.ndarray:
    """Return a copy of an array that starts at a multiple of 16 bytes."""
    raw = np.empty(array.nbytes + 16, np.uint8)
    start = -raw.ctypes.data % 16
    made = raw[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    made[...] = array
    return made
