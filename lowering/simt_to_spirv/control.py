"""Handlers of loops, branches, sizes, thread and block ids, barriers and casts."""

from __future__ import annotations

from functools import partial, reduce

from ...dialects import loop, simt
from ...dialects.shape import MOST, extent_of
from ...support.affine import Index
from ...support.blocks import returned
from ..device_kernels import check_serial
from ..loop_to_llvm.op_emitter import Handlers
from ..warpgroup_code import barrier_code
from .emitter import SpirvEmitter
from .types import position, spirv_type

_AXES = ("x", "y", "z")
# Scopes and memory semantics as constants: the scope Workgroup (2); acquire and release (8) of the
# memory of a block (0x100), and of device memory (0x40).
_SCOPE = position(2)
_SEMANTICS = {"shared": position(0x108), "global": position(0x148)}


def emit_for(e: SpirvEmitter, op: loop.ForOp) -> None:
    """Emit loop.for as a structured loop, whose loop variable and carried values are phis.

    Errors: LoweringError for a loop that is bound to threads, or parallel.
    """
    check_serial(op)
    lows, highs = op.bounds()
    type_ = spirv_type("i32")
    low, high = _end(e, lows, "smax"), _end(e, highs, "smin")
    range_ = e.loop_range(lows, highs)
    carried = op.body.block.args[1:]

    def condition(names: list[str]) -> str:
        return e.binary("icmp slt", type_, names[0], high)

    def step(names: list[str]) -> list[str]:
        e.define_position(op.variable, range_, names[0])
        for argument, name in zip(carried, names[1:], strict=True):
            e.define(argument, name)
        e.emit_block(op.body.block)
        yielded = returned(op.body.block)
        following = e.binary("add", type_, names[0], position(1))
        return [following, *(e.values[value] for value in yielded)]

    types = [type_, *(e.type_of(argument) for argument in carried)]
    values = [low, *(e.values[init] for init in op.inits)]
    names = e.loop(types, values, condition, step)
    for result, name in zip(op.res, names[1:], strict=True):
        e.define(result, name)


def _end(e: SpirvEmitter, bounds: list[Index], function: str) -> str:
    """Append the largest or smallest of several loop bounds; return its value.

    function: ``smax`` for the largest, ``smin`` for the smallest.
    """
    extremum = partial(e.intrinsic, function, spirv_type("i32"))
    return reduce(extremum, [e.index_value(bound) for bound in bounds])


def emit_if(e: SpirvEmitter, op: loop.IfOp) -> None:
    """Emit loop.if as a structured selection."""
    after = e.skip_unless(e.values[op.condition])
    e.emit_block(op.body.block)
    e.jump(after)
    e.start(after)


def emit_size(e: SpirvEmitter, op: loop.SizeOp) -> None:
    """Define the value of loop.size: a constant, or a size that the launch passes."""
    e.define_position(op.res, op.dim.range(MOST), e.size_value(extent_of(op.dim)))


def emit_id(e: SpirvEmitter, op: simt.IdOp) -> None:
    """Emit simt.thread_id or simt.block_id as a component of a built-in variable.

    If the launch spreads a one-dimensional grid over x and y, the block index is computed from both
    ids, and the threads of surplus blocks return.
    """
    variable = "%thread_id" if isinstance(op, simt.ThreadIdOp) else "%block_id"
    bound = op.bound.value
    axis = _AXES.index(op.dimension.data)
    name = _component(e, variable, axis)
    if e.folds_grid and variable == "%block_id" and axis == 0:
        row, count = _component(e, variable, 1), _component(e, "%block_count", 0)
        name = e.emit("%i32", f"OpIAdd {name} {e.emit('%i32', f'OpIMul {row} {count}')}")
        is_outside = f"OpSGreaterThanEqual {name} {e.size_value(extent_of(op.bound))}"
        after = e.skip_unless(e.emit("%bool", is_outside))
        e.lines.append("OpReturn")
        e.start(after)
    e.define_position(op.res, (0, MOST if bound is None else bound - 1), name)


def _component(e: SpirvEmitter, variable: str, axis: int) -> str:
    ids = e.emit("%v3", f"OpLoad {variable}")
    return e.emit("%i32", f"OpCompositeExtract {ids} {axis}")


def emit_barrier(e: SpirvEmitter, op: simt.BarrierOp) -> None:
    """Emit simt.barrier as OpControlBarrier with the semantics of the memory that it orders."""
    e.lines.append(f"OpControlBarrier {_SCOPE} {_SCOPE} {barrier_code(op, _SEMANTICS)}")


HANDLERS: Handlers = {
    loop.ForOp: emit_for,
    loop.IfOp: emit_if,
    loop.SizeOp: emit_size,
    simt.ThreadIdOp: emit_id,
    simt.BlockIdOp: emit_id,
    simt.BarrierOp: emit_barrier,
}
