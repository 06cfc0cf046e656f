"""Control-flow patterns of graph-simplify.

    graph.if (constant true) {A} else {B}                         ==>  A
    graph.scan carry(%a = %x) { … graph.yield %a, … }             ==>  %x in the place of %a
    %h, %ys = graph.scan … { graph.yield %h1, %y }   (%ys unused) ==>  %h = … { graph.yield %h1 }

    graph.checkpoint, graph.custom_gradient {A}                   ==>  A
    graph.stop_gradient %x                                        ==>  %x

The gradients of the last two forms are in the program already, or are not wanted.
Only the ops of a branch that is always taken, and of these regions, move to another block.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.graph import (
    CheckpointOp,
    ConstantOp,
    CustomGradientOp,
    IfOp,
    LoopOp,
    RegionOp,
    ScanOp,
    StopGradientOp,
    YieldOp,
)
from ...support.blocks import returned, take_body, terminator
from ...support.rewriting import replace_op, rewrites


class TakeBranch(RewritePattern):
    """Replace a graph.if with a constant condition by the ops of the branch taken."""

    @rewrites(IfOp)
    def match_and_rewrite(self, op: IfOp, rewriter: PatternRewriter) -> None:
        condition = op.condition.owner
        if not isinstance(condition, ConstantOp):
            return
        block = (op.then if condition.array.item() else op.otherwise).block
        _replace_by_block(op, block, rewriter)


def _replace_by_block(op: Operation, block: Block, rewriter: PatternRewriter) -> None:
    """Replace an op by the ops of one of its regions; the yielded values replace its results."""
    values = list(returned(block))
    rewriter.insert(take_body(block))
    replace_op(rewriter, op, (), values)


class InlineRegion(RewritePattern):
    """Replace a graph.checkpoint or graph.custom_gradient by the ops of its first region."""

    @rewrites(CheckpointOp, CustomGradientOp)
    def match_and_rewrite(self, op: RegionOp, rewriter: PatternRewriter) -> None:
        block = op.forward.block
        for argument, value in zip(block.args, op.operands, strict=True):
            argument.replace_all_uses_with(value)
        _replace_by_block(op, block, rewriter)


class DropStopGradient(RewritePattern):
    """Replace a graph.stop_gradient by its operand."""

    @rewrites(StopGradientOp)
    def match_and_rewrite(self, op: StopGradientOp, rewriter: PatternRewriter) -> None:
        replace_op(rewriter, op, (), [op.x])


class SlimLoop(RewritePattern):
    """Drop loop-carried values that never change, and stacks that nothing reads."""

    @rewrites(LoopOp, ScanOp)
    def match_and_rewrite(self, op: LoopOp | ScanOp, rewriter: PatternRewriter) -> None:
        block = op.body.block
        last = terminator(block, YieldOp)
        first = int(isinstance(op, LoopOp) and op.condition is not None)
        carried = block.args[1:] if isinstance(op, LoopOp) else block.args[: len(op.inits)]
        given = last.values[first : first + len(carried)]
        parts = last.values[first + len(carried) :]
        idle = [v in (a, i) for v, a, i in zip(given, carried, op.inits, strict=True)]
        unread = [r.first_use is None for r in op.results[len(carried) :]]
        over = _read_stacks(op)
        if not any((*idle, *unread)) and (isinstance(op, LoopOp) or len(over) == len(op.over)):
            return
        kept = [v for v, still in zip(given, idle, strict=True) if not still]
        kept += [v for v, dropped in zip(parts, unread, strict=True) if not dropped]
        rewriter.replace(last, YieldOp([*last.values[:first], *kept]))
        for argument, init, still in zip(list(carried), op.inits, idle, strict=True):
            if still:
                argument.replace_all_uses_with(init)
                block.erase_arg(argument)
        inits = [v for v, still in zip(op.inits, idle, strict=True) if not still]
        made = _rebuilt(op, inits, over, op.detach_region(op.body))
        results = iter(made.results)
        values = [i if still else next(results) for i, still in zip(op.inits, idle, strict=True)]
        stacked = [None if dropped else next(results) for dropped in unread]
        for old, new in zip(op.results, [*values, *stacked], strict=True):
            if new is not None and new in made.results:
                new.name_hint = old.name_hint
        replace_op(rewriter, op, made, [*values, *stacked])


def _read_stacks(op: LoopOp | ScanOp) -> list[SSAValue]:
    """Erase the arguments of unread stacks of a scan; return the stacks that its region reads."""
    if isinstance(op, LoopOp):
        return []
    elements = zip(list(op.body.block.args[len(op.inits) :]), op.over, strict=True)
    read = []
    for argument, stack in elements:
        if argument.first_use is None:
            op.body.block.erase_arg(argument)
        else:
            read.append(stack)
    return read


def _rebuilt(
    op: LoopOp | ScanOp, inits: Sequence[SSAValue], over: Sequence[SSAValue], body: Region
) -> LoopOp | ScanOp:
    if isinstance(op, LoopOp):
        return LoopOp(op.trip, op.condition, inits, body)
    return ScanOp(op.steps, inits, over, body, reverse=op.reverse, symbol=op.symbol)


CONTROL_PATTERNS: tuple[RewritePattern, ...] = (
    TakeBranch(), SlimLoop(), InlineRegion(), DropStopGradient(),
)  # fmt: skip
"""All rules; each leaves fewer ops, carried values or results."""
