"""The derivative of a scalar body: a copy of the body, and the cotangents of its values.

body(%a, %b) { yield %a * %b }      with cotangent g of the yield:      a: g * %b, b: g * %a
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ....dialects.dtypes import is_float
from ....dialects.te.body import AtOp
from ....dialects.te.compute import ComputeOp
from ....dialects.te.derivatives import derivative
from ....dialects.te.scalars import Scalars
from ....dialects.te.view import Access
from ....support.blocks import copy_ops
from ...rewrite.compose import erase_unused


@dataclass
class BodyCopy:
    """A copy of a scalar body, appended to another body.

    values: the copy of each original value.  ops: the original ops, in order.  yields: the copies
    of the yielded values.
    """

    values: dict[SSAValue, SSAValue]
    ops: list[Operation]
    yields: list[SSAValue]


@dataclass
class BodyCotangents:
    """The cotangents of the values that a scalar body computes.

    of_values: the cotangent of each value of the original body; a value without an entry has 0.
    """

    of_values: dict[SSAValue, SSAValue]

    def of_read(self, op: AtOp) -> SSAValue | None:
        """Return the cotangent of the element that a te.at of the original body reads.

        None if it is 0.
        """
        return self.of_values.get(op.out)


def copy_body(s: Scalars, block: Block, arguments: Sequence[SSAValue]) -> BodyCopy:
    """Append a copy of a body's ops to the block of ``s``; return the copy.

    arguments: the values that replace the arguments of the body.
    """
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
    results = copy_ops(block, values, s.block.add_op)
    return BodyCopy(values, list(block.ops)[:-1], results)


def body_cotangents(
    s: Scalars, body: BodyCopy, seeds: Iterable[tuple[SSAValue, SSAValue]]
) -> BodyCotangents:
    """Append the ops that compute the cotangents of all values of a body; return the cotangents.

    seeds: yielded values of the original body, and their cotangents; a value may occur twice.
    """
    found: dict[SSAValue, SSAValue] = {}
    for value, g in seeds:
        found[value] = s.add(found[value], g) if value in found else g
    for op in reversed(body.ops):
        if isinstance(op, AtOp) or len(op.results) != 1 or op.results[0] not in found:
            continue
        operands = [body.values[v] for v in op.operands]
        result = op.results[0]
        parts = derivative(s, op, found[result], body.values[result], operands)
        for value, part in zip(op.operands, parts, strict=True):
            if part is not None and is_float(value.type):
                found[value] = s.add(found[value], part) if value in found else part
    return BodyCotangents(found)


def pruned(op: ComputeOp) -> ComputeOp:
    """Return a compute without unused scalar ops and inputs; equal inputs become one."""
    for region in op.regions:
        for block in region.blocks:
            erase_unused(block)
    view = op.view()
    block = view.body.block
    kept: list[tuple[Access, BlockArgument]] = []
    for access, argument in zip(view.inputs, list(block.args), strict=True):
        same = next((a for known, a in kept if _are_equal(known, access)), None)
        if same is not None:
            argument.replace_all_uses_with(same)
        if argument.uses:
            kept.append((access, argument))
        else:
            block.erase_arg(argument)
    op.operands = ()
    return ComputeOp.from_view(replace(view, inputs=[access for access, _ in kept]))


def _are_equal(one: Access, other: Access) -> bool:
    return (one.value, one.indices, one.pad) == (other.value, other.indices, other.pad)
