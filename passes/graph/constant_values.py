"""Read and write constant values without expanding repeated elements.

A broadcast constant is a numpy view in which repeated axes have stride 0. This module reads such
views from the IR and writes them back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from ...dialects.graph import BroadcastOp, ConstantOp
from ...dialects.shape import dims_of, type_of
from ...dialects.weights import WeightAttr

Array: TypeAlias = NDArray[Any]

UNIFORM_ELEMENTS = 4096
"""Larger constants are not tested for equal elements."""


def static_sizes(value: SSAValue) -> tuple[int, ...] | None:
    """Return the sizes of a tensor, or None if one is symbolic."""
    sizes = [dim.value for dim in dims_of(type_of(value))]
    return None if None in sizes else tuple(size or 0 for size in sizes)


@dataclass(frozen=True)
class Known:
    """A tensor that is a graph.constant, or a graph.broadcast of one.

    stored: the constant.  sizes: the sizes of the tensor.  shape: the sizes of the constant,
    aligned with the axes of the tensor; the size is 1 for an axis along which the tensor repeats
    elements.
    """

    stored: WeightAttr
    shape: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def view(self) -> Array:
        """Return the elements as a numpy view, for decisions that the compiler makes.

        Generated code must not depend on these values, because load_params can replace them later.
        """
        return np.broadcast_to(self.stored.stored.reshape(self.shape), self.sizes)

    @property
    def weight(self) -> WeightAttr:
        """The stored elements as a weight with the rank of the tensor."""
        if self.stored.stored.shape == self.shape:
            return self.stored
        return WeightAttr.derived("reshape", [self.stored], self.shape)


def known_weight(value: SSAValue) -> Known | None:
    """Return how a constant, or a broadcast of one, repeats its elements; None for other values."""
    op = value.owner
    if isinstance(op, ConstantOp):
        return Known(op.value, op.value.stored.shape, op.value.stored.shape)
    if not isinstance(op, BroadcastOp):
        return None
    source, sizes = known_weight(op.x), static_sizes(op.out)
    if source is None or sizes is None:
        return None
    aligned = [1] * len(sizes)
    for axis, size in zip(op.axes, source.shape, strict=True):
        aligned[axis] = size
    return Known(source.stored, tuple(aligned), sizes)


def known_array(value: SSAValue) -> Array | None:
    """Return a view of the elements of a constant, or of its broadcast; None for other values.

    Generated code may depend on these elements: load_params can no longer replace them.
    """
    known = known_weight(value)
    if known is None:
        return None
    return np.broadcast_to(known.stored.array.reshape(known.shape), known.sizes)


def uniform_value(value: SSAValue) -> Any:
    """Return the common value of all elements of a constant or of its broadcast.

    None if elements differ, for other values, and for constants of more than 4096 elements.
    """
    op = value.owner
    if isinstance(op, BroadcastOp):
        return uniform_value(op.x)
    if not isinstance(op, ConstantOp) or not 0 < op.value.stored.size <= UNIFORM_ELEMENTS:
        return None
    first = op.value.stored.flat[0]
    return op.array.flat[0] if np.all(op.value.stored == first) else None


def vector_along(value: SSAValue, axis: int) -> WeightAttr | None:
    """Return the elements of a constant along ``axis``, an axis of static size, as a vector.

    None unless the value is a constant, or a broadcast of one, whose elements are equal along all
    other axes. The sizes of the other axes may be symbolic.
    """
    source, axes = value, tuple(range(len(dims_of(type_of(value)))))
    while isinstance(source.owner, BroadcastOp):
        source, axes = source.owner.x, tuple(axes[d] for d in source.owner.axes)
    sizes = [dim.value for dim in dims_of(type_of(value))]
    size = sizes[axis] if 0 <= axis < len(sizes) else 1
    if not isinstance(source.owner, ConstantOp) or 0 in sizes or size is None:
        return None
    weight = source.owner.value
    if any(axes[d] != axis for d in varying_axes(weight.stored)):
        return None
    vector = WeightAttr.derived("reshape", [weight], (weight.stored.size,))
    return WeightAttr.derived("broadcast", [vector], (size,))


def varying_axes(array: Array) -> tuple[int, ...]:
    """Return the axes along which a numpy view does not repeat elements (the stride is not 0)."""
    return tuple(d for d in range(array.ndim) if array.shape[d] > 1 and array.strides[d] != 0)


def without_repetition(array: Array) -> Array:
    """Return a numpy view in which each axis that repeats elements is cut to size 1."""
    repeated = [n > 1 and s == 0 for n, s in zip(array.shape, array.strides, strict=True)]
    return array[tuple(slice(0, 1) if cut else slice(None) for cut in repeated)]


def constant_ops(array: Array) -> Sequence[Operation]:
    """Return the ops that make a tensor from a numpy view; the last op's result is the tensor.

    The ops are a graph.constant, followed by a graph.broadcast if the view repeats elements.
    """
    stored = without_repetition(array)
    if stored.shape == array.shape or array.size == 0:
        return (ConstantOp(np.ascontiguousarray(array).reshape(array.shape)),)
    axes = varying_axes(array)
    vector = ConstantOp(np.ascontiguousarray(stored).reshape([array.shape[d] for d in axes]))
    return (vector, BroadcastOp(vector.out, array.shape, axes))
