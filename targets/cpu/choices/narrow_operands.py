"""cpu-narrow-operands: round the operands of f32 products to bf16, with precision "bf16".

    %y = te.compute @matmul ins(%x[m, k] : f32, %w[k, n] : f32)
             outs(%y[m, n] add 0.0 : f32) body { mulf %0, %1 }
==>
    %v = te.compute @narrow [d0, d1] ins(%x[d0, d1] : f32) body { truncf %0 }
    %y = te.compute @matmul ins(%v[m, k] : bf16, %u[k, n] : bf16)
             outs(%y[m, n] add 0.0 : f32) body { mulf(extf %0, extf %1) }

The policy: matrix products and convolutions multiply bf16 and sum in f32; everything else, such as
reductions, normalization and softmax, stays f32.  The products of an attention are rounded where
that pays (narrow_attention.py).  A weight is rounded at compile time.  A value that only products
read is rounded at the end of its producer, unless Winograd computes it.  Any other value is rounded
in a copy that all its readers share.  A contraction stays f32 if cpu-plan has no
instruction for it, if its operands are read too rarely to pay for a copy, or if another algorithm
computes it faster (Winograd, or a depthwise convolution in the same kernel).  "bf16-forced" rounds
the operands of these too, on every machine.

Before: main in value form, after te-form-attention.  After: products that bf16 makes faster have
bf16 operands and f32 results; other precisions change nothing.
Error: a sum differs from its exact value by at most 2^-7 times the sum of the magnitudes of its
terms, in addition to the error of f32 sums; numbers below 2^-126 count as 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, bf16, f32
from xdsl.dialects.func import FuncOp

from ....analysis.patterns.attention import find_attention
from ....analysis.patterns.contraction import F32_FACTORS, contraction_of
from ....dialects.packed import host_blocks
from ....dialects.te import ComputeOp
from ....machines.cpu_numbers import TO_BF16
from ....machines.target import Target
from ....machines.target_passes import TargetedPass
from ....support.precision import Precision, parse_precision
from ....support.rewriting import swap_op
from .choose_algorithms import has_faster_algorithm
from .converted_copies import ConvertedCopies, copy_pays
from .direct_products import multiplies_directly, multiplies_pixels_by_tiles, product_body
from .narrow_attention import insert_copy, kept_reason, with_copies


@dataclass(frozen=True)
class NarrowOperands(TargetedPass):
    """Round the f32 operands of products to bf16.

    precision: bf16 or bf16-forced; for other precisions the pass changes nothing.
    """

    name = "cpu-narrow-operands"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if parse_precision(self.precision).rounds_products:
            for func in [o for o in op.ops if isinstance(o, FuncOp) and o.body.blocks]:
                _Narrowing(self).run(func)

    @property
    def is_forced(self) -> bool:
        """Whether the pass also rounds operands of products that do not become faster."""
        return parse_precision(self.precision) is Precision.BF16_FORCED


@dataclass
class _Narrowing:
    """The rewrite of one function, with the rounded copies that it made so far.

    choice: the pass with its options.  copies: the copies.
    """

    choice: NarrowOperands
    copies: ConvertedCopies = field(default_factory=lambda: ConvertedCopies(bf16, "narrow"))

    def run(self, func: FuncOp) -> None:
        for op, reason in products(func, self.choice.target, is_forced=self.choice.is_forced):
            if not reason:
                self._narrow(op)
        # Tiles store f32 only.
        self.copies.fuse(keeps=lambda op: has_faster_algorithm(op, self.choice.target))

    def _narrow(self, op: ComputeOp) -> None:
        view = op.view()
        made = with_copies(view, self.choice.target) or view
        inputs = [
            self.copies.read(view, access) if placed is access else insert_copy(view, access, made)
            for access, placed in zip(view.inputs, made.inputs, strict=True)
        ]
        body = product_body((bf16, bf16), f32)
        swap_op(op, ComputeOp.from_view(replace(made, inputs=inputs, body=body)))


def products(
    func: FuncOp, target: Target, *, is_forced: bool = False
) -> Iterator[tuple[ComputeOp, str]]:
    """Yield each product of a function, and the reason why its operands stay f32.

    The reason is an empty text if the operands are rounded.  is_forced: whether to round the
    operands of every product.  The caller may change a product during the iteration.
    """
    for block in list(host_blocks(func.body.block)):
        computes = [o for o in block.ops if isinstance(o, ComputeOp)]
        attentions = [a for op in computes if (a := find_attention(op)) is not None]
        reasons = {op: kept_reason(a, target) for a in attentions for op in a.members}
        for op in computes:
            found = contraction_of(op.view())
            if found is not None and found.factors == F32_FACTORS:
                kept = reasons.get(op)
                yield op, _reason(op, is_forced, target) if kept is None else kept


def _reason(op: ComputeOp, is_forced: bool, target: Target) -> str:
    view = op.view()
    if is_forced:
        return ""
    if not all(copy_pays(view, access, TO_BF16, target) for access in view.inputs):
        return f"an operand is read less than {TO_BF16.computed} times"
    narrow = replace(view, body=product_body((bf16, bf16), f32))
    if multiplies_pixels_by_tiles(narrow, target, bf16):
        return ""
    if has_faster_algorithm(op, target):
        return "another algorithm is faster"
    if not multiplies_directly(narrow, target, bf16):
        return "no instruction fits its sums"
    return ""
