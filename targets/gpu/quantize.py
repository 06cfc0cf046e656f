"""gpu-quantize: graph-quantize for matrix instructions, whose byte operands may have any sign.

    %u = graph.dequantize %qu, %s
    %v = graph.dequantize %qv, %t            both of u8
    %y = graph.matmul %u, %v
    %q = graph.quantize %y, %r
==>
    %p = graph.matmul %qu, %qv               the sums are i32, the operands stay unsigned
    %q = graph.quantize f32(%p) * %f, 1      with  f = s * t / r

Before, after and error: see graph-quantize.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...passes.graph.quantize import Quantize


@dataclass(frozen=True)
class GpuQuantize(Quantize):
    """Turn products of dequantized values into integer products.

    precision: default or strict.
    """

    name = "gpu-quantize"
    has_signed_right: ClassVar[bool] = False
