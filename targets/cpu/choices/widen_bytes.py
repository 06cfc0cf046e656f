"""cpu-widen-bytes: store bytes as i16 where the machine multiplies pairs of 16-bit numbers faster.

    %y = te.compute @matmul ins(%x[m, k] : i8, %w[k, n] : i8)
             outs(%y[m, n] add 0 : i32) body { muli(extui %0, extsi %1) }
==>
    %v = te.compute @widen [d0, d1] ins(%x[d0, d1] : i8) body { extui %0 }
    %y = te.compute @matmul ins(%v[m, k] : i16, %u[k, n] : i16)
             outs(%y[m, n] add 0 : i32) body { muli(extsi %0, extsi %1) }

AVX2 multiplies bytes by vpmaddubsw, whose sums of two products saturate: exact sums take 9
instructions for 32 products, 16-bit numbers (vpmaddwd) two for 16.  Machines with VNNI multiply
bytes as they are.  A weight is converted at compile time; a value that only products read is
converted at the end of its producer.  Weights that come from memory stay bytes if few rows read
them.

Before: main in value form, after te-fuse-elementwise.  After: products of bytes have operands of
the type that the machine multiplies faster.
Exact: products of bytes fit into 16 bits, sums are i32.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, Signedness, i8, i16, i32
from xdsl.dialects.func import FuncOp

from ....analysis.patterns.contraction import contraction_of
from ....dialects.packed import host_blocks
from ....dialects.te import ComputeOp, IntrinsicOp
from ....machines.cpu_numbers import TO_I16
from ....machines.target_passes import TargetedPass
from ....support.passes import ExactPass
from ....support.rewriting import swap_op
from .converted_copies import ConvertedCopies, copy_pays
from .direct_products import instruction_for, widened_product

_UNSIGNED = IntegerType(8, Signedness.UNSIGNED)


@dataclass(frozen=True)
class WidenBytes(TargetedPass, ExactPass):
    """Convert the byte operands of products to i16, in one copy per value for all readers."""

    name = "cpu-widen-bytes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in [o for o in op.ops if isinstance(o, FuncOp) and o.body.blocks]:
            copies = ConvertedCopies(i16, "widen")
            for block in list(host_blocks(func.body.block)):
                for compute in [o for o in block.ops if isinstance(o, ComputeOp)]:
                    self._widen(compute, copies)
            copies.fuse()

    def _widen(self, op: ComputeOp, copies: ConvertedCopies) -> None:
        view = op.view()
        found = contraction_of(view)
        factors = found.factors if found is not None else None
        if factors is None or factors.product != i32 or not {*factors.stored} <= {i8, _UNSIGNED}:
            return
        if not all(copy_pays(view, a, TO_I16, self.target) for a in view.inputs):
            return
        body = widened_product(i16, i32)
        pairs = instruction_for(replace(view, body=body), self.target, i16)
        if pairs is None:
            return
        whole = instruction_for(view, self.target)
        if whole is not None and _cycles(whole) <= _cycles(pairs):
            return
        reads = zip(view.inputs, factors.stored, strict=True)
        inputs = [copies.read(view, access, source) for access, source in reads]
        swap_op(op, ComputeOp.from_view(replace(view, inputs=inputs, body=body)))


def _cycles(instruction: IntrinsicOp) -> float:
    """Return the cycles of an instruction per scalar multiplication."""
    products = prod(instruction.compute.view().extents.values())
    return instruction.cycles.value.data / products
