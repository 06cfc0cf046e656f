"""arith dialect of MLIR, with the op that xDSL lacks: the remainder of floats.

%r = arith.remf %x, %y : f32
"""

from __future__ import annotations

from xdsl.dialects import arith as upstream
from xdsl.ir import Dialect
from xdsl.irdl import irdl_op_definition


@irdl_op_definition
class RemFOp(upstream.FloatingPointLikeBinaryOperation):
    """The remainder of a division whose quotient is rounded to zero: C's fmod.

    Exact: the real number x - trunc(x / y) * y, with the sign of x; NaN if x is infinite or y is 0.
    """

    name = "arith.remf"


ARITH = Dialect("arith", [*upstream.Arith.operations, RemFOp], list(upstream.Arith.attributes))
"""The dialect object, for contexts that parse or print ``arith.remf``."""
