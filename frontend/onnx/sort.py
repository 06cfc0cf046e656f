"""Convert sorting along an axis."""

from __future__ import annotations

from ...dialects.graph import TopKOp
from ...support.diagnostics import ModelError
from .builder import Builder, Tensor
from .equal_sizes import check_elements
from .node import Node, OpConverter


def top_k(node: Node, b: Builder) -> tuple[Tensor, ...]:
    """Find the k largest or smallest elements, in order, and their positions.

    The result is sorted even without ``sorted``, which allows any order.
    """
    if node.opset >= 10:
        numbers = node.ints_at(1, "k")
        if numbers is None or len(numbers) != 1:
            raise ModelError("TopK takes one k", got=numbers)
        (k,) = numbers
    else:
        k = node.integer("k")
    x, largest = node[0], bool(node.integer("largest", 1))
    axis = node.axis("axis", -1, x.rank)
    if k > 0 and x.dims[axis].value is None:
        check_elements(x.dims[axis], axis, b.facts, k)
    op = TopKOp(b.ssa(x), k, axis, largest=largest)
    b.emit(op)
    return tuple(Tensor.of_ssa(result) for result in op.results)


CONVERTERS = (OpConverter("TopK", top_k),)
