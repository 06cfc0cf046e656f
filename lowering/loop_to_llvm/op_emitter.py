"""The emitter of arithmetic ops: printed operands, types and ranges of values.

The handlers in arithmetic.py and math_table.py take an `OpEmitter`. A kernel emitter derives from
this class and from an implementation of `LaneCode`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.loop import map_results
from ...support.affine import INFINITY, Index, Key, Range, variable
from .lane_code import LaneCode
from .types import LlvmType, type_of

Handlers: TypeAlias = Mapping[type[Operation], Callable[[Any, Any], None]]
"""By the class of an op, the function that emits its code, whose arguments are the emitter and the
op."""


def emit_nothing(_e: object, _op: Operation) -> None:
    """Emit nothing: the parent op handles terminators, and prefetches are only hints."""


class _Indexed(Protocol):
    """An op with an affine map over SSA values ``syms``, which computes index expressions."""

    @property
    def map(self) -> AffineMapAttr: ...

    @property
    def syms(self) -> Sequence[SSAValue]: ...


class IndexRanges:
    """The ranges of SSA values of index type, by which index expressions are simplified."""

    def __init__(self) -> None:
        self.ranges: dict[SSAValue, Range] = {}

    def range_of(self, key: Key) -> Range:
        """Return the smallest and the largest value of an index value; unbounded if unknown."""
        return self.ranges.get(cast(SSAValue, key), (-INFINITY, INFINITY))

    def indices(self, op: _Indexed) -> list[Index]:
        """Return the index expressions that an op's affine map computes, over SSA values.

        For an access, they are its position in each dimension of the buffer.
        """
        named: dict[Key, Index] = {i: variable(v) for i, v in enumerate(op.syms)}
        return [each.substitute(named, self.range_of) for each in map_results(op.map)]

    def loop_range(self, lows: Sequence[Index], highs: Sequence[Index]) -> Range:
        """Return the smallest and the largest value of a loop variable.

        lows, highs: the bounds of the loop; the largest lower and the smallest upper bound hold.
        """
        low = max(bound.range(self.range_of)[0] for bound in lows)
        return low, min(bound.range(self.range_of)[1] for bound in highs) - 1


class OpEmitter(IndexRanges, LaneCode):
    """An emitter of arithmetic ops.

    values: the printed operand of each SSA value.
    strict_math: whether math functions of f32 are computed in f64 and rounded.
    """

    def __init__(self, *, strict_math: bool = False) -> None:
        IndexRanges.__init__(self)
        self.strict_math = strict_math
        self.values: dict[SSAValue, str] = {}
        self._types: dict[int, LlvmType] = {}

    def type_of(self, value: SSAValue) -> LlvmType:
        """Return the LLVM type of a value."""
        # The key is the identity of the type, because hashing a type is slow.
        attribute = value.type
        found = self._types.get(id(attribute))
        if found is None:
            found = self._types[id(attribute)] = type_of(attribute)
        return found

    def define(self, value: SSAValue, text: str) -> None:
        """Record the printed operand of a value."""
        self.values[value] = text

    @abstractmethod
    def index_value(self, index: Index) -> str:
        """Append the instructions of an index expression; return its printed value.

        In a language of expressions, this is the expression itself.
        """
