"""Read and write constant values without expanding repeated elements.

A broadcast constant is a numpy view in which repeated axes have stride 0. This module reads such
views from the IR and writes them back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from ...dialects.graph import BroadcastOp, ConstantOp
from ...dialects.shape import dims_of, type_of

Array: TypeAlias = NDArray[Any]

UNIFORM_ELEMENTS = 4096
"""Larger constants are not tested for equal elements."""


def static_sizes(value: SSAValue) -> tuple[int, ...] | None:
    """Return the sizes of a tensor, or None if one is symbolic."""
    sizes = [dim.value for dim in dims_of(type_of(value))]
    return None if None in sizes else tuple(size or 0 for size in sizes)


def known_array(value: SSAValue) -> Array | None:
    """Return the elements of a constant or of a broadcast of one, as a view; None for others."""
    op = value.owner
    if isinstance(op, ConstantOp):
        return op.array
    if not isinstance(op, BroadcastOp):
        return None
    source, sizes = known_array(op.x), static_sizes(op.out)
    if source is None or sizes is None:
        return None
    aligned = [1] * len(sizes)
    for axis, size in zip(op.axes, source.shape, strict=True):
        aligned[axis] = size
    return np.broadcast_to(source.reshape(aligned), sizes)


def uniform_value(value: SSAValue) -> Any:
    """Return the common value of all elements of a constant or of its broadcast, or None."""
    op = value.owner
    if isinstance(op, BroadcastOp):
        return uniform_value(op.x)
    if not isinstance(op, ConstantOp) or not 0 < op.array.size <= UNIFORM_ELEMENTS:
        return None
    first = op.array.flat[0]
    return first if np.all(op.array == first) else None


def vector_along(value: SSAValue, axis: int) -> Array | None:
    """Return the elements along ``axis`` of a constant if it repeats along all other axes."""
    array = known_array(value)
    if array is None or not array.size or any(d != axis for d in varying_axes(array)):
        return None
    return array[tuple(slice(None) if d == axis else 0 for d in range(array.ndim))]


def varying_axes(array: Array) -> tuple[int, ...]:
    """Return the axes along which a view does not repeat elements."""
    return tuple(d for d in range(array.ndim) if array.shape[d] > 1 and array.strides[d] != 0)


def without_repetition(array: Array) -> Array:
    """Return the view with each repeated axis cut to size 1."""
    repeated = [n > 1 and s == 0 for n, s in zip(array.shape, array.strides, strict=True)]
    return array[tuple(slice(0, 1) if cut else slice(None) for cut in repeated)]


def constant_ops(array: Array) -> Sequence[Operation]:
    """Return the ops that make a tensor from a view; the last op's result is the tensor.

    These are a graph.constant, and a graph.broadcast if the view repeats elements.
    """
    stored = without_repetition(array)
    if stored.shape == array.shape or array.size == 0:
        return (ConstantOp(np.ascontiguousarray(array).reshape(array.shape)),)
    axes = varying_axes(array)
    vector = ConstantOp(np.ascontiguousarray(stored).reshape([array.shape[d] for d in axes]))
    return (vector, BroadcastOp(vector.out, array.shape, axes))
