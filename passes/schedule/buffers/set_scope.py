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

    The scope is carried to the loop level.  ``local``: one task; ``shared``: the threads of a group
    that work together; ``global``: main memory; ``warp`` and ``wmma.*``: registers of several
    threads.  A task of a CPU is a group of one thread, and has main memory only: it gives local,
    shared and global buffers the same memory and refuses the others.
    Before: output ``out`` is a loop.alloc.
    Errors: ScheduleError otherwise; for a scope that is not known.
    """
    scope = memory_scope(step)
    for alloc in local_outputs(step, "use cache_write first: it gives the output a local buffer"):
        alloc.properties["scope"] = str_attr(scope)
    return [step.computes()]


def memory_scope(step: Step, default: str | None = None) -> str:
    """Return the parameter ``scope``.

    Errors: ScheduleError if no target knows it.
    """
    scope = step.word("scope", default)
    if scope not in SCOPES:
        raise step.error("no memory scope of that name", expected=", ".join(SCOPES), got=scope)
    return scope
