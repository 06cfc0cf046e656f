"""sched.pack: store a weight in another layout at compile time."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import BlockArgument

from ..engine.step import Handles, Step
from .layout import store_through


def pack(step: Step) -> Handles:
    """Store a constant argument of the kernel through a layout map.

        te.kernel @k(%A: .., %B: memref<768x40xf32>) .. ins(.., %B[k, n] : ..)
        %p = sched.pack %c {operand = 1, map = affine_map<(k, n) -> (n floordiv 16, k, n mod 16)>}
    ==>
        te.kernel @k(%A: .., %B: memref<3x768x16xf32>) ..
            ins(.., %B[n floordiv 16, k, n mod 16] : ..)

    Every access of every compute is rewritten.  The kernel records the map (``packs``), and
    packed-pack-constants rearranges the weight that callers pass, once. A partial last block is
    stored as a full block.  Operands are counted as inputs, then post operands.  For an operand
    that a body reads at computed positions (te.at), the map may only permute dimensions.
    Before: operand ``operand`` is an argument listed in the kernel's ``constants``, not packed yet.
    Errors: ScheduleError otherwise; for a map that is not a blocked layout.
    """
    operand, layout = step.number("operand"), step.layout("map")
    views = [op.view() for op in step.computes()]
    for view in views:
        if not 0 <= operand < len(view.reads):
            raise step.error(
                f"@{view.name} has no input {operand}", expected=f"0..{len(view.reads) - 1}"
            )
    values = {view.reads[operand].value for view in views}
    value = values.pop() if len(values) == 1 else None
    kernel = step.kernel
    if not isinstance(value, BlockArgument) or value.block is not kernel.body.block:
        raise step.error(f"input {operand} is not one argument of the kernel", hint="use relayout")
    position = value.index
    if position not in kernel.constant_positions:
        raise step.error(
            f"input {operand} is argument {position}, which is not constant",
            expected=f"one of arguments {', '.join(map(str, kernel.constant_positions)) or 'none'}",
            hint="use cache_read and relayout to pack while running",
        )
    store_packed(step, value, layout)
    return [step.computes()]


def store_packed(step: Step, argument: BlockArgument, layout: AffineMapAttr) -> None:
    """Store a constant argument through a layout map, and record the map on the kernel.

    Errors: ScheduleError if the argument is packed already, or if the map is no blocked layout.
    """
    kernel, position = step.kernel, argument.index
    if position in kernel.pack_maps:
        raise step.error(
            f"argument {position} is packed",
            got=kernel.pack_maps[position].data,
            hint="pack once, through a map that does both",
        )
    store_through(step, argument, layout)
    kernel.record_pack(position, layout)
    kernel.update_function_type()
