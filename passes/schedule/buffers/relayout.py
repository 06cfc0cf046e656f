"""sched.relayout: store a local buffer in another layout."""

from __future__ import annotations

from ..engine.step import Handles, Step
from .layout import store_through
from .local_buffers import local_outputs


def relayout(step: Step) -> Handles:
    """Store a local buffer through a layout map; the handle names a compute that writes it.

        %s = loop.alloc "local" : memref<64x128xf32>
        te.compute @score [..] .. outs(%s[i, j] add 0.0 : ..)
        %r = sched.relayout %c {out = 0, map = affine_map<(i, j) -> (j, i)>}
    ==>
        %s = loop.alloc "local" : memref<128x64xf32>
        te.compute @score [..] .. outs(%s[j, i] add 0.0 : ..)

    Every access of every compute is rewritten.
    out: the number of the output that is the buffer.
    map: takes logical positions to stored positions.
    Before: output ``out`` is a loop.alloc.
    Errors: ScheduleError otherwise; for a map that is not a blocked layout.
    """
    layout = step.layout("map")
    for alloc in local_outputs(step, "use transform_layout, which copies the output"):
        store_through(step, alloc.res, layout)
    return [step.computes()]
