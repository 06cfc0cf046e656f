"""sched.compute_inline: inline an elementwise producer into all of its readers."""

from __future__ import annotations

from ....dialects.te import ComputeOp
from ..engine.nest_edit import one_of
from ..engine.placement import users
from ..engine.step import Handles, Step
from .inline import erase_if_unread, inlined, require_pointwise


def compute_inline(step: Step) -> Handles:
    """Compute an elementwise producer inside all of its readers, and erase it.

        te.compute @twice [i: 64] ins(%x[i] : ..) outs(%t[i] : ..) body { x + x }
        te.compute @next [i: 64] ins(%t[i] : ..) outs(%y[i] : ..) body { t + 1 }
        sched.compute_inline %twice
    ==>
        te.compute @next [i: 64] ins(%x[i] : ..) outs(%y[i] : ..) body { (x + x) + 1 }

    The step takes the handle of the producer, and returns no handle. The step ``inline`` does the
    same for one reader.
    Before: the producer stores one local output, with one axis as each index; no reader pads its
    reads.
    Errors: ScheduleError otherwise.
    """
    producer = step.only_compute()
    source = producer.view()
    require_pointwise(step, source)
    (buffer,) = producer.outs
    readers = [op for op in users(buffer) if op is not producer]
    computes = [op for op in readers if isinstance(op, ComputeOp) and buffer not in op.outs]
    if not computes or len(computes) < len(readers):
        raise step.error(
            f"the result of @{source.name} is needed as a whole",
            expected=one_of(f"@{name}" for name in _local(step)),
            got="a kernel argument" if not readers else "read by an op that is no compute",
        )
    for op in computes:
        op.become(inlined(step, op.view(), source))
    erase_if_unread(producer)
    return []


def _local(step: Step) -> list[str]:
    """Return the labels of the computes that have one output, which only computes read.

    The error of the step lists these labels.
    """
    found: list[str] = []
    for op in step.kernel.body.walk():
        if isinstance(op, ComputeOp) and len(op.outs) == 1:
            readers = [u for u in users(op.outs[0]) if u is not op]
            if readers and all(isinstance(u, ComputeOp) for u in readers):
                found.append(op.label)
    return list(dict.fromkeys(found))
