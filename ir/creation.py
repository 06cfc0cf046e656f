"""Create operations from their generic form, as the readers of JSON and bytecode need it.

In: the name of an op, its operands, and the texts of its types and attributes. Out: ops of the
dialects of a Context. An operand may be defined after its use, as in loops made of branches; until
then, a placeholder stands for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr, NoneAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.utils.exceptions import ParseError

from ..support.diagnostics import ModelError
from ..support.ir_parser import IrParser, similar_ops


class Creation:
    """The creation of the ops of one program, from their names and the texts of their attributes.

    A reader identifies each value by a key of its choice, such as a number or a name.
    ctx: the dialects of the ops and attributes.
    """

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._attributes: dict[str, Attribute] = {}
        self._values: dict[Hashable, SSAValue] = {}
        self._undefined: dict[Hashable, ForwardDeclaredValue] = {}

    def attribute(self, text: str) -> Attribute:
        """Parse the text of an attribute or a type, each text once.

        Errors: ModelError for a malformed text.
        """
        if text not in self._attributes:
            try:
                parser = IrParser(self._ctx, text)
                found = parser.parse_optional_location() or parser.parse_attribute()
            except ParseError as err:
                raise ModelError("malformed attribute or type", got=text, hint=err.msg) from err
            if parser.pos < len(text.rstrip()) and text[parser.pos :].strip():
                raise ModelError("text after an attribute or type", got=text)
            self._attributes[text] = found
        return self._attributes[text]

    def location(self, text: str) -> LocationAttr:
        """Parse a location, such as ``loc("conv1")``; the empty text is the unknown location.

        Errors: ModelError for a text that is no location.
        """
        found = self.attribute(text) if text else UNKNOWN_LOC
        if not isinstance(found, LocationAttr):
            raise ModelError("a location is malformed", expected='such as loc("name")', got=text)
        return found

    def op(
        self,
        name: str,
        operands: Sequence[Hashable],
        result_types: Sequence[Attribute],
        *,
        properties: Mapping[str, Attribute],
        attributes: Mapping[str, Attribute],
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
        location: LocationAttr = UNKNOWN_LOC,
    ) -> Operation:
        """Create an op, and return it.

        operands: the keys of its operands; a key may be defined later (`define`).
        properties, attributes: its properties and attributes; attributes that the op defines as
        properties become properties.
        Errors: ModelError for an op that no dialect of the Context has.
        """
        found = self._ctx.get_optional_op(name)
        if found is None:
            raise ModelError("unknown op", got=name, hint=similar_ops(self._ctx, name))
        held, others = dict(properties), dict(attributes)
        if issubclass(found, IRDLOperation):
            for key in found.get_irdl_definition().properties:
                if key in others and key not in held:
                    held[key] = others.pop(key)
        return found.create(
            operands=[self._value(key) for key in operands],
            result_types=result_types,
            properties=held,
            attributes=others,
            successors=successors,
            regions=regions,
            location=location,
        )

    def define(self, key: Hashable, value: SSAValue) -> None:
        """Set the value that a key stands for, also in ops that use the key already.

        Errors: ModelError for a key that has a value.
        """
        if key in self._values:
            raise ModelError("a value is defined twice", got=str(key))
        self._values[key] = value
        if (placeholder := self._undefined.pop(key, None)) is not None:
            placeholder.replace_all_uses_with(value)

    def forget(self, keys: Sequence[Hashable]) -> None:
        """Remove keys from the table of values, so that other values can get them.

        The end of a region needs this, after which its values cannot be used. The values do not
        change.
        """
        for key in keys:
            self._values.pop(key, None)

    def finish(self) -> None:
        """Check that every key that an op uses as an operand was defined.

        Errors: ModelError that names a key without a value.
        """
        for key in self._undefined:
            raise ModelError("a value is used but not defined", got=str(key))

    def _value(self, key: Hashable) -> SSAValue:
        if key in self._values:
            return self._values[key]
        made = ForwardDeclaredValue(cast(Attribute, NoneAttr()))
        return self._undefined.setdefault(key, made)
