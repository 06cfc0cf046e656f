"""Operators that sort, search, and read or write at computed positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from .arrangement import axis_of, expand_dims, stack
from .converted import converted
from .table import Extent, Operand, TensorLike, call


def zeros(shape: Sequence[Extent], dtype: str = "float32") -> Tensor:
    """Return a tensor of zeros."""
    return full(shape, 0, dtype)


def ones(shape: Sequence[Extent], dtype: str = "float32") -> Tensor:
    """Return a tensor of ones."""
    return full(shape, 1, dtype)


def full(shape: Sequence[Extent], value: float, dtype: str = "float32") -> Tensor:
    """Return a tensor whose elements are all one number."""
    return call("broadcast", np.asarray(value, dtype), list(shape), [])


def arange(stop: Extent, start: int = 0, step: int = 1, dtype: str = "int64") -> Tensor:
    """Return ``start``, ``start + step``, … up to ``stop``, which is excluded.

    Errors: TypeMismatch if the step is 0, or if stop is symbolic and start or step are given.
    """
    if isinstance(stop, int) and step:
        size = max(-((start - stop) // step), 0)
    elif (start, step) == (0, 1):
        size = stop
    else:
        raise TypeMismatch("ops.arange: the step is 0, or the number of elements is symbolic",
                           got=(start, stop, step))  # fmt: skip
    places = call("iota", [size], 0, dtype)
    return call("add", call("mul", places, step), start) if (start, step) != (0, 1) else places


def sort(x: Tensor, axis: int = -1, *, descending: bool = False) -> Tensor:
    """Return the elements in order along an axis; equal elements keep their order."""
    place = axis_of(x, axis)
    return call("top_k", x, x.shape[place], place, largest=descending)[0]


def argsort(x: Tensor, axis: int = -1, *, descending: bool = False) -> Tensor:
    """Return the positions of the elements in order along an axis, as int64.

    The positions of equal elements ascend.
    """
    place = axis_of(x, axis)
    return call("top_k", x, x.shape[place], place, largest=descending)[1]


def searchsorted(ordered: Tensor, x: Tensor, *, right: bool = False) -> Tensor:
    """Return the first position before which x can be inserted in ascending rows, as int64.

    right: return the last such position instead.
    Shapes: ordered (…, N), x (…, M) with equal outer dimensions, or ordered (N) for any x; the
    result has the shape of x.
    Cost: M · N comparisons, because all elements are compared.
    """
    rows = ordered if ordered.ndim == 1 else expand_dims(ordered, -2)
    columns = expand_dims(x, -1)
    before = call("le", rows, columns) if right else call("lt", rows, columns)
    return call("reduce", call("cast", before, "int64"), kind="sum", axes=[x.ndim])


def nonzero(x: Tensor) -> Tensor:
    """Return the positions of the elements that are not 0, as int64.

    Shapes: x of rank r; the result (r, n): one row per dimension. n depends on the data, so x is an
    array of a traced function.
    Errors: TypeMismatch for a te tensor.
    """
    return converted("nonzero", "NonZero", x)


def argwhere(x: Tensor) -> Tensor:
    """Return the positions of the elements that are not 0, as int64, one row per element.

    Shapes: x of rank r; the result (n, r), with n as in `nonzero`.
    Errors: as `nonzero`.
    """
    return call("transpose", nonzero(x), [1, 0])


def unique(
    x: Tensor, axis: int | None = None, *, ordered: bool = True
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the distinct elements, their first positions, the inverse, and their counts.

    axis: compare slices along this axis, instead of elements.
    ordered: whether the elements ascend; else they keep the order of their first occurrence.
    Shapes: out (n), first (n), inverse (size of x), counts (n); n depends on the data, so x is an
    array of a traced function.  Positions and counts are int64.
    Errors: TypeMismatch for a te tensor.
    """
    options: dict[str, Any] = {} if axis is None else {"axis": axis_of(x, axis)}
    return converted("unique", "Unique", x, results=4, sorted=int(ordered), **options)


def take(x: Tensor, indices: TensorLike, axis: int | None = None, *, mode: str = "raise") -> Tensor:
    """Return slices of x along an axis, or elements of the flattened x without an axis.

    mode: what an index outside of the axis means: "raise", an error of the call, where negative
    indices count from the end; "clip", the nearest position; "wrap", the remainder.
    Errors: TypeMismatch for another mode.
    """
    flat = call("reshape", x, [_count(x)]) if axis is None else x
    place = 0 if axis is None else axis_of(x, axis)
    if mode == "raise":
        return converted("take", "Gather", flat, indices, axis=place)
    positions, size = call("cast", indices, "int64"), flat.shape[place]
    if mode == "clip":
        positions = call("min", call("max", positions, 0), size - 1)
    elif mode == "wrap":
        positions = call("mod", positions, size)
    else:
        raise TypeMismatch("ops.take: unknown mode", expected="raise, clip or wrap", got=mode)
    return call("gather", flat, positions, place)


def _count(x: Tensor) -> Any:
    count: Any = 1
    for size in x.shape:
        count = size * count
    return count


def unravel_index(indices: Tensor, shape: Sequence[int]) -> Tensor:
    """Return the position along each axis of a shape, for positions in the flattened shape.

    Shapes: indices I of integers; the result (rank of the shape, *I).
    """
    parts: list[Tensor] = []
    rest: Any = indices
    for size in reversed(shape):
        parts.append(call("mod", rest, size))
        rest = call("div", call("sub", rest, parts[-1]), max(size, 1))
    return stack(parts[::-1])


def adv_index(x: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """Return ``x[indices]``: numpy's indexing by arrays of positions in the first axes.

    Shapes: x S, k indices that broadcast to I; the result I + S[k:].
    """
    total: Any = indices[0]
    for other in indices[1:]:
        total = call("add", total, other)
    zero = call("mul", total, 0)
    places = stack([call("add", each, zero) for each in indices], -1)
    return converted("adv_index", "GatherND", x, places)


def invert_permutation(x: Tensor) -> Tensor:
    """Return the permutation y for which ``y[x[i]] == i``, for a permutation x of 0 to n - 1."""
    return call("scatter_elements", x, x, call("iota", [x.shape[0]], 0, x.dtype), 0)


def segment_sum(x: Tensor, segments: Tensor, count: Extent) -> Tensor:
    """Return the sum of the slices of each segment.

    segments: the number of the segment of each slice, in any order.
    Shapes: x (N, …), segments (N) of integers from 0 to count - 1; the result (count, …).
    """
    start = call("broadcast", np.zeros((), x.dtype), [count, *x.shape[1:]], [])
    return converted(
        "segment_sum", "ScatterND", start, expand_dims(segments, -1), x, reduction="add"
    )


def reverse_sequence(
    x: Tensor, lengths: TensorLike, time_axis: int = 1, batch_axis: int = 0
) -> Tensor:
    """Reverse the first elements of each sequence of a batch; the others keep their places.

    Shapes: lengths (size of the batch axis) of integers.
    """
    return converted(
        "reverse_sequence", "ReverseSequence", x, lengths,
        time_axis=axis_of(x, time_axis), batch_axis=axis_of(x, batch_axis),
    )  # fmt: skip


def sparse_to_dense(
    indices: Tensor, shape: Sequence[Extent], values: Tensor, default: Operand = 0
) -> Tensor:
    """Return a tensor with values at some positions, and the default elsewhere.

    Shapes: indices (n, r) of integers, or (n) for a shape of rank 1; values (n).
    """
    places = expand_dims(indices, -1) if indices.ndim == 1 else indices
    start = call("broadcast", np.asarray(default, values.dtype), list(shape), [])
    return converted("sparse_to_dense", "ScatterND", start, places, values)


__all__ = [
    "adv_index", "arange", "argsort", "argwhere", "full", "invert_permutation", "nonzero", "ones",
    "reverse_sequence", "searchsorted", "segment_sum", "sort", "sparse_to_dense", "take", "unique",
    "unravel_index", "zeros",
]  # fmt: skip
