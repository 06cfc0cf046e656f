"""cpu-widen-operands: store narrow floats as f32 if products read each element many times.

    %y = te.compute @conv ins(%x[n, i, h + r, w + s] : f16, %w[o, i, r, s] : f16)
             body { mulf(extf %0, extf %1) }
==>
    %v = te.compute @widen [d0, d1, d2, d3] ins(%x[d0, d1, d2, d3] : f16) body { extf %0 }
    %y = te.compute @conv ins(%v[n, i, h + r, w + s] : f32, %u[o, i, r, s] : f32) body { mulf }

A conversion in the body is repeated for every product; without f16 arithmetic a broadcast takes
four operations instead of none (64 -> 64 channels, 3x3: 2.7 x onnxruntime's time).  The pass
converts each element once: a weight at compile time, a value with a single reader at the end of
its producer, any other value in a separate compute.  Operands stay narrow if the machine multiplies
them without conversion (bf16 with AVX512-BF16, rule R30 of cpu-plan), except with precision
"strict".

Before: main in value form, after te-fuse-elementwise.  After: no sum of products converts elements
that it reads as often as the row ``TO_F32`` of machines/cpu_numbers.py says.
Exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region

from ....dialects.dtypes import bit_width, is_float
from ....dialects.packed import host_blocks
from ....dialects.te import Access, ComputeOp, ComputeView
from ....dialects.te.layout import block_sizes
from ....machines.cpu_numbers import TO_F32
from ....machines.target_passes import TargetedPass
from ....passes.rewrite.compose import copy_body, finish_body
from ....support.precision import Precision, parse_precision
from ....support.rewriting import swap_op
from .converted_copies import ConvertedCopies, copy_pays
from .direct_products import multiplies_directly


@dataclass(frozen=True)
class WidenOperands(TargetedPass):
    """Convert narrow floats that products read often to f32, once.

    precision: default or strict.
    """

    name = "cpu-widen-operands"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in [o for o in op.ops if isinstance(o, FuncOp) and o.body.blocks]:
            _Widening(self).run(func)

    @property
    def is_strict(self) -> bool:
        """Whether sums must have the precision that the model asks for."""
        return parse_precision(self.precision) is Precision.STRICT


@dataclass
class _Widening:
    """The rewrite of one function, with the f32 copies that it made so far."""

    choice: WidenOperands
    copies: ConvertedCopies = field(default_factory=lambda: ConvertedCopies(f32, "widen"))

    def run(self, func: FuncOp) -> None:
        for block in list(host_blocks(func.body.block)):
            for op in [o for o in block.ops if isinstance(o, ComputeOp)]:
                self._widen_inputs(op)
        self.copies.fuse()

    def _widen_inputs(self, op: ComputeOp) -> None:
        view = op.view()
        if not _sums_products(view) or self._is_direct(view):
            return
        chosen = [n for n, access in enumerate(view.inputs) if self._is_wanted(view, n, access)]
        if chosen:
            inputs = list(view.inputs)
            for n in chosen:
                inputs[n] = self.copies.read(view, inputs[n])
            wide = replace(view, inputs=inputs, body=_without_casts(view, chosen))
            swap_op(op, ComputeOp.from_view(wide))

    def _is_wanted(self, view: ComputeView, position: int, access: Access) -> bool:
        """Return whether all uses of an input are conversions, and a copy in f32 is worth its cost.

        With precision "strict" it always is on machines with a dot product of bf16, which would
        round the sums and so must not be used.
        """
        if access.value is None or access.indices is None or not _is_narrow(access):
            return False
        if not all(_is_cast(use.operation) for use in view.body.block.args[position].uses):
            return False
        if self.choice.is_strict and self.choice.target.multiplies_bf16:
            return True
        is_scalar = not access.axes() & _lane_axes(view)
        return copy_pays(view, access, TO_F32, self.choice.target, is_scalar=is_scalar)

    def _is_direct(self, view: ComputeView) -> bool:
        """Return whether the machine multiplies the operands of a product without conversion."""
        return not self.choice.is_strict and multiplies_directly(view, self.choice.target)


def _sums_products(view: ComputeView) -> bool:
    data = [a for a in view.inputs if not a.is_index]
    last = view.body.block.last_op
    assert last is not None, "a region ends with te.yield"
    sums = len(view.outputs) == 1 and view.outputs[0].combiner == "add"
    return sums and len(data) > 1 and isinstance(last.operands[0].owner, arith.MulfOp)


def _lane_axes(view: ComputeView) -> set[Hashable]:
    """Return the axes that index the result's contiguous dimension, along which vectors run."""
    output = view.outputs[0]
    blocks = block_sizes(output.layout) if output.layout is not None else {}
    lanes = next(iter(blocks), -1)
    return set(output.indices[lanes].variables()) if output.indices else set()


def _is_narrow(access: Access) -> bool:
    return is_float(access.element_type) and bit_width(access.element_type) < 32


def _is_cast(op: Operation) -> bool:
    return isinstance(op, arith.ExtFOp) and op.result.type == f32


def _without_casts(view: ComputeView, positions: Sequence[int]) -> Region:
    """Return the body without conversions of the inputs at ``positions``, which are now f32."""
    types = [f32 if n in positions else a.argument_type for n, a in enumerate(view.inputs)]
    block = Block(arg_types=types)
    finish_body(block, copy_body(block, view.body.block, block.args))
    for op in [o for o in block.ops if _is_cast(o) and o.operands[0].type == f32]:
        op.results[0].replace_all_uses_with(op.operands[0])
        op.detach()
        op.erase()
    return Region(block)
