"""gpu-form-attention: apply te-form-attention to the attentions for which gpu-plan has tiles.

    %p = te.compute @softmax … body { e * l }         the softmax's factor
    %o = te.compute @matmul ins(%p[i, j], %v[j, n]) … body { p * v }
==>
    %o = te.compute @attention ins(%e[i, j], %v[j, n]) post(%l[i]) … body { e * v } then { o * l }

Queries, keys and values are f32, or all f16 or bf16.  Exponentials are rounded to 16 bits where
matrix instructions multiply them by the values.

These attentions stay two products and a softmax, which have plans of their own: attentions that
gpu-plan has neither tiles nor rows for, such as those of three features; with
precision "tf32", those of f32, whose products use matrix instructions; with precision "strict",
those whose input program rounds probabilities to 16 bits, and those whose keys gpu-plan divides
into parts, which depend on the numbers of the GPU.  Precision "strict" rounds no exponential.

Before: main in value form, after te-fuse-elementwise.  After: the attentions that gpu-plan computes
in one kernel (attention.py, row_attention.py) apply the softmax's factor in ``then``.
Error: that of te-form-attention, and the rounding of each exponential to 16 bits.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.patterns.attention import Attention
from ...analysis.patterns.bodies import is_narrow
from ...machines.gpu_limits import gpu_limits
from ...machines.target_passes import TargetedPass
from ...passes.te.form_attention import Widening, form_attention
from ...support.precision import Precision, parse_precision
from .narrow_views import widen_after_views
from .plan.attention import attention_tiles
from .plan.row_attention import row_attention_of
from .plan.tensor_attention import tensor_attention_tiles


@dataclass(frozen=True)
class GpuFormAttention(TargetedPass):
    """Apply the softmax's factor after the product that reads it.

    precision: "tf32" and "strict" leave some attentions as they are; see the module.
    """

    name = "gpu-form-attention"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        precision, limits = parse_precision(self.precision), gpu_limits(self.target)
        is_strict = precision is Precision.STRICT

        def accepts(attention: Attention | None) -> bool:
            if attention is None:
                return False
            if attention_tiles(attention, limits) is None:
                rows = row_attention_of(attention, self.target)
                return rows is not None and not (is_strict and rows.part)
            return precision is not Precision.TF32 or _is_narrow(attention)

        widen_after_views(op)
        widening = Widening.EXACT if is_strict else Widening.ANY

        def rounds(attention: Attention) -> bool:
            return not is_strict and tensor_attention_tiles(attention, self.target) is not None

        form_attention(op, accepts, widening=widening, rounds=rounds)


def _is_narrow(attention: Attention) -> bool:
    return is_narrow(attention.scores.view().inputs[0].element_type)
