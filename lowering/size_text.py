"""Emit the values of dimension expressions as LLVM IR.

    b * s + 1   =>   %t1 = mul nsw i64 %b, %s     %t2 = add nsw i64 %t1, 1

Each expression, and each minimum, maximum, quotient and remainder in one, is emitted once per
`SizeText`.
"""

from __future__ import annotations

from typing import Protocol

from ..dialects.shape import Call, Dim, Extent, Monomial, extent_of


class Instructions(Protocol):
    """LLVM instructions under construction."""

    declarations: set[str]

    def emit(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        ...


class SizeText:
    """The values of dimension expressions, from the values of their symbols."""

    def __init__(self, text: Instructions) -> None:
        self.text = text
        self.values: dict[Dim, str] = {}
        self._calls: dict[Call, str] = {}

    def value(self, extent: Extent) -> str:
        """Return the value of a size; emit a symbolic one at its first use."""
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
            out = self.binary("add", out, term) if out else term
        return out or "0"

    def _term(self, monomial: Monomial, coefficient: int) -> str:
        out = "" if monomial and coefficient == 1 else str(coefficient)
        for atom in monomial:
            value = self._call(atom) if isinstance(atom, Call) else self.values[Dim.sym(atom)]
            out = self.binary("mul", out, value) if out else value
        return out

    def _call(self, atom: Call) -> str:
        """Return the value of a minimum, maximum, quotient or remainder."""
        found = self._calls.get(atom)
        if found is None:
            found = self._calls[atom] = self._emitted(atom)
        return found

    def _emitted(self, atom: Call) -> str:
        """Emit a minimum, maximum, quotient or remainder; a divisor is a size of 1 or more."""
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

    def binary(self, opcode: str, lhs: str, rhs: str) -> str:
        """Emit a sum (``add``) or a product (``mul``)."""
        return self.text.emit(f"{opcode} nsw i64 {lhs}, {rhs}")

    def extremum(self, function: str, lhs: str, rhs: str) -> str:
        """Emit ``min`` or ``max``."""
        name = f"@llvm.s{function}.i64"
        self.text.declarations.add(f"declare i64 {name}(i64, i64)")
        return self.text.emit(f"call i64 {name}(i64 {lhs}, i64 {rhs})")


class CheckedSizeText(SizeText):
    """Values of dimension expressions, and a flag that is true if one left the 64 bits.

    overflow: the flag, an i1.
    """

    overflow = "false"

    def binary(self, opcode: str, lhs: str, rhs: str) -> str:
        name = f"@llvm.s{opcode}.with.overflow.i64"
        self.text.declarations.add(f"declare {{ i64, i1 }} {name}(i64, i64)")
        pair = self.text.emit(f"call {{ i64, i1 }} {name}(i64 {lhs}, i64 {rhs})")
        value = self.text.emit(f"extractvalue {{ i64, i1 }} {pair}, 0")
        flag = self.text.emit(f"extractvalue {{ i64, i1 }} {pair}, 1")
        self.overflow = self.text.emit(f"or i1 {self.overflow}, {flag}")
        return value


def divided(
    text: Instructions, kind: str, x: str, divisor: int | str, *, non_negative: bool
) -> str:
    """Emit floordiv or mod by a positive number with floor semantics."""
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
