"""The emitter of one kernel function as SPIR-V: names of values, instructions of index expressions.

    %t1 = OpIMul %i32 %bx %c_i32_40     ; the position bx * 64 + tx
    %t2 = OpIAdd %i32 %t1 %tx
    %t3 = OpAccessChain %ptr_psb_f32 %m0 %c_i32_0 %t2
    %t4 = OpLoad %f32 %t3 Aligned 4

Positions are of type i32. A launch passes the address of a structure in device memory: the address
of each buffer of the kernel, then the sizes that only the launch knows.
"""

from __future__ import annotations

from typing import cast

from xdsl.ir import SSAValue

from ...dialects.shape import Dim, Extent
from ...support.affine import I32, Atom, Index, Key, Range
from ..lane_lists import Access, NarrowPositions
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import LlvmType
from .text import SpirvText
from .types import SpirvType, position, spirv_type


class SpirvEmitter(NarrowPositions[SpirvType], SpirvText):
    """The emitter of one kernel function in SPIR-V.

    own: the declarations of the types and variables of this kernel, by name.
    variables: the declarations of the arrays of one thread.
    shared: the names of the arrays that a block shares.
    elements: for each buffer, the kind of its pointers (a key of ``_CLASSES`` in types.py), and the
    type of its elements in memory.
    """

    lane_type = SpirvType

    def __init__(
        self,
        symbol: str,
        handlers: Handlers,
        *,
        strict_math: bool = False,
    ) -> None:
        NarrowPositions.__init__(self, strict_math=strict_math)
        SpirvText.__init__(self, symbol)
        self.handlers = handlers
        self.own: dict[str, str] = {}
        self.variables: list[str] = []
        self.shared: list[str] = []
        self.elements: dict[SSAValue, tuple[str, SpirvType]] = {}

    @property
    def language(self) -> str:
        return "SPIR-V"

    # ---- positions

    def define_position(self, value: SSAValue, range_: Range, name: str) -> None:
        """Record the printed name of a value of index type, and the range of the value."""
        self.record_position(value, range_, name)
        self.values[value] = name

    def index_value(self, index: Index) -> str:
        """Append the instructions of an index expression, of type i32.

        Errors: LoweringError for an index that is known to exceed i32.
        """
        self.check_range(index)
        return self._sum(index)

    def _sum(self, index: Index) -> str:
        terms = [self._term(key, factor) for key, factor in index.terms.items()]
        if index.const or not terms:
            terms.append(position(index.const))
        first, *others = terms
        for other in others:
            first = self.emit("%i32", f"OpIAdd {first} {other}")
        return first

    def _term(self, key: Key, factor: int) -> str:
        x = self._atom(key) if isinstance(key, Atom) else self.values[cast(SSAValue, key)]
        return x if factor == 1 else self.emit("%i32", f"OpIMul {x} {position(factor)}")

    def _atom(self, atom: Atom) -> str:
        """Append an atom of an index expression, a floordiv or mod; return its value.

        If the divisor is a power of 2, the code is a shift or a mask, which rounds down for
        negative values, too.
        """
        x, divisor = self._sum(atom.operand), atom.divisor
        is_quotient = atom.kind == "floordiv"
        if divisor & (divisor - 1) == 0:
            shift = divisor.bit_length() - 1
            if is_quotient:
                return self.emit("%i32", f"OpShiftRightArithmetic {x} {position(shift)}")
            return self.emit("%i32", f"OpBitwiseAnd {x} {position(divisor - 1)}")
        by = position(divisor)
        if atom.operand.range(self.range_of)[0] >= 0:
            return self.emit("%i32", f"{'OpUDiv' if is_quotient else 'OpUMod'} {x} {by}")
        type_ = spirv_type("i32")
        rest = self.binary("srem", type_, x, by)
        is_below = self.binary("icmp slt", type_, rest, position(0))
        rest = self.select(is_below, type_, self.binary("add", type_, rest, by), rest)
        if not is_quotient:
            return rest
        return self.binary("sdiv", type_, self.binary("sub", type_, x, rest), by)

    def position_of_long(self, type_: LlvmType, x: str) -> str:
        wide = type_.of("i64")
        low = self.cast("trunc", x, wide, type_)
        # Mesa 22.3 computes wrong comparisons of a sign-extended value with the limits of i32.
        fits = self.binary("icmp eq", wide, self.cast("sext", low, type_, wide), x)
        is_negative = self.binary("icmp slt", wide, x, wide.const(0))
        limit = self.select(is_negative, type_, type_.const(I32[0]), type_.const(I32[1]))
        return self.select(fits, type_, low, limit)

    # ---- sizes and addresses

    def size_value(self, extent: Extent) -> str:
        """Return a size as a value of type i32: a constant, or a size that the launch passes."""
        if isinstance(extent, int):
            return position(extent)
        return self.numbers.setdefault(extent, f"%n{len(self.numbers)}_{self.symbol}")

    def element_of(self, op: Access, offset: int) -> str:
        """Append the pointer to an element of an accessed buffer; return it.

        offset: the distance of the element from the position of the access.
        """
        class_, type_ = self.elements[op.mem]
        flat = self.flat_index(op)
        at = self._address(op, offset) if flat is None else self.index_value(flat + offset)
        first = f"{position(0)} " if class_ == "psb" else ""
        pointer = f"%ptr_{class_}_{type_.lane[1:]}"
        return self.emit(pointer, f"OpAccessChain {self.values[op.mem]} {first}{at}")

    def _address(self, op: Access, offset: int) -> str:
        """Append the flat position of an element in a buffer with symbolic strides; return it.

        offset: the distance of the element from the position of the access.
        """
        total = position(offset)
        for index, step in self.strided_indices(op):
            term = self.emit("%i32", f"OpIMul {self.index_value(index)} {self.size_value(step)}")
            total = self.emit("%i32", f"OpIAdd {total} {term}")
        return total

    def _inside(self, index: Index, first: int, end: Extent) -> list[str]:
        low, high = index.range(self.range_of)
        type_, conditions = spirv_type("i32"), list[str]()
        if low < first:
            x = self.index_value(index)
            conditions.append(self.binary("icmp sge", type_, x, position(first)))
        if isinstance(end, Dim) or high >= end:
            x = self.index_value(index)
            conditions.append(self.binary("icmp slt", type_, x, self.size_value(end)))
        return conditions
