"""Quasi-affine index expressions, simplified with the ranges of their variables.

An ``Index`` is a constant plus a sum of coefficient times key.  A key is an axis name (``str``),
an SSA value of index type, or an atom: floordiv or mod of an ``Index`` by a positive constant.
Ranges come from axis extents and from static loop bounds, so ``(16 * %j + n) floordiv 16`` with n
in 0..15 becomes ``%j``. Tiled and blocked accesses thus simplify to linear accesses.

Footprints, padding, bounds checks and layouts all use these functions.  Attributes contain xDSL's
AffineExpr, whose simplifier does not use ranges.

Atoms may nest to any depth, and may share subexpressions.  Each method visits an atom once, after
all atoms inside of it, by a work list and not by recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any, Literal, TypeAlias

from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

INFINITY = 1 << 60
"""The bound of a variable whose range is unknown."""

AtomKind: TypeAlias = Literal["floordiv", "mod"]


@dataclass(frozen=True, slots=True)
class Atom:
    """A quotient or remainder in an expression, in simplest form.

    It is ``operand floordiv divisor`` or ``operand mod divisor``, by ``kind``, with divisor > 0.

    depth: the nesting depth of atoms; 1 if the operand contains no atom.
    """

    kind: AtomKind
    operand: Index
    divisor: int
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", 1 + self.operand.depth)


MOST_NESTED = 32
"""The largest nesting depth of quotients and remainders in an index.

A deeper expression becomes an SSA value, because xDSL visits affine expressions by recursion.
"""

Key: TypeAlias = Hashable
Range: TypeAlias = tuple[int, int]
RangeOf: TypeAlias = Callable[[Key], Range]
"""A function that returns the smallest and largest value (inclusive) of an axis or SSA value."""

I32: Range = (-(1 << 31), (1 << 31) - 1)
"""The least and the largest signed integer of 32 bits."""


def fits_i32(range_: Range) -> bool:
    """Return whether a signed integer of 32 bits holds all values of a range."""
    return I32[0] <= range_[0] and range_[1] <= I32[1]


def unknown_range(_key: Key) -> Range:
    """Return the range of a variable of which no bounds are known: -INFINITY to INFINITY."""
    return -INFINITY, INFINITY


class Index:
    """An immutable quasi-affine expression: ``const + sum of coefficient * key``."""

    __slots__ = ("_hash", "const", "terms")

    def __init__(self, terms: Mapping[Key, int] | None = None, const: int = 0) -> None:
        self.terms: Mapping[Key, int] = terms if terms is not None else {}
        self.const = const
        self._hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.const, frozenset(self.terms.items())))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Index) and self.const == other.const and self.terms == other.terms

    def __add__(self, other: Index | int) -> Index:
        if isinstance(other, int):
            return Index(self.terms, self.const + other)
        if not other.terms:
            return Index(self.terms, self.const + other.const)
        if not self.terms:
            return Index(other.terms, self.const + other.const)
        terms = dict(self.terms)
        for key, coefficient in other.terms.items():
            total = terms.get(key, 0) + coefficient
            if total:
                terms[key] = total
            else:
                terms.pop(key, None)
        return Index(terms, self.const + other.const)

    def __mul__(self, factor: int) -> Index:
        if factor == 1:
            return self
        if factor == 0:
            return ZERO
        return Index({k: c * factor for k, c in self.terms.items()}, self.const * factor)

    def __neg__(self) -> Index:
        return Index({k: -c for k, c in self.terms.items()}, -self.const)

    def __sub__(self, other: Index | int) -> Index:
        if isinstance(other, int):
            return Index(self.terms, self.const - other)
        if not other.terms:
            return Index(self.terms, self.const - other.const)
        terms = dict(self.terms)
        for key, coefficient in other.terms.items():
            total = terms.get(key, 0) - coefficient
            if total:
                terms[key] = total
            else:
                terms.pop(key, None)
        return Index(terms, self.const - other.const)

    def __repr__(self) -> str:
        return self.show(str)

    @property
    def is_constant(self) -> bool:
        """Whether the expression has no variables."""
        return not self.terms

    @property
    def depth(self) -> int:
        """The greatest nesting depth of floordiv and mod in the expression."""
        return max((key.depth for key in self.terms if type(key) is Atom), default=0)

    def variable(self) -> Key | None:
        """Return the key if the expression is a single variable with coefficient 1, else None."""
        if self.const or len(self.terms) != 1:
            return None
        ((key, coefficient),) = self.terms.items()
        return key if coefficient == 1 and not isinstance(key, Atom) else None

    def variables(self) -> Iterator[Key]:
        """Yield every axis and SSA value in the expression, including those inside atoms."""
        return (key for key in self._keys() if type(key) is not Atom)

    def atoms(self) -> Iterator[Atom]:
        """Yield every floordiv and mod in the expression, including nested ones."""
        return (key for key in self._keys() if type(key) is Atom)

    def _keys(self) -> Iterator[Key]:
        """Yield all keys of the expression and of its atoms, outer atoms first.

        The operand of an atom that occurs twice is visited once.
        """
        entered: set[Atom] = set()
        waiting = [iter(self.terms)]
        while waiting:
            for key in waiting[-1]:
                yield key
                if type(key) is Atom and key not in entered:
                    if key.depth > 1:
                        entered.add(key)
                    waiting.append(iter(key.operand.terms))
                    break
            else:
                waiting.pop()

    def is_divided(self, key: Key) -> bool:
        """Return whether a floordiv or mod in the expression depends on an axis or SSA value."""
        atoms = [k for k in self.terms if type(k) is Atom]
        return bool(atoms) and any(key in atom.operand.variables() for atom in atoms)

    def coefficient(self, key: Key) -> int:
        """Return the coefficient of the top-level term of a key; 0 if there is none."""
        return self.terms.get(key, 0)

    def without(self, key: Key) -> Index:
        """Return the expression without the top-level term of a key."""
        return Index({k: c for k, c in self.terms.items() if k != key}, self.const)

    def divisor(self) -> int:
        """Return a number that divides all values of the expression; 0 if it is always 0."""
        divisors: dict[Atom, int] = {}
        for atom in atoms_inside_out(self):
            inner = atom.operand._divisor(divisors)
            divisors[atom] = gcd(atom.divisor, inner) if atom.kind == "mod" else 1
        return self._divisor(divisors)

    def _divisor(self, divisors: Mapping[Atom, int]) -> int:
        factors = (
            factor * divisors[key] if isinstance(key, Atom) else factor
            for key, factor in self.terms.items()
        )
        return gcd(self.const, *factors)

    def range(self, range_of: RangeOf) -> Range:
        """Return the smallest and the largest value that the expression can take.

        The result may be wider than the exact range.

        range_of: returns the range of an axis or SSA value.
        """
        low = high = self.const
        for key, coefficient in self.terms.items():
            a, b = key_range(key, range_of) if type(key) is Atom else range_of(key)
            if coefficient < 0:
                a, b = b, a
            low += a * coefficient
            high += b * coefficient
        return low, high

    def evaluate(self, value_of: Callable[[Any], Any]) -> Any:
        """Return the value of the expression for given values of its variables.

        value_of: returns the value of a variable: a number, an array or a size. The result has the
        same type.
        """
        total: Any = self.const
        for key, coefficient in self.terms.items():
            if isinstance(key, Atom):
                inner = key.operand.evaluate(value_of)
                value = inner // key.divisor if key.kind == "floordiv" else inner % key.divisor
            else:
                value = value_of(key)
            total = value * coefficient + total
        return total

    def substitute(self, values: Mapping[Any, Index], range_of: RangeOf) -> Index:
        """Return the expression with other expressions in place of some axes and SSA values.

        range_of: returns the range of an axis or SSA value, with which atoms are simplified.
        """
        rebuilt: dict[Atom, Index] = {}
        for atom in atoms_inside_out(self):
            inner = atom.operand._with(values, rebuilt)
            rebuilt[atom] = divide(atom.kind, inner, atom.divisor, range_of)
        return self._with(values, rebuilt)

    def _with(self, values: Mapping[Any, Index], rebuilt: Mapping[Atom, Index]) -> Index:
        """Return the expression with axes, SSA values and atoms replaced.

        values: the expressions that replace axes and SSA values; others stay.  rebuilt: the
        expression that replaces each atom.
        """
        terms: dict[Key, int] = {}
        const, changed, cancels = self.const, False, False
        for key, coefficient in self.terms.items():
            if type(key) is Atom:
                replaced = rebuilt[key]
            else:
                replaced = values.get(key)
                if replaced is None:
                    cancels |= key in terms
                    terms[key] = terms[key] + coefficient if key in terms else coefficient
                    continue
            changed = True
            const += replaced.const * coefficient
            for k, c in replaced.terms.items():
                if k in terms:
                    cancels = True
                    terms[k] += c * coefficient
                else:
                    terms[k] = c * coefficient
        if not changed:
            return self
        return Index({k: c for k, c in terms.items() if c} if cancels else terms, const)

    def simplify(self, range_of: RangeOf) -> Index:
        """Return the expression with simplified atoms.

        range_of: returns the range of an axis or SSA value.
        """
        for key in self.terms:
            if type(key) is Atom:
                return self.substitute({}, range_of)
        return self

    def merge_atoms(self) -> Index:
        """Return the expression with quotients and remainders of equal operands merged.

        Each sum ``c*k*(e floordiv k) + c*(e mod k)`` becomes ``c*e``. Such sums arise where the
        address of a split axis is computed from its two halves.
        """
        out, waiting = self, _remainders(self)
        while waiting:
            key = waiting.pop()
            coefficient = out.terms[key]
            for quotient in _quotients(key):
                if out.terms.get(quotient) == coefficient * key.divisor:
                    out = out.without(key).without(quotient) + key.operand * coefficient
                    waiting = _remainders(out)
                    break
        return out

    def cancel_remainders(self, range_of: RangeOf) -> Index:
        """Return the expression with certain differences of remainders simplified.

        ``c*(e mod a*b) - c*a*((e floordiv a) mod b)`` becomes ``c*(e mod a)``.

        range_of: returns the range of an axis or SSA value.
        """
        out, waiting = self, _remainders(self)
        if len(waiting) < 2:
            return self
        while waiting:
            key = waiting.pop()
            for part in _remainders(out):
                factor, rest = divmod(key.divisor, part.divisor)
                if rest or factor == 1 or out.terms[part] != -factor * out.terms[key]:
                    continue
                quotient = divide("floordiv", key.operand, factor, range_of)
                if divide("mod", quotient, part.divisor, range_of) == variable(part):
                    small = divide("mod", key.operand, factor, range_of) * out.terms[key]
                    out = out.without(key).without(part) + small
                    waiting = _remainders(out)
                    break
        return out

    def show(self, name: Callable[[Key], str]) -> str:
        """Return the printed form.

        name: returns the printed form of an axis or SSA value.
        """
        texts: dict[Key, str] = {}
        for atom in atoms_inside_out(self):
            texts[atom] = _show_atom(atom, atom.operand._text(texts, name))
        return self._text(texts, name)

    def _text(self, texts: Mapping[Key, str], name: Callable[[Key], str]) -> str:
        """Return the printed form; ``texts`` contains printed atoms, ``name`` prints other keys."""
        parts: list[str] = []
        for key, coefficient in self.terms.items():
            text = texts[key] if isinstance(key, Atom) else name(key)
            if coefficient != 1 and isinstance(key, Atom):
                text = f"({text})"
            parts.append(text if coefficient == 1 else f"{text} * {coefficient}")
        if self.const or not parts:
            parts.append(str(self.const))
        return " + ".join(parts).replace("+ -", "- ")


class Ordered:
    """An expression as a key of a cache, equal only to expressions with the same order of terms.

    Two equal Indexes may have their terms in different orders. The order decides which of two
    similar quotients is eliminated first, so a result for one order is not reused for another.
    """

    def __init__(self, index: Index) -> None:
        self.index, self._key = index, _ordered(index)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ordered) and self._key == other._key


def _ordered(index: Index) -> tuple[object, ...]:
    """Return a tuple that is equal for two expressions with the same terms in the same order.

    The tuple contains the kind, the terms and the divisor of each atom, inner atoms before outer
    atoms, and then the terms of the expression.  In all terms, the position of an atom in this
    tuple replaces the atom.
    """
    numbers: dict[Key, object] = {}
    parts: list[object] = []
    for atom in atoms_inside_out(index):
        parts.append((atom.kind, _ordered_terms(atom.operand, numbers), atom.divisor))
        numbers[atom] = (len(numbers),)
    return *parts, _ordered_terms(index, numbers)


def _ordered_terms(index: Index, numbers: Mapping[Key, object]) -> object:
    return index.const, *((numbers.get(key, key), c) for key, c in index.terms.items())


ZERO = Index()


def variable(key: Key) -> Index:
    """Return the expression that consists of a single axis or SSA value."""
    return Index({key: 1})


def constant(value: int) -> Index:
    """Return a constant expression."""
    return Index(None, value)


def atoms_inside_out(index: Index) -> Sequence[Atom]:
    """Return every floordiv and mod once, each after the atoms in its operand."""
    waiting = [key for key in index.terms if type(key) is Atom]
    if not waiting or all(key.depth == 1 for key in waiting):
        return waiting
    found: dict[Atom, None] = {}
    while waiting:
        atom = waiting[-1]
        terms = atom.operand.terms if atom.depth > 1 and atom not in found else ()
        inner = [key for key in terms if type(key) is Atom and key not in found]
        if inner:
            waiting += inner
        else:
            found[waiting.pop()] = None
    return list(found)


def _show_atom(atom: Atom, text: str) -> str:
    if atom.operand.variable() is None:
        text = f"({text})"
    return f"{text} {atom.kind} {atom.divisor}"


_FEW_LEVELS = 3
"""At greater nesting depths, the range of each atom is cached instead of computed at each use."""


def key_range(key: Key, range_of: RangeOf) -> Range:
    """Return the smallest and largest value of an axis, SSA value or atom.

    range_of: returns the range of an axis or SSA value.
    """
    if not isinstance(key, Atom):
        return range_of(key)
    if key.depth <= _FEW_LEVELS:
        return _atom_range(key, key.operand.range(range_of))
    known: dict[Key, Range] = {}

    def of(inner: Key) -> Range:
        return range_of(inner) if inner not in known else known[inner]

    for atom in atoms_inside_out(variable(key)):
        known[atom] = _atom_range(atom, _sum_range(atom.operand, of))
    return known[key]


def _sum_range(index: Index, range_of: RangeOf) -> Range:
    low = high = index.const
    for key, coefficient in index.terms.items():
        ends = [end * coefficient for end in range_of(key)]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _atom_range(atom: Atom, dividend: Range) -> Range:
    low, high = dividend
    if atom.kind == "floordiv":
        return quotient_range((low, high), atom.divisor)
    return (low, high) if low >= 0 and high < atom.divisor else (0, atom.divisor - 1)


def quotient_range(dividend: Range, divisor: int) -> Range:
    """Return the range of ``dividend floordiv divisor``; an infinite bound stays infinite.

    dividend: the range of the dividend.
    """
    low, high = dividend
    return (
        low if low <= -INFINITY // 2 else low // divisor,
        high if high >= INFINITY // 2 else high // divisor,
    )


def _remainders(index: Index) -> list[Atom]:
    return [k for k in index.terms if isinstance(k, Atom) and k.kind == "mod"]


def _quotients(rest: Atom) -> Iterator[Atom]:
    """Yield floordiv atoms; `Index.merge_atoms` can combine each with the mod atom ``rest``."""
    outer, divisor = rest.operand, rest.divisor
    yield Atom("floordiv", outer, divisor)
    if not outer.const and len(outer.terms) == 1:
        ((key, coefficient),) = outer.terms.items()
        if isinstance(key, Atom) and key.kind == "floordiv" and coefficient == 1:
            yield Atom("floordiv", key.operand, key.divisor * divisor)


def divide(kind: AtomKind, dividend: Index, divisor: int, range_of: RangeOf) -> Index:
    """Return ``dividend floordiv divisor`` or ``dividend mod divisor``, simplified.

    Terms that the divisor divides move out of the atom. If the range of the other terms lies within
    one block of the divisor, no atom is needed. Common factors of these terms and the divisor
    cancel if the terms without the factor are small enough.
    kind: which of the two to compute.  range_of: returns the range of an axis or SSA value.
    """
    quotient: dict[Key, int] = {}
    rest: dict[Key, int] = {}
    for key, coefficient in dividend.terms.items():
        q, r = divmod(coefficient, divisor)
        if r == 0:
            quotient[key] = q
        else:
            rest[key] = coefficient
    q_const, r_const = divmod(dividend.const, divisor)
    whole, part = Index(quotient, q_const), Index(rest, r_const)
    low, high = part.range(range_of)
    if low // divisor == high // divisor:
        shift = low // divisor
        return whole + shift if kind == "floordiv" else part - shift * divisor
    reduced = _cancel_common_factor(kind, whole, part, divisor, range_of)
    if reduced is None:
        reduced = _divide_remainder(kind, whole, part, divisor, range_of)
    if reduced is not None:
        return reduced
    atom = Index({Atom(kind, part, divisor): 1})
    return whole + atom if kind == "floordiv" else atom


def _divide_remainder(
    kind: AtomKind, whole: Index, part: Index, divisor: int, range_of: RangeOf
) -> Index | None:
    """Simplify (e mod ab) mod b to e mod b, and (e mod ab) floordiv b to (e floordiv b) mod a.

    Return None if ``part`` is not a remainder of this form.  Nested quotients are not simplified:
    splitting an axis divides one operand twice, and both results must have the same form for
    ``merge_atoms`` to match them.

    kind: mod or floordiv.  whole: the quotient of those terms of the dividend that are multiples of
    the divisor.  part: the other terms of the dividend.  range_of: returns the range of an axis or
    SSA value.
    """
    if part.const or len(part.terms) != 1:
        return None
    ((atom, coefficient),) = part.terms.items()
    if not isinstance(atom, Atom) or coefficient != 1 or atom.kind == "floordiv":
        return None
    if atom.divisor % divisor:
        return None
    inner = divide(kind, atom.operand, divisor, range_of)
    if kind == "mod":
        return inner
    return whole + divide("mod", inner, atom.divisor // divisor, range_of)


def _cancel_common_factor(
    kind: AtomKind, whole: Index, part: Index, divisor: int, range_of: RangeOf
) -> Index | None:
    """Simplify a quotient or remainder by a common factor of the divisor and of the large terms.

    Return None if no factor cancels. The other terms must be too small to change the result. With l
    in 0..7, (8*i + l) floordiv 16 is i floordiv 2; mod 16, it is (i mod 2) * 8 + l.

    kind: mod or floordiv.  whole: the quotient of those terms of the dividend that are multiples of
    the divisor. part: the other terms of the dividend.  range_of: returns the range of an axis or
    SSA value.
    """
    factors = {gcd(abs(c), divisor) for c in part.terms.values()} - {1}
    for factor in sorted(factors, reverse=True):
        big = {k: c // factor for k, c in part.terms.items() if c % factor == 0}
        big_const, small_const = divmod(part.const, factor)
        small = Index({k: c for k, c in part.terms.items() if c % factor}, small_const)
        low, high = small.range(range_of)
        if not (big and low >= 0 and high < factor < divisor):
            continue
        inner = divide(kind, Index(big, big_const), divisor // factor, range_of)
        return whole + inner if kind == "floordiv" else inner * factor + small
    return None


_KINDS: dict[AtomKind, AffineBinaryOpKind] = {
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "mod": AffineBinaryOpKind.Mod,
}


def to_affine_expr(index: Index, position: Callable[[Key], AffineExpr]) -> AffineExpr:
    """Convert an index to an affine expression of xDSL.

    position: returns the dimension or symbol that stands for an axis or SSA value.
    """
    made: dict[Key, AffineExpr] = {}
    for atom in atoms_inside_out(index):
        inner = _affine_sum(atom.operand, made, position)
        made[atom] = AffineBinaryOpExpr(_KINDS[atom.kind], inner, AffineConstantExpr(atom.divisor))
    return _affine_sum(index, made, position)


def _affine_sum(
    index: Index, made: Mapping[Key, AffineExpr], position: Callable[[Key], AffineExpr]
) -> AffineExpr:
    """Return the xDSL expression of an index whose atoms are converted already.

    made: the expression of each atom.  position: returns the dimension or symbol that stands for an
    axis or SSA value.
    """
    out: AffineExpr | None = None
    for key, coefficient in index.terms.items():
        term = made[key] if isinstance(key, Atom) else position(key)
        if coefficient != 1:
            term = AffineBinaryOpExpr(AffineBinaryOpKind.Mul, term, AffineConstantExpr(coefficient))
        out = term if out is None else AffineBinaryOpExpr(AffineBinaryOpKind.Add, out, term)
    if out is None:
        return AffineConstantExpr(index.const)
    if not index.const:
        return out
    return AffineBinaryOpExpr(AffineBinaryOpKind.Add, out, AffineConstantExpr(index.const))


def from_affine_expr(
    expr: AffineExpr, dims: Sequence[Key], symbols: Sequence[SSAValue], range_of: RangeOf
) -> Index:
    """Convert an affine expression of xDSL to an index.

    dims, symbols: the keys that replace the dimensions and symbols of the expression.
    range_of: returns the range of a key, with which atoms are simplified.
    Cost: about 1 us per term.
    """
    if type(expr) is AffineDimExpr:
        return Index({dims[expr.position]: 1})
    terms: dict[Key, int] = {}
    const = _accumulate(expr, 1, terms, dims, symbols, range_of)
    if 0 in terms.values():
        terms = {k: c for k, c in terms.items() if c}
    return Index(terms, const)


def _accumulate(
    expr: AffineExpr,
    factor: int,
    terms: dict[Key, int],
    dims: Sequence[Key],
    symbols: Sequence[SSAValue],
    range_of: RangeOf,
) -> int:
    """Convert ``factor * expr`` to terms of an Index.

    Add the terms to ``terms``, and return the constant.

    dims, symbols: the keys that replace the dimensions and symbols of ``expr``.  range_of: returns
    the range of a key, with which atoms are simplified.
    """
    # Compare exact types: isinstance takes five times as long because these classes are abstract.
    if type(expr) is AffineDimExpr or type(expr) is AffineSymExpr:
        key = (dims if type(expr) is AffineDimExpr else symbols)[expr.position]
        terms[key] = terms.get(key, 0) + factor
        return 0
    if type(expr) is AffineConstantExpr:
        return expr.value * factor
    assert type(expr) is AffineBinaryOpExpr, f"unknown affine expression {expr}"
    if expr.kind is AffineBinaryOpKind.Add:
        low = _accumulate(expr.lhs, factor, terms, dims, symbols, range_of)
        return low + _accumulate(expr.rhs, factor, terms, dims, symbols, range_of)
    if expr.kind is AffineBinaryOpKind.Mul and type(expr.rhs) is AffineConstantExpr:
        return _accumulate(expr.lhs, factor * expr.rhs.value, terms, dims, symbols, range_of)
    lhs = from_affine_expr(expr.lhs, dims, symbols, range_of)
    rhs = from_affine_expr(expr.rhs, dims, symbols, range_of)
    index = _binary(expr.kind, lhs, rhs, range_of)
    for key, coefficient in index.terms.items():
        terms[key] = terms.get(key, 0) + coefficient * factor
    return index.const * factor


def _binary(kind: AffineBinaryOpKind, lhs: Index, rhs: Index, range_of: RangeOf) -> Index:
    if kind is AffineBinaryOpKind.Mul:
        return rhs * lhs.const if lhs.is_constant else lhs * rhs.const
    if kind is AffineBinaryOpKind.FloorDiv:
        return divide("floordiv", lhs, rhs.const, range_of)
    if kind is AffineBinaryOpKind.Mod:
        return divide("mod", lhs, rhs.const, range_of)
    return -divide("floordiv", -lhs, rhs.const, range_of)
