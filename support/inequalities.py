"""Systems of linear inequalities over integers: whether a system provably has no solution.

Equations ``Index == 0`` and rows ``Index >= 0`` relate variables; their keys are opaque.  A choice
says that all rows of at least one alternative hold, such as ``a <= low or b <= low`` for a minimum.

First, each equation replaces a variable.  Then the simplex method finds a rational solution of the
rows, or shows that there is none.  If the solution breaks a choice, or if a variable is no integer,
the system is split into cases, of which none may have a solution.
Exact: all arithmetic is rational.  Cost: at most MOST_CASES cases of MOST_PIVOTS steps each; a
system that needs more is not proven to have no solution.
Source: W. Pugh, The Omega test, CACM 35 (1992), for equations; B. Dutertre and L. de Moura, A Fast
Linear-Arithmetic Solver for DPLL(T), CAV 2006, for rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, gcd
from typing import TypeAlias

from .affine import Index, Key, variable

MOST_CASES = 64
"""Cases into which a system is split."""

MOST_PIVOTS = 400
"""Steps of the simplex method in one case."""

Rows: TypeAlias = tuple[Index, ...]
Choice: TypeAlias = Sequence[Rows]
"""Alternatives: all rows of at least one of them hold."""

_Bound: TypeAlias = "Fraction | int | None"


def has_no_solution(
    equations: Iterable[Index], rows: Iterable[Index], choices: Sequence[Choice] = ()
) -> bool:
    """Return whether no integers make all equations, rows and choices true.

    False: there is a solution, or the limits of the search are too small.
    """
    solved = _solved(equations)
    if solved is None:
        return True
    waiting = [tuple(_replaced(row, solved) for row in rows)]
    choices = [
        [tuple(_replaced(row, solved) for row in rows) for rows in choice] for choice in choices
    ]
    for _ in range(MOST_CASES):
        case = waiting.pop()
        try:
            values = _Simplex(case).solve()
        except _TooLong:
            return False
        if values is not None:
            cases = _cases(values, choices)
            if not cases:
                return False
            waiting += [(*case, *more) for more in cases]
        if not waiting:
            return True
    return False


@dataclass(frozen=True, eq=False)
class _New:
    """A variable that stands for a sum of others."""


_Solved: TypeAlias = list[tuple[Key, Index]]
"""Variables and what replaces them, in order."""


def _solved(equations: Iterable[Index]) -> _Solved | None:
    """Return replacements of variables that make equations true; None if nothing does."""
    solved: _Solved = []
    for given in equations:
        equation = _replaced(given, solved)
        while equation.terms:
            common = gcd(*equation.terms.values())
            if equation.const % common:
                return None
            terms = {key: factor // common for key, factor in equation.terms.items()}
            equation = Index(terms, equation.const // common)
            key, value = _replacement(equation)
            solved.append((key, value))
            equation = _replace(equation, key, value)
        if equation.const:
            return None
    return solved


def _replacement(equation: Index) -> tuple[Key, Index]:
    """Return a variable of an equation and its replacement.

    In ``10 * q - 2 * r + s == 0`` a new variable for ``r - 5 * q`` comes first, as its values are
    few; then ``s`` is replaced.  Without a factor 1, the smallest factor divides the others.
    """
    units = [key for key, factor in equation.terms.items() if abs(factor) == 1]
    large = [term for term in equation.terms.items() if abs(term[1]) > 1]
    for key, factor in sorted(large, key=lambda term: abs(term[1])):
        others = {k: c for k, c in equation.terms.items() if k != key}
        shared = {k: c // factor for k, c in others.items() if not units or c % factor == 0}
        if any(shared.values()):
            return key, variable(_New()) - Index({k: c for k, c in shared.items() if c})
    key = units[0]
    rest = equation.without(key)
    return key, rest * -equation.terms[key]


def _replaced(index: Index, solved: _Solved) -> Index:
    for key, value in solved:
        index = _replace(index, key, value)
    return index


def _replace(index: Index, key: Key, value: Index) -> Index:
    factor = index.terms.get(key)
    return index if factor is None else index.without(key) + value * factor


def _cases(values: Mapping[Key, Fraction], choices: Iterable[Choice]) -> Sequence[Rows]:
    """Return the cases that a rational solution leaves to try; none if it is one of integers."""
    for choice in choices:
        if not any(all(_value(row, values) >= 0 for row in rows) for rows in choice):
            return choice
    broken = [(abs(value), n) for n, value in enumerate(values.values()) if value.denominator != 1]
    if not broken:
        return ()
    key = list(values)[min(broken)[1]]
    low = floor(values[key])
    return (Index({key: -1}, low),), (Index({key: 1}, -low - 1),)


def _value(row: Index, values: Mapping[Key, Fraction]) -> Fraction:
    parts = (values.get(key, Fraction()) * c for key, c in row.terms.items())
    return sum(parts, Fraction(row.const))


class _TooLong(Exception):
    """The simplex method needs more steps than are allowed."""


class _Simplex:
    """A tableau: each basic variable is a sum of others.

    Variables are numbers: first those of the system, then one per row of several terms.
    """

    def __init__(self, rows: Iterable[Index]) -> None:
        self._numbers: dict[Key, int] = {}
        self._low: list[_Bound] = []
        self._high: list[_Bound] = []
        self._values: list[Fraction] = []
        self._rows: dict[int, dict[int, Fraction]] = {}
        self._is_feasible = True
        rows = list(rows)
        for key in dict.fromkeys(key for row in rows for key in row.terms):
            self._numbers[key] = self._new(None, None)
        sums: dict[Index, tuple[int | None, int | None]] = {}
        for row in rows:
            self._collect(row, sums)
        for total, (low, high) in sums.items():
            self._add(total, low, high)

    def _collect(self, row: Index, sums: dict[Index, tuple[int | None, int | None]]) -> None:
        """Join a row with those of the same terms, up to a factor: bounds of one sum."""
        common = gcd(*row.terms.values())
        if not common:
            self._is_feasible &= row.const >= 0
            return
        first = min(row.terms, key=self._numbers.__getitem__)
        common = common if row.terms[first] > 0 else -common
        total = Index({key: c // common for key, c in row.terms.items()})
        low, high = sums.get(total, (None, None))
        if common > 0:
            bound = -(row.const // common)  # of integers, so rounded
            low = bound if low is None else max(low, bound)
        else:
            bound = row.const // -common
            high = bound if high is None else min(high, bound)
        sums[total] = low, high
        self._is_feasible &= low is None or high is None or low <= high

    def _new(self, low: _Bound, high: _Bound) -> int:
        self._low.append(low)
        self._high.append(high)
        self._values.append(Fraction())
        return len(self._values) - 1

    def _add(self, total: Index, low: int | None, high: int | None) -> None:
        """Add a sum with its bounds; a sum of one variable bounds this variable."""
        if len(total.terms) == 1:
            number = self._numbers[next(iter(total.terms))]
            self._low[number], self._high[number] = low, high
            return
        basic = self._new(low, high)
        self._rows[basic] = {self._numbers[k]: Fraction(c) for k, c in total.terms.items()}

    def solve(self) -> Mapping[Key, Fraction] | None:
        """Return a rational solution, None if there is none."""
        if not self._is_feasible:
            return None
        self._start()
        for _ in range(MOST_PIVOTS):
            broken = self._first_broken()
            if broken is None:
                return {key: self._values[n] for key, n in self._numbers.items()}
            basic, goal = broken
            entering = self._entering(basic, goal > self._values[basic])
            if entering is None:
                return None
            self._pivot(basic, entering, goal)
        raise _TooLong

    def _start(self) -> None:
        """Move each variable into its bounds, and compute the sums."""
        for number in range(len(self._numbers)):
            low, high = self._low[number], self._high[number]
            start = 0 if low is None else max(low, 0)
            self._values[number] = Fraction(start if high is None else min(start, high))
        for basic, row in self._rows.items():
            self._values[basic] = sum((self._values[k] * c for k, c in row.items()), Fraction())

    def _first_broken(self) -> tuple[int, Fraction] | None:
        """Return the first basic variable outside its bounds, and the bound (Bland's rule)."""
        for basic in sorted(self._rows):
            value, low, high = self._values[basic], self._low[basic], self._high[basic]
            if low is not None and value < low:
                return basic, Fraction(low)
            if high is not None and value > high:
                return basic, Fraction(high)
        return None

    def _entering(self, basic: int, grows: bool) -> int | None:
        """Return the first variable that can move a basic one towards its bound."""
        row = self._rows[basic]
        for number in sorted(row):
            bound = self._high[number] if (row[number] > 0) == grows else self._low[number]
            if bound is None or bound != self._values[number]:
                return number
        return None

    def _pivot(self, basic: int, entering: int, goal: Fraction) -> None:
        """Exchange a basic variable, which gets a value, and another one."""
        row = self._rows.pop(basic)
        factor = row.pop(entering)
        change = (goal - self._values[basic]) / factor
        solved = {number: -c / factor for number, c in row.items()}
        solved[basic] = 1 / factor
        self._values[basic] = goal
        self._values[entering] += change
        for other, terms in self._rows.items():
            times = terms.pop(entering, None)
            if times is None:
                continue
            self._values[other] += times * change
            for number, c in solved.items():
                total = terms.get(number, 0) + times * c
                if total:
                    terms[number] = Fraction(total)
                else:
                    terms.pop(number, None)
        self._rows[entering] = solved


__all__ = ["MOST_CASES", "MOST_PIVOTS", "Choice", "Rows", "has_no_solution"]
