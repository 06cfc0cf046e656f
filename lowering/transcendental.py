"""The transcendental ops, which become long chains of dependent instructions (polynomials).

te_to_loop emits the chains of several result vectors side by side, and loop_to_llvm interleaves
their instructions. Both lowerings use this list of ops.
"""

from __future__ import annotations

from xdsl.dialects import math

TRANSCENDENTAL_OPS = (
    math.ExpOp, math.Exp2Op, math.ExpM1Op, math.LogOp, math.Log2Op, math.Log1pOp, math.ErfOp,
    math.TanhOp, math.SinOp, math.CosOp, math.PowFOp,
)  # fmt: skip
