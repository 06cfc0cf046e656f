"""Launches of gradient kernels on GPUs: enough threads, and no long serial sum in one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ops
from tilewright.driver.compile_module import compile_module

from ....opencl_device import opencl_device

Array = np.ndarray[Any, Any]
Loss = Callable[..., Any]


def drawn(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def pooled(x: Any, g: Any) -> Any:
    return (ops.max_pool2d(x, 2) * g).sum()


def convolved(w: Any, x: Any, g: Any) -> Any:
    return (ops.conv2d(x, w, padding=1) * g).sum()


def multiplied(w: Any, x: Any, g: Any) -> Any:
    return ((x @ w) * g).sum()


def shifted(b: Any, x: Any, g: Any) -> Any:
    return ((x + b) * g).sum()


GRADIENTS: Mapping[str, tuple[Loss, tuple[Array, ...], int, int]] = {
    "maximum pool": (pooled, (drawn(32, 16, 28, 28), drawn(32, 16, 14, 14)), 512, 4096),
    "filters of an image": (
        convolved,
        (drawn(16, 3, 3, 3), drawn(8, 3, 32, 32), drawn(8, 16, 32, 32)),
        3456,
        2 * 1100,
    ),
    "filters of one channel": (
        convolved,
        (drawn(16, 1, 3, 3), drawn(32, 1, 28, 28), drawn(32, 16, 28, 28)),
        4608,
        2 * 1100,
    ),
    "filters of many channels": (
        convolved,
        (drawn(32, 16, 3, 3), drawn(8, 16, 16, 16), drawn(8, 32, 16, 16)),
        2048,
        2 * 1100,
    ),
    "weights": (multiplied, (drawn(64, 10), drawn(8192, 64), drawn(8192, 10)), 4096, 2 * 1024),
    "bias": (shifted, (drawn(10), drawn(8192, 10), drawn(8192, 10)), 640, 2 * 2048),
}
"""By name: a loss, its arguments, and for the gradient of the first one the fewest threads of its
kernel with most work, and the most operations of a thread, of which a term of a sum takes two."""

LAUNCH = re.compile(r"flops = (\d+).*?tw\.launch = #simt\.launch<grid \[(.*?)\], block \[(.*?)\]")


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_have_many_threads_and_short_sums(name: str) -> None:
    loss, arrays, least_threads, most_work = GRADIENTS[name]
    module = tilewright.function(lambda *args: tilewright.grad(loss)(*args)).ir(*arrays)
    text = compile_module(module, target="cuda", cache=False).get_source("packed")
    launches = [
        (int(flops), *(np.prod([*map(int, sizes.split(","))]) for sizes in (grid, block)))
        for flops, grid, block in LAUNCH.findall(text)
    ]
    assert launches
    assert all(flops <= most_work * blocks * threads for flops, blocks, threads in launches)
    flops, blocks, threads = max(launches)
    assert blocks * threads >= least_threads, launches
    assert blocks >= 8 or flops < 1 << 20, launches


def normalized(w: Any, x: Any, g: Any) -> Any:
    """Return a loss of a convolution, batch norm and pool."""
    y: Any = ops.conv2d(x, w, padding=1)
    y = y - y.mean((0, 2, 3), keepdims=True)
    y = y * ops.rsqrt((y * y).mean((0, 2, 3), keepdims=True) + 1e-5)
    return (ops.max_pool2d(y, 2) * g).sum()


def test_one_program_computes_gradients_of_all_batches() -> None:
    """Reference: the program for this CPU.  The batch is known only at a call."""
    opencl_device()
    shapes = {"x": ("n", 2, 12, 12), "g": ("n", 8, 6, 6)}

    def gradients(w: Any, x: Any, g: Any) -> Any:
        return tilewright.grad(normalized)(w, x, g)

    options: dict[str, Any] = {"shapes": shapes, "strict_plan": True, "cache": False}
    here = tilewright.function(gradients, **options)
    there = tilewright.function(gradients, target="opencl", **options)
    for batch in (1, 5):
        arrays = drawn(8, 2, 3, 3), drawn(batch, 2, 12, 12), drawn(batch, 8, 6, 6)
        found, wanted = (np.asarray(each(*arrays)) for each in (there, here))
        np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-4)
