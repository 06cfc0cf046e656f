"""sched.match: find the computes with a given name."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Region

from ....dialects.te import ComputeOp, TensorOp
from ..engine.step import Handles, Step


def match(step: Step) -> Handles:
    """Return a handle to all computes with a given name, anywhere in the kernel.

        %c = sched.match {name = mm}

    Before: nothing.  After: %c holds every te.compute @mm in program order, including the innermost
    computes (leaves) that tiling, splitting and peeling made from one compute; or the te.scatter,
    te.sort or te.loops @mm.
    Errors: ScheduleError if no compute has the name, listing the existing names.
    """
    name = step.word("name")
    ops = list(_tensor_ops(step.kernel.body))
    found = [op for op in ops if op.label == name]
    if not found:
        names = dict.fromkeys(op.label for op in ops)
        raise step.error(f"no compute is named {name}", expected=f"one of {', '.join(names)}")
    return [found]


def _tensor_ops(region: Region) -> Iterator[TensorOp]:
    """Yield te ops in program order; skip the bodies of computes, which contain no te ops."""
    for block in region.blocks:
        for op in block.ops:
            if isinstance(op, TensorOp):
                yield op
            if not isinstance(op, ComputeOp):
                for inner in op.regions:
                    yield from _tensor_ops(inner)
