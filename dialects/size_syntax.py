"""Textual syntax of sizes: sums and products of integers, symbols, calls and parentheses.

    b * s + floordiv(h, 2) - 3 * (n - 1)

The parser implements only the grammar; functions of the caller construct the sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from xdsl.parser import AttrParser

MOST_NESTED = 100
"""The largest nesting depth of calls in a size, and of parentheses in its text."""


class SizeNumber(Protocol):
    """Protocol of values that have the arithmetic operators of the grammar."""

    def __add__(self, other: Self) -> Self: ...
    def __sub__(self, other: Self) -> Self: ...
    def __mul__(self, other: Self) -> Self: ...
    def __neg__(self) -> Self: ...


Size = TypeVar("Size", bound=SizeNumber)


@dataclass(frozen=True)
class SizeSyntax(Generic[Size]):
    """A parser of sizes.

    functions: the names of functions that have two operands.  integer, symbol, call: functions that
    construct a size from an integer, from a name, or from a function's name and two sizes.
    """

    functions: Collection[str]
    integer: Callable[[int], Size]
    symbol: Callable[[str], Size]
    call: Callable[[str, Size, Size], Size]

    def parse(self, parser: AttrParser, nested: int = 0) -> Size:
        """Parse a size.

        nested: the number of parentheses and calls that enclose the size.
        Errors: ParseError for a syntax error, or for more than MOST_NESTED enclosing parentheses.
        """
        if nested > MOST_NESTED:
            parser.raise_error(f"a size has more than {MOST_NESTED} nested parentheses")
        is_negative = parser.parse_optional_punctuation("-") is not None
        first = self._term(parser, nested)
        total = -first if is_negative else first
        while True:
            if parser.parse_optional_punctuation("+"):
                total = total + self._term(parser, nested)
            elif parser.parse_optional_punctuation("-"):
                total = total - self._term(parser, nested)
            else:
                return total

    def _term(self, parser: AttrParser, nested: int) -> Size:
        product = self._factor(parser, nested)
        while parser.parse_optional_punctuation("*"):
            product = product * self._factor(parser, nested)
        return product

    def _factor(self, parser: AttrParser, nested: int) -> Size:
        number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if number is not None:
            return self.integer(number)
        if parser.parse_optional_punctuation("("):
            inner = self.parse(parser, nested + 1)
            parser.parse_punctuation(")")
            return inner
        name = parser.parse_identifier("a size")
        if name not in self.functions or parser.parse_optional_punctuation("(") is None:
            return self.symbol(name)
        lhs = self.parse(parser, nested + 1)
        parser.parse_punctuation(",")
        rhs = self.parse(parser, nested + 1)
        parser.parse_punctuation(")")
        return self.call(name, lhs, rhs)
