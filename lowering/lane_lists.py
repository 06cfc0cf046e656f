"""The common part of emitters for scalar languages: vectors as lists of lanes, and kernels.

In: ops of the simt level. Out: calls of `LaneCode`, whose operands are strings. A vector is the
list of its lanes, each of which is a separate value, because the only vector instructions of a GPU
thread are those that access memory. The printed operand of a vector consists of the operands of its
lanes, joined by a separator. source_text.py adds statements, for C and WGSL.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, VectorType
from xdsl.ir import Block, Operation, SSAValue

from ..analysis.strides import flat_address, symbolic_strides
from ..dialects import loop, simt
from ..dialects.shape import Extent, dims_of, extent_of
from ..support.affine import I32, Index, Key, Range, fits_i32
from ..support.diagnostics import LoweringError
from .loop_to_llvm import arithmetic, math_table
from .loop_to_llvm.arithmetic import emit_conversion
from .loop_to_llvm.lane_code import LaneCode
from .loop_to_llvm.op_emitter import Handlers, OpEmitter, emit_nothing
from .loop_to_llvm.types import LlvmType

Access: TypeAlias = loop.LoadOp | loop.StoreOp | simt.LoadMatrixOp | simt.MatrixDescriptorOp
_SEPARATOR = "; "


def joined(lanes: Sequence[str]) -> str:
    """Return the printed operand of a vector with these lanes."""
    return _SEPARATOR.join(lanes)


def lanes_of(text: str) -> list[str]:
    """Return the printed operands of the lanes of a vector."""
    return text.split(_SEPARATOR)


class LaneType(LlvmType):
    """A scalar or vector type whose constants are lists of lanes."""

    __slots__ = ()

    def const(self, value: float) -> str:
        return joined([self.scalar_const(value)] * self.lanes)

    def lane_constants(self, values: list[float]) -> str:
        return joined([self.scalar_const(value) for value in values])

    def first_lanes(self, count: int) -> str:
        return joined([self.mask.scalar_const(lane < count) for lane in range(self.lanes)])


EXTREMA = {"smax": "sgt", "smin": "slt", "umax": "ugt", "umin": "ult"}
"""Extrema of integers, and the comparisons that choose the first operand."""


class LaneLists(LaneCode):
    """The code of one function, with vectors as lists of lanes.

    selection: the pattern of the code that selects between two lanes: {0} is the condition, {1} the
    value if it holds, {2} the value otherwise.
    """

    selection: ClassVar[str]

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    @property
    def has_rounding(self) -> bool:
        return True

    @property
    def rounds_to_integer(self) -> bool:
        return True

    @property
    def converts_half(self) -> bool:
        return False

    def name(self, letter: str = "t") -> str:
        """Return a fresh name that begins with ``letter``."""
        self._count += 1
        return f"{letter}{self._count}"

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

    def select(
        self, condition: str, type_: LlvmType, lhs: str, rhs: str, *, mask: LlvmType | None = None
    ) -> str:
        if mask is not None and mask.lanes < type_.lanes:
            condition = self.splat(type_.mask, condition)
        return self._each(type_, self.selection, condition, lhs, rhs)

    @abstractmethod
    def _each(self, type_: LlvmType, pattern: str, *operands: str) -> str:
        """Append the code of each lane: ``pattern``, with the lane's operands in its placeholders.

        operands: the printed operands, each a vector of the lanes of ``type_``.  Returns the
        printed operand of the result, which has the type ``type_``.
        """

    def from_half(self, source: LlvmType, x: str) -> str:
        raise AssertionError("halves are converted by integer arithmetic")

    def to_half(self, target: LlvmType, x: str) -> str:
        raise AssertionError("halves are converted by integer arithmetic")


class LaneKernelEmitter(OpEmitter, LaneLists):
    """An emitter of one kernel function for a language without vectors.

    handlers: the function that emits an op, by the type of the op.
    """

    handlers: Handlers

    @property
    @abstractmethod
    def language(self) -> str:
        """The name of the language in error messages."""

    @abstractmethod
    def _inside(self, index: Index, first: int, end: Extent) -> list[str]:
        """Return the conditions for ``first <= index < end`` as code.

        The list leaves out conditions that always hold.
        """

    def flat_index(self, op: Access) -> Index | None:
        """Return the flat position of an access in its buffer; None if strides are symbolic."""
        shape = cast(MemRefType, op.mem.type).get_shape()
        if DYNAMIC_INDEX in shape:
            return None
        return flat_address(self.indices(op), shape).simplify(self.range_of)

    def strided_indices(self, op: Access) -> Iterator[tuple[Index, Extent]]:
        """Yield the index of an access in each dimension of its buffer, and the dimension's stride.

        The sum of the products of these pairs is the flat position of the access.
        """
        strides = symbolic_strides(dims_of(cast(MemRefType, op.mem.type)))
        return zip(self.indices(op), map(extent_of, strides), strict=True)

    def pad_conditions(self, op: loop.LoadOp, offset: int) -> list[str] | None:
        """Return the conditions under which a lane of a padded load is inside the buffer, as code.

        The list leaves out conditions that always hold. None: the buffer is empty, so no lane is
        inside.
        offset: the distance in elements between the lane and the position of the access.
        """
        shape = [extent_of(dim) for dim in dims_of(cast(MemRefType, op.mem.type))]
        if 0 in shape:
            return None
        *outer, last = self.indices(op)
        positions = zip([*outer, last + offset], shape, strict=True)
        return [text for index, size in positions for text in self._inside(index, 0, size)]

    def clip_conditions(self, op: loop.StoreOp) -> list[str]:
        """Return the conditions under which a clipped store writes, as code.

        A clipped store writes only if its indices are inside given ranges.  The list leaves out
        conditions that always hold.
        """
        spans = zip(self.indices(op), op.clip_spans() or (), strict=False)
        return [text for index, (first, end) in spans for text in self._inside(index, first, end)]

    def offsets(self, op: loop.LoadOp | loop.StoreOp) -> list[int]:
        """Return the distances of the accessed lanes from the position of an access.

        They count elements.  A partial access has fewer lanes than its vector; the list has only
        the accessed lanes.
        """
        return [lane * op.step for lane in range(op.active_lanes)]

    def define_loaded(self, op: loop.LoadOp, values: Sequence[str]) -> None:
        """Define the result of a load as a vector of these lanes.

        values: the loaded lanes in the form in which memory stores them. If the result has more
        lanes, the other lanes are zeros.
        """
        type_ = self.type_of(op.res)
        held = type_.held
        zeros = [held.scalar.scalar_const(0)] * (type_.lanes - len(values))
        x = joined([*values, *zeros])
        is_stored = held is type_
        self.define(op.res, x if is_stored else self.binary("icmp ne", held, x, held.const(0)))

    def emit_block(self, block: Block) -> None:
        """Emit the ops of a block.

        Errors: LoweringError for an op that the language cannot express.
        """
        for op in block.ops:
            self.emit_op(op)

    def emit_op(self, op: Operation) -> None:
        """Emit one op by the handler of its type.

        Errors: LoweringError for an op that the language cannot express.
        """
        handler = self.handlers.get(type(op))
        if handler is None:
            raise self.unsupported(op)
        handler(self, op)

    def unsupported(
        self, op: Operation, hint: str = "schedule the kernel without the step that makes the op"
    ) -> LoweringError:
        """Return the error for an op that the language cannot express."""
        error = LoweringError(f"no {self.language} source for this op", got=op.name, hint=hint)
        return error.at(op)


Lane = TypeVar("Lane", bound=LaneType)


class NarrowPositions(LaneKernelEmitter, Generic[Lane]):
    """A kernel emitter for a language whose positions are 32-bit integers.

    A position that may exceed them is an error if its range is known.  Sizes that are known only at
    run time are parameters of the launch, which the host computes and checks.
    lane_type: the class of the types of the language.
    positions: the names of values of index type, except results of arithmetic.
    numbers: the parameter of each size that a launch passes.
    folds_grid: whether the block index along x is computed from the ids along x and y.
    shared_bytes: the bytes of the block's shared arrays so far.
    """

    lane_type: ClassVar[type[LaneType]]

    def __init__(self, *, strict_math: bool = False) -> None:
        OpEmitter.__init__(self, strict_math=strict_math)
        LaneLists.__init__(self)
        self.positions: dict[SSAValue, str] = {}
        self.numbers: dict[Extent, str] = {}
        self.folds_grid, self.shared_bytes = False, 0
        self._open: set[Key] = set()

    def type_of(self, value: SSAValue) -> Lane:
        attribute, lanes = value.type, 1
        if isinstance(attribute, VectorType):
            lanes, attribute = attribute.get_shape()[0], attribute.get_element_type()
        if isinstance(attribute, IndexType):
            return cast(Lane, self.lane_type.made("i32", lanes))
        found = super().type_of(value)
        return cast(Lane, self.lane_type.made(found.format, found.lanes))

    @abstractmethod
    def position_of_long(self, type_: LlvmType, x: str) -> str:
        """Append a conversion of 64-bit integers to positions, saturated to the range of i32.

        type_: the type of the positions.  x: the integers.
        """

    def check_shared(self, most: int, rule: str) -> None:
        """Check that the shared arrays of a block fit into the shared memory.

        most: the size of the shared memory in bytes.  rule: the first line of the error, which
        states the violated rule.
        Errors: LoweringError if the arrays need more bytes.
        """
        if self.shared_bytes > most:
            raise LoweringError(
                rule,
                expected=f"at most {most} bytes",
                got=f"{self.shared_bytes} bytes",
                hint="use smaller tiles, or set -shared-kib= of the target",
            )

    def record_position(self, value: SSAValue, range_: Range, name: str) -> None:
        """Record the name and the range of a value of index type.

        Later checks (`check_range`) skip expressions over a value whose range exceeds 32 bits.
        """
        self.positions[value], self.ranges[value] = name, range_
        if not fits_i32(range_):
            self._open.add(value)

    def check_range(self, index: Index) -> None:
        """Check that an index expression fits into 32 bits, including its parts (`parts_of`).

        Expressions over values of unknown range are not checked.
        Errors: LoweringError for an expression whose range exceeds 32 bits.
        """
        for part in parts_of(index):
            if any(key in self._open or key not in self.ranges for key in part.variables()):
                continue
            low, high = part.range(self.range_of)
            if not fits_i32((low, high)):
                raise LoweringError(
                    f"{self.language} has no integer for this position",
                    expected=f"positions of {I32[0]} to {I32[1]}",
                    got=f"{low} to {high}",
                    hint="compute on smaller arrays",
                )


def parts_of(index: Index) -> list[Index]:
    """Return an index expression and, recursively, the operands of its floordivs and mods."""
    return [index, *(atom.operand for atom in index.atoms())]


def emit_repeat(e: LaneKernelEmitter, op: loop.RepeatOp) -> None:
    """Define the lanes of loop.repeat: the lanes of the operand, repeated."""
    lanes = lanes_of(e.values[op.value])
    e.define(op.res, joined(lanes * (e.type_of(op.res).lanes // len(lanes))))


def _emit_cast(e: NarrowPositions[Any], op: arith.IndexCastOp | loop.CastOp) -> None:
    """Emit a conversion; 64-bit integers that become positions saturate."""
    (source,), (result,) = op.operands, op.results
    element = result.type.get_element_type() if isinstance(result.type, VectorType) else result.type
    if isinstance(element, IndexType) and e.type_of(source).bits == 64:
        e.define(result, e.position_of_long(e.type_of(result), e.values[source]))
    else:
        emit_conversion(e, op)


LANE_HANDLERS: Handlers = {
    **arithmetic.HANDLERS,
    **math_table.HANDLERS,
    loop.RepeatOp: emit_repeat,
    **dict.fromkeys((loop.YieldOp, loop.PrefetchOp, func.ReturnOp), emit_nothing),
}
"""The handlers that emitters of all languages share."""
NARROW_HANDLERS: Handlers = {
    **LANE_HANDLERS,
    **dict.fromkeys((arith.IndexCastOp, loop.CastOp), _emit_cast),
}
"""The handlers that emitters with 32-bit positions share."""
