"""Textual syntax of index expressions and scalars in te and loop ops.

An index expression uses axis names and SSA values: ``%i * 16 + n``,
``(h + r) floordiv 2``, ``c mod 8``.  Scalars may be infinite or NaN: ``-inf``, ``inf``, ``nan``.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..support import ir_parser
from ..support.affine import Index, Key, RangeOf, constant, divide, unknown_range, variable
from ..support.diagnostics import TypeMismatch
from ..support.ir_parser import BitPattern, float_of
from .names import name_text, parse_name
from .shape import extent_of, parse_dim
from .spans import Span

INDEX = IndexType()


def resolve_index(parser: Parser, operand: UnresolvedOperand) -> SSAValue:
    """Return the SSA value of an operand that has index type."""
    return parser.resolve_operand(operand, INDEX)


def parse_index(
    parser: Parser, axes: Collection[str] = (), range_of: RangeOf = unknown_range
) -> Index:
    """Parse one index expression over axes and SSA values.

    axes: the names that are axes.  range_of: the known ranges of axes and SSA values, which
    simplify ``floordiv`` and ``mod``.
    """
    return _IndexParser(parser, axes, range_of).total()


@dataclass(frozen=True)
class _IndexParser:
    parser: Parser
    axes: Collection[str]
    range_of: RangeOf

    def total(self) -> Index:
        out = self.product()
        while True:
            if self.parser.parse_optional_punctuation("+"):
                out = out + self.product()
            elif self.parser.parse_optional_punctuation("-"):
                out = out - self.product()
            else:
                return out

    def product(self) -> Index:
        out = self.primary()
        while True:
            if self.parser.parse_optional_punctuation("*"):
                factor = self.primary()
                out = out * factor.const if factor.is_constant else factor * out.const
            elif self.parser.parse_optional_keyword("floordiv"):
                out = divide("floordiv", out, self.primary().const, self.range_of)
            elif self.parser.parse_optional_keyword("mod"):
                out = divide("mod", out, self.primary().const, self.range_of)
            else:
                return out

    def primary(self) -> Index:
        parser = self.parser
        if parser.parse_optional_punctuation("("):
            inner = self.total()
            parser.parse_punctuation(")")
            return inner
        if parser.parse_optional_punctuation("-"):
            return -self.primary()
        number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if number is not None:
            return constant(number)
        if operand := parser.parse_optional_unresolved_operand():
            return variable(resolve_index(parser, operand))
        name = parse_name(parser, "index expression")
        if name not in self.axes:
            parser.raise_error(f"unknown axis {name!r}; the axes are {', '.join(self.axes)}")
        return variable(name)


def parse_index_list(
    parser: Parser, axes: Collection[str] = (), range_of: RangeOf = unknown_range
) -> list[Index]:
    """Parse ``[e0, e1, ...]``, a list of index expressions.

    axes: the names that are axes.  range_of: the known ranges of axes and SSA values, which
    simplify ``floordiv`` and ``mod``.
    """
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parse_index(parser, axes, range_of)
    )


def parse_optional_index_list(
    parser: Parser, axes: Collection[str] = (), range_of: RangeOf = unknown_range
) -> list[Index] | None:
    """Parse an optional list of index expressions, ``[e0, e1, ...]``; None if there is none.

    axes: the names that are axes.  range_of: the known ranges of axes and SSA values, which
    simplify ``floordiv`` and ``mod``.
    """
    return parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parse_index(parser, axes, range_of)
    )


def ssa_namer(printer: Printer) -> Callable[[Key], str]:
    """Return a function from a variable, an axis name or an SSA value, to its printed name."""

    def name(key: Key) -> str:
        if not isinstance(key, SSAValue):
            return name_text(str(key))
        stream = printer.stream
        column = printer._current_column  # pyright: ignore[reportPrivateUsage]
        printer.stream = io.StringIO()
        try:
            printer.print_ssa_value(key)
            return printer.stream.getvalue()
        finally:
            printer.stream = stream
            printer._current_column = column  # pyright: ignore[reportPrivateUsage]

    return name


def print_index_list(printer: Printer, indices: list[Index]) -> None:
    """Print ``[e0, e1, ...]``."""
    name = ssa_namer(printer)
    printer.print_string("[" + ", ".join(i.show(name) for i in indices) + "]")


def clip_text(clip: Sequence[Span]) -> str:
    """Return ``[0 to 8, 1 to h + 1]`` for ranges (first position, exclusive end) of dimensions."""
    return "[" + ", ".join(f"{first} to {end}" for first, end in clip) + "]"


def parse_clip(parser: Parser) -> tuple[Span, ...]:
    """Parse ``[0 to 8, 1 to h + 1]``: a range (first position, exclusive end) per dimension."""

    def span() -> Span:
        first = parser.parse_integer()
        parser.parse_keyword("to")
        return first, extent_of(parse_dim(parser))

    return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, span))


def parse_number(parser: Parser) -> int | float:
    """Parse a number whose type is not known yet.

    It may be an integer, a decimal number, inf, nan, true (1), false (0), or a hexadecimal bit
    pattern, which is returned as a `BitPattern`; `typed_scalar` then converts it to a type.
    """
    negative = parser.parse_optional_punctuation("-") is not None
    word = parser.parse_optional_keyword_in(set(_WORDS))
    number = _WORDS[word] if word else ir_parser.parse_number(parser)
    if not negative:
        return number
    return BitPattern(-number) if isinstance(number, BitPattern) else -number


def typed_scalar(number: int | float, element_type: Attribute) -> Attribute:
    """Return the attribute of a number in a scalar type.

    A float that is too large becomes infinite.
    Errors: TypeMismatch for a bit pattern with a sign, or with more bits than the type has.
    """
    if isinstance(element_type, AnyFloat):
        try:
            return FloatAttr(float_of(number, element_type), element_type)
        except ValueError as err:
            raise TypeMismatch(
                str(err), hint=f"write a decimal number, or a bit pattern of {element_type}"
            ) from None
    assert isinstance(element_type, IntegerType | IndexType), f"not a scalar: {element_type}"
    return IntegerAttr(int(number), element_type)


_WORDS: dict[str, int | float] = {"inf": math.inf, "nan": math.nan, "true": 1, "false": 0}


def scalar_text(value: Attribute) -> str:
    """Return the text from which ``parse_number`` and ``typed_scalar`` rebuild an attribute."""
    if isinstance(value, IntegerAttr):
        return str(value.value.data)
    assert isinstance(value, FloatAttr), f"not a scalar: {value}"
    number = value.value.data
    if math.isinf(number) or math.isnan(number):
        return str(number)
    text = repr(number)
    return text if "." in text else text.replace("e", ".0e", 1)
