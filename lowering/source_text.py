"""What the emitters of C and WGSL share: code in languages with only scalar variables.

A vector is the list of its lanes, each of which is a separate variable, because the only vector
instructions of a GPU thread are those that access memory.  The operand string of a vector consists
of the expressions of its lanes, joined by a separator.
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

Access: TypeAlias = loop.LoadOp | loop.StoreOp | simt.LoadMatrixOp | simt.MatrixDescriptorOp
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
    """Return the operand string of a vector with these lanes."""
    return _SEPARATOR.join(lanes)


def lanes_of(text: str) -> list[str]:
    """Return the expressions of an operand's lanes."""
    return text.split(_SEPARATOR)


class SourceText(LaneCode):
    """The statements of one function.

    helpers: the definitions of the functions that they call, by name.  float_comparisons: the
    pattern of each comparison of floats, by LLVM's predicate.
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
        """Append a line, indented to the current depth."""
        self.lines.append("    " * self.depth + text)

    def name(self, letter: str = "t") -> str:
        """Return a fresh name that begins with ``letter``."""
        self._count += 1
        return f"{letter}{self._count}"

    @abstractmethod
    def declaration(
        self, type_: LlvmType, name: str, expression: str, *, changes: bool = False
    ) -> str:
        """Return the declaration of a scalar variable of the type of one lane.

        changes: whether the variable is assigned later.
        Errors: LoweringError for a type that the language does not have.
        """

    def variable(self, type_: LlvmType, expression: str, *, changes: bool = False) -> str:
        """Append the declaration of a scalar variable with a value; return its name."""
        name = self.name()
        self.line(self.declaration(type_, name, expression, changes=changes))
        return name

    def _each(self, type_: LlvmType, pattern: str, *operands: str) -> str:
        """Append one variable per lane, whose value is the pattern with the operands' lanes."""
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
        """Append simultaneous assignments to variables: a value may be another of the variables."""
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
        """Return the source of an integer comparison, with placeholders for its operands."""

    @abstractmethod
    def _integer_pattern(self, opcode: str, type_: LlvmType) -> str:
        """Return the source of an integer instruction, with placeholders for its operands."""


class SourceEmitter(OpEmitter, SourceText):
    """The emitter of one kernel function.

    language: the name of the language in messages.  handlers: the handler of each type of op.
    """

    handlers: Mapping[type[Operation], Callable[[Any, Operation], None]]

    @property
    @abstractmethod
    def language(self) -> str:
        """Return the name of the language."""

    @abstractmethod
    def index_text(self, index: Index) -> str:
        """Return an index expression as code."""

    @abstractmethod
    def size_text(self, extent: Extent) -> str:
        """Return a size as code: an integer, or a size that the launch passes."""

    def indices(self, op: Access) -> list[Index]:
        """Return the index of an access in each dimension."""
        return self.decode(op.map, tuple(op.syms))

    def flat_index(self, op: Access) -> Index | None:
        """Return the flat position of an access in its buffer; None if strides are symbolic."""
        type_ = cast(MemRefType, op.mem.type)
        if DYNAMIC_INDEX in type_.get_shape():
            return None
        flat = constant(0)
        strides = row_major_strides(type_.get_shape())
        for index, stride in zip(self.indices(op), strides, strict=True):
            flat = flat + index * stride
        return flat.merge_atoms().simplify(self.range_of)

    def pad_conditions(self, op: loop.LoadOp, offset: int) -> list[str] | None:
        """Return the conditions for a lane to be inside its buffer, without those always true.

        Returns None if the buffer is empty.
        offset: the distance of the lane from the position of the access, in elements.
        """
        shape = [extent_of(dim) for dim in dims_of(cast(MemRefType, op.mem.type))]
        if 0 in shape:
            return None
        *outer, last = self.indices(op)
        positions = zip([*outer, last + offset], shape, strict=True)
        return [text for index, size in positions for text in self._inside(index, 0, size)]

    def clip_conditions(self, op: loop.StoreOp) -> list[str]:
        """Return the conditions of a clipped store, without those that always hold."""
        spans = zip(self.indices(op), op.clip_spans() or (), strict=False)
        return [text for index, (first, end) in spans for text in self._inside(index, first, end)]

    def _inside(self, index: Index, first: int, end: Extent) -> list[str]:
        """Return the conditions for an index to be in a span, without those that always hold."""
        low, high = index.range(self.range_of)
        texts = [f"{self.index_text(index)} >= {first}"] if low < first else []
        if isinstance(end, Dim) or high >= end:
            texts.append(f"{self.index_text(index)} < {self.size_text(end)}")
        return texts

    def emit_block(self, block: Block) -> None:
        """Emit the ops of a block, indented one level deeper.

        Errors: LoweringError for an op that the language cannot express.
        """
        self.depth += 1
        for op in block.ops:
            self.emit_op(op)
        self.depth -= 1

    def emit_op(self, op: Operation) -> None:
        """Emit one op.

        Errors: LoweringError for an op that the language cannot express.
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
        """Declare the variables of a serial loop's carried values, assigned at the body's end.

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
        """Emit the body of a loop, the assignments of its carried values, and the loop's end."""
        self.emit_block(op.body.block)
        self._assign_carried(op)
        self.line("}")
        for result, argument in zip(op.res, op.body.block.args[1:], strict=True):
            self.define(result, self.values[argument])

    def _assign_carried(self, op: loop.ForOp) -> None:
        """Assign the yielded values, all at once: a yielded value may be a carried one."""
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
    """Emit loop.if as an if statement."""
    assert isinstance(op, loop.IfOp)
    e.line(f"if ({e.values[op.condition]}) {{")
    e.emit_block(op.body.block)
    e.line("}")


def emit_repeat(e: SourceEmitter, op: Operation) -> None:
    """Define the lanes of loop.repeat: those of the operand, repeated."""
    assert isinstance(op, loop.RepeatOp)
    lanes = lanes_of(e.values[op.value])
    e.define(op.res, joined(lanes * (e.type_of(op.res).lanes // len(lanes))))


def emit_nothing(_e: SourceEmitter, _op: Operation) -> None:
    """Emit nothing for terminators, which their parent reads, and for prefetches, only hints."""


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
