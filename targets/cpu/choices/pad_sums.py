"""cpu-pad-sums: pad sums of products of narrow numbers to whole steps of the machine's dot product.

    %y = graph.matmul %x, %w : tensor<54x361xui8>, tensor<361x81xi8>
==>
    %p = graph.pad %x constant low [0, 0] high [0, 3] value 0 : i8
    %y = graph.matmul %p, %v : tensor<54x364xui8>, tensor<364x81xi8>

    %y = graph.conv %x, %w … : tensor<1x30x14x14xui8>, tensor<50x30x3x3xi8> …
==>
    %p = graph.pad %x constant low [0, 0, 0, 0] high [0, 2, 0, 0] value 0 : i8
    %y = graph.conv %p, %v … : tensor<1x32x14x14xui8>, tensor<50x32x3x3xi8> …

    %y = graph.conv %x, %w … pads [3, 3, 3, 3] … : tensor<1x3x224x224xui8>, tensor<64x3x7x7xi8> …
==>
    %y = graph.conv %x, %v … pads [3, 3, 3, 4] … : tensor<1x3x224x224xui8>, tensor<64x3x7x8xi8> …

A dot product multiplies and adds four neighbouring bytes, or two neighbours in bf16; sums without
whole steps multiply single numbers in the type of the sum.  54x361x81: 33 -> 10 us for bytes,
42 -> 25 for bf16; 30 -> 50 channels, 3x3 on 14 x 14: 102 -> 20 us.  Images have too few channels to
store them together, so their neighbours are the taps of a row: 3 to 64 channels, 7x7 on 224 x 224:
2.3 -> 0.9 ms (Zen 4).

Before: graph ops of main, without layouts.  After: if the target has dot products of the numbers,
these have whole steps: products of matrices whose elements are read often enough to pay for a copy
(not in C source), and convolutions of bytes with constant weights, without groups, along the
channels or, if there are few, along the rows.
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
from ....dialects.te.layout import FEW_CHANNELS
from ....dialects.weights import WeightAttr
from ....machines.cpu_numbers import TO_I16
from ....machines.target import Target
from ....machines.target_passes import TargetedPass
from ....passes.graph.inserted_ops import InsertedOps
from ....passes.graph.quantized_values import is_byte
from ....support.passes import ExactPass
from ....support.rewriting import apply_patterns, inherit_location, replace_op, rewrites
from ..layouts import CHANNELS
from ..plan.instruction import fewest_terms


@dataclass(frozen=True)
class PadSums(TargetedPass, ExactPass):
    """Append products by 0 to sums of products of bytes or bf16, up to whole steps."""

    name = "cpu-pad-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, PadWindows(self.target), PadTerms(self.target))


@dataclass(frozen=True)
class PadWindows(RewritePattern):
    """Append channels of 0 to the weights of a convolution, or taps of 0 to the rows of a window.

    The image gets as many channels, whose values do not matter, or wider pads.  C source has no
    blocks that hold all channels.
    """

    target: Target

    @rewrites(ConvOp)
    def match_and_rewrite(self, op: ConvOp, rewriter: PatternRewriter) -> None:
        channels, *_, taps = (dim.value for dim in dims_of(type_of(op.w))[CHANNELS:])
        is_constant = isinstance(op.w.owner, ConstantOp)
        if not is_constant or not is_byte(op.x) or not is_byte(op.w) or op.groups != 1:
            return
        step = _step(op.x, op.w, self.target)
        if channels is None or taps is None or not channels % step:
            return
        x, w = op.operands[:2]
        if channels > FEW_CHANNELS and self.target.kind != "c":
            x = _padded(x, CHANNELS, -channels % step, op, rewriter, op.pad_value)
            w = _padded(w, CHANNELS, -channels % step, op, rewriter)
        elif op.dilations[-1] == 1 and taps > 1 and taps % step:
            w = _padded(w, _rank(w) - 1, -taps % step, op, rewriter)
            *pads, last = op.pads
            op.properties["pads"] = int_array([*pads, last - taps % -step])
        else:
            return
        op.operands[0], op.operands[1] = x, w
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
    x: SSAValue,
    dim: int,
    missing: int,
    before: ConvOp | MatmulOp,
    rewriter: PatternRewriter,
    value: int = 0,
) -> SSAValue:
    """Return a tensor with elements after its own along a dimension; a weight gets zeros.

    missing: the number of elements.  before: the op that reads the padded tensor.  value: the value
    of the elements.
    """
    more = [missing if d == dim else 0 for d in range(_rank(x))]
    if not isinstance(x.owner, ConstantOp):
        return InsertedOps(rewriter, before).add(PadOp(x, [0] * len(more), more, value=value))
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
