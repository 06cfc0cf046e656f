"""Predicates on the body of a te.compute.

In: a region with one te.yield, or a whole compute.  Out: answers for the recognition of products,
convolutions and attention.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Region

from ..dialects.te import ComputeView


def is_product(body: Region) -> bool:
    """True if a body yields the product of its two arguments, and nothing else."""
    last = body.block.last_op
    assert last is not None, "a region ends with te.yield"
    owner = last.operands[0].owner
    return isinstance(owner, arith.MulfOp) and set(owner.operands) == set(body.block.args)


def is_sum_of_products(view: ComputeView) -> bool:
    """True if a compute is a sum of products of two reads."""
    if len(view.inputs) != 2 or len(view.outputs) != 1 or view.scan:
        return False
    return view.outputs[0].combiner == "add" and is_product(view.body)
