"""Convert sorting along an axis."""

from __future__ import annotations

from ....dialects.graph import TopKOp
from ....dialects.shape import Dim
from ....support.diagnostics import ModelError, NeedsBinding
from ..builder import Builder, Tensor
from ..node import Node, OpConverter
from ..sizes.equal_sizes import SizeFacts, check_elements


def top_k(node: Node, b: Builder) -> tuple[Tensor, ...]:
    """Return the k largest or smallest elements, in order, and their positions.

    The result is always in order, although without the attribute ``sorted`` any order is allowed.
    """
    x, largest, k = node[0], bool(node.integer("largest", 1)), _count(node)
    axis = node.axis("axis", -1, x.rank)
    _check_count(k, x.dims[axis], axis, b.facts)
    return tuple(b.emit_all(TopKOp(b.ssa(x), k, axis, largest=largest)))


def _count(node: Node) -> Dim:
    if node.opset < 10:
        return Dim.const(node.integer("k"))
    sizes = node.sizes_at(1, "k")
    if sizes is None or len(sizes) != 1:
        raise ModelError("TopK takes one k", got=sizes)
    return sizes[0]


def _check_count(k: Dim, size: Dim, axis: int, facts: SizeFacts) -> None:
    """Check that an axis has at least k elements in every valid call.

    k: the number of elements that TopK selects.  size: the size of the axis.
    Errors: NeedsBinding if a symbolic k may exceed the size; UnequalSizes if a lower limit of an
    input size would ensure that k fits: the import starts again with this limit.
    """
    if k.value is not None:
        if k.value > 0 and size.value is None:
            check_elements(size, axis, facts, k.value)
        return
    if not size.is_at_least(k):
        raise NeedsBinding("k may exceed the axis", got=f"k = {k}, {size} elements")
    check_elements(k, axis, facts, 0)


CONVERTERS = (OpConverter("TopK", top_k),)
