"""Upper bounds of index expressions, by elimination of their keys one by one.

To bound an expression, its innermost key is replaced by bounds over other keys, so that terms of
the other keys can cancel:

    upper(8t + i), i in 0 .. min(8, 100 - 8t) - 1
        =  min(upper(8t + 7), upper(8t + 99 - 8t))  =  min(103, 99)  =  99

- ``e floordiv d`` lies between ``(e - d + 1) / d`` and ``e / d``; ``e mod d`` between 0 and d - 1.
- A fact ``f <= b`` bounds each expression that contains a multiple of f.
- Subclasses define the keys: their ranges, their bounds over other keys, and their order.

A rule is a generator: it yields the expressions whose bounds it needs, and returns its own bound.
One work list with a memo runs all rules, so the nesting depth of an expression is not limited by
the stack of Python.  A query for the bound of an expression may cause up to MOST_QUESTIONS other
queries; beyond that, the bound is the sum of the ranges of the terms.  A bound of INFINITY or more,
or close to it, means that no bound is known.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from math import gcd, inf
from typing import TypeAlias

from .affine import Atom, Index, Key, Range, atoms_inside_out, quotient_range

Uppers: TypeAlias = Generator[Index, int, list[int]]
"""A generator that yields expressions, receives their upper bounds, and returns upper bounds."""

Fact: TypeAlias = tuple[Index, int]
"""An expression, and an integer that is an upper bound of the expression."""

Rank: TypeAlias = tuple[int, int, str]

MOST_QUESTIONS = 1024
"""The largest number of further queries that a query for one bound may cause."""

_DEEPEST = 1 << 30
"""A number added to the rank of quotients of sizes, so that they are eliminated before sizes."""


class Bounds:
    """Bounds of expressions, with a cache of the bounds found so far.

    Subclasses define the variables: their ranges, their facts, and the order of their elimination.

    widest: the limit of index values. A quotient has no bound if its operand may reach this limit,
    because the operand may then wrap around.
    """

    widest: float = inf

    def __init__(self) -> None:
        self._uppers: dict[Index, int] = {}

    # ---- definitions of subclasses for their keys

    def range_of(self, key: Key) -> Range:
        """Return the range of a variable, which is an axis or an SSA value."""
        raise NotImplementedError

    def rank(self, key: Key) -> Rank:
        """Return the rank of a variable in the order of elimination, highest rank first."""
        raise NotImplementedError

    def is_size(self, key: Key) -> bool:
        """Return whether a key is a symbolic size."""
        raise NotImplementedError

    def uppers_of_key(self, key: Key, factor: int, rest: Index) -> Uppers:
        """Compute upper bounds of ``key * factor + rest`` by bounds of ``key``, as a rule.

        A rule is a generator: it yields the expressions whose upper bounds it needs, receives these
        numbers, and returns its own bounds.

        key: a variable.  factor: its coefficient.  rest: the other terms.
        """
        raise NotImplementedError

    def facts_of(self, _key: Key) -> Sequence[Fact]:
        """Return inequalities ``f <= b`` that bound a key, as pairs (f, b).

        The key must be the first of f's keys that is eliminated. By default there are none.
        """
        return ()

    def shared_upper(self, _index: Index) -> int | None:
        """Return an upper bound from a cache that several `Bounds` share; None if it is unknown.

        By default there is no such cache.
        """
        return None

    # ---- questions

    def range_of_index(self, index: Index) -> Range:
        """Return the smallest known range that contains all values of an expression."""
        return self.lower(index), self.upper(index)

    def lower(self, index: Index) -> int:
        """Return the largest known lower bound of an expression."""
        return -self.upper(-index)

    def upper(self, index: Index) -> int:
        """Return the smallest known upper bound of an expression."""
        # Expressions that differ by a constant, as in the rows of a register tile, share one bound.
        moving = Index(index.terms) if index.const else index
        found = self._known_upper(moving)
        return (self._find_upper(moving) if found is None else found) + index.const

    def _known_upper(self, index: Index) -> int | None:
        if not index.terms:
            return 0
        found = self._uppers.get(index)
        if found is None and (found := self.shared_upper(index)) is not None:
            self._uppers[index] = found
        return found

    def _find_upper(self, goal: Index) -> int:
        """Compute the upper bound of an expression: run its rule, a generator (`Uppers`).

        The rule may request bounds of other expressions, whose rules are run in turn, by a work
        list.
        """
        waiting = [(goal, self._upper_of(goal), 0)]
        asking, count, answer = {goal}, 0, None
        while True:
            question, rule, const = waiting[-1]
            try:
                asked = next(rule) if answer is None else rule.send(answer)
            except StopIteration as end:
                found: int = end.value
                if count < MOST_QUESTIONS or question == goal:
                    self._uppers[question] = found
                waiting.pop()
                if not waiting:
                    return found
                asking.discard(question)
                answer = found + const
                continue
            moving = Index(asked.terms) if asked.const else asked
            known = self._known_upper(moving)
            if known is None and (moving in asking or count >= MOST_QUESTIONS):
                known = moving.range(self.range_of)[1]
            if known is None:
                count += 1
                asking.add(moving)
                waiting.append((moving, self._upper_of(moving), asked.const))
                answer = None
            else:
                answer = known + asked.const

    # ---- rules

    def innermost(self, index: Index) -> Key:
        """Return the key of an expression that is eliminated first: the key of the highest rank."""
        terms = index.terms
        return max(terms, key=self._rank) if len(terms) > 1 else next(iter(terms))

    def _rank(self, key: Key) -> Rank:
        """Return the elimination rank of a key; an atom is eliminated before its operand's keys.

        Quotients of sizes are eliminated before all sizes, because sizes bound them.
        """
        if not isinstance(key, Atom):
            return self.rank(key)
        known: dict[Key, Rank] = {}
        for atom in atoms_inside_out(Index({key: 1})):
            inner = atom.operand.terms
            ranks = [known[k] if isinstance(k, Atom) else self.rank(k) for k in inner]
            nested = max(rank[1] for rank in ranks)
            of_sizes = any(map(self.is_size, inner))
            known[atom] = max(rank[0] for rank in ranks), 1 + nested + of_sizes * _DEEPEST, ""
        return known[key]

    def _upper_of(self, index: Index) -> Generator[Index, int, int]:
        """Compute the upper bound of an expression that has at least one term, as a rule.

        A rule is a generator: it yields the expressions whose upper bounds it needs, receives
        these, and returns its own bound.
        """
        index = index.merge_atoms().cancel_remainders(self.range_of)
        if not index.terms:
            return index.const
        common = gcd(*index.terms.values())
        if common > 1 and any(map(self.is_size, index.terms)):
            # 2 * s - 2 * floordiv(s + 1, 2) has twice the bound of s - floordiv(s + 1, 2).
            part = Index({key: factor // common for key, factor in index.terms.items()})
            return (yield part) * common + index.const
        key = self.innermost(index)
        factor, rest = index.terms[key], index.without(key)
        bounds = [index.range(self.range_of)[1]]
        for fact, bound in self.facts_of(key):
            times, remainder = divmod(factor, fact.terms[key])
            if times > 0 and not remainder:
                bounds.append((yield index - fact * times) + bound * times)
        if not isinstance(key, Atom):
            bounds += yield from self.uppers_of_key(key, factor, rest)
        elif key.kind == "floordiv":
            bounds += yield from self._uppers_of_quotient(key, factor, rest)
        else:
            bounds += yield from self._uppers_of_remainder(key, factor, rest)
        return min(bounds)

    def _uppers_of_quotient(self, atom: Atom, factor: int, rest: Index) -> Uppers:
        inner, divisor = atom.operand, atom.divisor
        low, high = -(yield -inner), (yield inner)
        if low < -self.widest or high >= self.widest:
            return []
        extreme = quotient_range((low, high), divisor)[factor > 0]
        exact = inner if factor > 0 else inner + (1 - divisor)
        _, scaled = quotient_range((0, (yield exact * factor + rest * divisor)), divisor)
        bounds = [(yield rest) + extreme * factor, scaled]
        if (unit := abs(factor)) > 1 and rest.terms:
            # 15 * m - 16 * floordiv(..) is 16 * (m - floordiv(..)) - m.
            whole = Index({key: -(-times // unit) for key, times in rest.terms.items()})
            quotient = yield Index({atom: factor // unit}) + whole
            bounds.append(quotient * unit + (yield rest - whole * unit))
        if any(map(self.is_size, inner.terms)):
            # floordiv(m + 127 * n, 128) is n + floordiv(m - n, 128), of a size m - n.
            near = _nearest_quotient(inner, divisor)
            if near.terms:
                left = inner - near * divisor
                part = Index(const=left.const // divisor * factor)
                if left.terms:
                    part = Index({Atom("floordiv", left, divisor): factor})
                bounds.append((yield rest + near * factor + part))
        return bounds

    def _uppers_of_remainder(self, atom: Atom, factor: int, rest: Index) -> Uppers:
        inner, divisor = atom.operand, atom.divisor
        low, high = -(yield -inner), (yield inner)
        if low < -self.widest or high >= self.widest:
            return []
        if low >= 0 and high < divisor:
            return [(yield rest + inner * factor)]
        if factor < 0:
            return [(yield rest)]
        bounds = [(yield rest) + (divisor - 1) * factor]
        return [*bounds, (yield rest + inner * factor)] if low >= 0 else bounds


def _nearest_quotient(index: Index, divisor: int) -> Index:
    """Return an expression with coefficients divided by ``divisor``, rounded to nearest.

    The constant and the terms that become 0 are dropped.
    """
    rounded = {key: (2 * c + divisor) // (2 * divisor) for key, c in index.terms.items()}
    return Index({key: c for key, c in rounded.items() if c})
