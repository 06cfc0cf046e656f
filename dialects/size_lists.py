"""Textual syntax of lists of sizes: ``sizes [b, p + s]`` of calls, ``below [s]`` of checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from .shape import Dim, DimsAttr, Extent, extent_of, parse_dim

SizesAttr = DenseArrayBase[Any] | DimsAttr
"""A list of sizes: an array of integers if all are static, else of size expressions."""


def sizes_attr(sizes: Sequence[Extent]) -> SizesAttr:
    """Return the attribute that holds a list of sizes."""
    static = [size for size in map(extent_of, sizes) if isinstance(size, int)]
    if len(static) == len(sizes):
        return DenseArrayBase.from_list(i64, static)
    return DimsAttr.of(sizes)


def sizes_of(attribute: SizesAttr) -> tuple[Extent, ...]:
    """Return the list of sizes that an attribute of `sizes_attr` holds."""
    if isinstance(attribute, DimsAttr):
        return tuple(map(extent_of, attribute.data))
    return attribute.get_values()


@irdl_custom_directive
class CallSizes(CustomDirective):
    """Assembly directive for an optional list of sizes: ``sizes [b, p + s]``."""

    sizes: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("sizes") is not None:
            self.sizes.set(state, DimsAttr.of(_parse_list(parser)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        attribute = self.sizes.get(op)
        if isinstance(attribute, DimsAttr):
            state.print_whitespace(printer)
            printer.print_string(f"sizes [{', '.join(map(str, attribute.data))}]")


@irdl_custom_directive
class SizeList(CustomDirective):
    """Assembly directive for a list of sizes: ``[s, 3000]``."""

    sizes: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.sizes.set(state, sizes_attr([extent_of(dim) for dim in _parse_list(parser)]))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        attribute = cast(SizesAttr, self.sizes.get(op))
        state.print_whitespace(printer)
        printer.print_string(f"[{', '.join(map(str, sizes_of(attribute)))}]")


def _parse_list(parser: Parser) -> list[Dim]:
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_dim(parser))
