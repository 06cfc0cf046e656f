"""Layouts that the CPU plans use."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineExpr, AffineMap

CHANNELS = 1
"""The dimension of (N, C, X…) that is stored in blocks."""


def blocked_layout(rank: int, block: int) -> AffineMapAttr:
    """Return the layout ``(n, c, x…) -> (n, c floordiv block, x…, c mod block)``.

    rank: the number of dimensions before, including n and c.  block: the channels in a block.
    """
    n, c, *spatial = (AffineExpr.dimension(d) for d in range(rank))
    return AffineMapAttr(AffineMap(rank, 0, (n, c // block, *spatial, c % block)))
