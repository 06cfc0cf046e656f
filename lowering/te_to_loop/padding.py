"""What to do about reads outside a buffer.

Provably inside: a plain load.  Provably outside: the term is skipped if the pad value annihilates
it, else the pad value is a constant.  Depending on a reduction loop: that loop is clipped.
Anything else: a guarded load.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, SSAValue

from ...dialects.te import Access, ComputeView
from ...support.affine import Index, Key, RangeOf, constant, divide
from .access import Verdict, classify, shape_of
from .emitter import identity

_KEEPS_ZERO = (
    arith.ExtFOp, arith.TruncFOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.SIToFPOp,
    arith.UIToFPOp, arith.NegfOp,
)  # fmt: skip
_MOST_COPIES = 16
"""Most unrolled taps per tile; further axes of a window stay loops with guarded loads."""


def annihilates(
    access: Access, argument: SSAValue, outputs: Sequence[Access], yielded: Sequence[SSAValue]
) -> bool:
    """Return True if a padded read of an input leaves every accumulator as it is.

    Exact: except that 0 * inf and 0 * nan count as 0, as in every convolution.
    """
    pad = access.pad
    return pad is not None and all(
        _leaves(output, value, argument, pad)
        for output, value in zip(outputs, yielded, strict=True)
    )


def _leaves(output: Access, value: SSAValue, argument: SSAValue, pad: Attribute) -> bool:
    if not output.reduces or output.combiner == "by":
        return False
    if output.combiner == "add" and is_zero(pad):
        return _is_zero_with(value, argument)
    return value is argument and pad == identity(output.combiner, value.type)


def is_zero(value: Attribute) -> bool:
    """Return True for the number 0 of any type."""
    return isinstance(value, FloatAttr | IntegerAttr) and value.value.data == 0


def _is_zero_with(value: SSAValue, argument: SSAValue) -> bool:
    """Return True if a value is 0 whenever the argument is."""
    if value is argument:
        return True
    owner = value.owner
    if isinstance(owner, arith.MulfOp | arith.MuliOp):
        return any(_is_zero_with(v, argument) for v in owner.operands)
    return isinstance(owner, _KEEPS_ZERO) and _is_zero_with(owner.operands[0], argument)


def clip_bounds(
    index: Index, axis: str, size: int, range_of: RangeOf
) -> tuple[list[Index], list[Index]] | None:
    """Return the lower and upper bounds of ``axis`` for which an index lies in 0..size-1.

    None if no such bound can be given: the axis occurs nonlinearly or backwards, or beside axes
    that are not fixed yet.
    """
    step = index.coefficient(axis)
    rest = index.without(axis)
    if step <= 0 or any(isinstance(k, str) for k in rest.variables()):
        return None
    low, high = index.range(range_of)
    lower = [-divide("floordiv", rest, step, range_of)] if low < 0 else []
    upper: list[Index] = []
    if high >= size:
        last = constant(size - 1) - rest
        upper = [divide("floordiv", last, step, range_of) + 1]
    return lower, upper


def taps_to_unroll(view: ComputeView, tiled: Mapping[str, int], range_of: RangeOf) -> set[str]:
    """Return reduced axes to unroll so that padded reads are decided per cell of the tile.

    They are those that share an index with a tiled axis where the access may leave its buffer.
    """
    reduced = {a for a in view.reduced_axes() if view.axes[a] > 1}
    taps: set[str] = set()
    for access in view.inputs:
        if access.pad is None or access.value is None or access.indices is None:
            continue
        for index, size in zip(access.indices, shape_of(access.value), strict=True):
            keys: set[Key] = set(index.variables())
            shared = keys & reduced
            moving = any(isinstance(k, str) and tiled.get(k, 1) > 1 for k in keys)
            if shared and moving and classify([index], [size], range_of) is Verdict.UNSURE:
                taps |= {str(k) for k in shared}
    return _within_budget(view, taps)


def _within_budget(view: ComputeView, taps: set[str]) -> set[str]:
    """Return as many of the axes, innermost first, as may be unrolled together."""
    chosen: set[str] = set()
    copies = 1
    for axis in reversed(view.axes):
        if axis in taps and copies * view.axes[axis] <= _MOST_COPIES:
            copies *= view.axes[axis]
            chosen.add(axis)
    return chosen
