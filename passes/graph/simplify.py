"""graph-simplify: remove ops without effect, and join ops that cancel or compose.

    %a = graph.add %x, %zero                       %x
    %b = graph.reshape (graph.reshape %x)          graph.reshape %x
    %c = graph.select %true, %x, %y          ==>   %x
    %d = graph.pow %x, %two                        graph.mul %x, %x

The scalars such as %zero may be constants or broadcasts of constants.

Before: nothing.  After: none of these forms is left:
- x + 0, x - 0, x * 1, x / 1, x ** 1; two neg or two not in sequence; a max, min, "and" or "or" of
  two equal operands; a select with a known result;
- a cast, reshape, transpose, broadcast, slice or pad that changes nothing; a concat of one operand;
- a reshape of a reshape, a transpose of a transpose, a broadcast of a broadcast;
- an if with a constant condition, a loop that carries a loop-invariant value or stacks a value
  without readers, a graph.checkpoint, graph.custom_gradient or graph.stop_gradient
  (passes/graph/control.py);
- a sum of an operand and a scatter that adds updates to zeros (passes/graph/scatter_sums.py).
Exact: except for the sign of zero in -0.0 + 0.0, the two roundings of a cube, and scatters: updates
of one element are added in another order, and an infinite factor leaves elements without updates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import bit_width, is_float
from ...dialects.graph import (
    AddOp,
    AndOp,
    BinaryOp,
    BroadcastOp,
    CastOp,
    ConcatOp,
    DivOp,
    MaxOp,
    MinOp,
    MulOp,
    NegOp,
    NotOp,
    OrOp,
    PadOp,
    PowOp,
    ReshapeOp,
    SelectOp,
    SliceOp,
    SubOp,
    TransposeOp,
    UnaryOp,
)
from ...dialects.shape import type_of
from ...support.rewriting import apply_patterns, replace_op, rewrites
from .constant_values import uniform_value
from .control import CONTROL_PATTERNS
from .scatter_sums import SCATTER_PATTERNS

NEUTRAL: Mapping[type[BinaryOp], int] = {AddOp: 0, SubOp: 0, MulOp: 1, DivOp: 1, PowOp: 1}
"""The right operand that leaves the left one unchanged."""

COMMUTATIVE = (AddOp, MulOp)


def replace_by_value(rewriter: PatternRewriter, op: Operation, value: SSAValue) -> None:
    """Replace an op of one result by an existing value."""
    replace_op(rewriter, op, (), (value,))


class DropNeutralOperand(RewritePattern):
    """Replace ``x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1, x ** 1`` by x."""

    @rewrites(*NEUTRAL)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        neutral = NEUTRAL[type(op)]
        if uniform_value(op.rhs) == neutral:
            replace_by_value(rewriter, op, op.lhs)
        elif isinstance(op, COMMUTATIVE) and uniform_value(op.lhs) == neutral:
            replace_by_value(rewriter, op, op.rhs)


class PowerByProduct(RewritePattern):
    """Replace ``x ** 2`` by ``x * x``, and ``x ** 3`` by ``x * x * x``, except in f64.

    A cube rounds twice, by at most half an ulp each time.
    """

    @rewrites(PowOp)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        element = type_of(op.lhs).element_type
        exponent = uniform_value(op.rhs)
        if exponent not in (2, 3) or (is_float(element) and bit_width(element) > 32):
            return
        square = MulOp(op.lhs, op.lhs)
        if exponent == 2:
            replace_op(rewriter, op, square)
        else:
            replace_op(rewriter, op, (square, MulOp(square.out, op.lhs)))


class CancelInverse(RewritePattern):
    """Replace ``neg(neg(x))`` and ``not(not(x))`` by x."""

    @rewrites(NegOp, NotOp)
    def match_and_rewrite(self, op: UnaryOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if type(inner) is type(op) and isinstance(inner, UnaryOp):
            replace_by_value(rewriter, op, inner.x)


class DropRepeatedOperand(RewritePattern):
    """Replace ``max(x, x)``, ``min(x, x)``, ``and(x, x)`` and ``or(x, x)`` by x."""

    @rewrites(MaxOp, MinOp, AndOp, OrOp)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        if op.lhs is op.rhs:
            replace_by_value(rewriter, op, op.lhs)


class ResolveSelect(RewritePattern):
    """Replace a select with a known result by that operand.

    ``select(true, x, y)`` becomes x, ``select(false, x, y)`` becomes y, and ``select(c, x, x)``
    becomes x.
    """

    @rewrites(SelectOp)
    def match_and_rewrite(self, op: SelectOp, rewriter: PatternRewriter) -> None:
        if op.lhs is op.rhs:
            replace_by_value(rewriter, op, op.lhs)
            return
        condition = uniform_value(op.condition)
        if condition is not None:
            replace_by_value(rewriter, op, op.lhs if condition else op.rhs)


class DropSameType(RewritePattern):
    """Replace a cast, reshape or broadcast whose result has the operand's type by the operand.

    A broadcast that keeps the type has as many axes as its operand, so it permutes none of them.
    """

    @rewrites(CastOp, ReshapeOp, BroadcastOp)
    def match_and_rewrite(
        self, op: CastOp | ReshapeOp | BroadcastOp, rewriter: PatternRewriter
    ) -> None:
        if op.x.type == op.out.type:
            replace_by_value(rewriter, op, op.x)


class DropWholeSlice(RewritePattern):
    """Replace a slice of the whole operand, in order, by the operand."""

    @rewrites(SliceOp)
    def match_and_rewrite(self, op: SliceOp, rewriter: PatternRewriter) -> None:
        is_in_order = all(step == 1 for step in op.steps)
        if op.x.type == op.out.type and is_in_order and all(s.value == 0 for s in op.starts):
            replace_by_value(rewriter, op, op.x)


class DropEmptyPad(RewritePattern):
    """Replace a pad without padding by its operand."""

    @rewrites(PadOp)
    def match_and_rewrite(self, op: PadOp, rewriter: PatternRewriter) -> None:
        if not any((*op.low, *op.high)):
            replace_by_value(rewriter, op, op.x)


class DropLoneConcat(RewritePattern):
    """Replace a concat of one operand by the operand."""

    @rewrites(ConcatOp)
    def match_and_rewrite(self, op: ConcatOp, rewriter: PatternRewriter) -> None:
        if len(op.xs) == 1:
            replace_by_value(rewriter, op, op.xs[0])


class JoinReshapes(RewritePattern):
    """Replace a reshape of a reshape by one reshape; both keep the elements in row-major order."""

    @rewrites(ReshapeOp)
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if isinstance(inner, ReshapeOp):
            replace_op(rewriter, op, ReshapeOp(inner.x, op.dims))
            erase_if_unused(rewriter, inner)


class JoinTransposes(RewritePattern):
    """Replace ``transpose(transpose(x, p), q)`` by ``transpose(x, p[q])``, or by x."""

    @rewrites(TransposeOp)
    def match_and_rewrite(self, op: TransposeOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if op.perm == tuple(range(len(op.perm))):
            replace_by_value(rewriter, op, op.x)
        elif isinstance(inner, TransposeOp):
            replace_op(rewriter, op, TransposeOp(inner.x, [inner.perm[i] for i in op.perm]))
            erase_if_unused(rewriter, inner)


class JoinBroadcasts(RewritePattern):
    """Replace ``broadcast(broadcast(x, a), b)`` by ``broadcast(x, b[a])``.

    a, b: for each axis of the operand, the axis of the result.
    """

    @rewrites(BroadcastOp)
    def match_and_rewrite(self, op: BroadcastOp, rewriter: PatternRewriter) -> None:
        inner = op.x.owner
        if isinstance(inner, BroadcastOp):
            axes = [op.axes[axis] for axis in inner.axes]
            replace_op(rewriter, op, BroadcastOp(inner.x, op.dims, axes))
            erase_if_unused(rewriter, inner)


def erase_if_unused(rewriter: PatternRewriter, op: Operation) -> None:
    """Erase an op if its results have no uses left."""
    if all(result.first_use is None for result in op.results):
        rewriter.erase(op)


@dataclass(frozen=True)
class Simplify(ModulePass):
    """Remove ops without effect, and join ops that cancel or compose."""

    name = "graph-simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, *PATTERNS)


PATTERNS: tuple[RewritePattern, ...] = (
    DropNeutralOperand(),
    PowerByProduct(),
    CancelInverse(),
    DropRepeatedOperand(),
    ResolveSelect(),
    DropSameType(),
    DropWholeSlice(),
    DropEmptyPad(),
    DropLoneConcat(),
    JoinReshapes(),
    JoinTransposes(),
    JoinBroadcasts(),
    *CONTROL_PATTERNS,
    *SCATTER_PATTERNS,
)
"""All rules; each makes the program smaller, or keeps its size and makes its chains shorter.

Those of scatters may add an op on the updates, which are smaller than the operand.
"""
