"""Layouts: affine maps from the logical dimensions of a buffer to its stored ones.

``(c, h, w) -> (c floordiv 8, h, w, c mod 8)`` stores channels in blocks of 8.  Arithmetic only: which
buffer gets which layout is decided by plans, and rewriting accesses is up to the passes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineMap

from ...support.affine import Index, Key, RangeOf, from_affine_expr


def identity_layout(rank: int) -> AffineMapAttr:
    """Return the row-major layout."""
    return AffineMapAttr(AffineMap.identity(rank))


def layout_indices(layout: AffineMapAttr, indices: Sequence[Index], range_of: RangeOf) -> list[Index]:
    """Return the stored position of a logical one."""
    names: list[Key] = [f"layout{d}" for d in range(layout.data.num_dims)]
    values: dict[Key, Index] = dict(zip(names, indices, strict=True))

    def unsubstituted(key: Key) -> tuple[int, int]:
        return values[key].range(range_of) if key in values else range_of(key)

    plain = [from_affine_expr(e, names, (), unsubstituted) for e in layout.data.results]
    return [e.substitute(values, range_of) for e in plain]


def layout_shape(layout: AffineMapAttr, shape: Sequence[int]) -> tuple[int, ...]:
    """Return the stored sizes; blocks are whole, so ragged dimensions are rounded up."""
    names: list[Key] = list(range(len(shape)))

    def range_of(key: Key) -> tuple[int, int]:
        assert isinstance(key, int)
        return 0, shape[key] - 1

    sizes: list[int] = []
    for expr in layout.data.results:
        is_mod = isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.Mod
        if is_mod and isinstance(expr.rhs, AffineConstantExpr):
            sizes.append(expr.rhs.value)
        else:
            sizes.append(from_affine_expr(expr, names, (), range_of).range(range_of)[1] + 1)
    return tuple(sizes)


def block_sizes(layout: AffineMapAttr) -> dict[int, int]:
    """Return the block size of every dimension that is stored in blocks (``d mod n``)."""
    blocks: dict[int, int] = {}
    for expr in layout.data.results:
        if isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.Mod:
            position = getattr(expr.lhs, "position", None)
            if position is not None and isinstance(expr.rhs, AffineConstantExpr):
                blocks[position] = expr.rhs.value
    return blocks
