"""Operators on the layout of tensors: triangles, diagonals, blocks of images, windows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from .arrangement import axis_of, expand_dims, split, squeeze
from .converted import converted
from .table import Extent, Operand, call


def trilu(x: Tensor, k: int = 0, *, upper: bool = True) -> Tensor:
    """Return the upper or lower triangle of the matrices in the last two axes; the rest is 0.

    k: the first or last diagonal of the triangle; diagonal 1 is above the main diagonal.
    """
    return converted("trilu", "Trilu", x, np.int64(k), upper=int(upper))


def matrix_set_diag(x: Tensor, diagonal: Tensor, k: int | tuple[int, int] = 0) -> Tensor:
    """Return the matrices in the last two axes of x with other elements on some diagonals.

    k: the number of the diagonal, or the lowest and the highest number of adjacent diagonals.
    Shapes: x (…, M, N); diagonal (…, L) for one diagonal, else (…, K, L): row 0 has the highest
    diagonal, L is the length of the longest one, and shorter ones start at position 0 if they are
    below the main diagonal, and end at position L - 1 if they are above.
    Errors: TypeMismatch for a diagonal of another shape.
    """
    low, high = (k, k) if isinstance(k, int) else k
    height, width = x.shape[-2:]
    longest = min(height + min(high, 0), width - max(low, 0))
    bands = expand_dims(diagonal, -2) if low == high else diagonal
    if bands.shape != (*x.shape[:-2], high - low + 1, longest):
        raise TypeMismatch("ops.matrix_set_diag: wrong shape of the diagonals",
                           expected=(*x.shape[:-2], high - low + 1, longest),
                           got=bands.shape)  # fmt: skip
    rows, columns = np.indices((height, width))
    number = columns - rows
    lengths = np.minimum(height + np.minimum(number, 0), width - np.maximum(number, 0))
    # The first position of a diagonal is in column 0 or in row 0.
    place = np.minimum(rows, columns) + np.where(number > 0, longest - lengths, 0)
    inside = (low <= number) & (number <= high)
    flat = np.where(inside, (high - number) * longest + place, 0)
    outer = list(x.shape[:-2])
    read = call("gather", call("reshape", bands, [*outer, (high - low + 1) * longest]),
                flat.astype(np.int64), x.ndim - 2)  # fmt: skip
    return call("select", inside, read, x)


def space_to_batch_nd(
    x: Tensor, block: Sequence[int], pads: Sequence[tuple[int, int]], value: float = 0
) -> Tensor:
    """Pad the axes after the batch, and move blocks of them to the batch.

    block, pads: the size of the blocks, and the elements added before and after, for each axis.
    Shapes: x (N, S…, R…) with one S per block size; the result (N · prod(block), T…, R…), in which
    T is the padded S divided by its block.
    Errors: TypeMismatch if blocks do not divide the padded sizes.
    """
    rest = x.ndim - 1 - len(block)
    low, high = [0, *(p for p, _ in pads), *[0] * rest], [0, *(p for _, p in pads), *[0] * rest]
    padded = call("pad", x, low, high, "constant", value) if any(low + high) else x
    sizes = padded.shape[1 : 1 + len(block)]
    if any(size % each for size, each in zip(sizes, block, strict=True)):
        raise TypeMismatch("ops.space_to_batch_nd: blocks do not divide the padded sizes",
                           expected=list(block), got=list(sizes))  # fmt: skip
    counts = [size // each for size, each in zip(sizes, block, strict=True)]
    split_sizes = [n for pair in zip(counts, block, strict=True) for n in pair]
    tail = list(padded.shape[1 + len(block) :])
    apart = call("reshape", padded, [padded.shape[0], *split_sizes, *tail])
    inner, outer = range(2, 2 * len(block) + 1, 2), range(1, 2 * len(block) + 1, 2)
    perm = [*inner, 0, *outer, *range(2 * len(block) + 1, apart.ndim)]
    moved = call("transpose", apart, perm)
    return call("reshape", moved, [prod(block) * padded.shape[0], *counts, *tail])


def batch_to_space_nd(x: Tensor, block: Sequence[int], crops: Sequence[tuple[int, int]]) -> Tensor:
    """Move the batch to blocks of the axes after it, and crop them: undo `space_to_batch_nd`.

    block, crops: the size of the blocks, and the elements removed before and after, for each axis.
    Errors: TypeMismatch if the batch is no multiple of the blocks' size.
    """
    count, sizes = prod(block), x.shape[1 : 1 + len(block)]
    if x.shape[0] % count:
        raise TypeMismatch("ops.batch_to_space_nd: the batch is no multiple of the blocks",
                           expected=f"a multiple of {count}", got=x.shape[0])  # fmt: skip
    tail = list(x.shape[1 + len(block) :])
    apart = call("reshape", x, [*block, x.shape[0] // count, *sizes, *tail])
    pairs = [p for n in range(len(block)) for p in (len(block) + 1 + n, n)]
    perm = [len(block), *pairs, *range(2 * len(block) + 1, apart.ndim)]
    joined = [size * each for size, each in zip(sizes, block, strict=True)]
    made = call("reshape", call("transpose", apart, perm), [x.shape[0] // count, *joined, *tail])
    starts = [0, *(low for low, _ in crops), *[0] * len(tail)]
    left = [size - low - high for size, (low, high) in zip(joined, crops, strict=True)]
    return call("slice", made, starts, [made.shape[0], *left, *tail], [1] * made.ndim)


def layout_transform(x: Tensor, source: str, target: str) -> Tensor:
    """Return x in another layout, such as "NCHW" to "NHWC", or "NCHW" to "NCHW8c".

    source, target: a letter per axis; a number and a small letter are a block of the axis with the
    same large letter.
    Errors: TypeMismatch for layouts of different axes, and for blocks that do not divide an axis.
    """
    have, want = _axes_of(source), _axes_of(target)
    if {name.upper() for name, _ in have} != {n.upper() for n, _ in want} or len(have) != x.ndim:
        raise TypeMismatch("ops.layout_transform: the layouts do not fit",
                           expected=f"axes of {source} for {x!r}", got=target)  # fmt: skip
    order = sorted(range(len(have)), key=lambda n: (have[n][0].upper(), have[n][0].islower()))
    names = [have[n][0] for n in order]
    x = call("transpose", x, order)
    # All axes are joined first, and then split as in the target.
    whole: dict[str, Any] = {}
    for name, size in zip(names, x.shape, strict=True):
        whole[name.upper()] = whole.get(name.upper(), 1) * size
    blocks = {name.upper(): size for name, size in want if name.islower()}
    shape: list[Any] = []
    axes: list[str] = []
    for name, size in whole.items():
        block = blocks.get(name, 1)
        if size % block:
            raise TypeMismatch("ops.layout_transform: the block does not divide the axis",
                               expected=f"a multiple of {block}", got=size)  # fmt: skip
        shape += [size // block, block] if name in blocks else [size]
        axes += [name, name.lower()] if name in blocks else [name]
    apart = call("reshape", x, shape)
    return call("transpose", apart, [axes.index(name) for name, _ in want])


def _axes_of(layout: str) -> list[tuple[str, int]]:
    axes: list[tuple[str, int]] = []
    size = ""
    for letter in layout:
        if letter.isdigit():
            size += letter
        else:
            axes.append((letter, int(size or 1)))
            size = ""
    return axes


def dilate(x: Tensor, strides: Sequence[int], value: float = 0) -> Tensor:
    """Return x with ``strides[n] - 1`` elements of a value between two elements along axis n.

    Errors: TypeMismatch unless there is one stride per axis.
    """
    if len(strides) != x.ndim:
        raise TypeMismatch("ops.dilate: one stride per axis", expected=x.ndim, got=list(strides))
    for axis, stride in enumerate(strides):
        if stride > 1:
            after = [*x.shape[:axis], x.shape[axis] * stride, *x.shape[axis + 1 :]]
            gaps = [0] * (x.ndim + 1)
            gaps[axis + 1] = stride - 1
            spread = call("pad", expand_dims(x, axis + 1), [0] * len(gaps), gaps, "constant", value)
            wide = call("reshape", spread, after)
            after[axis] = after[axis] - (stride - 1)
            x = call("slice", wide, [0] * x.ndim, after, [1] * x.ndim)
    return x


def mirror_pad(x: Tensor, pads: Sequence[tuple[int, int]], *, symmetric: bool = False) -> Tensor:
    """Pad by the reflection of x, without the elements at the edge, or with them (symmetric).

    pads: the elements added before and after, for each axis.
    Errors: TypeMismatch for more elements than the reflection has.
    """
    if not symmetric:
        return call("pad", x, [low for low, _ in pads], [high for _, high in pads], "reflect")
    for axis, (low, high) in enumerate(pads):
        size = x.shape[axis]
        if max(low, high) > size:
            raise TypeMismatch("ops.mirror_pad: the axis is shorter than its padding",
                               expected=f"at most {size}", got=(low, high))  # fmt: skip
        places = np.pad(np.arange(size), (low, high), mode="symmetric")
        x = call("gather", x, places.astype(np.int64), axis)
    return x


def sliding_window(x: Tensor, axis: int, window: Sequence[int], strides: Sequence[int]) -> Tensor:
    """Return all windows of the axes from ``axis`` on, each as a tensor in the last axes.

    Shapes: x (A…, S…) with one S per window size; the result (A…, T…, W…), in which T windows W
    fit into S by steps of the stride.
    """
    first = axis_of(x, axis)
    for number, (size, step) in enumerate(zip(window, strides, strict=True)):
        count = (x.shape[first + number] - size) // step + 1
        places = np.arange(count)[:, None] * step + np.arange(size)
        x = call("gather", x, places.astype(np.int64), first + number)
        last = [n for n in range(x.ndim) if n != first + number + 1]
        x = call("transpose", x, [*last, first + number + 1])
    return x


def unstack(x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """Return the slices of x along an axis, without this axis: the inverse of `stack`."""
    place = axis_of(x, axis)
    return tuple(squeeze(part, place) for part in split(x, x.shape[place], place))


def meshgrid(xs: Sequence[Tensor], *, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Return, for vectors, the coordinates of all points of the grid that they span.

    indexing: "ij", or "xy" with the first two axes swapped, as in numpy.
    Errors: TypeMismatch for another indexing.
    """
    if indexing not in ("ij", "xy"):
        raise TypeMismatch("ops.meshgrid: unknown indexing", expected="ij or xy", got=indexing)
    axes = list(range(len(xs)))
    axes[:2] = axes[:2][::-1] if indexing == "xy" else axes[:2]
    shape = [xs[axes.index(n)].shape[0] for n in range(len(xs))]
    return tuple(call("broadcast", x, shape, [axes[n]]) for n, x in enumerate(xs))


def strided_slice(
    x: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
) -> Tensor:
    """Return ``x[begin:end:stride]`` along the axes (default: the first ones), as Python slices.

    Errors: TypeMismatch for a stride of 0, or a symbolic size of one of the axes.
    """
    starts: list[Extent] = [0] * x.ndim
    sizes, steps = list(x.shape), [1] * x.ndim
    for number, axis in enumerate(axes if axes is not None else range(len(begin))):
        place, step = axis_of(x, axis), 1 if strides is None else strides[number]
        if step == 0 or not isinstance(x.shape[place], int):
            raise TypeMismatch("ops.strided_slice: the stride is 0, or the size is symbolic",
                               got=(step, x.shape[place]))  # fmt: skip
        part = range(x.shape[place])[slice(begin[number], end[number], step)]
        starts[place], sizes[place] = part.start if len(part) else 0, len(part)
        steps[place] = step
    return call("slice", x, starts, sizes, steps)


def slice_like(x: Tensor, like: Tensor, axes: Sequence[int] | None = None) -> Tensor:
    """Return the first elements of x, as many as ``like`` has, along the axes (default: all)."""
    sizes = list(x.shape)
    for axis in range(x.ndim) if axes is None else axes:
        sizes[axis_of(x, axis)] = like.shape[axis_of(x, axis)]
    return call("slice", x, [0] * x.ndim, sizes, [1] * x.ndim)


def sum_to(x: Tensor, shape: Sequence[Extent]) -> Tensor:
    """Return the sum over the axes along which a tensor of a shape was broadcast to that of x.

    Errors: TypeMismatch for a shape that does not broadcast to that of x.
    """
    new = x.ndim - len(shape)
    pairs = list(zip(x.shape[max(new, 0) :], shape, strict=False))
    if new < 0 or any(size not in (have, 1) for have, size in pairs):
        raise TypeMismatch("ops.sum_to: the shape does not broadcast to that of x",
                           expected=repr(x), got=list(shape))  # fmt: skip
    axes = [*range(new), *(new + n for n, (have, size) in enumerate(pairs) if have != size)]
    if not axes:
        return x
    return call("reshape", call("reduce", x, kind="sum", axes=axes, keep=True), list(shape))


def fifo_buffer(x: Tensor, buffer: Tensor, axis: int) -> Tensor:
    """Return the buffer with x appended along an axis, without as many of its first elements."""
    place = axis_of(buffer, axis)
    sizes, starts = list(buffer.shape), [0] * buffer.ndim
    sizes[place] = sizes[place] - x.shape[place]
    starts[place] = x.shape[place]
    return call("concat", [call("slice", buffer, starts, sizes, [1] * buffer.ndim), x], place)


def full_like(x: Tensor, value: Operand) -> Tensor:
    """Return a tensor of the shape and dtype of x, whose elements are all one number."""
    return call("broadcast", np.asarray(value, x.dtype), list(x.shape), [])


__all__ = [
    "batch_to_space_nd", "dilate", "fifo_buffer", "full_like", "layout_transform",
    "matrix_set_diag", "meshgrid", "mirror_pad", "slice_like", "sliding_window",
    "space_to_batch_nd", "strided_slice", "sum_to", "trilu", "unstack",
]  # fmt: skip
