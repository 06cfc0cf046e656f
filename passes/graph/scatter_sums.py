"""Patterns of graph-simplify that add the updates of a scatter to another operand than zeros.

    %s = graph.scatter_nd %zeros, %i, %u "add"          %n = graph.neg (graph.mul %b, %u)
    %g = graph.mul %a, %s                         ==>   %y = graph.scatter_nd %w, %i, %n "add"
    %y = graph.sub %w, %g

%a and %b are one scalar, broadcast to the shapes of %s and of %u.  So a step of an optimizer reads
and writes the rows of a table (an embedding) that the indices name, and not the whole table.
Nothing changes if another op reads the scatter's result.
"""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.graph import AddOp, BinaryOp, BroadcastOp, MulOp, NegOp, SubOp
from ...dialects.graph.scatter import ScatterOp
from ...dialects.shape import dims_of, type_of
from ...support.rewriting import replace_op, rewrites
from .constant_values import uniform_value


def _updates_of_zeros(value: SSAValue) -> ScatterOp | None:
    """Return the op that adds updates to zeros and whose result only one op reads, or None."""
    op = value.owner
    if not isinstance(op, ScatterOp) or op.kind != "add" or not value.has_one_use():
        return None
    return op if uniform_value(op.x) == 0 else None


class AddUpdates(RewritePattern):
    """Replace ``x + scatter(0, u)`` by ``scatter(x, u)``."""

    @rewrites(AddOp)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        for value, other in ((op.rhs, op.lhs), (op.lhs, op.rhs)):
            scatter = _updates_of_zeros(value)
            if scatter is not None:
                replace_op(rewriter, op, scatter.clone({scatter.x: other}))
                return


class SubtractUpdates(RewritePattern):
    """Replace ``x - scatter(0, u)`` by ``scatter(x, -u)``."""

    @rewrites(SubOp)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        scatter = _updates_of_zeros(op.rhs)
        if scatter is not None:
            negative = NegOp(scatter.updates)
            given: dict[SSAValue, SSAValue] = {
                scatter.x: op.lhs,
                scatter.updates: negative.results[0],
            }
            replace_op(rewriter, op, (negative, scatter.clone(given)))


class ScaleUpdates(RewritePattern):
    """Replace ``a * scatter(0, u)`` by ``scatter(0, a * u)`` for a scalar a."""

    @rewrites(MulOp)
    def match_and_rewrite(self, op: BinaryOp, rewriter: PatternRewriter) -> None:
        for value, factor in ((op.rhs, op.lhs), (op.lhs, op.rhs)):
            scatter, spread = _updates_of_zeros(value), factor.owner
            if scatter is None or not isinstance(spread, BroadcastOp) or spread.axes:
                continue
            again = BroadcastOp(spread.x, dims_of(type_of(scatter.updates)), [])
            scaled = MulOp(scatter.updates, again.out)
            made = scatter.clone({scatter.updates: scaled.out})
            replace_op(rewriter, op, (again, scaled, made))
            return


SCATTER_PATTERNS = (AddUpdates(), SubtractUpdates(), ScaleUpdates())
"""The patterns of this module."""
