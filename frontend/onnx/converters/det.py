"""Convert Det: the determinants of matrices."""

from __future__ import annotations

from ....dialects.graph import DetOp
from ..builder import Builder, Tensor
from ..node import Node, OpConverter


def det(node: Node, b: Builder) -> Tensor:
    """Compute the determinants of the matrices in the last two axes."""
    return b.emit(DetOp(b.ssa(node[0])))


CONVERTERS = (OpConverter("Det", det, since=11),)
