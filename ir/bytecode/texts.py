"""The texts of attributes in bytecode: integers without a type have a form that MLIR can read.

    #builtin.int<3>  ==>  #tilewright.int<3>

Only xDSL has the attribute ``#builtin.int``, and MLIR refuses unknown attributes of its own
dialects.  It reads attributes of dialects that it does not know as opaque ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class IntText(ParametrizedAttribute):
    """The form of an integer without a type in bytecode; parsing it gives an `IntAttr`."""

    name = "tilewright.int"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return [IntAttr.new(IntAttr.parse_parameter(parser))]

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> Attribute:  # pyright: ignore
        (number,) = params
        return number


class _BytecodePrinter(Printer):
    def print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, IntAttr):
            self.print_string(f"#{IntText.name}<{attribute.data}>")
        else:
            super().print_attribute(attribute)


def text_of(attribute: Attribute) -> str:
    """Return the text of an attribute or a type for bytecode."""
    stream = StringIO()
    _BytecodePrinter(stream=stream).print_attribute(attribute)
    return stream.getvalue()


def reading_context(ctx: Context) -> Context:
    """Return a copy of a context that also knows the attributes of bytecode."""
    copy = ctx.clone()
    copy.load_attr_or_type(IntText)
    return copy
