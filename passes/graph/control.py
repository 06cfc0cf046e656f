"""Control-flow patterns of graph-simplify.

    graph.if (constant true) {A} else {B}                         ==>  A
    graph.scan carry(%a = %x) { … graph.yield %a, … }             ==>  %x in the place of %a
    %h, %ys = graph.scan … { graph.yield %h1, %y }   (%ys unused) ==>  %h = … { graph.yield %h1 }

Only the ops of a branch that is always taken move to another block.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.graph import ConstantOp, IfOp, LoopOp, ScanOp, YieldOp
from ...support.rewriting import replace_op, rewrites


class TakeBranch(RewritePattern):
    """Replace a graph.if with a constant condition by the ops of the branch taken."""

    @rewrites(IfOp)
    def match_and_rewrite(self, op: IfOp, rewriter: PatternRewriter) -> None:
        condition = op.condition.owner
        if not isinstance(condition, ConstantOp):
            return
        block = (op.then if condition.array.item() else op.otherwise).block
        last = block.last_op
        assert isinstance(last, YieldOp), "a region ends with graph.yield"
        values = list(last.values)
        rewriter.erase(last)
        for inner in list(block.ops):
            inner.detach()
            rewriter.insert(inner)
        replace_op(rewriter, op, (), values)


class SlimLoop(RewritePattern):
    """Drop loop-carried values that never change, and stacked results without readers."""

    @rewrites(LoopOp, ScanOp)
    def match_and_rewrite(self, op: LoopOp | ScanOp, rewriter: PatternRewriter) -> None:
        block, last = op.body.block, op.body.block.last_op
        assert isinstance(last, YieldOp), "a region ends with graph.yield"
        first = int(isinstance(op, LoopOp) and op.condition is not None)
        carried = block.args[1:] if isinstance(op, LoopOp) else block.args[: len(op.inits)]
        given = last.values[first : first + len(carried)]
        parts = last.values[first + len(carried) :]
        idle = [v in (a, i) for v, a, i in zip(given, carried, op.inits, strict=True)]
        unread = [r.first_use is None for r in op.results[len(carried) :]]
        if not any((*idle, *unread)):
            return
        kept = [v for v, still in zip(given, idle, strict=True) if not still]
        kept += [v for v, dropped in zip(parts, unread, strict=True) if not dropped]
        rewriter.replace(last, YieldOp([*last.values[:first], *kept]))
        for argument, init, still in zip(list(carried), op.inits, idle, strict=True):
            if still:
                argument.replace_all_uses_with(init)
                block.erase_arg(argument)
        inits = [v for v, still in zip(op.inits, idle, strict=True) if not still]
        made = _with_inits(op, inits, op.detach_region(op.body))
        results = iter(made.results)
        values = [i if still else next(results) for i, still in zip(op.inits, idle, strict=True)]
        stacked = [None if dropped else next(results) for dropped in unread]
        _keep_names(op.results, [*values, *stacked], made.results)
        replace_op(rewriter, op, made, [*values, *stacked])


def _with_inits(op: LoopOp | ScanOp, inits: Sequence[SSAValue], body: Region) -> LoopOp | ScanOp:
    if isinstance(op, LoopOp):
        return LoopOp(op.trip, op.condition, inits, body)
    return ScanOp(op.steps, inits, op.over, body, reverse=op.reverse, symbol=op.symbol)


def _keep_names(
    old: Sequence[SSAValue], new: Sequence[SSAValue | None], made: Sequence[SSAValue]
) -> None:
    for before, after in zip(old, new, strict=True):
        if after is not None and after in made:
            after.name_hint = before.name_hint


CONTROL_PATTERNS: tuple[RewritePattern, ...] = (TakeBranch(), SlimLoop())
"""All rules; each leaves fewer ops, carried values or results."""
