"""Sizes of tensors: integers and named symbols, in one canonical form.

A ``Dim`` is a polynomial with integer coefficients over atoms; an atom is a symbol or a
floordiv, mod, min or max of two polynomials. Construction makes it canonical, so *equal types have
equal sizes*: ``b * s`` and ``s * b`` are equal objects. A symbol is at least 1, except for four
kinds of symbols that are at least 0: symbols bound to run-time data, named ``u0``, …; computed
sizes, which have no upper bound before the main function runs, named ``v0``, …; iteration numbers
of loops, named ``i.0``, …; and sizes of a signature that may be 0, whose names end in ``_from_0``.

A type with a symbolic size lists all its sizes: a tensor type in its encoding, a buffer type in its
layout: ``tensor<?x64xf32, #te.dims<b * s, 64>>``, ``memref<?x64xf32, #te.dims<b * s, 64>>``.  A
type with static sizes has no such list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from math import gcd, prod
from operator import mul
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    MemRefLayoutAttr,
    MemRefType,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, Data, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from ..support.affine import INFINITY, Index, Key, Range, constant, variable
from ..support.affine import Atom as IndexAtom
from ..support.bounds import Bounds, Rank, Uppers
from ..support.diagnostics import TypeMismatch
from ..support.size_names import FROM_ZERO, depends_on_data, from_zero, is_computed, is_iteration
from .size_syntax import MOST_NESTED, SizeSyntax

Tensor: TypeAlias = TensorType[Attribute]


class Call(NamedTuple):
    """An atom that is not a symbol: ``function(lhs, rhs)``."""

    function: str
    lhs: Dim
    rhs: Dim

    def __str__(self) -> str:
        return f"{self.function}({self.lhs}, {self.rhs})"


Atom: TypeAlias = str | Call
Monomial: TypeAlias = tuple[Atom, ...]

FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
}
"""Semantics of the functions in size expressions; division rounds down."""

_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")

_Pure = TypeVar("_Pure", bound=Callable[..., object])


def _cached(function: _Pure) -> _Pure:
    # A model has few different sizes, so most calls repeat an earlier call. SIZE_CACHES lists all
    # functions with such a cache.
    return cast(_Pure, lru_cache(maxsize=1 << 14)(function))


@dataclass(frozen=True, slots=True)
class Dim:
    """A size: a polynomial over symbols; equal exactly when its canonical terms are equal."""

    terms: tuple[tuple[Monomial, int], ...]
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        # Cached, because terms may contain nested calls.
        found = self._hash
        if found is None:
            found = hash(self.terms)
            object.__setattr__(self, "_hash", found)
        return found

    @staticmethod
    def const(value: int) -> Dim:
        """Return the size of a constant."""
        return Dim((((), value),) if value else ())

    @staticmethod
    def sym(name: str) -> Dim:
        """Return a symbol as a size; its name must be an identifier."""
        if not _SYMBOL.fullmatch(name):
            raise TypeMismatch(
                "name of a size is not an identifier",
                expected="[A-Za-z_][A-Za-z0-9_$.]*",
                got=name,
                hint="rename the size",
            )
        return Dim((((name,), 1),))

    @staticmethod
    def of(value: Dim | int | str) -> Dim:
        """Convert an integer, an expression in source form, or a Dim to a size."""
        match value:
            case Dim():
                return value
            case str():
                return Dim.sym(value) if _SYMBOL.fullmatch(value) else Dim.parse(value)
            case _:
                return Dim.const(int(value))

    @staticmethod
    def parse(text: str) -> Dim:
        """Return the size that ``text`` expresses, e.g. ``b * s + floordiv(h, 2)``."""
        parser = Parser(Context(), f"<{text}>")
        with parser.in_angle_brackets():
            return parse_dim(parser)

    @property
    def value(self) -> int | None:
        """The integer value, or None if the size contains a symbol."""
        if not self.terms:
            return 0
        monomial, coefficient = self.terms[0]
        return coefficient if len(self.terms) == 1 and not monomial else None

    def exceeds(self, other: Dim) -> bool:
        """Return whether both sizes are constants and this size is larger."""
        return self.value is not None and other.value is not None and self.value > other.value

    @_cached
    def __add__(self, other: Dim | int) -> Dim:
        if not (other.terms if isinstance(other, Dim) else other):
            return self
        sums = dict(self.terms)
        for monomial, coefficient in Dim.of(other).terms:
            sums[monomial] = sums.get(monomial, 0) + coefficient
        return _canonical(sums)

    __radd__ = __add__

    def __neg__(self) -> Dim:
        return Dim(tuple((monomial, -coefficient) for monomial, coefficient in self.terms))

    @_cached
    def __sub__(self, other: Dim | int) -> Dim:
        return self + -Dim.of(other)

    def __rsub__(self, other: int) -> Dim:
        return Dim.of(other) - self

    @_cached
    def __mul__(self, other: Dim | int) -> Dim:
        number = other.value if isinstance(other, Dim) else int(other)
        if number:
            return Dim(tuple((monomial, c * number) for monomial, c in self.terms))
        sums: dict[Monomial, int] = {}
        factors = Dim.of(other).terms
        for left, c in self.terms:
            for right, d in factors:
                monomial = tuple(sorted(left + right, key=_text))
                sums[monomial] = sums.get(monomial, 0) + c * d
        return _canonical(sums)

    __rmul__ = __mul__

    @_cached
    def __floordiv__(self, other: Dim | int) -> Dim:
        divisor = Dim.of(other)
        if divisor.value is not None:
            return self._divided_by(divisor.value)
        quotient = self._exact_quotient(divisor)
        if quotient is None and self._is_below(divisor):
            return Dim(())
        if quotient is None and (-self - 1)._is_below(divisor):
            return Dim.const(-1)
        return _call("floordiv", self, divisor) if quotient is None else quotient

    @_cached
    def __mod__(self, other: Dim | int) -> Dim:
        divisor = Dim.of(other)
        if divisor.value is None:
            if self._exact_quotient(divisor) is not None:
                return Dim(())
            if self._is_below(divisor):
                return self
            if (-self - 1)._is_below(divisor):
                return self + divisor
            return _call("mod", self, divisor)
        return _remainder(self, divisor.value)

    def _is_below(self, divisor: Dim) -> bool:
        """Return whether this size is known to lie in ``0 .. divisor - 1``."""
        return self.is_at_least(0) and divisor.is_at_least(self + 1)

    @_cached
    def min(self, other: Dim | int) -> Dim:
        """Return the smaller size; a ``min`` atom if bounds do not decide which one is smaller."""
        return _extremum("min", self, Dim.of(other))

    @_cached
    def max(self, other: Dim | int) -> Dim:
        """Return the larger size; a ``max`` atom if bounds do not decide which one is larger."""
        return _extremum("max", self, Dim.of(other))

    def ceildiv(self, other: Dim | int) -> Dim:
        """Return the quotient by a positive size, rounded up."""
        return (self + other - 1) // other

    def quotient(self, divisor: Dim | int) -> Dim:
        """Return self // divisor with ``(x // a + c) // b`` written as ``(x + a * c) // (a * b)``.

        Type inference uses this form, so that result sizes that are computed in different ways are
        equal. Plans divide with ``//``, because they prove that tiles lie inside an axis from the
        size of the axis.
        """
        by, calls = Dim.of(divisor).value, [term for term in self.terms if term[0]]
        match calls:
            case [((Call("floordiv", lhs, rhs),), 1)] if by and by > 0 and (rhs.value or 0) > 0:
                shift = (self - Dim(tuple(calls))) * rhs
                return (lhs + shift).quotient(rhs * by)
            case _:
                return self // divisor

    def lower_bound(self) -> int | None:
        """Return a lower bound of this size, or None if no lower bound is known."""
        return _least(self)

    def range(self, most: int) -> tuple[int, int]:
        """Return bounds (low, high) of this size; an unknown bound is ``-most`` or ``most``."""
        low = _least(self)
        return -most if low is None else low, most

    def is_at_least(self, other: Dim | int) -> bool:
        """Return whether this size is known to be at least ``other`` for all symbol values."""
        gap = (self - other).lower_bound()
        return gap is not None and gap >= 0

    @_cached
    def depth(self) -> int:
        """Return the nesting depth of calls; 0 without calls."""
        calls = (a for monomial, _ in self.terms for a in monomial if isinstance(a, Call))
        return max((1 + max(c.lhs.depth(), c.rhs.depth()) for c in calls), default=0)

    @_cached
    def symbols(self) -> frozenset[str]:
        """Return the names of all symbols that occur."""
        names: set[str] = set()
        for monomial, _ in self.terms:
            for atom in monomial:
                names |= (
                    {atom} if isinstance(atom, str) else atom.lhs.symbols() | atom.rhs.symbols()
                )
        return frozenset(names)

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """Return the integer value of the size for these values of its symbols.

        Errors: KeyError that names a symbol without a value.
        """
        if (value := self.value) is not None:
            return value
        if missing := self.symbols() - sizes.keys():
            raise KeyError(min(missing))
        return sum(factor * prod(_number(a, sizes) for a in m) for m, factor in self.terms)

    def substitute(self, sizes: Mapping[str, Dim | int]) -> Dim:
        """Return the size with the symbols that ``sizes`` contains replaced by these sizes."""
        total = Dim(())
        for monomial, coefficient in self.terms:
            factors = (_substituted(atom, sizes) for atom in monomial)
            total = total + reduce(lambda a, b: a * b, factors, Dim.const(coefficient))
        return total

    @_cached
    def __str__(self) -> str:
        if not self.terms:
            return "0"
        text = ""
        for monomial, coefficient in self.terms:
            number = [str(abs(coefficient))] if abs(coefficient) != 1 or not monomial else []
            term = " * ".join([*number, *map(str, monomial)])
            if text:
                text += (" - " if coefficient < 0 else " + ") + term
            else:
                text = "-" + term if coefficient < 0 else term
        return text

    def split(self, divisor: int) -> tuple[Dim, Dim]:
        """Return (q, r) with self = divisor * q + r and all coefficients of r in 0..|divisor|-1."""
        _require_nonzero(divisor, self)
        quotient = _canonical({m: c // divisor for m, c in self.terms})
        return quotient, _canonical({m: c % divisor for m, c in self.terms})

    def _divided_by(self, divisor: int) -> Dim:
        quotient, rest = self.split(divisor)
        if rest.value is not None:
            return quotient + rest.value // divisor
        return quotient + _call("floordiv", rest, Dim.const(divisor))

    def _exact_quotient(self, divisor: Dim) -> Dim | None:
        """Return the polynomial q with self = divisor * q, by long division; None if there is none.

        Terms are sorted by degree and names. Multiplication preserves this order, so the first term
        of a product is the product of the first terms.
        """
        if not divisor.terms:
            return None
        rest, quotient = self, Dim(())
        while rest.terms:
            term = _quotient_of_terms(rest.terms[0], divisor.terms[0])
            if term is None:
                return None
            quotient, rest = quotient + term, rest - divisor * term
        return quotient


def _quotient_of_terms(term: tuple[Monomial, int], divisor: tuple[Monomial, int]) -> Dim | None:
    left = list(term[0])
    for factor in divisor[0]:
        if factor not in left:
            return None
        left.remove(factor)
    return None if term[1] % divisor[1] else Dim(((tuple(left), term[1] // divisor[1]),))


def _canonical(sums: Mapping[Monomial, int]) -> Dim:
    if len(sums) < 2:
        return Dim(tuple(term for term in sums.items() if term[1]))
    terms = [term for term in sums.items() if term[1]]
    return Dim(tuple(sorted(terms, key=lambda term: _order(term[0]))))


@_cached
def _order(monomial: Monomial) -> tuple[int, tuple[str, ...]]:
    """Return the sort key of a monomial: its degree, highest first, then the names of its atoms."""
    return -len(monomial), tuple(map(_text, monomial))


def _remainder(dim: Dim, divisor: int) -> Dim:
    """Return a size modulo ``divisor``; use a ``mod`` atom only if there is no simpler form.

    For example, the padding ``-n mod 8`` becomes ``8 * floordiv(n + 7, 8) - n``.
    """
    _, rest = dim.split(divisor)
    if rest.value is not None:
        return Dim.const(rest.value % divisor)
    if divisor > 1 and 2 * rest.terms[0][1] > divisor:
        _, missing = (-_without_remainders(rest, divisor)).split(divisor)
        return missing.ceildiv(divisor) * divisor - missing
    return _call("mod", rest, Dim.const(divisor))


def _without_remainders(dim: Dim, divisor: int) -> Dim:
    """Replace terms ``x mod m`` by ``x`` if the size modulo ``divisor`` stays the same."""
    calls = [(m[0], factor) for m, factor in dim.terms if len(m) == 1 and isinstance(m[0], Call)]
    for call, factor in calls:
        if call.function == "mod" and factor * (call.rhs.value or 1) % divisor == 0:
            dim = dim + (call.lhs - Dim((((call,), 1),))) * factor
    return dim


@_cached
def _text(atom: Atom) -> str:
    """Return the printed form of an atom; cached, because printing nested calls is slow."""
    return str(atom)


def _call(function: str, lhs: Dim, rhs: Dim) -> Dim:
    """Return a call; at most MOST_NESTED calls may nest, so recursion over sizes is bounded."""
    if max(lhs.depth(), rhs.depth()) >= MOST_NESTED:
        raise TypeMismatch(
            "a size is nested too deeply",
            expected=f"at most {MOST_NESTED} nested calls of {', '.join(FUNCTIONS)}",
            got=f"{function} of a size of {max(lhs.depth(), rhs.depth())} nested calls",
            hint="bind the sizes that it follows from to numbers",
        )
    return Dim((((Call(function, lhs, rhs),), 1),))


def _require_nonzero(divisor: int, dividend: Dim) -> None:
    if divisor == 0:
        raise TypeMismatch(
            "size divided by zero",
            expected="a divisor",
            got=f"{dividend} / 0",
            hint="use a divisor of 1 or more",
        )


@lru_cache(maxsize=1 << 14)
def size_index(dim: Dim) -> Index:
    """Return a size as an Index, whose variables are products of symbols.

    Quotients and remainders by constants become atoms of the Index.
    """
    total = Index()
    for monomial, coefficient in dim.terms:
        total = total + _product_index(monomial) * coefficient
    return total


def _product_index(monomial: Monomial) -> Index:
    if not monomial:
        return constant(1)
    match monomial:
        case (Call("floordiv" | "mod" as kind, lhs, rhs),) if (rhs.value or 0) > 0:
            inner = size_index(lhs)
            return Index({IndexAtom(kind, inner, rhs.value or 1): 1})
        case _:
            return variable(Dim(((monomial, 1),)))


class SizeBounds(Bounds):
    """Upper bounds of expressions over sizes, from the ranges of symbols and the operands of calls.

    most: the largest value of any size; INFINITY if it is unknown.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def range_of(self, key: Key) -> Range:
        """Return the range of a product of symbols and calls."""
        assert isinstance(key, Dim), f"no size: {key}"
        ((monomial, _),) = key.terms
        if len(monomial) == 1:
            low = _least_of_atom(monomial[0])
            return -self._most if low is None else low, self._most
        lows = [Dim((((atom,), 1),)).lower_bound() for atom in monomial]
        known = [low for low in lows if low is not None and low >= 0]
        return prod(known) if len(known) == len(lows) else -self._most, self._most

    def rank(self, key: Key) -> Rank:
        """Return the rank of a size: a proof eliminates the sizes with the deepest calls first.

        Sizes of equal depth are ordered by name, so that all expressions of a proof agree.
        """
        assert isinstance(key, Dim), f"no size: {key}"
        return -2, key.depth(), str(key)

    def is_size(self, key: Key) -> bool:
        """Return whether a key is a size, not an axis."""
        return isinstance(key, Dim)

    def uppers_of_key(self, key: Key, factor: int, rest: Index) -> Uppers:
        """Compute upper bounds of ``key * factor + rest``, from the range or operands of the key.

        A generator of the protocol `Uppers`.  key: a symbol, a product, or a call (``min(a, b)``).
        """
        assert isinstance(key, Dim), f"no size: {key}"
        ((monomial, _),) = key.terms
        bounds = [(yield rest) + self.range_of(key)[factor > 0] * factor]
        match monomial:
            case (Call("min" | "max" as function, lhs, rhs),):
                one = yield rest + size_index(lhs) * factor
                other = yield rest + size_index(rhs) * factor
                is_below_both = (function == "min") == (factor > 0)
                bounds.append(min(one, other) if is_below_both else max(one, other))
            case (Call(function, lhs, rhs),) if factor > 0 and rhs.is_at_least(1):
                if function == "mod":
                    bounds.append((yield rest + (size_index(rhs) - 1) * factor))
                if lhs.is_at_least(0):
                    bounds.append((yield rest + size_index(lhs) * factor))
            case _:
                bounds += yield from self._uppers_of_product(monomial, factor, rest)
        return bounds

    def _uppers_of_product(self, monomial: Monomial, factor: int, rest: Index) -> Uppers:
        """Return upper bounds of a product that contains a min or max with a constant operand.

        The constant replaces the extremum if ``rest`` contains the other factors: min(1, n) * m - m
        is at most 0 if m is not negative.
        """
        bounds: list[int] = []
        for number, atom in enumerate(monomial):
            match atom:
                case Call("min" | "max" as function, lhs, rhs) if (function == "min") == (
                    factor > 0
                ):
                    ends = [end for end in (lhs.value, rhs.value) if end is not None]
                case _:
                    continue
            others = Dim((((*monomial[:number], *monomial[number + 1 :]), 1),))
            left = size_index(others)
            if ends and left.terms.keys() & rest.terms.keys() and others.is_at_least(0):
                bounds.append((yield rest + left * (ends[0] * factor)))
        return bounds


@lru_cache(maxsize=1 << 16)
def _least(dim: Dim) -> int | None:
    """Return the best lower bound of a size, or None if no lower bound is known."""
    low = SizeBounds(INFINITY).lower(size_index(dim))
    return None if low <= -INFINITY // 2 else low


def _least_of_atom(atom: Atom) -> int | None:
    """Return a lower bound of a symbol, quotient or remainder; None for min and max."""
    if isinstance(atom, str):
        return least_of(atom)
    if atom.function in ("min", "max") or not atom.rhs.is_at_least(1):
        return None
    return 0 if atom.function == "mod" or atom.lhs.is_at_least(0) else None


def _substituted(atom: Atom, sizes: Mapping[str, Dim | int]) -> Dim:
    if isinstance(atom, str):
        return Dim.of(sizes[atom]) if atom in sizes else Dim.sym(atom)
    return _apply(atom.function, atom.lhs.substitute(sizes), atom.rhs.substitute(sizes))


def _number(atom: Atom, sizes: Mapping[str, int]) -> int:
    if isinstance(atom, str):
        return sizes[atom]
    lhs, rhs = atom.lhs.evaluate(sizes), atom.rhs.evaluate(sizes)
    if atom.function in ("floordiv", "mod"):
        _require_nonzero(rhs, atom.lhs)
    return FUNCTIONS[atom.function](lhs, rhs)


def _apply(function: str, lhs: Dim, rhs: Dim) -> Dim:
    match function:
        case "min":
            return lhs.min(rhs)
        case "max":
            return lhs.max(rhs)
        case "mod":
            return lhs % rhs
        case _:
            return lhs // rhs


def _extremum(function: str, a: Dim, b: Dim) -> Dim:
    for low, high in ((a, b), (b, a)):
        gap = (high - low).lower_bound()
        if gap is not None and gap >= 0:
            return low if function == "min" else high
    return _joined(function, a, b) or _call(function, *sorted((a, b), key=str))


def _joined(function: str, a: Dim, b: Dim) -> Dim | None:
    """Merge two extrema: ``max(max(n, 0) - 1, 0) = max(n - 1, 0)``; None if they do not merge."""
    for outer, other in ((a, b), (b, a)):
        calls = [(m, m[0]) for m, f in outer.terms if f == 1 == len(m) and isinstance(m[0], Call)]
        for monomial, call in ((m, call) for m, call in calls if call.function == function):
            rest = outer - Dim(((monomial, 1),))
            for side, dropped in ((call.lhs, call.rhs), (call.rhs, call.lhs)):
                if _extremum(function, dropped + rest, other) == other:
                    return _extremum(function, side + rest, other)
    return None


_SYNTAX = SizeSyntax(FUNCTIONS, Dim.const, Dim.sym, _apply)

parse_dim = _SYNTAX.parse
"""Parse a size; see size_syntax.py."""


Extent: TypeAlias = int | Dim
"""A number of iterations or elements: an integer, or a size with symbols."""


def extent_of(size: Dim | int) -> Extent:
    """Return the integer of a constant size, else the symbolic size."""
    return size if isinstance(size, int) or size.value is None else size.value


LIKELY_SIZE = 64
"""The value that cost estimates assume for each symbol."""


def likely(extent: Extent) -> int:
    """Return the value of an extent if each symbol is LIKELY_SIZE; for cost estimates only."""
    return extent if isinstance(extent, int) else _likely_value(extent)


@_cached
def _likely_value(dim: Dim) -> int:
    return dim.evaluate(dict.fromkeys(dim.symbols(), LIKELY_SIZE))


def multiple_of(extent: Extent) -> int:
    """Return a number that divides an extent for all values of its symbols."""
    return extent if isinstance(extent, int) else gcd(*(c for _, c in extent.terms))


@irdl_attr_definition
class DimsAttr(MemRefLayoutAttr, Data[tuple[Dim, ...]]):
    """List of sizes as expressions over symbols: ``#te.dims<b, s + 1, 64>``.

    As the layout of a buffer, it means that the elements are contiguous, in row-major order.
    """

    name = "te.dims"

    @staticmethod
    def of(dims: Iterable[Dim | int | str]) -> DimsAttr:
        """Return the attribute for a list of sizes."""
        return DimsAttr(tuple(Dim.of(dim) for dim in dims))

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Dim, ...]:
        return tuple(
            parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: parse_dim(parser))
        )

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{', '.join(map(str, self.data))}>")

    def get_affine_map(self) -> AffineMap:
        """Raise an error: affine maps have no products of sizes; see analysis/strides.py."""
        raise NotImplementedError("symbolic sizes have no affine layout map")


MOST = 1 << 40
"""Upper bound of every size; the code of the entry rejects larger sizes."""


def quotient_of(name: str, divisor: int) -> Dim:
    """Return a new symbol for size ``name`` divided by ``divisor``; there is no remainder."""
    base = name.removesuffix(FROM_ZERO)
    suffix = name.removeprefix(base)
    return Dim.sym(f"{base}_by_{divisor}{suffix}")


def from_one(size: Dim) -> tuple[str, Dim] | None:
    """Split a size symbol that may be 0: return its name, and a symbol for the values from 1 on.

    None unless the size is a single symbol whose name ends in ``_from_0``.
    """
    name = str(size)
    is_from_zero = name in size.symbols() and name.endswith(FROM_ZERO)
    return (name, Dim.sym(name.removesuffix(FROM_ZERO))) if is_from_zero else None


@_cached
def least_of(symbol: str) -> int:
    """Return the smallest value of a symbol, 0 or 1."""
    is_bound = depends_on_data(symbol) or is_computed(symbol) or is_iteration(symbol)
    return 0 if is_bound or symbol.endswith(FROM_ZERO) else 1


SIZES = "sizes"
"""The kernel attribute that lists its size parameters, in the order of a call."""


def symbol_of_count(name: str, sizes: Iterable[Dim]) -> str:
    """Return a name for a symbol that stands for the product of sizes.

    It is ``name``, with the suffix ``_from_0`` if the product may be 0.
    """
    return name if all(size.is_at_least(1) for size in sizes) else from_zero(name)


def size_parameters(kernel: Operation) -> tuple[str, ...]:
    """Return the names of the size parameters of a kernel, in the order of a call."""
    names = kernel.properties.get(SIZES) or kernel.attributes.get(SIZES)
    return () if names is None else tuple(n.data for n in cast("ArrayAttr[StringAttr]", names))


def type_of(value: SSAValue) -> Tensor:
    """Return the tensor type of a value.

    Errors: TypeMismatch if the value is not a tensor.
    """
    if not isinstance(value.type, TensorType):
        raise TypeMismatch(
            "value is not a tensor",
            expected="tensor<...>",
            got=value.type,
            hint="declare the value as a tensor",
        )
    return cast(Tensor, value.type)


def symbols_of(type_: Attribute) -> frozenset[str]:
    """Return the names of all symbols in the sizes of a type."""
    if not isinstance(type_, TensorType | MemRefType) or DYNAMIC_INDEX not in type_.get_shape():
        return frozenset()
    return frozenset(name for dim in dims_of(type_) for name in dim.symbols())


@lru_cache(maxsize=4096)
def dims_of(tensor: Tensor | MemRefType) -> tuple[Dim, ...]:
    """Return the sizes of a tensor or buffer type, both static and symbolic.

    Errors: TypeMismatch if a ``?`` has no ``#te.dims``, or if shape and ``#te.dims`` contradict.
    """
    shape = tensor.get_shape()
    named = tensor.encoding if isinstance(tensor, TensorType) else tensor.layout
    if not isinstance(named, DimsAttr):
        if DYNAMIC_INDEX in shape:
            raise TypeMismatch(
                "a size has no name",
                expected=f"{tensor} with #te.dims<...>",
                got=tensor,
                hint="name it with #te.dims",
            )
        return tuple(map(Dim.const, shape))
    dims = named.data
    if _static_shape(dims) != shape:
        raise TypeMismatch(
            "#te.dims contradicts the shape",
            expected=shape,
            got=named,
            hint="make the sizes of both equal, with ? for named sizes",
        )
    return dims


def _static_shape(dims: Sequence[Dim]) -> tuple[int, ...]:
    return tuple(DYNAMIC_INDEX if dim.value is None else dim.value for dim in dims)


def tensor_type(element_type: Attribute, dims: Iterable[Dim | int | str]) -> Tensor:
    """Return the tensor type of these sizes; it has no encoding if all are static."""
    sizes = tuple(Dim.of(dim) for dim in dims)
    for size in sizes:
        if size.value is not None and size.value < 0:
            raise TypeMismatch(
                "size is negative",
                expected="0 or more",
                got=size,
                hint="check the sizes and parameters that it follows from",
            )
    shape = _static_shape(sizes)
    if DYNAMIC_INDEX in shape:
        return TensorType(element_type, shape, DimsAttr(sizes))
    return TensorType(element_type, shape)


def memref_type(element_type: Attribute, dims: Iterable[Dim | int | str]) -> MemRefType:
    """Return the type of a row-major buffer; it has no layout if all sizes are static."""
    tensor = tensor_type(element_type, dims)
    layout = (tensor.encoding,) if isinstance(tensor.encoding, DimsAttr) else ()
    return MemRefType(element_type, tensor.get_shape(), *layout)


def static_shape(tensor: Tensor | MemRefType) -> tuple[int, ...]:
    """Return the sizes of a type as integers.

    Errors: TypeMismatch that names a symbolic size if there is one.
    """
    shape = tensor.get_shape()
    if DYNAMIC_INDEX not in shape:
        return shape
    unknown_dim = next(dim for dim in dims_of(tensor) if dim.value is None)
    raise TypeMismatch(
        "size is not bound to a number",
        expected="integers",
        got=f"{unknown_dim} in {tensor}",
        hint='give the sizes of the inputs, e.g. shapes={"input": (1, 3, 224, 224)}',
    )


def element_count(dims: Iterable[Dim]) -> Dim:
    """Return the product of the sizes."""
    return reduce(mul, dims, Dim.const(1))


def normalize_axis(axis: int, rank: int) -> int:
    """Return the axis counted from the front; negative axes count from the end.

    Errors: TypeMismatch if the axis is outside -rank..rank-1.
    """
    if not -rank <= axis < rank:
        raise TypeMismatch(
            "axis is outside the rank",
            expected=f"{-rank}..{rank - 1}",
            got=axis,
            hint="choose an axis of this range",
        )
    return axis % rank


SIZE_CACHES: tuple[Any, ...] = (
    *(Dim.__add__, Dim.__sub__, Dim.__mul__, Dim.__floordiv__, Dim.__mod__, Dim.min, Dim.max),
    *(Dim.depth, Dim.symbols, Dim.__str__),
    *(_order, _text, size_index, _least, _likely_value, least_of),
)
"""All cached functions of sizes."""
