"""cpu-pad-sums: pad sums of products of narrow numbers to whole steps of the machine's dot product.

    %y = graph.matmul %x, %w : tensor<54x361xui8>, tensor<361x81xi8>
==>
    %p = graph.pad %x constant low [0, 0] high [0, 3] value 0 : i8
    %y = graph.matmul %p, %v : tensor<54x364xui8>, tensor<364x81xi8>

    %y = graph.conv %x, %w … pads [3, 3, 3, 3] … : tensor<1x3x224x224xui8>, tensor<64x3x7x7xi8> …
==>
    %y = graph.conv %x, %v … pads [3, 3, 3, 4] … : tensor<1x3x224x224xui8>, tensor<64x3x7x8xi8> …

A dot product multiplies and adds four neighbouring bytes, or two neighbours in bf16; sums without
whole steps multiply single numbers in the type of the sum.  54x361x81: 33 -> 10 us for bytes,
42 -> 25 for bf16.  Images have too few channels to store channels in blocks, so their neighbours
are the taps of a row: 3 to 64 channels, 7x7 on 224 x 224: 2.3 -> 0.9 ms (Zen 4).

Before: graph ops of main, without layouts.  After: if the target has dot products of the numbers,
these have whole steps: products of matrices whose elements are read often enough to pay for a copy
(not in C source), and the rows of convolutions of bytes with constant weights whose channels have
no blocks.
Exact: products by 0 are added, to sums of floats too.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from ....dialects.graph import ConstantOp, ConvOp, MatmulOp, PadOp
from ....dialects.graph.base import int_array
from ....dialects.shape import dims_of, extent_of, likely, type_of
from ....dialects.weights import WeightAttr
from ....machines.cpu_numbers import TO_I16
from ....machines.target import Target
from ....machines.target_passes import TargetedPass
from ....passes.graph.inserted_ops import InsertedOps
from ....passes.graph.quantized_values import is_byte
from ....support.passes import ExactPass
from ....support.rewriting import apply_patterns, inherit_location, replace_op, rewrites
from ..plan.instruction import fewest_terms
from .plan_graph import MIN_BLOCK


@dataclass(frozen=True)
class PadSums(TargetedPass, ExactPass):
    """Append products by 0 to sums of products of bytes or bf16, up to whole steps."""

    name = "cpu-pad-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, PadTaps(self.target), PadTerms(self.target))


@dataclass(frozen=True)
class PadTaps(RewritePattern):
    """Append taps of 0 to the rows of a window, and pad the rows of the image as much."""

    target: Target

    @rewrites(ConvOp)
    def match_and_rewrite(self, op: ConvOp, rewriter: PatternRewriter) -> None:
        missing = _missing_taps(op, self.target)
        if not missing or not isinstance(op.w.owner, ConstantOp):
            return
        op.operands[1] = _padded(op.w, _rank(op.w) - 1, missing, op, rewriter)
        *pads, last = op.pads
        op.properties["pads"] = int_array([*pads, last + missing])
        rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class PadTerms(RewritePattern):
    """Append columns of 0 to the left operand of a product, and rows of 0 to the right one."""

    target: Target

    @rewrites(MatmulOp)
    def match_and_rewrite(self, op: MatmulOp, rewriter: PatternRewriter) -> None:
        missing = added_terms(op, self.target)
        if missing:
            left, right = (
                _padded(x, dim, missing, op, rewriter)
                for x, dim in zip(op.operands, _sum_dims(op), strict=True)
            )
            replace_op(rewriter, op, op.with_operands(left, right))


def added_terms(op: MatmulOp, target: Target) -> int:
    """Return how many products by 0 the pass appends to the sums of a product of matrices.

    An operand that is no weight is copied, which pays if enough products read each element.  C
    source reads arguments where they are: a padded one with a test for each element.
    """
    step, left = _step(op.lhs, op.rhs, target), dims_of(type_of(op.lhs))
    count = left[_sum_dims(op)[0]].value
    *_, rows, columns = map(likely, map(extent_of, dims_of(type_of(op.out))))
    pairs = zip(op.operands, (columns, rows), strict=True)
    pays = all(n >= TO_I16.computed or isinstance(x.owner, ConstantOp) for x, n in pairs)
    return 0 if count is None or count < step or not pays or target.kind == "c" else -count % step


def _sum_dims(op: MatmulOp) -> tuple[int, int]:
    """Return the dimension of each operand along which a product sums."""
    left, right = _rank(op.lhs), _rank(op.rhs)
    return left - (2 if op.transpose_lhs else 1), right - (1 if op.transpose_rhs else 2)


def _padded(
    x: SSAValue, dim: int, missing: int, before: ConvOp | MatmulOp, rewriter: PatternRewriter
) -> SSAValue:
    """Return a value with zeros after its elements along a dimension; a weight stays a weight.

    missing: the number of zeros.  before: the op that reads the padded value.
    """
    more = [missing if d == dim else 0 for d in range(_rank(x))]
    if not isinstance(x.owner, ConstantOp):
        return InsertedOps(rewriter, before).add(PadOp(x, [0] * len(more), more))
    shape = tuple(n + m for n, m in zip(x.owner.value.stored.shape, more, strict=True))
    made = ConstantOp(WeightAttr.derived("pad", [x.owner.value], shape))
    inherit_location(made, x.owner)
    rewriter.insert(made, InsertPoint.before(before))
    return made.out


def _rank(x: SSAValue) -> int:
    return len(dims_of(type_of(x)))


def _step(left: SSAValue, right: SSAValue, target: Target) -> int:
    """Return how many neighbours a dot product of two operands adds; 1 if there is none."""
    return fewest_terms(target, [type_of(left).element_type, type_of(right).element_type])


def _missing_taps(op: ConvOp, target: Target) -> int:
    """Return how many zero taps to append to each row of a window, for whole steps of bytes.

    0 if the row needs none, if the dot products run along the channels instead, or if the
    convolution does not multiply bytes.
    """
    channels, taps = (dims_of(type_of(op.w))[d].value for d in (1, -1))
    if not is_byte(op.x) or not is_byte(op.w) or op.groups != 1:
        return 0
    if channels is None or channels % MIN_BLOCK == 0:
        return 0
    if op.dilations[-1] != 1 or taps is None or taps == 1:
        return 0
    return -taps % _step(op.x, op.w, target)
