"""cpu-widen-operands: store operands of products in a wider type where that makes products faster.

    %y = te.compute @conv ins(%x[n, i, h + r, w + s] : f16, %w[o, i, r, s] : f16)
             body { mulf(extf %0, extf %1) }
==>
    %v = te.compute @widen [d0, d1, d2, d3] ins(%x[d0, d1, d2, d3] : f16) body { extf %0 }
    %y = te.compute @conv ins(%v[n, i, h + r, w + s] : f32, %u[o, i, r, s] : f32) body { mulf }

A row of ``ROWS`` says which types become which.  A conversion in the body is repeated for every
product.  Without f16 arithmetic a broadcast takes four operations instead of none (64 -> 64
channels, 3x3: 2.7 x onnxruntime's time).  AVX2 multiplies bytes by vpmaddubsw, whose sums of two
products saturate: exact sums take 9 instructions for 32 products, 16-bit numbers (vpmaddwd) two for
16.

The pass converts each element once: a weight at compile time, a value with a single reader at the
end of its producer, any other value in a separate compute.  Operands keep their type if an
instruction of the machine multiplies them in fewer cycles (bytes with VNNI, bf16 with
AVX512-BF16), or if too few products read them.  With precision "strict", no instruction rounds
sums of 16-bit floats.

Before: main in value form, after te-fuse-elementwise.  After: no sum of products converts elements
that it reads as often as the row of machines/cpu_numbers.py for the conversion says.
Exact: products of bytes fit into 16 bits, their sums are i32.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import inf, prod

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp, Signedness, f32, i8, i16, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ....analysis.patterns.contraction import contraction_of
from ....dialects.dtypes import ATTRIBUTES_BY_NAME, bit_width, is_float
from ....dialects.packed import host_blocks
from ....dialects.te import ComputeOp, ComputeView
from ....dialects.te.layout import block_sizes
from ....machines.cpu_numbers import TO_F32, TO_I16, Conversion
from ....machines.target import Target
from ....machines.target_passes import TargetedPass
from ....support.precision import Precision, parse_precision
from ....support.rewriting import swap_op
from .converted_copies import ConvertedCopies, copy_pays
from .direct_products import instruction_for, product_body


@dataclass(frozen=True)
class OperandWidening:
    """A conversion of narrow operands to a wider type, which makes products faster.

    stored: the types of operands that may be converted, with signedness.  product: the type in
    which the body of the product multiplies.  wide: the wider type.  reads: how often an element
    must be read for the conversion to pay.
    """

    stored: frozenset[Attribute]
    product: AnyFloat | IntegerType
    wide: AnyFloat | IntegerType
    reads: Conversion


_FLOATS = filter(is_float, ATTRIBUTES_BY_NAME.values())
_NARROW_FLOATS = frozenset(type_ for type_ in _FLOATS if bit_width(type_) < bit_width(f32))
ROWS = (
    OperandWidening(frozenset({i8, IntegerType(8, Signedness.UNSIGNED)}), i32, i16, TO_I16),
    OperandWidening(_NARROW_FLOATS, f32, f32, TO_F32),
)
"""The conversions that the pass may make, in this order."""


@dataclass(frozen=True)
class WidenOperands(TargetedPass):
    """Convert operands that products read often to a wider type, once.

    precision: default or strict.
    """

    name = "cpu-widen-operands"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in [o for o in op.ops if isinstance(o, FuncOp) and o.body.blocks]:
            for row in ROWS:
                _Rewriting(self, row).run(func)

    @property
    def is_strict(self) -> bool:
        """Whether sums must have the precision that the model asks for."""
        return parse_precision(self.precision) is Precision.STRICT


@dataclass
class _Rewriting:
    """The rewrite of one function by one row of `ROWS`, with the copies that it made so far.

    choice: the pass with its options.  row: which types become which.  copies: the copies.
    """

    choice: WidenOperands
    row: OperandWidening
    copies: ConvertedCopies = field(init=False)

    def __post_init__(self) -> None:
        self.copies = ConvertedCopies(self.row.wide, "widen")

    def run(self, func: FuncOp) -> None:
        for block in list(host_blocks(func.body.block)):
            for op in [o for o in block.ops if isinstance(o, ComputeOp)]:
                self._widen(op)
        self.copies.fuse()

    def _widen(self, op: ComputeOp) -> None:
        view, row = op.view(), self.row
        found = contraction_of(view)
        factors = found.factors if found is not None else None
        if factors is None or factors.product != row.product:
            return
        chosen = [n for n in (0, 1) if factors.stored[n] in row.stored and self._pays(view, n)]
        types = [row.wide if n in chosen else type_ for n, type_ in enumerate(factors.stored)]
        body = product_body(types, row.product)
        if not chosen or not self._is_faster(view, replace(view, body=body), types):
            return
        inputs = list(view.inputs)
        for n in chosen:
            inputs[n] = self.copies.read(view, inputs[n], factors.stored[n])
        swap_op(op, ComputeOp.from_view(replace(view, inputs=inputs, body=body)))

    def _pays(self, view: ComputeView, number: int) -> bool:
        access, target = view.inputs[number], self.choice.target
        if self._rounds_sums:
            return True
        is_scalar = not access.axes() & _lane_axes(view)
        return copy_pays(view, access, self.row.reads, target, is_scalar=is_scalar)

    @property
    def _rounds_sums(self) -> bool:
        """Whether the machine's dot product of 16-bit floats is excluded, because it rounds sums.

        That is so with precision "strict", if the machine has such an instruction.
        """
        is_float = self.row.product == f32
        return is_float and self.choice.is_strict and self.choice.target.multiplies_bf16

    def _is_faster(self, view: ComputeView, wide: ComputeView, types: Sequence[Attribute]) -> bool:
        """Return whether products of wider operands take fewer cycles.

        types: the types of the wider operands.
        """
        is_float = self.row.product == f32
        if is_float and self.choice.is_strict:
            return True
        stored = _cycles(view, self.choice.target)
        if is_float:
            return stored == inf
        is_whole = set(types) == {self.row.wide}
        return is_whole and _cycles(wide, self.choice.target, self.row.wide) < stored


def _cycles(view: ComputeView, target: Target, element: Attribute | None = None) -> float:
    """Return the cycles per product of the instruction that multiplies the operands as stored.

    Infinite if there is no such instruction.  element: the type to which the operands will be
    converted before.
    """
    found = instruction_for(view, target, element)
    if found is None:
        return inf
    return found.cycles.value.data / prod(found.compute.view().extents.values())


def _lane_axes(view: ComputeView) -> set[Hashable]:
    """Return the axes that index the result's contiguous dimension, along which vectors run."""
    output = view.outputs[0]
    blocks = block_sizes(output.layout) if output.layout is not None else {}
    lanes = next(iter(blocks), -1)
    return set(output.indices[lanes].variables()) if output.indices else set()
