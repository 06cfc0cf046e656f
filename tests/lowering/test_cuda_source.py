"""CUDA C++ of kernels, run on the CPU with fibers as threads: cuda_shim.hpp."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tilewright.dialects.simt import launch_of
from tilewright.lowering.simt_to_c import CUDA, emit_program

from ..passes.simt import schedules
from ..passes.simt.schedules import fork_join, mapped
from .native import only_function
from .test_simt_to_c import REVERSE

SHIM = Path(__file__).parent / "cuda_shim.hpp"
COMPILER = shutil.which("g++") or shutil.which("clang++")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")


class Fibers:
    """A kernel in CUDA C++, compiled for the CPU."""

    def __init__(self, function: FuncOp, folder: Path, *, with_barriers: bool = True) -> None:
        launch, count = launch_of(function), len(function.body.block.args)
        assert launch is not None, "a kernel of the simt level"
        source = emit_program([("k", function)], CUDA)
        if not with_barriers:
            assert "__syncthreads();" in source
            source = source.replace("__syncthreads();", "")
        types, values = ", ".join(["void *"] * count), ", ".join(f"a[{n}]" for n in range(count))
        call = f"reinterpret_cast<void (*)({types})>(k)({values});"
        text = f'#include "{SHIM}"\n{source}\nextern "C" void call_k(void **a) {{ {call} }}\n'
        (folder / "k.cpp").write_text(text)
        flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-w", "-shared", "-fPIC"]
        command = [str(COMPILER), *flags, "-o", str(folder / "k.so"), str(folder / "k.cpp")]
        subprocess.run(command, check=True)
        self._library = ctypes.CDLL(str(folder / "k.so"))
        self._grid = (ctypes.c_uint32 * 3)(*(n.evaluate({}) for n in launch.grid))
        self._block = (ctypes.c_uint32 * 3)(*launch.block)

    def __call__(self, *arrays: np.ndarray) -> None:
        """Run the kernel on arrays, in place."""
        pointers = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        call = self._library.call_k
        assert self._library.launch(call, pointers, self._grid, self._block) == 0


def aligned(array: np.ndarray) -> np.ndarray:
    """Return a copy of an array that starts at a multiple of 16 bytes."""
    raw = np.empty(array.nbytes + 16, np.uint8)
    start = -raw.ctypes.data % 16
    made = raw[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    made[...] = array
    return made


def random(*shape: int) -> np.ndarray:
    return aligned(np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32))


Case = tuple[FuncOp, list[np.ndarray], np.ndarray]


def product(**options: Any) -> Case:
    a, b = random(64, 32), random(32, 96)
    return mapped(fork_join(schedules.matmul(64, 96, 32, **options)[0])), [a, b], a @ b


def softmax() -> Case:
    x = random(8, 256)
    e = np.exp(x - x.max(1, keepdims=True))
    function = mapped(fork_join(schedules.softmax(8, 256, 32)[0]))
    return function, [x], e / e.sum(1, keepdims=True)


def convolution() -> Case:
    x, w = random(4, 12, 12), random(8, 4, 3, 3)
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    function = mapped(fork_join(schedules.conv(4, 12, 8)[0]))
    return function, [x, w], np.einsum("chwij,fcij->fhw", windows, w)


def reverse() -> Case:
    x = random(1024)
    return only_function(REVERSE), [x], x.reshape(8, 128)[:, ::-1].ravel()


CASES = {
    "reverse": reverse,
    "product": product,
    "product_transposed": lambda: product(transpose=True),
    "product_double": lambda: product(transpose=True, double=True),
    "product_staged": lambda: product(stage=True),
    "softmax": softmax,
    "convolution": convolution,
}


@needs_compiler
@pytest.mark.parametrize("name", CASES)
def test_kernels_compute_what_numpy_does(name: str, tmp_path: Path) -> None:
    function, inputs, expected = CASES[name]()
    out = aligned(np.full(expected.shape, np.nan, np.float32))
    Fibers(function, tmp_path)(*inputs, out)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)


@needs_compiler
@pytest.mark.parametrize("name", ["reverse", "product", "product_double", "softmax"])
def test_kernels_without_barriers_compute_something_else(name: str, tmp_path: Path) -> None:
    function, inputs, expected = CASES[name]()
    out = aligned(np.full(expected.shape, np.nan, np.float32))
    Fibers(function, tmp_path, with_barriers=False)(*inputs, out)
    assert not np.allclose(out, expected, rtol=1e-2, atol=1e-2)
