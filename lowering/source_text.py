"""Text of languages whose variables are scalars: what the emitters of C and WGSL share.

A vector is the list of its lanes: each lane is a variable of its own, because a thread of a GPU has
no vector instructions but those that access memory. The operand text of a vector is the texts of
its lanes, joined.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Block, Operation

from ..analysis.strides import row_major_strides
from ..dialects import loop, simt
from ..dialects.shape import Dim, Extent, dims_of, extent_of
from ..support.affine import Index, constant
from ..support.diagnostics import LoweringError
from .loop_to_llvm.lane_code import LaneCode
from .loop_to_llvm.op_emitter import OpEmitter
from .loop_to_llvm.types import LlvmType

Access: TypeAlias = loop.LoadOp | loop.StoreOp | simt.LoadMatrixOp
_SEPARATOR = "; "
_FLOAT_OPERATORS = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/"}
OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<",
    "lshr": ">>", "udiv": "/", "urem": "%",
}  # fmt: skip
SIGNED_OPERATORS = {"sdiv": "/", "srem": "%", "ashr": ">>"}
COMPARISONS = {
    "eq": "==", "ne": "!=", "ugt": ">", "uge": ">=", "ult": "<", "ule": "<=", "sgt": ">",
    "sge": ">=", "slt": "<", "sle": "<=",
}  # fmt: skip
EXTREMA = {"smax": "sgt", "smin": "slt", "umax": "ugt", "umin": "ult"}
"""Extrema of integers, and the comparisons that choose the first operand."""


def joined(lanes: Sequence[str]) -> str:
    """Return the operand text of a vector."""
    return _SEPARATOR.join(lanes)


def lanes_of(text: str) -> list[str]:
    """Return the texts of the lanes of an operand."""
    return text.split(_SEPARATOR)


class SourceText(LaneCode):
    """Statements of one function; helpers: functions that they call, by name.

    float_comparisons: patterns of the comparisons of floats, by LLVM's predicates.
    """

    float_comparisons: ClassVar[Mapping[str, str]]

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.helpers: dict[str, str] = {}
        self.depth = 1
        self._count = 0

    @property
    def has_rounding(self) -> bool:
        return True

    @property
    def fuses_products(self) -> bool:
        return True

    @property
    def rounds_to_integer(self) -> bool:
        return True

    @property
    def converts_half(self) -> bool:
        return False

    def line(self, text: str) -> None:
        """Append a line."""
        self.lines.append("    " * self.depth + text)

    def name(self, letter: str = "t") -> str:
        """Return a fresh name."""
        self._count += 1
        return f"{letter}{self._count}"

    @abstractmethod
    def declaration(
        self, type_: LlvmType, name: str, expression: str, *, changes: bool = False
    ) -> str:
        """Return the declaration of a scalar of the type of a lane; changes: it is assigned later.

        Errors: LoweringError for a type that the language does not have.
        """

    def variable(self, type_: LlvmType, expression: str, *, changes: bool = False) -> str:
        """Append a declaration of a scalar with a value; return its name."""
        name = self.name()
        self.line(self.declaration(type_, name, expression, changes=changes))
        return name

    def _each(self, type_: LlvmType, pattern: str, *operands: str) -> str:
        """Append a variable per lane: a pattern with the lanes of the operands."""
        lanes = zip(*map(lanes_of, operands), strict=True)
        return joined([self.variable(type_, pattern.format(*lane)) for lane in lanes])

    def binary(self, opcode: str, type_: LlvmType, lhs: str, rhs: str) -> str:
        kind, _, predicate = opcode.partition(" ")
        if kind == "fcmp":
            return self._each(type_.mask, self.float_comparisons[predicate], lhs, rhs)
        if kind == "icmp":
            return self._each(type_.mask, self._comparison(type_, predicate), lhs, rhs)
        if opcode in _FLOAT_OPERATORS:
            return self._each(type_, f"{{0}} {_FLOAT_OPERATORS[opcode]} {{1}}", lhs, rhs)
        return self._each(type_, self._integer_pattern(opcode, type_), lhs, rhs)

    def repeat(
        self,
        type_: LlvmType,
        values: Sequence[str],
        condition: Callable[[list[str]], str],
        step: Callable[[list[str]], list[str]],
    ) -> list[str]:
        names = [
            joined([self.variable(type_, x, changes=True) for x in lanes_of(value)])
            for value in values
        ]
        self.line("while (true) {")
        self.depth += 1
        some = self.reduce_mask("or", type_, condition(names))
        self.line(f"if (!{some}) {{ break; }}")
        self.assign(names, step(names), [type_] * len(names))
        self.depth -= 1
        self.line("}")
        return names

    def assign(
        self, names: Sequence[str], values: Sequence[str], types: Sequence[LlvmType]
    ) -> None:
        """Append assignments to variables, all at once: a value may be another variable."""
        rows = [
            (name, value, type_)
            for variables, texts, type_ in zip(names, values, types, strict=True)
            for name, value in zip(lanes_of(variables), lanes_of(texts), strict=True)
        ]
        assigned = {name for name, _, _ in rows}
        sources = list[str]()
        for name, value, type_ in rows:
            if value in assigned and value != name:
                copy = self.name()
                self.line(self.declaration(type_, copy, value))
                value = copy
            sources.append(value)
        for (name, _, _), source in zip(rows, sources, strict=True):
            if name != source:
                self.line(f"{name} = {source};")

    def reduce_mask(self, kind: str, type_: LlvmType, x: str) -> str:
        operator = " && " if kind == "and" else " || "
        return self.variable(type_.mask, operator.join(lanes_of(x)))

    def splat(self, type_: LlvmType, x: str) -> str:
        return joined([x] * type_.lanes)

    def pack(self, type_: LlvmType, scalars: Sequence[str]) -> str:
        return joined(scalars)

    def extract(self, type_: LlvmType, x: str, lane: int) -> str:
        return lanes_of(x)[lane]

    def part(self, type_: LlvmType, x: str, start: int, count: int) -> str:
        return joined(lanes_of(x)[start : start + count])

    def shuffle(self, type_: LlvmType, a: str, b: str, lanes: Sequence[int]) -> str:
        both = [*lanes_of(a), *lanes_of(b)]
        return joined([both[lane] for lane in lanes])

    def from_half(self, source: LlvmType, x: str) -> str:
        raise AssertionError("halves are converted by integer arithmetic")

    def to_half(self, target: LlvmType, x: str) -> str:
        raise AssertionError("halves are converted by integer arithmetic")

    @abstractmethod
    def _comparison(self, type_: LlvmType, predicate: str) -> str:
        """Return the pattern of a comparison of integers."""

    @abstractmethod
    def _integer_pattern(self, opcode: str, type_: LlvmType) -> str:
        """Return the pattern of an instruction on integers."""


class SourceEmitter(OpEmitter, SourceText):
    """The emitter of one kernel function.

    language: as messages name it.  handlers: by the type of an op.
    """

    handlers: Mapping[type[Operation], Callable[[Any, Operation], None]]

    @property
    @abstractmethod
    def language(self) -> str:
        """Return the name of the language."""

    @abstractmethod
    def index_text(self, index: Index) -> str:
        """Return a position as an expression."""

    @abstractmethod
    def size_text(self, extent: Extent) -> str:
        """Return a size as an expression: a number, or one that a launch passes."""

    def indices(self, op: Access) -> list[Index]:
        """Return the index of an access in each dimension."""
        return self.decode(op.map, tuple(op.syms))

    def flat_index(self, op: Access) -> Index | None:
        """Return the position of an access in its buffer; None for symbolic strides."""
        type_ = cast(MemRefType, op.mem.type)
        if DYNAMIC_INDEX in type_.get_shape():
            return None
        flat = constant(0)
        strides = row_major_strides(type_.get_shape())
        for index, stride in zip(self.indices(op), strides, strict=True):
            flat = flat + index * stride
        return flat.merge_atoms().simplify(self.range_of)

    def pad_conditions(self, op: loop.LoadOp, offset: int) -> list[str] | None:
        """Return the conditions, but those known to hold, for a lane to lie inside its buffer.

        offset: elements of the lane behind the position of the access. None: the buffer is empty.
        """
        shape = [extent_of(dim) for dim in dims_of(cast(MemRefType, op.mem.type))]
        if 0 in shape:
            return None
        *outer, last = self.indices(op)
        positions = zip([*outer, last + offset], shape, strict=True)
        return [text for index, size in positions for text in self._inside(index, 0, size)]

    def clip_conditions(self, op: loop.StoreOp) -> list[str]:
        """Return the conditions of a clipped store, but those known to hold."""
        spans = zip(self.indices(op), op.clip_spans() or (), strict=False)
        return [text for index, (first, end) in spans for text in self._inside(index, first, end)]

    def _inside(self, index: Index, first: int, end: Extent) -> list[str]:
        """Return the conditions, but those known to hold, for a position to lie in a span."""
        low, high = index.range(self.range_of)
        texts = [f"{self.index_text(index)} >= {first}"] if low < first else []
        if isinstance(end, Dim) or high >= end:
            texts.append(f"{self.index_text(index)} < {self.size_text(end)}")
        return texts

    def emit_block(self, block: Block) -> None:
        """Emit the ops of a block, one level deeper.

        Errors: LoweringError for an op without source.
        """
        self.depth += 1
        for op in block.ops:
            self.emit_op(op)
        self.depth -= 1

    def emit_op(self, op: Operation) -> None:
        """Emit one op.

        Errors: LoweringError for an op without source.
        """
        handler = self.handlers.get(type(op))
        if handler is None:
            raise LoweringError(
                f"no {self.language} source for this op",
                got=op.name,
                hint="schedule the kernel without the step that makes the op",
            ).at(op)
        handler(self, op)

    def begin_carried(self, op: loop.ForOp) -> None:
        """Declare the values that a serial loop carries, which the end of its body assigns.

        Errors: LoweringError for a loop that is bound to threads, or parallel.
        """
        if op.thread or op.kind.data != "serial":
            raise LoweringError(
                "a thread of a GPU runs serial loops only",
                got=op.thread.data if op.thread else "a parallel loop",
                hint="run the passes of map-threads first",
            ).at(op)
        for argument, init in zip(op.body.block.args[1:], op.inits, strict=True):
            type_, texts = self.type_of(argument), lanes_of(self.values[init])
            self.define(argument, joined([self.variable(type_, x, changes=True) for x in texts]))

    def emit_body(self, op: loop.ForOp) -> None:
        """Emit the body of a loop, which assigns what it carries, and the end of the loop."""
        self.emit_block(op.body.block)
        self._assign_carried(op)
        self.line("}")
        for result, argument in zip(op.res, op.body.block.args[1:], strict=True):
            self.define(result, self.values[argument])

    def _assign_carried(self, op: loop.ForOp) -> None:
        """Assign what the body yields, all at once: a yielded value may be a carried one."""
        yielded = cast(loop.YieldOp, op.body.block.last_op).values
        carried = op.body.block.args[1:]
        self.depth += 1
        self.assign(
            [self.values[argument] for argument in carried],
            [self.values[value] for value in yielded],
            [self.type_of(argument) for argument in carried],
        )
        self.depth -= 1


def emit_if(e: SourceEmitter, op: Operation) -> None:
    """Emit loop.if."""
    assert isinstance(op, loop.IfOp)
    e.line(f"if ({e.values[op.condition]}) {{")
    e.emit_block(op.body.block)
    e.line("}")


def emit_repeat(e: SourceEmitter, op: Operation) -> None:
    """Emit loop.repeat: the lanes, several times."""
    assert isinstance(op, loop.RepeatOp)
    lanes = lanes_of(e.values[op.value])
    e.define(op.res, joined(lanes * (e.type_of(op.res).lanes // len(lanes))))


def emit_nothing(_e: SourceEmitter, _op: Operation) -> None:
    """Emit nothing: terminators are read by their parent, prefetches are hints."""


__all__ = [
    "COMPARISONS",
    "EXTREMA",
    "OPERATORS",
    "SIGNED_OPERATORS",
    "Access",
    "SourceEmitter",
    "SourceText",
    "emit_if",
    "emit_nothing",
    "emit_repeat",
    "joined",
    "lanes_of",
]
