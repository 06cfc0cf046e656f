"""Tighter upper bounds of loop variables, which hold inside the loop body.

The body runs only if the loop has an iteration:

    loop.for %r = 0 to max(n - 1, 0)   ==>   in the body, %r < n - 1
"""

from __future__ import annotations

from collections.abc import Iterator

from ...dialects.shape import Call, Dim, size_index
from ...support.affine import Atom, Index, Key, constant


def ends_if_running(end: Index) -> Iterator[tuple[Index, Index]]:
    """Yield pairs (end in the body, end to check) for a loop end with maxima such as ``max(n, 0)``.

    Each maximum of a size and a constant gives a pair: in the first end, the size replaces the
    maximum; in the second end, the constant does.  If the second end is at most the start of the
    loop, then the body runs only if the size is the larger operand.  So the loop variable is less
    than the first end.
    """
    for key, factor in end.terms.items():
        if factor > 0:
            rest = end.without(key)
            for inner, stopped in _choices(key):
                yield rest + inner * factor, rest + stopped * factor


def _choices(key: Key) -> Iterator[tuple[Index, Index]]:
    """Yield the pairs of `ends_if_running` for one variable of the end of a loop.

    Only a maximum of a size and a constant, or a quotient of such maxima, has pairs.
    """
    if isinstance(key, Atom) and key.kind == "floordiv":
        for inner, stopped in ends_if_running(key.operand):
            first, second = (_quotient(e, key.divisor) for e in (inner, stopped))
            yield first, second
    if not isinstance(key, Dim) or len(key.terms) != 1:
        return
    monomial = key.terms[0][0]
    call = monomial[0] if len(monomial) == 1 else None
    if isinstance(call, Call) and call.function == "max":
        for side, other in ((call.lhs, call.rhs), (call.rhs, call.lhs)):
            if other.value is not None:
                yield size_index(side), constant(other.value)


def _quotient(dividend: Index, divisor: int) -> Index:
    if dividend.is_constant:
        return constant(dividend.const // divisor)
    return Index({Atom("floordiv", dividend, divisor): 1})
