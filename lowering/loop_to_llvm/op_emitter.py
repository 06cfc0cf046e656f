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
    """An op whose affine map computes index expressions from the values ``syms``."""

    @property
    def map(self) -> AffineMapAttr: ...

    @property
    def syms(self) -> Sequence[SSAValue]: ...


class IndexRanges:
    """The ranges of SSA values of index type, which simplify index expressions over them."""

    def __init__(self) -> None:
        self.ranges: dict[SSAValue, Range] = {}

    def range_of(self, key: Key) -> Range:
        """Return the range of an SSA value of index type; unbounded if it is not known."""
        return self.ranges.get(cast(SSAValue, key), (-INFINITY, INFINITY))

    def indices(self, op: _Indexed) -> list[Index]:
        """Return the results of an op's affine map as index expressions of SSA values.

        The index expressions of an access are its position in each dimension of the buffer.
        """
        named: dict[Key, Index] = {i: variable(v) for i, v in enumerate(op.syms)}
        return [each.substitute(named, self.range_of) for each in map_results(op.map)]

    def loop_range(self, lows: Sequence[Index], highs: Sequence[Index]) -> Range:
        """Return the range of the variable of a loop with these lower and upper bounds."""
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
        """Append the instructions of an index expression; return the printed operand of its value.

        In a language of expressions, return the expression.
        """
