"""Convert operators of ATen that make and move elements: views, slices, joins, fills.

Torch's graph states the shape of every result, so the converter of a view uses this shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32, f64, i64

from ...dialects.dtypes import is_float
from ...dialects.graph import PadOp
from ...dialects.shape import Dim
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Tensor
from ..onnx.converters.move import cropped, tiled
from .aten import AtenBuilder, Converter, Number, Scalar


def same(b: AtenBuilder, x: Tensor, *_: Any) -> Tensor:
    """Return the operand for a copy or alias, because tensors are immutable."""
    return x


def reshaped(b: AtenBuilder, x: Tensor, *_: Any) -> Tensor:
    """Reshape an operand to the shape of the node's result."""
    return b.reshape(x, b.out.dims)


def permute(b: AtenBuilder, x: Tensor, axes: Sequence[int]) -> Tensor:
    """Permute axes; ``axes`` lists the axis of x for each axis of the result."""
    return b.transpose(x, [b.axis(axis, x.rank) for axis in axes])


def swapped(b: AtenBuilder, x: Tensor, first: int = 0, second: int = 1) -> Tensor:
    """Swap two axes."""
    if x.rank < 2:
        return x
    axes = list(range(x.rank))
    first, second = b.axis(first, x.rank), b.axis(second, x.rank)
    axes[first], axes[second] = second, first
    return b.transpose(x, axes)


def expand(b: AtenBuilder, x: Tensor, *_: Any) -> Tensor:
    """Broadcast an operand to the shape of the node's result."""
    return b.broadcast_to(x, b.out.dims)


def copied(b: AtenBuilder, x: Tensor, source: Tensor, *_: Any) -> Tensor:
    """Broadcast ``source`` to the shape of x; all elements of x are overwritten."""
    return b.broadcast_to(b.tensor(source, b.out.dtype), b.out.dims)


def repeat(b: AtenBuilder, x: Tensor, counts: Sequence[Number]) -> Tensor:
    """Repeat a tensor ``counts`` times along each axis, as numpy's tile."""
    x = b.reshape(x, (*(Dim.const(1),) * (len(counts) - x.rank), *x.dims))
    return b.reshape(tiled(b, x, [Dim.of(count) for count in counts]), b.out.dims)


def position(index: Number, size: Dim) -> Dim:
    """Convert an index along an axis to a position from 0; a negative index counts from the end."""
    at = Dim.of(index)
    low = at.lower_bound()
    return at + size if low is not None and low < 0 else at


def _first(start: Number | None, size: Dim) -> Dim:
    """Return the position at which a slice of an axis begins.

    A constant position is limited to the range of an axis of constant size, as in Python.
    """
    first = Dim.const(0) if start is None else position(start, size)
    if first.value is None or size.value is None:
        return first
    return Dim.const(min(max(first.value, 0), size.value))


def slice_axis(
    b: AtenBuilder,
    x: Tensor,
    axis: int = 0,
    start: Number | None = None,
    end: Number | None = None,
    step: int = 1,
) -> Tensor:
    """Slice an axis from ``start`` with a step; the node's result type determines the size."""
    axis = b.axis(axis, x.rank)
    size = x.dims[axis]
    first = _first(start, size)
    if first.value is None and size.value is not None:
        first = b.facts.min(first, size)
    return b.slice(x, axis, first, b.out.dims[axis], step)


def select(b: AtenBuilder, x: Tensor, axis: int, index: Number) -> Tensor:
    """Return the elements of x at one position of an axis; the result lacks this axis."""
    axis = b.axis(axis, x.rank)
    return b.reshape(b.slice(x, axis, position(index, x.dims[axis]), 1), b.out.dims)


def concat(b: AtenBuilder, xs: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Concatenate tensors along an axis.

    As in torch, operands whose rank differs from the result's are empty vectors and ignored.
    """
    rank, dtype = len(b.out.dims), b.out.dtype
    parts = [b.tensor(x, dtype) for x in xs if x.rank == rank]
    return b.concat(parts, b.axis(axis, rank))


def stack(b: AtenBuilder, xs: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Stack tensors along a new axis."""
    dims, axis = b.out.dims, b.axis(axis, len(b.out.dims))
    one = (*dims[:axis], Dim.const(1), *dims[axis + 1 :])
    return b.concat([b.reshape(b.tensor(x, b.out.dtype), one) for x in xs], axis)


def split(b: AtenBuilder, x: Tensor, sizes: Any, axis: int = 0) -> list[Tensor]:
    """Split a tensor along an axis; the node's result types determine the sizes of the parts."""
    axis = b.axis(axis, x.rank)
    return b.split(x, axis, [b.spec(n).dims[axis] for n in range(len(b.results))])


def unbind(b: AtenBuilder, x: Tensor, axis: int = 0) -> list[Tensor]:
    """Return one tensor for each position of an axis; the results lack this axis."""
    axis = b.axis(axis, x.rank)
    return [
        b.reshape(b.slice(x, axis, number, 1), b.spec(number).dims)
        for number in range(len(b.results))
    ]


def flip(b: AtenBuilder, x: Tensor, axes: Sequence[int]) -> Tensor:
    """Reverse the order of the elements along axes."""
    return b.reverse(x, b.axes(axes, x.rank) if axes else ())


def roll(b: AtenBuilder, x: Tensor, shifts: Any, axes: Any = ()) -> Tensor:
    """Rotate the elements along axes by ``shifts``; the last elements become the first."""
    whole = b.reshape(x, b.out.dims)
    if not axes:
        raise UnsupportedOp("a roll of flattened elements", hint="pass dims=")
    shifts = shifts if isinstance(shifts, list | tuple) else [shifts]
    for shift, axis in zip(shifts, b.axes(axes, x.rank), strict=True):
        size = whole.dims[axis]
        cut = (Dim.of(0) - Dim.of(shift)) % size
        parts = [b.slice(whole, axis, cut, size - cut), b.slice(whole, axis, 0, cut)]
        whole = b.concat(parts, axis)
    return whole


def _pads(b: AtenBuilder, x: Tensor, pads: Sequence[Number]) -> tuple[list[int], list[int]]:
    """Return the numbers of elements to pad before each axis of x, and after each axis.

    pads: for each axis, from the last one on, a pair of these numbers, as in torch.
    Errors: UnsupportedOp if a pad depends on a dynamic size.
    """
    low, high = [0] * x.rank, [0] * x.rank
    for number in range(len(pads) // 2):
        for side, value in ((low, pads[2 * number]), (high, pads[2 * number + 1])):
            if isinstance(value, Dim) and value.value is None:
                raise UnsupportedOp("a pad depends on a dynamic size", got=str(value))
            side[x.rank - 1 - number] = Dim.of(value).value or 0
    return low, high


def pad_constant(b: AtenBuilder, x: Tensor, pads: Sequence[Number], value: float = 0) -> Tensor:
    """Pad the ends of axes with a constant; negative pads crop."""
    low, high = _pads(b, x, pads)
    x = cropped(b, x, low, high)
    low, high = [max(n, 0) for n in low], [max(n, 0) for n in high]
    number = value if is_float(x.dtype) else int(value)
    return b.emit(PadOp(b.ssa(x), low, high, "constant", number)) if any(low + high) else x


def _pad(mode: str) -> Converter:
    def convert(b: AtenBuilder, x: Tensor, pads: Sequence[Number]) -> Tensor:
        low, high = _pads(b, x, pads)
        return b.emit(PadOp(b.ssa(x), low, high, mode))

    return convert


def fill(b: AtenBuilder, like: Any, value: Scalar = 0, *_: Any) -> Tensor:
    """Return a tensor of the result's shape in which all elements are ``value``."""
    return b.broadcast_to(b.tensor(value, b.out.dtype), b.out.dims)


def _filled(value: int) -> Converter:
    return lambda b, like, *_: fill(b, like, value)


def scalar(b: AtenBuilder, value: Number) -> Tensor:
    """Return a tensor of rank 0 with the given value."""
    return b.tensor(value, b.out.dtype)


def arange(b: AtenBuilder, start: Number, end: Number | None = None, step: Number = 1) -> Tensor:
    """Return ``start, start + step, …``; the length follows from the type of the node's result.

    end: None if the first argument is the end instead of the start, which is then 0.
    """
    if end is None:
        start = 0
    dtype = b.out.dtype
    wide = (f64 if dtype == f64 else f32) if is_float(dtype) else i64
    out = b.cast(b.iota(b.out.dims, 0), wide)
    out = out if step == 1 else b.apply("mul", out, b.tensor(step, wide))
    out = out if start == 0 else b.apply("add", out, b.tensor(start, wide))
    return b.cast(out, dtype)


def _triangle(upper: int) -> Converter:
    def convert(b: AtenBuilder, x: Tensor, diagonal: int = 0) -> Tensor:
        return b.onnx("Trilu", x, b.scalar(diagonal, i64), upper=upper)[0]

    return convert


def diagonal(b: AtenBuilder, x: Tensor, offset: int = 0, first: int = 0, second: int = 1) -> Tensor:
    """Return the diagonal of a matrix that has the elements in row i and column i + offset.

    first, second: the axes of the rows and the columns of the matrix.
    """
    first, second = b.axis(first, x.rank), b.axis(second, x.rank)
    rest = [axis for axis in range(x.rank) if axis not in (first, second)]
    x = b.transpose(x, [*rest, first, second])
    rows, columns, count = x.dims[-2], x.dims[-1], b.out.dims[-1]
    flat = b.reshape(x, (*x.dims[:-2], rows * columns))
    start = Dim.of(offset) if offset >= 0 else columns * -offset
    if columns.value is None:
        raise UnsupportedOp("a diagonal of dynamic columns", got=str(columns))
    return b.slice(flat, flat.rank - 1, start, count, columns.value + 1)


def insert_slice(
    b: AtenBuilder,
    x: Tensor,
    part: Tensor,
    axis: int = 0,
    start: Number | None = None,
    end: Number | None = None,
    step: int = 1,
) -> Tensor:
    """Return x with a slice of an axis replaced by ``part``."""
    axis = b.axis(axis, x.rank)
    size = x.dims[axis]
    first = _first(start, size)
    if step != 1:
        raise UnsupportedOp("a write to a slice with steps", got=f"step {step}")
    part = b.tensor(part, x.dtype)
    last = first + part.dims[axis]
    before, after = b.slice(x, axis, 0, first), b.slice(x, axis, last, size - last)
    parts = [p for p in (before, part, after) if p.dims[axis].value != 0]
    return b.concat(parts, axis)


def insert_position(b: AtenBuilder, x: Tensor, part: Tensor, axis: int, index: Number) -> Tensor:
    """Return x with the elements at one position of an axis replaced by ``part``."""
    axis = b.axis(axis, x.rank)
    part = b.reshape(part, (*x.dims[:axis], Dim.const(1), *x.dims[axis + 1 :]))
    return insert_slice(b, x, part, axis, position(index, x.dims[axis]))


def strided(
    b: AtenBuilder, x: Tensor, sizes: Any, strides: Sequence[int], start: int | None = None
) -> Tensor:
    """Gather the elements of a view that is given by strides in memory (as_strided).

    sizes, strides, start: the shape, the strides and the first element of the view, counted in
    elements of the memory that x fills.
    Errors: UnsupportedOp for dynamic sizes, for an operand that does not fill a range of memory,
    and for a view with elements outside of this range.
    """
    operand = b.node.args[0].meta["val"]
    known = [*operand.shape, *operand.stride(), operand.storage_offset(), *sizes, *strides]
    if not all(type(n) is int for n in known):
        raise UnsupportedOp("a view by strides with a dynamic size", got=str(known))
    order = sorted(range(x.rank), key=lambda axis: (-operand.stride()[axis], axis))
    count = 1
    for axis in reversed(order):
        size, stride = operand.shape[axis], operand.stride()[axis]
        if size != 1 and stride != count:
            raise UnsupportedOp("a view by strides of a tensor with gaps", got=str(known))
        count *= size
    at = np.asarray(0 if start is None else start - operand.storage_offset())
    for size, stride in zip(sizes, strides, strict=True):
        at = at[..., None] + np.arange(size) * stride
    if at.size and (at.min() < 0 or at.max() >= count):
        raise UnsupportedOp("a view by strides of memory outside of a tensor", got=str(known))
    flat = b.reshape(b.transpose(x, order), (Dim.const(count),))
    return b.onnx("Gather", flat, Tensor.of_array(at.astype(np.int64)), axis=0)[0]


def windows(b: AtenBuilder, x: Tensor, axis: int, size: int, step: int) -> Tensor:
    """Return sliding windows of ``size`` elements along an axis, ``step`` elements apart.

    The elements of a window are along a new last axis.
    """
    if x.rank == 0:
        return b.reshape(x, b.out.dims)
    axis = b.axis(axis, x.rank)
    dims = (b.out.dims[axis], b.out.dims[-1])
    at = b.apply("add", b.apply("mul", b.iota(dims, 0), step), b.iota(dims, 1))
    out = b.onnx("Gather", x, at, axis=axis)[0]
    return b.transpose(out, [n for n in range(out.rank) if n != axis + 1] + [axis + 1])


CONVERTERS: dict[str, Converter] = {
    **dict.fromkeys(("clone", "alias", "detach", "lift_fresh_copy", "contiguous"), same),
    **dict.fromkeys(("view", "_unsafe_view", "reshape", "unsqueeze", "squeeze"), reshaped),
    "permute": permute,
    "transpose": swapped,
    "t": swapped,
    "expand": expand,
    "copy": copied,
    "repeat": repeat,
    "slice": slice_axis,
    "select": select,
    "cat": concat,
    "stack": stack,
    **dict.fromkeys(("split", "split_with_sizes"), split),
    "unbind": unbind,
    "flip": flip,
    "roll": roll,
    "constant_pad_nd": pad_constant,
    **dict.fromkeys(("reflection_pad1d", "reflection_pad2d", "reflection_pad3d"), _pad("reflect")),
    **dict.fromkeys(("replication_pad1d", "replication_pad2d", "replication_pad3d"), _pad("edge")),
    "full": fill,
    "full_like": fill,
    "new_full": lambda b, x, _, value: fill(b, x, value),
    **dict.fromkeys(("zeros", "zeros_like", "new_zeros", "empty", "empty_like"), _filled(0)),
    **dict.fromkeys(("new_empty", "empty_strided", "new_empty_strided"), _filled(0)),
    "empty_permuted": _filled(0),
    **dict.fromkeys(("ones", "ones_like", "new_ones"), _filled(1)),
    "scalar_tensor": scalar,
    "arange": arange,
    "tril": _triangle(0),
    "triu": _triangle(1),
    "diagonal": diagonal,
    "as_strided": strided,
    "unfold": windows,
    "slice_scatter": insert_slice,
    "select_scatter": insert_position,
}
"""Converters by operator name; names of single overloads have the overload's name appended."""
