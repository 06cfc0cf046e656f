"""The emitter of one kernel function as C: names of values, and C code of index expressions.

Positions are variables of type ``int``, or ``long`` if their range may exceed ``int``. An index
expression is one C expression: `i3 * 128 + tx / 4 + 5`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import loop, simt
from ...dialects.shape import Call, Extent, Monomial, extent_of
from ...support.affine import Index, Key, Range, fits_i32
from ..device_kernels import DynamicShared
from ..lane_lists import Access, parts_of
from ..loop_to_llvm.op_emitter import Handlers, OpEmitter
from ..source_text import SourceEmitter
from .dialect import CDialect
from .text import CText
from .types import CType, c_type


class CEmitter(SourceEmitter, CText):
    """The emitter of one kernel function in a C-like language.

    positions: the variables of values of index type, except results of arithmetic.
    scopes: the memory scope (``shared`` or ``local``) of each buffer that the kernel allocates.
    sizes: the names of the kernel's size parameters, by the name of the symbolic size.
    dynamic: the layout of the shared memory that the launch allocates.
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
        self._ends: dict[loop.ForOp, str] = {}

    def type_of(self, value: SSAValue) -> CType:
        found = super().type_of(value)
        return c_type(found.format, found.lanes)

    @property
    def language(self) -> str:
        return self.dialect.name

    # ---- positions

    def declare_position(self, value: SSAValue, range_: Range, letter: str) -> str:
        """Return a fresh variable name for a value of index type; record the name and the range.

        The caller prints the declaration.
        letter: the first letter of the name.
        """
        name = self.name(letter)
        self.positions[value], self.ranges[value] = name, range_
        self.values[value] = f"({self.dialect.types['i64']}){name}"
        return name

    def define_position(self, value: SSAValue, range_: Range, letter: str, text: str) -> str:
        name = self.declare_position(value, range_, letter)
        self.line(f"{self.position_type(range_)} {name} = {text};")
        return name

    def loop_head(self, op: loop.ForOp) -> str:
        lows, highs = op.bounds()
        low, high = self._extremum(lows, ">"), self._extremum(highs, "<")
        if op.unroll_factor > 1:
            self.line(f"#pragma unroll {op.unroll_factor}")
        range_ = self.loop_range(lows, highs)
        name = self.declare_position(op.variable, range_, "i")
        start = f"{self.position_type(range_)} {name} = {low}"
        if self.dialect.loop_barrier and _may_skip_barriers(op):
            self._ends[op] = f"{name} >= {high}"
            return f"for ({start};; ++{name})"
        return f"for ({start}; {name} < {high}; ++{name})"

    def emit_body(self, op: loop.ForOp) -> None:
        if (end := self._ends.pop(op, None)) is not None:
            self.line(self.dialect.loop_barrier)
            self.line(f"if ({end}) break;")
        super().emit_body(op)

    def _extremum(self, bounds: Sequence[Index], sign: str) -> str:
        """Return the largest or smallest of several loop bounds as C code.

        Several bounds are computed in a variable.
        sign: ``>`` for the largest, ``<`` for the smallest.
        """
        texts = [self.index_text(bound) for bound in bounds]
        if len(bounds) == 1:
            return texts[0]
        out = self.name("b")
        self.line(f"{self.bounds_type(bounds)} {out} = {texts[0]};")
        for text in texts[1:]:
            self.line(f"{out} = {out} {sign} {text} ? {out} : {text};")
        return out

    def bounds_type(self, bounds: Sequence[Index]) -> str:
        """Return the C type, int or long, of a variable that can hold any of some loop bounds."""
        lows, highs = zip(*(bound.range(self.range_of) for bound in bounds), strict=True)
        return self.position_type((min(lows), max(highs)))

    def position_type(self, range_: Range) -> str:
        """Return the C type, int or long, of a position with this range."""
        return self.dialect.signed["i32" if fits_i32(range_) else "i64"]

    def index_value(self, index: Index) -> str:
        return f"({self.dialect.types['i64']})({self.index_text(index)})"

    def _is_wide(self, index: Index) -> bool:
        return any(self._leaves_int(each) for each in parts_of(index))

    def _leaves_int(self, index: Index) -> bool:
        """Return whether a partial sum in an index expression may exceed the range of int."""
        total = sum((abs(index.const), *(self._most(k, c) for k, c in index.terms.items())))
        return not fits_i32((0, total))

    def _most(self, key: Key, factor: int) -> int:
        low, high = Index({key: factor}).range(self.range_of)
        return max(abs(low), abs(high))

    def _variable_text(self, value: SSAValue, *, is_wide: bool) -> str:
        wide = self.dialect.signed["i64"]
        if value not in self.positions:
            return f"({wide}){self.values[value]}"
        name = self.positions[value]
        return f"({wide}){name}" if is_wide else name

    def _floor_helper(self, kind: str) -> str:
        wide = self.dialect.signed["i64"]
        rest = "(x % d + d) % d"
        body = rest if kind == "mod" else f"(x - {rest}) / d"
        return self.helper(f"floor_{kind}", wide, f"{wide} x, {wide} d", body)

    # ---- sizes and addresses

    def size_text(self, extent: Extent) -> str:
        """Return a size as C code: an expression of the kernel's size parameters."""
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
        """Return the flat position of an access in its buffer as C code, counted in elements."""
        flat = self.flat_index(op)
        if flat is not None:
            return self.index_text(flat)
        wide = self.dialect.signed["i64"]
        return " + ".join(
            f"({wide})({self.index_text(index)}) * {self.size_text(stride)}"
            for index, stride in self.strided_indices(op)
        )


def _may_skip_barriers(op: loop.ForOp) -> bool:
    """Return whether a loop contains barriers, and its bounds do not say that it has iterations."""
    lows, highs = op.bounds()
    if all(low.is_constant and high.is_constant for low in lows for high in highs):
        return False
    return any(isinstance(each, simt.BarrierOp) for each in op.walk())
