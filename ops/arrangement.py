"""Operators that arrange elements, composed of graph-dialect operators."""

from __future__ import annotations

from collections.abc import Sequence

from ..frontend.te.tensor import Tensor
from ..support.diagnostics import TypeMismatch
from .table import Extent, TensorLike, call


def axis_of(x: Tensor, axis: int) -> int:
    """Return the number of an axis; negative numbers count from the last axis.

    Errors: TypeMismatch for an axis outside of the rank.
    """
    if not -x.ndim <= axis < x.ndim:
        raise TypeMismatch(
            f"axis is outside of {x!r}", expected=f"{-x.ndim}..{x.ndim - 1}", got=axis
        )
    return axis % x.ndim


def axes_of(x: Tensor, axis: int | Sequence[int] | None) -> list[int]:
    """Return the numbers of axes; None means all axes.

    Errors: as axis_of.
    """
    if axis is None:
        return list(range(x.ndim))
    return [axis_of(x, a) for a in ([axis] if isinstance(axis, int) else axis)]


def squeeze(x: Tensor, axis: int | Sequence[int] | None = None) -> Tensor:
    """Return x without axes of size 1 (default: all of them)."""
    if axis is None:
        dropped = [n for n, size in enumerate(x.shape) if size == 1]
    else:
        dropped = axes_of(x, axis)
    return call("reshape", x, [size for n, size in enumerate(x.shape) if n not in dropped])


def expand_dims(x: Tensor, axis: int) -> Tensor:
    """Return x with a new axis of size 1 before the axis ``axis``; -1: as the last axis."""
    place = axis + x.ndim + 1 if axis < 0 else axis
    return call("reshape", x, [*x.shape[:place], 1, *x.shape[place:]])


def stack(xs: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Return tensors of one shape along a new axis."""
    place = axis + xs[0].ndim + 1 if axis < 0 else axis
    return call("concat", [expand_dims(x, place) for x in xs], place)


def split(x: Tensor, parts: int | Sequence[int], axis: int = 0) -> tuple[Tensor, ...]:
    """Return parts of x along an axis.

    parts: the number of equal parts, or the size of each part.
    Errors: TypeMismatch if the sizes of the parts do not add to the size of the axis.
    """
    place = axis_of(x, axis)
    size = x.shape[place]
    sizes = [size // parts] * parts if isinstance(parts, int) else list(parts)
    if sum(sizes) != size:
        raise TypeMismatch("ops.split: the parts are not the axis", expected=size, got=sizes)
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    return tuple(_cut(x, place, start, each) for start, each in zip(starts, sizes, strict=True))


def _cut(x: Tensor, axis: int, start: int, size: Extent, step: int = 1) -> Tensor:
    starts, sizes, steps = [0] * x.ndim, list(x.shape), [1] * x.ndim
    starts[axis], sizes[axis], steps[axis] = start, size, step
    return call("slice", x, starts, sizes, steps)


def flip(x: Tensor, axis: int | Sequence[int] | None = None) -> Tensor:
    """Return x in reverse order along axes (default: all)."""
    for place in axes_of(x, axis):
        x = _cut(x, place, x.shape[place] - 1, x.shape[place], -1)
    return x


def tile(x: Tensor, repeats: Sequence[int]) -> Tensor:
    """Return copies of x side by side: ``repeats[n]`` of them along axis n."""
    if len(repeats) != x.ndim:
        raise TypeMismatch("ops.tile: one number per axis", expected=x.ndim, got=list(repeats))
    for axis, count in enumerate(repeats):
        x = call("concat", [x] * count, axis) if count != 1 else x
    return x


def repeat(x: Tensor, count: int, axis: int) -> Tensor:
    """Return x with each element along an axis ``count`` times, in a row."""
    place = axis_of(x, axis)
    shape = [*x.shape[: place + 1], count, *x.shape[place + 1 :]]
    spread = call("broadcast", x, shape, [n for n in range(len(shape)) if n != place + 1])
    merged = [*x.shape[:place], x.shape[place] * count, *x.shape[place + 1 :]]
    return call("reshape", spread, merged)


def one_hot(indices: TensorLike, depth: int, dtype: str = "float32") -> Tensor:
    """Return 1 at the position of each index along a new last axis of a size, else 0.

    An index outside of 0 to depth - 1 gives zeros.
    Shapes: indices (…) of integers; the result (…, depth).
    """
    place = expand_dims(call("cast", indices, "int64"), -1)
    return call("cast", call("eq", place, call("iota", [depth], 0, "int64")), dtype)


def sequence_mask(lengths: TensorLike, size: int) -> Tensor:
    """Return whether each position is before the end of its sequence.

    Shapes: lengths (…) of integers; the result (…, size) of bool.
    """
    ends = expand_dims(call("cast", lengths, "int64"), -1)
    return call("lt", call("iota", [size], 0, "int64"), ends)


def depth_to_space(x: Tensor, block: int) -> Tensor:
    """Move blocks of channels to the image: (N, C · b · b, H, W) to (N, C, H · b, W · b).

    The first channels of a pixel are those of its first row (the order of torch's pixel shuffle).
    """
    n, c, h, w = x.shape
    parts = call("reshape", x, [n, c // block**2, block, block, h, w])
    moved = call("transpose", parts, [0, 1, 4, 2, 5, 3])
    return call("reshape", moved, [n, c // block**2, h * block, w * block])


def space_to_depth(x: Tensor, block: int) -> Tensor:
    """Move blocks of the image to channels: the inverse of `depth_to_space`."""
    n, c, h, w = x.shape
    parts = call("reshape", x, [n, c, h // block, block, w // block, block])
    moved = call("transpose", parts, [0, 1, 3, 5, 2, 4])
    return call("reshape", moved, [n, c * block**2, h // block, w // block])


__all__ = [
    "depth_to_space", "expand_dims", "flip", "one_hot", "repeat", "sequence_mask", "space_to_depth",
    "split", "squeeze", "stack", "tile",
]  # fmt: skip
