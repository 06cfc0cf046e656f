"""The common part of the emitters of C and WGSL: statements, and variables for lanes.

lane_lists.py describes vectors as lists of lanes; here a lane is an expression or a variable.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import ClassVar, cast

from xdsl.ir import SSAValue

from ..dialects import loop
from ..dialects.shape import MOST, Dim, Extent, extent_of
from ..support.affine import Atom, Index, Key, Range
from ..support.blocks import returned
from .device_kernels import check_serial
from .lane_lists import EXTREMA, LaneKernelEmitter, LaneLists, joined, lanes_of
from .loop_to_llvm.op_emitter import Handlers
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


class SourceText(LaneLists):
    """The statements of one function.

    helpers: the definitions of the helper functions that the statements call, by name.
    float_comparisons: the pattern of each comparison of floats, by LLVM's predicate.
    depth: the number of indentations of the next line.
    """

    float_comparisons: ClassVar[Mapping[str, str]]

    def __init__(self) -> None:
        super().__init__()
        self.helpers: dict[str, str] = {}
        self.depth = 0

    @property
    def fuses_products(self) -> bool:
        return True

    def line(self, text: str) -> None:
        """Append a line, indented to the current depth."""
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def braces(self, head: str) -> Generator[None]:
        """Put the lines of the ``with`` block in braces after a head, such as ``if (a < b)``."""
        self.line(f"{head} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line("}")

    def guard(self, conditions: str) -> AbstractContextManager[None]:
        """Put the lines of the ``with`` block in an if statement.

        conditions: the condition as code; if it is empty, the lines are not put in a statement.
        """
        return self.braces(f"if ({conditions})") if conditions else nullcontext()

    @abstractmethod
    def declaration(
        self, type_: LlvmType, name: str, expression: str, *, changes: bool = False
    ) -> str:
        """Return the code that declares a scalar variable with an initial value.

        type_: a type whose lanes have the type of the variable.
        expression: the initial value as code.
        changes: whether later code assigns the variable.
        Errors: LoweringError for a type that the language does not have.
        """

    def variable(self, type_: LlvmType, expression: str, *, changes: bool = False) -> str:
        """Append the declaration of a new scalar variable with an initial value; return its name.

        type_: a type whose lanes have the type of the variable.
        expression: the initial value as code.
        changes: whether later code assigns the variable.
        """
        name = self.name()
        self.line(self.declaration(type_, name, expression, changes=changes))
        return name

    def _each(self, type_: LlvmType, pattern: str, *operands: str) -> str:
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

    def neg(self, type_: LlvmType, x: str) -> str:
        return self._each(type_, "-{0}", x)

    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", type_, a, b, c)

    def cast(self, opcode: str, x: str, source: LlvmType, target: LlvmType) -> str:
        if source.element == target.element:
            return x
        return self._each(target, self._cast_pattern(opcode, source, target), x)

    def intrinsic(self, name: str, type_: LlvmType, *operands: str) -> str:
        if name in EXTREMA:
            chosen = self._comparison(type_, EXTREMA[name])
            return self._each(type_, self.selection.format(chosen, "{0}", "{1}"), *operands)
        places = ", ".join(f"{{{number}}}" for number in range(len(operands)))
        return self._each(type_, f"{self._function(name, type_)}({places})", *operands)

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
        with self.braces("while (true)"):
            some = self.reduce_mask("or", type_, condition(names))
            self.line(f"if (!{some}) {{ break; }}")
            self.assign(names, step(names), [type_] * len(names))
        return names

    def assign(
        self, names: Sequence[str], values: Sequence[str], types: Sequence[LlvmType]
    ) -> None:
        """Append assignments that set several variables at once.

        All values are read before a variable changes.
        names: the variables; for a vector, the list of the variables of its lanes.
        values: the new values, in the same form.
        types: the type of each value.
        """
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

    @abstractmethod
    def _cast_pattern(self, opcode: str, source: LlvmType, target: LlvmType) -> str:
        """Return the source of a conversion, with a placeholder for its operand.

        opcode: the name of the conversion in LLVM, such as ``fptosi``.
        """

    @abstractmethod
    def _function(self, name: str, type_: LlvmType) -> str:
        """Return the function of the language that computes an LLVM intrinsic.

        name: the name of the intrinsic, such as ``sqrt``.  type_: the type of the result.
        """


class SourceEmitter(LaneKernelEmitter, SourceText):
    """An emitter of one kernel function in C or WGSL.

    shift_suffix: the suffix of an integer constant that is a shift amount, as the language needs
    it.
    """

    shift_suffix: ClassVar[str] = ""

    @abstractmethod
    def define_position(self, value: SSAValue, range_: Range, letter: str, text: str) -> str:
        """Append a variable that holds a value of index type, and record its name and range.

        range_: the range of the value.  letter: the first letter of the variable's name.  text: the
        value as code.  Returns the name of the variable.
        """

    @abstractmethod
    def loop_head(self, op: loop.ForOp) -> str:
        """Return the head of a for statement; record the name of the loop variable."""

    @abstractmethod
    def size_text(self, extent: Extent) -> str:
        """Return a static or symbolic size as code."""

    # ---- index expressions

    @abstractmethod
    def _variable_text(self, value: SSAValue, *, is_wide: bool) -> str:
        """Return a value of index type as code that an index expression can use.

        is_wide: whether the index expression is computed in integers of 64 bits.
        """

    @abstractmethod
    def _floor_helper(self, kind: str) -> str:
        """Return the name of a helper function, and add its definition to the program.

        kind: what the function computes, ``floordiv`` or ``mod``.
        """

    def _is_wide(self, index: Index) -> bool:
        """Return whether an index expression is computed in integers of 64 bits; false here."""
        return False

    def index_text(self, index: Index) -> str:
        """Return an index expression as code.

        Errors: LoweringError for an expression that is known to exceed the language's integers.
        """
        is_wide = self._is_wide(index)
        terms = [self._term(key, factor, is_wide) for key, factor in index.terms.items()]
        if index.const or not terms:
            terms.append(str(index.const))
        return " + ".join(terms).replace("+ -", "- ")

    def _term(self, key: Key, factor: int, is_wide: bool) -> str:
        if isinstance(key, Atom):
            text = self._atom(key)
        else:
            text = self._variable_text(cast(SSAValue, key), is_wide=is_wide)
        return text if factor == 1 else f"{text} * {factor}"

    def _atom(self, atom: Atom) -> str:
        """Return an atom of an index expression, a floordiv or mod, as code.

        If the divisor is a power of 2, the code is a shift or a mask, which rounds down for
        negative values, too.
        """
        x, divisor = f"({self.index_text(atom.operand)})", atom.divisor
        is_quotient = atom.kind == "floordiv"
        if atom.operand.range(self.range_of)[0] >= 0:
            return f"({x} {'/' if is_quotient else '%'} {divisor})"
        if divisor & (divisor - 1) == 0:
            shift = f"{divisor.bit_length() - 1}{self.shift_suffix}"
            return f"({x} >> {shift})" if is_quotient else f"({x} & {divisor - 1})"
        return f"{self._floor_helper(atom.kind)}({x}, {divisor})"

    def _inside(self, index: Index, first: int, end: Extent) -> list[str]:
        low, high = index.range(self.range_of)
        texts = [f"{self.index_text(index)} >= {first}"] if low < first else []
        if isinstance(end, Dim) or high >= end:
            texts.append(f"{self.index_text(index)} < {self.size_text(end)}")
        return texts

    # ---- loops

    def begin_carried(self, op: loop.ForOp) -> None:
        """Declare a variable with the initial value for each carried value of a loop."""
        for argument, init in zip(op.body.block.args[1:], op.inits, strict=True):
            type_, texts = self.type_of(argument), lanes_of(self.values[init])
            self.define(argument, joined([self.variable(type_, x, changes=True) for x in texts]))

    def emit_body(self, op: loop.ForOp) -> None:
        """Emit the body of a loop; at its end, assign the next values of the carried values.

        `begin_carried` has declared the variables of the carried values.
        """
        self.emit_block(op.body.block)
        yielded = returned(op.body.block)
        carried = op.body.block.args[1:]
        self.assign(
            [self.values[argument] for argument in carried],
            [self.values[value] for value in yielded],
            [self.type_of(argument) for argument in carried],
        )
        for result, argument in zip(op.res, carried, strict=True):
            self.define(result, self.values[argument])


def emit_for(e: SourceEmitter, op: loop.ForOp) -> None:
    """Emit loop.for; carried values are variables that the end of the body assigns.

    Errors: LoweringError for a loop that is bound to threads, or parallel.
    """
    check_serial(op)
    e.begin_carried(op)
    with e.braces(e.loop_head(op)):
        e.emit_body(op)


def emit_if(e: SourceEmitter, op: loop.IfOp) -> None:
    """Emit loop.if as an if statement."""
    with e.guard(e.values[op.condition]):
        e.emit_block(op.body.block)


def emit_size(e: SourceEmitter, op: loop.SizeOp) -> None:
    """Emit loop.size as a variable."""
    e.define_position(op.res, op.dim.range(MOST), "n", e.size_text(extent_of(op.dim)))


CONTROL_HANDLERS: Handlers = {loop.ForOp: emit_for, loop.IfOp: emit_if, loop.SizeOp: emit_size}
