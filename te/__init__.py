"""Tensor expressions in Python: ``from tilewright import te``.

    A, B = te.placeholder((128, 64), name="A"), te.placeholder((64, 32), name="B")
    k = te.reduce_axis((0, 64), name="k")
    C = te.compute((128, 32), lambda m, n: te.sum(A[m, k] * B[k, n], axis=k), name="C")
    mod = tilewright.build([A, B, C])

A description becomes te IR at once: ``C.op.ir`` is the te.compute.
"""

from __future__ import annotations

from importlib import import_module

from ..frontend.te.compute import compute
from ..frontend.te.expr import (
    Axis,
    Literal,
    Operand,
    Position,
    Scalar,
    Size,
    Var,
    cast,
    const,
    size_var,
    var,
)
from ..frontend.te.extern import call_packed, extern
from ..frontend.te.functions import (
    abs,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    ceil,
    clip,
    cos,
    cosh,
    equal,
    erf,
    exp,
    expm1,
    floor,
    floordiv,
    floormod,
    if_then_else,
    isfinite,
    isinf,
    isnan,
    log,
    log1p,
    maximum,
    minimum,
    popcount,
    power,
    round,
    rsqrt,
    select,
    sigmoid,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    trunc,
    truncdiv,
    truncmod,
)
from ..frontend.te.intrinsic import Emission, Intrinsic, decl_tensor_intrin
from ..frontend.te.reduce import (
    all,
    any,
    argmax,
    argmin,
    comm_reducer,
    max,
    max_value,
    min,
    min_value,
    prod,
    reduce_axis,
    sum,
)
from ..frontend.te.scan import State, scan, state
from ..frontend.te.tensor import Definition, Tensor, constant, placeholder
from ..gradient.tensors import gradient, jvp
from ..runtime.spelling import UnknownName, unknown_name
from ..schedule.schedule import Schedule, create_schedule
from ..schedule.stage import Stage, ThreadAxis, thread_axis


def __getattr__(name: str) -> object:
    """Raise UnknownName for a name that te does not have.

    The hint names the operator in `tilewright.ops` if there is one of this name, else similar
    names.
    """
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    ops = import_module("..ops", __name__)
    if name in dir(ops):
        raise UnknownName(
            f"te has no attribute {name!r}",
            hint=f"tilewright.ops.{name} is the operator on whole tensors",
        )
    raise unknown_name("te", name, __all__)


__all__ = [
    "Axis", "Definition", "Emission", "Intrinsic", "Literal", "Operand", "Position", "Scalar",
    "Schedule", "Size", "Stage", "State", "Tensor", "ThreadAxis", "Var", "abs", "acos", "acosh",
    "all", "any", "argmax", "argmin", "asin", "asinh", "atan", "atanh", "call_packed", "cast",
    "ceil", "clip", "comm_reducer", "compute", "const", "constant", "cos", "cosh",
    "create_schedule", "decl_tensor_intrin", "equal", "erf", "exp", "expm1", "extern", "floor",
    "floordiv", "floormod", "gradient", "if_then_else", "isfinite", "isinf", "isnan", "jvp", "log",
    "log1p", "max", "max_value", "maximum", "min", "min_value", "minimum", "placeholder",
    "popcount", "power", "prod", "reduce_axis", "round", "rsqrt", "scan", "select", "sigmoid",
    "sign", "sin", "sinh", "size_var", "sqrt", "state", "sum", "tan", "tanh", "thread_axis",
    "trunc", "truncdiv", "truncmod", "var",
]  # fmt: skip
