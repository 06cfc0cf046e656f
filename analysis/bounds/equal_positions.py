"""Consequences of equal positions: two accesses to one element, in two iterations of a loop.

In: the positions ``a`` and ``b`` of two accesses, one expression per dimension.  A variable that
*moves* may have a different value in each access (the variable of the loop, axes, variables of
inner loops); any other variable has one value in both.  Out: whether equal positions prove that
both accesses are made in one iteration.

The proof starts from the facts ``a == b``, one per dimension, and derives more facts, which may be
equalities modulo a number:

- A difference whose range contains no multiple of the modulus is never zero: no element is shared.
- Let ``k`` of one access and ``l`` of the other have the same factor ``s``, so that a fact reads
  ``s * (k - l) + small + large == 0``: ``small`` sums the terms with factors below s, ``large`` the
  others.  Then ``k == l`` if ``|small|`` is less than ``s``, and ``|s * (k - l) + small|`` is less
  than the common divisor of the factors in ``large``.
- Equal variables cancel in the other facts.
- Equal quotients and remainders are digits of their dividends, which are then equal modulo the
  product of the digits: ``p`` follows from ``p floordiv 14`` and ``p mod 14``.

The range of a variable covers all iterations of its loop, including those of outer loops, whose
variables are equal in both accesses but unknown.  A quotient moves if any variable in it moves.
Cost: each fact is used once per new equality; facts are parts of the given expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd

from ...support.affine import Atom, Index, Key, Range, RangeOf, key_range


@dataclass(frozen=True)
class Side:
    """The position of one of the two compared accesses, with facts about its variables.

    indices: an index expression for each dimension.
    range_of: a function that returns the range of a variable.  moves: a function that returns
    whether a variable may have different values in the two accesses.
    """

    indices: Sequence[Index]
    range_of: RangeOf
    moves: Callable[[Key], bool]

    def is_moving(self, key: Key) -> bool:
        """Return whether a variable or division may have different values in the two accesses."""
        return any(map(self.moves, key.operand.variables() if isinstance(key, Atom) else (key,)))


@dataclass(frozen=True)
class Loop:
    """The loop whose iterations make the accesses.

    reach: the number of iterations minus 1, which is the largest distance between two iterations.
    """

    variable: Key
    reach: int


def prove_one_iteration(loop: Loop, one: Side, other: Side) -> bool:
    """Return whether two accesses provably touch no common element in different iterations.

    In other words: wherever their positions are equal, one iteration of the loop makes both
    accesses.
    loop: the loop.  one, other: the accesses. False means that there is no proof.
    """
    return _EqualityProof(loop, one, other).run()


@dataclass(frozen=True)
class _Fact:
    """An equality derived from equal positions: ``one`` equals ``other`` modulo ``modulus``.

    A modulus of 0 means exact equality.
    """

    one: Index
    other: Index
    modulus: int


class _EqualityProof:
    """A proof under construction: the equalities derived so far.

    _facts: equalities of expressions.  _equal: pairs of a variable or division of the first access
    and one of the second that have equal values.
    """

    def __init__(self, loop: Loop, one: Side, other: Side) -> None:
        self._loop, self._one, self._other = loop, one, other
        pairs = zip(one.indices, other.indices, strict=True)
        self._facts = dict.fromkeys(_Fact(a, b, 0) for a, b in pairs)
        self._equal: dict[tuple[Key, Key], None] = {}

    def run(self) -> bool:
        """Derive equalities; return whether they prove that one iteration makes both accesses.

        The derivation ends with the proof, or when no new equality follows.
        """
        known = -1
        while known < (known := len(self._facts) + len(self._equal)):
            for fact in tuple(self._facts):
                terms = _Terms.of(fact, self._one, self._other, self._equal)
                if terms.is_never_zero():
                    return True
                self._equal |= dict.fromkeys(self._decided(terms))
            own = self._loop.variable
            if (own, own) in self._equal:
                return True
            self._facts |= dict.fromkeys(self._wholes())
        return False

    def _decided(self, terms: _Terms) -> Iterator[tuple[Key, Key]]:
        """Yield the pairs of variables or divisions that must be equal if an equality holds.

        A pair has one variable or division of each access.
        """
        for key, factor in terms.one.items():
            for twin, other in terms.other.items():
                is_known = (key, twin) in self._equal
                may_be = factor == other and _are_alike(key, twin) and not is_known
                if may_be and terms.decides(key, twin, self._reach(key, twin)):
                    yield key, twin

    def _reach(self, key: Key, twin: Key) -> int:
        """Return the largest difference between the values of two variables or divisions.

        key, twin: a variable or division of the first access, and one of the second.
        """
        low, high = key_range(key, self._one.range_of)
        least, most = key_range(twin, self._other.range_of)
        reach = max(high - least, most - low)
        return min(reach, self._loop.reach) if key == twin == self._loop.variable else reach

    def _wholes(self) -> Iterator[_Fact]:
        """Yield equalities of dividends that follow from equal quotients and remainders."""
        digits: dict[tuple[Index, Index], list[tuple[int, int]]] = {}
        for key, twin in self._equal:
            if isinstance(key, Atom) and isinstance(twin, Atom):
                mine, theirs = _Digits.of(key), _Digits.of(twin)
                if (mine.low, mine.high) == (theirs.low, theirs.high):
                    whole = mine.whole, theirs.whole
                    digits.setdefault(whole, []).append((mine.low, mine.high))
        for (one, other), parts in digits.items():
            modulus = 1
            for low, high in sorted(parts):
                if modulus and modulus % low == 0:
                    modulus = 0 if not high else max(modulus, high)
            if modulus != 1:
                yield _Fact(one, other, modulus)


@dataclass(frozen=True)
class _Terms:
    """The difference between the two sides of an equality, as a constant plus a sum of terms.

    const: the constant.  modulus: the equality holds modulo this number; 0 means exact equality.
    one, other: for each access, its terms whose values may differ from those of the other access,
    as a map from variable or division to factor.
    ranges: for each term of the difference that has more than one value, its factor and the range
    of its variable or division. The first part of the key is the number of the access, 0 or 1, for
    a term of ``one`` or ``other``, and 2 for a term that has the same value in both accesses but
    does not cancel.
    """

    const: int
    modulus: int
    one: dict[Key, int]
    other: dict[Key, int]
    ranges: dict[tuple[int, Key], tuple[int, Range]]

    @staticmethod
    def of(fact: _Fact, one: Side, other: Side, equal: dict[tuple[Key, Key], None]) -> _Terms:
        """Return the difference between the two sides of ``fact``, without terms known to cancel.

        one, other: the two accesses. equal: the pairs of terms that are known to be equal.
        """
        mine = {k: c for k, c in fact.one.terms.items() if one.is_moving(k)}
        theirs = {k: c for k, c in fact.other.terms.items() if other.is_moving(k)}
        for key, twin in equal:
            if key in mine and mine[key] == theirs.get(twin):
                del mine[key], theirs[twin]
        left = Index({k: c for k, c in fact.one.terms.items() if not one.is_moving(k)})
        right = Index({k: c for k, c in fact.other.terms.items() if not other.is_moving(k)})
        const, ranges = fact.one.const - fact.other.const, {}
        for side, terms, sign, range_of in (
            (0, mine, 1, one.range_of),
            (1, theirs, -1, other.range_of),
            (2, (left - right).terms, 1, one.range_of),
        ):
            for key, factor in terms.items():
                low, high = key_range(key, range_of)
                if low == high:
                    const += sign * factor * low
                else:
                    ranges[side, key] = sign * factor, (low, high)
        return _Terms(const, fact.modulus, mine, theirs, ranges)

    def is_never_zero(self) -> bool:
        """Return whether the difference is nonzero for all values of the variables."""
        low, high = _sum(self.const, self.ranges.values())
        common = gcd(self.modulus, *(factor for factor, _ in self.ranges.values()))
        if common and self.const % common:
            return True
        if not self.modulus:
            return low > 0 or high < 0
        return -(-low // self.modulus) > high // self.modulus

    def decides(self, key: Key, twin: Key, reach: int) -> bool:
        """Return whether the difference is zero only if ``key`` and ``twin`` are equal.

        key, twin: moving variables or divisions of the two accesses, with equal factors.  reach:
        the largest distance between their values.
        """
        stride = abs(self.one[key])
        const, both = self.const, ((0, key), (1, twin))
        if not all(place in self.ranges for place in both):
            return False  # a key with a single value has become part of the constant
        rest = [term for place, term in self.ranges.items() if place not in both]
        small = [(factor, range_) for factor, range_ in rest if abs(factor) < stride]
        step = gcd(self.modulus, *(factor for factor, _ in rest if abs(factor) >= stride))
        if step:
            const = (const + step // 2) % step - step // 2
        distance = max(map(abs, _sum(const, small)))
        return distance < stride and (not step or distance + stride * reach < step)


def _sum(const: int, terms: Iterable[tuple[int, Range]]) -> Range:
    low = high = const
    for factor, (first, last) in terms:
        ends = factor * first, factor * last
        low, high = low + min(ends), high + max(ends)
    return low, high


def _are_alike(key: Key, twin: Key) -> bool:
    """Return whether two keys are both variables, or both divisions of one kind by one divisor."""
    if isinstance(key, Atom) and isinstance(twin, Atom):
        return (key.kind, key.divisor) == (twin.kind, twin.divisor)
    return not isinstance(key, Atom) and not isinstance(twin, Atom)


@dataclass(frozen=True)
class _Digits:
    """A digit of a number: ``(whole mod high) floordiv low``, or without the mod if high is 0.

    low divides high.
    """

    whole: Index
    low: int
    high: int

    @staticmethod
    def of(atom: Atom) -> _Digits:
        """Combine nested quotients and remainders into one digit of the innermost dividend.

        If only the outer divisions combine, ``whole`` is the first inner division that does not.
        """
        chain = [atom]
        while (inner := _only_atom(chain[-1].operand)) is not None:
            chain.append(inner)
        found = _Digits(chain[-1].operand, 1, 0)
        for part in reversed(chain):
            if found.high % (found.low * part.divisor):
                found = _Digits(part.operand, 1, 0)  # the divisions are not those of one number
            low = found.low * part.divisor
            if part.kind == "floordiv":
                found = _Digits(found.whole, low, found.high)
            else:
                found = _Digits(found.whole, found.low, low)
        return found


def _only_atom(index: Index) -> Atom | None:
    """Return the quotient or remainder of which an expression consists, or None for any other."""
    if index.const or len(index.terms) != 1:
        return None
    ((key, factor),) = index.terms.items()
    return key if isinstance(key, Atom) and factor == 1 else None
