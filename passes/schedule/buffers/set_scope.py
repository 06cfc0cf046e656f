"""sched.set_scope: choose the memory of a local buffer."""

from __future__ import annotations

from ....dialects.loop import SCOPES, str_attr
from ..engine.step import Handles, Step
from .local_buffers import local_outputs


def set_scope(step: Step) -> Handles:
    """Choose the memory of a local buffer; the handle names a compute that writes it.

        %t = loop.alloc "local" : memref<16x16xf32>
        te.compute @copy [..] .. outs(%t[i, j] : ..)
        %s = sched.set_scope %c {out = 0, scope = shared}
    ==>
        %t = loop.alloc "shared" : memref<16x16xf32>

    The loop.alloc of the lowered kernel has the same scope.
    out: the number of the output that is the buffer.
    scope: the memory. ``local`` belongs to one task, ``shared`` to the cooperating threads of a
    group; ``global`` is main memory; ``warp`` and ``wmma.*`` are registers of several threads. A
    CPU task is a group of one thread with main memory only: local, shared and global buffers share
    that memory, and other scopes are refused.
    Before: output ``out`` is a loop.alloc.
    Errors: ScheduleError otherwise; for an unknown scope.
    """
    scope = memory_scope(step)
    for alloc in local_outputs(step, "use cache_write first: it gives the output a local buffer"):
        alloc.properties["scope"] = str_attr(scope)
    return [step.computes()]


def memory_scope(step: Step, default: str | None = None) -> str:
    """Return the step's option ``scope``, the memory of a buffer.

    default: the result if the option is absent; None: the option is required.
    Errors: ScheduleError if it is not a known memory scope.
    """
    scope = step.word("scope", default)
    if scope not in SCOPES:
        raise step.error("no memory scope of that name", expected=", ".join(SCOPES), got=scope)
    return scope
