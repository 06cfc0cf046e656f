"""The table of functions that emit the ops of the math dialect, and arith.remf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from xdsl.dialects import math
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation

from ...dialects.arith import RemFOp
from ...machines.target import Target
from . import integers
from .arithmetic import emit_with_floats
from .math_builder import MathBuilder
from .math_erf import erf
from .math_exp import cosh, exp, exp2, exp2_of_normals, exp_of_normals, expm1, sinh, tanh
from .math_log import acosh, asinh, atanh, log, log1p, log2, log10, pow
from .math_remainder import remainder
from .math_round import ceil, floor, round_away, round_even, trunc
from .math_trig import acos, asin, atan, atan2, cos, sin, tan
from .op_emitter import Handlers, OpEmitter
from .text import Text
from .types import LlvmType, llvm_type


def _rsqrt(m: MathBuilder, x: str) -> str:
    return m.div(m.const(1.0), m.sqrt(x))


MATH: dict[type[Operation], Callable[..., str]] = {
    math.AbsFOp: MathBuilder.abs,
    math.AcosOp: acos,
    math.AcoshOp: acosh,
    math.AsinOp: asin,
    math.AsinhOp: asinh,
    math.AtanOp: atan,
    math.Atan2Op: atan2,
    math.AtanhOp: atanh,
    math.CeilOp: ceil,
    math.CopySignOp: MathBuilder.copysign,
    math.CosOp: cos,
    math.CoshOp: cosh,
    math.ErfOp: erf,
    math.ExpOp: exp,
    math.Exp2Op: exp2,
    math.ExpM1Op: expm1,
    math.FloorOp: floor,
    math.LogOp: log,
    math.Log10Op: log10,
    math.Log1pOp: log1p,
    math.Log2Op: log2,
    math.PowFOp: pow,
    math.RoundOp: round_away,
    math.RoundEvenOp: round_even,
    math.RsqrtOp: _rsqrt,
    math.SinOp: sin,
    math.SinhOp: sinh,
    math.SqrtOp: MathBuilder.sqrt,
    math.TanOp: tan,
    math.TanhOp: tanh,
    math.TruncOp: trunc,
    RemFOp: remainder,
}
"""Functions of a `MathBuilder` and one printed operand per operand."""


EXACT: frozenset[type[Operation]] = frozenset(
    {
        math.AbsFOp,
        math.CeilOp,
        math.CopySignOp,
        math.FloorOp,
        math.RoundOp,
        math.RoundEvenOp,
        math.SqrtOp,
        math.TruncOp,
        RemFOp,
    }
)
"""Functions that are correctly rounded in f32."""


def emit_math(e: OpEmitter, op: Operation) -> None:
    """Emit a math op; f16 and bf16 are computed in f32, and with strict math f32 in f64.

    With the flag ``afn`` on math.exp or math.exp2, results below the smallest normal float may
    become 0.
    Error: in f32 as stated at each function, at most 4 ulp; with strict math at most 1 ulp.
    """
    function = MATH[type(op)]
    is_wide = e.strict_math and type(op) not in EXACT
    is_exponential = isinstance(op, math.ExpOp | math.Exp2Op)
    is_rough = is_exponential and FastMathFlag.APPROX_FUNC in op.fastmath.data
    if is_rough and not is_wide:
        function = exp_of_normals if isinstance(op, math.ExpOp) else exp2_of_normals

    def emit(type_: LlvmType, operands: Sequence[str]) -> str:
        if not is_wide or type_.bits == 64:
            return function(MathBuilder(e, type_), *operands)
        wide = type_.of("f64")
        given = [e.cast("fpext", x, type_, wide) for x in operands]
        return e.cast("fptrunc", function(MathBuilder(e, wide), *given), wide, type_)

    emit_with_floats(e, op, emit)


def emit_fma(e: OpEmitter, op: Operation) -> None:
    """Emit math.fma: fused if the target has FMA, else rounded twice."""
    emit_with_floats(e, op, lambda t, x: e.fma(t, x[0], x[1], x[2]))


def emit_absi(e: OpEmitter, op: Operation) -> None:
    """Emit math.absi, which maps the smallest integer to itself."""
    result, source = op.results[0], op.operands[0]
    type_, x = e.type_of(result), e.values[source]
    negative = e.binary("icmp slt", type_, x, type_.const(0))
    e.define(result, e.select(negative, type_, e.binary("sub", type_, type_.const(0), x), x))


def emit_ipowi(e: OpEmitter, op: Operation) -> None:
    """Emit math.ipowi, an integer to an integer power."""
    result, (base, exponent) = op.results[0], op.operands
    type_ = e.type_of(result)
    e.define(result, integers.power(e, type_, e.values[base], e.values[exponent]))


@cache
def _instructions(op_type: type[Operation], operands: int, target: Target) -> int:
    text = Text(target)
    MATH[op_type](MathBuilder(text, llvm_type("f32")), *["%x"] * operands)
    return len(text.lines)


def instructions(op: Operation, target: Target) -> int:
    """Return how many LLVM instructions compute an op on one f32: 1 unless it is in `MATH`."""
    return _instructions(type(op), len(op.operands), target) if type(op) in MATH else 1


def emit_bit_count(e: OpEmitter, op: Operation) -> None:
    """Emit math.ctpop, the number of one bits."""
    result, source = op.results[0], op.operands[0]
    e.define(result, e.intrinsic("ctpop", e.type_of(result), e.values[source]))


HANDLERS: Handlers = {
    **dict.fromkeys(MATH, emit_math),
    math.CtPopOp: emit_bit_count,
    math.FmaOp: emit_fma,
    math.AbsIOp: emit_absi,
    math.IPowIOp: emit_ipowi,
}
