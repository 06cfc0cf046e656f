"""Textual syntax of operands with types, and of region arguments that are bound to values.

``%x : type`` is a typed operand; ``carry(%argument = %value : type, ..)`` are bindings.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer


def print_typed(printer: Printer, value: SSAValue) -> None:
    """Print a value and its type: ``%x : type``."""
    printer.print_ssa_value(value)
    printer.print_string(" : ")
    printer.print_attribute(value.type)


def parse_typed(parser: Parser) -> SSAValue:
    """Parse ``%x : type``, and return the value."""
    operand = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    return parser.resolve_operand(operand, parser.parse_type())


def print_optional_typed(printer: Printer, word: str, value: SSAValue | None) -> None:
    """Print a space and ``word %x : type``, or nothing if the value is None."""
    if value is not None:
        printer.print_string(f" {word} ")
        print_typed(printer, value)


def parse_optional_typed(parser: Parser, word: str) -> SSAValue | None:
    """Parse an optional ``word %x : type``; return the value, or None if the word is missing."""
    return parse_typed(parser) if parser.parse_optional_keyword(word) else None


def print_bindings(
    printer: Printer, word: str, arguments: Sequence[SSAValue], values: Sequence[SSAValue]
) -> None:
    """Print ``word(%argument = %value : type, ..)`` and a space; nothing if there are no values."""
    if not values:
        return
    printer.print_string(f"{word}(")
    for i, (argument, value) in enumerate(zip(arguments, values, strict=True)):
        printer.print_string(", " if i else "")
        printer.print_ssa_value(argument)
        printer.print_string(" = ")
        print_typed(printer, value)
    printer.print_string(") ")


def print_symbol(printer: Printer, symbol: StringAttr | None) -> None:
    """Print ``as "i.0"`` and a space, or nothing if the symbol is None."""
    if symbol is not None:
        printer.print_string("as ")
        printer.print_attribute(symbol)
        printer.print_string(" ")


def parse_symbol(parser: Parser) -> str | None:
    """Parse an optional ``as "i.0"``; return the symbol, or None."""
    return parser.parse_str_literal() if parser.parse_optional_keyword("as") else None


def print_types(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Print ``to (type, ..)``, the types of values, and a space; nothing without values."""
    if values:
        printer.print_string("to (")
        printer.print_list(values, lambda value: printer.print_attribute(value.type))
        printer.print_string(") ")


def parse_types(parser: Parser) -> list[Attribute]:
    """Parse an optional ``to (type, ..)``; return the types, [] if there are none."""
    if not parser.parse_optional_keyword("to"):
        return []
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)


class Bindings:
    """Region arguments and the values bound to them: ``word(%argument = %value : type, ..)``."""

    def __init__(self) -> None:
        self.names: list[Parser.UnresolvedArgument] = []
        self.values: list[SSAValue] = []

    @classmethod
    def parse(cls, parser: Parser, word: str) -> Bindings:
        """Parse the bindings after ``word``; without this word, there are no bindings."""
        out = cls()
        if parser.parse_optional_keyword(word):
            parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: out._one(parser))
        return out

    def _one(self, parser: Parser) -> None:
        self.names.append(parser.parse_argument(expect_type=False))
        parser.parse_punctuation("=")
        self.values.append(parse_typed(parser))

    def arguments(self, types: Sequence[Attribute] | None = None) -> list[Parser.Argument]:
        """Return the arguments for the parser of a region.

        types: the types of the arguments, by default the types of the values.
        """
        if types is None:
            types = [v.type for v in self.values]
        return [name.resolve(t) for name, t in zip(self.names, types, strict=True)]
