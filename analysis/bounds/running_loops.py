"""Simpler ends of loops inside their bodies, where the end is larger than the start.

loop.for %r = 0 to max(n - 1, 0)   ==>   in the body, %r < n - 1
"""

from __future__ import annotations

from collections.abc import Iterator

from ...dialects.shape import Call, Dim, size_index
from ...support.affine import Atom, Index, Key, constant


def ends_if_running(end: Index) -> Iterator[tuple[Index, Index]]:
    """Yield pairs of ends, for each maximum of a size and a number in the end of a loop.

    In the first end the size replaces the maximum, in the second end the number does.  If the
    second end is at most the start, a loop with this end does not run, so the first end holds in
    the body.
    """
    for key, factor in end.terms.items():
        if factor > 0:
            rest = end.without(key)
            for inner, stopped in _choices(key):
                yield rest + inner * factor, rest + stopped * factor


def _choices(key: Key) -> Iterator[tuple[Index, Index]]:
    """Yield a key once with the size, once with the number, in place of each maximum in the key."""
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


__all__ = ["ends_if_running"]
