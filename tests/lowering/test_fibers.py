"""CUDA C++ and Metal of kernels, run on the CPU with fibers as threads: fibers.hpp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tilewright import te
from tilewright.dialects.simt import launch_of
from tilewright.interp.simt import run_kernel
from tilewright.lowering.simt_to_c import emit_program

from ..passes.simt import schedules
from ..passes.simt.schedules import fork_join, mapped
from .native import only_function
from .shims import SHIMS, ShimProgram, aligned
from .test_simt_to_c import REVERSE


class Fibers:
    """A kernel in a language of GPUs, compiled for the CPU."""

    def __init__(
        self, function: FuncOp, language: str, folder: Path, *, with_barriers: bool = True
    ) -> None:
        launch, shim = launch_of(function), SHIMS[language]
        assert launch is not None, "a kernel of the simt level"
        source = emit_program([("k", function)], shim.dialect)
        if not with_barriers:
            assert shim.barrier in source
            source = source.replace(shim.barrier, "")
        self._launch, self._program = launch, ShimProgram(language, source, ["k"], folder)

    def __call__(self, *arrays: np.ndarray) -> None:
        """Run the kernel on arrays, in place."""
        self._program.run("k", self._launch, arrays)


def random(*shape: int) -> np.ndarray:
    return aligned(np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32))


Case = tuple[FuncOp, list[np.ndarray], np.ndarray]


def addition() -> Case:
    a, b = (te.placeholder((1000,), name=name) for name in "AB")
    c = te.compute((1000,), lambda i: a[i] + b[i], name="C")
    s = te.create_schedule(c)
    block, thread = s[c].split(c.op.axis[0], factor=100)
    s[c].bind(block, te.thread_axis("blockIdx.x"))
    s[c].bind(thread, te.thread_axis("threadIdx.x"))
    x, y = random(1000), random(1000)[::-1].copy()
    return mapped(fork_join(s)), [x, aligned(y)], x + y


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
    "addition": addition,
    "reverse": reverse,
    "product": product,
    "product_transposed": lambda: product(transpose=True),
    "product_double": lambda: product(transpose=True, double=True),
    "product_staged": lambda: product(stage=True),
    "softmax": softmax,
    "convolution": convolution,
}


FOUR = ("addition", "product", "softmax", "convolution")
RUNS = [("cuda", name) for name in CASES] + [("metal", name) for name in FOUR]
BLIND = [("cuda", name) for name in ("reverse", "product", "product_double", "softmax")]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("language", "name"), RUNS)
def test_kernels_compute_what_the_interpreter_does(
    language: str, name: str, tmp_path: Path
) -> None:
    function, inputs, expected = CASES[name]()
    out, reference = (aligned(np.full(expected.shape, np.nan, np.float32)) for _ in range(2))
    Fibers(function, language, tmp_path)(*inputs, out)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)
    run_kernel(function, *inputs, reference)
    np.testing.assert_allclose(out, reference, rtol=1e-5, atol=1e-6)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("language", "name"), [*BLIND, ("metal", "product"), ("metal", "softmax")])
def test_kernels_without_barriers_compute_something_else(
    language: str, name: str, tmp_path: Path
) -> None:
    function, inputs, expected = CASES[name]()
    out = aligned(np.full(expected.shape, np.nan, np.float32))
    Fibers(function, language, tmp_path, with_barriers=False)(*inputs, out)
    assert not np.allclose(out, expected, rtol=1e-2, atol=1e-2)


DIVERGENT = """
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {tw.launch = #simt.launch<grid [2], block [4, 8], shared 0>} {
  %t = simt.thread_id x below 4
  %v = simt.thread_id y below 8
  loop.for %i = 0 to min(8, %t + %v) {
    simt.barrier shared
  }
  func.return
}
"""


@pytest.mark.parametrize("language", SHIMS)
def test_a_barrier_that_some_threads_miss_is_an_error(language: str, tmp_path: Path) -> None:
    function = only_function(DIVERGENT)
    message = r"divergent barrier in block \(0, 0, 0\): thread \(0, 0, 0\) has ended, "
    with pytest.raises(RuntimeError, match=message + r"thread \(1, 0, 0\) waits in line"):
        Fibers(function, language, tmp_path)(random(64), random(64))
