"""Emit the values of dimension expressions as LLVM IR.

    4 * b * s + 1   =>   %t1 = mul nsw i64 %b, %s     %t2 = mul nsw i64 %t1, 4
                         %t3 = add nsw i64 %t2, 1

Each sum, product, minimum, maximum, quotient and remainder is emitted once per `SizeText`. Constant
factors come last, so that the strides of one buffer share the product of its sizes.
"""

from __future__ import annotations

from typing import Protocol

from ...dialects.shape import Call, Dim, Extent, Monomial, extent_of

LARGEST = (1 << 63) - 1
"""The largest integer of 64 bits."""

MOST = 1 << 50
"""The largest size of a buffer: no process has more bytes, and the sum of thousands of such sizes
fits in 64 bits."""


class Instructions(Protocol):
    """LLVM instructions under construction."""

    declarations: set[str]

    def emit(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        ...


class SizeText:
    """The printed values of dimension expressions, computed from the values of their symbols."""

    times = "mul"
    """The operation that multiplies sizes."""

    def __init__(self, text: Instructions) -> None:
        self.text = text
        self.values: dict[Dim, str] = {}
        self._calls: dict[Call, str] = {}
        self._binaries: dict[tuple[str, str, str], str] = {}

    def value(self, extent: Extent) -> str:
        """Return the printed value of a size; emit a symbolic one at its first use."""
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
        """Return the product of the sizes in a monomial; "" for an empty monomial."""
        out = ""
        for atom in monomial:
            value = self._call(atom) if isinstance(atom, Call) else self.values[Dim.sym(atom)]
            out = self.once(self.times, out, value) if out else value
        return out

    def _call(self, atom: Call) -> str:
        """Return the value of a minimum, maximum, quotient or remainder, emitted once."""
        found = self._calls.get(atom)
        if found is None:
            found = self._calls[atom] = self._emitted(atom)
        return found

    def _emitted(self, atom: Call) -> str:
        """Emit a minimum, maximum, quotient or remainder; a symbolic divisor is raised to 1."""
        divisor, least = atom.rhs.value, atom.lhs.lower_bound()
        lhs, rhs = self.value(extent_of(atom.lhs)), self.value(extent_of(atom.rhs))
        if atom.function in ("min", "max"):
            return self.extremum(atom.function, lhs, rhs)
        if divisor is None:
            rhs = self.extremum("max", rhs, "1")
        return divided(
            self.text, atom.function, lhs, rhs if divisor is None else divisor,
            non_negative=least is not None and least >= 0,
        )  # fmt: skip

    def once(self, opcode: str, lhs: str, rhs: str) -> str:
        """Return a sum (``add``) or a product (``mul``); emit it at its first use."""
        key = opcode, lhs, rhs
        found = self._binaries.get(key)
        if found is None:
            found = self._binaries[key] = self.binary(opcode, lhs, rhs)
        return found

    def binary(self, opcode: str, lhs: str, rhs: str) -> str:
        """Emit a sum (``add``) or a product (``mul``)."""
        return self.text.emit(f"{opcode} nsw i64 {lhs}, {rhs}")

    def extremum(self, function: str, lhs: str, rhs: str) -> str:
        """Emit the minimum or maximum of two values.

        function: ``min`` or ``max``.
        """
        name = f"@llvm.s{function}.i64"
        self.text.declarations.add(f"declare i64 {name}(i64, i64)")
        return self.text.emit(f"call i64 {name}(i64 {lhs}, i64 {rhs})")


CHECKED_MUL = "checked mul"


class CheckedSizeText(SizeText):
    """Values of dimension expressions, and a flag that is true if one may overflow 64 bits.

    Each product of sizes is checked.  A sum of n terms does not overflow if each term is at most
    the largest integer divided by n, so one comparison per product is enough for all sums.
    """

    times = CHECKED_MUL

    def __init__(self, text: Instructions) -> None:
        super().__init__(text)
        self._overflow = "false"
        self._limits: dict[str, int] = {}

    def _sum(self, dim: Dim) -> str:
        if len(dim.terms) > 1 or any(abs(coefficient) > 1 for _, coefficient in dim.terms):
            for monomial, coefficient in dim.terms:
                if monomial:
                    most = LARGEST // (len(dim.terms) * abs(coefficient))
                    self._limit(self._product(monomial), most)
        return super()._sum(dim)

    def summand(self, extent: Extent) -> str:
        """Return the value of a size, checked so that thousands of such values can be added."""
        value = self.value(extent)
        if isinstance(extent, Dim):
            self._limit(value, MOST)
        return value

    def _limit(self, product: str, most: int) -> None:
        self._limits[product] = min(self._limits.get(product, most), most)

    def binary(self, opcode: str, lhs: str, rhs: str) -> str:
        if opcode != CHECKED_MUL:
            return self.text.emit(f"{opcode} i64 {lhs}, {rhs}")
        name = "@llvm.smul.with.overflow.i64"
        self.text.declarations.add(f"declare {{ i64, i1 }} {name}(i64, i64)")
        pair = self.text.emit(f"call {{ i64, i1 }} {name}(i64 {lhs}, i64 {rhs})")
        value = self.text.emit(f"extractvalue {{ i64, i1 }} {pair}, 0")
        self._also(self.text.emit(f"extractvalue {{ i64, i1 }} {pair}, 1"))
        return value

    def overflow(self) -> str:
        """Emit the overflow flag, an i1, after all values."""
        for product, most in self._limits.items():
            raised = self.text.emit(f"add i64 {product}, {most}")
            self._also(self.text.emit(f"icmp ugt i64 {raised}, {2 * most}"))
        return self._overflow

    def _also(self, flag: str) -> None:
        self._overflow = self.text.emit(f"or i1 {self._overflow}, {flag}")


def divided(
    text: Instructions, kind: str, x: str, divisor: int | str, *, non_negative: bool
) -> str:
    """Emit floordiv or mod of an i64 by a positive divisor, rounded down.

    kind: ``floordiv`` or ``mod``.  non_negative: ``x`` is known to be at least 0.
    """
    if isinstance(divisor, int) and divisor & (divisor - 1) == 0:
        if kind == "mod":
            return text.emit(f"and i64 {x}, {divisor - 1}")
        return text.emit(f"ashr i64 {x}, {divisor.bit_length() - 1}")
    if non_negative:
        return text.emit(f"{'urem' if kind == 'mod' else 'udiv'} i64 {x}, {divisor}")
    rest = text.emit(f"srem i64 {x}, {divisor}")
    raised = text.emit(f"add i64 {rest}, {divisor}")
    negative = text.emit(f"icmp slt i64 {rest}, 0")
    rest = text.emit(f"select i1 {negative}, i64 {raised}, i64 {rest}")
    if kind == "mod":
        return rest
    return text.emit(f"sdiv i64 {text.emit(f'sub i64 {x}, {rest}')}, {divisor}")


__all__ = ["CheckedSizeText", "Instructions", "SizeText", "divided"]
