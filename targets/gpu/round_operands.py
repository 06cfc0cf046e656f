"""gpu-round-operands: round the operands of f32 products to tf32, with precision "tf32".

    te.compute @matmul [m: 64, n: 64, k: 64 red] .. body(%x: f32, %y: f32) { x * y }
==>
    te.compute @matmul [m: 64, n: 64, k: 64 red] .. body(%x: f32, %y: f32) { tf32(x) * tf32(y) }

The matrix instruction rounds in the same way, so it then computes the rounding and the product.  A
product that gpu-plan cannot give to the instruction (targets/gpu/plan/tensor_product.py) stays as
it is; the log names the reason.

Before: kernels in buffer form.  After: products with matrix instructions round their operands;
other precisions change nothing.
Error: each operand by at most 2^-11 of itself, in addition to the error of f32 sums.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.patterns.contraction import F32_FACTORS, contraction_of
from ...dialects.te import ComputeOp, kernels_of
from ...machines.target import Target
from ...machines.target_passes import TargetedPass
from ...support.precision import Precision, parse_precision
from ...support.rewriting import swap_op
from .intrinsics import TF32, make_matrix_intrinsic
from .plan.product import product_axes
from .plan.tensor_product import TensorProduct, tensor_product_of

_LOG = logging.getLogger("tilewright.targets")


@dataclass(frozen=True)
class RoundOperands(TargetedPass):
    """Round the f32 operands of products to tf32.

    precision: tf32; for other precisions the pass changes nothing.
    """

    name = "gpu-round-operands"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if parse_precision(self.precision) is not Precision.TF32:
            return
        for kernel in kernels_of(op):
            for compute in [o for o in kernel.body.walk() if isinstance(o, ComputeOp)]:
                round_operands(compute, self.target)


def round_operands(op: ComputeOp, target: Target) -> None:
    """Round the operands of a compute to tf32, if matrix instructions can then compute it."""
    view = op.view()
    product = contraction_of(view)
    if product is None or product.factors != F32_FACTORS or product_axes(view) is None:
        return
    rounded = make_matrix_intrinsic(TF32).compute.view().body.clone()
    made = replace(view, body=rounded)
    found = tensor_product_of(made, target)
    if isinstance(found, TensorProduct):
        swap_op(op, ComputeOp.from_view(made))
    else:
        _LOG.info("@%s is not rounded to tf32: %s", view.name, found)
