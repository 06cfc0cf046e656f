"""Random views of a buffer as arguments: numpy's numbers, or one error that names the argument.

Views are unaligned, strided, reversed, transposed, empty, or without dimensions; results are views,
too, and bytes outside of them keep their values.
"""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime.errors import ArgumentError

Array = np.ndarray[Any, Any]
DTYPES = ("float32", "float64", "int8", "int64")


def _modules(dtype: str) -> dict[int, Any]:
    """Return by rank a module that adds two tensors."""
    made: dict[int, Any] = {}
    for rank in range(4):
        sizes = tuple(te.var(name) for name in "nmk"[:rank])
        A, B = te.placeholder(sizes, dtype, name="A"), te.placeholder(sizes, dtype, name="B")
        C = te.compute(sizes, lambda *i, A=A, B=B: A(*i) + B(*i), name="C")
        made[rank] = tilewright.build([A, B, C])
    return made


MODULES = {dtype: _modules(dtype) for dtype in DTYPES}


def _view(buffer: Array, dtype: str, shape: tuple[int, ...], draw: random.Random) -> Array:
    """Return a random view of some shape; no two elements share a byte."""
    item = np.dtype(dtype).itemsize
    order = draw.sample(range(len(shape)), len(shape))
    strides, extent = [0] * len(shape), item
    for axis in order:
        gap = draw.choice((0, 0, 1, 3))
        strides[axis] = extent + gap * draw.choice((1, item))
        extent = strides[axis] * max(shape[axis], 1)
    start = draw.randrange(0, 17)
    for axis in range(len(shape)):
        if draw.random() < 0.3:
            start += strides[axis] * max(shape[axis] - 1, 0)
            strides[axis] = -strides[axis]
    return np.ndarray(shape, dtype, buffer.data, start, tuple(strides))


def _draw(seed: int) -> str:
    """Call a module on random views; return whether the call was right or refused."""
    draw = random.Random(seed)
    dtype, rank = draw.choice(DTYPES), draw.randrange(4)
    shape = tuple(draw.choice((0, 1, 2, 3, 5, 17)) for _ in range(rank))
    buffers = [np.full(1 << 18, 90 + n, np.uint8) for n in range(3)]
    a, b, c = (_view(buffer, dtype, shape, draw) for buffer in buffers)
    for each in (a, b):
        each[...] = np.arange(each.size).reshape(shape) % 41
    expected = a + b
    outside = buffers[2].copy()
    np.ndarray(shape, dtype, outside.data, *_place(c, buffers[2]))[...] = expected
    module = MODULES[dtype][rank]
    call = draw.choice((module, module["main"]))
    refusal = ""
    try:
        call(a, b, c)
    except ArgumentError as error:
        refusal = str(error)
    if not refusal:
        np.testing.assert_array_equal(buffers[2], outside)
        return "right"
    assert re.search(r"argument \d \([ABC]\)", refusal)
    assert (buffers[2] == 92).all()
    np.testing.assert_array_equal(module(a.copy(), b.copy()), expected)
    return "refused"


def _place(view: Array, buffer: Array) -> tuple[int, tuple[int, ...]]:
    """Return where a view begins in its buffer, and its strides."""
    return view.ctypes.data - buffer.ctypes.data, view.strides


def _outcomes(seeds: range) -> set[str]:
    return {_draw(seed) for seed in seeds}


def test_random_views_are_right_or_refused() -> None:
    assert _outcomes(range(400)) == {"right", "refused"}


@pytest.mark.nightly
def test_many_random_views_are_right_or_refused() -> None:
    assert _outcomes(range(400, 50_400)) == {"right", "refused"}
