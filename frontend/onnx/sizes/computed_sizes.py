"""Compute sizes from data in the function main, where an input of a node determines a shape.

    Expand(x: [u0, 8], to: Concat(ReduceSum(mask), [8]))       v0 = ReduceSum(mask), to [v0, 8]

If the shape depends only on small inputs that are no masks, the program is compiled for the values
of these inputs instead.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.dtypes import is_bool, is_float
from ....dialects.graph import CastOp, ConcatOp, ConstantOp, SizeOp
from ....dialects.shape import Dim, dims_of, type_of
from ....dialects.shape import Tensor as Type
from ..builder import MAX_RANK, Builder, Tensor
from ..input_values import inputs_behind
from ..node import Node


def sizes_at(node: Node, b: Builder, index: int, what: str) -> list[Dim] | None:
    """Return the integers in an input of a node as sizes; None if the input is absent.

    The function main computes integers that are unknown at import.
    what: a noun for messages that names what the integers determine.
    Errors: RunTimeValue if the integers depend only on small inputs, whose values can be bound, or
    if the node is in a nested region.
    """
    x = node.get(index)
    if x is None or x.ssa is None or x.sizes is not None or b.outer is not None:
        return node.sizes_at(index, what)
    count = x.dims[0].value if x.rank == 1 else None
    deciding = [argument for argument in b.block.args if not _is_mask(type_of(argument))]
    is_small = inputs_behind([x], dict.fromkeys(deciding, "")) is not None
    if is_small or count is None or count > MAX_RANK:
        return node.sizes_at(index, what)
    return _elements(x.ssa, b)


def _is_mask(type_: Type) -> bool:
    return is_bool(type_.element_type) and len(dims_of(type_)) > 0


def _elements(x: SSAValue, b: Builder) -> list[Dim]:
    found: list[Dim] = []
    left = [x]
    while left:
        value = left.pop()
        match value.owner:
            case ConcatOp():
                left += reversed(value.owner.operands)
            case CastOp() if not is_float(type_of(value.owner.x).element_type):
                left.append(value.owner.x)
            case SizeOp():
                found += value.owner.dims
            case ConstantOp():
                found += [Dim.const(int(n)) for n in value.owner.array]
            case _:
                found += _computed(Tensor.of_ssa(value), b)
    return found


def _computed(x: Tensor, b: Builder) -> list[Dim]:
    count = x.dims[0].value
    assert count is not None, "the vector has a known length"
    return [b.computed_size(b.slice(x, 0, n, 1)) for n in range(count)]
