"""The first structural difference of two programs, with the path of the op that has it.

In: two operations of any dialect. Out: the first difference, in the order of the printed IR; None
if they are structurally equivalent (names of values and locations do not count).
Each op, block and operand is visited once, without recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.builtin import StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from ..support.blocks import enclosing

_ABSENT = "(absent)"
_Part: TypeAlias = "tuple[str, str, str]"
"""A part of an op that differs: what it is, and its texts in the first and the second program."""
_Pair: TypeAlias = "tuple[Operation, Operation]"


@dataclass(frozen=True)
class Difference:
    """The first difference of two programs.

    path: for each op from the root to the op that differs, or in whose regions the difference is:
    the number of the op in its block, its name, and its symbol.
    what: the part of that op that differs, such as ``operand 1`` or ``property 'm'``.
    before, after: that part in the first and in the second program.
    op: that op of the first program.

    >>> print(tilewright.ir.diff(before, after))
    builtin.module / 0: func.func @main / 1: graph.tanh: name of the op
        before: graph.tanh
        after: graph.exp
    """

    path: str
    what: str
    before: str
    after: str
    op: Operation = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.path}: {self.what}\n    before: {self.before}\n    after: {self.after}"


def diff(before: Operation, after: Operation) -> Difference | None:
    """Return the first structural difference of two operations; None if there is none.

    The order is that of the printed IR: an op, then the ops in its regions, then the next op.
    """
    comparison = _Comparison()
    comparison.pair_values(before.results, after.results)
    pending: list[_Pair | Difference] = [(before, after)]  # the next one is the last
    while pending:
        found = pending.pop()
        if isinstance(found, Difference):
            return found
        one, other = found
        part = next(comparison.parts(one, other), None)
        if part is not None:
            return _difference(one, part)
        nested = [
            item
            for number, regions in enumerate(zip(one.regions, other.regions, strict=True))
            for item in comparison.blocks_of(one, number, *regions)
        ]
        pending += reversed(nested)
    return None


@dataclass
class _Comparison:
    """The comparison of two programs: which values and blocks correspond to each other.

    values: for each value of the first program, the value of the second one.
    blocks: for each block of the first program, the block of the second one.
    """

    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    blocks: dict[Block, Block] = field(default_factory=dict[Block, Block])

    def pair_values(self, ones: Sequence[SSAValue], others: Sequence[SSAValue]) -> None:
        self.values.update(zip(ones, others, strict=False))

    def parts(self, one: Operation, other: Operation) -> Iterator[_Part]:
        """Yield the parts in which two ops differ, such as the name, an operand or a property.

        Of the regions only the number counts; their blocks are not compared.
        """
        if op_name(one) != op_name(other):
            yield "name of the op", op_name(one), op_name(other)
        for name in ("operands", "results", "successors", "regions"):
            count, others = len(getattr(one, name)), len(getattr(other, name))
            if count != others:
                yield f"number of {name}", str(count), str(others)
        for n, (value, found) in enumerate(zip(one.operands, other.operands, strict=True)):
            # A value that neither program defines corresponds to itself.
            if self.values.get(value, value) is not found:
                yield f"operand {n}", describe(value), describe(found)
        for n, (result, found) in enumerate(zip(one.results, other.results, strict=True)):
            if result.type != found.type:
                yield f"type of result {n}", str(result.type), str(found.type)
        yield from _of_dictionaries("property", one.properties, other.properties)
        yield from _of_dictionaries("attribute", one.attributes, other.attributes)
        for n, (block, found) in enumerate(zip(one.successors, other.successors, strict=True)):
            if self.blocks.get(block, block) is not found:
                yield f"successor {n}", _number(block), _number(found)

    def blocks_of(
        self, op: Operation, number: int, one: Region, other: Region
    ) -> Iterator[_Pair | Difference]:
        """Compare the blocks of two regions, and yield the pairs of ops at equal positions.

        If the blocks differ in number, in arguments or in the number of ops, a difference is
        yielded, and the iterator ends.
        op: the op of the first program that has region ``one``.
        number: the number of the region in this op.
        """
        place = f"region {number}"
        counts = (len(one.blocks), len(other.blocks))
        if counts[0] != counts[1]:
            what = f"number of blocks of {place}"
            yield _difference(op, (what, str(counts[0]), str(counts[1])))
            return
        self.blocks.update(zip(one.blocks, other.blocks, strict=True))
        for block, found in zip(one.blocks, other.blocks, strict=True):
            self.pair_values(block.args, found.args)
            for left, right in zip(block.ops, found.ops, strict=False):
                self.pair_values(left.results, right.results)
        for n, (block, found) in enumerate(zip(one.blocks, other.blocks, strict=True)):
            where = place if len(one.blocks) == 1 else f"block {n} of {place}"
            types, others = ([arg.type for arg in each.args] for each in (block, found))
            if types != others:
                texts = [f"({', '.join(map(str, each))})" for each in (types, others)]
                yield _difference(op, (f"arguments of {where}", texts[0], texts[1]))
                return
            yield from zip(block.ops, found.ops, strict=False)
            end = min(len(block.ops), len(found.ops))
            if len(block.ops) != len(found.ops):
                part = (f"op {end} of {where}", _op_at(block, end), _op_at(found, end))
                yield _difference(op, part)
                return


def _of_dictionaries(
    kind: str, one: Mapping[str, Attribute], other: Mapping[str, Attribute]
) -> Iterator[_Part]:
    for key in dict.fromkeys([*one, *other]):
        left, right = one.get(key), other.get(key)
        if left != right:
            texts = [_ABSENT if each is None else str(each) for each in (left, right)]
            if texts[0] == texts[1]:  # two attributes of different classes have the same text
                texts = [f"{each} ({type(each).__name__})" for each in (left, right)]
            yield f"{kind} {key!r}", texts[0], texts[1]


def _difference(op: Operation, part: _Part) -> Difference:
    return Difference(path_of(op), *part, op)


def op_name(op: Operation) -> str:
    """Return the name of an op, even if no dialect registers the op."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def path_of(op: Operation) -> str:
    """Return the path from the root to an op: the number in the block, name and symbol of each."""
    labels: list[str] = []
    for found in (op, *enclosing(op)):
        block = found.parent_block()
        number = "" if block is None else f"{block.get_operation_index(found)}: "
        symbol = found.properties.get("sym_name", found.attributes.get("sym_name"))
        name = f" @{symbol.data}" if isinstance(symbol, StringAttr) else ""
        labels.append(f"{number}{op_name(found)}{name}")
    return " / ".join(reversed(labels))


def describe(value: SSAValue) -> str:
    """Return a text that identifies a value: its name if it has one, and its definition."""
    name = f"%{value.name_hint}, " if value.name_hint else ""
    if isinstance(value, OpResult):
        op = value.owner
        block = op.parent_block()
        number = "" if block is None else f"op {block.get_operation_index(op)}, "
        return f"{name}result {value.index} of {number}{op_name(op)}"
    if isinstance(value, BlockArgument):
        op = value.owner.parent_op()
        return f"{name}argument {value.index} of {'a block' if op is None else op_name(op)}"
    return f"{name}a value without a definition"


def _number(block: Block) -> str:
    region = block.parent
    return "a block without a region" if region is None else f"block {region.blocks.index(block)}"


def _op_at(block: Block, number: int) -> str:
    ops = list(block.ops)
    return op_name(ops[number]) if number < len(ops) else _ABSENT
