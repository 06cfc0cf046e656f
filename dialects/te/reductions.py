"""Combiners and identities of the reductions of the graph dialect, and the combiner of arg max."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue

from ..dtypes import is_float, is_unsigned
from .build import BodyFunction
from .scalars import Scalars, highest, lowest

FLOAT_COMBINERS: Mapping[str, type[Operation]] = {
    "add": arith.AddfOp,
    "mul": arith.MulfOp,
    "max": arith.MaximumfOp,
    "min": arith.MinimumfOp,
}
"""The op on floats for each te combiner except maxnum, for which lowerings choose the op."""
INTEGER_COMBINERS: Mapping[str, type[Operation]] = {
    "add": arith.AddiOp,
    "mul": arith.MuliOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
    "umax": arith.MaxUIOp,
    "umin": arith.MinUIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
    "xor": arith.XOrIOp,
}
"""The op on integers that computes each te combiner."""
_COMBINERS = {"sum": "add", "prod": "mul", "max": "max", "min": "min", "and": "and"}


def combiner_of(kind: str, element: Attribute) -> str:
    """Return the te combiner that implements a graph reduction kind on an element type."""
    name = _COMBINERS[kind]
    return "u" + name if kind in ("max", "min") and is_unsigned(element) else name


def identity_of(kind: str, element: Attribute) -> int | float:
    """Return the identity of a reduction kind, the result of a reduction over no elements."""
    if kind == "and":
        return highest(element) if is_unsigned(element) else -1
    if kind in ("sum", "prod"):
        return 0 if kind == "sum" else 1
    return lowest(element) if kind == "max" else highest(element)


def better(kind: str, element: Attribute, *, last: bool) -> BodyFunction:
    """Return the combiner of arg max or arg min: of two (value, position) pairs, it selects one.

    kind: max or min.  last: whether the last of equal elements is selected, instead of the first.
    """
    wins, comes = ("gt" if kind == "max" else "lt"), ("gt" if last else "lt")
    unsigned = is_unsigned(element)

    def combine(
        s: Scalars, x: SSAValue, at_x: SSAValue, y: SSAValue, at_y: SSAValue
    ) -> list[SSAValue]:
        better = s.compare(wins, y, x, unsigned=unsigned)
        tie = s.compare("eq", y, x)
        if is_float(element):
            nan_x, nan_y = s.is_nan(x), s.is_nan(y)
            earlier = s.bit_or(s.bit_not(nan_x), s.compare("lt", at_y, at_x))
            better = s.bit_or(better, s.bit_and(nan_y, earlier))
        take = s.bit_or(better, s.bit_and(tie, s.compare(comes, at_y, at_x)))
        return [s.select(take, y, x), s.select(take, at_y, at_x)]

    return combine
