"""The emitter of one kernel function as WGSL: names of values, code of index expressions.

Positions are variables of type ``i32``.  WGSL has no wider integer, so a position that may exceed
it is an error if its range is known.  Sizes that are known only at run time are parameters of the
launch, which the host computes and checks.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ...analysis.strides import symbolic_strides
from ...dialects.shape import Extent, dims_of, extent_of
from ...support.affine import Atom, Index, Key, Range
from ..lane_lists import Access, NarrowPositions
from ..loop_to_llvm.op_emitter import Handlers
from ..source_text import SourceEmitter
from .text import WgslText
from .types import WgslType


class WgslEmitter(NarrowPositions[WgslType], SourceEmitter, WgslText):
    """The emitter of one kernel function.

    symbol: the kernel's name, a prefix of the names of its module variables.  declarations: the
    declarations of these variables.  packed: the buffers in whose words several elements are
    stored, each with whether the kernel writes to it.
    """

    lane_type = WgslType

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
        """Return the name of a new variable for a value of index type; record the value's range.

        letter: the start of the name.
        """
        name = self.name(letter)
        self.record_position(value, range_, name)
        self.values[value] = f"bitcast<u32>({name})"
        return name

    def index_value(self, index: Index) -> str:
        return f"bitcast<u32>({self.index_text(index)})"

    def index_text(self, index: Index) -> str:
        """Return an index expression as WGSL code of type i32.

        Errors: LoweringError for an index that is known to exceed i32.
        """
        self.check_range(index)
        terms = [self._term(key, factor) for key, factor in index.terms.items()]
        if index.const or not terms:
            terms.append(str(index.const))
        return " + ".join(terms).replace("+ -", "- ")

    def _term(self, key: Key, factor: int) -> str:
        if isinstance(key, Atom):
            text = self._atom(key)
        else:
            value = cast(SSAValue, key)
            text = self.positions.get(value) or f"bitcast<i32>({self.values[value]})"
        return text if factor == 1 else f"{text} * {factor}"

    def _atom(self, atom: Atom) -> str:
        """Return a floordiv or mod (atom) as WGSL code.

        By powers of 2, shifts and masks round down for negative values, too.
        """
        x, divisor = f"({self.index_text(atom.operand)})", atom.divisor
        is_quotient = atom.kind == "floordiv"
        if atom.operand.range(self.range_of)[0] >= 0:
            return f"({x} {'/' if is_quotient else '%'} {divisor})"
        if divisor & (divisor - 1) == 0:
            shift = divisor.bit_length() - 1
            return f"({x} >> {shift}u)" if is_quotient else f"({x} & {divisor - 1})"
        rest = "((x % d + d) % d)"
        body = rest if atom.kind == "mod" else f"(x - {rest}) / d"
        helper = self.helper(f"floor_{atom.kind}", "i32", "x: i32, d: i32", body)
        return f"{helper}({x}, {divisor})"

    # ---- sizes and addresses

    def size_text(self, extent: Extent) -> str:
        """Return a size as code of type i32: an integer, or a size that the launch passes."""
        if isinstance(extent, int):
            return str(extent)
        name = self.numbers.setdefault(extent, f"n{len(self.numbers)}")
        return f"{self.symbol}_sizes.{name}"

    def address_text(self, op: Access) -> str:
        """Return the flat position of an access in its buffer, as code of type i32."""
        flat = self.flat_index(op)
        if flat is not None:
            return self.index_text(flat)
        sizes = [extent_of(dim) for dim in dims_of(cast(MemRefType, op.mem.type))]
        steps = [extent_of(stride) for stride in symbolic_strides(sizes)]
        return " + ".join(
            f"({self.index_text(index)}) * {self.size_text(step)}"
            for index, step in zip(self.indices(op), steps, strict=True)
        )
