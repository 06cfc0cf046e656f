"""Masked keys of attention: the keys that the epilogue of the scores hides from a query.

    then(%s: f32, %m: index, %n: index) {                        post(index[m], index[n])
      %c = arith.cmpi sle, %n, %m : index
      %w = arith.select %c, 0.0, -inf …      %t = arith.addf %s, %w …

Here every score of query ``m`` is -inf from key ``m + 1`` on, so its exponential is 0.  Mask values
of -1e30 or less count as -inf: if scores are smaller in magnitude, exp(score - maximum) is still 0
for a query to which another key is visible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import SSAValue

from ...dialects.te import ComputeView
from ...support.affine import Index, constant
from ...support.blocks import returned

LOWEST = -1e30
"""A score or mask value of at most this number hides its key."""


@dataclass(frozen=True)
class _Hidden:
    """A mask that hides all keys from position ``end`` on.

    lowest: the number, at most -1e30, that replaces the scores of hidden keys or is added to them.
    """

    end: Index
    lowest: float


def visible_end(view: ComputeView, key: str) -> Index | None:
    """Return the position along the key axis from which on all scores are hidden; None if unknown.

    view: the compute of the scores.  The position may depend on other axes and on loop variables.
    """
    if not view.then.blocks or view.axes.get(key, 1) == 1:
        return None
    block = view.then.block
    values = len(block.args) - len(view.post)
    places: dict[SSAValue, Index] = {
        argument: (access.indices or [constant(0)])[0]
        for argument, access in zip(block.args[values:], view.post, strict=True)
        if access.is_index
    }
    found = _Mask(key, places).of_score(returned(view.then.block)[0])
    if found is None:
        return None
    alone = all(a.is_index for a in view.post)
    first, _ = found.end.range(view.range_of)
    # A finite mask hides keys only from a query that sees another key.
    return found.end if found.lowest == -inf or (alone and first >= 1) else None


class _Mask:
    """A matcher for masks in the epilogue (``then``) of the scores of an attention.

    key: the axis of keys.  places: for each index argument of the epilogue, the position that it
    stands for, as an expression over axes.
    """

    def __init__(self, key: str, places: Mapping[SSAValue, Index]) -> None:
        self.key, self.places = key, places

    def of_score(self, value: SSAValue) -> _Hidden | None:
        """Return the mask of a score, or None.

        value: the masked score: a sum with the mask as an operand, or a select between the score
        and the mask value.
        """
        owner = value.owner
        if isinstance(owner, arith.AddfOp):
            return self.of_score(owner.lhs) or self.of_score(owner.rhs)
        if isinstance(owner, arith.SelectOp):
            return self.of_selection(owner)
        return None

    def of_selection(self, op: arith.SelectOp) -> _Hidden | None:
        """Return the mask of a select that yields the mask value from some key on, or None."""
        for value, holds in ((op.rhs, True), (op.lhs, False)):
            number = _number(value)
            if number is None or number > LOWEST:
                continue
            end = self.end_of(op.cond, holds=holds)
            if end is not None:
                return _Hidden(end, number)
        return None

    def end_of(self, condition: SSAValue, *, holds: bool) -> Index | None:
        """Return the first key from which on a condition is never equal to ``holds``, or None."""
        owner = condition.owner
        if isinstance(owner, arith.AndIOp) and holds:
            first = self.end_of(owner.lhs, holds=True)
            return first if first is not None else self.end_of(owner.rhs, holds=True)
        if not isinstance(owner, arith.CmpiOp):
            return None
        lhs, rhs = self.position(owner.lhs), self.position(owner.rhs)
        if lhs is None or rhs is None:
            return None
        name = arith.CMPI_COMPARISON_OPERATIONS[owner.predicate.value.data]
        difference = _NONNEGATIVE.get((name, holds))
        return None if difference is None else self._solve(difference(lhs, rhs))

    def _solve(self, room: Index) -> Index | None:
        """Return the first key at which an expression over the key axis is negative.

        room: the expression, which must decrease by 1 from each key to the next; else return None.
        """
        rest = room.without(self.key)
        mixed = any(self.key in atom.operand.variables() for atom in room.atoms())
        if mixed or room.coefficient(self.key) != -1:
            return None
        return rest + 1

    def position(self, value: SSAValue) -> Index | None:
        """Return an integer value as an expression over the region's index arguments, or None."""
        if value in self.places:
            return self.places[value]
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
            return constant(owner.value.value.data)
        if isinstance(owner, arith.IndexCastOp):
            return self.position(owner.input)
        if isinstance(owner, arith.AddiOp | arith.SubiOp):
            lhs, rhs = self.position(owner.lhs), self.position(owner.rhs)
            if lhs is None or rhs is None:
                return None
            return lhs + rhs if isinstance(owner, arith.AddiOp) else lhs - rhs
        return None


_NONNEGATIVE: dict[tuple[str, bool], Callable[[Index, Index], Index]] = {
    ("sle", True): lambda a, b: b - a,
    ("slt", True): lambda a, b: b - a - 1,
    ("sge", True): lambda a, b: a - b,
    ("sgt", True): lambda a, b: a - b - 1,
    ("sgt", False): lambda a, b: b - a,
    ("sge", False): lambda a, b: b - a - 1,
    ("slt", False): lambda a, b: a - b,
    ("sle", False): lambda a, b: a - b - 1,
}
"""Convert a comparison of a and b that has a truth value to an expression that is at least 0.

Keyed by the predicate of the comparison and the truth value.
"""


def _number(value: SSAValue) -> float | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr):
        return owner.value.value.data
    return None
