"""sched.relayout: another layout for a local buffer."""

from __future__ import annotations

from ...dialects.loop import AllocOp
from .layout import store_through
from .step import Handles, Step


def relayout(step: Step) -> Handles:
    """Store a local buffer through a layout map; the handle names a compute that writes it.

        %s = loop.alloc "local" : memref<64x128xf32>
        te.compute @score [..] .. outs(%s[i, j] add 0.0 : ..)
        %r = sched.relayout %c {out = 0, map = affine_map<(i, j) -> (j, i)>}
    ==>
        %s = loop.alloc "local" : memref<128x64xf32>
        te.compute @score [..] .. outs(%s[j, i] add 0.0 : ..)

    Every access of every compute is rewritten.
    Before: output ``out`` is a loop.alloc.
    Errors: ScheduleError otherwise; for a map that is no blocked layout.
    """
    out, layout = step.number("out", 0), step.layout("map")
    buffers = {}
    for view in [op.view() for op in step.computes()]:
        if not 0 <= out < len(view.outputs):
            raise step.error(
                f"@{view.name} has no output {out}", expected=f"0..{len(view.outputs) - 1}"
            )
        buffer = view.outputs[out].value
        if buffer is None or not isinstance(buffer.owner, AllocOp):
            raise step.error(
                f"output {out} of @{view.name} is not a local buffer",
                hint="layouts of kernel arguments are chosen by the graph's plan",
            )
        buffers[buffer] = None
    for buffer in buffers:
        store_through(step, buffer, layout)
    return [step.computes()]
