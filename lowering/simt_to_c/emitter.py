"""The emitter of one kernel function as C: names of values, and C code of index expressions.

Positions are variables of type ``int``, or ``long`` if their range may exceed ``int``. An index
expression is one C expression: `i3 * 128 + tx / 4 + 5`.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ...analysis.strides import symbolic_strides
from ...dialects.shape import Call, Extent, Monomial, dims_of, extent_of
from ...support.affine import Atom, Index, Key, Range, fits_i32
from ..device_kernels import DynamicShared
from ..lane_lists import Access
from ..loop_to_llvm.op_emitter import Handlers, OpEmitter
from ..source_text import SourceEmitter
from .dialect import CDialect
from .text import CText
from .types import CType, c_type


class CEmitter(SourceEmitter, CText):
    """The emitter of one kernel function.

    positions: the variables of values of index type, except results of arithmetic.  scopes: the
    memory scope of each buffer.  sizes: the names of the symbolic sizes.
    """

    def __init__(
        self,
        dialect: CDialect,
        handlers: Handlers,
        *,
        strict_math: bool = False,
    ) -> None:
        OpEmitter.__init__(self, strict_math=strict_math)
        CText.__init__(self, dialect)
        self.handlers = handlers
        self.positions: dict[SSAValue, str] = {}
        self.scopes: dict[SSAValue, str] = {}
        self.sizes: dict[str, str] = {}
        self.dynamic = DynamicShared()

    def type_of(self, value: SSAValue) -> CType:
        found = super().type_of(value)
        return c_type(found.format, found.lanes)

    @property
    def language(self) -> str:
        return self.dialect.name

    # ---- positions

    def declare_position(self, value: SSAValue, range_: Range, letter: str) -> tuple[str, str]:
        """Return the type and the name of a new variable for a value of index type.

        letter: the start of the name.
        """
        name = self.name(letter)
        self.positions[value], self.ranges[value] = name, range_
        self.values[value] = f"({self.dialect.types['i64']}){name}"
        return self.position_type(range_), name

    def position_type(self, range_: Range) -> str:
        """Return the C type, int or long, for positions in a range."""
        return self.dialect.signed["i32" if fits_i32(range_) else "i64"]

    def index_value(self, index: Index) -> str:
        return f"({self.dialect.types['i64']})({self.index_text(index)})"

    def index_text(self, index: Index) -> str:
        """Return an index expression as C code."""
        is_wide = any(self._leaves_int(each) for each in parts_of(index))
        terms = [self._term(key, factor, is_wide) for key, factor in index.terms.items()]
        if index.const or not terms:
            terms.append(str(index.const))
        return " + ".join(terms).replace("+ -", "- ")

    def _leaves_int(self, index: Index) -> bool:
        """Return whether a partial sum of an index expression may exceed an int."""
        total = sum((abs(index.const), *(self._most(k, c) for k, c in index.terms.items())))
        return not fits_i32((0, total))

    def _most(self, key: Key, factor: int) -> int:
        low, high = Index({key: factor}).range(self.range_of)
        return max(abs(low), abs(high))

    def _term(self, key: Key, factor: int, is_wide: bool) -> str:
        if isinstance(key, Atom):
            text = self._atom(key)
        else:
            value = cast(SSAValue, key)
            wide = self.dialect.signed["i64"]
            text = self.positions.get(value) or f"({wide}){self.values[value]}"
            if is_wide and value in self.positions:
                text = f"({wide}){text}"
        return text if factor == 1 else f"{text} * {factor}"

    def _atom(self, atom: Atom) -> str:
        """Return a floordiv or mod (atom) as C code.

        By powers of 2, shifts and masks round down for negative values, too.
        """
        x, divisor = f"({self.index_text(atom.operand)})", atom.divisor
        is_quotient = atom.kind == "floordiv"
        if atom.operand.range(self.range_of)[0] >= 0:
            return f"({x} {'/' if is_quotient else '%'} {divisor})"
        if divisor & (divisor - 1) == 0:
            shift = divisor.bit_length() - 1
            return f"({x} >> {shift})" if is_quotient else f"({x} & {divisor - 1})"
        return f"{self._floor_helper(atom.kind)}({x}, {divisor})"

    def _floor_helper(self, kind: str) -> str:
        wide = self.dialect.signed["i64"]
        rest = "(x % d + d) % d"
        body = rest if kind == "mod" else f"(x - {rest}) / d"
        return self.helper(f"floor_{kind}", wide, f"{wide} x, {wide} d", body)

    # ---- sizes and addresses

    def size_text(self, extent: Extent) -> str:
        """Return a size as C code."""
        if isinstance(extent, int):
            return str(extent)
        terms = [self._monomial(factors, n) for factors, n in extent.terms]
        return f"({' + '.join(terms)})" if terms else "0"

    def _monomial(self, factors: Monomial, coefficient: int) -> str:
        texts = [self._call(f) if isinstance(f, Call) else self.sizes[f] for f in factors]
        return " * ".join([*texts, *([str(coefficient)] * (coefficient != 1 or not factors))])

    def _call(self, call: Call) -> str:
        wide = self.dialect.signed["i64"]
        lhs, rhs = self.size_text(extent_of(call.lhs)), self.size_text(extent_of(call.rhs))
        if call.function in ("min", "max"):
            sign = "<" if call.function == "min" else ">"
            body = f"a {sign} b ? a : b"
            helper = self.helper(f"{call.function}_of", wide, f"{wide} a, {wide} b", body)
            return f"{helper}({lhs}, {rhs})"
        if call.rhs.value is None:
            body = "a > b ? a : b"
            helper = self.helper("max_of", wide, f"{wide} a, {wide} b", body)
            rhs = f"{helper}({rhs}, 1)"
        return f"{self._floor_helper(call.function)}({lhs}, {rhs})"

    def address_text(self, op: Access) -> str:
        """Return the position of an access in its buffer as C code."""
        flat = self.flat_index(op)
        if flat is not None:
            return self.index_text(flat)
        sizes = [extent_of(dim) for dim in dims_of(cast(MemRefType, op.mem.type))]
        strides = [extent_of(stride) for stride in symbolic_strides(sizes)]
        wide = self.dialect.signed["i64"]
        return " + ".join(
            f"({wide})({self.index_text(index)}) * {self.size_text(stride)}"
            for index, stride in zip(self.indices(op), strides, strict=True)
        )


def parts_of(index: Index) -> list[Index]:
    """Return an index expression, and the operands of its floordivs and mods (atoms).

    C computes each of them in one integer type.
    """
    return [index, *(atom.operand for atom in index.atoms())]
