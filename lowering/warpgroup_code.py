"""The PTX of products of warpgroups, for inline assembly in LLVM IR and in CUDA C++.

In: a simt.warpgroup_mma and the names of its operands, or a simt.warpgroup_wait.  Out: the text of
the instructions.  Source: PTX ISA 8.8, section 9.7.15.5.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialects.simt import GROUP_STEP, WarpgroupMmaOp, WarpgroupWaitOp


def product_text(op: WarpgroupMmaOp, operands: Sequence[str]) -> str:
    """Return a fence, the instruction of each step, and the commit of their group.

    operands: the accumulators, then the descriptors of the left and of the right operands.
    """
    steps = len(op.lhs)
    count = len(operands) - 2 * steps
    sums = ", ".join(operands[:count])
    name = f"m64n{op.columns}k{GROUP_STEP}.f32.{op.element}.{op.element}"
    flags = f"1, 1, 1, {int(op.lhs_rows is not None)}, {int(op.rhs_rows is not None)}"
    pairs = zip(operands[count : count + steps], operands[count + steps :], strict=True)
    products = (
        f"wgmma.mma_async.sync.aligned.{name} {{{sums}}}, {lhs}, {rhs}, {flags};"
        for lhs, rhs in pairs
    )
    begin, end = "wgmma.fence.sync.aligned;", "wgmma.commit_group.sync.aligned;"
    return " ".join([begin, *products, end])


def wait_text(op: WarpgroupWaitOp) -> str:
    """Return the instruction of a wait."""
    return f"wgmma.wait_group.sync.aligned {op.pending.data};"


__all__ = ["product_text", "wait_text"]
