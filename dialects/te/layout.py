"""Layouts: affine maps from the logical indices of a tensor to the indices of its buffer.

``(c, h, w) -> (c floordiv 8, h, w, c mod 8)`` stores channels in blocks of 8.  This module only
computes with layouts: plans choose them, and passes rewrite the accesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from ...support.affine import Index, Key, RangeOf, from_affine_expr
from ..shape import Extent

FEW_CHANNELS = 6
"""The most channels of bytes that are not stored together, because rows have more neighbours."""


def identity_layout(rank: int) -> AffineMapAttr:
    """Return the row-major layout of a tensor with ``rank`` dimensions."""
    return AffineMapAttr(AffineMap.identity(rank))


def innermost_layout(rank: int, *inner: int) -> AffineMapAttr:
    """Return the layout that stores some dimensions innermost, and the others before them.

    inner: these dimensions, in order; the others keep their order.
    """
    order = [*(dim for dim in range(rank) if dim not in inner), *inner]
    return AffineMapAttr(AffineMap(rank, 0, tuple(map(AffineExpr.dimension, order))))


def blocked_layout(rank: int, dim: int, block: int) -> AffineMapAttr:
    """Return the layout that stores blocks of one dimension innermost.

    With 1 as ``dim``: ``(n, c, x…) -> (n, c floordiv block, x…, c mod block)``.
    block: the size of a block.
    """
    dims = [AffineExpr.dimension(d) for d in range(rank)]
    outer = [d // block if n == dim else d for n, d in enumerate(dims)]
    return AffineMapAttr(AffineMap(rank, 0, (*outer, dims[dim] % block)))


def layout_indices(
    layout: AffineMapAttr, indices: Sequence[Index], range_of: RangeOf
) -> list[Index]:
    """Return the indices in the buffer of the element at ``indices`` of the tensor.

    range_of: the ranges of the variables in the indices.
    """
    names: list[Key] = [f"layout{d}" for d in range(layout.data.num_dims)]
    values: dict[Key, Index] = dict(zip(names, indices, strict=True))

    def unsubstituted(key: Key) -> tuple[int, int]:
        return values[key].range(range_of) if key in values else range_of(key)

    plain = [from_affine_expr(e, names, (), unsubstituted) for e in layout.data.results]
    return [e.substitute(values, range_of) for e in plain]


@overload
def layout_shape(layout: AffineMapAttr, shape: Sequence[int]) -> tuple[int, ...]: ...


@overload
def layout_shape(layout: AffineMapAttr, shape: Sequence[Extent]) -> tuple[Extent, ...]: ...


def layout_shape(layout: AffineMapAttr, shape: Sequence[Extent]) -> tuple[Extent, ...]:
    """Return the shape of the buffer; dimensions stored in blocks are rounded up to whole blocks.

    The shape is computed from the map without simplification: with 5 channels, ``c mod 8`` would
    simplify to ``c``, and the block would lose its padding.
    """
    return tuple(_largest(expr, shape) + 1 for expr in layout.data.results)


def _largest(expr: AffineExpr, shape: Sequence[Extent]) -> Extent:
    """Return the largest value of a buffer index; ``mod n`` always counts as n - 1."""
    match expr:
        case AffineDimExpr(position):
            return shape[position] - 1
        case AffineConstantExpr(value):
            return value
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add, lhs, rhs):
            return _largest(lhs, shape) + _largest(rhs, shape)
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mod, _, AffineConstantExpr(size)):
            return size - 1
        case AffineBinaryOpExpr(AffineBinaryOpKind.FloorDiv, lhs, AffineConstantExpr(divisor)):
            return _largest(lhs, shape) // divisor
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, lhs, AffineConstantExpr(factor)):
            return _largest(lhs, shape) * factor
        case _:
            raise AssertionError(f"not a stored index: {expr}")


def block_sizes(layout: AffineMapAttr) -> dict[int, int]:
    """Return the block size n of each tensor dimension that is stored in blocks (``d mod n``)."""
    blocks: dict[int, int] = {}
    for expr in layout.data.results:
        match expr:
            case AffineBinaryOpExpr(
                AffineBinaryOpKind.Mod, AffineDimExpr(position), AffineConstantExpr(size)
            ):
                blocks[position] = size
            case _:
                pass
    return blocks
