"""Gradient of a maximum pool: the cotangents move to the positions of the maxima.

%y = graph.pool %x "max"   →   %y, %at = graph.max_pool_indices %x in_channel
                               %dx = graph.scatter_elements %zeros, %at, %dy "add" axis 1

The scatter has a row for each plane (a channel of an image): rows are independent of each other.
"""

from __future__ import annotations

from ...dialects.graph import MaxPoolIndicesOp, PoolOp, ScatterElementsOp
from ...dialects.shape import dims_of, element_count, type_of
from ..builder import GradientBuilder
from ..rule import Cotangents, Gradient, only


def pool(op: PoolOp, gs: Cotangents, b: GradientBuilder) -> Cotangents | None:
    """Return the operand's cotangent, after replacing the op by one that returns positions, too.

    Of equal elements of a window, the first gets the cotangent.  Return None for pools other than
    maximum pools, and for planes of symbolic sizes; the te definition is then differentiated.
    gs: the cotangents of the results of ``op``.
    b: appends the ops that compute the cotangents.
    """
    g, block = only(gs), op.parent_block()
    assert block is not None, "the op stands in a block"
    dims = dims_of(type_of(op.x))
    sizes = [dim.value for dim in dims[2:]]
    if op.kind != "max" or None in sizes:
        return None
    both = MaxPoolIndicesOp(
        op.x,
        kernel=op.kernel,
        strides=op.strides,
        dilations=op.dilations,
        pads=op.pads,
        ceil=op.ceil,
        in_channel=True,
    )
    block.insert_op_before(both, op)
    op.out.replace_all_uses_with(both.out)
    rows, windows = element_count(dims[:2]), element_count(dims_of(type_of(op.out))[2:])
    base = b.reshape(b.zeros(op.x), [rows, element_count(dims[2:])])
    places, updates = (b.reshape(each, [rows, windows]) for each in (both.indices, g))
    made = ScatterElementsOp(base, places, updates, 1, kind="add")
    return [b.reshape(b.value(made), dims)]


GRADIENTS: dict[type, Gradient] = {PoolOp: pool}
"""The gradients of pools, by class."""
