"""Arithmetic on sizes as LLVM IR, for main and for kernels.

In: printed values, and the instructions under construction.  Out: one instruction or a few for each
method of `Integers` (printer.py).
"""

from __future__ import annotations

from typing import Literal, Protocol

from .printer import Integers, Value


class Instructions(Protocol):
    """LLVM instructions under construction.

    declarations: the declarations of the intrinsics that they call.
    """

    declarations: set[str]

    def emit(self, instruction: str) -> str:
        """Append an instruction; return the name of its result."""
        ...


class LlvmIntegers(Integers):
    """Arithmetic on i64 values in LLVM IR; a method appends one or a few instructions."""

    def __init__(self, text: Instructions) -> None:
        self._text = text

    def binary(
        self, kind: Literal["add", "mul", "and"], x: Value, y: Value, *, fits: bool = False
    ) -> Value:
        return self._text.emit(f"{kind}{' nsw' if fits else ''} i64 {x}, {y}")

    def product(self, x: Value, y: Value) -> tuple[Value, Value]:
        name, pair = "@llvm.smul.with.overflow.i64", "{ i64, i1 }"
        self._text.declarations.add(f"declare {pair} {name}(i64, i64)")
        both = self._text.emit(f"call {pair} {name}(i64 {x}, i64 {y})")
        value = self._text.emit(f"extractvalue {pair} {both}, 0")
        return value, self._text.emit(f"extractvalue {pair} {both}, 1")

    def extremum(self, kind: Literal["min", "max"], x: Value, y: Value) -> Value:
        name = f"@llvm.s{kind}.i64"
        self._text.declarations.add(f"declare i64 {name}(i64, i64)")
        return self._text.emit(f"call i64 {name}(i64 {x}, i64 {y})")

    def divided(
        self,
        kind: Literal["floordiv", "mod"],
        x: Value,
        divisor: int | Value,
        *,
        non_negative: bool,
    ) -> Value:
        emit = self._text.emit
        if isinstance(divisor, int) and divisor & (divisor - 1) == 0:
            if kind == "mod":
                return emit(f"and i64 {x}, {divisor - 1}")
            return emit(f"ashr i64 {x}, {divisor.bit_length() - 1}")
        if non_negative:
            return emit(f"{'urem' if kind == 'mod' else 'udiv'} i64 {x}, {divisor}")
        rest = emit(f"srem i64 {x}, {divisor}")
        raised = emit(f"add i64 {rest}, {divisor}")
        negative = emit(f"icmp slt i64 {rest}, 0")
        rest = emit(f"select i1 {negative}, i64 {raised}, i64 {rest}")
        if kind == "mod":
            return rest
        return emit(f"sdiv i64 {emit(f'sub i64 {x}, {rest}')}, {divisor}")

    def is_negative(self, x: Value) -> Value:
        return self._text.emit(f"icmp slt i64 {x}, 0")

    def exceeds(self, x: Value, most: int) -> Value:
        raised = self._text.emit(f"add i64 {x}, {most}")
        return self._text.emit(f"icmp ugt i64 {raised}, {2 * most}")

    def either(self, x: Value, y: Value) -> Value:
        return self._text.emit(f"or i1 {x}, {y}")
