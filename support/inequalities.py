"""Systems of linear inequalities over integers: whether a system provably has no solution.

A system has equations ``Index == 0``, rows (inequalities) ``Index >= 0``, and choices; the keys of
the Indexes are its variables.  A choice is a disjunction: all rows of at least one alternative
hold, such as ``a <= low or b <= low`` for a minimum.

First, each equation eliminates a variable.  Then the simplex method finds a rational solution of
the rows, or shows that there is none.  If the solution violates a choice, or if the value of a
variable is not an integer, the system is split into cases; it has no solution if no case has one.
Exact: all computed values are integers; each row of the tableau has a common denominator.
Cost: at most MOST_WORK values of the tableau are computed, 0.1 to 0.3 s; if a system needs more,
the answer is "not proven".  Answers are cached: the kernels of a model need few different systems.
Source: W. Pugh, The Omega test, CACM 35 (1992), for equations; B. Dutertre and L. de Moura, A Fast
Linear-Arithmetic Solver for DPLL(T), CAV 2006, for rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import floor, gcd
from typing import TypeAlias

from .affine import Index, Key, variable

MOST_WORK = 1 << 16
"""The largest number of tableau entries that are computed for one system."""

_WIDE = 1 << 16
"""A variable with at least this number of possible values is wide; all others are narrow."""

Rows: TypeAlias = tuple[Index, ...]
Choice: TypeAlias = Sequence[Rows]
"""A disjunction of systems: all inequalities of at least one alternative are true."""


def has_no_solution(
    equations: Iterable[Index], rows: Iterable[Index], choices: Sequence[Choice] = ()
) -> bool:
    """Return whether equations, inequalities and choices provably have no integer solution.

    equations: expressions that are 0.  rows: expressions that are at least 0.  choices:
    disjunctions of such rows.
    False: the system has a solution, or the proof needs more than MOST_WORK.
    """
    numbers: dict[Key, int] = {}

    def numbered(index: Index) -> Index:
        terms = index.terms.items()
        return Index({numbers.setdefault(k, len(numbers)): c for k, c in terms}, index.const)

    return numbers_have_no_solution(
        tuple(map(numbered, equations)),
        tuple(map(numbered, rows)),
        tuple(tuple(tuple(map(numbered, rows)) for rows in choice) for choice in choices),
        len(numbers),
    )


@lru_cache(maxsize=1 << 10)
def numbers_have_no_solution(
    equations: Rows, rows: Rows, choices: tuple[Choice, ...], known: int
) -> bool:
    """Return whether a system whose variables are numbered provably has no integer solution.

    The answers are cached; `has_no_solution` numbers the variables of a system and calls this
    function.

    equations: expressions that are 0.  rows: expressions that are at least 0.  choices:
    disjunctions of such rows.  known: the number of variables, which are the integers below this
    number.
    """
    solved = _solved(equations, _narrow_variables(rows), known)
    if solved is None:
        return True
    choices = tuple(
        tuple(tuple(_replaced(row, solved) for row in rows) for rows in choice)
        for choice in choices
    )
    work = _Work(MOST_WORK)
    waiting = [_Simplex(work, [_replaced(row, solved) for row in rows])]
    try:
        while waiting:
            case = waiting.pop()
            if not case.solve():
                continue
            more = _cases(case.values(), choices)
            if not more:
                return False
            waiting += [case.with_rows(rows) for rows in more]
    except _TooLong:
        return False
    return True


# ---- equations

_Solved: TypeAlias = list[tuple[Key, Index]]
"""Eliminated variables and the expressions that replace them, in order of elimination."""


def _solved(equations: Iterable[Index], narrow: set[Key], known: int) -> _Solved | None:
    """Solve equations for some of their variables.

    Return the expressions that replace these variables, so that all equations hold; None if the
    equations have no integer solution.

    narrow: the variables with few possible values; further variables are added to the set.  known:
    the number of variables of the system; new variables are the integers from ``known`` on.
    """
    solved: _Solved = []
    new = count(known)
    for given in equations:
        equation = _replaced(given, solved)
        while equation.terms:
            common = gcd(*equation.terms.values())
            if equation.const % common:
                return None
            terms = {key: factor // common for key, factor in equation.terms.items()}
            equation = Index(terms, equation.const // common)
            key, value = _replacement(equation, narrow, new)
            solved.append((key, value))
            equation = _replace(equation, key, value)
        if equation.const:
            return None
    return solved


def _replacement(equation: Index, narrow: set[Key], new: Iterator[int]) -> tuple[Key, Index]:
    """Choose a variable to eliminate by an equation; return it and the expression that replaces it.

    It is the variable with the smallest coefficient.  If this is 1 or -1, the equation gives its
    value.  Otherwise, a new variable reduces the other coefficients: in ``10 * q - 2 * r + s ==
    0``, ``r`` becomes ``t + 5 * q``, which leaves ``s - 2 * t == 0``.

    Wide variables are eliminated before narrow ones. The last wide variable of an equation has few
    possible values, because the narrow variables determine it, so it is added to ``narrow``.

    narrow: the variables with few possible values; all others are wide.  new: yields new variables.
    """
    wide = {key: factor for key, factor in equation.terms.items() if key not in narrow}
    if len(wide) == 1:
        narrow.update(wide)
    terms = wide if len(wide) > 1 else equation.terms
    key = min(terms, key=lambda k: abs(terms[k]))
    factor = terms[key]
    if abs(factor) == 1:
        return key, equation.without(key) * -factor
    shared = {k: (2 * c + factor) // (2 * factor) for k, c in terms.items() if k != key}
    return key, variable(next(new)) - Index({k: c for k, c in shared.items() if c})


def _narrow_variables(rows: Iterable[Index]) -> set[Key]:
    """Return the variables with few possible values.

    The rows give constants as their lower and upper bounds, and the bounds are close together.
    """
    lows, highs = dict[Key, int](), dict[Key, int]()
    for row in rows:
        if len(row.terms) == 1:
            ((key, factor),) = row.terms.items()
            ends, end = lows if factor > 0 else highs, row.const // abs(factor)
            ends[key] = min(ends.get(key, end), end)
    return {key for key in lows.keys() & highs.keys() if lows[key] + highs[key] < _WIDE}


def _replaced(index: Index, solved: _Solved) -> Index:
    for key, value in solved:
        index = _replace(index, key, value)
    return index


def _replace(index: Index, key: Key, value: Index) -> Index:
    factor = index.terms.get(key)
    return index if factor is None else index.without(key) + value * factor


# ---- cases


def _cases(values: Mapping[Key, Fraction], choices: Iterable[Choice]) -> Sequence[Rows]:
    """Split a system into cases at a point where a rational solution is not a solution.

    Return the rows that each case adds: the alternatives of a violated choice, or the two sides of
    a value that is not an integer. Return () if the solution is integer and satisfies all choices.

    values: the rational solution.
    """
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


# ---- rows


class _TooLong(Exception):
    """The error that ends the simplex method when it exceeds the allowed work."""


class _Work:
    """The work that the proof for one system may still do, in computed tableau entries."""

    def __init__(self, left: int) -> None:
        self._left = left

    def spend(self, numbers: int) -> None:
        """Subtract a number of computed tableau entries from the budget.

        Errors: _TooLong if the budget is exhausted.
        """
        self._left -= numbers
        if self._left < 0:
            raise _TooLong


@dataclass(frozen=True, slots=True)
class _Sum:
    """A row of the tableau: ``divisor`` times a basic variable is a sum over nonbasic variables.

    terms: the coefficient of each nonbasic variable.  total: the value of the sum for the present
    values of the variables.
    """

    terms: Mapping[int, int]
    divisor: int
    total: int

    def reduced(self) -> _Sum:
        """Return the sum divided by its common factor, with a positive divisor."""
        common = gcd(self.divisor, *self.terms.values())
        if self.divisor < 0:
            common = -common
        if common == 1:
            return self
        terms = {number: factor // common for number, factor in self.terms.items()}
        return _Sum(terms, self.divisor // common, self.total // common)


class _Simplex:
    """A simplex tableau: each basic variable is a sum over nonbasic variables.

    The values of nonbasic variables are integers within their bounds.  Variables are numbered:
    first the variables of the system, then one per sum of several variables that has a bound.
    """

    def __init__(self, work: _Work, rows: Iterable[Index]) -> None:
        self._work = work
        self._keys: dict[Key, int] = {}
        self._bounded: dict[frozenset[tuple[int, int]], int] = {}
        self._bounds: list[tuple[int | None, int | None]] = []
        self._values: list[int] = []
        self._sums: dict[int, _Sum] = {}
        self._is_feasible = True
        for row in rows:
            self._add(row)

    def with_rows(self, rows: Iterable[Index]) -> _Simplex:
        """Return a copy of the tableau with more rows."""
        self._work.spend(len(self._values))
        made = _Simplex(self._work, ())
        made._keys, made._bounded = dict(self._keys), dict(self._bounded)
        made._bounds, made._values = list(self._bounds), list(self._values)
        made._sums, made._is_feasible = dict(self._sums), self._is_feasible
        for row in rows:
            made._add(row)
        return made

    def values(self) -> Mapping[Key, Fraction]:
        """Return the present values of the variables of the system."""
        return {
            key: Fraction(s.total, s.divisor)
            if (s := self._sums.get(number))
            else Fraction(self._values[number])
            for key, number in self._keys.items()
        }

    def _add(self, row: Index) -> None:
        """Add an inequality to the tableau, as a bound of the sum of its terms.

        The terms are divided by their common factor, and the bound is rounded to an integer. A
        variable of the tableau equals the sum; the bound becomes a bound of this variable.
        """
        common = gcd(*row.terms.values())
        if not common:
            self._is_feasible &= row.const >= 0
            return
        numbers = {self._number_of(key): c for key, c in row.terms.items()}
        factor = common if numbers[min(numbers)] > 0 else -common
        number = self._sum_of({k: c // factor for k, c in numbers.items()})
        low, high = self._bounds[number]
        if factor > 0:
            bound = -(row.const // factor)
            low = bound if low is None else max(low, bound)
        else:
            bound = row.const // -factor
            high = bound if high is None else min(high, bound)
        self._bounds[number] = low, high
        self._is_feasible &= low is None or high is None or low <= high
        if self._is_feasible and number not in self._sums:
            self._move(number, _clamped(self._values[number], low, high))

    def _number_of(self, key: Key) -> int:
        found = self._keys.get(key)
        if found is None:
            found = self._keys[key] = self._new()
        return found

    def _new(self) -> int:
        self._bounds.append((None, None))
        self._values.append(0)
        return len(self._values) - 1

    def _sum_of(self, terms: dict[int, int]) -> int:
        """Return the variable of the tableau that equals a sum of variables; add one if needed.

        terms: the coefficient of each variable in the sum.
        """
        if len(terms) == 1:
            return next(iter(terms))
        name = frozenset(terms.items())
        found = self._bounded.get(name)
        if found is None:
            found = self._bounded[name] = self._new()
            made = _Sum(terms, 1, sum(self._values[k] * c for k, c in terms.items()))
            for number in terms:
                if number in self._sums:
                    made = self._without(made, number, self._sums[number])
            self._sums[found] = made
        return found

    def _without(self, given: _Sum, number: int, other: _Sum) -> _Sum:
        """Return the sum ``given`` with its variable ``number`` replaced by the sum ``other``."""
        terms = {k: c * other.divisor for k, c in given.terms.items() if k != number}
        factor = given.terms[number]
        for k, c in other.terms.items():
            total = terms.get(k, 0) + factor * c
            if total:
                terms[k] = total
            else:
                terms.pop(k, None)
        self._work.spend(len(terms) + 1)
        total = (given.total - factor * self._values[number]) * other.divisor + factor * other.total
        return _Sum(terms, given.divisor * other.divisor, total).reduced()

    def _move(self, number: int, value: int) -> None:
        """Set the nonbasic variable ``number`` to another value, and update the basic variables."""
        change = value - self._values[number]
        self._values[number] = value
        for basic, each in self._sums.items() if change else ():
            if factor := each.terms.get(number):
                self._sums[basic] = replace(each, total=each.total + factor * change)

    def solve(self) -> bool:
        """Return whether the rows have a rational solution; if so, ``values`` returns one."""
        while self._is_feasible:
            broken = self._first_broken()
            if broken is None:
                return True
            basic, goal, grows = broken
            entering = self._entering(self._sums[basic], grows)
            if entering is None:
                return False
            self._pivot(basic, entering, goal)
        return False

    def _first_broken(self) -> tuple[int, int, bool] | None:
        """Return the first basic variable outside its bounds, the violated bound and its side.

        The side is True for the lower bound.  Return None if all variables are within their bounds.
        The search for a solution ends because the first such variable is always chosen (Bland's
        rule).
        """
        for basic in sorted(self._sums):
            each, (low, high) = self._sums[basic], self._bounds[basic]
            if low is not None and each.total < low * each.divisor:
                return basic, low, True
            if high is not None and each.total > high * each.divisor:
                return basic, high, False
        return None

    def _entering(self, row: _Sum, grows: bool) -> int | None:
        """Return the first nonbasic variable whose change moves a basic variable towards its bound.

        Return None if no nonbasic variable can move.

        row: the sum that equals the basic variable.  grows: whether the basic variable is too
        small, so that it must grow.
        """
        for number in sorted(row.terms):
            bound = self._bounds[number][(row.terms[number] > 0) == grows]
            if bound is None or bound != self._values[number]:
                return number
        return None

    def _pivot(self, basic: int, entering: int, goal: int) -> None:
        """Exchange a basic and a nonbasic variable; the basic variable is set to ``goal``.

        basic: the variable that becomes nonbasic. entering: the variable that becomes basic.
        """
        row = self._sums.pop(basic)
        factor = row.terms[entering]
        terms = {number: -c for number, c in row.terms.items() if number != entering}
        terms[basic] = row.divisor
        total = goal * row.divisor - row.total + factor * self._values[entering]
        solved = _Sum(terms, factor, total).reduced()
        for other, each in self._sums.items():
            if entering in each.terms:
                self._sums[other] = self._without(each, entering, solved)
        self._values[basic] = goal
        self._sums[entering] = solved


def _clamped(value: int, low: int | None, high: int | None) -> int:
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)
