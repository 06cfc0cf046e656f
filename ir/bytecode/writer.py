"""Write a program as MLIR bytecode."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from xdsl.dialects.builtin import DictionaryAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...support.diagnostics import ModelError
from ..difference import op_name
from .primitives import MAGIC, VERSION, Part, SectionNumber, section, varint, varints
from .texts import text_of

PRODUCER = "tilewright"
Item = TypeVar("Item", bound=Hashable)


def to_bytecode(op: Operation) -> bytes:
    """Return a program as MLIR bytecode.

    Properties of ops are written as attributes: version 0 knows nothing else.
    Errors: ModelError for a program whose regions are nested too deeply for Python.
    """
    writer = _BytecodeWriter()
    try:
        ir = varint(1 << 1) + writer.op(op)  # a block of one op without arguments
    except RecursionError as err:
        raise ModelError("too many nested regions for bytecode") from err
    dialects = writer.dialects()
    attributes, offsets = writer.attributes()
    sections = (
        section(SectionNumber.DIALECTS, dialects),
        section(SectionNumber.ATTRIBUTES, attributes),
        section(SectionNumber.OFFSETS, offsets),
        section(SectionNumber.IR, ir),
        section(SectionNumber.STRINGS, writer.strings()),
    )
    return MAGIC + varint(VERSION) + PRODUCER.encode() + b"\0" + b"".join(sections)


class _Table(Generic[Item]):
    """A table that gives each item a number, in the order in which the items are first used."""

    def __init__(self) -> None:
        self._numbers: dict[Item, int] = {}

    def number(self, item: Item) -> int:
        return self._numbers.setdefault(item, len(self._numbers))

    @property
    def items(self) -> list[Item]:
        return list(self._numbers)


class _BytecodeWriter:
    """A writer of the ops of one program, which collects the contents of the other sections."""

    def __init__(self) -> None:
        self._strings, self._names = _Table[str](), _Table[str]()
        self._attributes, self._types = _Table[str](), _Table[str]()
        self._values: dict[SSAValue, int] = {}

    def op(self, op: Operation, first_value: int = 0) -> bytes:
        """Return the encoding of an op with its regions.

        first_value: the number that the first value defined in each of the op's regions gets.
        """
        attributes = {**op.properties, **op.attributes}
        if isinstance(op, UnregisteredOp):
            del attributes["op_name__"]
        parts = (
            (Part.ATTRIBUTES, attributes, [self._attribute(DictionaryAttr(attributes))]),
            (Part.RESULTS, op.results, self._listed(self._type(v) for v in op.results)),
            (Part.OPERANDS, op.operands, self._listed(self._values[v] for v in op.operands)),
            (Part.SUCCESSORS, op.successors, self._listed(map(_number, op.successors))),
        )
        present = [(part, numbers) for part, held, numbers in parts if held]
        mask = sum(part for part, _ in present) | (Part.REGIONS if op.regions else 0)
        data = [varint(self._names.number(op_name(op))), bytes([mask])]
        data.append(varint(self._attribute(op.location)))
        data += [varints(numbers) for _, numbers in present]
        if op.regions:
            data.append(varint(len(op.regions) << 1))  # not isolated: in no section of its own
            data += [self._region(region, first_value) for region in op.regions]
        return b"".join(data)

    def _region(self, region: Region, first_value: int) -> bytes:
        blocks = region.blocks
        values = [v for b in blocks for v in (*b.args, *(r for op in b.ops for r in op.results))]
        self._values.update((value, first_value + n) for n, value in enumerate(values))
        counts = [len(blocks), *([len(values)] if blocks else ())]
        inner = first_value + len(values)
        return varints(counts) + b"".join(self._block(block, inner) for block in blocks)

    def _block(self, block: Block, first_value: int) -> bytes:
        head = [len(block.ops) << 1 | bool(block.args)]
        if block.args:
            head.append(len(block.args))
        for argument in block.args:
            head += [self._type(argument), self._attribute(argument.location)]
        return varints(head) + b"".join(self.op(op, first_value) for op in block.ops)

    def _attribute(self, attribute: Attribute) -> int:
        return self._attributes.number(text_of(attribute))

    def _type(self, value: SSAValue) -> int:
        return self._types.number(str(value.type))

    def _listed(self, numbers: Iterable[int]) -> list[int]:
        found = [*numbers]
        return [len(found), *found]

    def dialects(self) -> bytes:
        """Return the section with the names of dialects and ops."""
        names = [name.partition(".") for name in self._names.items]
        dialects = dict.fromkeys(["builtin", *(dialect for dialect, _, _ in names)])
        numbers = {dialect: n for n, dialect in enumerate(dialects)}
        data = varint(len(dialects)) + varints(map(self._strings.number, dialects))
        # A group of one name for each op keeps the order of the ops' numbers.
        for dialect, _, name in names:
            data += varints([numbers[dialect], 1, self._strings.number(name)])
        return data

    def attributes(self) -> tuple[bytes, bytes]:
        """Return two sections: the texts of attributes and types, and the lengths of the texts."""
        tables = (self._attributes.items, self._types.items)
        texts = [[text.encode() + b"\0" for text in table] for table in tables]
        offsets = varints(map(len, texts))
        for group in texts:  # of dialect 0; a text has no custom encoding
            lengths = [len(text) << 1 for text in group]
            offsets += varints([0, len(lengths), *lengths]) if lengths else b""
        return b"".join(text for group in texts for text in group), offsets

    def strings(self) -> bytes:
        """Return the section of strings."""
        texts = [text.encode() + b"\0" for text in self._strings.items]
        lengths = [len(text) for text in reversed(texts)]
        return varints([len(texts), *lengths]) + b"".join(texts)


def _number(block: Block) -> int:
    region = block.parent
    assert region is not None, "the successors of an op lie in its region"
    return region.blocks.index(block)
