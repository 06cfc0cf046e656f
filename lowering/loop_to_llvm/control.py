"""Handlers of loop.for, loop.if and loop.size, which emit blocks, phis and unrolled bodies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.shape import Extent, extent_of
from ...support.affine import Index
from ...support.blocks import returned
from ...support.diagnostics import LoweringError
from .emitter import KernelEmitter, LoopForm
from .op_emitter import Handlers, emit_nothing
from .text import I64


def emit_for(e: KernelEmitter, op: loop.ForOp) -> None:
    """Emit loop.for: as a loop, as an unrolled loop, or as copies of its body (`LoopForm`).

    Errors: LoweringError for a loop that is bound to threads of a GPU.
    """
    if op.thread:
        raise LoweringError(
            f"a loop is bound to {op.thread}, and a CPU has no such threads",
            expected="loops without bind, or the target of a device",
            hint='leave bind out, use parallel, or build for target="opencl" or "cuda"',
        ).at(op)
    bounds = op.static_bounds
    e.hoist(op.body.block)
    saved = e.save_addresses()
    e.depth += 1
    if bounds is not None and bounds[1] <= bounds[0]:
        results = [e.values[v] for v in op.inits]
    elif bounds is not None and e.forms[op.variable] is LoopForm.COPIES:
        results = _emit_copies(e, op, "", bounds[0], [e.values[v] for v in op.inits])
    else:
        results = _emit_loop(e, op)
    e.depth -= 1
    e.restore_addresses(saved)
    for result, text in zip(op.res, results, strict=True):
        e.define(result, text)


def _emit_copies(
    e: KernelEmitter, op: loop.ForOp, start: str, first: int, carried: Sequence[str]
) -> list[str]:
    """Emit the copies of an unrolled loop body; return the values that the last copy yields.

    start, first: the loop variable is ``start + first`` in the first copy: a printed operand plus
    an integer.
    carried: the carried values before the first copy.
    """
    block = op.body.block
    values = list(carried)
    for copy in range(op.unroll_factor):
        for argument, text in zip(block.args[1:], values, strict=True):
            e.define(argument, text)
        e.bind(op.variable, start, first + copy)
        e.emit_block(block)
        values = [e.values[v] for v in returned(block)]
    return values


def _emit_loop(e: KernelEmitter, op: loop.ForOp) -> list[str]:
    """Emit a loop that tests its condition at the end; return the printed operands of its results.

    If the trip count is not static, a branch skips the loop when it has no iterations.
    """
    static = op.static_bounds is not None
    if not static and op.unroll_factor > 1:
        raise LoweringError("only a loop with static bounds can be unrolled").at(op)
    lows, highs = op.bounds()
    low, high = _extremum(e, lows, "smax"), _extremum(e, highs, "smin")
    inits = [e.values[v] for v in op.inits]
    number, before = e.number(), e.label
    body, after = f"L{number}", f"X{number}"
    if static:
        e.jump(body)
    else:
        e.branch(e.emit(f"icmp slt i64 {low}, {high}"), body, after)
    e.start(body)
    phis = len(e.lines)
    counter, following = e.name(), e.name()
    names = [e.name() for _ in inits]
    yielded = _emit_copies(e, op, counter, 0, names)
    e.lines.append(f" {following} = add nuw nsw i64 {counter}, {op.unroll_factor}")
    e.branch(e.emit(f"icmp slt i64 {following}, {high}"), body, after)
    e.lines[-1] += e.loop_hint(op)
    end = e.label
    rows = [(counter, "i64", low, following)]
    types = [e.type_of(v).text for v in op.inits]
    rows += zip(names, types, inits, yielded, strict=True)
    e.lines[phis:phis] = [
        f" {name} = phi {t} [{first}, %{before}], [{next_}, %{end}]"
        for name, t, first, next_ in rows
    ]
    e.start(after)
    if static:
        return yielded
    return [
        e.emit(f"phi {t} [{first}, %{before}], [{last}, %{end}]")
        for t, first, last in zip(types, inits, yielded, strict=True)
    ]


def _extremum(e: KernelEmitter, bounds: list[Index], name: str) -> str:
    """Append the largest (name: smax) or smallest (name: smin) of some loop bounds; return it."""
    return reduce(partial(e.intrinsic, name, I64), [e.index_value(bound) for bound in bounds])


def emit_if(e: KernelEmitter, op: loop.IfOp) -> None:
    """Emit loop.if as a branch."""
    e.when(e.values[op.condition], lambda: e.emit_block(op.body.block))


def emit_size(e: KernelEmitter, op: loop.SizeOp) -> None:
    """Define the result of loop.size as the value that the entry of the function computes."""
    e.values[op.res], e.depths[op.res] = e.size(extent_of(op.dim)), 0


def bind_task(e: KernelEmitter, variable: SSAValue, value: str, low: Extent, size: Extent) -> None:
    """Define the variable of a parallel loop from the number of the iteration that a task runs.

    variable: the loop variable.
    value: the printed number of the iteration, counted from 0.
    low, size: the loop's lower bound and trip count.
    """
    if size == 1 and isinstance(low, int):
        e.forms[variable] = LoopForm.COPIES
        e.bind(variable, "", low)
        return
    e.forms[variable] = LoopForm.ROLLED
    start = value if low == 0 else e.emit(f"add nuw nsw i64 {value}, {e.size(low)}")
    e.bind(variable, start, 0)


HANDLERS: Handlers = {
    loop.ForOp: emit_for,
    loop.IfOp: emit_if,
    loop.SizeOp: emit_size,
    loop.YieldOp: emit_nothing,
}
