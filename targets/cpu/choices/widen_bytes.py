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
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, ModuleOp, Signedness, i8, i16, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from ....dialects.packed import host_blocks
from ....dialects.te import ComputeOp, ComputeView, IntrinsicOp
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
        types = _operand_types(view)
        if types is None or not all(copy_pays(view, a, TO_I16, self.target) for a in view.inputs):
            return
        body = widened_product(i16, i32)
        pairs = instruction_for(replace(view, body=body), self.target, i16)
        if pairs is None:
            return
        whole = instruction_for(view, self.target)
        if whole is not None and _cycles(whole) <= _cycles(pairs):
            return
        reads = zip(view.inputs, types, strict=True)
        inputs = [copies.read(view, access, source) for access, source in reads]
        swap_op(op, ComputeOp.from_view(replace(view, inputs=inputs, body=body)))


def _operand_types(view: ComputeView) -> tuple[Attribute, Attribute] | None:
    """Return the types, with signedness, of the two byte operands of a sum of products.

    None for other computes.
    """
    if len(view.inputs) != 2 or len(view.outputs) != 1 or view.scan:
        return None
    if view.outputs[0].combiner != "add" or any(
        a.value is None or a.indices is None or a.element_type != i8 for a in view.inputs
    ):
        return None
    last = view.body.block.last_op
    assert last is not None, "a region ends with te.yield"
    product = last.operands[0].owner
    if not isinstance(product, arith.MuliOp) or product.result.type != i32:
        return None
    types = {_argument(x): _type_of(x) for x in product.operands}
    first, second = view.body.block.args
    if types.keys() != {first, second}:
        return None
    return types[first], types[second]


def _argument(x: SSAValue) -> SSAValue | None:
    """Return the value that an op extends to i32, if x is the result of an extension; else None."""
    return x.owner.operands[0] if isinstance(x.owner, arith.ExtSIOp | arith.ExtUIOp) else None


def _type_of(x: SSAValue) -> Attribute:
    return _UNSIGNED if isinstance(x.owner, arith.ExtUIOp) else i8


def _cycles(instruction: IntrinsicOp) -> float:
    """Return the cycles of an instruction per scalar multiplication."""
    products = prod(instruction.compute.view().extents.values())
    return instruction.cycles.value.data / products
