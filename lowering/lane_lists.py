"""The common part of emitters for scalar languages: vectors as lists of lanes, and kernels.

In: ops of the simt level. Out: calls of `LaneCode`, whose operands are strings. A vector is the
list of its lanes, each of which is a separate value, because the only vector instructions of a GPU
thread are those that access memory. The operand of a vector consists of the operands of its lanes,
joined by a separator. source_text.py adds statements, for C and WGSL.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, VectorType
from xdsl.ir import Block, Operation, SSAValue

from ..analysis.strides import row_major_strides
from ..dialects import loop, simt
from ..dialects.shape import Extent, dims_of, extent_of
from ..support.affine import I32, Index, Key, Range, constant, fits_i32
from ..support.diagnostics import LoweringError
from .loop_to_llvm.lane_code import LaneCode
from .loop_to_llvm.op_emitter import OpEmitter
from .loop_to_llvm.types import LlvmType

Access: TypeAlias = loop.LoadOp | loop.StoreOp | simt.LoadMatrixOp | simt.MatrixDescriptorOp
_SEPARATOR = "; "


def joined(lanes: Sequence[str]) -> str:
    """Return the operand of a vector with these lanes."""
    return _SEPARATOR.join(lanes)


def lanes_of(text: str) -> list[str]:
    """Return the operands of a vector's lanes."""
    return text.split(_SEPARATOR)


class LaneType(LlvmType):
    """A scalar or vector type whose constants are lists of lanes."""

    __slots__ = ()

    @classmethod
    @cache
    def made(cls, format_: str, lanes: int = 1) -> Self:
        """Return the type with this format and number of lanes; equal types are the same object."""
        return cls(format_, lanes)

    def of(self, format_: str) -> Self:
        return self.made(format_, self.lanes)

    def with_lanes(self, lanes: int) -> Self:
        return self.made(self.format, lanes)

    @property
    def mask(self) -> Self:
        return self.made("i1", self.lanes)

    @property
    def integer(self) -> Self:
        return self.made(f"i{self.bits}", self.lanes)

    @property
    def scalar(self) -> Self:
        return self.made(self.format)

    @property
    def held(self) -> Self:
        """The type in which memory stores an element: a byte for i1."""
        return self.of("i8") if self.format == "i1" else self

    def const(self, value: float) -> str:
        return joined([self.scalar_const(value)] * self.lanes)

    def lane_constants(self, values: list[float]) -> str:
        return joined([self.scalar_const(value) for value in values])

    def first_lanes(self, count: int) -> str:
        return joined([self.mask.scalar_const(lane < count) for lane in range(self.lanes)])


class LaneLists(LaneCode):
    """The code of one function, with vectors as lists of lanes."""

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

    def from_half(self, source: LlvmType, x: str) -> str:
        raise AssertionError("halves are converted by integer arithmetic")

    def to_half(self, target: LlvmType, x: str) -> str:
        raise AssertionError("halves are converted by integer arithmetic")


class LaneKernelEmitter(OpEmitter, LaneLists):
    """The emitter of one kernel function.

    language: the name of the language in messages.  handlers: the handler of each type of op.
    """

    handlers: Mapping[type[Operation], Callable[[Any, Operation], None]]

    @property
    @abstractmethod
    def language(self) -> str:
        """Return the name of the language."""

    @abstractmethod
    def _inside(self, index: Index, first: int, end: Extent) -> list[str]:
        """Return the conditions for an index to be at least ``first`` and less than ``end``.

        Conditions that always hold are left out.
        """

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
        """Return the conditions for a lane to be inside its buffer.

        Those that always hold are left out. Returns None if the buffer is empty.
        offset: the distance of the lane from the position of the access, in elements.
        """
        shape = [extent_of(dim) for dim in dims_of(cast(MemRefType, op.mem.type))]
        if 0 in shape:
            return None
        *outer, last = self.indices(op)
        positions = zip([*outer, last + offset], shape, strict=True)
        return [text for index, size in positions for text in self._inside(index, 0, size)]

    def clip_conditions(self, op: loop.StoreOp) -> list[str]:
        """Return the conditions of a clipped store; conditions that always hold are left out."""
        spans = zip(self.indices(op), op.clip_spans() or (), strict=False)
        return [text for index, (first, end) in spans for text in self._inside(index, first, end)]

    def emit_block(self, block: Block) -> None:
        """Emit the ops of a block.

        Errors: LoweringError for an op that the language cannot express.
        """
        for op in block.ops:
            self.emit_op(op)

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

    def check_serial(self, op: loop.ForOp) -> None:
        """Check that a loop is serial.

        Errors: LoweringError for a loop that is bound to threads, or parallel.
        """
        if op.thread or op.kind.data != "serial":
            raise LoweringError(
                "a thread of a GPU runs serial loops only",
                got=op.thread.data if op.thread else "a parallel loop",
                hint="run the passes of map-threads first",
            ).at(op)


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

    def narrows(self, op: Operation) -> bool:
        """Return whether a conversion turns 64-bit integers into values of type index."""
        type_ = op.results[0].type
        element = type_.get_element_type() if isinstance(type_, VectorType) else type_
        return isinstance(element, IndexType) and self.type_of(op.operands[0]).bits == 64

    def load_lanes(self, op: loop.LoadOp, load_lane: Callable[[int], str]) -> None:
        """Define the lanes of a loop.load in any form.

        load_lane: emits the load of one element; its argument is the distance of the element from
        the position of the access, in elements.
        """
        type_ = self.type_of(op.res)
        held = type_.held
        count = op.lanes.data if op.lanes else type_.lanes
        stride = op.stride.data if op.stride is not None else 1
        values = [load_lane(lane * stride) for lane in range(count)]
        values += [held.scalar.scalar_const(0)] * (type_.lanes - count)
        x = joined(values)
        is_stored = held is type_
        self.define(op.res, x if is_stored else self.binary("icmp ne", held, x, held.const(0)))

    def check_shared(self, most: int, rule: str) -> None:
        """Check that the shared arrays of a block fit in memory.

        most: the bytes of shared memory.  rule: the message of the error.
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
        """Record the name and the range of a value of index type."""
        self.positions[value], self.ranges[value] = name, range_
        if not fits_i32(range_):
            self._open.add(value)

    def check_range(self, index: Index) -> None:
        """Check an index expression, and the operands of its floordivs and mods (atoms).

        Errors: LoweringError for an expression that is known to exceed 32 bits.
        """
        for part in (index, *(atom.operand for atom in index.atoms())):
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


def emit_repeat(e: LaneKernelEmitter, op: loop.RepeatOp) -> None:
    """Define the lanes of loop.repeat: the lanes of the operand, repeated."""
    lanes = lanes_of(e.values[op.value])
    e.define(op.res, joined(lanes * (e.type_of(op.res).lanes // len(lanes))))


def emit_nothing(_e: LaneKernelEmitter, _op: Operation) -> None:
    """Emit nothing: the parent op handles terminators, and prefetches are only hints."""


__all__ = [
    "Access",
    "LaneKernelEmitter",
    "LaneLists",
    "LaneType",
    "NarrowPositions",
    "emit_nothing",
    "emit_repeat",
    "joined",
    "lanes_of",
]
