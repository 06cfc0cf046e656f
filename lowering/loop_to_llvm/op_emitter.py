"""The emitter of arithmetic ops: printed operands, types and ranges of values.

The handlers in arithmetic.py and math_table.py take an `OpEmitter`. A kernel emitter derives from
this class and from an implementation of `LaneCode`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.loop import map_results
from ...support.affine import INFINITY, Index, Key, Range, variable
from .lane_code import LaneCode
from .types import LlvmType, type_of

Handlers: TypeAlias = Mapping[type[Operation], Callable[[Any, Any], None]]
"""By the class of an op, the function that emits its code, whose arguments are the emitter and the
op."""


class OpEmitter(LaneCode):
    """An emitter of arithmetic ops.

    values: the printed operand of each SSA value.  ranges: the ranges of values of index type.
    strict_math: whether math functions of f32 are computed in f64 and rounded.
    """

    def __init__(self, *, strict_math: bool = False) -> None:
        self.strict_math = strict_math
        self.values: dict[SSAValue, str] = {}
        self.ranges: dict[SSAValue, Range] = {}
        self._types: dict[int, LlvmType] = {}

    def type_of(self, value: SSAValue) -> LlvmType:
        """Return the LLVM type of a value; cached by object identity, because hashing is slow."""
        attribute = value.type
        found = self._types.get(id(attribute))
        if found is None:
            found = self._types[id(attribute)] = type_of(attribute)
        return found

    def define(self, value: SSAValue, text: str) -> None:
        """Record the printed operand of a value."""
        self.values[value] = text

    def range_of(self, key: Key) -> Range:
        """Return the range of an SSA value of index type."""
        return self.ranges.get(cast(SSAValue, key), (-INFINITY, INFINITY))

    def decode(self, map_: AffineMapAttr, symbols: tuple[SSAValue, ...]) -> list[Index]:
        """Return the results of an affine map, applied to SSA values, as index expressions.

        The expressions are simplified with the ranges of the values.
        symbols: the values.
        """
        named: dict[Key, Index] = {i: variable(v) for i, v in enumerate(symbols)}
        return [e.substitute(named, self.range_of) for e in map_results(map_)]

    @abstractmethod
    def index_value(self, index: Index) -> str:
        """Emit the value of an index expression."""
