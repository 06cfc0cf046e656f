"""The emitter of one kernel function as WGSL: names of values, code of index expressions.

Positions are variables of type ``i32``.  WGSL has no wider integer, so a position that may exceed
it is an error if its range is known.  Sizes that are known only at run time are parameters of the
launch, which the host computes and checks.
"""

from __future__ import annotations

from functools import reduce

from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.shape import Extent
from ...support.affine import Index, Range
from ..lane_lists import Access, NarrowPositions
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import LlvmType
from ..source_text import SourceEmitter
from . import long
from .text import WgslText
from .types import WgslType


class WgslEmitter(NarrowPositions[WgslType], SourceEmitter, WgslText):
    """The emitter of one kernel function in WGSL.

    symbol: the kernel's name, with which the names of its module-scope variables begin.
    declarations: the declarations of these variables.
    packed: the buffers with several elements per 32-bit word; the value is true if the kernel
    writes to the buffer.
    """

    lane_type = WgslType
    shift_suffix = "u"

    def __init__(
        self,
        symbol: str,
        handlers: Handlers,
        *,
        strict_math: bool = False,
    ) -> None:
        NarrowPositions.__init__(self, strict_math=strict_math)
        WgslText.__init__(self)
        self.symbol, self.handlers = symbol, handlers
        self.declarations: list[str] = []
        self.packed: dict[SSAValue, bool] = {}

    @property
    def language(self) -> str:
        return "WGSL"

    # ---- positions

    def declare_position(self, value: SSAValue, range_: Range, letter: str) -> str:
        """Return a fresh variable name for a value of index type; record the name and the range.

        The caller prints the declaration.
        letter: the first letter of the name.
        """
        name = self.name(letter)
        self.record_position(value, range_, name)
        self.values[value] = f"bitcast<u32>({name})"
        return name

    def define_position(self, value: SSAValue, range_: Range, letter: str, text: str) -> str:
        name = self.declare_position(value, range_, letter)
        self.line(f"let {name}: i32 = {text};")
        return name

    def loop_head(self, op: loop.ForOp) -> str:
        lows, highs = op.bounds()
        low = reduce("max({}, {})".format, map(self.index_text, lows))
        high = reduce("min({}, {})".format, map(self.index_text, highs))
        name = self.declare_position(op.variable, self.loop_range(lows, highs), "i")
        return f"for (var {name}: i32 = {low}; {name} < {high}; {name} = {name} + 1)"

    def index_value(self, index: Index) -> str:
        return f"bitcast<u32>({self.index_text(index)})"

    def index_text(self, index: Index) -> str:
        self.check_range(index)
        return super().index_text(index)

    def _variable_text(self, value: SSAValue, *, is_wide: bool) -> str:
        return self.positions.get(value) or f"bitcast<i32>({self.values[value]})"

    def _floor_helper(self, kind: str) -> str:
        rest = "((x % d + d) % d)"
        body = rest if kind == "mod" else f"(x - {rest}) / d"
        return self.helper(f"floor_{kind}", "i32", "x: i32, d: i32", body)

    def position_of_long(self, type_: LlvmType, x: str) -> str:
        return self._each(type_, long.TO_POSITION, x)

    # ---- sizes and addresses

    def size_text(self, extent: Extent) -> str:
        """Return a size as code of type i32: a number, or the size that the launch passes."""
        if isinstance(extent, int):
            return str(extent)
        name = self.numbers.setdefault(extent, f"n{len(self.numbers)}")
        return f"{self.symbol}_sizes.{name}"

    def address_text(self, op: Access) -> str:
        """Return the flat position of an access in its buffer, as code of type i32."""
        flat = self.flat_index(op)
        if flat is not None:
            return self.index_text(flat)
        return " + ".join(
            f"({self.index_text(index)}) * {self.size_text(step)}"
            for index, step in self.strided_indices(op)
        )
