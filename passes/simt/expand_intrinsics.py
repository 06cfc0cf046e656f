"""simt-expand-intrinsics: replace loop.intrinsic ops by the ops that the intrinsics define.

    %d = loop.intrinsic @mma(%c, %a, %b) : ..  ==>  %d = simt.mma %a, %b, %c : ..

Before: kernels that simt-map-threads mapped; the te.intrinsic ops are in the module.
After: no mapped kernel has a loop.intrinsic.
Exact: the replacement computes the intrinsic's definition; f32 sums may have another order.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import loop
from ...dialects.te import IntrinsicOp, find_intrinsic
from ...machines.target import Target
from ...machines.target_passes import TargetedPass
from ...support.blocks import copy_ops
from ...support.diagnostics import LoweringError
from .kernels import mapped_kernels


@dataclass(frozen=True)
class ExpandIntrinsics(TargetedPass):
    """Expand the intrinsics of all mapped kernels of a module."""

    name = "simt-expand-intrinsics"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in mapped_kernels(op):
            expand_intrinsics(function, self.target)


def expand_intrinsics(function: FuncOp, target: Target) -> None:
    """Expand the intrinsics of one kernel.

    Errors: LoweringError for an intrinsic that the module or the target does not have.
    """
    for op in [op for op in function.walk() if isinstance(op, loop.IntrinsicOp)]:
        name = op.callee.string_value()
        intrinsic = find_intrinsic(function, name)
        if intrinsic is None:
            raise LoweringError(f"the module has no intrinsic @{name}").at(op)
        missing = [f.data for f in intrinsic.features if not target.has(f.data)]
        if missing:
            raise LoweringError(
                f"the target lacks what @{name} needs", expected=", ".join(missing), got=str(target)
            ).at(op)
        _expand(op, intrinsic)


def _expand(op: loop.IntrinsicOp, intrinsic: IntrinsicOp) -> None:
    block = intrinsic.emission.block
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, op.arguments, strict=True))

    def insert(made: Operation) -> None:
        made.location = op.location
        Rewriter.insert_op(made, InsertPoint.before(op))

    (result,) = copy_ops(block, values, insert)
    op.res.replace_all_uses_with(result)
    Rewriter.erase_op(op)
