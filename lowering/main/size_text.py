"""Print the values of dimension expressions, by the arithmetic of a language (`Integers`).

    4 * b * s + 1   =>   %t1 = mul nsw i64 %b, %s     %t2 = mul nsw i64 %t1, 4
                         %t3 = add nsw i64 %t2, 1     in LLVM IR

In: dimension expressions, and the printed values of their symbols.  Out: printed values.  Each sum,
product, minimum, maximum, quotient and remainder is printed once per `SizeText`. Constant factors
come last, so that the strides of one buffer share the product of its sizes.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from ...dialects.shape import Call, Dim, Extent, Monomial, extent_of
from .printer import FALSE, Integers

LARGEST = (1 << 63) - 1
"""The largest integer of 64 bits."""

MOST = 1 << 50
"""The largest size of a buffer: no process has more bytes, and the sum of thousands of such sizes
fits in 64 bits."""

Operation: TypeAlias = Literal["add", "mul", "checked mul"]
"""An operation on two sizes; a checked product sets the overflow flag."""


class SizeText:
    """The printed values of size expressions in one function.

    Each operation is printed once, at the first use of its value.
    integers: prints arithmetic in this function.
    times: the operation that multiplies sizes.
    """

    times: Operation = "mul"
    """The operation that multiplies sizes."""

    def __init__(self, integers: Integers) -> None:
        self.integers = integers
        self.values: dict[Dim, str] = {}
        self._calls: dict[Call, str] = {}
        self._binaries: dict[tuple[Operation, str, str], str] = {}

    def value(self, extent: Extent) -> str:
        """Return the printed value of a size expression; print its computation at the first use."""
        if isinstance(extent, int):
            return str(extent)
        found = self.values.get(extent)
        if found is None:
            found = self.values[extent] = self._sum(extent)
        return found

    def _sum(self, dim: Dim) -> str:
        out = ""
        for monomial, coefficient in dim.terms:
            term = self._term(monomial, coefficient)
            out = self.once("add", out, term) if out else term
        return out or "0"

    def _term(self, monomial: Monomial, coefficient: int) -> str:
        out = self._product(monomial)
        if not out or coefficient == 1:
            return out or str(coefficient)
        return self.once("mul", out, str(coefficient))

    def _product(self, monomial: Monomial) -> str:
        out = ""
        for atom in monomial:
            value = self._call(atom) if isinstance(atom, Call) else self.values[Dim.sym(atom)]
            out = self.once(self.times, out, value) if out else value
        return out

    def _call(self, atom: Call) -> str:
        found = self._calls.get(atom)
        if found is None:
            found = self._calls[atom] = self._emitted(atom)
        return found

    def _emitted(self, atom: Call) -> str:
        """Print a minimum, maximum, quotient or remainder; return its value.

        A symbolic divisor is raised to at least 1 at run time.
        """
        divisor, least = atom.rhs.value, atom.lhs.lower_bound()
        lhs, rhs = self.value(extent_of(atom.lhs)), self.value(extent_of(atom.rhs))
        if atom.function == "min" or atom.function == "max":
            return self.integers.extremum(atom.function, lhs, rhs)
        if divisor is None:
            rhs = self.integers.extremum("max", rhs, "1")
        return self.integers.divided(
            "mod" if atom.function == "mod" else "floordiv",
            lhs, rhs if divisor is None else divisor,
            non_negative=least is not None and least >= 0,
        )  # fmt: skip

    def once(self, operation: Operation, lhs: str, rhs: str) -> str:
        """Return the value of an operation on two printed values; print it at the first use."""
        key = operation, lhs, rhs
        found = self._binaries.get(key)
        if found is None:
            found = self._binaries[key] = self.binary(operation, lhs, rhs)
        return found

    def binary(self, operation: Operation, lhs: str, rhs: str) -> str:
        """Print an operation on two printed values; return its value."""
        assert operation != CHECKED_MUL, "only checked values have checked products"
        return self.integers.binary(operation, lhs, rhs, fits=True)


CHECKED_MUL: Literal["checked mul"] = "checked mul"


class CheckedSizeText(SizeText):
    """The printed values of size expressions in one function, which also computes an overflow flag.

    The flag is true if a value may overflow 64 bits.  Each product of sizes is compared once with a
    limit: a sum of n terms does not overflow if each term is at most the largest integer divided by
    n.
    """

    times = CHECKED_MUL

    def __init__(self, integers: Integers) -> None:
        super().__init__(integers)
        self._overflow = FALSE
        self._limits: dict[str, int] = {}

    def _sum(self, dim: Dim) -> str:
        if len(dim.terms) > 1 or any(abs(coefficient) > 1 for _, coefficient in dim.terms):
            for monomial, coefficient in dim.terms:
                if monomial:
                    most = LARGEST // (len(dim.terms) * abs(coefficient))
                    self._limit(self._product(monomial), most)
        return super()._sum(dim)

    def summand(self, extent: Extent) -> str:
        """Return the printed value of a size that the caller adds to thousands of other sizes.

        The overflow flag becomes true if such a sum could overflow.
        """
        value = self.value(extent)
        if isinstance(extent, Dim):
            self._limit(value, MOST)
        return value

    def _limit(self, product: str, most: int) -> None:
        self._limits[product] = min(self._limits.get(product, most), most)

    def binary(self, operation: Operation, lhs: str, rhs: str) -> str:
        if operation != CHECKED_MUL:
            return self.integers.binary(operation, lhs, rhs)
        value, overflows = self.integers.product(lhs, rhs)
        self._overflow = self.integers.either(self._overflow, overflows)
        return value

    def overflow(self) -> str:
        """Return the printed overflow flag; call this method after all values are printed."""
        for product, most in self._limits.items():
            exceeds = self.integers.exceeds(product, most)
            self._overflow = self.integers.either(self._overflow, exceeds)
        return self._overflow
