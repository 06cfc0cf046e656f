"""Copies of kernels after some steps of a schedule, for plans that depend on these steps.

In: a kernel, and a function that writes steps.  Out: a copy of the kernel after the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....dialects.te import ComputeOp, ComputeView, KernelOp
from ....passes.schedule.interpreter import apply_script
from .script import Script


def after_steps(kernel: KernelOp, write: Callable[[Script], object]) -> KernelOp:
    """Return a copy of a kernel after the steps that ``write`` adds to a script."""
    steps, copy = Script(kernel.label), kernel.clone()
    write(steps)
    apply_script(steps.build(), copy)
    return copy


def computes_in(kernel: KernelOp) -> list[ComputeOp]:
    """Return all computes of a kernel, in order."""
    return [op for op in kernel.body.walk() if isinstance(op, ComputeOp)]


def named_computes(kernel: KernelOp) -> Iterator[ComputeOp]:
    """Yield the computes outside of loops whose name no other compute of the kernel has."""
    labels = [op.label for op in computes_in(kernel)]
    for op in kernel.body.block.ops:
        if isinstance(op, ComputeOp) and labels.count(op.label) == 1:
            yield op


def changed_views(
    kernel: KernelOp, made: KernelOp, name: str
) -> tuple[ComputeView, list[ComputeView]]:
    """Return a compute of ``made`` by its name, and the computes that ``kernel`` does not have.

    made: a copy of the kernel after steps that add computes.
    """
    known = {op.label for op in computes_in(kernel)}
    (own,) = (op.view() for op in computes_in(made) if op.label == name)
    return own, [op.view() for op in computes_in(made) if op.label not in known]
