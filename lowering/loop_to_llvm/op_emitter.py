"""The state that handlers of ops which compute need: texts, types and ranges of values.

arithmetic.py and math_table.py take an `OpEmitter`; kernel emitters derive from it and from an
implementation of `LaneCode`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TypeAlias, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.loop import map_results
from ...support.affine import INFINITY, Index, Key, Range, variable
from .lane_code import LaneCode
from .types import LlvmType, type_of

OpHandler: TypeAlias = Callable[["OpEmitter", Operation], None]


class OpEmitter(LaneCode):
    """The emitter of ops that compute.

    values: operand text of SSA values.  ranges: ranges of values of index type.
    strict_math: math functions of f32 are computed in f64 and rounded.
    """

    def __init__(self, *, strict_math: bool = False) -> None:
        self.strict_math = strict_math
        self.values: dict[SSAValue, str] = {}
        self.ranges: dict[SSAValue, Range] = {}
        self._types: dict[int, LlvmType] = {}

    def type_of(self, value: SSAValue) -> LlvmType:
        """Return the type of a value; the cache uses identity because hashing is slow."""
        attribute = value.type
        found = self._types.get(id(attribute))
        if found is None:
            found = self._types[id(attribute)] = type_of(attribute)
        return found

    def define(self, value: SSAValue, text: str) -> None:
        """Record the text of a value."""
        self.values[value] = text

    def range_of(self, key: Key) -> Range:
        """Return the range of an SSA value of index type."""
        return self.ranges.get(cast(SSAValue, key), (-INFINITY, INFINITY))

    def decode(self, map_: AffineMapAttr, symbols: tuple[SSAValue, ...]) -> list[Index]:
        """Return a map's results over SSA values, simplified with their ranges."""
        named: dict[Key, Index] = {i: variable(v) for i, v in enumerate(symbols)}
        return [e.substitute(named, self.range_of) for e in map_results(map_)]

    @abstractmethod
    def index_value(self, index: Index) -> str:
        """Emit the value of an index expression."""
