"""The parts that the emitters of C and WGSL have in common: statements, one variable per lane.

lane_lists.py describes vectors as lists of lanes; here a lane is an expression or a variable.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, cast

from xdsl.ir import Block

from ..dialects import loop
from ..dialects.shape import Dim, Extent
from ..support.affine import Index
from .lane_lists import LaneKernelEmitter, LaneLists, joined, lanes_of
from .loop_to_llvm.types import LlvmType

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


class SourceText(LaneLists):
    """The statements of one function.

    helpers: the definitions of the functions that they call, by name.  float_comparisons: the
    pattern of each comparison of floats, by LLVM's predicate.
    """

    float_comparisons: ClassVar[Mapping[str, str]]

    def __init__(self) -> None:
        super().__init__()
        self.helpers: dict[str, str] = {}
        self.depth = 1

    @property
    def fuses_products(self) -> bool:
        return True

    def line(self, text: str) -> None:
        """Append a line, indented to the current depth."""
        self.lines.append("    " * self.depth + text)

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
        """Append one variable per lane.

        Its value is ``pattern`` filled with the lane's operands.
        """
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
        """Append assignments to variables; all values are read before the first assignment."""
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

    @abstractmethod
    def _comparison(self, type_: LlvmType, predicate: str) -> str:
        """Return the source of an integer comparison, with placeholders for its operands.

        predicate: the predicate of LLVM's icmp, such as ``slt``.
        """

    @abstractmethod
    def _integer_pattern(self, opcode: str, type_: LlvmType) -> str:
        """Return the source of an integer instruction, with placeholders for its operands.

        opcode: the name of the instruction in LLVM, such as ``add``.
        """


class SourceEmitter(LaneKernelEmitter, SourceText):
    """The emitter of one kernel function."""

    @abstractmethod
    def index_text(self, index: Index) -> str:
        """Return an index expression as code."""

    @abstractmethod
    def size_text(self, extent: Extent) -> str:
        """Return a size as code: an integer, or a size that the launch passes."""

    def _inside(self, index: Index, first: int, end: Extent) -> list[str]:
        low, high = index.range(self.range_of)
        texts = [f"{self.index_text(index)} >= {first}"] if low < first else []
        if isinstance(end, Dim) or high >= end:
            texts.append(f"{self.index_text(index)} < {self.size_text(end)}")
        return texts

    def emit_block(self, block: Block) -> None:
        """Emit the ops of a block, indented one level deeper.

        errors: as `LaneKernelEmitter`.
        """
        self.depth += 1
        super().emit_block(block)
        self.depth -= 1

    def begin_carried(self, op: loop.ForOp) -> None:
        """Declare a variable with the initial value for each carried value of a serial loop.

        `emit_body` assigns the next values to these variables at the end of the loop body.

        Errors: LoweringError for a loop that is bound to threads, or parallel.
        """
        self.check_serial(op)
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
        """Assign the yielded values to the variables of carried values.

        All values are read first, because a yielded value may be another carried value.
        """
        yielded = cast(loop.YieldOp, op.body.block.last_op).values
        carried = op.body.block.args[1:]
        self.depth += 1
        self.assign(
            [self.values[argument] for argument in carried],
            [self.values[value] for value in yielded],
            [self.type_of(argument) for argument in carried],
        )
        self.depth -= 1


def emit_if(e: SourceEmitter, op: loop.IfOp) -> None:
    """Emit loop.if as an if statement."""
    e.line(f"if ({e.values[op.condition]}) {{")
    e.emit_block(op.body.block)
    e.line("}")


__all__ = [
    "COMPARISONS",
    "EXTREMA",
    "OPERATORS",
    "SIGNED_OPERATORS",
    "SourceEmitter",
    "SourceText",
    "emit_if",
]
