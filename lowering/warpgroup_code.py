"""The PTX of products of warpgroups, for inline assembly in LLVM IR and in CUDA C++.

In: a simt.warpgroup_mma and the names of its operands, or a simt.warpgroup_wait.  Out: the text of
the instructions.  Source: PTX ISA 8.8, section 9.7.15.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from xdsl.ir import Operation

from ..dialects.simt import ASYNC, GROUP_STEP, BarrierOp, WarpgroupMmaOp, WarpgroupWaitOp
from ..support.diagnostics import LoweringError

_Code = TypeVar("_Code")


def barrier_code(op: BarrierOp, barriers: Mapping[str, _Code]) -> _Code:
    """Return the code of a barrier of a target.

    barriers: the target's code, by the accesses that a barrier orders: ``shared``, ``global`` or
    ``async``.  Only targets with warpgroups have ``async``.
    Errors: LoweringError for a barrier that orders asynchronous accesses, if the target has no
    warpgroups.
    """
    require_warpgroups(op, barriers if op.fence.data == ASYNC else {ASYNC: None})
    return barriers[op.fence.data]


def require_warpgroups(op: Operation, barriers: Mapping[str, object]) -> None:
    """Check that a target has warpgroups, which an op needs.

    op: the op, at whose location an error is reported.  barriers: the target's code of barriers, as
    in `barrier_code`.
    Errors: LoweringError if the target has no warpgroups.
    """
    if ASYNC not in barriers:
        raise LoweringError(
            "the target has no warpgroups", got=op.name, hint="leave out simt-form-warpgroups"
        ).at(op)


def product_text(op: WarpgroupMmaOp, operands: Sequence[str]) -> str:
    """Return the PTX of a warpgroup's product: a fence, one wgmma per step, and a commit.

    operands: the names of the accumulators, then of the descriptors of the left operands, one per
    step, then of the descriptors of the right operands.
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
    """Return the instruction that waits for all but ``op.pending`` groups of products."""
    return f"wgmma.wait_group.sync.aligned {op.pending.data};"
