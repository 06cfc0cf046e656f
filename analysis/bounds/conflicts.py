"""Conflicts: whether accesses of two different iterations of a loop may touch one element.

**Theorem.**  Two accesses in the body of a loop have the positions ``a(i, u)`` and ``b(j, v)``.
Here i and j are iterations; u and v are the values that may differ in them: variables of inner
loops, axes, and lanes.  Values from outside of the loop are equal in both.  If no integers satisfy
``a(i, u) == b(j, v)`` in all dimensions, ``i != j``, and the facts below for (i, u) and for (j, v),
then these accesses touch no element in two iterations.  Suppose that this holds for each pair of a
write and another access of the same buffer, unless each iteration has its own buffer.  Then no two
iterations write one element, and no iteration reads an element that another iteration writes.  So
any order of the iterations gives the same results, and they may run at the same time.

Facts:

- a variable lies between the ends of its loop, which may depend on other variables and on sizes;
- ``e floordiv d`` is q with ``d * q <= e < d * q + d``, and ``e mod d`` is ``e - d * q``;
- the conditions of ``loop.if`` around an access hold where it runs;
- a minimum of sizes is at most both operands, and equals one of them.

All facts hold in every run, so that a missing fact costs proofs, not correctness; the solver is
``support/inequalities.py``.  These facts prove that blocks of symbolic sizes, their remainders, and
parts of unequal lengths are disjoint: ``8 * i < 8 * (n floordiv 8)``.  A product of two symbols is
an unknown number in a known range.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...dialects.shape import Call, Dim, size_index
from ...support.affine import INFINITY, Atom, Index, Key, Range, RangeOf, variable
from ...support.inequalities import Choice, has_no_solution
from .range_arithmetic import INDEX_BITS

_WIDEST = 1 << (INDEX_BITS - 1)
"""Dividends whose magnitude exceeds this number may have overflowed; their quotients are unknown.
"""

Ends: TypeAlias = Callable[[Key], "tuple[Sequence[Index], Sequence[Index]] | None"]
"""Map a loop variable to the lower bounds and the exclusive upper bounds of its loop.

The function returns None for a variable that belongs to no loop.
"""


@dataclass(frozen=True)
class AccessPosition:
    """The position of one of two compared accesses in a buffer, and facts about its variables.

    indices: an index expression for each dimension.
    own: the ranges of the variables that only this access has, such as axes and lanes.
    sizes: for those variables of ``own`` that are axes of symbolic extent, the extent.
    moves: a function that returns whether a variable may have different values in the two accesses.
    guards: expressions that are at least 0 wherever the access runs.
    """

    indices: Sequence[Index]
    own: Mapping[Key, Range]
    sizes: Mapping[Key, Dim]
    moves: Callable[[Key], bool]
    guards: Sequence[Index] = ()


def never_meet(
    loop: Key, one: AccessPosition, other: AccessPosition, ends_of: Ends, range_of: RangeOf
) -> bool:
    """Return whether two accesses provably touch no element in two different iterations.

    loop: the variable of the loop.  one, other: the positions of the accesses.
    ends_of: maps a loop variable to the lower and the exclusive upper bounds of its loop; None for
    any other variable.
    range_of: returns the range of a variable or size that belongs to neither access alone.
    """
    if not one.indices:
        return False
    system = _conflict(loop, one, other, _System((one, other), ends_of, range_of, divides=False))
    if system.has_no_solution():
        return True
    if not system.lacks_quotients:
        return False
    system = _conflict(loop, one, other, _System((one, other), ends_of, range_of, divides=True))
    return system.has_no_solution()


def _conflict(loop: Key, one: AccessPosition, other: AccessPosition, system: _System) -> _System:
    """Add to a system that two accesses touch the same element in different iterations."""
    for mine, theirs in zip(one.indices, other.indices, strict=True):
        system.equal.append(system.placed(mine, 0) - system.placed(theirs, 1))
    for side, position in enumerate((one, other)):
        system.rows += (system.placed(guard, side) for guard in position.guards)
    gap = system.placed(variable(loop), 0) - system.placed(variable(loop), 1)
    if one is other:
        system.rows.append(gap - 1)
    else:
        system.choices.append(((gap - 1,), (-gap - 1,)))
    return system


class _System:
    """The linear inequalities that must all hold if two accesses touch the same element.

    A variable whose value may differ between the accesses becomes one unknown per access: the pair
    (number of the access, variable). A work list adds the inequalities that hold for each variable,
    then the inequalities for the new variables that occur in them.

    divides: whether each remainder brings in its quotient.  Digits of a number, such as
    ``(i floordiv 8) mod 15``, need this; most proofs do not, and are faster without it.
    lacks_quotients: whether the system has a remainder whose quotient was left out.
    """

    def __init__(
        self,
        sides: Sequence[AccessPosition],
        ends_of: Ends,
        range_of: RangeOf,
        *,
        divides: bool,
    ) -> None:
        self._sides, self._ends_of, self._range_of = sides, ends_of, range_of
        self._divides, self.lacks_quotients = divides, False
        self._waiting: deque[tuple[int, Key]] = deque()
        self._seen: set[Key] = set()
        self.equal: list[Index] = []
        self._divisions: list[Index] = []
        self.rows: list[Index] = []
        self.choices: list[Choice] = []

    def placed(self, index: Index, side: int) -> Index:
        """Rewrite an index expression of one access in the unknowns of the system.

        A variable whose value may differ between the accesses becomes the pair (side, variable);
        any other variable is unchanged.
        side: the number of the access, 0 or 1.
        """
        terms: dict[Key, int] = {}
        for key, factor in index.terms.items():
            name = (side, key) if self._moves(key, side) else key
            terms[name] = factor
            if name not in self._seen:
                self._seen.add(name)
                self._waiting.append((side, key))
        return Index(terms, index.const)

    def has_no_solution(self) -> bool:
        while self._waiting:
            side, key = self._waiting.popleft()
            for row in self._facts_of(key, side):
                self.rows.append(self.placed(row, side))
        return has_no_solution((*self._divisions, *self.equal), self.rows, self.choices)

    def _moves(self, key: Key, side: int) -> bool:
        keys = key.operand.variables() if isinstance(key, Atom) else (key,)
        return any(map(self._sides[side].moves, keys))

    def _facts_of(self, key: Key, side: int) -> Iterator[Index]:
        """Yield the inequalities that hold for a variable, as expressions that are at least 0.

        side: the number of the access whose variable it is, 0 or 1.
        """
        if isinstance(key, Atom):
            yield from self._facts_of_division(key, side)
            return
        found = self._sides[side].own.get(key)
        yield from _facts_of_range(key, self._range_of(key) if found is None else found)
        if found is not None and key in self._sides[side].sizes:
            yield size_index(self._sides[side].sizes[key]) - 1 - variable(key)
        elif found is None and (ends := self._ends_of(key)) is not None:
            yield from (variable(key) - low for low in ends[0])
            yield from (high - 1 - variable(key) for high in ends[1])
        elif isinstance(key, Dim):
            yield from self._facts_of_size(key, side)

    def _facts_of_division(self, atom: Atom, side: int) -> Iterator[Index]:
        own = self._sides[side].own

        def range_of(key: Key) -> Range:
            return own[key] if key in own else self._range_of(key)

        low, high = atom.operand.range(range_of)
        if low < -_WIDEST or high >= _WIDEST:
            return
        if atom.kind == "mod":
            yield variable(atom)
            yield -variable(atom) + (atom.divisor - 1)
            self.lacks_quotients |= not self._divides
            if self._divides:
                self.placed(variable(Atom("floordiv", atom.operand, atom.divisor)), side)
        else:
            rest = variable(Atom("mod", atom.operand, atom.divisor))
            whole = variable(atom) * atom.divisor + rest
            self._divisions.append(self.placed(atom.operand - whole, side))

    def _facts_of_size(self, size: Dim, side: int) -> Iterator[Index]:
        """Yield the inequalities that hold for a size that is a call, such as ``min(a, b)``.

        They are expressions that are at least 0, for minima, maxima, and quotients by a symbol.

        side: the number of the access, 0 or 1.
        """
        ((monomial, _),) = size.terms
        call = monomial[0] if len(monomial) == 1 else None
        if not isinstance(call, Call):
            return
        operands = [size_index(call.lhs), size_index(call.rhs)]
        if call.function in ("min", "max"):
            sign = 1 if call.function == "min" else -1
            gaps = [(e - variable(size)) * sign for e in operands]
            yield from gaps
            self.choices.append([(self.placed(-gap, side),) for gap in gaps])
        elif call.function == "floordiv" and call.lhs.is_at_least(0) and call.rhs.is_at_least(1):
            yield operands[0] - variable(size)


def _facts_of_range(key: Key, known: Range) -> Iterator[Index]:
    low, high = known
    if low > -INFINITY // 2:
        yield variable(key) - low
    if high < INFINITY // 2:
        yield -variable(key) + high
