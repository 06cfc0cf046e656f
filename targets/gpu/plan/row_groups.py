"""Groups of computes that share rows, in a kernel with other computes.

In: a kernel.  Out: the rows of each group of at least two consecutive computes.

    scores = q k^T      m = max scores   e = exp(scores - m)   l = sum e   y = e / l

Consecutive computes whose buffers no other compute reads share a launch, as in rows.py: here the
last four, a softmax.  The group is the longest of those that begin at a compute.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.loop import AllocOp, SizeOp
from ....dialects.te import ComputeOp, KernelOp
from ....machines.target import Target
from .rows import Rows, rows_of

_MOST_COMPUTES = 8
"""The most computes of a group: normalizations have five."""


def row_groups(kernel: KernelOp, target: Target) -> list[Rows]:
    """Return how threads share the rows of each group of computes in a kernel, in order."""
    computes = [op for op in kernel.body.block.ops if not isinstance(op, AllocOp | SizeOp)]
    labels = [op.label for op in kernel.body.walk() if isinstance(op, ComputeOp)]
    found: list[Rows] = []
    first = 0
    while first < len(computes):
        last = min(len(computes), first + _MOST_COMPUTES)
        rows = None
        while rows is None and last > first + 1:
            rows = _rows([*computes[first:last]], labels, target)
            last -= 1
        found += [] if rows is None else [rows]
        first = first + 1 if rows is None else last + 1
    return found


def _rows(ops: Sequence[object], labels: Sequence[str], target: Target) -> Rows | None:
    group = [op for op in ops if isinstance(op, ComputeOp) and labels.count(op.label) == 1]
    if len(group) < len(ops):
        return None
    views = [op.view() for op in group]
    inner = [out.value for view in views[:-1] for out in view.outputs]
    readers = [use.operation for value in inner if value is not None for use in value.uses]
    is_closed = all(any(reader is op for op in group) for reader in readers)
    if not is_closed:
        return None
    return rows_of(views, target)
