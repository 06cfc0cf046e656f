"""Arithmetic on sizes as C99.

In: printed values, and the statements under construction.  Out: a constant for each number that a
method of `Integers` (printer.py) returns, and an expression for each condition.
"""

from __future__ import annotations

from typing import Literal

from .printer import FALSE, Integers, Value


class CStatements:
    """The statements of a C99 function under construction.

    used: the names of the helpers in c_functions.py that the statements need.
    """

    def __init__(self, used: set[str]) -> None:
        self.used: set[str] = used
        self.lines: list[str] = []
        self.depth = 1
        self._names: set[str] = set()

    def line(self, text: str) -> None:
        """Append a line, indented to the current depth."""
        self.lines.append(f"{'    ' * self.depth}{text}")

    def unique(self, name: str) -> str:
        """Return a C name that no earlier call returned: ``name``, or ``name`` with a number."""
        chosen = name if name not in self._names else self.fresh(f"{name}_")
        self._names.add(chosen)
        return chosen

    def fresh(self, word: str) -> str:
        """Return a new C name: ``word`` with a number."""
        number = len(self._names) + 1
        while f"{word}{number}" in self._names:
            number += 1
        self._names.add(f"{word}{number}")
        return f"{word}{number}"

    def constant(self, type_: str, expression: str, word: str = "t") -> Value:
        """Append the declaration of a C constant; return its name.

        type_: the C type.  expression: the value as C code.  word: the start of the name.
        """
        name = self.fresh(word)
        declared = f"{type_}const {name}" if type_.endswith("*") else f"const {type_} {name}"
        self.line(f"{declared} = {expression};")
        return name


class CIntegers(Integers):
    """Arithmetic on int64_t in C99.

    A method that returns a number appends a constant and returns its name; a method that returns a
    condition returns an expression.
    """

    def __init__(self, text: CStatements) -> None:
        self._text = text

    def _number(self, expression: str) -> Value:
        return self._text.constant("int64_t", expression)

    def _call(self, function: str, *arguments: Value | int) -> str:
        self._text.used.add(function)
        return f"{function}({', '.join(map(str, arguments))})"

    def binary(
        self, kind: Literal["add", "mul", "and"], x: Value, y: Value, *, fits: bool = False
    ) -> Value:
        if kind == "and":
            return self._number(f"{x} & {y}")
        if fits:
            return self._number(f"{x} {'+' if kind == 'add' else '*'} {y}")
        return self._number(self._call("sum" if kind == "add" else "product", x, y))

    def product(self, x: Value, y: Value) -> tuple[Value, Value]:
        return self.binary("mul", x, y), self._call("product_overflows", x, y)

    def extremum(self, kind: Literal["min", "max"], x: Value, y: Value) -> Value:
        return self._number(self._call("smaller" if kind == "min" else "larger", x, y))

    def divided(
        self,
        kind: Literal["floordiv", "mod"],
        x: Value,
        divisor: int | Value,
        *,
        non_negative: bool,
    ) -> Value:
        if non_negative:
            return self._number(f"{x} {'%' if kind == 'mod' else '/'} {divisor}")
        return self._number(self._call("floor_mod" if kind == "mod" else "floor_div", x, divisor))

    def is_negative(self, x: Value) -> Value:
        return f"{x} < 0"

    def exceeds(self, x: Value, most: int) -> Value:
        return self._call("exceeds", x, most)

    def either(self, x: Value, y: Value) -> Value:
        return y if x == FALSE else self._text.constant("bool", f"{x} || {y}")
