"""gpu-form-attention: te-form-attention where gpu-plan has tiles for the attention.

    %p = te.compute @softmax … body { e * l }         the softmax's factor
    %o = te.compute @matmul ins(%p[i, j], %v[j, n]) … body { p * v }
==>
    %o = te.compute @attention ins(%e[i, j], %v[j, n]) post(%l[i]) … body { e * v } then { o * l }

Queries, keys and values are f32, or all f16 or bf16.  Other attentions, such as those of a single
query, keep two products and a softmax, which have plans of their own; so do all with precision
"tf32", whose products use matrix instructions.  With precision "strict" so do those that round
probabilities to 16 bits.

Before: main in value form, after te-fuse-elementwise.  After: the attentions of rule G12 of
gpu-plan apply the softmax's factor in ``then``.
Error: that of te-form-attention.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.attention import Attention
from ...passes.te.form_attention import Widening, form_attention
from ...support.gpu_limits import gpu_limits
from ...support.passes import TargetedPass
from ...support.precision import Precision, parse_precision
from .narrow_views import widen_after_views
from .plan.attention import attention_tiles


@dataclass(frozen=True)
class GpuFormAttention(TargetedPass):
    """Normalize softmax after the product that reads it; precision: tf32, strict: see above."""

    name = "gpu-form-attention"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if parse_precision(self.precision) is Precision.TF32:
            return
        limits = gpu_limits(self.target)

        def accepts(attention: Attention | None) -> bool:
            return attention is not None and attention_tiles(attention, limits) is not None

        widen_after_views(op)
        is_strict = parse_precision(self.precision) is Precision.STRICT
        form_attention(op, accepts, widening=Widening.EXACT if is_strict else Widening.ANY)


__all__ = ["GpuFormAttention"]
