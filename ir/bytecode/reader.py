"""Read a program from MLIR bytecode of version 0 whose types and attributes are texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, LocationAttr
from xdsl.ir import Attribute, Block, Operation, Region

from ...support.diagnostics import ModelError
from ...support.registry import new_context
from ..creation import Creation
from .primitives import MAGIC, VERSION, ByteReader, Part, SectionNumber
from .texts import reading_context

Item = TypeVar("Item")
_CONVERT = "mlir-opt prints it as text: mlir-opt FILE --mlir-print-op-generic"


def from_bytecode(data: bytes, ctx: Context | None = None) -> Operation:
    """Return the program of MLIR bytecode that `to_bytecode` has written.

    ctx: the dialects of the program; by default those of this package.
    Errors: ModelError for truncated or malformed data, for a newer version, for attributes that are
    encoded and not texts, and for unknown ops. The program is not verified.
    """
    reader = ByteReader(data)
    if data[: len(MAGIC)] != MAGIC:
        raise ModelError("this is no MLIR bytecode", expected=repr(MAGIC), got=repr(data[:4]))
    reader.take(len(MAGIC))
    if (version := reader.varint()) != VERSION:
        raise ModelError(
            "MLIR bytecode of another version", expected=VERSION, got=version, hint=_CONVERT
        )
    try:
        reader.text()  # the name of the program that wrote the file
        sections: dict[int, bytes] = {}
        while not reader.is_at_end:
            number, content = reader.section()
            sections[number] = content
        return _BytecodeReader(sections, new_context() if ctx is None else ctx).program()
    except UnicodeDecodeError as err:
        raise ModelError("a text in the bytecode is no UTF-8", got=str(err)) from err
    except RecursionError as err:
        raise ModelError("too many nested regions in bytecode") from err


class _BytecodeReader:
    """A reader of the sections of one program."""

    def __init__(self, sections: dict[int, bytes], ctx: Context) -> None:
        for each in SectionNumber:
            if each not in sections:
                raise ModelError("the bytecode lacks a section", expected=each.name.lower())
        self._creation = Creation(reading_context(ctx))
        strings = _strings(ByteReader(sections[SectionNumber.STRINGS]))
        self._names = _op_names(ByteReader(sections[SectionNumber.DIALECTS]), strings)
        self._attributes, self._types = _texts(
            ByteReader(sections[SectionNumber.OFFSETS]),
            ByteReader(sections[SectionNumber.ATTRIBUTES]),
        )
        self._ir = ByteReader(sections[SectionNumber.IR])

    def program(self) -> Operation:
        """Read the section of ops, and return its only op."""
        if (count := self._ir.varint()) != 1 << 1:
            raise ModelError(
                "the bytecode has another number of programs", expected=1, got=count >> 1
            )
        made = self._op(0, [])
        self._creation.finish()
        return made

    def _op(self, first_value: int, blocks: list[Block]) -> Operation:
        """Read an op with its regions, and return it.

        first_value: the number that the first value defined in each of the op's regions has; values
        are numbered from there on.
        blocks: the blocks of the region that contains the op; successors are numbers of these
        blocks.
        """
        read = self._ir
        name = _item(self._names, read.varint(), "op")
        mask = read.byte()
        if mask >= Part.REGIONS << 1:
            raise ModelError("an op has unknown parts", got=f"{mask:#x}", where=name)
        location = self._attribute()
        attributes = self._attribute() if mask & Part.ATTRIBUTES else DictionaryAttr({})
        if not isinstance(location, LocationAttr) or not isinstance(attributes, DictionaryAttr):
            raise ModelError("an attribute of an op is of another kind", where=name)
        types = [self._type(n) for n in read.varints()] if mask & Part.RESULTS else []
        operands = read.varints() if mask & Part.OPERANDS else []
        numbers = read.varints() if mask & Part.SUCCESSORS else []
        made = self._creation.op(
            name,
            operands,
            types,
            properties={},
            attributes=attributes.data,
            successors=[_item(blocks, n, "block") for n in numbers],
            location=location,
        )
        if mask & Part.REGIONS:
            for _ in range(read.count() >> 1):
                made.add_region(self._region(first_value))
        return made

    def _region(self, first_value: int) -> Region:
        blocks = [Block() for _ in range(self._ir.count())]
        count = self._ir.varint() if blocks else 0
        number, end = first_value, first_value + count
        for block in blocks:
            head = self._ir.varint()
            for _ in range(self._ir.count() if head & 1 else 0):
                argument = block.insert_arg(self._type(self._ir.varint()), len(block.args))
                location = self._attribute()
                argument.location = cast(LocationAttr, location)
                self._creation.define(number, argument)
                number += 1
            for _ in range(head >> 1):
                op = self._op(end, blocks)
                block.add_op(op)
                for result in op.results:
                    self._creation.define(number, result)
                    number += 1
        if number != end:
            raise ModelError("a region has another number of values", expected=count)
        self._creation.forget(range(first_value, end))
        return Region(blocks)

    def _attribute(self) -> Attribute:
        return self._creation.attribute(_item(self._attributes, self._ir.varint(), "attribute"))

    def _type(self, number: int) -> Attribute:
        return self._creation.attribute(_item(self._types, number, "type"))


def _strings(read: ByteReader) -> list[str]:
    lengths = read.varints()
    return [read.take(length).decode().removesuffix("\0") for length in reversed(lengths)]


def _op_names(read: ByteReader, strings: list[str]) -> list[str]:
    dialects = [_item(strings, number, "string") for number in read.varints()]
    names: list[str] = []
    while not read.is_at_end:
        dialect = _item(dialects, read.varint(), "dialect")
        names += [f"{dialect}.{_item(strings, number, 'string')}" for number in read.varints()]
    return names


def _texts(offsets: ByteReader, data: ByteReader) -> tuple[list[str], list[str]]:
    """Return the texts of all attributes, and the texts of all types.

    offsets, data: the section that has the length of each text, and the section with the texts.
    Errors: ModelError for an attribute that is encoded and not a text.
    """
    counts = (offsets.count(), offsets.count())
    found: list[str] = []
    while not offsets.is_at_end:
        offsets.varint()  # the dialect
        for length in offsets.varints():
            if length & 1:
                raise ModelError("an attribute is encoded", expected="a text", hint=_CONVERT)
            found.append(data.take(length >> 1).decode().removesuffix("\0"))
    if len(found) != sum(counts):
        raise ModelError("the bytecode has another number of attributes", expected=sum(counts))
    return found[: counts[0]], found[counts[0] :]


def _item(items: Sequence[Item], number: int, what: str) -> Item:
    """Return an item of a table by its number.

    what: what the items are, for the message.
    Errors: ModelError for a number that no item has.
    """
    if number >= len(items):
        raise ModelError(f"the bytecode has no {what} of this number", got=number)
    return items[number]
